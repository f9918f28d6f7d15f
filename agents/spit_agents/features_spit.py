"""What a net that plays Spit sees.

Ranks are written relative to the observer's own pile top, which makes the 13-fold symmetry of the game exact, and the
relations that decide a move (which card fits which) are written out.
"""

from typing import Any

from spit_agents.encoding import SLOTS, fit, number, one_hot
from spit_env.cards import RANKS
from spit_env.jit import entry, kernel
from spit_env.spit.state import DEPTH, SEATS, STACKS

SIDE = 5 + STACKS * (SLOTS + SEATS + 3 + 2 + SEATS + 3) + STACKS * (STACKS - 1) + 6
FEATURES = SEATS * (SLOTS + 1) + SEATS * SIDE + (STACKS + 1) * SLOTS + 5 + SEATS + SLOTS + 1 + STACKS**2 + RANKS + 11


@kernel
def top_of(o: Any, k: int, s: int) -> int:
    """The rank of a stack's face-up top, 0 if it has none."""
    return o.stack_card[k, s, 0] if o.stack_count[k, s] > o.stack_down[k, s] else 0


@kernel
def card_under(o: Any, k: int, s: int, depth: int) -> int:
    """The known rank of the card that many places below the face-up ones, 0 if it is not known or not there."""
    up = o.stack_count[k, s] - o.stack_down[k, s]
    d = up + depth
    return o.stack_card[k, s, d] if d < o.stack_count[k, s] and d < DEPTH else 0


@kernel
def write_features(o: Any, out: Any) -> int:
    """One observation record into one row; returns how many numbers were written."""
    reference = 0
    for pile in range(SEATS):
        if o.pile_top[SEATS - 1 - pile] > 0:
            reference = o.pile_top[SEATS - 1 - pile] - 1
    at = 0
    for pile in range(SEATS):
        at = one_hot(out, at, o.pile_top[pile], reference)
        at = number(out, at, o.pile_count[pile] / 26.0)
    for k in range(SEATS):
        total = 0
        down = 0
        for s in range(STACKS):
            total += o.stack_count[k, s]
            down += o.stack_down[k, s]
            top = top_of(o, k, s)
            at = one_hot(out, at, top, reference)
            for pile in range(SEATS):
                at = number(out, at, fit(top, o.pile_top[pile]))
            at = number(out, at, o.stack_count[k, s] / 5.0)
            at = number(out, at, o.stack_down[k, s] / 4.0)
            at = number(out, at, 1.0 if o.stack_count[k, s] > 0 and top == 0 else 0.0)
            under = card_under(o, k, s, 0)
            at = number(out, at, 1.0 if under > 0 else 0.0)
            for pile in range(SEATS):
                at = number(out, at, fit(under, o.pile_top[pile]))
            at = number(out, at, fit(under, top))
            if k == 0:
                at = one_hot(out, at, under, reference)
            # What may follow this card: own tops and cards below them, the opponent's tops.
            follow = 0.0
            dig = 0.0
            hostile = 0.0
            for q in range(STACKS):
                if q != s:
                    follow += fit(top, top_of(o, k, q))
                dig += fit(top, card_under(o, k, q, 0))
                hostile += fit(top, top_of(o, 1 - k, q))
            at = number(out, at, follow)
            at = number(out, at, dig)
            at = number(out, at, hostile)
            for q in range(s):
                other = top_of(o, k, q)
                at = number(out, at, fit(top, other))
                at = number(out, at, 1.0 if top > 0 and top == other else 0.0)
        at = number(out, at, total / 15.0)
        at = number(out, at, down / 10.0)
        at = number(out, at, o.deck_count[k] / 15.0)
        at = number(out, at, min(8.0, o.budget[k] / 12.0))
        at = number(out, at, o.hand[k] / 4.0)
        for kind in range(5):
            at = number(out, at, o.pace[k, kind] / 100.0)
        at = number(out, at, o.spread[k, 0] / 25.0)
    at = one_hot(out, at, o.deck_card[0, 0], reference)
    for kind in range(5):
        at = number(out, at, o.flight_kind[1] == kind)
    for pile in range(SEATS):
        at = number(out, at, o.flight_pile[1] == pile + 1)
    at = one_hot(out, at, o.flight_card[1], reference)
    at = number(out, at, o.flight_left[1] / 25.0)
    for s in range(STACKS):
        for q in range(STACKS):
            at = number(out, at, fit(top_of(o, 0, s), top_of(o, 1, q)))
    for r in range(RANKS):
        at = number(out, at, o.unseen[(r + reference) % RANKS] / 4.0)
    at = number(out, at, o.pile_eye)
    at = number(out, at, o.consent[1])
    at = number(out, at, o.stuck)
    at = number(out, at, min(1.0, o.idle / 50.0))
    for phase in range(7):
        at = number(out, at, o.phase == phase)
    return at


@entry
def encode_rows(views: Any, out: Any) -> int:
    """All rows; returns how many numbers a row has."""
    n = 0
    for i in range(views.shape[0]):
        n = write_features(views[i], out[i])
    return n
