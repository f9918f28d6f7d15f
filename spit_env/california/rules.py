"""The rules of California Speed as values, and its presets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from spit_env.ruleset import Rules

EmptyPack = Literal["wins_at_next_deal", "wins_at_once"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaliforniaRules(Rules):
    """The rules of a game of California Speed.

    Raises:
        BadRules: for an unknown value or values that contradict each other.
    """

    doubles: bool = False  # CS-10: two equal cards on top of one stack may be covered
    empty_pack: EmptyPack = "wins_at_next_deal"  # CS-09: a pack that runs out while a row is laid

    GAME = "california_speed"


PRESETS: Mapping[str, CaliforniaRules] = {
    "california": CaliforniaRules(),
    "california_doubles": CaliforniaRules(doubles=True),
}
