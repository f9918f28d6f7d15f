"""What a net that plays Spit sees of the table; `spit_agents.candidates_spit` says what it sees of an action.

The symmetries of the game are taken out by writing every table in one standard form: ranks are counted from the top of
the larger pile, towards the other pile's if that is another rank, and stacks are sorted. The relations that decide a
move (which card fits which, also among the remembered ones) are written out.
"""

from typing import Any

import numpy as np

from spit_agents.encoding import SLOTS, fit, number, one_hot, relative
from spit_agents.outlook_speed import longest_run
from spit_agents.outlook_spit import NEAR, Outlook, count_fitting, reach
from spit_agents.packed import count_bits, put
from spit_env.cards import RANKS
from spit_env.jit import kernel
from spit_env.latency import FLIP, PLAY, THINK
from spit_env.spit.state import DEPTH, SEATS, STACKS

PHASES = 7
STACK = SLOTS + 3 * SEATS + 7
SIDE = STACKS * STACK + 9
FLIGHT = 5 + SEATS + SLOTS + 1
OUTLOOK = 14
FEATURES = SLOTS + SEATS + 2 + SEATS * SIDE + FLIGHT + OUTLOOK + RANKS + 3 + 6 + PHASES


@kernel
def top_of(o: Any, k: int, s: int) -> int:
    """The rank of a stack's face-up top, 0 if it has none."""
    return o.stack_card[k, s, 0] if o.stack_count[k, s] > o.stack_down[k, s] else 0


@kernel
def card_under(o: Any, k: int, s: int, depth: int) -> int:
    """The known rank of the card that many places below the face-up ones, 0 if it is not known or not there."""
    d = o.stack_count[k, s] - o.stack_down[k, s] + depth
    return o.stack_card[k, s, d] if d < o.stack_count[k, s] and d < DEPTH else 0


@kernel
def first_pile(o: Any) -> int:
    """The pile from which ranks are counted: the larger, as far as the observer can tell; else the own."""
    if o.pile_top[0] == 0 or o.pile_top[1] == 0:
        return 0 if o.pile_top[0] > 0 else 1
    larger = o.pile_count[1] > o.pile_count[0] if o.pile_count[0] >= 0 else o.pile_eye < 0
    return 1 if larger else 0


@kernel
def frame_of(o: Any) -> tuple[int, int, int]:
    """The first pile, and from what rank (0..12) and in which direction ranks are counted."""
    first = first_pile(o)
    reference = max(0, int(o.pile_top[first]) - 1)
    other = int(o.pile_top[1 - first])
    sign = -1 if other > 0 and relative(other, reference, 1) > RANKS // 2 else 1
    return first, reference, sign


@kernel
def sort_stacks(o: Any, k: int, reference: int, sign: int, order: Any) -> None:
    """The stacks of player k in standard order: by what lies on top, then by all that is known of their cards."""
    keys = np.empty(STACKS, np.int64)
    for s in range(STACKS):
        key = relative(top_of(o, k, s), reference, sign)
        for d in range(DEPTH):
            key = 16 * key + relative(o.stack_card[k, s, d], reference, sign)
        keys[s] = (16 * key + int(o.stack_down[k, s])) * 16 + int(o.stack_count[k, s])
        i = s
        while i > 0 and keys[order[i - 1]] > keys[s]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = s


@kernel
def write_stack(o: Any, k: int, s: int, out: Any, at: int, first: int, reference: int, sign: int) -> int:
    """One stack; returns the next free place."""
    top, under, below = top_of(o, k, s), card_under(o, k, s, 0), card_under(o, k, s, 1)
    at = one_hot(out, at, top, reference, sign)
    near = 0.0
    for d in range(DEPTH - 1, -1, -1):
        card = int(o.stack_card[k, s, d])
        if fit(card, o.pile_top[0]) + fit(card, o.pile_top[1]) > 0:
            near = 1.0 / (1.0 + d)
    at = number(out, at, near)
    for i in range(SEATS):
        pile = o.pile_top[(first + i) % SEATS]
        at = number(out, at, fit(top, pile))
        at = number(out, at, fit(under, pile))
        at = number(out, at, fit(below, pile))
    at = number(out, at, fit(under, top))
    at = number(out, at, o.stack_count[k, s] / 5.0)
    at = number(out, at, o.stack_down[k, s] / 4.0)
    at = number(out, at, 1.0 if o.stack_count[k, s] > 0 and top == 0 else 0.0)
    follow, hostile = 0.0, 0.0
    for q in range(STACKS):
        if q != s:
            follow += fit(top, top_of(o, k, q))
        hostile += fit(top, top_of(o, 1 - k, q))
    at = number(out, at, follow)
    return number(out, at, hostile)


@kernel
def write_side(o: Any, k: int, out: Any, at: int, first: int, reference: int, sign: int, order: Any) -> int:
    """A player's stacks, deck, hand and speed; returns the next free place."""
    total, down = 0, 0
    for i in range(STACKS):
        s = order[i]
        total += o.stack_count[k, s]
        down += o.stack_down[k, s]
        at = write_stack(o, k, s, out, at, first, reference, sign)
    at = number(out, at, total / 15.0)
    at = number(out, at, down / 10.0)
    at = number(out, at, o.deck_count[k] / 15.0)
    at = number(out, at, min(8.0, o.budget[k] / 12.0))
    at = number(out, at, o.hand[k] / 4.0)
    for kind in (THINK, PLAY, FLIP):
        at = number(out, at, o.pace[k, kind] / 100.0)
    return number(out, at, o.spread[k, THINK] / 25.0)


@kernel
def write_flight(o: Any, out: Any, at: int, first: int, reference: int, sign: int) -> int:
    """What the opponent's hand is doing; returns the next free place."""
    for kind in range(5):
        at = number(out, at, o.flight_kind[1] == kind)
    for i in range(SEATS):
        at = number(out, at, o.flight_pile[1] == (first + i) % SEATS + 1)
    at = one_hot(out, at, o.flight_card[1], reference, sign)
    return number(out, at, o.flight_left[1] / 25.0)


@kernel
def write_outlook(view: Any, t: Outlook, todo: Any, out: Any, at: int) -> int:
    """What both can do on a table to come; ``todo`` is room for `longest_run`. Returns the next free place."""
    fits = NEAR[t.rule, t.pile0] | NEAR[t.rule, t.pile1]
    own, opp, tops = count_fitting(t.own, fits), count_fitting(t.opp, fits), put(t.pile0, 1, t.pile1)
    at = number(out, at, reach(t.own, t.rule) / 10.0)
    at = number(out, at, own / 3.0)
    at = number(out, at, own > 0)
    at = number(out, at, longest_run(t.own, tops, SEATS, t.rule, todo) / 4.0)
    at = number(out, at, count_fitting(t.own_known, fits) / 2.0)
    at = number(out, at, opp / 3.0)
    at = number(out, at, opp > 0)
    at = number(out, at, longest_run(t.opp, tops, SEATS, t.rule, todo) / 4.0)
    at = number(out, at, count_fitting(t.opp_known, fits) / 2.0)
    at = number(out, at, t.opp_busy)
    at = number(out, at, opp > 0 and not t.opp_busy)
    at = number(out, at, reach(t.opp, t.rule) / 10.0)
    at = number(out, at, count_bits(fits) / 4.0)
    unknown = 0.0
    for r in range(RANKS):
        if (fits >> (r + 1)) & 1:
            unknown += view.unseen[r]
    return number(out, at, unknown / 8.0)


@kernel
def write_features(o: Any, now: Outlook, orders: Any, todo: Any, out: Any) -> int:
    """One observation record into one row; returns how many numbers were written.

    The standard order of the stacks, shape (`SEATS`, `STACKS`), is left in ``orders``; ``todo`` is room for
    `longest_run`.
    """
    first, reference, sign = frame_of(o)
    at = one_hot(out, 0, o.pile_top[1 - first], reference, sign)
    for i in range(SEATS):
        at = number(out, at, o.pile_count[(first + i) % SEATS] / 26.0)
    at = number(out, at, first == 0)
    at = number(out, at, o.pile_eye if first == 1 else -o.pile_eye)
    for k in range(SEATS):
        sort_stacks(o, k, reference, sign, orders[k])
        at = write_side(o, k, out, at, first, reference, sign, orders[k])
    at = write_flight(o, out, at, first, reference, sign)
    at = write_outlook(o, now, todo, out, at)
    for r in range(RANKS):
        at = number(out, at, o.unseen[(reference + sign * r) % RANKS] / 4.0)
    for kind in (THINK, PLAY, FLIP):  # who is the faster
        at = number(out, at, max(-1.0, min(1.0, (o.pace[1, kind] - o.pace[0, kind]) / 8.0)))
    at = number(out, at, o.consent[1])
    at = number(out, at, o.stuck)
    at = number(out, at, min(1.0, o.idle / 50.0))
    ahead = 0
    for s in range(STACKS):
        ahead += o.stack_count[1, s] - o.stack_count[0, s]
    at = number(out, at, max(-1.0, ahead / 15.0))
    at = number(out, at, max(-1.0, (ahead + o.deck_count[1] - o.deck_count[0]) / 52.0))
    at = number(out, at, min(1.0, o.rounds / 16.0))
    for phase in range(PHASES):
        at = number(out, at, o.phase == phase)
    return at
