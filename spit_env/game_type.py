"""What the shells (batch, environments, replays, bots) need to know of a game."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spit_env.ruleset import Rules
from spit_env.table import Table

Numbers = npt.NDArray[np.int64]


class GameType(NamedTuple):
    """A game for a number of seats: a record type, whose verbs the kernels find by it, and its faces for people."""

    name: str
    rules: type[Rules]
    seats: int
    actions: int
    action_names: tuple[str, ...]  # the same from every seat
    seat_letters: str  # what boards call the players
    state: np.dtype[Any]
    observation: Table
    blank: Callable[[Rules], np.void]  # a state record that holds the rules and nothing else
    cards_held: Callable[[Any], Numbers]  # (games, seats): cards that each has still to get rid of
    standing: Callable[[Any], Numbers]  # (games, seats): the lower the better, among those who have not won
    potential: Callable[[Any], npt.NDArray[np.float64]]  # (games, seats): shaping="cards"
    move_name: Callable[[int, int], str]  # (action, seat)
    parse_move: Callable[[str, int], int]  # (text, seat); raises BadText
    parse_board: Callable[[str, Rules, int], np.void]  # (text, rules, seed); raises BadText, BadBoard
    format_board: Callable[[Any, bool], str]  # (record, reveal)
    check: Callable[[Any], None]  # a record that was read; raises ValueError
    shuffle_unknown: Callable[[Any, int, np.random.Generator], None]  # (batch of one game, seat, generator)
    turned_up: Callable[[Any], tuple[int, ...]]  # (record): numbers that change whenever a card is turned face up
    latency_kind: Callable[[int], int]  # of an action that takes time: PLAY to CALL of `spit_env.latency`
    ansi: Callable[..., str]  # (record, *, plain, colour)
    rgb_array: Callable[[Any], npt.NDArray[np.uint8]]  # (record)
