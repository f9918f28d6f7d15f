"""Emma, the scripted opponent: one planning brain for all levels, which differ in speed only (S0-38).

She looks one action ahead. Each legal action is worth what it does at once (a card played, a card uncovered, a card
that comes too late) plus what the table is then like: what she could do next, less what the opponent could. She sees
cards in flight, and what she remembers is what the view tells her. All arithmetic is on whole numbers, so that a port
to another language plays the same games.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spit_agents.base import Actions
from spit_agents.eye import below, pick_by_eye
from spit_env.jit import entry, kernel
from spit_env.spit.moves import source_of, target_of
from spit_env.spit.state import FIRST_FLIP, FIRST_MOVE, FIRST_PICK, FIRST_PLAY, SEATS, SPIT, STACKS
from spit_env.state import NOOP, TRAVEL


class Weights(NamedTuple):
    """What counts how much, in hundredths of a card played."""

    # The action itself
    play: int = 100
    flip: int = 60
    rearrange: int = -20
    spit: int = -50
    wait: int = -1000
    uncover: int = 40  # it lays a face-down card bare
    depth: int = 8  # for each face-down card in that stack
    gap: int = 20  # it leaves a gap while some own card is face down
    contested: int = 25  # the opponent can play on that pile too
    first: int = 40  # an opponent's card in flight to that pile would come too late
    late: int = -60  # it would come too late itself
    # The table afterwards
    own_play: int = 30  # there is an own card to play
    own_more: int = 10  # for each further one
    own_run: int = 15  # there are two to play one after the other
    own_known: int = 15  # for each remembered card on top, face down, that would fit
    own_stuck: int = -20  # nothing to play, flip or rearrange, while the opponent has
    own_safe: int = 0  # there is an own card to play on a pile that no opponent's card fits
    own_reach: int = 0  # for each rank that an own card would fit
    spit_fit: int = 0  # both stuck: for each own card that fits the next spit, if remembered, less the opponent's
    both_stuck: int = 0
    opp_play: int = -15  # the opponent has a card to play
    opp_freed: int = -25  # the same, and nothing to flip or rearrange
    opp_more: int = -5
    opp_known: int = -5
    opp_run: int = 0
    opp_safe: int = 0


NEAR = np.array([0] + [(1 << ((r - 2) % 13 + 1)) | (1 << (r % 13 + 1)) for r in range(1, 14)])


class Emma:
    """Plans one action ahead with a table of `Weights`; ties are broken by the draw.

    Takes the smaller pile by eye.
    """

    def __init__(self, weights: Weights = Weights()) -> None:
        self.weights = weights

    def act(self, views: Any, masks: npt.NDArray[np.int8], draws: npt.NDArray[np.uint32]) -> Actions:
        """See `spit_agents.base.Agent`; shapes (rows,), (rows, actions), (rows,) to (rows,)."""
        actions = np.empty(len(masks), np.int64)
        choose_best(views, masks, draws, self.weights, actions)
        return actions


@entry
def choose_best(views: Any, masks: Any, draws: Any, weights: Weights, actions: Any) -> None:
    """One action for each row."""
    for row in range(actions.shape[0]):
        actions[row] = best_action(views[row], masks[row], int(draws[row]), weights)


@kernel
def best_action(view: Any, mask: Any, draw: int, w: Weights) -> int:
    """The legal action worth most."""
    if mask[FIRST_PICK] != 0 or mask[FIRST_PICK + 1] != 0:
        return pick_by_eye(view, draw)
    legal = 0
    last = NOOP
    for a in range(1, SPIT + 1):
        if mask[a] != 0:
            legal += 1
            last = a
    if legal == 0 or (legal == 1 and w.wait < -999 and last < FIRST_MOVE):
        return last
    own = face_up(view, 0)
    own_down = face_down(view, 0)
    opp = opp_soon(view)
    opp_down = face_down(view, 1)
    quiet = can_dig(view, 1, opp)
    top0 = top_soon(view, 0)
    top1 = top_soon(view, 1)
    best = -(1 << 30)
    choice = NOOP
    ties = 0
    for a in range(SPIT + 1):
        if mask[a] == 0:
            continue
        if a == NOOP:
            value = w.wait + table(view, own, own_down, opp, opp_down, quiet, top0, top1, -1, w)
        elif a < FIRST_FLIP:
            value = play_value(view, own, own_down, opp, opp_down, quiet, top0, top1, a, w)
        elif a < FIRST_MOVE:
            s = a - FIRST_FLIP
            known = (own_down >> (4 * s)) & 15
            value = w.flip + w.depth * view.stack_down[0, s] + table(
                view, own | (known << (4 * s)), own_down & ~(15 << (4 * s)), opp, opp_down, quiet, top0, top1, -1, w
            )
        elif a < SPIT:
            if not leads_on(view, source_of(a), target_of(a)):
                continue
            value = move_value(view, own, own_down, opp, opp_down, quiet, top0, top1, a, w)
        else:
            value = w.spit
        if value > best:
            best = value
            choice = a
            ties = 1
        elif value == best:
            ties += 1
            if below(draw ^ (ties * 0x9E3779B1) & 0xFFFFFFFF, ties) == 0:
                choice = a
    return choice


@kernel
def play_value(view: Any, own: int, own_down: int, opp: int, opp_down: int, quiet: bool, top0: int, top1: int, a: int, w: Weights) -> int:
    """Worth of a play."""
    s = (a - FIRST_PLAY) // SEATS
    pile = (a - FIRST_PLAY) % SEATS
    r = (own >> (4 * s)) & 15
    old = int(view.pile_top[pile])
    value = w.play + leave_value(view, s, w)
    if count(opp, NEAR[old]) > 0:
        value += w.contested
    mine = own & ~(15 << (4 * s))
    down = own_down
    up = view.stack_count[0, s] - view.stack_down[0, s]
    if up > 1:
        mine |= r << (4 * s)
    elif view.stack_down[0, s] > 0:
        down |= view.stack_card[0, s, 1] << (4 * s)
    value += table(view, mine, down, opp, opp_down, quiet, r if pile == 0 else top0, r if pile == 1 else top1, s, w)
    if view.flight_kind[1] == 1 and view.hand[1] == TRAVEL and view.flight_pile[1] == pile + 1:
        p = first_percent(view)
        lost = w.late + table(view, own, own_down, opp, opp_down, quiet, top0, top1, -1, w)
        value = (p * (value + w.first) + (100 - p) * lost) // 100
    return value


@kernel
def first_percent(view: Any) -> int:
    """How likely an own play that starts now lands before the opponent's card that is in flight, in per cent."""
    octave = view.pace[0, 1] // 16
    median = ((16 + view.pace[0, 1] % 16) << octave)
    left = 20 * view.flight_left[1]
    spread = max(1, view.spread[0, 1])
    return max(0, min(100, 50 + 2000 * (left - median) // (median * spread)))


@kernel
def leave_value(view: Any, s: int, w: Weights) -> int:
    """What taking the top of an own stack lays bare."""
    down = view.stack_down[0, s]
    n = view.stack_count[0, s]
    if n == 1:
        for k in range(STACKS):
            if view.stack_down[0, k] > 0:
                return w.gap
        return 0
    if n - down == 1:
        return w.uncover + w.depth * down
    return 0


@kernel
def leads_on(view: Any, s: int, to: int) -> bool:
    """Whether a rearrangement is a step towards laying a face-down card bare."""
    if view.stack_down[0, s] > 0:
        return True
    if view.stack_count[0, to] == 0 or view.stack_down[0, to] > 0 or view.stack_count[0, s] > view.stack_count[0, to]:
        return False
    down = False
    for k in range(STACKS):
        if view.stack_count[0, k] == 0:
            return False
        down |= view.stack_down[0, k] > 0
    return down


@kernel
def move_value(view: Any, own: int, own_down: int, opp: int, opp_down: int, quiet: bool, top0: int, top1: int, a: int, w: Weights) -> int:
    """Worth of combining or filling."""
    s, to = source_of(a), target_of(a)
    r = (own >> (4 * s)) & 15
    value = w.rearrange + leave_value(view, s, w)
    if view.stack_count[0, to] == 0:
        value -= w.gap
    mine = (own & ~(15 << (4 * s))) | (r << (4 * to))
    down = own_down
    up = view.stack_count[0, s] - view.stack_down[0, s]
    if up > 1:
        mine |= r << (4 * s)
    elif view.stack_down[0, s] > 0:
        down |= view.stack_card[0, s, 1] << (4 * s)
    return value + table(view, mine, down, opp, opp_down, quiet, top0, top1, s, w)


@kernel
def table(view: Any, own: int, own_down: int, opp: int, opp_down: int, quiet: bool, top0: int, top1: int, s: int, w: Weights) -> int:
    """Worth of a table."""
    bits = NEAR[top0] | NEAR[top1]
    value = w.own_reach * reach(own)
    n = count(own, bits)
    m = count(opp, bits)
    if n > 0:
        value += w.own_play + w.own_more * (n - 1)
        if runs(own, top0, top1):
            value += w.own_run
        if (count(own, NEAR[top0]) > 0 and count(opp, NEAR[top0]) == 0) or (
            count(own, NEAR[top1]) > 0 and count(opp, NEAR[top1]) == 0
        ):
            value += w.own_safe
    else:
        still = True
        for k in range(STACKS):
            up = view.stack_count[0, k] - view.stack_down[0, k]
            if view.stack_down[0, k] > 0 and (up == 0 or (k == s and up == 1)):
                still = False
        if still:
            if m > 0 or quiet:
                value += w.own_stuck
            else:
                n0, n1 = NEAR[view.deck_card[0, 0]], NEAR[view.deck_card[1, 0]]
                b = (n0 if n0 else NEAR[top0]) | (n1 if n1 else NEAR[top1])
                value += w.both_stuck + w.spit_fit * (count(own, b) - count(opp, b))
    value += w.own_known * count(own_down, bits)
    if m > 0:
        value += w.opp_play + w.opp_more * (m - 1)
        if not quiet:
            value += w.opp_freed
        if runs(opp, top0, top1):
            value += w.opp_run
        if (count(opp, NEAR[top0]) > 0 and count(own, NEAR[top0]) == 0) or (
            count(opp, NEAR[top1]) > 0 and count(own, NEAR[top1]) == 0
        ):
            value += w.opp_safe
    return value + w.opp_known * count(opp_down, bits)


@kernel
def reach(tops: int) -> int:
    """How many ranks fit at least one of these."""
    bits = 0
    for s in range(STACKS):
        bits |= NEAR[(tops >> (4 * s)) & 15]
    n = 0
    while bits:
        n += 1
        bits &= bits - 1
    return n


@kernel
def count(tops: int, bits: int) -> int:
    """How many of five packed ranks are in a set."""
    n = 0
    for s in range(STACKS):
        n += (bits >> ((tops >> (4 * s)) & 15)) & 1
    return n


@kernel
def runs(tops: int, top0: int, top1: int) -> bool:
    """Two plays one after the other."""
    for s in range(STACKS):
        r = (tops >> (4 * s)) & 15
        if r > 0:
            rest = tops & ~(15 << (4 * s))
            if (NEAR[top0] >> r) & 1 and count(rest, NEAR[r] | NEAR[top1]) > 0:
                return True
            if (NEAR[top1] >> r) & 1 and count(rest, NEAR[r] | NEAR[top0]) > 0:
                return True
    return False


@kernel
def face_up(view: Any, k: int) -> int:
    """Packed ranks of face-up tops."""
    tops = 0
    for s in range(STACKS):
        if view.stack_count[k, s] > view.stack_down[k, s]:
            tops |= view.stack_card[k, s, 0] << (4 * s)
    return tops


@kernel
def face_down(view: Any, k: int) -> int:
    """Packed ranks of remembered face-down tops."""
    tops = 0
    for s in range(STACKS):
        if view.stack_count[k, s] == view.stack_down[k, s]:
            tops |= view.stack_card[k, s, 0] << (4 * s)
    return tops


@kernel
def opp_soon(view: Any) -> int:
    """The opponent's face-up tops once the hand has come to rest."""
    tops = face_up(view, 1)
    if view.flight_card[1] > 0:
        if view.hand[1] != TRAVEL:
            s = view.flight_from[1] - 1
            tops = (tops & ~(15 << (4 * s))) | (view.flight_card[1] << (4 * s))
        elif view.flight_kind[1] == 2:
            tops |= view.flight_card[1] << (4 * (view.flight_to[1] - 1))
    return tops


@kernel
def top_soon(view: Any, pile: int) -> int:
    """A pile's top once the opponent's card in flight has landed."""
    if view.flight_kind[1] == 1 and view.hand[1] == TRAVEL and view.flight_pile[1] == pile + 1:
        return int(view.flight_card[1])
    return int(view.pile_top[pile])


@kernel
def can_dig(view: Any, k: int, tops: int) -> bool:
    """Whether the player can flip or rearrange."""
    down = 0
    gap = False
    seen = 0
    equal = False
    for s in range(STACKS):
        if view.stack_down[k, s] > 0:
            down += 1
            if view.stack_down[k, s] == view.stack_count[k, s]:
                return True
        gap |= view.stack_count[k, s] == 0
        r = (tops >> (4 * s)) & 15
        equal |= ((seen >> r) & 1) != 0
        seen |= (1 << r) & ~1
    return down > 0 and (gap or equal)
