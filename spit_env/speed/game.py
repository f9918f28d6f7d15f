"""Speed as a `GameType` for two to four seats."""

from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from spit_env.game_type import GameType, Numbers
from spit_env.speed.board import format_board, parse_board
from spit_env.speed.check import check_state
from spit_env.speed.look import ansi, rgb_array
from spit_env.speed.moves import kind_of
from spit_env.speed.observation import observation
from spit_env.speed.rules import SpeedRules
from spit_env.speed.state import action_count, blank, state_dtype
from spit_env.speed.text import SEAT_LETTERS, action_names, move_name, parse_move
from spit_env.speed.unknown import shuffle_unknown, turned_up
from spit_env.state import OVER


def cards_held(games: Any) -> Numbers:
    """Cards in each player's hand, in flight and in the stock, shape (games, seats)."""
    cards: Numbers = games["held_n"].astype(np.int64) + games["stock_n"] + (games["card"] >= 0)
    return cards


def standing(games: Any) -> Numbers:
    """The cards held, in a match the points with a minus; shape (games, seats)."""
    in_match = games["match_score"][:, None] > 0
    return np.where(in_match, -games["score"].astype(np.int64), cards_held(games))


def potential(games: Any) -> npt.NDArray[np.float64]:
    """How far ahead a player is: tanh(2 d / 20) with d the others' cards held in the mean less the own ones, and less
    the mean of that over the seats. Shape (games, seats); 0 once a game is over."""
    held = cards_held(games)
    seats = held.shape[1]
    lead = (held.sum(axis=1, keepdims=True) - seats * held) / (seats - 1)
    phi = np.tanh(2.0 * lead / 20.0)
    phi -= phi.mean(axis=1, keepdims=True)
    return np.asarray(np.where((games["phase"] == OVER)[:, None], 0.0, phi))


@cache
def speed(seats: int) -> GameType | None:
    """Speed for so many seats; None if it cannot have them."""
    low, high = SpeedRules.LIMITS["n_players"]
    if not low <= seats <= high:
        return None
    return GameType(
        name=SpeedRules.GAME, rules=SpeedRules, seats=seats, actions=action_count(seats),
        action_names=action_names(seats), seat_letters=SEAT_LETTERS[:seats], state=state_dtype(seats),
        observation=observation(seats), blank=blank, cards_held=cards_held, standing=standing, potential=potential,
        move_name=partial(move_name, seats=seats), parse_move=partial(parse_move, seats=seats),
        parse_board=parse_board, format_board=format_board, check=check_state, shuffle_unknown=shuffle_unknown,
        turned_up=turned_up, ansi=ansi, rgb_array=rgb_array, latency_kind=partial(kind_of, seats=seats),
    )  # fmt: skip
