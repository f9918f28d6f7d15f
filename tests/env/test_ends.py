"""How games end: flags, reasons, guards to the millisecond, and that nothing is left of the last game."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from spit_env import conformance
from spit_env.conformance.play import Subject, walk
from spit_env.env import SpitEnv, parallel_env
from spit_env.state import END_REASONS, LOCKED, OVER, PAUSE, RACE

FIRST_SPIT = 1500
NOBODY = {"player_0": 0, "player_1": 0}
STEADY = {"think": [400, 0], "play": [300, 0], "rearrange": [300, 0], "flip": [200, 0], "call": [300, 0]}
STUCK = """
Y: xx3 | xx3c | xx3d | 3h | 5   d2
E: xx5 | xx5 | 5 | Q | Qh   d2
L=9 R=9
"""
BLOCKED = "Y: 3 | 3 | 5 | - | -   d[]\nE: 4 | 4 | 6 | 2 | -   d[]\nL=9 R=9"


def idle_until_the_end(env: SpitEnv) -> Any:
    """Both players only send NOOP; the last step's results."""
    results = None
    while env.agents:
        results = env.step(NOBODY)
    return results


@pytest.mark.parametrize("stepping", ["tick", "decision"])
@pytest.mark.parametrize("tick_ms", [50, 70])
@pytest.mark.parametrize(
    ("rules", "reason", "at"),
    [
        ({"stall_ms": 0, "max_idle_ms": 4321}, "max_idle_ms", FIRST_SPIT + 4321),
        ({"stall_ms": 0, "max_round_ms": 3333}, "max_round_ms", FIRST_SPIT + 3333),
        # The round's clock stands still in the pause of a spit: 2000 ms of race, the pause, 1000 ms of race.
        ({"stall_ms": 2000, "max_round_ms": 3000}, "max_round_ms", FIRST_SPIT + 2000 + FIRST_SPIT + 1000),
        ({"stall_ms": 0, "max_idle_ms": 3000, "max_round_ms": 3000}, "max_round_ms", FIRST_SPIT + 3000),
    ],
)
def test_two_who_wait_are_cut_off_at_the_documented_moment(
    rules: dict[str, Any], reason: str, at: int, tick_ms: int, stepping: str
) -> None:
    env = parallel_env(rules=rules, latency=STEADY, stepping=stepping, tick_ms=tick_ms, wait_ms=90)
    env.reset(seed=1)
    observations, rewards, terminations, truncations, infos = idle_until_the_end(env)
    for agent in env.possible_agents:
        assert (rewards[agent], terminations[agent], truncations[agent]) == (0.0, False, True)
        assert (infos[agent]["end_reason"], infos[agent]["time_ms"]) == (reason, at)
        assert np.flatnonzero(observations[agent]["action_mask"]).tolist() == [0]
        assert env.table.named(observations[agent]["observation"])["phase"] == OVER
    assert env.game.winner == -1


def test_the_last_round_allowed_is_the_last() -> None:
    env = parallel_env(rules={"max_rounds": 2, "stall_ms": 300}, latency=STEADY, stepping="decision")
    env.reset(seed=1)
    _, rewards, terminations, truncations, infos = idle_until_the_end(env)
    assert rewards == {"player_0": 0.0, "player_1": 0.0}
    assert set(truncations.values()) == {True}
    assert set(terminations.values()) == {False}
    assert infos["player_1"]["end_reason"] == "max_rounds"
    assert (env.game.rounds, env.game.winner) == (2, -1)


@pytest.mark.plain
def test_two_who_could_act_but_wait_get_new_cards_after_the_stall() -> None:
    env = parallel_env(rules={"stall_ms": 1000}, latency=STEADY, tick_ms=10)
    env.reset(seed=1)
    phases = {0: LOCKED}
    while env.game.time < 5000:
        before = env.game.phase
        env.step(NOBODY)
        if env.game.phase != before:
            phases[int(env.game.time)] = int(env.game.phase)
    # A spit after 1500 ms, a stall of 1000, the pause of the next spit 1500.
    assert phases == {0: LOCKED, 1500: RACE, 2500: PAUSE, 4000: RACE, 5000: PAUSE}
    assert env.game.deck_n.tolist() == [9, 9]


@pytest.mark.plain
def test_a_stuck_table_spits_by_itself() -> None:
    env = parallel_env(rules={"combine": "off"}, latency=STEADY, tick_ms=10)
    env.reset(seed=1, options={"board": STUCK})
    env.step(NOBODY)
    assert env.game.phase == PAUSE
    while env.game.phase == PAUSE:
        env.step(NOBODY)
    assert env.game.time == 1500
    assert env.game.pile_n.tolist() == [2, 2]


def test_wins_are_terminations_and_guards_are_not() -> None:
    seen = {}
    for rules, board in (({}, None), ({"max_rounds": 1}, None), ({"blocked": "fewest_wins_game"}, BLOCKED)):
        env = Subject(parallel_env(rules=rules, stepping="tick", tick_ms=500, latency="emma:impossible"))
        for seed in range(4):
            if board:
                env.env.reset(seed=seed, options={"board": board})
                outputs = env.step(NOBODY)
            else:
                *_, (_, _, outputs) = walk(env, seed)
            _, rewards, terminations, truncations, infos = outputs
            reason, winner = infos["player_0"]["end_reason"], env.env.game.winner
            won = reason in END_REASONS[1:4]
            assert set(terminations.values()) == {won}
            assert set(truncations.values()) == {not won}
            assert (winner >= 0) == won
            expected = [0.0, 0.0] if not won else [1.0 if p == winner else -1.0 for p in (0, 1)]
            assert list(rewards.values()) == expected
            places = [1 if p == winner else 2 for p in (0, 1)] if won else [0, 0]
            assert [info["rank"] for info in infos.values()] == places
            seen[reason] = True
    assert {"finished", "max_rounds", "blocked"} <= set(seen)


def test_both_are_paid_for_a_win_whoever_is_busy() -> None:
    """A player whose hand is under way gets its reward in the very step in which the other one wins."""
    env = parallel_env(latency=STEADY, tick_ms=50)
    board = "Y: 8 | - | - | - | -   d[]\nE: x4 | x4 | - | - | -   d[x]\nL=- R=9"
    env.reset(seed=1, options={"board": board})
    busy, done, rewards, infos = False, dict[str, bool](), dict[str, float](), dict[str, Any]()
    while not any(done.values()):
        busy = not env.batch.asked[0, 1]
        actions = {a: int(np.flatnonzero(env.batch.masks[0, p])[-1]) for p, a in enumerate(env.agents)}
        _, rewards, done, _, infos = env.step(actions)
    assert busy
    assert rewards == {"player_0": 1.0, "player_1": -1.0}
    assert infos["player_1"]["end_reason"] == "finished"
    assert infos["player_1"]["time_ms"] == 700  # thinks 400, travels 300


@pytest.mark.parametrize("stepping", ["tick", "decision"])
def test_nothing_is_left_of_the_last_game(stepping: str) -> None:
    rules = {"max_rounds": 1}
    make = partial(parallel_env, rules=rules, stepping=stepping, tick_ms=100, latency="emma:expert")
    conformance.check_episode(make, seeds=(1, 2, 3, 4))
    used, fresh = make(), make()
    for _ in walk(Subject(used), 1):
        pass
    used.reset(seed=2)
    fresh.reset(seed=2)
    assert used.game.tobytes() == fresh.game.tobytes()
    assert used.batch.past[0].tobytes() == fresh.batch.past[0].tobytes()
    assert (used.game.illegal.sum(), used.game.until.sum(), used.game.bounces.sum()) == (0, fresh.game.until.sum(), 0)
    _, rewards, terminations, truncations, infos = used.step(NOBODY)
    assert set(rewards.values()) == {0.0}
    assert not any(terminations.values())
    assert not any(truncations.values())
    assert {info["end_reason"] for info in infos.values()} == {""}


def test_reasons_are_the_documented_ones() -> None:
    assert END_REASONS == ("", "finished", "no_cards_left", "blocked", "max_rounds", "max_round_ms", "max_idle_ms")
