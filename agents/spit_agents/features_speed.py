"""What a net that plays Speed sees, with two to four players.

Ranks are written relative to a pile top, the own pile's if it has one, which makes the 13-fold symmetry of the game
exact where king and ace are neighbours. What decides a play is written out: which card fits which pile and which other
card, how far a hand can be played out after each play, and how likely the others have a card to play.
"""

from typing import Any

import numpy as np

from spit_agents.encoding import SLOTS as RANK_PLACES
from spit_agents.encoding import fit, number, one_hot
from spit_agents.outlook_speed import NEAR, ROOM, SURE, WILD, chance_to_play, fitting, longest_run, tops_to_come
from spit_agents.packed import put, rank_at
from spit_env.cards import RANKS
from spit_env.jit import entry, kernel
from spit_env.speed.state import KINDS_OF_CARDS, SLOTS

KIND_PLACES = RANK_PLACES + 1  # a relative rank or none, and a joker
PHASES = 7
FLIGHTS = 3  # play, draw, call


def size(seats: int) -> int:
    """How many numbers there are for so many seats."""
    pile = 2 * KIND_PLACES + 3
    player = 3 + 5 + 2 + 1
    card = KIND_PLACES + 4 * seats + 1
    pairs = SLOTS * (SLOTS - 1)
    other = SLOTS * (KIND_PLACES + seats) + 2 + FLIGHTS + 2 * KIND_PLACES + seats + 1
    rest = 2 * KINDS_OF_CARDS + 4 + PHASES + 2
    return seats * (pile + player) + SLOTS * card + pairs + (seats - 1) * other + rest


@kernel
def kind(out: Any, at: int, rank: int, reference: int) -> int:
    """A rank (1..13, 14: a joker, 0: none) relative to a reference (0..12); returns the next free place."""
    at = one_hot(out, at, 0 if rank == WILD else rank, reference)
    return number(out, at, 1.0 if rank == WILD else 0.0)


@kernel
def fits(card: int, top: int) -> float:
    """1 if a card may be played on a top without doubles."""
    return 1.0 if card > 0 and (NEAR[0, top] >> card) & 1 else 0.0


@kernel
def reference_of(o: Any) -> int:
    """The rank (0..12) that others are counted from: the first pile top that has one."""
    for pile in range(o.hand.shape[0]):
        if 0 < o.pile_top[pile] <= RANKS:
            return int(o.pile_top[pile]) - 1
    return 0


@kernel
def write_piles(o: Any, out: Any, at: int, reference: int, tops: int) -> int:
    """The piles as they are and as they will be; returns the next free place."""
    for pile in range(o.hand.shape[0]):
        at = kind(out, at, int(o.pile_top[pile]), reference)
        at = kind(out, at, rank_at(tops, pile), reference)
        at = number(out, at, o.pile_count[pile] / 26.0)
        at = number(out, at, o.reserve_count[pile] / 15.0)
        open_cards = 0.0
        for r in range(KINDS_OF_CARDS):
            if (NEAR[0, rank_at(tops, pile)] >> (r + 1)) & 1:
                open_cards += o.unseen[r]
        at = number(out, at, min(8.0, open_cards / 8.0))
    return at


@kernel
def write_players(o: Any, out: Any, at: int) -> int:
    """Counts and speeds of all players; returns the next free place."""
    for k in range(o.hand.shape[0]):
        at = number(out, at, o.held_count[k] / 5.0)
        at = number(out, at, o.stock_count[k] / 15.0)
        at = number(out, at, o.score[k] / 25.0)
        for action in range(5):
            at = number(out, at, o.pace[k, action] / 100.0)
        at = number(out, at, o.spread[k, 0] / 25.0)
        at = number(out, at, o.spread[k, 1] / 25.0)
        at = number(out, at, o.perception[k] / 50.0)
    return at


@kernel
def write_hand(o: Any, out: Any, at: int, reference: int, tops: int, todo: Any) -> int:
    """The own cards against the piles and each other; returns the next free place."""
    seats = o.hand.shape[0]
    hand = 0
    for s in range(SLOTS):
        hand = put(hand, s, int(o.held_card[0, s]))
    for s in range(SLOTS):
        card = rank_at(hand, s)
        at = kind(out, at, card, reference)
        for pile in range(seats):
            top = int(o.pile_top[pile])
            at = number(out, at, fits(card, top))
            at = number(out, at, fits(card, rank_at(tops, pile)))
            at = number(out, at, 1.0 if card > 0 and card == top else 0.0)
            run = 0
            if 0 < card < WILD and top > 0:
                run = longest_run(put(hand, s, 0), put(tops, pile, card), seats, 0, todo)
            at = number(out, at, run / 4.0)
        follow = 0.0
        for q in range(SLOTS):
            if q != s:
                follow += fits(rank_at(hand, q), card)
        at = number(out, at, follow)
        for q in range(s):
            at = number(out, at, fit(card, rank_at(hand, q)) if card < WILD and rank_at(hand, q) < WILD else 0.0)
            at = number(out, at, 1.0 if card > 0 and card == rank_at(hand, q) else 0.0)
    return at


@kernel
def write_other(o: Any, k: int, out: Any, at: int, reference: int, tops: int) -> int:
    """What is known of another player's hand, and what it is doing; returns the next free place."""
    seats = o.hand.shape[0]
    for s in range(SLOTS):
        card = int(o.held_card[k, s])
        at = kind(out, at, card, reference)
        for pile in range(seats):
            at = number(out, at, fits(card, rank_at(tops, pile)))
    at = number(out, at, chance_to_play(o, k, fitting(tops, seats, 0), 0) / SURE)
    at = number(out, at, o.hand[k] / 4.0)
    for doing in range(FLIGHTS):
        at = number(out, at, 1.0 if o.flight_kind[k] == doing + 1 else 0.0)
    at = kind(out, at, int(o.flight_card[k]), reference)
    at = kind(out, at, int(o.flight_name[k]), reference)
    for pile in range(seats):
        at = number(out, at, 1.0 if o.flight_pile[k] == pile + 1 else 0.0)
    return number(out, at, o.flight_left[k] / 25.0)


@kernel
def write_rest(o: Any, out: Any, at: int, reference: int) -> int:
    """What belongs to nobody; returns the next free place."""
    for counts in (o.unseen, o.mixed):
        for r in range(RANKS):
            at = number(out, at, counts[(r + reference) % RANKS] / 4.0)
        at = number(out, at, counts[RANKS] / 2.0)
    at = number(out, at, o.hand[0] / 4.0)
    at = number(out, at, 1.0 if o.goal > 0 else 0.0)
    at = number(out, at, o.goal / 25.0)
    at = number(out, at, o.rounds / 16.0)
    at = number(out, at, min(1.0, o.idle / 50.0))
    at = number(out, at, o.left / 50.0)
    for phase in range(PHASES):
        at = number(out, at, 1.0 if o.phase == phase else 0.0)
    return at


@kernel
def write_features(o: Any, out: Any, todo: Any) -> int:
    """One observation record into one row; returns how many numbers were written."""
    reference, tops = reference_of(o), tops_to_come(o, 0)
    at = write_piles(o, out, 0, reference, tops)
    at = write_players(o, out, at)
    at = write_hand(o, out, at, reference, tops, todo)
    for k in range(1, o.hand.shape[0]):
        at = write_other(o, k, out, at, reference, tops)
    return write_rest(o, out, at, reference)


@entry
def encode_rows(views: Any, out: Any) -> int:
    """All rows; returns how many numbers a row has."""
    n = 0
    todo = np.empty(ROOM, np.int64)
    for i in range(views.shape[0]):
        n = write_features(views[i], out[i], todo)
    return n
