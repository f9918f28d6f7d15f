"""Spit's state record and its action numbers (docs/spit.md)."""

import numpy as np
import numpy.typing as npt

from spit_env.cards import RANKS
from spit_env.ruleset import Rules
from spit_env.spit.rules import SpitRules
from spit_env.state import DIRTY_GAME, core_fields

SEATS = 2
STACKS = 5
DEPTH = 8  # a stack's most: 4 face-down cards under 4 of one rank
CARDS = 52
FACE_DOWN, GAP = -1, -2  # what `top` says of a stack without a face-up top

# Actions (docs/spit.md)
FIRST_PLAY = 1
FIRST_FLIP = FIRST_PLAY + STACKS * SEATS
FIRST_MOVE = FIRST_FLIP + STACKS
SPIT = FIRST_MOVE + STACKS * (STACKS - 1)
FIRST_PICK = SPIT + 1
ACTIONS = FIRST_PICK + SEATS

# What of an observation is stale, besides the core's bits.
DIRTY_DECKS = DIRTY_GAME
DIRTY_UNSEEN = 2 * DIRTY_GAME  # what is known of cards that do not lie open
DIRTY_STACK = 4 * DIRTY_GAME  # shifted by STACKS * seat + stack

_RULES = (
    "short_layout", "deal_order", "pickup_shuffle", "pickup_orientation", "combine", "rearrange_needs_facedown",
    "prespit_combine", "flip", "land_check", "stuck_test", "spit_trigger", "solo_spit", "rearrange_budget",
    "round_end", "one_pile_finish", "win", "blocked", "blocked_tie", "pile_count_visibility",
)  # fmt: skip

STATE = np.dtype(
    core_fields(SEATS)
    + [
        ("stack", "i1", (SEATS, STACKS, DEPTH)),  # cards, bottom to top
        ("height", "i1", (SEATS, STACKS)),
        ("down", "i1", (SEATS, STACKS)),  # how many of them are face down
        ("top", "i1", (SEATS, STACKS)),  # rank of the face-up top, else FACE_DOWN or GAP
        ("deck", "i1", (SEATS, CARDS)),  # bottom to top
        ("deck_n", "i1", (SEATS,)),
        ("pile", "i1", (SEATS, CARDS)),  # pile i is the own pile of seat i; bottom to top
        ("pile_n", "i1", (SEATS,)),
        ("accepts", "i4", (SEATS,)),  # bit r: a card of rank r fits the pile now
        ("accept_bits", "i4", (RANKS,)),  # the same for each rank on top, from the rules
        ("pile_at_launch", "i1", (SEATS,)),
        ("known", "i1", (CARDS,)),  # 1 + rank if everybody knows where the card is, else 0
        ("seen", "i1", (CARDS,)),  # has been face up in this game
        ("unseen", "i1", (RANKS,)),  # cards of a rank that have never been face up
        ("lost", "i1", (SEATS, RANKS)),  # seen, and since a shuffle somewhere among the player's face-down cards
        ("budget", "i1", (SEATS,)), ("consent", "i1", (SEATS,)),
        ("spit_to", "i1", (SEATS,)), ("spit_fixed", "i1", (SEATS,)),
        ("takes", "i1", (SEATS,)),  # the pile that a player picks up, -1: none
        ("stuck", "i1"),  # spit_trigger="request_when_stuck": the table has been found stuck
        ("round_winner", "i1"),
    ]
    + [(name, "i1") for name in _RULES],
    align=True,
)  # fmt: skip


def accept_bits(rules: SpitRules) -> npt.NDArray[np.int32]:
    """Shape (13,): for each rank on top of a pile, the ranks that fit it as bits (S0-08, S0-10, C-10, C-23)."""
    bits = np.zeros(RANKS, np.int32)
    for top in range(RANKS):
        for step in (-1, 1):
            if rules.ace_wrap or 0 <= top + step < RANKS:
                bits[top] |= 1 << ((top + step) % RANKS)
        if rules.doubles:
            bits[top] |= 1 << top
    return bits


def blank(rules: Rules) -> np.void:
    """A state record that holds the rules and nothing else."""
    assert isinstance(rules, SpitRules)
    record = np.zeros(1, STATE)
    for name, value in rules.code().items():
        if name in STATE.names:  # type: ignore[operator]
            record[name] = value
    record["accept_bits"] = accept_bits(rules)
    record["label"] = np.arange(SEATS)
    for name in ("winner", "chooser", "round_winner", "card", "look"):
        record[name] = -1
    return record[0]  # type: ignore[no-any-return]
