"""Boards and moves as text: reading, writing, and what is refused; saved games and replays in these words."""

import contextlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spit_env.california.check import cards_of, check_state, rules_of
from spit_env.california.rules import PRESETS
from spit_env.california.state import ACTIONS
from spit_env.california.text import ACTION_NAMES, move_name, parse_move
from spit_env.cards import card_name, parse_card
from spit_env.errors import BadBoard, BadText
from spit_env.games import format_board, parse_board
from spit_env.replay import Recorder, replay
from spit_env.rules import make_rules
from spit_env.saves import load_game, save_game, state_hash
from spit_env.state import LOCKED, RACE
from tests.california.boards import board, coverable
from tests.driving import launch
from tests.random_games import HASTY, SEEDS, STEPPINGS, choices_of, play_on, played

NORMAL = """Y: 7c | x3h | Kd | 2c*   p22
E: 4h | x8c | xx9d | -   p3"""
REVEALED = """Y: 7c | 9h3h | Kd | 2c*   p[(Ah) Tc]
E: 4h | Jc8c | 2s5d9d | -   p[2h (5c)]"""
OTHER = "\nE: A | 2 | 3 | 4   p2"
PRESET = st.sampled_from(sorted(PRESETS))


# Moves


@pytest.mark.plain
def test_the_names_of_the_actions() -> None:
    assert ACTION_NAMES == (
        "noop", "cover 1 own", "cover 2 own", "cover 3 own", "cover 4 own",
        "cover 1 other", "cover 2 other", "cover 3 other", "cover 4 other",
    )  # fmt: skip


@pytest.mark.plain
def test_moves_are_called_by_the_place_that_they_cover() -> None:
    own, other = [f"C{s}Y" for s in range(1, 5)], [f"C{s}E" for s in range(1, 5)]
    assert [move_name(action, 0) for action in range(ACTIONS)] == ["-", *own, *other]
    assert [move_name(action, 1) for action in range(ACTIONS)] == ["-", *other, *own]


@pytest.mark.plain
@pytest.mark.parametrize("seat", [0, 1])
def test_moves_are_read_as_they_are_written(seat: int) -> None:
    for action in range(ACTIONS):
        name = move_name(action, seat)
        assert parse_move(name, seat) == parse_move(f" {name.lower()} ", seat) == action


@pytest.mark.plain
@pytest.mark.parametrize("text", ["", "C0Y", "C5Y", "C1", "C1R", "P1Y", "C1YE", "--", "cover 1 own"])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(BadText, match="write C1Y to C4Y, C1E to C4E or -"):
        parse_move(text, 0)


# Boards


@pytest.mark.plain
def test_a_board_becomes_a_record_with_every_derived_field() -> None:
    record = parse_board(REVEALED, "california_doubles")
    check_state(record)
    assert record["height"].tolist() == [[1, 2, 1, 1], [1, 2, 3, 0]]
    assert record["top"].tolist() == [[6, 2, 12, 1], [3, 7, 8, -1]]
    assert record["coverable"].tolist() == [[0, 0, 0, 1], [0, 0, 0, 0]]
    assert record["pack_n"].tolist() == [2, 2]
    assert [card_name(int(card)) for card in record["pack"][0, :2]] == ["Tc", "Ah"], "the text has the top card first"
    hidden = [card for card in cards_of(record) if not record["seen"][card]]
    assert sorted(hidden) == sorted([parse_card("Ah"), parse_card("5c")])
    assert record["unseen"].sum() == 52 - record["seen"].sum() == 52 - len(cards_of(record)) + 2
    assert (int(record["phase"]), int(record["time"]), int(record["winner"])) == (RACE, 0, -1)
    assert rules_of(record) == make_rules("california_doubles")


@pytest.mark.plain
@pytest.mark.parametrize(("text", "reveal"), [(NORMAL, False), (REVEALED, True)])
def test_a_normal_form_is_written_as_it_was_read(text: str, reveal: bool) -> None:
    assert format_board(parse_board(text, "california"), reveal) == text


@pytest.mark.plain
def test_a_star_stands_only_where_the_tops_do_not_tell() -> None:
    game = board("7c* | 2d | 7h | 4s   p9", "8d* | 9d   p9")
    assert coverable(game) == {"C1Y", "C3Y", "C1E"}
    assert format_board(game.game) == "Y: 7c | x2d | 7h | 4s   p9\nE: 8d* | 9d | - | -   p9".replace("x2d", "2d")
    double = parse_board("Y: 7c7h | 2d   p9\nE: 8d   p9", "california_doubles")
    assert format_board(double).startswith("Y: x7h* | 2d |")
    assert format_board(parse_board("Y: 7c7h | 2d   p9\nE: 8d   p9", "california")).startswith("Y: x7h | 2d |")


@pytest.mark.plain
def test_without_a_row_the_board_is_locked_before_the_first_laying() -> None:
    record = parse_board("Y: -   p[2c x]\nE: - | -   p3", "california")
    check_state(record)
    assert (record["phase"], record["phase_until"]) == (LOCKED, 1500)
    assert format_board(record) == "Y: - | - | - | -   p2\nE: - | - | - | -   p3"


@pytest.mark.plain
def test_a_card_in_a_hand_lies_on_its_pack() -> None:
    game = board("7c | 2d | 3h | 4s   p[(8c) (5c)]", "7d | 9d | Th | Js   p9")
    launch(game, 0, "C1E")
    assert format_board(game.game).splitlines()[0] == "Y: 7c | 2d | 3h | 4s   p2"
    assert format_board(game.game, reveal=True).splitlines()[0] == "Y: 7c | 2d | 3h | 4s   p[8c (5c)]"


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("", BadText, "this text has 0"),
        ("Y: 7\nE: 8\nL=9", BadText, "this text has 3"),
        (None, BadText, "got None"),
        ("E: 7\nY: 8", BadText, "write 'Y:'"),
        ("7 | 8" + OTHER, BadText, "write 'Y:'"),
        ("Y: 10" + OTHER, BadText, "Y stack 1: cannot read '10'"),
        ("Y: 7 | [9c]" + OTHER, BadText, "Y stack 2: cannot read '[9c]'"),
        ("Y: 7 | (9c)" + OTHER, BadText, "Y stack 2: cannot read '(9c)'"),
        ("Y: 7 |  | 3" + OTHER, BadText, "Y stack 2: nothing there"),
        ("Y: 7 | *" + OTHER, BadText, "Y stack 2: nothing there"),
        ("Y: 7 | -*" + OTHER, BadBoard, "Y stack 2: a place without cards cannot be covered"),
        ("Y: 7**" + OTHER, BadBoard, "Y stack 1: the pack has no *"),
        ("Y: 7 | 8 | 9 | T | J" + OTHER, BadBoard, "5 stacks"),
        ("Y: 7 p[2h 3" + OTHER, BadText, "Y pack: cannot read '[2h 3'"),
        ("Y: 7 p[{2h}]" + OTHER, BadText, "Y pack: cannot read '{2h}'"),
        ("Y: 7 p60" + OTHER, BadBoard, "Y pack: 60 cards"),
        ("Y: 7 p48" + OTHER, BadBoard, "55 cards on the board"),
        ("Y: 7c\nE: 8 | 7c", BadBoard, "E stack 2: no 7c is left; on the board already: Y stack 1"),
        ("Y: - | -\nE: -", BadBoard, "no card on the board"),
    ],
)
def test_wrong_boards_are_refused_with_one_line(text: Any, error: type[ValueError], says: str) -> None:
    with pytest.raises(error) as caught:
        parse_board(text, "california")
    message = str(caught.value)
    assert says in message
    assert "\n" not in message
    assert len(message) < 250


@pytest.mark.plain
def test_a_wrong_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="seed=-1"):
        parse_board(NORMAL, "california", seed=-1)


@pytest.mark.plain
@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([NORMAL, REVEALED]), st.integers(0, 90), st.integers(0, 4),
    st.text(alphabet="YE:|-xp[](){}*0137TKch \n", max_size=4),
)  # fmt: skip
def test_a_damaged_text_is_refused_or_is_another_board(text: str, at: int, gone: int, put: str) -> None:
    with contextlib.suppress(BadText, BadBoard):
        check_state(parse_board(text[:at] + put + text[at + gone :], "california"))


# States that really occur


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(0, 300), PRESET, st.booleans())
def test_states_of_play_are_possible_and_keep_their_cards_as_text(
    seed: int, steps: int, preset: str, ticks: bool
) -> None:
    record = played(seed, steps, preset, tick_ms=40 if ticks else None).games[0]
    check_state(record)
    assert rules_of(record) == make_rules(preset)
    text = format_board(record, reveal=True)
    again = parse_board(text, preset)
    check_state(again)
    assert format_board(again, reveal=True) == text
    assert sorted(cards_of(again)) == sorted(cards_of(record)) == list(range(52))
    for name in ("seen", "unseen", "height", "top", "coverable"):
        assert np.array_equal(again[name], record[name]), name
    shown = format_board(record)
    assert not set("[]()") & set(shown), "hidden cards are shown"
    if preset == "california":  # with doubles a card that the text leaves open may make one
        assert format_board(parse_board(shown, preset)) == shown


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.integers(0, 300), PRESET, st.sampled_from(STEPPINGS))
def test_saved_games_and_replays_go_on_as_they_went(seed: int, steps: int, preset: str, tick_ms: int | None) -> None:
    batch = played(seed, steps, preset, HASTY, tick_ms)
    record, past = load_game(save_game(batch.games[0], batch.past[0]))
    record["paused"] = 0
    assert record == batch.games[0]
    assert len(past) == 1
    batch.reset([seed])
    recorder = Recorder(batch)
    play_on(batch, np.random.default_rng(seed), 40, recorder.step)
    assert state_hash(replay(recorder.lines())) == state_hash(batch.games[0])


def test_a_replay_tells_moves_by_their_places() -> None:
    batch = played(3, 0, "california", HASTY)
    recorder = Recorder(batch)
    rng = np.random.default_rng(0)
    for _ in range(30):
        recorder.step(choices_of(batch, rng))
    assert any('"move":"C' in line for line in recorder.lines())


# What is refused


def damaged(change: Any) -> Any:
    """A game in mid-flight with something wrong."""
    game = board("7c | 2d | 3h | 4s   p[(8c) (5c)]", "7d | 9d | Th | Js   p9")
    launch(game, 0, "C1E")
    record = game.game.copy()
    check_state(record)
    change(record)
    return record


def put(name: str, value: int, *at: int) -> Any:
    def change(record: Any) -> None:
        if at:
            record[name][at] = value
        else:
            record[name] = value

    return change


@pytest.mark.plain
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (put("pack_n", 53, 0), "pack_n: a value is outside 0 to 52"),
        (put("pack", 52, 0, 0), "pack: a value is outside"),
        (put("height", -1, 0, 0), "height: a value is outside"),
        (put("coverable", 2, 0, 0), "coverable: a value is outside"),
        (put("round_over", 1), "round_over: a value is outside 0 to 0"),
        (put("doubles", 2), "doubles: 2 must be 0 to 1"),
        (put("empty_pack", 2), "empty_pack: 2 must be 0 to 1"),
        (put("stack", parse_card("9d"), 0, 0, 0), "the card 9d is in two places"),
        (put("top", 7, 0, 0), "top: "),
        (put("coverable", 0, 0, 0), "coverable: "),
        (put("seen", 0, parse_card("9d")), "seen: "),
        (put("unseen", 0, 3), "unseen: "),
        (put("card", -1, 0), "hand: seat 0: state 3, action 5 and card -1 do not go together"),
        (put("action", 0, 0), "hand: seat 0"),
        (put("action", 9, 0), "action: a value is outside 0 to 8"),
        (put("until", 0, 0), "until: seat 0"),
        (put("phase", 2), "hand: seat 0: state 3, but hands are idle in phase 'pause'"),
        (put("phase", 4), "phase: California Speed has no phase 'slap'"),
        (put("end_reason", 1), "end_reason: 1 does not go with phase 'race'"),
    ],
)
def test_check_state_refuses_damage(change: Any, says: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        check_state(damaged(change))
    assert str(caught.value).startswith(says)


@pytest.mark.plain
def test_check_state_knows_which_phases_have_rows_and_who_can_have_won() -> None:
    record = parse_board("Y: 7c   p1\nE: 8c   p1", "california")
    record["phase"], record["phase_until"] = LOCKED, 9
    with pytest.raises(BadBoard, match="height: a row lies in phase 'locked'"):
        check_state(record)
    record = parse_board("Y: -   p1\nE: -   p1", "california")
    record["phase"] = RACE
    with pytest.raises(BadBoard, match="height: no row lies in phase 'race'"):
        check_state(record)
    record = parse_board("Y: 7c   p1\nE: 8c   p1", "california")
    record["phase"], record["end_reason"], record["winner"] = 6, 1, 0
    with pytest.raises(BadBoard, match="end_reason: 1, but seat 0 has not emptied the pack"):
        check_state(record)
