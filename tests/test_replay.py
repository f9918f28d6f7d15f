"""Replays: they go as the game went, in whatever stepping, and what is damaged is refused."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spit_env.batch import Batch
from spit_env.errors import BadReplay
from spit_env.games import parse_board
from spit_env.replay import Recorder, advance_one, choose_one, play_back, replay, state_hash
from spit_env.saves import digest, dumps
from spit_env.spit.check import check_state
from spit_env.spit.text import parse_move
from spit_env.state import END_REASONS, OVER
from tests.random_games import DELAYED, HASTY, PRESET, SEEDS, STEPPINGS, choices_of, play_on

BOARD = "Y: 8 | xT | xx | - | 5   d3\nE: 4 | xJ | xx8 | A | 2   d1\nL=9(6) R=Q"


def recorded(
    seed: int, steps: int, rules: Any = "emma", tick_ms: int | None = None, board: str | None = None,
    latencies: Any = HASTY, labels: tuple[int, int] = (0, 1), noop: float = 0.1,
) -> tuple[Batch, Recorder]:  # fmt: skip
    batch = Batch(1, rules, latencies, tick_ms=tick_ms)
    boards = None if board is None else np.array([parse_board(board, rules, seed)])
    batch.reset([seed], labels=labels, boards=boards)
    recorder = Recorder(batch, board)
    play_on(batch, np.random.default_rng(seed), steps, recorder.step, noop)
    return batch, recorder


def resummed(lines: list[str]) -> list[str]:
    """The lines with the sum put right, for damage that the sum would hide."""
    try:
        end = json.loads(lines[-1])
    except ValueError:
        return lines
    if "sum" not in end:
        return lines
    end["sum"] = digest("".join(line + "\n" for line in lines[:-1]).encode())
    return [*lines[:-1], dumps(end)]


# Replays


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.integers(0, 800), PRESET, st.sampled_from(STEPPINGS), st.booleans(), st.booleans())
def test_a_replay_ends_where_the_game_did(
    seed: int, steps: int, preset: str, tick_ms: int | None, delayed: bool, mirrored: bool
) -> None:
    latencies = DELAYED if delayed else HASTY
    labels = (1, 0) if mirrored else (0, 1)
    batch, recorder = recorded(seed, steps, preset, tick_ms, latencies=latencies, labels=labels)
    lines = recorder.lines()
    last = replay(lines)
    assert state_hash(last) == state_hash(batch.games[0]) == json.loads(lines[-1])["hash"]
    assert last["time"] == batch.games[0].time
    assert state_hash(replay(lines)) == state_hash(last), "twice in one process"


@pytest.mark.plain
def test_a_short_replay_of_each_stepping() -> None:
    for tick_ms, steps in zip(STEPPINGS, (12, 250, 60), strict=True):
        batch, recorder = recorded(3, steps, tick_ms=tick_ms)
        assert batch.games[0].travel_n.sum() > 0
        assert state_hash(replay(recorder.lines())) == state_hash(batch.games[0])


def test_a_whole_game_of_lazy_players_with_stalls() -> None:
    for tick_ms in (None, 50):
        rules = {"preset": "pagat", "stall_ms": 300, "max_rounds": 4}
        batch, recorder = recorded(11, 100_000, rules, tick_ms, noop=0.9)
        assert batch.over[0]
        end = json.loads(recorder.lines()[-1])
        assert end["end"] == END_REASONS[batch.games[0].end_reason] != ""
        assert state_hash(replay(recorder.lines())) == end["hash"]


@pytest.mark.plain
def test_a_game_from_a_board_replays_and_the_board_must_be_the_games() -> None:
    batch, recorder = recorded(5, 8, board=BOARD)
    last = replay(recorder.lines())
    assert state_hash(last) == state_hash(batch.games[0])
    assert json.loads(recorder.lines()[0])["board"] == BOARD
    for board in (None, BOARD.replace("R=Q", "R=K")):
        with pytest.raises(BadReplay, match="gone astray"):
            Recorder(recorded(5, 0, board=BOARD)[0], board)


@pytest.mark.plain
def test_the_lines_are_as_the_format_says() -> None:
    _, recorder = recorded(3, 12)
    header, *body, end = map(json.loads, recorder.lines())
    assert header == {
        "format": "spit-replay", "version": 1, "game": "spit", "rules": header["rules"],
        "latencies": header["latencies"], "seed": 3, "labels": [0, 1], "wait_ms": 100, "board": None,
    }  # fmt: skip
    assert [list(line) for line in body if "hash" in line] == [["t", "hash"]] * sum("hash" in line for line in body)
    assert {tuple(line) for line in body} == {("t", "hash"), ("t", "seat", "move")}
    assert [line["t"] for line in body] == sorted(line["t"] for line in body)
    assert body[0]["t"] == 0, "the deal"
    assert list(end) == ["end", "winner", "time", "hash", "sum"]
    assert (end["end"], end["winner"]) == ("", -1)


@pytest.mark.plain
def test_only_the_first_noop_of_an_open_hand_is_told() -> None:
    batch, recorder = recorded(3, 0, tick_ms=50)
    for _ in range(80):
        recorder.step(np.zeros((1, 2), np.int64))
    moves = [json.loads(line) for line in recorder.lines() if '"move"' in line]
    assert sorted((line["seat"], line["move"]) for line in moves) == [(0, "-"), (1, "-")]
    assert batch.games[0].choice_n.min() > 5
    assert state_hash(replay(recorder.lines())) == state_hash(batch.games[0])


@pytest.mark.plain
def test_illegal_actions_are_recorded_as_what_was_done() -> None:
    batch, recorder = recorded(4, 0)
    for action in (38, -1, 99, 36, 17):
        recorder.step(np.full((1, 2), action))
    assert batch.games[0].illegal.sum() > 0
    assert state_hash(replay(recorder.lines())) == state_hash(batch.games[0])


@pytest.mark.plain
def test_choose_and_advance_record_what_a_caller_steps() -> None:
    batch, recorder = recorded(6, 0)
    rng = np.random.default_rng(6)
    for _ in range(10):
        actions = choices_of(batch, rng, noop=0.0)
        for seat in range(2):
            recorder.choose(seat, int(actions[0, seat]))
        batch.step(actions)
        recorder.advance()
    assert state_hash(replay(recorder.lines())) == state_hash(batch.games[0])
    batch.step(choices_of(batch, rng, noop=0.0))
    with pytest.raises(BadReplay, match="was every choice told"):
        recorder.advance()
    with pytest.raises(ValueError, match="one game; the batch has 2"):
        Recorder(Batch(2))


@pytest.mark.plain
def test_play_back_shows_each_state() -> None:
    _, recorder = recorded(3, 12)
    states = list(play_back(recorder.lines()))
    assert len(states) == len(recorder.lines())
    times = [int(state["time"]) for state in states]
    assert times == sorted(times)
    for state in states[1:]:
        check_state(state)


def test_a_file_gives_the_same_hash_in_a_fresh_process_with_and_without_the_jit(tmp_path: Path) -> None:
    batch, recorder = recorded(8, 150, "pagat", 20)
    path = tmp_path / "game.jsonl"
    recorder.save(path)
    assert state_hash(replay(path)) == state_hash(replay(str(path))) == state_hash(batch.games[0])
    code = f"from spit_env.replay import replay, state_hash; print(state_hash(replay({str(path)!r})))"
    for disabled in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"NUMBA_DISABLE_JIT": disabled}, capture_output=True,
            text=True, check=True, timeout=300, cwd=Path(__file__).parent.parent,
        )  # fmt: skip
        assert done.stdout.split() == [state_hash(batch.games[0])]


@pytest.mark.plain
def test_saving_takes_the_place_of_an_older_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    _, recorder = recorded(3, 3)
    path = tmp_path / "game.jsonl"
    path.write_text("older")
    recorder.save(path)
    assert path.read_text().splitlines() == recorder.lines()
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(OSError, match="nowhere"):
        recorder.save(tmp_path / "nowhere" / "game.jsonl")
    assert list(tmp_path.iterdir()) == [path]


# Damage


@pytest.fixture(scope="module")
def game_bytes() -> bytes:
    return ("\n".join(recorded(3, 40, tick_ms=50, board=BOARD)[1].lines()) + "\n").encode()


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_any_byte_changed_lost_or_added_is_noticed(
    data: st.DataObject, game_bytes: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    at = data.draw(st.integers(0, len(game_bytes) - 1))
    put = data.draw(st.binary(max_size=1))
    gone = data.draw(st.integers(0, 1))
    damaged = game_bytes[:at] + put + game_bytes[at + gone :]
    path = tmp_path_factory.mktemp("damaged") / "game.jsonl"
    path.write_bytes(damaged)
    if damaged == game_bytes:
        replay(path)
        return
    with pytest.raises(BadReplay) as caught:
        replay(path)
    assert "\n" not in str(caught.value)


def edited(lines: list[str], at: int, **changes: Any) -> list[str]:
    return [*lines[:at], dumps(json.loads(lines[at]) | changes), *lines[at + 1 :]]


@pytest.mark.plain
def test_each_kind_of_damage_is_told_with_its_line() -> None:
    lines = recorded(3, 12)[1].lines()
    end = len(lines) - 1
    event = max(i for i, line in enumerate(lines[:-1]) if '"hash"' in line)
    move = next(i for i, line in enumerate(lines) if '"move"' in line)
    time = json.loads(lines[event])["t"]
    cases: list[tuple[list[str], str]] = [
        ([], "line 1: not JSON"),
        (["[]"], "line 1: must be a JSON object"),
        (["[" * 100_000], "line 1: not JSON"),
        (edited(lines, 0, format="other"), "line 1: not a replay"),
        (edited(lines, 0, version=2), "version 2 of the format; this program reads version 1"),
        (edited(lines, 0, version=True), "version True"),
        (edited(lines, 0, more=1), "line 1: unknown: more"),
        (edited(lines, 0, game="whist"), "line 1: a game of 'whist'"),
        (edited(lines, 0, rules={"ace_wrp": True}), "line 1: unknown rule 'ace_wrp'"),
        (edited(lines, 0, rules=[]), "line 1: rules must be an object"),
        (edited(lines, 0, latencies=[1, 2]), "line 1: "),
        (edited(lines, 0, latencies=[{}]), "line 1: latencies: one for all, or 2"),
        (edited(lines, 0, labels=[0, 0]), "line 1: labels"),
        (edited(lines, 0, labels=[False, True]), "line 1: labels"),
        (edited(lines, 0, seed=-1), "line 1: seed=-1"),
        (edited(lines, 0, seed=4), "line 2: at 0 ms the game has another hash"),
        (edited(lines, 0, wait_ms=1.5), "line 1: wait_ms"),
        (edited(lines, 0, wait_ms=0), "line 1: wait_ms"),
        (edited(lines, 0, wait_ms=101), "line 2: at 0 ms the game has another hash"),
        (edited(lines, 0, board=5), "line 1: a board is a text"),
        (edited(lines, event, hash="0" * 16), f"line {event + 1}: at {time} ms"),
        (edited(lines, event, t=time + 1), f"line {event + 1}: at {time} ms"),
        (edited(lines, event, t=-1), f"line {event + 1}: t=-1"),
        (edited(lines, event, t="1"), f"line {event + 1}: t='1'"),
        (edited(lines, event, t=2**40), f"line {event + 1}: t="),
        (edited(lines, event, x=1), f"line {event + 1}: unknown: x"),
        (lines[:event] + lines[event + 1 :], "line "),
        (edited(lines, move, seat=2), f"line {move + 1}: seat=2"),
        (edited(lines, move, seat=True), f"line {move + 1}: seat=True"),
        (edited(lines, move, seat=1 - json.loads(lines[move])["seat"]), f"line {move + 1}: seat"),
        (edited(lines, move, move="P9L"), f"line {move + 1}: not a move"),
        (edited(lines, move, move=None), f"line {move + 1}: not a move"),
        (edited(lines, move, move="PICK L"), f"line {move + 1}: seat"),
        (lines[:move] + lines[move + 1 :], "line "),
        (lines[:-1], "breaks off here"),
        (lines[:1], "line 1: the replay breaks off here"),
        ([*lines, lines[-1]], f"line {end + 1}: the end, but more lines follow"),
        (edited(lines, end, winner=1), f"line {end + 1}: winner=1"),
        (edited(lines, end, end="finished"), f"line {end + 1}: end='finished'"),
        (edited(lines, end, time=json.loads(lines[end])["time"] + 1), f"line {end + 1}: hash"),
        ([lines[0], dumps({"t": 0}), *lines[1:]], "line 2: missing: move, seat"),
    ]
    for damaged, says in cases:
        with pytest.raises(BadReplay) as caught:
            replay(resummed(damaged) if len(damaged) > 1 else damaged)
        assert says in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(BadReplay, match="sum="):
        replay(edited(lines, end, sum="0" * 16))


@pytest.mark.plain
def test_a_file_that_breaks_off_or_is_no_text_is_refused(tmp_path: Path) -> None:
    lines = recorded(3, 2)[1].lines()
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(BadReplay, match=f"line {len(lines)}: the file breaks off"):
        replay(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadReplay, match="not a text in UTF-8"):
        replay(path)
    with pytest.raises(FileNotFoundError):
        replay(tmp_path / "none")


def test_the_same_choices_in_another_stepping_give_the_same_game() -> None:
    """What one stepping has recorded, played into the other's clock: the hashes of the replay hold."""
    batch, recorder = recorded(21, 3000, tick_ms=20)
    assert batch.games[0].phase == OVER or batch.games[0].time > 10_000
    other = Batch(1, latencies=HASTY, tick_ms=10_000)
    other.reset([21])
    mask = np.zeros(batch.game.actions, np.int8)
    for line in map(json.loads, recorder.lines()[1:-1]):
        if "hash" not in line:
            while other.games[0].time < line["t"]:
                advance_one(other.games, other.past, 0, line["t"])
            assert choose_one(other.games, other.past, 0, line["seat"], parse_move(line["move"], line["seat"]), mask)
    while other.games[0].time < batch.games[0].time:
        advance_one(other.games, other.past, 0, int(batch.games[0].time))
    advance_one(other.games, other.past, 0, int(batch.games[0].time))
    assert state_hash(other.games[0]) == state_hash(batch.games[0])
