"""Spit as a `GameType`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spit_env.game_type import GameType, Numbers
from spit_env.spit.board import format_board, parse_board
from spit_env.spit.check import check_state
from spit_env.spit.look import ansi, rgb_array
from spit_env.spit.moves import kind_of
from spit_env.spit.observation import OBSERVATION
from spit_env.spit.rules import SpitRules
from spit_env.spit.state import ACTIONS, SEATS, STATE, blank
from spit_env.spit.text import ACTION_NAMES, SEAT_LETTERS, move_name, parse_move
from spit_env.spit.unknown import shuffle_unknown, turned_up
from spit_env.state import OVER


def stack_cards(games: Any) -> Numbers:
    """Cards in each player's stacks and hand, shape (games, seats)."""
    cards: Numbers = games["height"].sum(axis=2, dtype=np.int64) + (games["card"] >= 0)
    return cards


def cards_held(games: Any) -> Numbers:
    """Cards in each player's stacks, hand and deck, shape (games, seats)."""
    cards: Numbers = stack_cards(games) + games["deck_n"]
    return cards


def potential(games: Any) -> npt.NDArray[np.float64]:
    """How far ahead a player is in cards: 0.8 tanh(2 d / 52) + 0.25 s / 15 with d the lead in all cards held, s in the
    stacks alone. Shape (games, seats); 0 once a game is over."""
    held, stack = cards_held(games), stack_cards(games)
    lead, ahead = held[:, ::-1] - held, stack[:, ::-1] - stack
    phi = 0.8 * np.tanh(2.0 * lead / 52.0) + 0.25 * ahead / 15.0
    return np.asarray(np.where((games["phase"] == OVER)[:, None], 0.0, phi))


SPIT = GameType(
    name="spit", rules=SpitRules, seats=SEATS, actions=ACTIONS, action_names=ACTION_NAMES, seat_letters=SEAT_LETTERS,
    state=STATE, observation=OBSERVATION, blank=blank, cards_held=cards_held, standing=cards_held, potential=potential,
    move_name=move_name, parse_move=parse_move, parse_board=parse_board, format_board=format_board, check=check_state,
    shuffle_unknown=shuffle_unknown, turned_up=turned_up, ansi=ansi, rgb_array=rgb_array,
    latency_kind=kind_of,
)  # fmt: skip
