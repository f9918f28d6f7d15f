"""What one seat sees: one table of ``int8`` fields, and the kernel that fills it.

Players and piles are numbered from the observer: 0 is the own one, 1 the next seat's, and so on. Ranks run from 1 (ace)
to 13 (king), 14 is a joker; 0 means none or not known.
"""

from functools import cache
from typing import Any

from spit_env import verbs
from spit_env.cards import JOKER, NO_CARD, RANKS, SUITS, rank_or_joker
from spit_env.jit import implement, kernel
from spit_env.phases import seat_after
from spit_env.scales import TOP, observe_clock, observe_pace
from spit_env.speed.moves import pile_number
from spit_env.speed.state import (
    DIRTY_HAND,
    DIRTY_REST,
    DIRTY_UNSEEN,
    KINDS_OF_CARDS,
    ROW4,
    SLOTS,
    STATE,
    action_count,
    call_action,
    draw_action,
)
from spit_env.state import DIRTY_MASK, RETURN, TRAVEL, Game
from spit_env.table import Field, Table


@cache
def observation(seats: int) -> Table:
    """The table for so many seats."""
    return Table(
        [
            Field("phase", (), 0, 6, "0 locked, 1 race, 2 pause, 5 between deals, 6 over"),
            Field("hand", (seats,), 0, 4, "own: 0 idle, 1 thinking, 2 open, 3 busy, 4 returning; other: 0, 3 or 4"),
            Field("action", (), 0, action_count(seats) - 1, "the own action under way, 0 if none"),
            Field("left", (), 0, TOP, "time until the own hand changes state, in units of 20 ms"),
            Field("flight_kind", (seats,), 0, 3, "what a hand is doing: 0 nothing, 1 play, 2 draw, 3 call"),
            Field("flight_card", (seats,), 0, 14, "rank of the card in flight or returning"),
            Field("flight_name", (seats,), 0, 14, "the rank that it counts as; 14: a joker without a name"),
            Field("flight_pile", (seats,), 0, seats, "where a play flies: 1 + pile, 0 no play"),
            Field("flight_left", (seats,), 0, TOP, "time until it arrives, in units of 20 ms"),
            Field("pile_top", (seats,), 0, 14, "what each pile shows, 0: no card, 14: a joker without a name"),
            Field("pile_count", (seats,), -1, 112, "cards in each pile; -1: not to be counted"),
            Field("reserve_count", (seats,), 0, 112, "cards in each reserve"),
            Field("stock_count", (seats,), 0, 112, "cards in each stock"),
            Field("held_count", (seats,), 0, SLOTS, "cards in each hand"),
            Field("held_card", (seats, SLOTS), 0, 14, "the own cards, and those of others that are known, by slot"),
            Field("unseen", (KINDS_OF_CARDS,), 0, 8, "how many of each rank are not known (recall none: not visible)"),
            Field("mixed", (KINDS_OF_CARDS,), 0, 8, "seen cards of each rank that lie among the reserves"),
            Field("score", (seats,), 0, TOP, "points so far"),
            Field("goal", (), 0, TOP, "points that end the match, 0: a single deal"),
            Field("rounds", (), 0, TOP, "deals completed"),
            Field("idle", (), 0, TOP, "time since the last landing or turn, in units of 100 ms"),
            Field("pace", (seats, 5), 0, TOP, "median time to think, play, draw, -, call: 16 * log2(ms / 16)"),
            Field("spread", (seats, 5), 0, TOP, "sigma of the same, in units of 0.02"),
            Field("perception", (seats,), 0, TOP, "how old the table is that a player sees, in units of 10 ms"),
        ]
    )  # fmt: skip


@implement(verbs.observe, STATE)
def observe(g: Game, v: Game, p: int, o: Any, perfect: bool, dirty: int) -> None:
    """Fill in the stale parts of seat p's observation; v is the table as that seat sees it."""
    o.action = g.action[p]
    observe_hand(g, p, 0, p, o)
    if dirty == DIRTY_MASK:
        return  # nothing but the own hand has changed
    for k in range(g.hand.shape[0]):
        q = seat_after(g, p, k)
        w = g if k == 0 else v  # the own side is always current
        if k > 0:
            observe_hand(w, q, k, p, o)
        o.pile_top[k] = 1 + v.top[q]
        o.pile_count[k] = v.pile_n[q] if perfect else -1
        o.reserve_count[k] = v.reserve_n[q]
        o.stock_count[k] = w.stock_n[q]
        if dirty & (DIRTY_HAND << q):
            observe_cards(w, q, k, o, perfect)
    if not perfect:
        observe_covered(g, v, p, o)
    elif dirty & (DIRTY_UNSEEN | (DIRTY_HAND << p)):
        observe_unseen(g, v, p, o)
    if dirty & DIRTY_REST:
        observe_rest(g, p, o)


@kernel
def observe_hand(w: Game, q: int, k: int, p: int, o: Any) -> None:
    """The hand of seat q, number k as the observer p counts: the own state in full, another's only while it moves."""
    hand = w.hand[q]
    moving = hand in (TRAVEL, RETURN)
    o.hand[k] = hand if k == 0 or moving else 0
    o.flight_kind[k] = o.flight_card[k] = o.flight_name[k] = o.flight_pile[k] = 0
    if not moving:
        return
    seats = w.hand.shape[0]
    a = w.action[q]
    if a == draw_action(seats):
        o.flight_kind[k] = 2
    elif a == call_action(seats):
        o.flight_kind[k] = 3
    else:
        o.flight_kind[k] = 1
        o.flight_card[k] = 1 + rank_or_joker(w.card[q])
        o.flight_name[k] = 1 + w.named[q]
        o.flight_pile[k] = 1 + (k + pile_number(a, seats)) % seats


@kernel
def observe_cards(w: Game, q: int, k: int, o: Any, perfect: bool) -> None:
    """The cards in a hand: the own ones, an open row, and what came back to another's hand face up."""
    o.held_count[k] = w.held_n[q]
    for slot in range(SLOTS):
        card = w.held[q, slot]
        shown = card != NO_CARD and (k == 0 or w.layout == ROW4 or (perfect and w.seen[card] != 0))
        o.held_card[k, slot] = 1 + rank_or_joker(card) if shown else 0


@kernel
def own_card(w: Game, p: int, i: int) -> int:
    """The card in slot i of a hand, for i = SLOTS the one in flight."""
    return int(w.held[p, i] if i < SLOTS else w.card[p])


@kernel
def has_card(w: Game, p: int, card: int) -> bool:
    """Whether the card is in a hand or in flight from it."""
    for i in range(SLOTS + 1):
        if own_card(w, p, i) == card:
            return True
    return False


@kernel
def observe_unseen(g: Game, v: Game, p: int, o: Any) -> None:
    """Perfect recall: the cards that have never been face up, without those that the observer holds now or held when
    the table was as it is seen."""
    for r in range(KINDS_OF_CARDS):
        o.unseen[r] = v.unseen[r]
        o.mixed[r] = v.mixed[r]
    for i in range(SLOTS + 1):
        card = own_card(g, p, i)
        if card != NO_CARD and v.seen[card] == 0:
            o.unseen[rank_or_joker(card)] -= 1
        if g.perception[p] > 0:
            card = own_card(v, p, i)
            if card != NO_CARD and v.seen[card] == 0 and not has_card(g, p, card):
                o.unseen[rank_or_joker(card)] -= 1


@kernel
def observe_covered(g: Game, v: Game, p: int, o: Any) -> None:
    """Without recall: the cards that the observer does not see now."""
    for r in range(RANKS):
        o.unseen[r] = SUITS * g.decks
    o.unseen[JOKER] = g.jokers
    for r in range(KINDS_OF_CARDS):
        o.mixed[r] = 0
    for k in range(g.hand.shape[0]):
        q = seat_after(g, p, k)
        w = g if k == 0 else v
        for slot in range(SLOTS):
            if o.held_card[k, slot] > 0:
                o.unseen[o.held_card[k, slot] - 1] -= 1
        if w.card[q] != NO_CARD:
            o.unseen[rank_or_joker(w.card[q])] -= 1
        if v.pile_n[q] > 0:
            o.unseen[rank_or_joker(v.pile[q, v.pile_n[q] - 1])] -= 1


@kernel
def observe_rest(g: Game, p: int, o: Any) -> None:
    """What changes together with the phase only."""
    o.phase = g.phase
    o.rounds = min(TOP, g.rounds)
    o.goal = min(TOP, g.match_score)
    for k in range(g.hand.shape[0]):
        q = seat_after(g, p, k)
        o.score[k] = min(TOP, g.score[q])
        observe_pace(g, q, k, o)


@implement(verbs.observe_time, STATE)
def observe_time(g: Game, v: Game, p: int, o: Any) -> None:
    """See `observe_clock`."""
    observe_clock(g, v, p, o)
