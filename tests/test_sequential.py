"""The sequential test against closed forms and simulations; stopping at a wanted precision."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spit_train import sequential
from spit_train.numerics import Floats
from spit_train.sequential import (
    Verdict,
    bounds,
    elo_of,
    expected_deals,
    first_within,
    log_ratios,
    sequential_test,
    share_of,
    tilt,
)
from spit_train.stats import clopper_pearson, deal_interval
from tests.simulated import deals, held, rotations

pytestmark = pytest.mark.plain

VALUES = np.array([0, 0.25, 0.5, 0.75, 1])
seen = st.lists(st.integers(0, 200), min_size=5, max_size=5).map(lambda counts: np.array(counts, np.float64))
scores_of_deals = st.lists(st.tuples(*[st.sampled_from([0.0, 0.5, 1.0])] * 2), min_size=1, max_size=80).map(np.array)


@given(st.floats(-800, 800), st.integers(2, 4))
def test_elo_and_shares_are_the_same_thing(elo: float, players: int) -> None:
    assert elo_of(share_of(elo, players), players) == pytest.approx(elo, abs=1e-6)
    assert share_of(0, players) == pytest.approx(1 / players)


def test_elo_at_the_ends() -> None:
    assert (elo_of(0), elo_of(1)) == (-math.inf, math.inf)


@given(seen, st.floats(0.05, 0.95))
def test_the_likeliest_distribution_has_the_wanted_mean(counts: Floats, share: float) -> None:
    counts = np.maximum(counts, 1)
    weights = counts / (1 + tilt(counts, VALUES, share) * (VALUES - share))
    assert (weights > 0).all()
    assert weights.sum() == pytest.approx(counts.sum())
    assert weights @ VALUES / weights.sum() == pytest.approx(share)


@given(seen.filter(lambda counts: counts[0] > 0 and counts[4] > 0), st.floats(0.1, 0.9))
def test_no_other_distribution_with_that_mean_is_likelier(counts: Floats, share: float) -> None:
    counts = np.maximum(counts, 1)
    best = counts / (1 + tilt(counts, VALUES, share) * (VALUES - share)) / counts.sum()
    for change in ([1, -2, 1, 0, 0], [0, 1, -2, 1, 0], [0, 0, 1, -2, 1]):  # keep sum and mean
        for size in (1e-4, -1e-4):
            other = best + size * best.min() * np.array(change)
            assert counts @ np.log(other) <= counts @ np.log(best) + 1e-12


@given(st.integers(1, 300), st.integers(1, 300), st.floats(0.1, 0.9), st.floats(0.1, 0.9))
def test_of_all_or_nothing_it_is_walds_ratio(wins: int, losses: int, share0: float, share1: float) -> None:
    expected = wins * math.log(share1 / share0) + losses * math.log((1 - share1) / (1 - share0))
    counts = np.array([losses, 0, 0, 0, wins], np.float64)
    assert log_ratios(counts, VALUES, share0, share1) == pytest.approx(expected, rel=1e-6, abs=1e-6)


@given(seen)
def test_the_ratio_turns_round_with_the_players_and_with_the_hypotheses(counts: Floats) -> None:
    ratio = float(log_ratios(counts, VALUES, 0.5, 0.55))
    assert float(log_ratios(counts[::-1], VALUES, 0.5, 0.45)) == pytest.approx(ratio, abs=1e-6)
    assert float(log_ratios(counts, VALUES, 0.55, 0.5)) == pytest.approx(-ratio, abs=1e-9)


@given(scores_of_deals)
def test_games_to_come_change_nothing(scores: Floats) -> None:
    whole = sequential_test(scores, 0, 200)
    for n in range(1, len(scores) + 1):
        part = sequential_test(scores[:n], 0, 200)
        if n < whole.deals:
            assert part.decision == "undecided"
        else:
            assert (part.decision, part.deals) == (whole.decision, whole.deals) or whole.decision == "undecided"
        assert part.ratios == pytest.approx(whole.ratios[: part.deals])


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = deals(np.random.default_rng(1), 3000, 0.52)
    whole = sequential_test(scores, 0, 10)
    monkeypatch.setattr(sequential, "BLOCK", 7)
    parts = sequential_test(scores, 0, 10)
    assert whole[:2] == parts[:2]
    assert whole.ratios == pytest.approx(parts.ratios)


def test_a_decision_is_the_first_crossing() -> None:
    found = sequential_test(deals(np.random.default_rng(2), 5000, share_of(20)), 0, 20)
    assert (found.decision, found.deals) == ("H1", len(found.ratios))
    assert found.ratios[-1] >= found.upper > found.ratios[:-1].max()
    assert found.lower < found.ratios.min()
    assert (found.lower, found.upper) == bounds(0.05, 0.05)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_mirrored_games_soon_accept_that_nobody_is_better(players: int) -> None:
    mirrored = np.tile(np.eye(players), (200, 1))
    found = sequential_test(mirrored, 0, 20)
    assert (found.decision, found.deals < 200) == ("H0", True)
    assert sequential_test(mirrored, -20, 0).decision == "H1"


def test_mirrored_games_say_nothing_between_a_little_better_and_a_little_worse() -> None:
    assert sequential_test(np.tile(np.eye(2), (1000, 1)), -10, 10).decision == "undecided"


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_who_wins_all_or_nothing_is_soon_decided(score: float) -> None:
    found = sequential_test(np.full((100, 2), score), 0, 100)
    assert (found.decision, found.deals < 20) == ("H1" if score else "H0", True)


def many(tests: int, elo1: float, *, elo: float, players: int = 2, r: float = 0.0, seed: int = 3) -> list[Verdict]:
    """Tests of 0 against ``elo1``, of a player who is truly ``elo`` better, all long enough to decide."""
    rng, share = np.random.default_rng(seed), share_of(elo, players)
    longest = 60 + int(15 * expected_deals(0, elo1, 0, players=players, effect=1 + r))
    found = []
    for _ in range(tests):
        scores = deals(rng, longest, share, r) if players == 2 else rotations(rng, longest, players, share)
        found.append(sequential_test(scores, 0, elo1))
    return found


def share_of_h1(found: list[Verdict]) -> int:
    assert all(verdict.decision != "undecided" for verdict in found)
    return sum(verdict.decision == "H1" for verdict in found)


CASES = [(2, 0.0), (2, -0.8), (4, 0.0)]


@pytest.mark.parametrize(("players", "r"), CASES)
def test_equal_players_are_taken_for_better_in_5_percent_of_tests(players: int, r: float) -> None:
    found = many(400, 30, elo=0, players=players, r=r)
    assert clopper_pearson(share_of_h1(found), 400)[0] <= 0.05
    mean = np.mean([verdict.deals for verdict in found])
    assert 0.9 < mean / expected_deals(0, 30, 0, players=players, effect=1 + r) < 1.6


@pytest.mark.parametrize(("players", "r"), CASES)
def test_a_better_player_is_found_in_95_percent_of_tests(players: int, r: float) -> None:
    found = many(400, 30, elo=30, players=players, r=r, seed=4)
    assert share_of_h1(found) >= 0.92 * 400
    mean = np.mean([verdict.deals for verdict in found])
    assert 0.85 < mean / expected_deals(0, 30, 30, players=players, effect=1 + r) < 1.5


def test_in_the_middle_it_takes_longest() -> None:
    found = many(800, 30, elo=15)
    assert 360 < share_of_h1(found) < 440
    mean = float(np.mean([verdict.deals for verdict in found]))
    assert mean == pytest.approx(expected_deals(0, 30, 15), rel=0.15)
    assert expected_deals(0, 30, 15) > expected_deals(0, 30, 20) > expected_deals(0, 30, 30)
    assert expected_deals(-15, 15, 0) == pytest.approx(expected_deals(0, 30, 15), rel=0.01)
    assert expected_deals(0, 30, 15 + 1e-4) == pytest.approx(expected_deals(0, 30, 15), rel=1e-3)


def test_error_rates_can_be_chosen() -> None:
    loose = many(300, 50, elo=0)
    strict = [sequential_test(deals(np.random.default_rng(k), 3000, 0.5), 0, 50, alpha=0.005) for k in range(300)]
    assert share_of_h1(strict) <= 5
    assert share_of_h1(loose) > 5


def test_hypotheses_and_error_rates_are_checked() -> None:
    scores = np.ones((3, 2))
    with pytest.raises(ValueError, match="elo0=5 must be below elo1=5"):
        sequential_test(scores, 5, 5)
    with pytest.raises(ValueError, match=r"alpha=0 and beta=0.05 must lie"):
        sequential_test(scores, 0, 5, alpha=0)


def test_stopping_at_a_precision_keeps_the_coverage() -> None:
    rng, found = np.random.default_rng(5), []
    for _ in range(500):
        scores = deals(rng, 1200, 0.6)
        n = first_within(scores, 0.03)
        assert n is not None
        found.append(deal_interval(scores[:n])[1:])
    assert held(0.6, found) >= 0.925


def test_the_looks_for_precision_are_fixed() -> None:
    scores = deals(np.random.default_rng(6), 3000, 0.6)
    n = first_within(scores, 0.02)
    assert n == first_within(scores[:n], 0.02)
    assert first_within(scores[: (n or 0) - 1], 0.02) is None
    assert first_within(np.ones((150, 2)), 0.02) == 100
    assert first_within(np.ones((99, 2)), 0.5) is None
