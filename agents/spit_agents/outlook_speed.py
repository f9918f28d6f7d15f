"""How Emma sees a table of Speed: which ranks fit, her own hand, and how likely the others can play.

Ranks are 1 (ace) to 13 (king) and 14 (a joker, as a top: one without a name); 0 is none. Tops and hands are packed
(`spit_agents.packed`), sets of ranks are bits. What fits is told by a number, ``rule`` (`spit_agents.fits`).
"""

from typing import Any

import numpy as np

from spit_agents.fits import near
from spit_agents.packed import count_bits, put, rank_at
from spit_env.cards import RANKS
from spit_env.jit import kernel
from spit_env.speed.state import KINDS_OF_CARDS, SLOTS
from spit_env.state import TRAVEL

WILD = RANKS + 1  # a joker
ROOM = 5 * SLOTS * 8  # plays that `longest_run` may have to try at a time: for each of five cards all there are
SURE = 1000  # a chance of one: chances are whole numbers of thousandths
_ANY = (1 << KINDS_OF_CARDS) - 1 << 1


# For each rule and top the ranks that fit, and a joker.
NEAR = np.full((4, WILD + 1), _ANY)
NEAR[:, :WILD] = np.where(near() > 0, near() | 1 << WILD, 0)


@kernel
def fitting(tops: int, seats: int, rule: int) -> int:
    """The ranks that fit one of the tops."""
    bits = 0
    for pile in range(seats):
        bits |= NEAR[rule, rank_at(tops, pile)]
    return bits


@kernel
def lands(name: int, top: int, rule: int) -> bool:
    """Whether a card that counts as this rank fits the top; a joker without a name fits only another."""
    return top == WILD if name == WILD else (NEAR[rule, top] >> name) & 1 != 0


@kernel
def tops_to_come(view: Any, rule: int) -> int:
    """The tops once the others' cards in flight have landed, the soonest first."""
    seats = view.hand.shape[0]
    tops = 0
    for pile in range(seats):
        tops = put(tops, pile, int(view.pile_top[pile]))
    landed = 0
    for _ in range(seats - 1):
        soonest = 0
        for k in range(1, seats):
            flies = view.flight_pile[k] > 0 and view.hand[k] == TRAVEL and (landed >> k) & 1 == 0
            if flies and (soonest == 0 or view.flight_left[k] < view.flight_left[soonest]):
                soonest = k
        if soonest == 0:
            break
        landed |= 1 << soonest
        pile, name = int(view.flight_pile[soonest]) - 1, int(view.flight_name[soonest])
        if lands(name, rank_at(tops, pile), rule):
            tops = put(tops, pile, name)
    return tops


@kernel
def count_fitting(hand: int, bits: int) -> int:
    """How many cards of a hand are in a set."""
    n = 0
    for s in range(SLOTS):
        n += (bits >> rank_at(hand, s)) & 1
    return n


@kernel
def reach(hand: int, rule: int) -> int:
    """How many tops there are that some card of the hand fits."""
    bits = 0
    for s in range(SLOTS):
        bits |= NEAR[rule, rank_at(hand, s)]
    return count_bits(bits & ~(1 << WILD))


@kernel
def longest_run(hand: int, tops: int, seats: int, rule: int, todo: Any) -> int:
    """How many cards of the hand can be played one after the other, if nobody else plays; jokers if nothing else fits.

    ``todo`` is room for `ROOM` numbers.
    """
    cards = count_fitting(hand, _ANY)
    longest = 0
    todo[0] = hand | tops << 20
    waiting = 1
    while waiting > 0 and longest < cards:
        waiting -= 1
        hand, tops = int(todo[waiting]) & 0xFFFFF, int(todo[waiting]) >> 20
        longest = max(longest, cards - count_fitting(hand, _ANY))
        before = waiting
        for s in range(SLOTS):
            rank = rank_at(hand, s)
            if 0 < rank < WILD:
                for pile in range(seats):
                    if (NEAR[rule, rank_at(tops, pile)] >> rank) & 1:
                        todo[waiting] = put(hand, s, 0) | put(tops, pile, rank) << 20
                        waiting += 1
        if waiting == before:
            waiting = add_joker_plays(hand, tops, seats, todo, waiting)
    return longest


@kernel
def add_joker_plays(hand: int, tops: int, seats: int, todo: Any, waiting: int) -> int:
    """List what the first joker of the hand can be played as; returns the new length of the list."""
    for s in range(SLOTS):
        if rank_at(hand, s) == WILD:
            for pile in range(seats):
                top = rank_at(tops, pile)
                if top > 0:
                    for name in (top % RANKS + 1, (top - 2) % RANKS + 1):
                        todo[waiting] = put(hand, s, 0) | put(tops, pile, name if top < WILD else WILD) << 20
                        waiting += 1
            break
    return waiting


@kernel
def chance_to_play(view: Any, k: int, fits: int) -> int:
    """How likely player k holds a card of a set, in thousandths."""
    unknown = int(view.held_count[k])
    for s in range(SLOTS):
        rank = int(view.held_card[k, s])
        if rank > 0:
            unknown -= 1
            if (fits >> rank) & 1:
                return SURE
    good, all_cards = 0, 0
    for r in range(KINDS_OF_CARDS):
        all_cards += int(view.unseen[r])
        if (fits >> (r + 1)) & 1:
            good += int(view.unseen[r])
    if good == 0:
        return 0
    miss = SURE
    for _ in range(unknown):
        miss = miss * (all_cards - good) // all_cards
    return SURE - miss
