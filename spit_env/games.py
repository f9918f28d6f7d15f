"""The games that the engine knows."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from spit_env.california.game import CALIFORNIA_SPEED
from spit_env.game_type import GameType
from spit_env.rules import make_rules
from spit_env.ruleset import Rules
from spit_env.speed.game import speed
from spit_env.spit.game import SPIT

__all__ = [
    "CALIFORNIA_SPEED",
    "SPIT",
    "GameType",
    "format_board",
    "game_named",
    "game_of",
    "game_of_record",
    "parse_board",
]

# For each game's name: the game for so many seats, None if it cannot have them.
_MAKERS: Mapping[str, Callable[[int], GameType | None]] = {
    SPIT.name: lambda seats: SPIT if seats == SPIT.seats else None,
    "speed": speed,
    CALIFORNIA_SPEED.name: lambda seats: CALIFORNIA_SPEED if seats == CALIFORNIA_SPEED.seats else None,
}


@cache
def game_named(name: str, seats: int) -> GameType | None:
    """The game of this name for so many seats, None if there is none."""
    return _MAKERS[name](seats) if name in _MAKERS else None


def game_of(rules: str | Rules | Mapping[str, Any]) -> GameType:
    """The game that these rules are of.

    >>> game_of("pagat").name
    'spit'

    Raises:
        BadRules: for unknown rules.
    """
    values = make_rules(rules)
    game = game_named(values.GAME, values.seats)
    assert game is not None  # rules ask for no seats that their game cannot have
    return game


def game_of_record(record: Any) -> GameType:
    """The game that a state record, or an array of them, is of."""
    seats = record.dtype["hand"].shape[0]
    games = (game_named(name, seats) for name in _MAKERS)
    return next(game for game in games if game is not None and game.state == record.dtype)


def parse_board(text: str, rules: str | Rules | Mapping[str, Any] = "emma", seed: int = 0) -> np.void:
    """The state record of a game that begins with a board in the game's text form, for `Batch.reset`.

    Cards that the text leaves open are drawn from the stream `DEAL` of ``seed``.

    Raises:
        ValueError: for unknown rules or a seed outside 0 to 2**63 - 1.
        BadText: if the text is not in the game's notation.
        BadBoard: for a board that cannot exist, such as one with a card twice.
    """
    values = make_rules(rules)
    return game_of(values).parse_board(text, values, seed)


def format_board(record: Any, reveal: bool = False) -> str:
    """The board of a game as text: what lies open on the table; with ``reveal`` every card and who knows it, so that
    `parse_board` gives back the same cards."""
    return game_of_record(record).format_board(record, reveal)
