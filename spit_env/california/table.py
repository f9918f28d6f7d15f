"""Cards on the table: dealing, rows, matches, taking up. docs/california.md, "Cards", "Covering" and "Stuck"."""

import numpy as np

from spit_env import phases, verbs
from spit_env.california.state import (
    CARDS,
    DIRTY_PACK,
    DIRTY_STACK,
    NO_TOP,
    SEATS,
    STACKS,
    STATE,
)
from spit_env.cards import RANKS, rank_of
from spit_env.draws import DEAL, shuffle
from spit_env.jit import implement, kernel
from spit_env.phases import mark
from spit_env.state import LOCKED, Game


@kernel
def draw(g: Game, p: int) -> int:
    """The top card of a pack, turned face up: from now on everybody knows where it is."""
    g.pack_n[p] -= 1
    card = int(g.pack[p, g.pack_n[p]])
    if g.seen[card] == 0:
        g.seen[card] = 1
        g.unseen[rank_of(card)] -= 1
    mark(g, DIRTY_PACK << p)
    return card


@kernel
def put_on_pack(g: Game, p: int, card: int) -> None:
    """A card face down on top of a pack."""
    g.pack[p, g.pack_n[p]] = card
    g.pack_n[p] += 1
    mark(g, DIRTY_PACK << p)


@kernel
def put_on_stack(g: Game, p: int, s: int, card: int) -> None:
    """A card face up on a place, which ends that it is coverable (CS-04)."""
    g.stack[p, s, g.height[p, s]] = card
    g.height[p, s] += 1
    g.top[p, s] = rank_of(card)
    g.coverable[p, s] = 0
    mark(g, DIRTY_STACK << (STACKS * p + s))


@kernel
def make_coverable(g: Game, p: int, s: int) -> None:
    """The place may be covered, until it is."""
    g.coverable[p, s] = 1
    mark(g, DIRTY_STACK << (STACKS * p + s))


@kernel
def match_place(g: Game, p: int, s: int) -> None:
    """A place and all others whose tops have its rank are coverable, if there are others (CS-03, CS-04)."""
    for q in range(SEATS):
        for t in range(STACKS):
            if g.top[q, t] == g.top[p, s] and (q != p or t != s):
                make_coverable(g, q, t)
                make_coverable(g, p, s)


@kernel
def any_coverable(v: Game) -> bool:
    """Whether some place may be covered."""
    for q in range(SEATS):
        for s in range(STACKS):
            if v.coverable[q, s] != 0:
                return True
    return False


@implement(verbs.deal_game, STATE)
def deal_game(g: Game) -> None:
    """Shuffle and halve the pack; the rows are laid after a pause (CS-01)."""
    cards = np.arange(CARDS)
    g.deal_n = shuffle(g.seed, DEAL, g.deal_n, cards)
    for p in range(SEATS):
        first = g.label[p] * (CARDS // SEATS)
        for i in range(CARDS // SEATS):
            g.pack[p, i] = cards[first + i]
        g.pack_n[p] = CARDS // SEATS
    for r in range(RANKS):
        g.unseen[r] = CARDS // RANKS
    phases.enter_phase(g, LOCKED, g.spit_pause_ms)


@kernel
def lay_rows(g: Game) -> None:
    """Each player lays a row, as far as the pack goes (CS-02, CS-08)."""
    for p in range(SEATS):
        for s in range(min(STACKS, g.pack_n[p])):
            put_on_stack(g, p, s, draw(g, p))
    for p in range(SEATS):
        for s in range(STACKS):
            if g.height[p, s] > 0:
                match_place(g, p, s)


@kernel
def take_up(g: Game, p: int) -> None:
    """A player's row goes under the pack, stack 1 first, in each the oldest card first (CS-07)."""
    n = 0
    for s in range(STACKS):
        n += g.height[p, s]
    for k in range(g.pack_n[p] - 1, -1, -1):
        g.pack[p, n + k] = g.pack[p, k]
    g.pack_n[p] += n
    for s in range(STACKS):
        for k in range(g.height[p, s]):
            n -= 1
            g.pack[p, n] = g.stack[p, s, k]
        g.height[p, s] = 0
        g.top[p, s] = NO_TOP
        g.coverable[p, s] = 0
        mark(g, DIRTY_STACK << (STACKS * p + s))
    mark(g, DIRTY_PACK << p)
