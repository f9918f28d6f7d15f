"""What cannot be a game of Speed between two moments is refused before a kernel touches it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from spit_env.cards import JOKER
from spit_env.errors import BadBoard, BadRules
from spit_env.speed.board import parse_board
from spit_env.speed.check import cards_of, check_state, derive, pack_of, rules_of
from spit_env.speed.rules import PRESETS, SpeedRules
from spit_env.speed.state import call_action, draw_action, state_dtype
from spit_env.state import BLOCKED, FINISHED, LOCKED, OPEN, OVER, PAUSE, PICK, RETURN, SLAP, SOLO, TRAVEL
from tests.speed.records import BOARD, JOKERS, NUMBERS, in_flight, random_record, random_rules

Damage = Callable[[Any], None]
ROW = PRESETS["bicycle"]
OUT = SpeedRules(announce=True)


def busy(record: Any, action: int) -> None:
    """Y's hand does something without a card."""
    record["hand"][0], record["until"][0], record["action"][0] = TRAVEL, 100, action


def put(name: str, value: Any, *at: int) -> Damage:
    """Writes a value into a field."""

    def damage(record: Any) -> None:
        if at:
            record[name][at] = value
        else:
            record[name] = value

    return damage


def both(*damages: Damage) -> Damage:
    """One damage after another."""

    def damage(record: Any) -> None:
        for each in damages:
            each(record)

    return damage


def refusal(record: Any) -> str:
    """Why a record is refused; one line."""
    with pytest.raises((BadBoard, BadRules)) as caught:
        check_state(record)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.plain
@pytest.mark.parametrize("name", state_dtype(2).names or ())
def test_no_field_may_hold_a_number_below_its_least(name: str) -> None:
    record = parse_board(BOARD, JOKERS, 1)
    check_state(record)
    record[name] = -2
    assert name in refusal(record)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (put("phase", SOLO), "phase: Speed does not stay in phase 'solo'"),
        (put("phase", SLAP), "phase: Speed does not stay in phase 'slap'"),
        (put("phase", PICK), "phase: Speed does not stay in phase 'pick'"),
        (put("phase", OVER), "end_reason: 0 does not go with phase 'over'"),
        (put("phase", PAUSE), "phase_until: 0 is not later than time, 0: the pause would not end"),
        (put("end_reason", FINISHED), "end_reason: 1 does not go with phase 'race'"),
        (both(put("phase", OVER), put("end_reason", BLOCKED)), "winner: -1 does not go with the end reason 'blocked'"),
        (put("winner", 1), "winner: 1 does not go with the end reason ''"),
        (put("chooser", 0), "chooser: a value is outside -1 to -1"),
        (put("round_over", 1), "round_over: a value is outside 0 to 0"),
        (put("label", 1), "label: [1, 1] must hold each of 0 to 1 once"),
        (put("race_from", 5), "race_from: 5 is later than time, 0"),
        (put("layout", 2), "layout: 2 must be 0 to 1"),
        (put("layout", 1), "layout='row4' is for two"),
        (put("stock_size", 20), "the deal must come out even"),
        (put("accept_bits", 1), "accept_bits: no rule lets"),
        (put("hand_size", 4), "hand_size: 4 must be 5 with layout='hand5'"),
        (put("held", 24, 1, 0), "the card 7c is in two places"),
        (put("held", 104 + 3, 1, 0), "the card *s, number 107, is not in the pack"),
        (put("held", -1, 0, 0), "held_n: [4, 5] is wrong; the cards make it [3, 5]"),
        (put("stock_n", 108), "is in two places"),
        (put("pile_n", 0), "top: [13, 5] is wrong; the cards make it [-1, -1]"),
        (put("top", -1, 0), "top: [-1, 5] is wrong; the cards make it [13, 5]"),
        (put("top", 6, 1), "top: [13, 6] is wrong; the cards make it [13, 5]"),
        (put("top", 6, 0), "accepts: [16383, 80] is wrong; the cards make it [160, 80]"),
        (put("accepts", 1), "accepts: [1, 1] is wrong"),
        (put("unseen", 4), "unseen: [4, 4"),
        (put("mixed", 1), "mixed: [1, 1"),
        (both(put("starter", 0, 1), put("unseen", 4)), "unseen: "),
        (put("score", 40), "score: [40, 40] ends a game with match_score=40"),
        (both(put("phase", LOCKED), put("phase_until", 9)), "pile_n: [1, 2], but there is no pile before the start"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(damage: Damage, says: str) -> None:
    record = parse_board(BOARD, JOKERS, 1)
    damage(record)
    assert says in refusal(record)


@pytest.mark.plain
def test_what_was_seen_goes_with_where_a_card_lies() -> None:
    for name, seen in (("pile", 0), ("stock", 1)):
        record = parse_board(BOARD, JOKERS, 1)
        record["seen"][record[name][1, 0]] = seen
        derive(record)
        assert refusal(record).startswith(f"seen: {seen} cannot be said of ")
    record = parse_board("Y: 7c\nE: 8c\nL=6c R=9c", SpeedRules())
    record["seen"][0] = 1
    derive(record)
    assert refusal(record) == "seen: 1 cannot be said of Ac, which is nowhere"
    row = parse_board("Y: 7c\nE: 8c\nL=6c R=9c", ROW)
    row["seen"][24] = 0
    derive(row)
    assert refusal(row) == "seen: 0 cannot be said of 7c, where it lies"


@pytest.mark.plain
def test_starters_and_reserves_where_there_are_none() -> None:
    started = parse_board("Y: 7c\nE: 8c\nL=6c R=9c", SpeedRules())
    started["starter"][1] = 0
    assert "starter: a starter lies on the table only before the start" in refusal(started)
    row = parse_board("Y: 7c\nE: 8c\nL=6c R=9c", ROW)
    row["reserve_n"][0], row["reserve"][0, 0] = 1, 3
    assert refusal(row) == "reserve_n: a row of four is played without reserves"
    row["reserve_n"][0], row["held"][0, 4], row["seen"][3] = 0, 3, 1
    assert refusal(row) == "held: a hand has only 4 slots"


@pytest.mark.plain
@pytest.mark.parametrize("hand", [TRAVEL, RETURN])
def test_a_card_in_flight_or_on_its_way_back(hand: int) -> None:
    for slot, high in ((0, False), (2, False)):
        record = in_flight(slot, pile=1, high=high)
        record["hand"][0] = hand
        check_state(record)
    joker = in_flight(2, pile=1, high=True, board=BOARD.replace("K 3", "K *").replace("R=*", "R=6"))
    for name in range(JOKER):
        joker["named"][0] = name
        check_state(joker)
    joker["named"][0] = JOKER
    assert "named: seat 0 plays a joker as the rank above, but it has no name" in refusal(joker)
    joker["action"][0] -= 10
    check_state(joker)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (put("hand", OPEN, 0), "hand: seat 0: state 2, action 2 and card 24 do not go together"),
        (put("action", 0, 0), "do not go together"),
        (put("action", draw_action(2), 0), "do not go together"),
        (both(put("card", -1, 0), put("seen", 0, 24), put("unseen", 3, 6)), "do not go together"),
        (put("until", 0, 0), "until: seat 0: 0 must be later than time, 0"),
        (put("named", 7, 0), "named: seat 0: 7c is no joker; it counts as rank 6"),
        (put("action", 12, 0), "named: seat 0: 7c is no joker"),
        (put("action", 4, 0), "held: slot 2 of seat 0 is not free for the card in its hand"),
        (both(put("phase", PAUSE), put("phase_until", 9)), "but hands are idle in phase 'pause'"),
        (put("seen", 0, 24), "unseen: "),
    ],
)
def test_hands_that_cannot_be(damage: Damage, says: str) -> None:
    record = in_flight(0, pile=1)
    check_state(record)
    damage(record)
    assert says in refusal(record)


@pytest.mark.plain
def test_nobody_acts_before_the_start() -> None:
    record = parse_board("Y: 7c s2\nE: 8c\nL=(x) R=(x)", SpeedRules())
    busy(record, draw_action(2))
    assert "hands are idle in phase 'locked'" in refusal(record)
    record = parse_board("Y: 7c s2\nE: 8c\nL=(x) R=(x)", SpeedRules())
    record["phase_until"] = 0
    assert "phase_until: 0 is not later than time, 0: the pause would not end" in refusal(record)


@pytest.mark.plain
def test_who_may_draw_and_call() -> None:
    drawing = parse_board(BOARD, JOKERS, 1)
    busy(drawing, draw_action(2))
    check_state(drawing)
    for board in (BOARD.replace("-   s3", "Q   s3"), BOARD.replace("s3", "s0")):
        record = parse_board(board, JOKERS, 1)
        busy(record, draw_action(2))
        assert "action: seat 0 draws, but has no room in the hand or no stock" in refusal(record)
    calling = parse_board("Y: -\nE: 8c\nL=6 R=9", OUT)
    busy(calling, call_action(2))
    check_state(calling)
    for board, rules in (("Y: 7\nE: 8c\nL=6 R=9", OUT), ("Y: 7\nE: 8c\nL=6 R=9", SpeedRules())):
        record = parse_board(board, rules)
        busy(record, call_action(2))
        assert "action: seat 0 calls, but is not out, or announce is off" in refusal(record)


@pytest.mark.plain
def test_a_deal_that_is_won_is_over() -> None:
    record = parse_board("Y: 7c\nE: 8c\nL=6c R=9c", SpeedRules())
    record["held"][1], record["held_n"][1] = -1, 0
    assert refusal(record) == "held: seat 1 has no card left, which wins the deal"
    record["phase"], record["end_reason"], record["winner"] = OVER, FINISHED, 1
    check_state(record)


@pytest.mark.plain
@pytest.mark.parametrize("preset", PRESETS)
def test_the_rules_are_in_the_record(preset: str) -> None:
    variants: tuple[dict[str, Any], ...] = ({}, {"ace_wrap": False}, {"refill": "manual", "announce": True})
    for changes in variants:
        rules = replace(PRESETS[preset], **changes)
        board = "\n".join([*(f"{letter}: 7" for letter in "YEFG"[: rules.seats]), piles(rules.seats)])
        assert rules_of(parse_board(board, rules)) == rules


def piles(seats: int) -> str:
    """A line without any pile."""
    return " ".join(f"{letter}=-" for letter in "RLMN"[:seats])


@pytest.mark.plain
@settings(max_examples=200, deadline=None)
@given(NUMBERS)
def test_a_flipped_bit_is_refused_or_makes_another_game(number: int) -> None:
    record = random_record(random_rules(number), number)
    check_state(record)
    rng = np.random.default_rng(number)
    games = np.array([record])
    numbers = games[
        str(rng.choice([name for name in games.dtype.names or () if name not in ("latency", "hick")]))
    ].reshape(-1)
    numbers[rng.integers(len(numbers))] ^= 1 << rng.integers(8 * numbers.itemsize - 1)
    try:
        check_state(games[0])
    except (BadBoard, BadRules):
        return
    cards = cards_of(games[0])
    assert len(cards) == len(set(cards))
    assert set(cards) <= set(pack_of(int(games[0]["decks"]), int(games[0]["jokers"])))
    derived = games.copy()
    derive(derived[0])
    assert all(np.array_equal(derived[name], games[name]) for name in games.dtype.names or ())
