"""Profiles measured from recorded games: what was configured is found again."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spit_agents.catalogue import make_player
from spit_env.batch import Batch
from spit_env.draws import log_normal_ms, word
from spit_env.errors import BadReplay
from spit_env.latency import CALL, FLIP, KINDS, PLAY, PROFILES, REARRANGE, THINK, Latency, LogNormal, make_latency
from spit_env.replay import Recorder, replay
from spit_train.cli import main
from spit_train.measure import BadRecording, Times, fit, measure
from tests.oracle_boards import steady
from tests.random_games import play_on

SPEEDS = (Latency.of(400, 300, 200), PROFILES["human:good"])


def recorded(path: Path, seed: int, latencies: Any, bot: str = "greedy", steps: int = 100_000, **rules: Any) -> Path:
    """A game of a bot against itself."""
    batch, agent = Batch(1, rules or "emma", latencies), make_player(bot).agent
    batch.reset([seed])
    recorder, actions = Recorder(batch), np.zeros((1, batch.game.seats), np.int64)
    while not batch.over[0] and steps:
        rows, seats = np.nonzero(batch.asked)
        actions[:] = 0
        actions[rows, seats] = agent.act(*batch.seen(rows, seats), batch.draws(rows, seats))
        recorder.step(actions)
        steps -= 1
    recorder.save(path)
    return path


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Recorded games at `SPEEDS`."""
    folder = tmp_path_factory.mktemp("games")
    return [recorded(folder / f"{seed}.jsonl", seed, list(SPEEDS)) for seed in range(4)]


def quantiles(time: LogNormal) -> np.ndarray:
    """The times that a tenth, a half and nine tenths fall below."""
    return np.asarray(time.shift + time.median * np.exp(time.sigma * np.array([-1.2816, 0.0, 1.2816])))


@pytest.mark.parametrize("time", [PROFILES["human:casual"].think, PROFILES["emma:hard"].think, LogNormal(300.0, 0.2)])
def test_the_fit_finds_what_was_drawn(time: LogNormal) -> None:
    found = fit([log_normal_ms(word(3, 200, k), time.shift, time.median, time.sigma) for k in range(20_000)])
    assert np.abs(quantiles(found.time) / quantiles(time) - 1).max() < 0.02
    assert abs(found.time.shift - time.shift) < 0.05 * (time.shift + time.median)
    assert found.ks < 0.01


@pytest.mark.plain
def test_few_times_and_equal_ones() -> None:
    assert fit([250] * 40) == (LogNormal(250.0), 40, 0.0)
    assert fit([100]) == (LogNormal(100.0), 1, 0.0)
    assert fit([100, 200, 400]).time == LogNormal(200.0, 0.566, 0.0)


def test_what_was_configured_is_found_again(games: list[Path]) -> None:
    for seat, speed in enumerate(SPEEDS):
        measured = measure(games, seat)
        for kind, each in measured.fits.items():
            assert each.time == getattr(measured.latency, kind)
            if each.samples >= 200 and (kind, speed.hick) != ("think", 50):
                assert np.abs(quantiles(each.time) / quantiles(getattr(speed, kind)) - 1).max() < 0.06
                assert each.ks < 0.08
    latency = measure(games, 1).latency
    assert latency.typical("think") == pytest.approx(SPEEDS[1].typical("think"), rel=0.06)
    assert latency.call == latency.play, "nobody calls for a spit"


def test_every_time_is_taken_once(games: list[Path]) -> None:
    for seat in range(2):
        times, thinks, travels = Times(seat), 0, 0
        for game in games:
            times.take(game)
            last = replay(game)
            thinks, travels = thinks + last["think_n"][seat], travels + last["travel_n"][seat]
        assert len(times.ms[THINK]) + times.cut_off == thinks
        assert sum(len(times.ms[kind]) for kind in (PLAY, REARRANGE, FLIP, CALL)) == travels
        assert 0 < times.cut_off < 0.05 * thinks
        assert not times.ms[CALL]


@pytest.mark.parametrize("preset", ["emma", "speed_3p", "california"])
def test_each_game_tells_its_kinds(preset: str, tmp_path: Path) -> None:
    per_kind: dict[str, Any] = {kind: LogNormal(100.0 + 10 * number) for number, kind in enumerate(KINDS)}
    game = recorded(tmp_path / "game.jsonl", 1, Latency(**per_kind), steps=150, preset=preset)
    times = Times(0)
    times.take(game)
    assert times.ms[THINK]
    assert times.ms[PLAY]
    assert all(set(ms) <= {100 + 10 * number} for number, ms in enumerate(times.ms))


def test_an_open_hand_that_waits_is_still_thinking(tmp_path: Path) -> None:
    batch = Batch(1, latencies=steady(think=100, travel=100), wait_ms=70)
    batch.reset([2])
    recorder = Recorder(batch)
    play_on(batch, np.random.default_rng(2), 200, recorder.step, noop=0.5)
    recorder.save(tmp_path / "game.jsonl")
    times = Times(1)
    times.take(tmp_path / "game.jsonl")
    assert min(times.ms[THINK]) == 100
    assert max(times.ms[THINK]) > 150


def test_what_cannot_be_measured_is_said(games: list[Path], tmp_path: Path) -> None:
    with pytest.raises(BadReplay, match=r"0\.jsonl: there is no seat 2: 2 play"):
        measure(games, 2)
    broken = tmp_path / "broken.jsonl"
    broken.write_text(games[0].read_text()[:-200])
    with pytest.raises(BadReplay, match=r"broken\.jsonl: line"):
        measure([broken], 0)
    late = recorded(tmp_path / "late.jsonl", 1, Latency.of(300, 200, perception_ms=150), steps=40)
    assert measure([late], 0).latency.perception_ms == 150
    with pytest.raises(BadRecording, match="saw the table 0 ms and 150 ms late"):
        measure([games[0], late], 0)
    with pytest.raises(BadRecording, match="seat 1 has made no choice"):
        measure([recorded(tmp_path / "short.jsonl", 1, "emma:hard", steps=0)], 1)


def test_the_command_writes_a_profile_with_its_evidence(
    games: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "me.json"
    assert main(["measure", *map(str, games), "--seat", "1", "-o", str(file)]) == 0
    assert "greedy@" in capsys.readouterr().out
    body = json.loads(file.read_text())
    assert make_latency(str(file)) == measure(games, 1).latency == make_player(f"greedy@{file}").latency
    evidence = body["evidence"]
    assert evidence["seat"] == 1
    assert evidence["samples"]["think"] > 300
    assert evidence["ks"].keys() == evidence["samples"].keys()
    assert evidence["replays"] == {game.name: hashlib.sha256(game.read_bytes()).hexdigest() for game in games}
    assert main(["measure", str(tmp_path / "no.jsonl"), "-o", str(file)]) == 2
    assert "no.jsonl: No such file" in capsys.readouterr().err
