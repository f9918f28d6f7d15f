"""The games that the engine knows: each a package of verbs with a few constants."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from spit_env.rules import Rules
from spit_env.spit.observation import OBSERVATION
from spit_env.spit.state import ACTIONS, SEATS, STATE, blank
from spit_env.spit.text import ACTION_NAMES
from spit_env.table import Table


class GameType(NamedTuple):
    """What the shells need to know of a game."""

    name: str
    seats: int
    actions: int
    action_names: tuple[str, ...]
    state: np.dtype[Any]
    observation: Table
    blank: Callable[[Rules], np.void]


SPIT = GameType("spit", SEATS, ACTIONS, ACTION_NAMES, STATE, OBSERVATION, blank)
