"""The actions that a net which plays Spit chooses among, and what it sees of each.

An action is described by the table that it leads to (`spit_agents.outlook_spit`), in the same words whatever stack and
pile it is about: so a net that judges all candidates with the same weights has the symmetries of stacks and piles.
"""

from typing import Any

from spit_agents.chance import percent_first
from spit_agents.emma_spit import after_flip, after_taking, leads_on
from spit_agents.encoding import fit
from spit_agents.eye import uncovers
from spit_agents.features_spit import OUTLOOK, card_under, top_of, write_features, write_outlook
from spit_agents.outlook_spit import NEAR, Outlook, foresee
from spit_agents.packed import rank_at
from spit_env.jit import kernel
from spit_env.spit.moves import source_of, target_of
from spit_env.spit.state import FIRST_FLIP, FIRST_MOVE, FIRST_PICK, FIRST_PLAY, SEATS, SPIT, STACKS
from spit_env.state import NOOP, TRAVEL

CANDIDATES = 6  # more, besides those that lead nowhere, is one choice in thousands
KINDS = 6  # play, flip, rearrange, call, pick, wait
PILE, SOURCE = 8, 11
FEATURES = KINDS + OUTLOOK + PILE + SOURCE


@kernel
def list_candidates(view: Any, mask: Any, waits: bool, actions: Any) -> int:
    """The legal actions worth a thought, at most `CANDIDATES`; returns how many there are, at least one.

    Rearrangements that lay nothing bare are left out: they could go on for ever. Without ``waits`` waiting is left out
    where anything else is in.
    """
    n = 0
    for a in range(1, mask.shape[0]):
        if mask[a] != 0 and n < CANDIDATES - waits:
            if FIRST_MOVE <= a < SPIT and not leads_on(view, source_of(a), target_of(a)):
                continue
            actions[n] = a
            n += 1
    if mask[NOOP] != 0 and (waits or n == 0):
        actions[n] = NOOP
        n += 1
    if n == 0:
        for a in range(1, mask.shape[0]):
            if mask[a] != 0:
                actions[0] = a
                return 1
    return n


@kernel
def write_pile(view: Any, pile: int, out: Any, at: int) -> int:
    """Of a play or a pick: the pile; returns the next free place. ``pile`` -1: none."""
    for i in range(PILE):
        out[at + i] = 0.0
    if pile >= 0:
        out[at] = 1.0 if pile == 0 else -1.0
        out[at + 1] = view.pile_count[pile] / 26.0
        out[at + 2] = view.pile_eye if pile == 1 else -view.pile_eye
        out[at + 3] = max(-1.0, (view.pile_count[pile] - view.pile_count[1 - pile]) / 13.0)
        top = int(view.pile_top[pile])
        for s in range(STACKS):
            out[at + 4] = max(out[at + 4], fit(top_of(view, 1, s), top))
        if view.flight_pile[1] == pile + 1 and view.hand[1] == TRAVEL:
            out[at + 5] = 1.0
            out[at + 6] = percent_first(view, 1) / 100.0
        out[at + 7] = 1.0 if view.pile_top[pile] == 0 else 0.0
    return at + PILE


@kernel
def write_source(view: Any, s: int, t: Outlook, out: Any, at: int) -> int:
    """The stack that an action takes from or turns; returns the next free place. ``s`` -1: none."""
    for i in range(SOURCE):
        out[at + i] = 0.0
    if s >= 0:
        top, under = top_of(view, 0, s), card_under(view, 0, s, 0)
        fits = NEAR[t.rule, t.pile0] | NEAR[t.rule, t.pile1]
        out[at] = view.stack_count[0, s] / 5.0
        out[at + 1] = view.stack_down[0, s] / 4.0
        out[at + 2] = uncovers(view, s)
        out[at + 3] = view.stack_count[0, s] == 1
        out[at + 4] = under > 0
        out[at + 5] = (fits >> under) & 1
        out[at + 6] = view.stack_count[0, s] - view.stack_down[0, s] > 1
        for q in range(STACKS):
            if q != s:
                out[at + 7] = max(out[at + 7], 1.0 if top > 0 and top == top_of(view, 0, q) else 0.0)
                out[at + 8] += fit(top, top_of(view, 0, q))
            out[at + 9] += fit(top, top_of(view, 1, q))
        out[at + 10] = fit(under, top)
    return at + SOURCE


@kernel
def write_candidate(view: Any, a: int, now: Outlook, out: Any) -> int:
    """One action into one row; returns how many numbers were written."""
    kind, s, pile, then = 5, -1, -1, now
    if FIRST_PLAY <= a < FIRST_FLIP:
        kind, s, pile = 0, source_of(a), (a - FIRST_PLAY) % SEATS
        then = after_taking(view, now, s, -1, pile)
    elif FIRST_FLIP <= a < FIRST_MOVE:
        kind, s = 1, source_of(a)
        then = after_flip(now, s)
    elif FIRST_MOVE <= a < SPIT:
        kind, s = 2, source_of(a)
        then = after_taking(view, now, s, target_of(a), -1)
    elif a == SPIT:
        kind = 3
    elif a >= FIRST_PICK:
        kind, pile = 4, a - FIRST_PICK
    for k in range(KINDS):
        out[k] = k == kind
    at = write_outlook(view, then, out, KINDS)
    at = write_pile(view, pile, out, at)
    return write_source(view, s, then, out, at)


@kernel
def write_all(view: Any, mask: Any, waits: bool, rule: int, orders: Any, out: Any, actions: Any, described: Any) -> int:
    """The table into ``out``, the candidates into ``actions`` and what is seen of them into ``described``, shapes
    (`features_spit.FEATURES`,), (`CANDIDATES`,) and (`CANDIDATES`, `FEATURES`).

    Unused places are -1 and zeros. Returns how many candidates there are.
    """
    t = foresee(view, rule)
    # Wide integers, as the tables that actions lead to have.
    now = Outlook(rank_at(t.pile0, 0), rank_at(t.pile1, 0), t.own, t.own_known, t.opp, t.opp_known, t.opp_busy, rule)
    write_features(view, now, out, orders)
    n = list_candidates(view, mask, waits, actions)
    for i in range(n):
        write_candidate(view, int(actions[i]), now, described[i])
    for i in range(n, CANDIDATES):
        actions[i] = -1
        for k in range(FEATURES):
            described[i, k] = 0.0
    return n
