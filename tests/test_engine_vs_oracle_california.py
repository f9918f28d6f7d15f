"""California Speed's kernels against the slow oracle: the same choices, the same state after each, to the byte."""

import random

import pytest

from spit_env.california.rules import PRESETS
from tests.oracle_california import CaliforniaOracle
from tests.sampled_boards import california_board
from tests.sampled_rules import california_rules
from tests.side_by_side import play_both, step_both


@pytest.mark.parametrize("preset", PRESETS)
def test_presets(preset: str) -> None:
    for seed in range(25):
        play_both(CaliforniaOracle, PRESETS[preset], seed, 400)


def test_any_rules() -> None:
    for seed, rules in enumerate(california_rules(60)):
        play_both(CaliforniaOracle, rules, seed, 250)


def test_from_boards_with_few_cards() -> None:
    rng = random.Random(9)
    for seed, rules in enumerate(california_rules(60)):
        play_both(CaliforniaOracle, rules, seed, 100, board=california_board(rng))


def test_steps_of_a_batch() -> None:
    for seed, rules in enumerate([*PRESETS.values(), *california_rules(40)]):
        step_both(CaliforniaOracle, rules, seed, 250)


@pytest.mark.plain
def test_without_the_jit() -> None:
    for seed, rules in enumerate([*PRESETS.values(), *california_rules(15)]):
        play_both(CaliforniaOracle, rules, seed, 60)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_7500_games(part: int) -> None:
    """A third of them under a preset, a third under rules at random, a third from boards with few cards."""
    presets = list(PRESETS.values())
    for k, rules in enumerate(california_rules(250, seed=part)):
        seed = 250 * part + k
        play_both(CaliforniaOracle, presets[k % len(presets)], 100_000 + seed, 5000, every=5)
        play_both(CaliforniaOracle, rules, 200_000 + seed, 5000, every=5)
        play_both(CaliforniaOracle, rules, 300_000 + seed, 5000, board=california_board(random.Random(seed)))
