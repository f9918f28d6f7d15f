"""Boards as text: reading, writing, and what is refused."""

import contextlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spit_env.batch import Batch
from spit_env.cards import card_name, parse_card
from spit_env.draws import DEAL, word
from spit_env.errors import BadBoard, BadText
from spit_env.games import format_board, parse_board
from spit_env.spit.check import cards_of, check_state, rules_of
from spit_env.spit.rules import PRESETS
from spit_env.spit.state import FACE_DOWN, GAP
from spit_env.spit.text import move_name
from spit_env.state import LOCKED, OPEN, RACE
from tests.random_games import HASTY, PRESET, SEEDS, played
from tests.spit_rules import make_rules

NORMAL = """Y: 7c | x9d | xx3h | xxxQs | -   d11
E: 4h4d | xJc | xx8c | xxxx | xxxxTc   d0
L=9c(6) R=Kd"""
REVEALED = """Y: 7c | (9d)9h | [2c](3h)3c | {4h}(4s)[4d]Qs | -   d[5h (5c) {5d}]
E: 4c | [Jc] | 8c8d | 8h | Tc   d[2h]
L=[2d 3d Th] R=Kd"""
OTHERS = "\nE: A | 2 | 3 | 4 | 5   d2\nL=K R=K"


def names(cards: Any) -> list[str]:
    return [card_name(int(card)) for card in cards]


def legal(board: str, rules: str = "emma") -> set[str]:
    """What Y may do from this board as soon as the hand is open."""
    batch = Batch(1, rules, HASTY, tick_ms=1)
    batch.reset([1], boards=np.array([parse_board(board, rules)]))
    while batch.games[0].hand[0] != OPEN:
        batch.step(np.zeros((1, 2), np.int64))
    return {move_name(int(a), 0) for a in np.flatnonzero(batch.masks[0, 0])} - {"-"}


@pytest.mark.plain
def test_a_board_becomes_a_record_with_every_derived_field() -> None:
    record = parse_board(NORMAL, seed=5)
    check_state(record)
    assert record["height"].tolist() == [[1, 2, 3, 4, 0], [2, 2, 3, 4, 5]]
    assert record["down"].tolist() == [[0, 1, 2, 3, 0], [0, 1, 2, 4, 4]]
    assert record["top"].tolist() == [[6, 8, 2, 11, GAP], [3, 10, 7, FACE_DOWN, 9]]
    assert (record["deck_n"].tolist(), record["pile_n"].tolist()) == ([11, 0], [1, 6])
    assert names(record["pile"][1, 5:6]) == ["9c"]
    assert record["accepts"].tolist() == [1 << 11 | 1, 1 << 7 | 1 << 9]
    assert sorted(set(names(cards_of(record)))) == sorted(names(cards_of(record)))
    open_cards = ["7c", "9d", "3h", "Qs", "4h", "4d", "Jc", "8c", "Tc", "Kd", *names(record["pile"][1, :6])]
    assert sorted(names(np.flatnonzero(record["known"]))) == sorted(open_cards)
    assert np.array_equal(record["known"] > 0, record["seen"] > 0)
    assert record["unseen"].sum() == 52 - len(open_cards)
    assert not record["lost"].any()
    assert record["budget"].tolist() == [12, 12]
    assert record["spit_to"].tolist() == [0, 1]
    assert [int(record[name]) for name in ("winner", "chooser", "round_winner")] == [-1, -1, -1]
    assert record["card"].tolist() == [-1, -1]
    assert (int(record["phase"]), int(record["time"]), int(record["progress_at"])) == (RACE, 0, 0)
    assert rules_of(record) == make_rules("emma")


@pytest.mark.plain
def test_cards_by_name_lie_where_the_text_says() -> None:
    record = parse_board(REVEALED)
    check_state(record)
    assert names(record["stack"][0, 3, :4]) == ["4h", "4s", "4d", "Qs"]
    assert names(record["deck"][0, :3]) == ["5d", "5c", "5h"], "the text has the top card first"
    assert names(record["pile"][1, :3]) == ["2d", "3d", "Th"]


@pytest.mark.plain
@pytest.mark.parametrize(("text", "reveal"), [(NORMAL, False), (REVEALED, True)])
def test_a_normal_form_is_written_as_it_was_read(text: str, reveal: bool) -> None:
    assert format_board(parse_board(text), reveal) == text


@pytest.mark.plain
def test_brackets_tell_who_knows_a_card() -> None:
    record = parse_board(REVEALED)
    for card, known, seen in (("2c", 1, 1), ("5h", 1, 1), ("3h", 0, 0), ("5c", 0, 0), ("4h", 0, 1), ("5d", 0, 1)):
        number = parse_card(card)
        assert (record["known"][number] > 0, record["seen"][number]) == (known, seen), card
    assert record["lost"].sum(1).tolist() == [2, 0]
    assert record["unseen"][3] == 1, "4s"


@pytest.mark.plain
def test_a_bare_rank_takes_the_first_free_suit_and_named_cards_go_first() -> None:
    record = parse_board("Y: 7 | 7 | 7c | (7) | 2   d0" + OTHERS)
    assert format_board(record, True).splitlines()[0] == "Y: 7d | 7h | 7c | (7s) | 2c   d0"


@pytest.mark.plain
def test_open_cards_come_from_the_deal_stream() -> None:
    text = "Y: x7c | 2c   d[x]\nE: 3c\nL=- R=-"
    left = [card for card in range(52) if card_name(card) not in ("7c", "2c", "3c")]
    for draw, i in enumerate(range(48, 0, -1)):
        j = word(9, DEAL, draw) * (i + 1) >> 32
        left[i], left[j] = left[j], left[i]
    record = parse_board(text, seed=9)
    assert (record["stack"][0, 0, 0], record["deck"][0, 0], record["deal_n"]) == (left[-1], left[-2], 48)
    assert format_board(record, True) != format_board(parse_board(text, seed=10), True)


@pytest.mark.plain
def test_without_a_pile_the_board_is_locked_before_the_first_spit() -> None:
    record = parse_board("Y: 7c   d3\nE: 8c   d3\nL=- R=-(0)")
    assert (record["phase"], record["phase_until"]) == (LOCKED, 1500)
    assert parse_board("Y: 7c\nE: 8c\nL=- R=9")["phase"] == RACE


@pytest.mark.plain
@pytest.mark.parametrize("preset", PRESETS)
def test_the_rules_are_in_the_record(preset: str) -> None:
    rules = make_rules(preset, ace_wrap=preset == "emma")
    assert rules_of(parse_board(NORMAL, rules)) == rules


# The rules catalogue's boards, played from.


@pytest.mark.plain
@pytest.mark.parametrize(
    ("y", "piles", "moves"),
    [
        ("7 | x9 | xx3 | xxxQ | xxxx5", "L=8 R=J", "P1L P2L P4R"),  # S0-08
        ("2 | K | Q | A | 7", "L=A(3) R=6", "P1L P2L P5R"),  # S0-10
        ("x5 | xx5 | 9 | xK | xx2", "L=7 R=7", "M1>2 M2>1"),  # S0-13
        ("- | xQ | xx3 | x5 | xxxx2", "L=8 R=8", "M2>1 M3>1 M4>1 M5>1"),  # S0-14
        ("8 | T | T | A | x", "L=9 R=K", "P1L P2L P3L P4R M2>3 M3>2 F5"),  # S0-17
    ],
)
def test_boards_of_the_rules_catalogue(y: str, piles: str, moves: str) -> None:
    assert legal(f"Y: {y}   d2\nE: 4   d2\n{piles}") == set(moves.split())


# What is refused: each with one line that says what and where.


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("", BadText, "this text has 0"),
        ("Y: 7\nE: 8", BadText, "this text has 2"),
        ("E: 7\nY: 8\nL=9 R=K", BadText, "write 'Y:'"),
        ("7 | 8" + OTHERS, BadText, "write 'Y:'"),
        ("Y: 10" + OTHERS, BadText, "Y stack 1: cannot read '10'"),
        ("Y: 7 | q9" + OTHERS, BadText, "Y stack 2: cannot read 'q9'"),
        ("Y: 7 | [x]" + OTHERS, BadText, "Y stack 2: cannot read '[x]'"),
        ("Y: 7 | [7c)" + OTHERS, BadText, "Y stack 2: cannot read"),
        ("Y: 7 |  | 3" + OTHERS, BadText, "Y stack 2: nothing there"),
        ("Y: 7 d[2h 3" + OTHERS, BadText, "Y deck: cannot read '[2h 3'"),
        ("Y: 7 d[2h,3]" + OTHERS, BadText, "Y deck: cannot read ',3'"),
        ("Y: 7\nE: 8\nL=9", BadText, "L=9(6) R=K"),
        ("Y: 7\nE: 8\nL=[] R=9", BadText, "pile L: cannot read '[]'"),
        ("Y: 7\nE: 8\nL=K R=[(2c) 3]", BadText, "pile R"),
        ("Y: 7\nE: 8\nL=x R=9", BadText, "pile L: cannot read 'x'"),
        ("Y: 7\nE: 8\nL=9(0) R=9", BadBoard, "pile L: a pile of 0 cards"),
        ("Y: 7\nE: 8\nL=9(60) R=9", BadBoard, "pile L: 60 cards"),
        ("Y: 7 d999999999999" + OTHERS, BadBoard, "Y deck: 999999999 cards"),
        ("Y: 7c\nE: 8 | 7c\nL=9 R=K", BadBoard, "E stack 2: no 7c is left; on the board already: Y stack 1"),
        ("Y: 7 | 7 | 7 | 7 | 7" + OTHERS, BadBoard, "Y stack 5: no 7 is left"),
        ("Y: 7 d45" + OTHERS, BadBoard, "55 cards on the board"),
        ("Y: 1 | 2 | 3 | 4 | 5 | 6" + OTHERS, BadBoard, "6 stacks"),
        ("Y: xxxxxxxxx" + OTHERS, BadBoard, "Y stack 1: 9 cards"),
        ("Y: 79" + OTHERS, BadBoard, "face-up cards of two ranks in '79'"),
        ("Y: 7x" + OTHERS, BadBoard, "a face-down card above a face-up one in '7x'"),
        ("Y: - | -" + OTHERS, BadBoard, "Y: no card in any stack"),
        (None, BadText, "got None"),
    ],
)
def test_wrong_boards_are_refused_with_one_line(text: Any, error: type[ValueError], says: str) -> None:
    with pytest.raises(error) as caught:
        parse_board(text)
    message = str(caught.value)
    assert says in message
    assert "\n" not in message
    assert len(message) < 250


@pytest.mark.plain
def test_a_wrong_seed_or_rules_are_refused() -> None:
    with pytest.raises(ValueError, match="seed=-1"):
        parse_board(NORMAL, seed=-1)
    with pytest.raises(ValueError, match="unknown rules"):
        parse_board(NORMAL, "ema")


@pytest.mark.plain
@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([NORMAL, REVEALED]), st.integers(0, 150), st.integers(0, 4),
    st.text(alphabet="YELR:=|-xd[](){}0137TKch \n", max_size=4),
)  # fmt: skip
def test_a_damaged_text_is_refused_or_is_another_board(text: str, at: int, gone: int, put: str) -> None:
    with contextlib.suppress(BadText, BadBoard):
        check_state(parse_board(text[:at] + put + text[at + gone :]))


# States that really occur.


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(0, 400), PRESET, st.booleans())
def test_states_of_play_are_possible_and_keep_their_cards_as_text(
    seed: int, steps: int, preset: str, ticks: bool
) -> None:
    record = played(seed, steps, preset, tick_ms=40 if ticks else None).games[0]
    check_state(record)
    assert rules_of(record) == make_rules(preset)
    text = format_board(record, reveal=True)
    if "Y: - | - | - | - | -" in text or "E: - | - | - | - | -" in text:
        with pytest.raises(BadBoard, match="the round would be over"):
            parse_board(text, preset)
        return
    again = parse_board(text, preset)
    check_state(again)
    assert format_board(again, reveal=True) == text
    assert sorted(cards_of(again)) == sorted(cards_of(record)) == list(range(52))
    for name in ("known", "seen", "unseen", "lost", "deck_n", "pile_n", "down", "accepts"):
        assert np.array_equal(again[name], record[name]), name
    shown = format_board(record)
    assert format_board(parse_board(shown, preset)) == shown
    assert not set("[](){}") & set(shown) - set("()"), "hidden cards are shown"


def test_a_card_in_flight_lies_where_it_came_from() -> None:
    batch = Batch(1, latencies=HASTY, tick_ms=1)
    text = "Y: 8c | xTd   d2\nE: 4c   d2\nL=9c R=2c"
    batch.reset([1], boards=np.array([parse_board(text)]))
    while batch.games[0].card[0] < 0:
        batch.step(np.array([[2, 0]]))
    assert batch.games[0].height[0, 0] == 0
    assert format_board(batch.games[0]).splitlines()[0] == "Y: 8c | xTd | - | - | -   d2"
