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
from spit_env.spit.state import ACTIONS, CARDS, SEATS, STATE, blank
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


# Log odds, by logistic regressions on games of Emma against herself: of winning a round, for a lead in stack cards over
# the root of how many there are (3,000 games); of winning the game, for each card fewer when a round begins (2,000).
_STACK, CARD_ODDS = 0.53, 0.04


def potential(games: Any) -> npt.NDArray[np.float64]:
    """2 w - 1 with w how likely a player wins, as far as the numbers of cards tell: who wins the round, and what each
    takes up then. Shape (games, seats); 0 once a game is over."""
    stack = stack_cards(games)
    wins = _logistic(_STACK * (stack[:, ::-1] - stack) / np.sqrt(stack.sum(axis=1, keepdims=True) + 1))
    kept = games["deck_n"].astype(np.int64) + games["pile_n"].min(axis=1, keepdims=True)  # by who wins the round
    won = np.where(kept == 0, 1.0, _logistic(CARD_ODDS * (CARDS - 2 * kept)))
    worth = wins * won + (1 - wins) * (1 - won[:, ::-1])
    held = cards_held(games)
    between = (games["pile_n"] == 0).all(axis=1)
    worth = np.where(between[:, None], _logistic(CARD_ODDS * (held[:, ::-1] - held)), worth)
    return np.asarray(np.where((games["phase"] == OVER)[:, None], 0.0, 2 * worth - 1))


def _logistic(odds: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-odds)))


SPIT = GameType(
    name="spit", rules=SpitRules, seats=SEATS, actions=ACTIONS, action_names=ACTION_NAMES, seat_letters=SEAT_LETTERS,
    state=STATE, observation=OBSERVATION, blank=blank, cards_held=cards_held, standing=cards_held, potential=potential,
    move_name=move_name, parse_move=parse_move, parse_board=parse_board, format_board=format_board, check=check_state,
    shuffle_unknown=shuffle_unknown, turned_up=turned_up, ansi=ansi, rgb_array=rgb_array,
    latency_kind=kind_of,
)  # fmt: skip
