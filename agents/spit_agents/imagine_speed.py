"""Imagining a world of Speed, for two to four players. See `spit_agents.imagine`."""

from typing import Any

import numpy as np

from spit_agents.chance import below, next_word
from spit_agents.imagine import (
    HIDDEN,
    imagine,
    imagine_clock,
    imagine_flight,
    imagine_thoughts,
    shuffle_part,
)
from spit_env.cards import FIRST_JOKER, JOKER, NO_CARD, PACK, RANKS, SUITS, rank_or_joker
from spit_env.jit import implement, kernel
from spit_env.latency import CALL, PLAY, REARRANGE
from spit_env.speed.state import (
    CARDS,
    FIRST_PLAY,
    KINDS_OF_CARDS,
    ROW4,
    SLOTS,
    STATE,
    call_action,
    draw_action,
)
from spit_env.state import Game


@implement(imagine, STATE)
def imagine_speed(w: Game, view: Any, seed: int) -> None:
    """See the verb."""
    word = int(seed) & 0xFFFFFFFF
    imagine_clock(w, view, seed)
    for r in range(RANKS):
        w.unseen[r] = SUITS * w.decks  # less those that are shown, as they come up
    w.unseen[JOKER] = w.jokers
    for k in range(w.hand.shape[0]):
        w.score[k] = view.score[k]
        w.stock_n[k] = view.stock_count[k]
        w.reserve_n[k] = view.reserve_count[k]
        w.card[k] = show(w, view.flight_card[k])
        w.named[k] = max(0, int(view.flight_name[k]) - 1)
        show_hand(w, view, k)
    for k in range(w.hand.shape[0]):
        show_top(w, view, k)  # last, when only tops are left to account for what the view takes for seen
    word = deal_hidden(w, view, word)
    for k in range(w.hand.shape[0]):
        word = imagine_hand(w, view, k, word)
    imagine_thoughts(w, word)


@kernel
def first_of(r: int) -> int:
    """The first card of a rank, or joker; the others follow as `copy_of` has it."""
    return FIRST_JOKER if r == JOKER else SUITS * r


@kernel
def copy_of(r: int, i: int) -> int:
    """Card number i of a rank, over both packs, or of the jokers."""
    return first_of(r) + (i if r == JOKER else PACK * (i // SUITS) + i % SUITS)


@kernel
def take_out(w: Game, rank: int) -> int:
    """A card of a rank (from 1; 14: a joker); `HIDDEN` if the rank is 0 or all its cards lie elsewhere."""
    r = int(rank) - 1
    if r < 0 or w.unseen[r] == 0:
        return HIDDEN
    w.unseen[r] -= 1
    return copy_of(r, int(w.unseen[r]))


@kernel
def show(w: Game, rank: int) -> int:
    """The same; everybody has seen it."""
    card = take_out(w, rank)
    if card != HIDDEN:
        w.seen[card] = 1
    return card


@kernel
def show_top(w: Game, view: Any, k: int) -> None:
    """The top of pile k: a joker of that name, if by the view no card of the rank is open there."""
    w.pile_n[k] = 0
    if view.pile_top[k] > 0:
        w.top[k] = int(view.pile_top[k]) - 1
        named = w.unseen[w.top[k]] <= view.unseen[w.top[k]] and w.unseen[JOKER] > 0
        w.pile[k, 0] = show(w, JOKER + 1 if named else view.pile_top[k])
        w.pile_n[k] = 1
        w.accepts[k] = w.accept_bits[w.top[k]]


@kernel
def show_hand(w: Game, view: Any, k: int) -> None:
    """The cards of a hand that the observer knows. Only an open row and what others have shown has been seen."""
    for slot in range(SLOTS):
        rank = view.held_card[k, slot]
        w.held[k, slot] = take_out(w, rank) if k == 0 and w.layout != ROW4 else show(w, rank)
    w.held_n[k] = view.held_count[k]


@kernel
def deal_hidden(w: Game, view: Any, word: int) -> int:
    """Give all hidden places cards; returns the next word.

    The pool holds at its front cards that were seen and lie in no place that is told, and behind them those that never
    were: piles take from the front, all others from the end. Seen cards that a shuffle has hidden are in the reserves.
    """
    pool, mixed = np.empty(CARDS, np.int8), np.empty(CARDS, np.int8)
    size, n = 0, 0
    for r in range(KINDS_OF_CARDS):
        free = int(w.unseen[r])
        i = min(free, int(view.unseen[r]))
        for _ in range(min(free - i, int(view.mixed[r]))):
            mixed[n] = copy_of(r, i)
            n += 1
            i += 1
        while i < free:
            pool[size] = copy_of(r, i)
            size += 1
            i += 1
    told = size
    for r in range(KINDS_OF_CARDS):
        for i in range(min(int(w.unseen[r]), int(view.unseen[r]))):
            pool[size] = copy_of(r, i)
            size += 1
    word = shuffle_part(pool, 0, told, word)
    word = shuffle_part(pool, told, size, word)
    word, first = lay_piles(w, view, pool, size, n, word)
    for card in mixed[:n]:
        w.seen[card] = 1
    reserves = 0
    for k in range(w.hand.shape[0]):
        reserves += int(w.reserve_n[k])
    while n < reserves and size > first:
        size -= 1
        mixed[n] = pool[size]
        n += 1
    word = shuffle_part(mixed, 0, n, word)
    for k in range(w.hand.shape[0]):
        for i in range(w.reserve_n[k]):
            n -= 1
            w.reserve[k, i] = mixed[n]
        for i in range(w.stock_n[k]):
            size -= 1
            w.stock[k, i] = pool[size]
        size = fill_hand(w, k, pool, size)
    count_seen(w)
    return word


@kernel
def lay_piles(w: Game, view: Any, pool: Any, size: int, mixed: int, word: int) -> tuple[int, int]:
    """The piles under their tops, from the front of the pool on; returns the next word, and where the pool now begins.

    If the observer does not count, all cards that are not elsewhere lie there, each in any pile.
    """
    seats = w.hand.shape[0]
    under = np.zeros(seats, np.int64)
    if view.pile_count[0] >= 0:
        for k in range(seats):
            under[k] = max(0, int(view.pile_count[k]) - 1)
    else:
        total = size + mixed
        piles = 0
        for k in range(seats):
            total -= int(w.stock_n[k]) + int(w.reserve_n[k]) + missing(w, k)
            piles += w.pile_n[k] > 0
        for _ in range(total if piles > 0 else 0):
            word = next_word(word)
            i = below(word, piles)
            for k in range(seats):
                if w.pile_n[k] > 0:
                    if i == 0:
                        under[k] += 1
                    i -= 1
    first = 0
    for k in range(seats):
        top = w.pile[k, 0]
        for i in range(min(under[k], size - first)):
            w.pile[k, i] = pool[first]
            w.seen[pool[first]] = 1
            w.pile_n[k] += 1
            first += 1
        if w.pile_n[k] > 0:
            w.pile[k, w.pile_n[k] - 1] = top
    return word, first


@kernel
def missing(w: Game, k: int) -> int:
    """How many cards of a hand have no slot yet."""
    n = int(w.held_n[k])
    for slot in range(SLOTS):
        n -= w.held[k, slot] != NO_CARD
    return n


@kernel
def fill_hand(w: Game, k: int, pool: Any, size: int) -> int:
    """Give a hand the cards that it lacks, in its lowest slots, from the end of the pool; returns its new size."""
    slot = 0
    for _ in range(missing(w, k)):
        while w.held[k, slot] != NO_CARD:
            slot += 1
        size -= 1
        w.held[k, slot] = pool[size]
    return size


@kernel
def count_seen(w: Game) -> None:
    """Write `unseen` and `mixed`, which follow from what has been seen."""
    for r in range(KINDS_OF_CARDS):
        w.unseen[r] = SUITS * w.decks if r < RANKS else w.jokers
        w.mixed[r] = 0
    for card in range(CARDS):
        w.unseen[rank_or_joker(card)] -= w.seen[card]
    for k in range(w.hand.shape[0]):
        for i in range(w.reserve_n[k]):
            card = int(w.reserve[k, i])
            w.mixed[rank_or_joker(card)] += w.seen[card]


@kernel
def imagine_hand(w: Game, view: Any, k: int, word: int) -> int:
    """What a player's hand is doing, if it is seen to move; returns the next word."""
    seats = w.hand.shape[0]
    word = next_word(word)
    if view.flight_kind[k] == 1:
        slot = 0
        while w.held[k, slot] != NO_CARD:
            slot += 1
        pile = int(view.flight_pile[k]) - 1
        action = FIRST_PLAY + seats * slot + (pile + seats - k) % seats
        imagine_flight(w, view, k, action, PLAY, word)
        w.pile_at_launch[k] = w.pile_n[pile]
    elif view.flight_kind[k] == 2:
        imagine_flight(w, view, k, draw_action(seats), REARRANGE, word)
    elif view.flight_kind[k] == 3:
        imagine_flight(w, view, k, call_action(seats), CALL, word)
    return next_word(word)
