"""Whether a state record can be a game of California Speed, and the fields that follow from others."""

from typing import Any

from spit_env.california.rules import CaliforniaRules
from spit_env.california.state import ACTIONS, CARDS, NO_TOP, SEATS, STACKS
from spit_env.cards import RANKS, SUITS, rank_of
from spit_env.check import check_core, check_derived, check_distinct, check_hand, core_ranges, read_rules
from spit_env.errors import BadBoard
from spit_env.state import FINISHED, LOCKED, MAX_ROUNDS, OVER, PAUSE, PHASE_NAMES, RACE

# The values that a field may have, where it is more than its type says. Fields not named here are at least 0.
_RANGES = core_ranges(SEATS, ACTIONS, CARDS) | {
    "chooser": (-1, -1), "round_over": (0, 0), "pack": (0, CARDS - 1), "pack_n": (0, CARDS), "stack": (0, CARDS - 1),
    "height": (0, CARDS), "top": (NO_TOP, RANKS - 1), "coverable": (0, 1), "seen": (0, 1), "unseen": (0, SUITS),
}  # fmt: skip
_RULE_FIELDS = {name: name for name in CaliforniaRules.kinds()}


def stack_of(record: Any, p: int, s: int) -> list[int]:
    """The cards of a place, bottom to top."""
    cards: list[int] = record["stack"][p, s, : record["height"][p, s]].tolist()
    return cards


def pack_of(record: Any, p: int) -> list[int]:
    """The cards of a pack, bottom to top."""
    cards: list[int] = record["pack"][p, : record["pack_n"][p]].tolist()
    return cards


def face_up(record: Any) -> list[int]:
    """The cards that have landed or been laid, and those in a hand."""
    laid = [card for p in range(SEATS) for s in range(STACKS) for card in stack_of(record, p, s)]
    return laid + [int(card) for card in record["card"] if card >= 0]


def cards_of(record: Any) -> list[int]:
    """All cards of a game, in no order that matters: stacks, packs and those in a hand."""
    return face_up(record) + [card for p in range(SEATS) for card in pack_of(record, p)]


def derive(record: Any) -> None:
    """Write what follows from the cards: `top`, of `seen` what lies open, `unseen`, and of `coverable` what is plain to
    see; a place whose match was broken by the first cover stays as it is (CS-04)."""
    record["seen"][face_up(record)] = 1
    record["unseen"] = SUITS - record["seen"].reshape(RANKS, SUITS).sum(1)
    stacks = [[stack_of(record, p, s) for s in range(STACKS)] for p in range(SEATS)]
    tops = [rank_of(stack[-1]) for row in stacks for stack in row if stack]
    for p, row in enumerate(stacks):
        for s, stack in enumerate(row):
            upper = [rank_of(card) for card in stack[-2:]]
            record["top"][p, s] = upper[-1] if upper else NO_TOP
            if not upper:
                record["coverable"][p, s] = 0
            elif tops.count(upper[-1]) > 1 or (record["doubles"] and len(upper) == 2 and upper[0] == upper[1]):
                record["coverable"][p, s] = 1


def rules_of(record: Any) -> CaliforniaRules:
    """The rules that a record holds.

    Raises:
        ValueError: if it holds no possible rules.
    """
    return CaliforniaRules(**read_rules(record, CaliforniaRules, _RULE_FIELDS))


def check_state(record: Any) -> None:
    """Make sure that a kernel can run this record, and that it is a game between two moments.

    Raises:
        ValueError: if not; the message names the field and what would be right.
    """
    check_core(record, _RANGES, CaliforniaRules)
    rules_of(record)
    check_distinct(cards_of(record))
    check_derived(record, derive, ("top", "coverable", "seen", "unseen"))
    for p in range(SEATS):
        check_hand(record, p, bool(record["action"][p]), (LOCKED, PAUSE, OVER))
    phase, reason = int(record["phase"]), int(record["end_reason"])
    if phase not in (LOCKED, RACE, PAUSE, OVER):
        raise BadBoard(f"phase: California Speed has no phase {PHASE_NAMES[phase]!r}")
    laid = bool(record["height"].any())
    if laid == (phase == LOCKED) and phase != OVER:
        raise BadBoard(f"height: {'a row lies' if laid else 'no row lies'} in phase {PHASE_NAMES[phase]!r}")
    if 0 < reason < MAX_ROUNDS and (reason != FINISHED or record["pack_n"][record["winner"]] > 0):
        raise BadBoard(f"end_reason: {reason}, but seat {record['winner']} has not emptied the pack")
