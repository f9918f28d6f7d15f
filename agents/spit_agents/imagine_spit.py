"""Imagining a world of Spit. See `spit_agents.imagine`."""

from typing import Any

import numpy as np

from spit_agents.chance import below, next_word
from spit_agents.imagine import HIDDEN, imagine, imagine_clock, imagine_flight, imagine_thoughts, shuffle_part
from spit_env.cards import RANKS, SUITS, rank_of
from spit_env.jit import implement, kernel
from spit_env.latency import CALL, FLIP, PLAY, REARRANGE
from spit_env.spit.layout import set_top
from spit_env.spit.state import (
    CARDS,
    FIRST_FLIP,
    FIRST_MOVE,
    FIRST_PICK,
    FIRST_PLAY,
    SEATS,
    SPIT,
    STACKS,
    STATE,
)
from spit_env.state import SLAP, Game


@implement(imagine, STATE)
def imagine_spit(w: Game, view: Any, seed: int) -> None:
    """See the verb."""
    word = int(seed) & 0xFFFFFFFF
    imagine_clock(w, view, seed)
    for r in range(RANKS):
        w.unseen[r] = SUITS  # less those that are shown, as they come up
    for k in range(SEATS):
        w.budget[k] = view.budget[k]
        w.consent[k] = view.consent[k]
        w.spit_to[k] = k
        w.card[k] = show(w, view.flight_card[k])
        if view.pile_top[k] > 0:
            w.pile[k, 0] = show(w, view.pile_top[k])  # for the time being
        show_side(w, view, k)
    w.stuck = view.stuck
    word = deal_hidden(w, view, word)
    for k in range(SEATS):
        word = imagine_hand(w, view, k, word)
        for s in range(STACKS):
            set_top(w, k, s)
    imagine_thoughts(w, word)


@kernel
def show(w: Game, rank: int) -> int:
    """A card of a rank (from 1) whose place everybody knows; `HIDDEN` if the rank is 0 or has no card left."""
    r = int(rank) - 1
    if r < 0 or w.unseen[r] == 0:
        return HIDDEN
    w.unseen[r] -= 1
    card = SUITS * r + int(w.unseen[r])
    w.known[card] = r + 1
    w.seen[card] = 1
    return card


@kernel
def show_side(w: Game, view: Any, k: int) -> None:
    """A player's stacks and deck, as far as they are known."""
    for s in range(STACKS):
        h = int(view.stack_count[k, s])
        w.height[k, s] = h
        w.down[k, s] = view.stack_down[k, s]
        for d in range(h):
            w.stack[k, s, h - 1 - d] = show(w, view.stack_card[k, s, d])
    n = int(view.deck_count[k])
    w.deck_n[k] = n
    for d in range(n):
        w.deck[k, n - 1 - d] = show(w, view.deck_card[k, d] if d < view.deck_card.shape[1] else 0)


@kernel
def imagine_hand(w: Game, view: Any, k: int, word: int) -> int:
    """What a player's hand is doing, if it is seen to move; returns the next word."""
    kind, source = view.flight_kind[k], int(view.flight_from[k]) - 1
    if kind == 0:
        return word
    word = next_word(word)
    if kind == 1:
        action = FIRST_PLAY + SEATS * source + (int(view.flight_pile[k]) - 1 + k) % SEATS
        imagine_flight(w, view, k, action, PLAY, word)
        w.pile_at_launch[k] = w.pile_n[int(view.flight_pile[k]) - 1]
    elif kind == 2:
        to = int(view.flight_to[k]) - 1
        action = FIRST_MOVE + (STACKS - 1) * source + (to if to < source else to - 1)
        imagine_flight(w, view, k, action, REARRANGE, word)
    elif kind == 3:
        imagine_flight(w, view, k, FIRST_FLIP + source, FLIP, word)
    elif view.phase == SLAP:  # for which pile is not told
        imagine_flight(w, view, k, FIRST_PICK + below(word, SEATS), CALL, next_word(word))
    else:
        imagine_flight(w, view, k, SPIT, CALL, word)
    return next_word(word)


@kernel
def size_piles(w: Game, view: Any, forgetful: bool, word: int) -> int:
    """How many cards each pile has; returns the next word. What a player who does not count cannot tell is drawn, as
    the eye has it."""
    total = CARDS
    for k in range(SEATS):
        total -= int(w.deck_n[k]) + (w.card[k] >= 0)
        for s in range(STACKS):
            total -= int(w.height[k, s])
        w.pile_n[k] = max(0, view.pile_count[k])
    uncounted = view.pile_count[0] < 0 or (forgetful and w.pile_count_visibility == 1)
    if not uncounted:
        return word
    if view.pile_top[0] == 0 or view.pile_top[1] == 0:
        w.pile_n[0] = total if view.pile_top[0] > 0 else 0
        w.pile_n[1] = total if view.pile_top[1] > 0 else 0
        return word
    if view.pile_count[0] >= 0:
        counted = max(1, int(view.pile_count[0]) + int(view.pile_count[1]))
        own = (total * int(view.pile_count[0]) + counted // 2) // counted
    else:
        close = max(20, total) // 10  # a difference up to this is not seen
        low, high = (total - close + 1) // 2, (total + close) // 2
        if view.pile_eye < 0:
            low, high = 1, low - 1
        elif view.pile_eye > 0:
            low, high = high + 1, total - 1
        word = next_word(word)
        own = low + below(word, max(1, high + 1 - low))
    w.pile_n[0] = max(1, min(total - 1, own))
    w.pile_n[1] = total - w.pile_n[0]
    return word


@kernel
def deal_hidden(w: Game, view: Any, word: int) -> int:
    """Size the piles and give all hidden places cards; returns the next word.

    The pool holds at its front cards that were seen and lie in no place that is told, and behind them those that never
    were: piles take from the front, stacks and decks from the end. Cards that a shuffle has hidden are among their
    player's.
    """
    pool = np.empty(CARDS, np.int8)
    lost = np.empty((SEATS, CARDS), np.int8)
    lost_n = np.zeros(SEATS, np.int64)
    size = 0
    for r in range(RANKS):
        i, free = int(min(w.unseen[r], view.unseen[r])), int(w.unseen[r])
        for k in range(SEATS):
            for _ in range(min(free - i, int(view.lost[k, r]))):
                lost[k, lost_n[k]] = SUITS * r + i
                lost_n[k] += 1
                i += 1
        while i < free:
            pool[size] = SUITS * r + i
            size += 1
            i += 1
    told = size
    for r in range(RANKS):
        for i in range(int(min(w.unseen[r], view.unseen[r]))):
            pool[size] = SUITS * r + i
            size += 1
    word = size_piles(w, view, told == 0, word)
    word = shuffle_part(pool, 0, told, word)
    word = shuffle_part(pool, told, size, word)
    first = lay_piles(w, view, pool, size)
    for k in range(SEATS):
        hidden = count_hidden(w, k)
        n = min(hidden, lost_n[k])
        for i in range(n):
            w.seen[lost[k, i]] = 1
            r = rank_of(lost[k, i])
            w.unseen[r] -= 1
            w.lost[k, r] += 1
        while n < hidden and size > first:
            size -= 1
            lost[k, n] = pool[size]
            n += 1
        if lost_n[k] > 0:  # else it is shuffled already
            word = shuffle_part(lost[k], 0, n, word)
        fill_side(w, k, lost[k])
    return word


@kernel
def lay_piles(w: Game, view: Any, pool: Any, size: int) -> int:
    """The piles under their tops, from the front of the pool on; returns where it now begins."""
    first = 0
    for k in range(SEATS):
        if view.pile_top[k] > 0:
            top = int(w.pile[k, 0])
            n = min(int(w.pile_n[k]), 1 + size - first)
            w.pile_n[k] = n
            w.pile[k, n - 1] = top
            w.accepts[k] = w.accept_bits[rank_of(top)]
            for i in range(n - 1):
                card = int(pool[first])
                first += 1
                w.pile[k, i] = card
                w.seen[card] = 1
                w.known[card] = 1 + rank_of(card)
                w.unseen[rank_of(card)] -= 1
    return first


@kernel
def count_hidden(w: Game, k: int) -> int:
    """How many places of a player hold a card that is not known yet."""
    n = 0
    for d in range(w.deck_n[k]):
        n += w.deck[k, d] == HIDDEN
    for s in range(STACKS):
        for d in range(w.height[k, s]):
            n += w.stack[k, s, d] == HIDDEN
    return n


@kernel
def fill_side(w: Game, k: int, cards: Any) -> None:
    """Give the hidden places of a player these cards."""
    n = 0
    for d in range(w.deck_n[k]):
        if w.deck[k, d] == HIDDEN:
            w.deck[k, d] = cards[n]
            n += 1
    for s in range(STACKS):
        for d in range(w.height[k, s]):
            if w.stack[k, s, d] == HIDDEN:
                w.stack[k, s, d] = cards[n]
                n += 1
