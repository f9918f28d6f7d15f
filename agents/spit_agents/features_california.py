"""What a net that plays California Speed sees.

Ranks are written relative to the first top of the own row, which makes the 13-fold symmetry of the game exact, and what
decides a cover is written out: which tops are equal, and which the known next cards of both packs match.
"""

from typing import Any

from spit_agents.encoding import SLOTS, number, one_hot
from spit_env.california.state import SEATS, STACKS
from spit_env.cards import RANKS
from spit_env.jit import entry, kernel

PLACES = SEATS * STACKS  # the own row's first
NEXT = 3  # cards of each pack
PHASES = 7
PLACE = SLOTS + 4 + SEATS * NEXT + SEATS
SIDE = 2 + NEXT * SLOTS + SLOTS + 2 + 2 + 2 + 1
FEATURES = PLACES * PLACE + PLACES * (PLACES - 1) // 2 + SEATS * SIDE + RANKS + 3 + PHASES


@kernel
def top_at(o: Any, place: int) -> int:
    """The rank on a place, 0 if there is no card."""
    return int(o.top[place // STACKS, place % STACKS])


@kernel
def same(a: int, b: int) -> float:
    """1 if two ranks (1..13, 0: none) are equal."""
    return 1.0 if a > 0 and a == b else 0.0


@kernel
def write_places(o: Any, out: Any, at: int, reference: int) -> int:
    """The eight places, and which of them are equal; returns the next free place."""
    for place in range(PLACES):
        row, stack, top = place // STACKS, place % STACKS, top_at(o, place)
        at = one_hot(out, at, top, reference)
        at = number(out, at, o.coverable[row, stack])
        at = number(out, at, o.height[row, stack] / 8.0)
        equal = 0.0
        for other in range(PLACES):
            if other != place:
                equal += same(top, top_at(o, other))
        at = number(out, at, equal)
        at = number(out, at, o.unseen[top - 1] / 4.0 if top > 0 else 0.0)
        for k in range(SEATS):
            for d in range(NEXT):
                at = number(out, at, same(top, int(o.pack_card[k, d])))
            flies = o.flight_row[k] == row + 1 and o.flight_stack[k] == stack + 1
            at = number(out, at, 1.0 if flies else 0.0)
        for other in range(place):
            at = number(out, at, same(top, top_at(o, other)))
    return at


@kernel
def write_side(o: Any, k: int, out: Any, at: int, reference: int) -> int:
    """A player's pack, hand and speed; returns the next free place."""
    row = 0.0
    for s in range(STACKS):
        row += o.height[k, s]
    at = number(out, at, o.pack_count[k] / 26.0)
    at = number(out, at, min(8.0, row / 26.0))
    for d in range(NEXT):
        at = one_hot(out, at, int(o.pack_card[k, d]), reference)
    at = one_hot(out, at, int(o.flight_card[k]), reference)
    at = number(out, at, o.flight_left[k] / 25.0)
    at = number(out, at, o.hand[k] / 4.0)
    for kind in range(2):
        at = number(out, at, o.pace[k, kind] / 100.0)
        at = number(out, at, o.spread[k, kind] / 25.0)
    return number(out, at, o.perception[k] / 50.0)


@kernel
def write_features(o: Any, out: Any) -> int:
    """One observation record into one row; returns how many numbers were written."""
    reference = 0
    for place in range(PLACES - 1, -1, -1):
        if top_at(o, place) > 0:
            reference = top_at(o, place) - 1
    at = write_places(o, out, 0, reference)
    for k in range(SEATS):
        at = write_side(o, k, out, at, reference)
    for r in range(RANKS):
        at = number(out, at, o.unseen[(r + reference) % RANKS] / 4.0)
    at = number(out, at, o.rounds / 16.0)
    at = number(out, at, min(1.0, o.idle / 50.0))
    at = number(out, at, o.left / 50.0)
    for phase in range(PHASES):
        at = number(out, at, 1.0 if o.phase == phase else 0.0)
    return at


@entry
def encode_rows(views: Any, out: Any) -> int:
    """All rows; returns how many numbers a row has."""
    n = 0
    for i in range(views.shape[0]):
        n = write_features(views[i], out[i])
    return n
