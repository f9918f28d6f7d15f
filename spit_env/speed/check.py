"""Whether a state record can be a game of Speed, and the fields that follow from others."""

from typing import Any

import numpy as np

from spit_env.cards import FIRST_JOKER, JOKER, PACK, card_name, rank_or_joker
from spit_env.check import STILL, check_core, check_derived, check_distinct, check_hand, core_ranges, read_rules
from spit_env.errors import BadBoard
from spit_env.speed.moves import slot_of
from spit_env.speed.rules import SpeedRules
from spit_env.speed.state import (
    CARDS,
    NO_TOP,
    SLOTS,
    accept_bits,
    action_count,
    draw_action,
    first_high,
)
from spit_env.state import LOCKED, OVER, PAUSE, PHASE_NAMES, RACE, RETURN, TRAVEL

# The values that a field may have, where it is more than its type says. Fields not named here are at least 0.
_RANGES = {
    "chooser": (-1, -1), "round_over": (0, 0), "held": (-1, CARDS - 1), "held_n": (0, SLOTS), "stock": (0, CARDS - 1),
    "stock_n": (0, CARDS), "reserve": (0, CARDS - 1), "reserve_n": (0, CARDS), "starter": (-1, CARDS - 1),
    "pile": (0, CARDS - 1), "pile_n": (0, CARDS), "top": (NO_TOP, JOKER), "named": (0, JOKER),
    "pile_at_launch": (0, CARDS), "seen": (0, 1),
}  # fmt: skip
# In which field each rule stands; `accept_bits` holds `doubles`.
_RULE_FIELDS = {name: name for name in SpeedRules.kinds() if name not in ("n_players", "doubles")} | {
    "stock": "stock_size",
    "reserve": "reserve_size",
}


def pack_of(decks: int, jokers: int) -> list[int]:
    """The cards that a game is played with."""
    return [*range(PACK * decks), *range(FIRST_JOKER, FIRST_JOKER + jokers)]


def cards_of(record: Any) -> list[int]:
    """All cards of a game, in no order that matters: hands, stocks, reserves, starters, piles and those in flight."""
    single = np.concatenate([record["held"].reshape(-1), record["starter"], record["card"]])
    cards: list[int] = single[single >= 0].tolist()
    for name in ("stock", "reserve", "pile"):
        for heap, n in zip(record[name], record[f"{name}_n"]):
            cards += heap[:n].tolist()
    return cards


def derive(record: Any) -> None:
    """Write `held_n`, `top`, `accepts`, `unseen` and `mixed`, which follow from the cards and from what was seen.

    A joker on top of a pile keeps the name that it has, if it has one.
    """
    record["held_n"] = (record["held"] >= 0).sum(1)
    record["unseen"] = record["mixed"] = record["accepts"] = 0
    for card in pack_of(int(record["decks"]), int(record["jokers"])):
        record["unseen"][rank_or_joker(card)] += not record["seen"][card]
    for i in range(len(record["pile_n"])):
        for card in record["reserve"][i, : record["reserve_n"][i]].tolist():
            record["mixed"][rank_or_joker(card)] += record["seen"][card]
        if record["pile_n"][i] == 0:
            record["top"][i] = NO_TOP
            continue
        rank = rank_or_joker(int(record["pile"][i, record["pile_n"][i] - 1]))
        if rank != JOKER or record["top"][i] == NO_TOP:
            record["top"][i] = rank
        record["accepts"][i] = record["accept_bits"][record["top"][i]]


def rules_of(record: Any) -> SpeedRules:
    """The rules that a record holds.

    Raises:
        ValueError: if it holds no possible rules.
    """
    values = read_rules(record, SpeedRules, _RULE_FIELDS)
    for doubles in (False, True):
        rules = SpeedRules(**values, n_players=len(record["hand"]), doubles=doubles)
        if np.array_equal(accept_bits(rules), record["accept_bits"]):
            return rules
    raise BadBoard("accept_bits: no rule lets just these ranks fit each other")


def check_state(record: Any) -> None:
    """Make sure that a kernel can run this record, and that it is a game between two moments.

    Raises:
        ValueError: if not; the message names the field and what would be right.
    """
    seats = len(record["hand"])
    check_core(record, core_ranges(seats, action_count(seats), CARDS) | _RANGES, SpeedRules)
    rules = rules_of(record)
    size = SLOTS if rules.layout == "hand5" else SLOTS - 1
    if record["hand_size"] != size:
        raise BadBoard(f"hand_size: {record['hand_size']} must be {size} with layout={rules.layout!r}")
    if record["phase"] not in (LOCKED, RACE, PAUSE, OVER):
        raise BadBoard(f"phase: Speed does not stay in phase {PHASE_NAMES[record['phase']]!r}")
    _check_cards(record, rules)
    _check_seen(record, rules)
    for p in range(seats):
        _check_hand(record, p)
    if record["phase"] != OVER:
        _check_goes_on(record, rules)


def _check_cards(record: Any, rules: SpeedRules) -> None:
    cards = cards_of(record)
    check_distinct(cards)
    for card in set(cards) - set(pack_of(rules.decks, rules.jokers)):
        raise BadBoard(f"the card {card_name(card)}, number {card}, is not in the pack")
    if (record["held"][:, record["hand_size"] :] >= 0).any():
        raise BadBoard(f"held: a hand has only {record['hand_size']} slots")
    check_derived(record, derive, ("held_n", "top", "accepts", "unseen", "mixed"))
    if rules.layout == "row4" and record["reserve_n"].any():
        raise BadBoard("reserve_n: a row of four is played without reserves")
    if (record["starter"] >= 0).any() and (record["phase"] != LOCKED or rules.starters == 0):
        raise BadBoard("starter: a starter lies on the table only before the start, and with starters=1")
    if record["phase"] == LOCKED and record["pile_n"].any():
        raise BadBoard(f"pile_n: {record['pile_n'].tolist()}, but there is no pile before the start")


def _check_seen(record: Any, rules: SpeedRules) -> None:
    """What lies open has been seen; a card of a stock and a starter have not."""
    shown = [*record["card"].tolist()]
    hidden = [*record["starter"].tolist()]
    for p in range(len(record["hand"])):
        shown += record["pile"][p, : record["pile_n"][p]].tolist()
        hidden += record["stock"][p, : record["stock_n"][p]].tolist()
    if rules.layout == "row4":
        shown += record["held"].reshape(-1).tolist()
    for cards, seen in ((shown, 1), (hidden, 0)):
        for card in cards:
            if card >= 0 and record["seen"][card] != seen:
                raise BadBoard(f"seen: {1 - seen} cannot be said of {card_name(card)}, where it lies")
    for card in set(np.flatnonzero(record["seen"]).tolist()) - set(cards_of(record)):
        raise BadBoard(f"seen: 1 cannot be said of {card_name(card)}, which is nowhere")


def _check_hand(record: Any, p: int) -> None:
    seats = len(record["hand"])
    action, card, named = (int(record[name][p]) for name in ("action", "card", "named"))
    carries = 0 < action < draw_action(seats)
    check_hand(record, p, carries, (*STILL, LOCKED))
    if record["hand"][p] not in (TRAVEL, RETURN):
        return
    if carries:
        slot, rank = slot_of(action, seats), rank_or_joker(card)
        if slot >= record["hand_size"] or record["held"][p, slot] >= 0:
            raise BadBoard(f"held: slot {slot + 1} of seat {p} is not free for the card in its hand")
        if rank == JOKER and action >= first_high(seats) and named == JOKER:
            raise BadBoard(f"named: seat {p} plays a joker as the rank above, but it has no name")
        if rank != JOKER and (named != rank or action >= first_high(seats)):
            raise BadBoard(f"named: seat {p}: {card_name(card)} is no joker; it counts as rank {rank}")
    elif action == draw_action(seats):
        if record["held_n"][p] >= record["hand_size"] or record["stock_n"][p] == 0:
            raise BadBoard(f"action: seat {p} draws, but has no room in the hand or no stock")
    elif not record["announce"] or record["held_n"][p] + record["stock_n"][p]:
        raise BadBoard(f"action: seat {p} calls, but is not out, or announce is off")


def _check_goes_on(record: Any, rules: SpeedRules) -> None:
    """Neither the deal nor the match has been won."""
    left = record["held_n"] + record["stock_n"] + (record["card"] >= 0)
    if not rules.announce and not left.all():
        raise BadBoard(f"held: seat {left.argmin()} has no card left, which wins the deal")
    if record["score"].max() > max(0, rules.match_score - 1):
        raise BadBoard(f"score: {record['score'].tolist()} ends a game with match_score={rules.match_score}")
