"""Cards on the table: dealing, turning, counting, picking up. docs/spit.md, "Cards" and "Picking up"."""

import numpy as np

from spit_env import phases, verbs
from spit_env.cards import RANKS, rank_of
from spit_env.draws import DEAL, SHUFFLE, shuffle
from spit_env.jit import implement, kernel
from spit_env.phases import mark
from spit_env.spit.state import CARDS, DIRTY_DECKS, DIRTY_STACK, DIRTY_UNSEEN, FACE_DOWN, GAP, SEATS, STACKS, STATE
from spit_env.state import DIRTY_MASK, LOCKED, Game


@kernel
def pile_of(p: int, relative: int) -> int:
    """The pile that is number `relative` as seat p counts: 0 is the own one."""
    return (p + relative) % SEATS


@kernel
def face_down_cards(g: Game, p: int) -> int:
    """How many cards of the player's stacks are face down."""
    n = 0
    for s in range(STACKS):
        n += g.down[p, s]
    return n


@kernel
def accepted(v: Game) -> int:
    """The ranks that fit any pile, as bits."""
    bits = 0
    for pile in range(SEATS):
        bits |= v.accepts[pile]
    return bits


@kernel
def stack_cards(g: Game, p: int) -> int:
    """Cards in a player's stacks, those in flight not counted."""
    n = 0
    for s in range(STACKS):
        n += g.height[p, s]
    return n


@kernel
def decks_left(g: Game) -> int:
    """How many players have a deck."""
    n = 0
    for p in range(SEATS):
        n += g.deck_n[p] > 0
    return n


@kernel
def piles_left(g: Game) -> int:
    """How many piles there are."""
    n = 0
    for p in range(SEATS):
        n += g.pile_n[p] > 0
    return n


@kernel
def set_top(g: Game, p: int, s: int) -> None:
    """Bring `top` up to date with the stack."""
    h = g.height[p, s]
    if h == 0:
        g.top[p, s] = GAP
    elif g.down[p, s] == h:
        g.top[p, s] = FACE_DOWN
    else:
        g.top[p, s] = rank_of(g.stack[p, s, h - 1])
    mark(g, DIRTY_STACK << (STACKS * p + s))


@kernel
def reveal(g: Game, card: int, owner: int) -> None:
    """A card is turned face up: everybody knows it and where it is."""
    if g.known[card] == 0:
        r = rank_of(card)
        if g.seen[card] != 0:
            g.lost[owner, r] -= 1
        else:
            g.unseen[r] -= 1
            g.seen[card] = 1
        g.known[card] = r + 1
        mark(g, DIRTY_UNSEEN)


@kernel
def draw(g: Game, p: int) -> int:
    """The top card of a deck."""
    g.deck_n[p] -= 1
    mark(g, DIRTY_DECKS)
    return int(g.deck[p, g.deck_n[p]])


@kernel
def put_on_stack(g: Game, p: int, s: int, card: int) -> None:
    """A card on top of a stack, face down if it is under those counted in `down`."""
    g.stack[p, s, g.height[p, s]] = card
    g.height[p, s] += 1


@kernel
def put_on_pile(g: Game, pile: int, card: int) -> None:
    """A card face up on a pile."""
    g.pile[pile, g.pile_n[pile]] = card
    g.pile_n[pile] += 1
    g.accepts[pile] = g.accept_bits[rank_of(card)]


@kernel
def clear_pile(g: Game, pile: int) -> None:
    """The pile is gone."""
    g.pile_n[pile] = 0
    g.accepts[pile] = 0


@kernel
def deal_round(g: Game) -> None:
    """Lay out the stacks of all players; the board is locked until the first spit (S0-02..06, A-04..07)."""
    for p in range(SEATS):
        clear_pile(g, p)
        g.spit_to[p] = p
        g.spit_fixed[p] = 0
        for s in range(STACKS):
            g.height[p, s] = 0
        wholes = 0  # stacks that can be laid in full
        while wholes < STACKS and (wholes + 1) * (wholes + 2) // 2 <= g.deck_n[p]:
            wholes += 1
        stacks = wholes if g.short_layout == 1 else STACKS
        if g.deal_order == 0:
            for s in range(stacks):
                while g.height[p, s] <= s and g.deck_n[p] > 0:
                    put_on_stack(g, p, s, draw(g, p))
        else:
            for row in range(STACKS):
                for s in range(row, stacks):
                    if g.deck_n[p] > 0:
                        put_on_stack(g, p, s, draw(g, p))
        for s in range(STACKS):
            h = g.height[p, s]
            g.down[p, s] = max(0, h - 1)
            if h > 0:
                reveal(g, g.stack[p, s, h - 1], p)
            set_top(g, p, s)
    g.stuck = 0
    refill_budgets(g)
    phases.enter_phase(g, LOCKED, g.spit_pause_ms)
    g.raced = 0


@kernel
def refill_budgets(g: Game) -> None:
    """After progress: rearranging is possible again, and nobody has called for a spit (A-22)."""
    g.stuck = 0
    for p in range(SEATS):
        g.budget[p] = g.rearrange_budget
        g.consent[p] = 0


@implement(verbs.deal_game, STATE)
def deal_game(g: Game) -> None:
    """Shuffle, halve the pack and deal the first round (S0-01)."""
    cards = np.arange(CARDS)
    g.deal_n = shuffle(g.seed, DEAL, g.deal_n, cards)
    for p in range(SEATS):
        first = g.label[p] * (CARDS // SEATS)
        for i in range(CARDS // SEATS):
            g.deck[p, i] = cards[first + i]
        g.deck_n[p] = CARDS // SEATS
    for r in range(RANKS):
        g.unseen[r] = CARDS // RANKS
    deal_round(g)


@kernel
def collect(g: Game, p: int) -> None:
    """One player's new deck: the rest of the deck on top, then the pile, then the own leftovers."""
    cards = np.empty(CARDS, np.int8)  # bottom to top
    n = 0
    for s in range(STACKS - 1, -1, -1):
        for k in range(g.height[p, s]):
            cards[n] = g.stack[p, s, k]
            n += 1
        g.height[p, s] = 0
        g.down[p, s] = 0
        set_top(g, p, s)
    pile = g.takes[p]
    if pile >= 0:
        size = g.pile_n[pile]
        for k in range(size):
            cards[n] = g.pile[pile, size - 1 - k if g.pickup_orientation == 0 else k]
            n += 1
    for k in range(g.deck_n[p]):
        cards[n] = g.deck[p, k]
        n += 1
    if g.pickup_shuffle != 0:
        for r in range(RANKS):
            g.lost[p, r] = 0
        g.shuffle_n = shuffle(g.seed, SHUFFLE, g.shuffle_n, cards[:n])
        for i in range(n):
            g.known[cards[i]] = 0
            g.lost[p, rank_of(cards[i])] += g.seen[cards[i]]
    for i in range(n):
        g.deck[p, i] = cards[i]
    g.deck_n[p] = n
    mark(g, DIRTY_DECKS | DIRTY_UNSEEN | DIRTY_MASK)
