"""Imagining a world of California Speed. See `spit_agents.imagine`."""

from typing import Any

import numpy as np

from spit_agents.chance import next_word
from spit_agents.imagine import (
    HIDDEN,
    imagine,
    imagine_clock,
    imagine_flight,
    imagine_thoughts,
    shuffle_part,
)
from spit_env.california.state import CARDS, FIRST_COVER, SEATS, STACKS, STATE
from spit_env.cards import RANKS, SUITS, rank_of
from spit_env.jit import implement, kernel
from spit_env.latency import PLAY
from spit_env.state import Game


@implement(imagine, STATE)
def imagine_california(w: Game, view: Any, seed: int) -> None:
    """See the verb."""
    word = int(seed) & 0xFFFFFFFF
    imagine_clock(w, view, seed)
    for r in range(RANKS):
        w.unseen[r] = SUITS  # less those that are shown, as they come up
    for k in range(SEATS):
        w.card[k] = show(w, view.flight_card[k])
        show_row(w, view, k)
        show_pack(w, view, k)
    word = deal_hidden(w, view, word)
    for k in range(SEATS):
        if view.flight_row[k] > 0:
            place = STACKS * (int(view.flight_row[k]) - 1) + int(view.flight_stack[k]) - 1
            action = FIRST_COVER + (place + STACKS * (SEATS - k)) % (SEATS * STACKS)
            word = next_word(word)
            imagine_flight(w, view, k, action, PLAY, word)
    imagine_thoughts(w, next_word(word))


@kernel
def show(w: Game, rank: int) -> int:
    """A seen card of a rank (from 1); `HIDDEN` if the rank is 0 or all its cards lie elsewhere."""
    r = int(rank) - 1
    if r < 0 or w.unseen[r] == 0:
        return HIDDEN
    w.unseen[r] -= 1
    card = SUITS * r + int(w.unseen[r])
    w.seen[card] = 1
    return card


@kernel
def show_row(w: Game, view: Any, k: int) -> None:
    """A row, as far as it is known."""
    for s in range(STACKS):
        h = int(view.height[k, s])
        w.height[k, s] = h
        w.top[k, s] = int(view.top[k, s]) - 1
        w.coverable[k, s] = view.coverable[k, s]
        for d in range(h):
            w.stack[k, s, h - 1 - d] = show(w, view.stack_card[k, s, d] if d < view.stack_card.shape[2] else 0)


@kernel
def show_pack(w: Game, view: Any, k: int) -> None:
    """A pack, as far as it is known."""
    n = int(view.pack_count[k])
    w.pack_n[k] = n
    for d in range(n):
        w.pack[k, n - 1 - d] = show(w, view.pack_card[k, d] if d < view.pack_card.shape[1] else 0)


@kernel
def deal_hidden(w: Game, view: Any, word: int) -> int:
    """Give all hidden places cards; returns the next word.

    The pool holds at its front cards that were seen and lie in no place that is told, and behind them those that never
    were: rows take from the front, packs from the end.
    """
    pool = np.empty(CARDS, np.int8)
    size = 0
    for r in range(RANKS):
        for i in range(int(view.unseen[r]), int(w.unseen[r])):
            pool[size] = SUITS * r + i
            size += 1
    told = size
    for r in range(RANKS):
        for i in range(min(int(view.unseen[r]), int(w.unseen[r]))):
            pool[size] = SUITS * r + i
            size += 1
    word = shuffle_part(pool, 0, told, word)
    word = shuffle_part(pool, told, size, word)
    first = 0
    for k in range(SEATS):
        for s in range(STACKS):
            for d in range(w.height[k, s]):
                if w.stack[k, s, d] == HIDDEN:
                    if w.doubles and d == w.height[k, s] - 2 and not w.coverable[k, s]:
                        pass_over(pool[first:size], int(w.top[k, s]))
                    card = int(pool[first])
                    first += 1
                    w.stack[k, s, d] = card
                    w.seen[card] = 1
                    w.unseen[rank_of(card)] -= 1
        for d in range(w.pack_n[k]):
            if w.pack[k, d] == HIDDEN:
                size -= 1
                w.pack[k, d] = pool[size]
    return word


@kernel
def pass_over(pool: Any, rank: int) -> None:
    """Bring a card of another rank to the front: one of this rank would make a double, which could be covered."""
    for i in range(pool.shape[0]):
        if rank_of(pool[i]) != rank:
            pool[0], pool[i] = pool[i], pool[0]
            return
