"""What a player of Spit sees: the table of fields and the kernel that fills it in.

Index 0 of a player axis is the observer, 1 the opponent; pile 0 is the observer's own. A rank is 1 (ace) to 13 (king),
0 means no card or not known.
"""

from typing import Any

from spit_env import verbs
from spit_env.cards import RANKS, rank_of
from spit_env.draws import NOISE, NORMALS, word
from spit_env.jit import implement, kernel
from spit_env.scales import TOP, observe_clock, observe_pace
from spit_env.spit.layout import pile_of
from spit_env.spit.moves import source_of, target_of
from spit_env.spit.state import (
    ACTIONS,
    CARDS,
    DEPTH,
    DIRTY_DECKS,
    DIRTY_STACK,
    DIRTY_UNSEEN,
    FIRST_FLIP,
    FIRST_MOVE,
    FIRST_PLAY,
    SEATS,
    SPIT,
    STACKS,
    STATE,
)
from spit_env.state import DIRTY_MASK, RETURN, TRAVEL, Game
from spit_env.table import Field, Table

DECK_SHOWN = 37  # the longest deck at the start of a round: 52 cards less a staircase

OBSERVATION = Table(
    [
        Field("phase", (), 0, 6, "0 locked, 1 race, 2 pause, 3 solo, 4 slap, 5 pick, 6 over"),
        Field("hand", (SEATS,), 0, 4, "own: 0 idle, 1 thinking, 2 open, 3 under way, 4 returning; other: 0, 3 or 4"),
        Field("action", (), 0, ACTIONS - 1, "the own action under way, 0 if none"),
        Field("left", (), 0, TOP, "time until the own hand changes state, in units of 20 ms"),
        Field("flight_kind", (SEATS,), 0, 4, "what a hand is doing: 0 nothing, 1 play, 2 move, 3 flip, 4 call or slap"),
        Field("flight_card", (SEATS,), 0, RANKS, "rank of the card in flight or returning"),
        Field("flight_pile", (SEATS,), 0, SEATS, "where a play flies: 1 own pile, 2 the other, 0 no play"),
        Field("flight_from", (SEATS,), 0, STACKS, "1 + the stack that it left or that is being turned"),
        Field("flight_to", (SEATS,), 0, STACKS, "1 + the stack that a move goes to"),
        Field("flight_left", (SEATS,), 0, TOP, "time until it arrives, in units of 20 ms"),
        Field("pile_top", (SEATS,), 0, RANKS, "rank on top of each pile, 0: no pile"),
        Field("pile_count", (SEATS,), -1, CARDS, "cards in each pile; -1: not to be counted"),
        Field("pile_eye", (), -1, 1, "by eye: -1 the own pile is clearly the smaller, 1 the other, 0 too close"),
        Field("deck_count", (SEATS,), 0, CARDS, "cards in each deck"),
        Field("stack_count", (SEATS, STACKS), 0, DEPTH, "cards in each stack"),
        Field("stack_down", (SEATS, STACKS), 0, DEPTH, "how many of them are face down"),
        Field("stack_card", (SEATS, STACKS, DEPTH), 0, RANKS, "known ranks from the top down"),
        Field("deck_card", (SEATS, DECK_SHOWN), 0, RANKS, "known ranks from the top down"),
        Field("unseen", (RANKS,), 0, 4, "how many cards of each rank are not known (recall none: not visible)"),
        Field("lost", (SEATS, RANKS), 0, 4, "seen, and since a shuffle among the player's face-down cards"),
        Field("budget", (SEATS,), 0, 100, "rearrangements left before the next landing, flip or spit"),
        Field("consent", (SEATS,), 0, 1, "has called for a spit"),
        Field("stuck", (), 0, 1, "the table is stuck and waits for a call"),
        Field("rounds", (), 0, TOP, "rounds completed"),
        Field("idle", (), 0, TOP, "time since the last landing, flip or spit, in units of 100 ms"),
        Field("pace", (SEATS, 5), 0, TOP, "median time to think, play, rearrange, flip, call: 16 * log2(ms / 16)"),
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
    o.stuck = v.stuck
    for k in range(SEATS):
        q = pile_of(p, k)
        w = g if k == 0 else v  # the own side is always current
        if k > 0:
            observe_hand(w, q, p, k, o)
        o.deck_count[k] = w.deck_n[q]
        o.budget[k] = w.budget[q]
        o.consent[k] = w.consent[q]
        o.pile_top[k] = 1 + rank_of(v.pile[q, v.pile_n[q] - 1]) if v.pile_n[q] > 0 else 0
        o.pile_count[k] = pile_count(g, v, p, q, perfect)
        for s in range(STACKS):
            if dirty & (DIRTY_STACK << (STACKS * q + s)):
                observe_stack(w, q, s, k, o, perfect)
        if dirty & DIRTY_DECKS:
            observe_deck(w, q, k, o, perfect)
            observe_pace(g, q, k, o)
    o.pile_eye = compare_piles(int(v.pile_n[p]), int(v.pile_n[pile_of(p, 1)]))
    if perfect:
        if dirty & DIRTY_UNSEEN:
            observe_unseen(v, p, o)
    else:
        observe_covered(g, v, p, o)


@kernel
def compare_piles(own: int, other: int) -> int:
    """By eye: -1 if the own pile is clearly the smaller one of two, 1 if the other is, else 0."""
    if own > 0 and other > 0 and 10 * abs(own - other) > max(20, own + other):
        return -1 if own < other else 1
    return 0


@kernel
def observe_hand(w: Game, q: int, p: int, k: int, o: Any) -> None:
    """The hand of seat q: its own state in full, another's only while it moves."""
    hand = w.hand[q]
    moving = hand in (TRAVEL, RETURN)
    o.hand[k] = hand if q == p or moving else 0
    o.flight_kind[k] = o.flight_card[k] = o.flight_pile[k] = o.flight_from[k] = o.flight_to[k] = 0
    if not moving:
        return
    a = w.action[q]
    if w.card[q] >= 0:
        o.flight_card[k] = 1 + rank_of(w.card[q])
    if a >= SPIT:
        o.flight_kind[k] = 4
        return
    o.flight_from[k] = 1 + source_of(a)
    if a < FIRST_FLIP:
        o.flight_kind[k] = 1
        # The actor's pile number, seen from the observer: with two seats 0 and 1 swap for the other player.
        o.flight_pile[k] = 1 + (((a - FIRST_PLAY) % SEATS) + k) % SEATS
    elif a < FIRST_MOVE:
        o.flight_kind[k] = 3
    else:
        o.flight_kind[k] = 2
        o.flight_to[k] = 1 + target_of(a)


@kernel
def observe_stack(w: Game, q: int, s: int, k: int, o: Any, perfect: bool) -> None:
    """Count and known cards of a player's stack."""
    height = w.height[q, s]
    up = height - w.down[q, s]
    o.stack_count[k, s] = height
    o.stack_down[k, s] = w.down[q, s]
    for d in range(DEPTH):
        shown = d < height and (d < up or perfect)
        o.stack_card[k, s, d] = w.known[w.stack[q, s, height - 1 - d]] if shown else 0


@kernel
def observe_deck(w: Game, q: int, k: int, o: Any, perfect: bool) -> None:
    """Known cards of a deck."""
    n = w.deck_n[q]
    for d in range(DECK_SHOWN):
        o.deck_card[k, d] = w.known[w.deck[q, n - 1 - d]] if perfect and d < n else 0


@kernel
def observe_unseen(v: Game, p: int, o: Any) -> None:
    """Perfect recall: the ranks that have never been face up, or have got lost since."""
    for r in range(RANKS):
        o.unseen[r] = v.unseen[r]
        for k in range(SEATS):
            o.lost[k, r] = v.lost[pile_of(p, k), r]


@kernel
def observe_covered(g: Game, v: Game, p: int, o: Any) -> None:
    """Without recall: the ranks that do not lie open now."""
    for r in range(RANKS):
        o.unseen[r] = CARDS // RANKS
    for k in range(SEATS):
        q = pile_of(p, k)
        w = g if k == 0 else v
        for s in range(STACKS):
            t = w.top[q, s]
            if t >= 0:
                o.unseen[t] -= w.height[q, s] - w.down[q, s]
        if o.flight_card[k] > 0:
            o.unseen[o.flight_card[k] - 1] -= 1
        if o.pile_top[k] > 0:
            o.unseen[o.pile_top[k] - 1] -= 1


@kernel
def pile_count(g: Game, v: Game, p: int, pile: int, perfect: bool) -> int:
    """What seat p knows of a pile's size: counted with recall, else as the rules show it (A-32)."""
    n = v.pile_n[pile]
    if perfect or g.pile_count_visibility == 2:
        return int(n)
    if g.pile_count_visibility == 0:
        return -1
    z = NORMALS[word(g.seed, NOISE + 4 * g.label[p], SEATS * g.rounds + (pile != p)) >> 20]
    return max(0, min(CARDS, int(n * (1.0 + 0.15 * z) + 0.5)))


@implement(verbs.observe_time, STATE)
def observe_time(g: Game, v: Game, p: int, o: Any) -> None:
    """See `observe_clock`."""
    observe_clock(g, v, p, o)
