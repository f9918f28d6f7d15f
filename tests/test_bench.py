"""The benchmark: that what it times is the real thing, and that its report holds what was measured."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from spit_train import bench, bench_peers, bench_training
from spit_train.bench import Measure, Sizes
from spit_train.bench_loops import ALL, ENGINE, MASKS, OBSERVATIONS, TICK_MS, RandomPlay, Stretch, choose_at_random
from spit_train.bench_peers import ONE, TICK, Peer
from spit_train.cli import main
from spit_train.config import PPO, TrainConfig
from spit_train.report import number

TINY = Sizes(
    repeats=2, games=4, warm_up=40, ticks=30, decisions=20, deals=2, searched_deals=1, env_steps=40, fresh_starts=1
)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No new processes, small updates, and one peer that is there and one that is not."""

    def absent() -> Callable[[int], float]:
        raise ImportError("No module named 'pygame'")

    small = TrainConfig(ppo=PPO(envs=16, n_steps=16, batch_size=128))
    monkeypatch.setattr(bench_training, "TrainConfig", lambda: small)
    monkeypatch.setattr(bench, "start_process", lambda folder: (0.5, 1.5))
    monkeypatch.setattr(bench, "PEERS", (Peer("there", TICK, lambda: lambda steps: 2.0), Peer("absent", ONE, absent)))
    monkeypatch.setattr(bench, "QUICK", TINY)


@pytest.mark.plain
@pytest.mark.parametrize("parts", [ENGINE, MASKS, OBSERVATIONS, ALL])
def test_a_replay_plays_the_same_games(parts: int) -> None:
    """Whatever is left out of the work, the games are those of the engine, and what is written is right."""
    play = RandomPlay(3, TICK_MS)
    play.run(60)
    stretch = Stretch(play, 120)
    batch = play.batch
    games, masks, flat, asked = (array.copy() for array in (batch.games, batch.masks, batch.flat, batch.asked))
    count = stretch.replay(parts)
    assert count.agent_steps == 2 * 3 * 120
    for name in batch.games.dtype.names:
        if name != "dirty":  # says what of the outputs is stale
            assert (batch.games[name] == games[name]).all(), name
    assert (batch.asked == asked).all()
    assert (batch.masks == masks).all() or parts == ENGINE
    assert (batch.flat == flat).all() or parts in (ENGINE, MASKS)


@pytest.mark.plain
@pytest.mark.parametrize("tick_ms", [TICK_MS, None])
def test_random_play_is_legal_and_goes_on(tick_ms: int | None) -> None:
    play = RandomPlay(3, tick_ms)
    play.batch.games["max_round_ms"] = 3000  # so that games end
    count = play.run(300)
    assert count.decisions > 0
    assert count.games > 0
    assert play.begun == 3 + count.games
    assert not play.batch.games.illegal.any()
    assert not play.batch.over.any()


@pytest.mark.plain
def test_choices_are_legal_and_even() -> None:
    masks = np.zeros((500, 2, 39), np.int8)
    masks[:, :, [3, 17, 38]] = 1
    asked = np.ones((500, 2), np.bool_)
    asked[0] = False
    actions = np.full((500, 2), -1, np.int64)
    choose_at_random(masks, asked, actions, 1)
    assert actions[0].tolist() == [0, 0]
    found, counts = np.unique(actions[1:], return_counts=True)
    assert found.tolist() == [3, 17, 38]
    assert counts.min() > 270  # of about 333, standard deviation 15


def test_bench_measures_everything(quick: None) -> None:
    heard: list[str] = []
    result = bench.bench(TINY, heard.append)
    names = [measure.name for measure in result.measures]
    assert len(set(names)) == len(names)
    wanted = {TICK, ONE, "decision stepping: all in", "emma:hard v emma:hard", "training end to end", "import"}
    assert wanted <= set(names)
    assert all(len(m.values) in (TINY.repeats, TINY.fresh_starts) for m in result.measures)
    assert all(min(measure.values) > 0 for measure in result.measures)
    assert result.missing == {"absent": "No module named 'pygame'"}
    assert len(heard) == 8


def test_peers_are_set_beside_spit(quick: None) -> None:
    result = bench.bench(TINY)
    peer, spit = (next(m for m in result.measures if name in m.name) for name in ("there", TICK))
    assert peer.ratio == spit.median / 2
    assert spit.ratio is None


def test_the_command_prints_and_writes(quick: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--quick", "--json", str(tmp_path / "out.json")]) == 0
    out = capsys.readouterr().out
    assert TICK in out
    assert "not timed: absent (No module named 'pygame')" in out
    assert max(map(len, out.splitlines())) <= 100
    values = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert values["format"] == "spit-bench"
    assert values["sizes"]["games"] == TINY.games
    assert {"numpy", "numba", "python"} <= set(values["machine"]["versions"])
    for measure in values["measures"]:
        assert measure["min"] <= measure["median"] <= measure["max"]
        assert measure["median"] == Measure(measure["name"], "", tuple(measure["values"])).median


@pytest.mark.parametrize("peer", [peer for peer in bench_peers.PEERS if "CartPole" in peer.name])
def test_peers_run(peer: Peer) -> None:
    assert peer.prepare()(20) > 0


@pytest.mark.slow
def test_a_new_process_starts_faster_the_second_time(tmp_path: Path) -> None:
    _, first = bench.start_process(str(tmp_path))
    _, later = bench.start_process(str(tmp_path))
    assert later < first / 3


@pytest.mark.plain
def test_a_process_that_fails_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bench, "START", "raise SystemExit('no engine')")
    with pytest.raises(RuntimeError, match="no engine"):
        bench.start_process(str(tmp_path))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (10_234_567, "10.2 M"),
        (353_412, "353 k"),
        (1_670_000, "1.67 M"),
        (27_400, "27.4 k"),
        (20.23, "20.2"),
        (0.7, "0.7"),
    ],
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert number(value) == text
