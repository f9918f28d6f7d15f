"""Boards of Speed as text: reading, writing, and what is refused."""

import contextlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spit_env.cards import JOKER, card_name
from spit_env.errors import BadBoard, BadText
from spit_env.speed.board import format_board, parse_board
from spit_env.speed.check import cards_of, check_state, rules_of
from spit_env.speed.rules import PRESETS, SpeedRules
from spit_env.speed.state import NO_TOP
from spit_env.state import LOCKED, RACE
from tests.speed.records import BOARD, JOKERS, NUMBERS, by_name, in_flight, random_record, random_rules

SPEED, ROW, FOUR = SpeedRules(), PRESETS["bicycle"], PRESETS["speed_4p"]
OTHERS = "\nE: A 2   s3\nL=6(3) r2   R=K r2"
ROWS = "Y: 7c 7 3 -   s20\nE: x x x x   s[2h x 5]\nL=6(3)   R=-"


def names(cards: Any) -> list[str]:
    return [card_name(int(card)) for card in cards]


@pytest.mark.plain
def test_a_board_becomes_a_record_with_every_derived_field() -> None:
    record = parse_board(BOARD, JOKERS, seed=5)
    check_state(record)
    assert rules_of(record) == JOKERS
    assert names(record["held"][0, :4]) == ["7c", "Kc", "3c", "9d"]
    assert record["held"][0, 4] == -1
    assert (record["held_n"].tolist(), record["stock_n"].tolist()) == ([4, 5], [3, 3])
    assert names(record["stock"][1, :3:2]) == ["5c", "2h"], "the text has the top card first"
    assert (record["pile_n"].tolist(), record["reserve_n"].tolist()) == ([1, 2], [3, 3])
    assert record["top"].tolist() == [JOKER, 5]
    assert record["accepts"].tolist() == [(1 << 14) - 1, 1 << 4 | 1 << 6]
    assert sorted(names(np.flatnonzero(record["seen"]))) == sorted(["9d", "2s", "6h", "*d", "7d"])
    assert (record["mixed"].sum(), record["mixed"][6]) == (1, 1)
    assert record["unseen"].tolist() == [4, 3, 4, 4, 4, 3, 3, 4, 3, 4, 4, 4, 4, 1]
    assert record["score"].tolist() == [0, 12]
    assert (int(record["phase"]), int(record["time"]), int(record["deal_n"])) == (RACE, 0, 37)


TWO_PACKS = SpeedRules(decks=2, jokers=4, stock=33, reserve=15, match_score=9)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "rules", "reveal"),
    [
        ("Y: 7c Kc - 9d -   s[2h 3c]\nE: 8c [4h] 3h 2d 6s   s0\nL=[2s 6h] r0   R=Ac r[2c {7d}]", SPEED, True),
        ("Y: x x - x -   s2\nE: x x x - -   s0\nL=6h(2) r0   R=Ac r2", SPEED, False),
        ("Y: 7c 7c - - -   s0   +3\nE: *c 8c - - -   s0   +0\nL=[2s *d=7] r0   R=*h r0", TWO_PACKS, True),
        ("Y: x - - - -   s0   +0\nE: - - - - -   s1   +8\nL=*d=K(3) r0   R=*h=A r0", TWO_PACKS, False),
        ("Y: 7c - - - -   s0\nE: 8c - - - -   s0\nL=(2c) r[5c]   R=(2d) r0", SPEED, True),
        ("Y: x - - - -   s0\nE: x - - - -   s0\nL=(x) r1   R=- r0", SPEED, False),
        ("Y: 7c 7c 3c -   s[9c]\nE: 8c - - Ad   s0\nL=-   R=[6s 7s]", ROW, True),
        ("Y: 7c 7c 3c -   s1\nE: 8c - - Ad   s0\nL=-   R=7s(2)", ROW, False),
        (
            "Y: 7c 7c - - -   s0\nE: - - - - -   s[9c]\nF: 2c - - - -   s0\nG: 2d - - - -   s0\n"
            "L=6c r0   M=- r[3c]   N=- r0   R=8c r0", FOUR, True,
        ),
    ],
)  # fmt: skip
def test_a_normal_form_is_written_as_it_was_read(text: str, rules: SpeedRules, reveal: bool) -> None:
    record = parse_board(text, rules)
    check_state(record)
    assert format_board(record, reveal) == text


@pytest.mark.plain
def test_the_same_card_of_two_packs() -> None:
    record = parse_board("Y: 7c   s0\nE: 7c   s0\nL=-   R=-", ROW)
    assert record["held"][:, 0].tolist() == [24, 24 + 52]
    with pytest.raises(BadBoard, match="pile R: no 7c is left; on the board already: Y slot 1, E slot 1"):
        parse_board("Y: 7c   s0\nE: 7c   s0\nL=-   R=7c", ROW)


@pytest.mark.plain
def test_who_knows_a_card_of_a_hand() -> None:
    hidden = parse_board("Y: 7c [8c] x" + OTHERS, SPEED)
    assert hidden["seen"][hidden["held"][0, :3]].tolist() == [0, 1, 0]
    row = parse_board(ROWS, ROW)
    assert row["seen"][row["held"][row["held"] >= 0]].all(), "a row lies open, also where the text leaves cards open"


@pytest.mark.plain
def test_piles_in_any_order_and_what_may_be_left_out() -> None:
    text = "Y: 7c\nE: 8c\n{}"
    records = [parse_board(text.format(piles), SPEED) for piles in ("L=6c r2 R=Kc", "R=Kc L=6c r2")]
    assert by_name(records[0]) | {"reserve": 0} == by_name(records[1]) | {"reserve": 0}
    assert records[0]["stock_n"].tolist() == [0, 0]
    assert records[0]["reserve_n"].tolist() == records[1]["reserve_n"].tolist() == [0, 2]


@pytest.mark.plain
def test_without_a_pile_the_board_is_locked_before_the_start() -> None:
    for piles in ("L=(x) r2 R=(7h)", "L=- r2 R=- r2"):
        record = parse_board(f"Y: 7c\nE: 8c\n{piles}", SPEED)
        check_state(record)
        assert (record["phase"], record["phase_until"]) == (LOCKED, 1500)
        assert record["top"].tolist() == [NO_TOP, NO_TOP]
    assert parse_board("Y: 7c\nE: 8c\nL=- R=9", SPEED)["phase"] == RACE


@pytest.mark.plain
def test_a_player_without_cards_has_won_unless_it_must_be_called() -> None:
    text = "Y: - -\nE: 8c\nL=5 R=9"
    with pytest.raises(BadBoard, match="Y: no card in hand or stock"):
        parse_board(text, SPEED)
    check_state(parse_board(text, SpeedRules(announce=True)))


@pytest.mark.plain
def test_a_card_in_flight_is_written_in_its_slot() -> None:
    record = in_flight(slot=2, pile=1)
    check_state(record)
    assert format_board(record).splitlines()[0] == "Y: x x x x -   s3   +0"
    assert format_board(record, True).splitlines()[0].startswith("Y: 7c Kc [3c] [9d] -   s[")


# What is refused: each with one line that says what and where.


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "rules", "error", "says"),
    [
        (None, SPEED, BadText, "got None"),
        ("", SPEED, BadText, "a board has 3 lines: 'Y: ...', 'E: ...' and 'L=... R=...'; this text has 0"),
        ("Y: 7\nE: 8\nL=2 R=3", FOUR, BadText, "a board has 5 lines"),
        ("E: 7\nY: 8\nL=9 R=K", SPEED, BadText, "write 'Y:', the hand by slot, and the stock as s15"),
        ("Y: 10" + OTHERS, SPEED, BadText, "Y slot 1: cannot read '10'; write 7c, 7 or *, [7c] for one"),
        ("Y: 7 (8c)" + OTHERS, SPEED, BadText, "Y slot 2: cannot read '(8c)'"),
        ("Y: 7 78" + OTHERS, SPEED, BadText, "Y slot 2: cannot read '78'"),
        ("Y: 7 7 7 7 7 7" + OTHERS, SPEED, BadBoard, "Y: 6 slots in the hand; there are 5"),
        ("Y: 7 7 7 7 7\nE: 8\nL=- R=9", ROW, BadBoard, "Y: 5 slots in the hand; there are 4"),
        ("Y: [7c]\nE: 8\nL=- R=9", ROW, BadText, "Y slot 1: cannot read '[7c]'; write 7c, 7 or *, x for any card"),
        ("Y: 7 s[2h 3" + OTHERS, SPEED, BadText, "Y stock: cannot read '[2h 3'; write s15 or s[2h x 5]"),
        ("Y: 7 s[2h [3c]]" + OTHERS, SPEED, BadText, "Y stock: cannot read '[3c]'"),
        ("Y: 7 s99" + OTHERS, SPEED, BadBoard, "Y stock: 99 cards; the pack has 52"),
        ("Y: 7 s45" + OTHERS, SPEED, BadBoard, "59 cards on the board; the pack has 52"),
        ("Y: 7 s3 +5" + OTHERS, SPEED, BadBoard, "Y: a score of 5 with match_score=0; the game would be over"),
        ("Y: 7 s3 +40\nE: 8\nL=- R=9", JOKERS, BadBoard, "Y: a score of 40 with match_score=40"),
        ("Y: 7 s3 +999999\nE: 8\nL=- R=9", JOKERS, BadBoard, "Y: a score of 999999 with match_score=40"),
        ("Y: *" + OTHERS, SPEED, BadBoard, "Y slot 1: the pack has no *"),
        ("Y: * * *\nE: 8\nL=- R=9", JOKERS, BadBoard, "Y slot 3: no * is left; on the board already: Y slot 1, Y sl"),
        ("Y: 7c\nE: 8 7c\nL=9 R=K", SPEED, BadBoard, "E slot 2: no 7c is left; on the board already: Y slot 1"),
        ("Y: 7\nE: 8\nL=9", SPEED, BadText, "the piles are L; write one each of R L"),
        ("Y: 7\nE: 8\nL=9 R=K M=3", SPEED, BadText, "the piles are L R M; write one each of R L"),
        ("Y: 7\nE: 8\nL=9 L=K", SPEED, BadText, "the piles are L L; write one each of R L"),
        ("Y: 7\nE: 8\nL=9 K R=9", SPEED, BadText, "cannot read 'L=9 K'; write each pile with its reserve as L=6(3) r5"),
        ("Y: 7\nE: 8\nL=[] R=9", SPEED, BadText, "pile L: cannot read '[]'; write - for no pile"),
        ("Y: 7\nE: 8\nL=x R=9", SPEED, BadText, "pile L: cannot read 'x'; write -, 6, 6(3), *=7 or [2c 3d 6h], and"),
        ("Y: 7\nE: 8\nL=[{2c}] R=9", SPEED, BadText, "pile L: cannot read '{2c}'"),
        ("Y: 7\nE: 8\nL=[*=7 2c] R=9", JOKERS, BadText, "pile L: cannot read '[*=7 2c]'"),
        ("Y: 7\nE: 8\nL=6=7 R=9", JOKERS, BadBoard, "pile L: '6=7' counts as 7, but no joker is on top"),
        ("Y: 7\nE: 8\nL=[2c x=7] R=9", JOKERS, BadBoard, "but no joker is on top"),
        ("Y: 7\nE: 8\nL=*=* R=9", JOKERS, BadText, "pile L: cannot read '*=*'"),
        ("Y: 7\nE: 8\nL=6(0) R=9", SPEED, BadBoard, "pile L: a pile of 0 cards has no top; write -"),
        ("Y: 7\nE: 8\nL=6(60) R=9", SPEED, BadBoard, "pile L: 60 cards"),
        ("Y: 7\nE: 8\nL=6 r[(2c)] R=9", SPEED, BadText, "reserve L: cannot read '(2c)'; write r5 or r[2h x {7c}]"),
        ("Y: 7\nE: 8\nL=6 r60 R=9", SPEED, BadBoard, "reserve L: 60 cards"),
        ("Y: 7\nE: 8\nL=6 r2 R=9", ROW, BadBoard, "reserve L: a row of four is played without reserves"),
        ("Y: 7\nE: 8\nL=(x) R=(7)", PRESETS["speed_wikipedia"], BadBoard, "pile L: the rules have no starters"),
        ("Y: 7\nE: 8\nL=(x) R=7", SPEED, BadBoard, "pile L: a starter, but the race has begun on another pile"),
    ],
)
def test_wrong_boards_are_refused_with_one_line(
    text: Any, rules: SpeedRules, error: type[ValueError], says: str
) -> None:
    with pytest.raises(error) as caught:
        parse_board(text, rules)
    message = str(caught.value)
    assert says in message
    assert "\n" not in message
    assert len(message) < 250


@pytest.mark.plain
def test_a_wrong_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="seed=-1"):
        parse_board(BOARD, JOKERS, seed=-1)


@pytest.mark.plain
@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([(BOARD, JOKERS), (ROWS, ROW), ("Y: 7" + OTHERS, SPEED)]), st.integers(0, 100), st.integers(0, 4),
    st.text(alphabet="YELRsr:=|-xd[](){}0137TKch*+ \n", max_size=4),
)  # fmt: skip
def test_a_damaged_text_is_refused_or_is_another_board(
    board: tuple[str, SpeedRules], at: int, gone: int, put: str
) -> None:
    text, rules = board
    with contextlib.suppress(BadText, BadBoard):
        check_state(parse_board(text[:at] + put + text[at + gone :], rules))


# Any record at all.


@pytest.mark.plain
@settings(max_examples=150, deadline=None)
@given(NUMBERS)
def test_every_card_and_who_knows_it_is_kept(number: int) -> None:
    rules = random_rules(number)
    record = random_record(rules, number)
    check_state(record)
    assert rules_of(record) == rules
    text = format_board(record, reveal=True)
    again = parse_board(text, rules)
    check_state(again)
    assert by_name(again) == by_name(record)
    assert format_board(again, reveal=True) == text
    assert sorted(names(cards_of(again))) == sorted(names(cards_of(record)))


@pytest.mark.plain
@settings(max_examples=100, deadline=None)
@given(NUMBERS)
def test_without_reveal_only_what_lies_open_is_written(number: int) -> None:
    rules = random_rules(number)
    record = random_record(rules, number)
    shown = format_board(record)
    assert format_board(parse_board(shown, rules, number), False) == shown
    assert not set("[]{}") & set(shown), "hidden cards are shown"
    tops = [card_name(int(pile[n - 1])) for pile, n in zip(record["pile"], record["pile_n"]) if n]
    rows = names(record["held"][record["held"] >= 0]) if rules.layout == "row4" else []
    words = shown.replace("=", " ").replace("(", " ").split()
    assert sorted(word for word in words if len(word) == 2 and word[1] in "cdhs") == sorted(tops + rows)
