"""Speed's state record and its action numbers, for two to four seats (docs/speed.md)."""

from functools import cache
from typing import Any

import numpy as np

from spit_env.cards import FIRST_JOKER, JOKER, RANKS
from spit_env.jit import entry
from spit_env.ruleset import Rules
from spit_env.speed.rules import SpeedRules
from spit_env.state import DIRTY_GAME, core_fields

SLOTS = 5  # of a hand; a row has four
CARDS = FIRST_JOKER + 4  # numbers of cards, of two packs and all jokers
KINDS_OF_CARDS = RANKS + 1  # the ranks, and jokers
HAND5, ROW4 = range(2)  # `layout`
AUTO = 0  # `refill`
STRICT = 1  # `land_check`
NO_TOP = -1  # what `top` says of a pile without cards; JOKER: a joker without a name

# Actions (docs/speed.md); all but the first depend on the number of seats.
FIRST_PLAY = 1

# What of an observation is stale, besides the core's bits.
DIRTY_UNSEEN = DIRTY_GAME  # what is known of cards that do not lie open
DIRTY_REST = 2 * DIRTY_GAME  # what changes together with the phase only
DIRTY_HAND = 4 * DIRTY_GAME  # shifted by the seat whose hand it is

_RULES = ("layout", "refill", "land_check", "announce", "jokers", "ace_wrap")


@entry
def first_high(seats: int) -> int:
    """The first action that plays a joker as the rank above."""
    return FIRST_PLAY + SLOTS * seats


@entry
def draw_action(seats: int) -> int:
    """DRAW."""
    return FIRST_PLAY + 2 * SLOTS * seats


@entry
def call_action(seats: int) -> int:
    """CALL."""
    return FIRST_PLAY + 2 * SLOTS * seats + 1


def action_count(seats: int) -> int:
    """How many actions there are."""
    return FIRST_PLAY + 2 * SLOTS * seats + 2


@cache
def state_dtype(seats: int) -> np.dtype[Any]:
    """The record for so many seats. The field names are the same for all, so the verbs are too."""
    return np.dtype(
        core_fields(seats)
        + [
            ("held", "i1", (seats, SLOTS)),  # the card in each slot of the hand, -1: none
            ("held_n", "i1", (seats,)),  # how many there are
            ("stock", "i1", (seats, CARDS)),  # bottom to top
            ("stock_n", "i1", (seats,)),
            ("reserve", "i1", (seats, CARDS)),  # of each pile; bottom to top
            ("reserve_n", "i1", (seats,)),
            ("starter", "i1", (seats,)),  # the card that starts each pile, -1: none or turned
            ("pile", "i1", (seats, CARDS)),  # bottom to top
            ("pile_n", "i1", (seats,)),
            ("top", "i1", (seats,)),  # the rank that each pile shows, a joker's name; JOKER or NO_TOP
            ("accepts", "i4", (seats,)),  # bit r: a card of rank r fits the pile now; bit JOKER: a joker without a name
            ("accept_bits", "i4", (KINDS_OF_CARDS,)),  # the same for each top, from the rules
            ("named", "i1", (seats,)),  # the rank that the card in flight counts as; JOKER: a joker without a name
            ("pile_at_launch", "i1", (seats,)),
            ("seen", "i1", (CARDS,)),  # has been face up in this deal
            ("unseen", "i1", (KINDS_OF_CARDS,)),  # cards of a rank that have not
            ("mixed", "i1", (KINDS_OF_CARDS,)),  # seen cards of a rank that lie among the reserves
            ("score", "i2", (seats,)),
            ("hand_size", "i1"),
            ("decks", "i1"),
            ("stock_size", "i1"), ("reserve_size", "i1"), ("starters", "i1"),  # what is dealt
            ("match_score", "i2"),
        ]
        + [(name, "i1") for name in _RULES],
        align=True,
    )  # fmt: skip


STATE = state_dtype(2)  # for the names of the fields, by which the verbs are found


def accept_bits(rules: SpeedRules) -> Any:
    """Shape (14,): for each top the ranks that fit it as bits (S2-02, S2-08, S2-21, A-38)."""
    bits = np.zeros(KINDS_OF_CARDS, np.int32)
    for top in range(RANKS):
        for step in (-1, 1):
            if rules.ace_wrap or 0 <= top + step < RANKS:
                bits[top] |= 1 << ((top + step) % RANKS)
        if rules.doubles:
            bits[top] |= 1 << top
    bits[JOKER] = (1 << KINDS_OF_CARDS) - 1
    return bits


def blank(rules: Rules) -> np.void:
    """A state record that holds the rules and nothing else."""
    assert isinstance(rules, SpeedRules)
    record = np.zeros(1, state_dtype(rules.n_players))
    for name, value in rules.code().items():
        if name in STATE.fields and name not in ("stock", "reserve"):  # type: ignore[operator]
            record[name] = value
    record["stock_size"], record["reserve_size"] = rules.stock, rules.reserve
    record["hand_size"] = SLOTS if rules.layout == "hand5" else SLOTS - 1
    record["accept_bits"] = accept_bits(rules)
    record["label"] = np.arange(rules.n_players)
    for name in ("winner", "chooser", "card", "look", "held", "starter", "top"):
        record[name] = -1
    return record[0]  # type: ignore[no-any-return]
