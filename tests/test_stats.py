"""Wilson's interval against published values, its own defining equation, and its symmetries."""

from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spit_train.stats import wilson

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
