"""Whether a state record can be a game of Spit, and the fields that follow from others."""

from typing import Any

import numpy as np

from spit_env.cards import RANKS, SUITS, card_name, rank_of
from spit_env.check import check_core, check_derived, check_distinct, check_hand, core_ranges, read_rules
from spit_env.errors import BadBoard
from spit_env.spit.moves import source_of, target_of
from spit_env.spit.rules import SpitRules
from spit_env.spit.state import (
    ACTIONS,
    CARDS,
    DEPTH,
    FACE_DOWN,
    FIRST_FLIP,
    FIRST_MOVE,
    GAP,
    SEATS,
    SPIT,
    STACKS,
    accept_bits,
)
from spit_env.state import PHASE_NAMES, PICK, RETURN, SLAP, SOLO, TRAVEL

# The values that a field may have, where it is more than its type says. Fields not named here are at least 0.
_RANGES = core_ranges(SEATS, ACTIONS, CARDS) | {
    "stack": (0, CARDS - 1), "height": (0, DEPTH), "down": (0, DEPTH), "top": (GAP, RANKS - 1), "deck": (0, CARDS - 1),
    "deck_n": (0, CARDS), "pile": (0, CARDS - 1), "pile_n": (0, CARDS), "pile_at_launch": (0, CARDS),
    "known": (0, RANKS), "seen": (0, 1), "unseen": (0, SUITS), "lost": (0, SUITS), "budget": (0, 100),
    "consent": (0, 1), "spit_to": (0, SEATS - 1), "spit_fixed": (0, 1), "takes": (-1, SEATS - 1), "stuck": (0, 1),
    "round_winner": (-1, SEATS - 1),
}  # fmt: skip
# Which rules stand in a field of their own; `accept_bits` holds the others.
_RULE_FIELDS = {name: name for name in SpitRules.kinds() if name not in ("ace_wrap", "doubles")}


def cards_of(record: Any) -> list[int]:
    """All cards of a game, in no order that matters: stacks, decks, piles and those in a hand."""
    cards = [int(card) for card in record["card"] if card >= 0]
    for p in range(SEATS):
        cards += record["deck"][p, : record["deck_n"][p]].tolist() + record["pile"][p, : record["pile_n"][p]].tolist()
        for s in range(STACKS):
            cards += record["stack"][p, s, : record["height"][p, s]].tolist()
    return cards


def derive(record: Any) -> None:
    """Write `top`, `accepts`, `unseen` and `lost`, which follow from the cards and from what is known of them."""
    record["accepts"] = record["lost"] = 0
    record["unseen"] = SUITS - record["seen"].reshape(RANKS, SUITS).sum(1)
    for p in range(SEATS):
        hidden = record["deck"][p, : record["deck_n"][p]].tolist()
        for s in range(STACKS):
            height, down = int(record["height"][p, s]), int(record["down"][p, s])
            stack = record["stack"][p, s, :height].tolist()
            hidden += stack[:down]
            record["top"][p, s] = GAP if height == 0 else FACE_DOWN if down == height else rank_of(stack[-1])
        for card in hidden:
            if record["seen"][card] and not record["known"][card]:
                record["lost"][p, rank_of(card)] += 1
        if record["pile_n"][p]:
            record["accepts"][p] = record["accept_bits"][rank_of(record["pile"][p, record["pile_n"][p] - 1])]


def rules_of(record: Any) -> SpitRules:
    """The rules that a record holds.

    Raises:
        ValueError: if it holds no possible rules.
    """
    values = read_rules(record, SpitRules, _RULE_FIELDS)
    for wrap, doubles in ((True, False), (False, False), (True, True), (False, True)):
        rules = SpitRules(**values, ace_wrap=wrap, doubles=doubles)
        if np.array_equal(accept_bits(rules), record["accept_bits"]):
            return rules
    raise BadBoard("accept_bits: no rule lets just these ranks fit each other")


def check_state(record: Any) -> None:
    """Make sure that a kernel can run this record, and that it is a game between two moments.

    Raises:
        ValueError: if not; the message names the field and what would be right.
    """
    check_core(record, _RANGES, SpitRules)
    rules_of(record)
    _check_cards(record)
    for p in range(SEATS):
        _check_hand(record, p)
    phase = record["phase"]
    if phase in (SOLO, PICK) and record["chooser"] < 0:
        raise BadBoard(f"chooser: -1 in phase {PHASE_NAMES[phase]!r}, in which somebody must choose")
    if phase in (SOLO, PICK, SLAP) and not record["pile_n"].any() and not (phase == PICK and record["one_pile_finish"]):
        raise BadBoard(f"pile_n: no pile in phase {PHASE_NAMES[phase]!r}, in which there is one to take")


def _check_cards(record: Any) -> None:
    check_distinct(cards_of(record))
    if (record["down"] > record["height"]).any():
        raise BadBoard("down: more cards are face down than the stack has")
    check_derived(record, derive, ("top", "accepts", "unseen", "lost"))
    for card in range(CARDS):
        if record["known"][card] not in (0, (1 + rank_of(card)) * record["seen"][card]):
            raise BadBoard(f"known: {record['known'][card]} cannot be said of {card_name(card)}")
    for p in range(SEATS):
        for s in range(STACKS):
            up = record["stack"][p, s, record["down"][p, s] : record["height"][p, s]].tolist()
            if len({rank_of(card) for card in up}) > 1:
                raise BadBoard(f"stack: face-up cards of two ranks in stack {s + 1} of seat {p}")


def _check_hand(record: Any, p: int) -> None:
    hand, action, card = (int(record[name][p]) for name in ("hand", "action", "card"))
    carries = 0 < action < SPIT and not FIRST_FLIP <= action < FIRST_MOVE
    check_hand(record, p, carries)
    if hand not in (TRAVEL, RETURN) or action >= SPIT:
        return
    heights, tops = record["height"][p], record["top"][p]
    source = source_of(action)
    if carries and heights[source] == DEPTH:
        raise BadBoard(f"height: no room in stack {source + 1} of seat {p} for the card in its hand")
    if not carries and tops[source] != FACE_DOWN:
        raise BadBoard(f"action: seat {p} turns stack {source + 1}, whose top is not face down")
    if hand == TRAVEL and action >= FIRST_MOVE and tops[target_of(action)] not in (GAP, rank_of(card)):
        raise BadBoard(f"action: seat {p}: {card_name(card)} cannot go onto stack {target_of(action) + 1}")
