"""Spit's kernels against the slow oracle: the same choices, the same state after each, to the byte."""

import pytest

from spit_env.spit.rules import PRESETS
from tests.oracle import Oracle
from tests.sampled_rules import spit_rules
from tests.side_by_side import play_both, step_both


@pytest.mark.parametrize("preset", PRESETS)
def test_presets(preset: str) -> None:
    for seed in range(12):
        play_both(Oracle, PRESETS[preset], seed, 400)


def test_any_rules() -> None:
    for seed, rules in enumerate(spit_rules(80)):
        play_both(Oracle, rules, seed, 250)


def test_steps_of_a_batch() -> None:
    for seed, rules in enumerate([*PRESETS.values(), *spit_rules(40)]):
        step_both(Oracle, rules, seed, 250)


@pytest.mark.plain
def test_without_the_jit() -> None:
    for seed, preset in enumerate(PRESETS):
        play_both(Oracle, PRESETS[preset], seed, 60)
    for seed, rules in enumerate(spit_rules(20)):
        play_both(Oracle, rules, seed, 60)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_twenty_thousand_games(part: int) -> None:
    """Half of them under a preset, half under rules at random."""
    names = list(PRESETS)
    for seed in range(500 * part, 500 * (part + 1)):
        play_both(Oracle, PRESETS[names[seed % len(names)]], 100_000 + seed, 5000, every=10)
    for k, rules in enumerate(spit_rules(500, seed=part)):
        play_both(Oracle, rules, 200_000 + 500 * part + k, 5000, every=10)
