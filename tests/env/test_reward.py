"""Rewards: zero-sum, the outcome alone by default, and shaping that telescopes in event time."""

import math
from typing import Any

import numpy as np
import pytest

import spit_env
from spit_env.conformance.play import Subject, walk
from spit_env.env import SpitEnv, parallel_env
from spit_env.reward import Shaping, discount, ranks
from spit_env.state import OVER

TAU_S = 7.0


def chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def potential_by_hand(env: SpitEnv, seat: int) -> float:
    """2 w - 1, counted from what both players see: w, how likely the player wins, is the chance to win the round by the
    stack cards, and to win the game with what is taken up then."""
    seen = env.table.named(env.state()[: env.table.size])
    piles = [int(n) for n in seen["pile_count"]]
    decks = [int(n) for n in seen["deck_count"]]
    stacks = [int(seen["stack_count"][k].sum()) + int(seen["flight_kind"][k] in (1, 2)) for k in range(2)]
    if piles == [0, 0]:
        worth = chance(0.04 * (stacks[1] + decks[1] - stacks[0] - decks[0]))
    else:
        wins = chance(0.53 * (stacks[1] - stacks[0]) / math.sqrt(sum(stacks) + 1))
        kept = [deck + min(piles) for deck in decks]
        won = [chance(0.04 * (52 - 2 * k)) if k else 1.0 for k in kept]
        worth = wins * won[0] + (1 - wins) * (1 - won[1])
    return 2 * worth - 1 if seat == 0 else 1 - 2 * worth


@pytest.mark.parametrize("stepping", ["tick", "decision"])
@pytest.mark.parametrize("rules", [{}, {"max_rounds": 1}])
def test_shaping_telescopes_to_the_difference_of_potentials(rules: dict[str, Any], stepping: str) -> None:
    env = parallel_env(rules=rules, stepping=stepping, tick_ms=300, shaping="cards", tau_s=TAU_S,
                       latency=("emma:impossible", "emma:expert"))  # fmt: skip
    totals, first, began, before = [0.0, 0.0], [0.0, 0.0], 0, 0.0
    for step, _, outputs in walk(Subject(env), 3):
        if step == 0:
            began = env.game.time
            first = [potential_by_hand(env, p) for p in (0, 1)]
            assert env.shaping.potential(env.batch.games)[0].tolist() == pytest.approx(first, abs=1e-12)
            continue
        rewards = list(outputs[1].values())
        assert abs(sum(rewards)) < 1e-12
        now = (env.game.time - began) / 1000
        before = now - outputs[4]["player_0"]["elapsed_ms"] / 1000
        for p in (0, 1):
            totals[p] += math.exp(-before / TAU_S) * rewards[p]
        if env.game.phase != OVER and step % 20 == 0:
            for p in (0, 1):
                assert abs(totals[p] - (math.exp(-now / TAU_S) * potential_by_hand(env, p) - first[p])) < 1e-9
    outcome = {-1: 0.0, 0: 1.0, 1: -1.0}[int(env.game.winner)]
    assert (outcome == 0) == bool(rules)
    for p, sign in ((0, 1), (1, -1)):
        # The last step's outcome is paid at its end but written with its beginning, as every step's reward.
        assert abs(totals[p] - (math.exp(-before / TAU_S) * sign * outcome - first[p])) < 1e-9


@pytest.mark.plain
def test_the_discount_is_by_elapsed_time_whatever_the_steps() -> None:
    assert discount(0) == 1.0
    assert abs(float(discount(60_000)) - math.exp(-1)) < 1e-12
    elapsed = np.array([10, 990, 50, 0, 12_345])
    assert abs(discount(elapsed, 3.0).prod() - math.exp(-13.395 / 3.0)) < 1e-12


def test_a_hand_computed_return_is_the_same_in_ticks_and_decisions() -> None:
    """Discount by time, not by decision: both ways of stepping give the same discounted outcome."""
    board = "Y: 8 | - | - | - | -   d[]\nE: x4 | x4 | - | - | -   d[x]\nL=- R=9"
    steady = {"think": [400, 0], "play": [300, 0], "flip": [150, 0]}
    for kwargs in ({"tick_ms": 50}, {"tick_ms": 100}, {"stepping": "decision"}):
        env = parallel_env(latency=steady, **kwargs)  # type: ignore[arg-type]
        _, infos = env.reset(seed=1, options={"board": board})
        gamma = float(discount(infos["player_0"]["time_ms"], TAU_S))
        total = 0.0
        while env.agents:
            actions = {a: int(np.flatnonzero(env.batch.masks[0, p])[-1]) for p, a in enumerate(env.agents)}
            _, rewards, _, _, infos = env.step(actions)
            gamma *= float(discount(infos["player_0"]["elapsed_ms"], TAU_S))
            total += gamma * rewards["player_0"]
        assert abs(total - math.exp(-0.7 / TAU_S)) < 1e-9  # thinks 400 ms, travels 300


def test_the_outcome_alone_is_paid_by_default_and_once() -> None:
    for seed in range(4):
        env = parallel_env(stepping="decision", latency="emma:impossible")
        paid = [outputs[1] for step, _, outputs in walk(Subject(env), seed) if step]
        winner = env.possible_agents[env.game.winner]
        assert all(set(rewards.values()) == {0.0} for rewards in paid[:-1])
        assert paid[-1] == {agent: 1.0 if agent == winner else -1.0 for agent in env.possible_agents}


def test_shaping_does_not_pay_for_being_cut_off() -> None:
    """At a guard the potential counts as 0 and the outcome is 0, for both."""
    env = parallel_env(rules={"max_rounds": 1}, stepping="decision", shaping="cards", tau_s=TAU_S)
    held, last = 0.0, tuple[Any, ...]()
    for _, _, outputs in walk(Subject(env), 1):
        last = outputs
        if env.agents:
            held = potential_by_hand(env, 0)
    assert env.game.winner == -1
    assert held != 0
    assert abs(last[1]["player_0"] + held) < 1e-12
    assert abs(last[1]["player_1"] - held) < 1e-12


@pytest.mark.plain
def test_places_follow_the_standing_behind_the_winner() -> None:
    games = np.zeros(5, [("phase", "i1"), ("winner", "i1"), ("left", "i1", (4,))])
    games["phase"], games["winner"] = (OVER, OVER, OVER, OVER, 1), (0, 2, 3, -1, 1)
    games["left"] = [(0, 5, 3, 5), (4, 4, 0, 1), (7, 7, 7, 9), (1, 2, 3, 4), (1, 0, 3, 4)]
    four = spit_env.SPIT._replace(seats=4, standing=lambda games: games["left"])
    expected = [[1, 3, 2, 3], [3, 3, 1, 2], [2, 2, 2, 1], [0, 0, 0, 0], [0, 0, 0, 0]]
    assert ranks(four, games).tolist() == expected
    assert ranks(four, games[:0]).shape == (0, 4)


@pytest.mark.plain
def test_bad_shaping_is_refused() -> None:
    for name, tau_s, says in (("luck", 1.0, "one of 'cards', or None"), ("cards", 0.0, "must be above 0")):
        with pytest.raises(ValueError, match=says):
            Shaping(name, spit_env.SPIT, tau_s)
    with pytest.raises(ValueError, match="must be above 0"):
        Shaping("cards", spit_env.SPIT, math.nan)
