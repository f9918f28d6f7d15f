"""Speed's actions as text: names that do not depend on the seat, and moves as they are called at the table.

Piles are called by a letter, as the seats in front of which they lie: seats Y, E, F, G have the piles R, L, M, N.

>>> action_names(2)[3], action_names(2)[13]
('play 2 own', 'play 2 own high')
>>> move_name(3, seat=0, seats=2), move_name(13, seat=0, seats=2)
('P2R', 'P2R+')
>>> parse_move("P2R", seat=1, seats=2)
4
"""

import re

from spit_env.errors import BadText
from spit_env.speed.moves import pile_number, slot_of
from spit_env.speed.state import FIRST_PLAY, SLOTS, action_count, call_action, draw_action, first_high
from spit_env.state import NOOP

SEAT_LETTERS = "YEFG"
PILE_LETTERS = "RLMN"
# The piles as a player counts them: one's own, then those of the players that follow.
_PILE_WORDS = {2: ("own", "other"), 3: ("own", "next", "previous"), 4: ("own", "next", "across", "previous")}


def action_names(seats: int) -> tuple[str, ...]:
    """A name for each action, the same from every seat: ``play 2 own`` puts slot 2 onto the pile in front, a joker as
    the rank below; ``play 2 own high`` a joker as the rank above; ``draw``, ``call``."""
    return tuple(_name(action, seats) for action in range(action_count(seats)))


def _name(action: int, seats: int) -> str:
    if action == NOOP:
        return "noop"
    if action >= draw_action(seats):
        return "draw" if action == draw_action(seats) else "call"
    slot, pile = slot_of(action, seats), pile_number(action, seats)
    return f"play {slot + 1} {_PILE_WORDS[seats][pile]}{' high' if action >= first_high(seats) else ''}"


def move_name(action: int, seat: int, seats: int) -> str:
    """A move: ``P1L`` is slot 1 onto pile L, ``P1L+`` a joker as the rank above; ``DRAW``, ``CALL``; ``-`` waits."""
    if action == NOOP:
        return "-"
    if action >= draw_action(seats):
        return "DRAW" if action == draw_action(seats) else "CALL"
    pile = PILE_LETTERS[(seat + pile_number(action, seats)) % seats]
    return f"P{slot_of(action, seats) + 1}{pile}{'+' if action >= first_high(seats) else ''}"


_MOVE = re.compile(rf"(-)|P([1-{SLOTS}])([{PILE_LETTERS}])(\+?)|(DRAW)|(CALL)")


def parse_move(text: str, seat: int, seats: int) -> int:
    """The action that `move_name` calls so.

    Raises:
        BadText: if it is no move.
    """
    match = _MOVE.fullmatch(text.strip().upper())
    letters = PILE_LETTERS[:seats]
    if not match or (match[3] and match[3] not in letters):
        raise BadText(
            f"not a move: {text!r}; write P1R (a joker as the rank above: P1R+), DRAW, CALL or - (wait); the piles are "
            f"{' '.join(letters)}"
        )
    if match[1]:
        return NOOP
    if match[5]:
        return draw_action(seats)
    if match[6]:
        return call_action(seats)
    first = first_high(seats) if match[4] else FIRST_PLAY
    return first + seats * (int(match[2]) - 1) + (letters.index(match[3]) - seat) % seats
