"""Speeds: thinking that takes longer the more there is to choose from, profiles of people, profiles in files."""

import json
from itertools import pairwise
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spit_agents.catalogue import make_player
from spit_env.batch import Batch
from spit_env.draws import BITS
from spit_env.errors import BadLatency
from spit_env.latency import HUMANS, KINDS, LEVELS, PROFILES, Latency, LogNormal, make_latency
from spit_env.saves import digest, dumps, load_game, save_game
from tests.oracle_boards import steady
from tests.rules.boards import board
from tests.rules.boards import moves as moves_of

HARD = PROFILES["emma:hard"].to_dict()


def write(folder: Path, body: Any) -> str:
    """A file with this JSON, or this text."""
    file = folder / "me.json"
    file.write_text(body if isinstance(body, str) else json.dumps(body))
    return str(file)


def levels(**latencies: Any) -> dict[str, Any]:
    """A file of levels."""
    return {
        "format": "spit-levels", "version": 1,
        "levels": {name: {"latency": latency, "wins": 0.4} for name, latency in latencies.items()},
    }  # fmt: skip


# Hick's law


@pytest.mark.plain
def test_bits_are_logarithms_on_a_grid() -> None:
    assert len(BITS) == 257
    for n in range(1, 257):
        assert abs(BITS[n] - log2(n)) <= 2.0**-21
    assert np.array_equal(BITS * 2**20, np.round(BITS * 2**20))


@pytest.mark.plain
@pytest.mark.parametrize(("y", "choices"), [("8 | 3", 1), ("8 | T", 2), ("8 | T | 8", 3), ("8 | 8 | x3", 6)])
def test_thinking_takes_longer_with_more_to_choose_from(y: str, choices: int) -> None:
    slow = Latency.from_dict(steady(think=200).to_dict() | {"hick": 100})
    game = board(y, "5 | 5", "L=9 R=K", latencies=(slow, steady(think=200)))
    assert game.game.hick.tolist() == [100, 0]
    assert game.game.until.tolist()[0] == int(200 + 100 * log2(choices + 1) + 0.5)
    assert len(moves_of(game)) == choices


@pytest.mark.plain
def test_the_observation_shows_the_time_to_think_with_three_legal_actions() -> None:
    plain, slow = Latency.of(400, 300), Latency.of(300, 300)
    slow = Latency.from_dict(slow.to_dict() | {"hick": 50})
    assert plain.typical("think") == slow.typical("think") == 400
    batch = Batch(1, latencies=[plain, slow])
    batch.reset([1])
    assert batch.observations[0, 0].pace[0].tolist() == batch.observations[0, 0].pace[1].tolist()


@pytest.mark.plain
def test_scaling_and_plain_data_keep_it() -> None:
    casual = PROFILES["human:casual"]
    slower = casual.scaled(1.5)
    assert slower.typical("think") == pytest.approx(1.5 * casual.typical("think"))
    assert slower.hick == 120
    assert make_latency(json.loads(json.dumps(casual.to_dict()))) == casual
    old = {name: value for name, value in HARD.items() if name != "hick"}
    assert make_latency(old) == PROFILES["emma:hard"]
    assert casual.table()[:, 3].tolist() == [80, 0, 0, 0, 0]


@pytest.mark.plain
def test_a_saved_game_from_before_is_taken_up() -> None:
    batch = Batch(1, latencies="emma:hard")
    batch.reset([3])
    text = json.loads(save_game(batch.games[0], batch.past[0]))
    record, _ = load_game(save_game(batch.games[0], batch.past[0]))
    assert record["thought_ms"].tolist() == batch.games[0].thought_ms.tolist() != [0, 0]
    for name in ("hick", "thought_ms", "moved_ms"):
        del text["state"][name]
    del text["sum"]
    record, _ = load_game(dumps(text | {"sum": digest(dumps(text).encode())}))
    assert record["thought_ms"].tolist() == record["hick"].tolist() == [0, 0]


# People


@pytest.mark.plain
def test_people_are_built_from_the_numbers_of_the_literature() -> None:
    assert {f"human:{name}" for name in HUMANS} == {name for name in PROFILES if name.startswith("human:")}
    for name, (median, sigma, hick, throughput) in HUMANS.items():
        person = PROFILES[f"human:{name}"]
        assert person.think == LogNormal(median, sigma, 150)
        assert person.hick == hick
        assert person.play == person.rearrange == person.call
        assert abs(person.play.median - (60 + 1000 * log2(300 / 80 + 1) / throughput)) <= 0.5
        assert abs(person.flip.median - (60 + 1000 / throughput)) <= 0.5
        assert person.play.sigma == person.flip.sigma == 0.2
    cycles = [sum(PROFILES[f"human:{name}"].typical(kind) for kind in ("think", "play")) for name in HUMANS]
    assert cycles == sorted(cycles, reverse=True)
    assert make_player("greedy@human:casual").latency == PROFILES["human:casual"]


# Files


@pytest.mark.plain
def test_the_stock_levels_come_from_a_file() -> None:
    assert LEVELS == ("easy", "medium", "hard", "expert", "impossible")
    stock = [PROFILES[f"emma:{level}"] for level in LEVELS]
    assert stock == [make_latency(f"spit_env/levels.json:{level}") for level in LEVELS]
    for slower, faster in pairwise(stock):
        assert all(slower.typical(kind) > faster.typical(kind) for kind in KINDS)


@pytest.mark.plain
def test_profiles_are_read_from_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = {"format": "spit-latency", "version": 1, "latency": HARD | {"hick": 20}, "evidence": {"games": 3}}
    file = write(tmp_path, body)
    assert make_latency(file) == make_latency(HARD | {"hick": 20})
    monkeypatch.chdir(tmp_path)
    assert make_player("greedy@me.json*2").latency == make_latency(HARD | {"hick": 20}).scaled(2)
    write(tmp_path, levels(slow={"think": [900]}, quick={"think": [90, 0.1]}))
    assert make_latency("me.json:quick") == Latency(think=LogNormal(90, 0.1))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("body", "level", "message"),
    [
        (None, "", "cannot be read: No such file"),
        ("{", "", "not JSON"),
        ([1], "", "not a latency file: format=None"),
        ({"format": "spit-save"}, "", "format='spit-save', not 'spit-latency' or 'spit-levels'"),
        ({"format": "spit-latency", "version": 2}, "", "version 2 of the format; this program reads version 1"),
        ({"format": "spit-latency", "version": 1}, "", "the file must have an object 'latency'"),
        ({"format": "spit-latency", "version": 1, "latency": HARD}, ":easy", "one profile and no levels; write "),
        ({"format": "spit-latency", "version": 1, "latency": {"thnk": 1}}, "", "did you mean 'think'"),
        ({"format": "spit-latency", "version": 1, "latency": {"think": 1}}, "", r"must be \[median, sigma, shift\]"),
        ({"format": "spit-latency", "version": 1, "latency": {"hick": "1"}}, "", "hick='1' must be 0 to 10000 ms"),
        ({"format": "spit-levels", "version": 1, "levels": {}}, ":easy", "must have an object 'levels'"),
        ({"format": "spit-levels", "version": 1, "levels": {"easy": 1}}, ":easy", "level 'easy' must have an object"),
        (levels(easy=HARD, hard=HARD), "", "which level. write .*me.json:LEVEL, one of easy, hard"),
        (levels(easy=HARD, hard=HARD), ":esay", "unknown level 'esay' .did you mean 'easy'.*the file has easy, hard"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_said_in_a_line(tmp_path: Path, body: Any, level: str, message: str) -> None:
    name = f"{tmp_path}/me.json{level}" if body is None else write(tmp_path, body) + level
    with pytest.raises(BadLatency, match=message) as error:
        make_latency(name)
    assert str(error.value).startswith(name)
    assert "\n" not in str(error.value)


@pytest.mark.plain
def test_unknown_names_and_impossible_values() -> None:
    with pytest.raises(BadLatency, match=r"unknown latency 'human:casul' .did you mean 'human:casual'.*, or a file"):
        make_latency("human:casul")
    for hick in (-1, 10_001, float("nan")):
        with pytest.raises(BadLatency, match=r"hick=.* must be 0 to 10000 ms per bit"):
            Latency(hick=hick)
