"""The kernels against the slow oracle: the same choices, the same state after each, to the byte."""

import random

import pytest

from spit_env.latency import Latency, LogNormal
from spit_env.spit.rules import PRESETS, SpitRules
from spit_env.state import OVER
from tests.engine import Engine
from tests.oracle import Oracle
from tests.oracle_boards import sample_rules


def random_latencies(rng: random.Random) -> list[Latency]:
    """Anything from machines to snails, with or without spread, shift and delayed sight."""
    sight = rng.choice(((0, 0), (0, 0), (0, 30), (400, 0), (400, 400)))
    fastest = (50, 100) if any(sight) else (0, 1)  # a delayed view reaches back 64 visible changes

    def time() -> LogNormal:
        return LogNormal(rng.choice((*fastest, 300, 900)), rng.choice((0.0, 0.0, 0.3)), rng.choice((0, 0, 50)))

    return [
        Latency(think=time(), play=time(), rearrange=time(), flip=time(), call=time(), perception_ms=ms) for ms in sight
    ]


def play_both(rules: SpitRules, seed: int, steps: int, every: int = 1) -> None:
    """Play one game in both: the masks at each choice, the whole state at every so many and at the end."""
    rng = random.Random(seed)
    latencies = random_latencies(rng)
    if rng.random() < 0.5:
        latencies[1] = latencies[0]  # equal times make ties
    labels = rng.choice(((0, 1), (1, 0)))
    wait_ms = rng.choice((1, 100, 1000))
    patience = rng.choice((0.0, 0.1, 0.6))
    engine = Engine(rules, latencies, seed, labels, wait_ms)
    oracle = Oracle(rules, latencies, seed, labels, wait_ms)
    for step in range(steps):
        if rng.random() < 0.3:
            until = oracle.time + rng.choice((1, 7, 50, 400))
            engine.advance(until)
            oracle.advance(until)
            asked = [p for p in (0, 1) if oracle.legal(p) != [0]]
        else:
            engine.advance(None, stop_at_choice=True)
            oracle.advance(None, stop_at_choice=True)
            asked = sorted(oracle.asked())
            assert engine.asked() == asked
        if step % every == 0 or oracle.phase == OVER:
            assert engine.snapshot() == oracle.snapshot()
        if oracle.phase == OVER:
            return
        choices = []
        for p in asked:
            legal = oracle.legal(p)
            assert engine.legal(p) == legal
            moves = [a for a in legal if a] or legal
            choices.append((p, 0 if 0 in legal and rng.random() < patience else rng.choice(moves)))
        for p, action in sorted(choices, key=lambda choice: choice[1] > 0):  # NOOPs first
            engine.choose(p, action)
            oracle.choose(p, action)


@pytest.mark.parametrize("preset", PRESETS)
def test_presets(preset: str) -> None:
    for seed in range(12):
        play_both(PRESETS[preset], seed, 400)


def test_any_rules() -> None:
    for seed, rules in enumerate(sample_rules(80)):
        play_both(rules, seed, 250)


@pytest.mark.plain
def test_without_the_jit() -> None:
    for seed, preset in enumerate(PRESETS):
        play_both(PRESETS[preset], seed, 60)
    for seed, rules in enumerate(sample_rules(20)):
        play_both(rules, seed, 60)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_twenty_thousand_games(part: int) -> None:
    """Half of them under a preset, half under rules at random."""
    names = list(PRESETS)
    for seed in range(500 * part, 500 * (part + 1)):
        play_both(PRESETS[names[seed % len(names)]], 100_000 + seed, 5000, every=10)
    for k, rules in enumerate(sample_rules(500, seed=part)):
        play_both(rules, 200_000 + 500 * part + k, 5000, every=10)
