"""California Speed as a `GameType`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spit_env.california.board import format_board, parse_board
from spit_env.california.check import check_state
from spit_env.california.look import ansi, rgb_array
from spit_env.california.moves import kind_of
from spit_env.california.observation import OBSERVATION
from spit_env.california.rules import CaliforniaRules
from spit_env.california.state import ACTIONS, SEATS, STATE, blank
from spit_env.california.text import ACTION_NAMES, SEAT_LETTERS, move_name, parse_move
from spit_env.california.unknown import shuffle_unknown, turned_up
from spit_env.game_type import GameType, Numbers
from spit_env.state import OVER


def cards_held(games: Any) -> Numbers:
    """Cards in each player's pack and hand, which all must be got rid of, shape (games, seats)."""
    cards: Numbers = games["pack_n"].astype(np.int64) + (games["card"] >= 0)
    return cards


def potential(games: Any) -> npt.NDArray[np.float64]:
    """How far ahead a player is in cards: tanh(2 d / 52) with d the lead in cards held. Shape (games, seats); 0 once a
    game is over."""
    held = cards_held(games)
    phi = np.tanh(2.0 * (held[:, ::-1] - held) / 52.0)
    return np.asarray(np.where((games["phase"] == OVER)[:, None], 0.0, phi))


CALIFORNIA_SPEED = GameType(
    name=CaliforniaRules.GAME, rules=CaliforniaRules, seats=SEATS, actions=ACTIONS, action_names=ACTION_NAMES,
    seat_letters=SEAT_LETTERS, state=STATE, observation=OBSERVATION, blank=blank, cards_held=cards_held,
    standing=cards_held, potential=potential, move_name=move_name, parse_move=parse_move, parse_board=parse_board,
    format_board=format_board, check=check_state, shuffle_unknown=shuffle_unknown, turned_up=turned_up, ansi=ansi,
    rgb_array=rgb_array, latency_kind=kind_of,
)  # fmt: skip
