"""Wilson's interval against published values, its own defining equation, and its symmetries; means of groups."""

from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spit_train.stats import grouped_mean, wilson

pytestmark = pytest.mark.plain

counts = st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
confidences = st.floats(0.5, 0.999)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(220, 400, 0.501, 0.598), (55, 100, 0.452, 0.644), (0, 100, 0.000, 0.037), (100, 100, 0.963, 1.000)],
)
def test_known_values(successes: int, n: int, low: float, high: float) -> None:
    assert np.round(wilson(successes, n), 3) == pytest.approx((low, high))


@given(counts, confidences)
def test_limits_solve_the_score_equation(count: tuple[int, int], confidence: float) -> None:
    """A limit is a share so far from the observed one that the score test just rejects it."""
    successes, n = count
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    low, high = wilson(successes, n, confidence)
    assert 0 <= low <= successes / n <= high <= 1
    for limit in (low, high):
        score = (successes / n - limit) ** 2
        assert score == pytest.approx(z**2 * limit * (1 - limit) / n, rel=1e-6, abs=1e-12)


@given(counts)
def test_failures_mirror_successes(count: tuple[int, int]) -> None:
    successes, n = count
    low, high = wilson(successes, n)
    assert wilson(n - successes, n) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@given(st.lists(counts, min_size=1, max_size=20))
def test_arrays_are_many_numbers(many: list[tuple[int, int]]) -> None:
    successes, n = zip(*many, strict=True)
    low, high = wilson(successes, n)
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == [wilson(*count) for count in many]


def test_arrays_broadcast() -> None:
    low, high = wilson([[1], [2]], [10, 20, 40])
    assert low.shape == high.shape == (2, 3)


def test_of_no_trials_nothing_is_known() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5), (1, -1), ([float("nan")], 5)])
def test_impossible_counts_are_refused(successes: Any, n: int) -> None:
    with pytest.raises(ValueError, match="must be from 0 to n"):
        wilson(successes, n)


@pytest.mark.parametrize("confidence", [0, 1, 95])
def test_impossible_confidence_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        wilson(1, 2, confidence)


def test_a_grouped_mean_of_equal_groups_is_that_of_the_groups() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(2.0, 1.0, (40, 3))
    mean, low, high = grouped_mean(values.sum(axis=1), np.full(40, 3))
    assert mean == pytest.approx(values.mean())
    half = 1.959964 * values.mean(axis=1).std(ddof=1) / 40**0.5
    assert (low, high) == pytest.approx((mean - half, mean + half))


def test_intervals_of_a_grouped_mean_hold_the_true_one() -> None:
    """Groups that share their luck, some values missing: 95 % of the intervals hold the mean of all there could be."""
    rng, held, runs = np.random.default_rng(1), 0, 1000
    for _ in range(runs):
        values = rng.normal(0.0, 1.0, (60, 1)) + rng.normal(2.0, 0.5, (60, 4))
        there = rng.random((60, 4)) < 0.8
        _, low, high = grouped_mean((values * there).sum(axis=1), there.sum(axis=1))
        held += low <= 2.0 <= high
    assert abs(held / runs - 0.95) < 0.025


def test_a_grouped_mean_of_too_little() -> None:
    assert grouped_mean([3, 0], [2, 0]) == (1.5, -np.inf, np.inf)
    with pytest.raises(ValueError, match="no value"):
        grouped_mean([0], [0])
    with pytest.raises(ValueError, match="confidence=95 must lie between 0 and 1"):
        grouped_mean([1], [1], 95)
