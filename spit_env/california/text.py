"""California Speed's actions as text: names that do not depend on the seat, and moves as they are called at the table.

>>> ACTION_NAMES[6]
'cover 2 other'
>>> move_name(6, seat=0)
'C2E'
>>> parse_move("C2E", seat=0)
6
"""

import re

from spit_env.california.moves import place_of
from spit_env.california.state import ACTIONS, FIRST_COVER, SEATS, STACKS
from spit_env.errors import BadText
from spit_env.state import NOOP

SEAT_LETTERS = "YE"  # seats 0 and 1, and their rows


def _name(action: int) -> str:
    row, stack = divmod(action - FIRST_COVER, STACKS)
    return "noop" if action == NOOP else f"cover {stack + 1} {('own', 'other')[row]}"


ACTION_NAMES = tuple(_name(action) for action in range(ACTIONS))


def move_name(action: int, seat: int) -> str:
    """A move by the place that it covers: ``C1Y`` to ``C4Y`` in seat 0's row, ``C1E`` to ``C4E`` in seat 1's."""
    if action == NOOP:
        return "-"
    row, stack = divmod(place_of(seat, action), STACKS)
    return f"C{stack + 1}{SEAT_LETTERS[row]}"


_MOVE = re.compile(rf"(-)|C([1-{STACKS}])([{SEAT_LETTERS}])")


def parse_move(text: str, seat: int) -> int:
    """The action that `move_name` calls so.

    Raises:
        BadText: if it is no move.
    """
    match = _MOVE.fullmatch(text.strip().upper())
    if not match:
        raise BadText(f"not a move: {text!r}; write C1Y to C4Y, C1E to C4E or - (wait)")
    if match[1]:
        return NOOP
    row = (SEAT_LETTERS.index(match[3]) - seat) % SEATS
    return FIRST_COVER + STACKS * row + int(match[2]) - 1
