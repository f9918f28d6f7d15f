"""Cards on the table: hands, stocks, piles, reserves; dealing and turning. docs/speed.md, "Cards" and "Turning".

Seat i's number is also that of the pile in front of it.
"""

from typing import Any

import numpy as np

from spit_env import phases
from spit_env.cards import FIRST_JOKER, NO_CARD, PACK, RANKS, SUITS, rank_or_joker
from spit_env.draws import DEAL, SHUFFLE, shuffle
from spit_env.jit import kernel
from spit_env.phases import mark
from spit_env.speed.state import (
    CARDS,
    DIRTY_HAND,
    DIRTY_UNSEEN,
    HAND5,
    KINDS_OF_CARDS,
    NO_TOP,
    ROW4,
    SLOTS,
)
from spit_env.state import LOCKED, Game


@kernel
def cards_held(g: Game, p: int) -> int:
    """The cards that a player has still to get rid of: hand, in flight, stock."""
    return int(g.held_n[p] + g.stock_n[p] + (g.card[p] >= 0))


@kernel
def is_out(g: Game, p: int) -> bool:
    """The player has no card left (S2-15)."""
    return cards_held(g, p) == 0


@kernel
def reveal(g: Game, card: int) -> None:
    """A card is face up: it has been seen from now on."""
    if g.seen[card] == 0:
        g.seen[card] = 1
        g.unseen[rank_or_joker(card)] -= 1
        mark(g, DIRTY_UNSEEN)


@kernel
def hold(g: Game, p: int, slot: int, card: int) -> None:
    """A card in a slot of the hand; a row lies open."""
    g.held[p, slot] = card
    g.held_n[p] += 1
    mark(g, DIRTY_HAND << p)
    if g.layout == ROW4:
        reveal(g, card)


@kernel
def take(g: Game, p: int, slot: int) -> int:
    """The card of a slot, which is then empty."""
    card = int(g.held[p, slot])
    g.held[p, slot] = NO_CARD
    g.held_n[p] -= 1
    mark(g, DIRTY_HAND << p)
    return card


@kernel
def draw(g: Game, p: int) -> int:
    """The top card of the stock."""
    g.stock_n[p] -= 1
    return int(g.stock[p, g.stock_n[p]])


@kernel
def fill_slot(g: Game, p: int) -> None:
    """The top of the stock goes to the lowest empty slot (S2-10)."""
    slot = 0
    while g.held[p, slot] != NO_CARD:
        slot += 1
    hold(g, p, slot, draw(g, p))


@kernel
def put_on_pile(g: Game, pile: int, card: int, name: int) -> None:
    """A card face up on a pile, which now shows this rank."""
    g.pile[pile, g.pile_n[pile]] = card
    g.pile_n[pile] += 1
    g.top[pile] = name
    g.accepts[pile] = g.accept_bits[name]


@kernel
def turn_up(g: Game, pile: int, card: int) -> None:
    """A card that lay face down is turned onto a pile; a joker has no name then (A-38)."""
    reveal(g, card)
    put_on_pile(g, pile, card, rank_or_joker(card))


@kernel
def clear_table(g: Game) -> None:
    """No card lies anywhere, and none has been seen."""
    for p in range(g.hand.shape[0]):
        g.held_n[p] = g.stock_n[p] = g.reserve_n[p] = g.pile_n[p] = 0
        g.starter[p] = NO_CARD
        g.top[p] = NO_TOP
        g.accepts[p] = 0
        for slot in range(SLOTS):
            g.held[p, slot] = NO_CARD
    for card in range(CARDS):
        g.seen[card] = 0
    for r in range(RANKS):
        g.unseen[r] = SUITS * g.decks
        g.mixed[r] = 0
    g.unseen[RANKS] = g.jokers
    g.mixed[RANKS] = 0


@kernel
def deal(g: Game) -> None:
    """Shuffle and deal; the table is locked until the start (S2-03, S2-04, S2-19, S2-22)."""
    clear_table(g)
    phases.enter_phase(g, LOCKED, g.spit_pause_ms)
    g.raced = 0
    if g.layout == HAND5:
        deal_pack(g)
    else:
        deal_rows(g)


@kernel
def deal_pack(g: Game) -> None:
    """From one pack: stocks and hands, then reserves and starters."""
    seats = g.hand.shape[0]
    naturals = PACK * int(g.decks)
    cards = np.arange(naturals + int(g.jokers))
    for i in range(naturals, len(cards)):
        cards[i] = FIRST_JOKER + i - naturals
    g.deal_n = shuffle(g.seed, DEAL, g.deal_n, cards)
    left_over = len(cards) - seats * (int(g.stock_size) + SLOTS + g.reserve_size + g.starters)
    n = 0
    for label in range(seats):
        p = phases.seat_of(g, label)
        n = deal_player(g, p, g.stock_size + (label < left_over), cards, n)
    for label in range(seats):
        pile = phases.seat_of(g, label)
        for _ in range(g.reserve_size):
            g.reserve[pile, g.reserve_n[pile]] = cards[n]
            g.reserve_n[pile] += 1
            n += 1
        if g.starters > 0:
            g.starter[pile] = cards[n]
            n += 1


@kernel
def deal_rows(g: Game) -> None:
    """Each player has a pack: the stock and an open row of four (S2-19)."""
    for label in range(g.hand.shape[0]):
        cards = np.arange(PACK) + PACK * label
        g.deal_n = shuffle(g.seed, DEAL, g.deal_n, cards)
        deal_player(g, phases.seat_of(g, label), g.stock_size, cards, 0)


@kernel
def deal_player(g: Game, p: int, stock: int, cards: Any, n: int) -> int:
    """A stock and a hand from index n of the cards on; returns the index of what is left."""
    for _ in range(stock):
        g.stock[p, g.stock_n[p]] = cards[n]
        g.stock_n[p] += 1
        n += 1
    for slot in range(g.hand_size):
        hold(g, p, slot, cards[n])
        n += 1
    return n


@kernel
def can_turn(g: Game) -> bool:
    """Whether there is a card to turn: of a reserve, of a pile under its top, or of a stock (A-36, S2-19)."""
    for p in range(g.hand.shape[0]):
        if g.layout == HAND5 and (g.reserve_n[p] > 0 or g.pile_n[p] > 1):
            return True
        if g.layout == ROW4 and g.stock_n[p] > 0:
            return True
    return False


@kernel
def turn(g: Game) -> None:
    """Each reserve, or with rows each stock, turns its top onto its pile (S2-11, S2-19, A-36, A-41)."""
    seats = g.hand.shape[0]
    if g.layout == ROW4:
        for p in range(seats):
            if g.stock_n[p] > 0:
                turn_up(g, p, draw(g, p))
        return
    empty = False
    for pile in range(seats):
        empty |= g.reserve_n[pile] == 0
    if empty:
        remake_reserves(g)
    for pile in range(seats):
        if g.reserve_n[pile] > 0:
            g.reserve_n[pile] -= 1
            card = int(g.reserve[pile, g.reserve_n[pile]])
            if g.seen[card] != 0:
                g.mixed[rank_or_joker(card)] -= 1
            turn_up(g, pile, card)


@kernel
def start(g: Game) -> None:
    """The starters are turned all at once; without starters the reserves or stocks start the piles (S2-07, S2-19)."""
    if g.starters == 0:
        turn(g)
        return
    for pile in range(g.hand.shape[0]):
        if g.starter[pile] != NO_CARD:
            turn_up(g, pile, g.starter[pile])
            g.starter[pile] = NO_CARD


@kernel
def remake_reserves(g: Game) -> None:
    """What is left of the reserves and all pile cards but the tops, shuffled into new reserves (S2-12, A-36)."""
    seats = g.hand.shape[0]
    cards = np.empty(CARDS, np.int64)
    n = 0
    for label in range(seats):
        pile = phases.seat_of(g, label)
        n = gather(cards, n, g.reserve[pile], g.reserve_n[pile])
        under = max(0, g.pile_n[pile] - 1)
        n = gather(cards, n, g.pile[pile], under)
        g.pile[pile, 0] = g.pile[pile, under]
        g.pile_n[pile] -= under
    g.shuffle_n = shuffle(g.seed, SHUFFLE, g.shuffle_n, cards[:n])
    for r in range(KINDS_OF_CARDS):
        g.mixed[r] = 0
    for i in range(n):
        g.mixed[rank_or_joker(cards[i])] += g.seen[cards[i]]
    without = (1 << seats) - 1  # piles that have got none of the cards that are left over
    for _ in range(n % seats):
        without &= ~(1 << phases.coin_among(g, without))
    i = 0
    for label in range(seats):
        pile = phases.seat_of(g, label)
        g.reserve_n[pile] = 0
        for _ in range(n // seats + 1 - ((without >> pile) & 1)):
            g.reserve[pile, g.reserve_n[pile]] = cards[i]
            g.reserve_n[pile] += 1
            i += 1


@kernel
def gather(cards: Any, n: int, heap: Any, count: int) -> int:
    """Add the lowest cards of a heap to a list of n; returns its new length."""
    for i in range(count):
        cards[n + i] = heap[i]
    return n + count
