"""Spit's actions as text: names that do not depend on the seat, and moves as a player at the table calls them.

>>> ACTION_NAMES[3]
'play 2 own'
>>> move_name(3, seat=0)
'P2R'
>>> parse_move("P2R", seat=0)
3
"""

import re

from spit_env.errors import BadText
from spit_env.spit.moves import source_of, target_of
from spit_env.spit.state import ACTIONS, FIRST_FLIP, FIRST_MOVE, FIRST_PICK, FIRST_PLAY, SEATS, SPIT, STACKS
from spit_env.state import NOOP

SEAT_LETTERS = "YE"
PILE_LETTERS = "RL"  # the own piles of seats 0 and 1: yours on the right, Emma's on the left (S0-05)


def _name(action: int) -> str:
    owner = ("own", "other")
    if action == NOOP:
        return "noop"
    if action < FIRST_FLIP:
        return f"play {source_of(action) + 1} {owner[(action - FIRST_PLAY) % SEATS]}"
    if action < FIRST_MOVE:
        return f"flip {source_of(action) + 1}"
    if action < SPIT:
        return f"move {source_of(action) + 1} to {target_of(action) + 1}"
    return "spit" if action == SPIT else f"pick {owner[action - FIRST_PICK]}"


ACTION_NAMES = tuple(_name(action) for action in range(ACTIONS))


def move_name(action: int, seat: int) -> str:
    """A move in the notation of the rules: ``P1L``, ``F3``, ``M1>2`` (combine or fill), ``SPIT``, ``PICK L``."""
    if action == NOOP:
        return "-"
    if action < FIRST_FLIP:
        return f"P{source_of(action) + 1}{PILE_LETTERS[(seat + action - FIRST_PLAY) % SEATS]}"
    if action < FIRST_MOVE:
        return f"F{source_of(action) + 1}"
    if action < SPIT:
        return f"M{source_of(action) + 1}>{target_of(action) + 1}"
    return "SPIT" if action == SPIT else f"PICK {PILE_LETTERS[(seat + action - FIRST_PICK) % SEATS]}"


_MOVE = re.compile(r"(?:(-)|P([1-5])([LR])|F([1-5])|[MCG]([1-5])>([1-5])|(SPIT)|(?:PICK|SLAP) ([LR]))")


def parse_move(text: str, seat: int) -> int:
    """The action that `move_name` calls so; ``C1>2`` and ``G1>2`` are read as moves, ``SLAP L`` as a pick.

    Raises:
        BadText: if it is no move.
    """
    match = _MOVE.fullmatch(text.strip().upper())
    if not match or (match[5] and match[5] == match[6]):
        raise BadText(f"not a move: {text!r}; write P1L, F3, M1>2, SPIT, PICK L or - (wait)")
    if match[1]:
        return NOOP
    if match[2]:
        return FIRST_PLAY + SEATS * (int(match[2]) - 1) + (PILE_LETTERS.index(match[3]) - seat) % SEATS
    if match[4]:
        return FIRST_FLIP + int(match[4]) - 1
    if match[5]:
        i, j = int(match[5]) - 1, int(match[6]) - 1
        return FIRST_MOVE + (STACKS - 1) * i + (j if j < i else j - 1)
    return SPIT if match[7] else FIRST_PICK + (PILE_LETTERS.index(match[8]) - seat) % SEATS
