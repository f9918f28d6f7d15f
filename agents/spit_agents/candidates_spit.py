"""The actions that a net which plays Spit chooses among, and what it sees of each.

An action is described by the table that it leads to (`spit_agents.outlook_spit`), in the same words whatever stack and
pile it is about: so a net that judges all candidates with the same weights has the symmetries of stacks and piles.
"""

from typing import Any, NamedTuple

import numpy as np

from spit_agents import foresight_spit
from spit_agents.emma_spit import after_flip, after_taking, leads_on
from spit_agents.encoding import fit
from spit_agents.features_spit import OUTLOOK, card_under, top_of, write_features, write_outlook
from spit_agents.foresight_spit import apply, read_stacks, read_times, write_foresight
from spit_agents.outlook_speed import ROOM as RUNS
from spit_agents.outlook_spit import NEAR, Outlook, Sight, foresee, lays_bare, look
from spit_agents.packed import rank_at
from spit_env.jit import kernel
from spit_env.latency import CALL, FLIP, PLAY, REARRANGE, THINK
from spit_env.spit.moves import source_of, target_of
from spit_env.spit.state import FIRST_FLIP, FIRST_MOVE, FIRST_PICK, FIRST_PLAY, SEATS, SPIT, STACKS
from spit_env.state import NOOP, TRAVEL

CANDIDATES = 6  # seldom are there more, besides those that lead nowhere
KINDS = 6  # play, flip, rearrange, call, pick, wait
PILE, SOURCE = 8, 11
FEATURES = KINDS + OUTLOOK + PILE + SOURCE + foresight_spit.FEATURES


class Room(NamedTuple):
    """Memory to work in."""

    orders: Any
    stacks: Any
    trial: Any
    times: Any
    todo: Any


@kernel
def make_room() -> Room:
    """Memory for `write_all`."""
    shape = (SEATS, STACKS, foresight_spit.COLUMNS)
    orders, times = np.empty((SEATS, STACKS), np.int64), np.empty((SEATS, CALL), np.int64)
    return Room(orders, np.empty(shape, np.int64), np.empty(shape, np.int64), times, np.empty(RUNS, np.int64))


@kernel
def list_candidates(seen: Sight, mask: Any, waits: bool, actions: Any) -> int:
    """The legal actions worth a thought, at most `CANDIDATES`; returns how many there are, at least one.

    Rearrangements that lay nothing bare are left out: they could go on for ever. Without ``waits`` waiting is left out
    where anything else is in.
    """
    n = 0
    for a in range(1, mask.shape[0]):
        if mask[a] != 0 and n < CANDIDATES - waits:
            if FIRST_MOVE <= a < SPIT and not leads_on(seen.own, source_of(a), target_of(a)):
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
def write_pile(view: Any, seen: Sight, pile: int, out: Any, at: int) -> int:
    """Of a play or a pick: the pile; returns the next free place. ``pile`` -1: none."""
    for i in range(PILE):
        out[at + i] = 0.0
    if pile >= 0:
        out[at] = 1.0 if pile == 0 else -1.0
        out[at + 1] = view.pile_count[pile] / 26.0
        out[at + 2] = view.pile_eye if pile == 1 else -view.pile_eye
        out[at + 3] = max(-1.0, (view.pile_count[pile] - view.pile_count[1 - pile]) / 26.0)
        top = int(view.pile_top[pile])
        for s in range(STACKS):
            out[at + 4] = max(out[at + 4], fit(top_of(view, 1, s), top))
        if view.flight_pile[1] == pile + 1 and view.hand[1] == TRAVEL:
            out[at + 5] = 1.0
            out[at + 6] = seen.chance / 100.0
        out[at + 7] = 1.0 if view.pile_top[pile] == 0 else 0.0
    return at + PILE


@kernel
def write_source(view: Any, seen: Sight, s: int, t: Outlook, out: Any, at: int) -> int:
    """The stack that an action takes from or turns; returns the next free place. ``s`` -1: none."""
    for i in range(SOURCE):
        out[at + i] = 0.0
    if s >= 0:
        top, under = top_of(view, 0, s), card_under(view, 0, s, 0)
        fits = NEAR[t.rule, t.pile0] | NEAR[t.rule, t.pile1]
        out[at] = view.stack_count[0, s] / 5.0
        out[at + 1] = view.stack_down[0, s] / 4.0
        out[at + 2] = lays_bare(seen.own, s)
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
def place_of(room: Room, s: int) -> int:
    """The first place in which a stack just like own stack s stands; -1 for no stack."""
    for i in range(STACKS):
        if room.orders[0, i] == s:
            while i > 0 and same_stack(room.stacks[0, i - 1], room.stacks[0, i]):
                i -= 1
            return i
    return -1


@kernel
def same_stack(a: Any, b: Any) -> bool:
    """Whether all columns are equal."""
    for column in range(a.shape[0]):
        if a[column] != b[column]:
            return False
    return True


@kernel
def write_candidate(view: Any, seen: Sight, a: int, now: Outlook, room: Room, out: Any) -> int:
    """One action into one row; returns how many numbers were written."""
    kind, s, pile, to, takes, then = 5, -1, -1, -1, THINK, now
    if FIRST_PLAY <= a < FIRST_FLIP:
        kind, s, pile, takes = 0, source_of(a), (a - FIRST_PLAY) % SEATS, PLAY
        then = after_taking(seen, now, s, -1, pile)
    elif FIRST_FLIP <= a < FIRST_MOVE:
        kind, s, takes = 1, source_of(a), FLIP
        then = after_flip(now, s)
    elif FIRST_MOVE <= a < SPIT:
        kind, s, to, takes = 2, source_of(a), target_of(a), REARRANGE
        then = after_taking(seen, now, s, to, -1)
    elif a == SPIT:
        kind = 3
    elif a >= FIRST_PICK:
        kind, pile = 4, a - FIRST_PICK
    for k in range(KINDS):
        out[k] = k == kind
    at = write_outlook(view, then, room.todo, out, KINDS)
    at = write_pile(view, seen, pile, out, at)
    at = write_source(view, seen, s, then, out, at)
    room.trial[:] = room.stacks
    source, target = place_of(room, s), place_of(room, to)
    apply(room.trial, takes, source, target + (target >= 0 and target == source))
    return write_foresight(view, then, takes, room.trial, room.times, out, at)


@kernel
def write_all(view: Any, mask: Any, waits: bool, rule: int, room: Room, out: Any, actions: Any, described: Any) -> int:
    """The table into ``out``, the candidates into ``actions`` and what is seen of them into ``described``, shapes
    (`features_spit.FEATURES`,), (`CANDIDATES`,) and (`CANDIDATES`, `FEATURES`).

    Unused places are -1 and zeros. Returns how many candidates there are.
    """
    seen = look(view, rule)
    t = foresee(seen)
    # Wide integers, as the tables that actions lead to have.
    now = Outlook(rank_at(t.pile0, 0), rank_at(t.pile1, 0), t.own, t.own_known, t.opp, t.opp_known, t.opp_busy, rule)
    write_features(view, now, room.orders, room.todo, out)
    read_stacks(view, room.orders, room.stacks)
    read_times(view, room.times)
    n = list_candidates(seen, mask, waits, actions)
    for i in range(n):
        write_candidate(view, seen, int(actions[i]), now, room, described[i])
    for i in range(n, CANDIDATES):
        actions[i] = -1
        for k in range(FEATURES):
            described[i, k] = 0.0
    return n
