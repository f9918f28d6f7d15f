"""Real time: contests in one millisecond, latency to the millisecond, and that both ways of stepping are one game."""

import time
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spit_env.batch import Batch, make_seeds
from spit_env.conformance.play import Subject, walk
from spit_env.env import SpitEnv, parallel_env
from spit_env.games import parse_board
from spit_env.spit.rules import PRESETS
from spit_env.state import OPEN, THINK, TRAVEL
from tests.spit_rules import make_rules

STEADY = {"think": [300, 0], "play": [400, 0], "rearrange": [250, 0], "flip": [150, 0], "call": [350, 0]}
# Y plays its 5, E its 7 onto the six: whoever is first leaves the other one's card without a place.
CONTEST = "Y: x5 | xK | - | - | -   d11\nE: x7 | xK | - | - | -   d11\nL=6 R=T"
ONTO_SIX = [2, 1]  # stack 1 onto pile L: the other one's for seat 0, the own for seat 1
NOBODY = {"player_0": 0, "player_1": 0}


def test_ten_thousand_contests_in_one_millisecond_are_fair() -> None:
    games = 10_000
    batch = Batch(games, latencies=STEADY, tick_ms=100)
    board = np.asarray(parse_board(CONTEST))
    batch.reset(make_seeds(1, games), boards=np.repeat(board[None], games))
    for tick in range(7):
        if tick == 3:
            assert batch.asked.all()
            assert batch.masks[:, [0, 1], ONTO_SIX].all()
        batch.step(np.tile(ONTO_SIX if tick == 3 else (0, 0), (games, 1)))
    assert (batch.games.time == 700).all()
    assert (batch.games.landings.sum(axis=1) == 1).all()
    assert (batch.games.bounces.sum(axis=1) == 1).all()
    assert 0.49 <= batch.games.landings[:, 0].mean() <= 0.51
    assert (batch.games.ties_n == 1).all()


@pytest.mark.plain
@pytest.mark.parametrize("stepping", ["tick", "decision"])
def test_the_order_of_the_dict_decides_no_contest(stepping: Any) -> None:
    taken = []
    for agents in (["player_0", "player_1"], ["player_1", "player_0"]):
        env = parallel_env(latency=STEADY, stepping=stepping)
        for n in range(40):
            env.reset(seed=n, options={"board": CONTEST})
            while not env.game.landings.any():
                ready = env.batch.asked[0].all()
                env.step({a: ONTO_SIX[env.possible_agents.index(a)] if ready else 0 for a in agents})
            taken.append(int(env.game.landings[0]))
    assert taken[:40] == taken[40:]
    assert 8 < sum(taken[:40]) < 32


@pytest.mark.plain
def test_an_action_takes_effect_exactly_when_its_time_is_up() -> None:
    env = parallel_env(latency=(STEADY, STEADY | {"think": [9000, 0]}), tick_ms=10)
    observations, _ = env.reset(seed=1, options={"board": CONTEST})
    seen = env.table.named(observations["player_0"]["observation"])
    assert (seen["hand"][0], seen["left"]) == (THINK, 300 // 20)
    while not env.batch.asked[0, 0]:
        observations, *_ = env.step(NOBODY)
        left = env.table.named(observations["player_0"]["observation"])["left"]
        assert left == -(-(300 - env.game.time) // 20)
    assert env.game.time == 300
    observations, *_ = env.step({"player_0": ONTO_SIX[0], "player_1": 0})
    while env.game.time < 700:
        for agent, k in (("player_0", 0), ("player_1", 1)):
            seen = env.table.named(observations[agent]["observation"])
            assert (seen["hand"][k], seen["flight_card"][k]) == (TRAVEL, 5)
            assert seen["flight_left"][k] == -(-(700 - env.game.time) // 20)
            assert seen["pile_top"][1 - k] == 6
        observations, *_ = env.step(NOBODY)
    for agent, k in (("player_0", 0), ("player_1", 1)):
        seen = env.table.named(observations[agent]["observation"])
        assert (seen["flight_left"][k], seen["pile_top"][1 - k], seen["hand"][k]) == (0, 5, THINK if k == 0 else 0)
    assert env.game.time == 700


@pytest.mark.plain
def test_a_busy_player_can_change_nothing() -> None:
    envs = [parallel_env(latency=STEADY, tick_ms=50) for _ in range(2)]
    for env in envs:
        env.reset(seed=1, options={"board": CONTEST})
    for _ in range(4):
        results = envs[0].step(NOBODY), envs[1].step({"player_0": ONTO_SIX[0], "player_1": 20})
        for agent in NOBODY:
            assert results[0][0][agent]["observation"].tobytes() == results[1][0][agent]["observation"].tobytes()
            assert np.flatnonzero(results[1][0][agent]["action_mask"]).tolist() == [0]
            assert results[1][4][agent]["action_rejected"] is True
            assert results[1][1][agent] == 0.0


@pytest.mark.plain
def test_both_see_one_moment_and_neither_the_others_choice_of_it() -> None:
    """The other one's action shows in the next observation, and does not change what the own action does now."""
    after = []
    for other in (0, ONTO_SIX[1]):
        env = parallel_env(latency=STEADY, tick_ms=50)
        observations, _ = env.reset(seed=1, options={"board": CONTEST})
        while not env.batch.asked[0].all():
            observations, *_ = env.step(NOBODY)
        both = [env.table.named(observations[agent]["observation"]) for agent in env.agents]
        assert [seen["hand"].tolist() for seen in both] == [[OPEN, 0], [OPEN, 0]]
        assert both[0]["idle"] == both[1]["idle"]
        results = env.step({"player_0": ONTO_SIX[0], "player_1": other})
        after.append(env.table.named(results[0]["player_0"]["observation"]))
    assert after[0]["flight_kind"].tolist() == [1, 0]
    assert after[1]["flight_kind"].tolist() == [1, 1]
    for name in ("hand", "flight_card", "flight_left"):
        assert after[0][name][0] == after[1][name][0]


def test_nobody_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    def sleep(seconds: float) -> None:
        raise AssertionError(f"slept for {seconds} s")

    monkeypatch.setattr(time, "sleep", sleep)
    for stepping in ("tick", "decision"):
        for _ in walk(Subject(parallel_env(stepping=stepping)), 1, 200):
            pass


# --- Tick and decision stepping --------------------------------------------------------------------------------------

TICK = 50
times = st.integers(1, 20).map(lambda n: [TICK * n, 0])
latencies = st.fixed_dictionaries(
    {"think": times, "play": times, "rearrange": times, "flip": times, "call": times},
    optional={"perception_ms": st.integers(1, 8).map(lambda n: TICK * n)},
)


class Moment(NamedTuple):
    """A stop of decision stepping: one time may have several, as when the last NOOP of a stall leads on to a pick."""

    time: int
    phase: int


def moment_of(env: SpitEnv) -> Moment:
    return Moment(int(env.game.time), int(env.game.phase))


def by_decisions(env: SpitEnv, seed: int, steps: int) -> tuple[dict[tuple[Moment, str], int], dict[Moment, Any]]:
    """Random choices of a game in decision stepping by moment and agent, and what was first seen at each moment."""
    rng = np.random.default_rng(seed)
    observations, infos = env.reset(seed=seed)
    chosen: dict[tuple[Moment, str], int] = {}
    stops: dict[Moment, Any] = {}
    for step in range(steps + 1):
        now = moment_of(env)
        asked = [agent for agent in observations if infos[agent]["asked"]]
        stops.setdefault(now, (asked, observations))
        if not env.agents or step == steps:
            break
        actions = dict(NOBODY)
        for agent in asked:
            legal = np.flatnonzero(observations[agent]["action_mask"])
            if (now, agent) not in chosen:  # asked again in the same moment, because the other one set out: stays
                actions[agent] = chosen[now, agent] = int(rng.choice(legal if rng.random() < 0.3 else legal[-3:]))
        observations, *_, infos = env.step(actions)
    return chosen, stops


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10**6), preset=st.sampled_from(sorted(PRESETS)), speeds=st.tuples(latencies, latencies),
    wait=st.integers(1, 6),
)  # fmt: skip
def test_tick_and_decision_stepping_are_one_game(seed: int, preset: str, speeds: Any, wait: int) -> None:
    """All times are whole ticks; the choices of the one are made at the same times in the other."""
    rules = make_rules(preset, max_rounds=2)
    wait_ms = TICK * (1 if rules.must_play else wait)  # a tick asks at every tick
    decisions = parallel_env(rules=rules, latency=speeds, stepping="decision", wait_ms=wait_ms)
    ticks = parallel_env(rules=rules, latency=speeds, stepping="tick", tick_ms=TICK, wait_ms=wait_ms)
    chosen, stops = by_decisions(decisions, seed, 250)
    observations, infos = ticks.reset(seed=seed)
    *_, end = stops
    left = dict(stops)
    while left and ticks.game.time <= end.time:
        now = moment_of(ticks)
        if now in left:
            asked, seen = left.pop(now)
            for agent in observations:
                assert observations[agent]["observation"].tobytes() == seen[agent]["observation"].tobytes(), now
                if agent in asked:
                    assert infos[agent]["asked"]
                    assert observations[agent]["action_mask"].tolist() == seen[agent]["action_mask"].tolist()
        if not left or not ticks.agents:
            break
        observations, *_, infos = ticks.step({agent: chosen.get((now, agent), 0) for agent in ticks.agents})
        assert not any(infos[agent]["action_rejected"] for agent in infos)
    assert not left
    if not decisions.agents:
        assert ticks.agents == []
        assert ticks.game.end_reason == decisions.game.end_reason
        assert ticks.game.winner == decisions.game.winner
