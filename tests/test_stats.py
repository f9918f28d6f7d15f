"""Intervals against published values, their own defining equations, symmetries, and simulations."""

from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spit_train.numerics import Floats, beta_cdf
from spit_train.stats import (
    clopper_pearson,
    deal_correlation,
    deal_interval,
    design_effect,
    game_scores,
    grouped_mean,
    wilson,
)
from tests.simulated import deals, held, rotations

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


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(0, 10, 0.0, 0.3085), (5, 10, 0.1871, 0.8129), (10, 10, 0.6915, 1.0), (220, 400, 0.4998, 0.5995)],
)
def test_known_exact_intervals(successes: int, n: int, low: float, high: float) -> None:
    assert clopper_pearson(successes, n) == pytest.approx((low, high), abs=5e-5)


@given(counts, confidences)
def test_exact_limits_leave_half_of_the_rest_on_each_side(count: tuple[int, int], confidence: float) -> None:
    successes, n = count
    low, high = clopper_pearson(successes, n, confidence)
    assert 0 <= low <= successes / n <= high <= 1
    if successes:
        assert beta_cdf(low, successes, n - successes + 1) == pytest.approx((1 - confidence) / 2, abs=1e-8)
    if successes < n:
        assert beta_cdf(high, successes + 1, n - successes) == pytest.approx((1 + confidence) / 2, abs=1e-8)


def test_exact_intervals_of_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="must be from 0 to n"):
        clopper_pearson(3, 2)
    with pytest.raises(ValueError, match="between 0 and 1"):
        clopper_pearson(1, 2, 95)


def test_scores_of_three_players() -> None:
    winner = [0, 1, -1, 2, 0, 0]
    third = 1 / 3
    assert game_scores(winner, 3).tolist() == [[1, 0, third], [0, 1, 1]]
    assert sum(game_scores(winner, 3, who) for who in range(3)) == pytest.approx(np.ones((2, 3)))


def test_what_kinds_of_deals_are_worth() -> None:
    rng = np.random.default_rng(3)
    assert design_effect(deals(rng, 20_000, 0.6)) == pytest.approx(1, abs=0.03)
    assert design_effect(deals(rng, 20_000, 0.6, r=0.5)) == pytest.approx(1.5, abs=0.03)
    assert design_effect(deals(rng, 20_000, 0.6, r=-0.5)) == pytest.approx(0.5, abs=0.03)
    assert design_effect(rotations(rng, 20_000, 4, 0.25)) == pytest.approx(1, abs=0.03)
    assert design_effect(np.tile(np.eye(4), (5_000, 1))) < 0.001  # each wins one game of each deal
    assert design_effect(np.ones((50, 2))) == design_effect(np.array([[1.0, 0.0]])) == 1


def test_the_interval_of_who_won_all_is_that_of_independent_games() -> None:
    assert deal_interval(np.ones((50, 2))) == (1, *wilson(100, 100))


def test_mirrored_games_leave_no_doubt_that_cannot_be_explained_by_too_few() -> None:
    for n in (100, 1000):
        _, low, high = deal_interval(np.tile([0.0, 1.0], (n, 1)))
        # If in a share of 3.7 / n of all deals one had won both games, we would have missed it with 2.5 % probability.
        assert 0.5 + 3.7 / n / 2 * 0.9 < high < 0.5 + 3.7 / n
        assert low == pytest.approx(1 - high)


def test_95_percent_of_the_intervals_over_deals_hold_the_truth() -> None:
    repeats = deals(np.random.default_rng(4), (2000, 300), 0.6, -0.02)
    assert 0.94 <= held(0.6, [deal_interval(scores)[1:] for scores in repeats]) <= 0.96


@pytest.mark.parametrize("missed", [0.5, 2, 3.5, 5, 10])
def test_intervals_of_nearly_mirrored_games_are_not_too_narrow(missed: float) -> None:
    """All deals are split, but for about so many, which all go to the same player."""
    rng, n = np.random.default_rng(6), 1000
    found = []
    for _ in range(1000):
        scores = np.tile([1.0, 0.0], (n, 1))
        scores[rng.random(n) < missed / n] = 1
        found.append(deal_interval(scores)[1:])
    assert held(0.5 + missed / n / 2, found) >= 0.95


@given(st.lists(st.tuples(*[st.sampled_from([0.0, 0.5, 1.0])] * 2), min_size=1, max_size=50), st.randoms())
def test_deals_have_no_order_and_the_other_player_gets_the_rest(games: list[tuple[float, float]], rng: Any) -> None:
    scores = np.array(games)
    share, low, high = deal_interval(scores)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1
    assert deal_interval(1 - scores) == pytest.approx((1 - share, 1 - high, 1 - low), abs=1e-9)
    rng.shuffle(games)
    assert deal_interval(np.array(games)) == pytest.approx((share, low, high), abs=1e-9)


def test_no_deal_has_no_interval() -> None:
    with pytest.raises(ValueError, match="no deal"):
        deal_interval(np.zeros((0, 2)))


@pytest.mark.parametrize("r", [-0.6, -0.02, 0.0, 0.3])
def test_the_correlation_of_a_deals_games(r: float) -> None:
    found = deal_correlation(deals(np.random.default_rng(7), 5000, 0.6, r))
    assert found.low <= r <= found.high
    assert found.high - found.low < 0.08
    assert found.alarm == (abs(r) > 0.1)


def test_few_deals_raise_no_alarm() -> None:
    rng = np.random.default_rng(8)
    assert np.mean([deal_correlation(deals(rng, 50, 0.5)).alarm for _ in range(1000)]) < 0.02


def correlation_of(scores: Floats) -> tuple[float, bool]:
    found = deal_correlation(scores)
    return found.r, found.alarm


def test_correlations_at_their_ends() -> None:
    assert correlation_of(np.array([[0.0, 1.0], [1.0, 0.0]] * 20)) == (-1, True)
    assert correlation_of(np.array([[0.0, 0.0], [1.0, 1.0]] * 20)) == (1, True)
    assert correlation_of(np.ones((20, 2))) == (0, False)
    assert correlation_of(np.tile(np.eye(3), (20, 1)))[0] == pytest.approx(-0.5)
