"""What one seat sees: one table of ``int8`` fields, and the kernel that fills it.

Players and rows are numbered from the observer: 0 is the own one, 1 the other player's. Ranks run from 1 (ace) to 13
(king); 0 means none or not known.
"""

from typing import Any

from spit_env import verbs
from spit_env.california.moves import place_of
from spit_env.california.state import ACTIONS, CARDS, DIRTY_PACK, DIRTY_STACK, NO_TOP, SEATS, STACKS, STATE
from spit_env.cards import RANKS, rank_of
from spit_env.jit import implement, kernel
from spit_env.scales import TOP, observe_clock, observe_pace
from spit_env.state import DIRTY_ALL, DIRTY_MASK, RETURN, TRAVEL, Game
from spit_env.table import Field, Table

DEPTH_SHOWN = 12  # cards of a stack
PACK_SHOWN = 48  # cards of a pack: all that it can have once rows are laid

OBSERVATION = Table(
    [
        Field("phase", (), 0, 6, "0 locked, 1 race, 2 pause, 6 over"),
        Field("hand", (SEATS,), 0, 4, "own: 0 idle, 1 thinking, 2 open, 3 under way, 4 returning; other: 0, 3 or 4"),
        Field("action", (), 0, ACTIONS - 1, "the own action under way, 0 if none"),
        Field("left", (), 0, TOP, "time until the own hand changes state, in units of 20 ms"),
        Field("flight_card", (SEATS,), 0, 13, "rank of the card in flight or returning"),
        Field("flight_row", (SEATS,), 0, SEATS, "where it flies or returns from: 1 own row, 2 the other, 0 no card"),
        Field("flight_stack", (SEATS,), 0, STACKS, "1 + the stack of that row"),
        Field("flight_left", (SEATS,), 0, TOP, "time until it arrives, in units of 20 ms"),
        Field("top", (SEATS, STACKS), 0, 13, "rank on top of each stack"),
        Field("coverable", (SEATS, STACKS), 0, 1, "whether it may be covered"),
        Field("height", (SEATS, STACKS), 0, 52, "cards in each stack"),
        Field("pack_count", (SEATS,), 0, 52, "cards in each pack"),
        Field("stack_card", (SEATS, STACKS, DEPTH_SHOWN), 0, 13, "ranks from the top down (recall none: the top only)"),
        Field("pack_card", (SEATS, PACK_SHOWN), 0, 13, "known ranks from the top down"),
        Field("unseen", (13,), 0, 4, "how many cards of each rank are not known (recall none: not visible)"),
        Field("rounds", (), 0, TOP, "rows laid anew"),
        Field("idle", (), 0, TOP, "time since the last landing or laying, in units of 100 ms"),
        Field("pace", (SEATS, 5), 0, TOP, "median time to think, cover, -, -, -: 16 * log2(ms / 16)"),
        Field("spread", (SEATS, 5), 0, TOP, "sigma of the same, in units of 0.02"),
        Field("perception", (SEATS,), 0, TOP, "how old the table is that a player sees, in units of 10 ms"),
    ]
)


@implement(verbs.observe, STATE)
def observe(g: Game, v: Game, p: int, o: Any, perfect: bool, dirty: int) -> None:
    """Fill in the stale parts of seat p's observation; v is the table as that seat sees it."""
    o.action = g.action[p]
    observe_hand(g, p, p, 0, o)
    if dirty == DIRTY_MASK:
        return  # nothing but the own hand has changed
    o.phase = g.phase
    o.rounds = min(TOP, g.rounds)
    observe_hand(v, 1 - p, p, 1, o)
    for k in range(SEATS):
        q = (p + k) % SEATS
        for s in range(STACKS):
            if dirty & (DIRTY_STACK << (STACKS * q + s)):
                observe_stack(v, q, s, k, o, perfect)
        if dirty & (DIRTY_PACK << q):
            observe_pack(g if k == 0 else v, q, k, o, perfect)
        if dirty == DIRTY_ALL:
            observe_pace(g, q, k, o)
    if perfect:
        for r in range(RANKS):
            o.unseen[r] = v.unseen[r]
    else:
        observe_covered(o)


@kernel
def observe_hand(w: Game, q: int, p: int, k: int, o: Any) -> None:
    """The hand of seat q: its own state in full, another's only while it moves."""
    hand = w.hand[q]
    moving = hand in (TRAVEL, RETURN)
    o.hand[k] = hand if q == p or moving else 0
    o.flight_card[k] = o.flight_row[k] = o.flight_stack[k] = 0
    if moving:
        place = place_of(q, w.action[q])
        o.flight_card[k] = 1 + rank_of(w.card[q])
        o.flight_row[k] = 1 + (place // STACKS - p) % SEATS
        o.flight_stack[k] = 1 + place % STACKS


@kernel
def observe_stack(v: Game, q: int, s: int, k: int, o: Any, perfect: bool) -> None:
    """A stack: all its cards were seen when they landed."""
    height = v.height[q, s]
    o.top[k, s] = 1 + v.top[q, s] if v.top[q, s] != NO_TOP else 0
    o.coverable[k, s] = v.coverable[q, s]
    o.height[k, s] = height
    shown = min(height, DEPTH_SHOWN if perfect else 1)
    for d in range(DEPTH_SHOWN):
        o.stack_card[k, s, d] = 1 + rank_of(v.stack[q, s, height - 1 - d]) if d < shown else 0


@kernel
def observe_pack(w: Game, q: int, k: int, o: Any, perfect: bool) -> None:
    """How many cards a pack has, and those that are known."""
    n = w.pack_n[q]
    o.pack_count[k] = n
    for d in range(PACK_SHOWN):
        known = perfect and d < n and w.seen[w.pack[q, n - 1 - d]] != 0
        o.pack_card[k, d] = 1 + rank_of(w.pack[q, n - 1 - d]) if known else 0


@kernel
def observe_covered(o: Any) -> None:
    """Without recall: the ranks that do not lie open now, neither on top nor in flight."""
    for r in range(RANKS):
        o.unseen[r] = CARDS // RANKS
    for k in range(SEATS):
        if o.flight_card[k] > 0:
            o.unseen[o.flight_card[k] - 1] -= 1
        for s in range(STACKS):
            if o.top[k, s] > 0:
                o.unseen[o.top[k, s] - 1] -= 1


@implement(verbs.observe_time, STATE)
def observe_time(g: Game, v: Game, p: int, o: Any) -> None:
    """See `observe_clock`."""
    observe_clock(g, v, p, o)
