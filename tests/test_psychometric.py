"""The line of wins over speed against closed forms and simulations; what it refuses; which speeds it proposes."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spit_train.psychometric import (
    COARSE,
    FINE_ROUNDS,
    BadFit,
    Point,
    deals_per_ratio,
    fit_line,
    logit,
    next_ratios,
    sentence,
    speed_equivalent,
)
from tests.simulated import at_speeds, held

pytestmark = pytest.mark.plain


def exact(a: float, b: float, ratios: Sequence[float] = COARSE, games: int = 1000) -> list[Point]:
    """Wins just as expected."""
    return [Point(ratio, games / (1 + math.exp(-a - b * math.log(ratio))), games) for ratio in ratios]


@given(st.floats(-3, 3), st.floats(1, 15))
def test_expected_wins_give_the_line_back(a: float, b: float) -> None:
    line = fit_line(exact(a, b))
    assert (line.a, line.b) == pytest.approx((a, b), abs=1e-6)
    assert line.deviance == pytest.approx(0, abs=1e-6)
    assert (line.degrees, line.dispersion) == (7, 1)
    assert line.p_value == pytest.approx(1)
    assert line.share(line.ratio(0.3)) == pytest.approx(0.3)


def test_a_line_through_two_points() -> None:
    points = [Point(0.8, 30, 100), Point(1.25, 60, 80)]
    line = fit_line(points)
    width = 2 * math.log(1.25)
    assert line.b == pytest.approx((logit(0.75) - logit(0.3)) / width)
    assert line.a == pytest.approx((logit(0.75) + logit(0.3)) / 2)
    left, right = 1 / (100 * 0.3 * 0.7), 1 / (80 * 0.75 * 0.25)  # variances of the log odds
    assert line.cov == pytest.approx(
        np.array(
            [[(left + right) / 4, (right - left) / 2 / width], [(right - left) / 2 / width, (left + right) / width**2]]
        )
    )
    assert (line.degrees, line.p_value, line.dispersion) == (0, 1, 1)
    found = speed_equivalent(points)
    # On the log scale, with the slope taken as known, the interval would be symmetric; Fieller's knows that it is not.
    for ratio in found.fieller:
        x = math.log(ratio)
        variance = line.cov[0, 0] + 2 * x * line.cov[0, 1] + x * x * line.cov[1, 1]
        assert abs(line.a + line.b * x) == pytest.approx(1.959964 * math.sqrt(variance), rel=1e-5)


def test_points_at_one_ratio_are_put_together() -> None:
    points = exact(0.2, 5)
    halves = [Point(p.ratio, p.wins / 2, p.games / 2) for p in points]
    one, other = fit_line(points), fit_line([*halves, Point(1.1, 0, 0), *reversed(halves)])
    assert (one.a, one.b, one.degrees) == pytest.approx((other.a, other.b, other.degrees))


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.3, 3))
def test_another_unit_of_speed_scales_the_result(seed: int, unit: float) -> None:
    points = at_speeds(np.random.default_rng(seed), 0.3, 7, COARSE, 100)
    one = speed_equivalent(points)
    other = speed_equivalent([point._replace(ratio=point.ratio * unit) for point in points])
    assert np.array(other[1:4]) == pytest.approx(np.array(one[1:4]) * unit, rel=1e-5)
    assert np.array(other.fieller) == pytest.approx(np.array(one.fieller) * unit, rel=1e-5)


@given(st.integers(0, 2**32 - 1))
def test_the_others_view_is_the_inverse(seed: int) -> None:
    points = at_speeds(np.random.default_rng(seed), 0.3, 7, COARSE, 100)
    one = speed_equivalent(points, 0.4)
    other = speed_equivalent([Point(1 / ratio, games - wins, games) for ratio, wins, games in points], 0.6)
    assert (other.ratio, other.low, other.high) == pytest.approx((1 / one.ratio, 1 / one.high, 1 / one.low), rel=1e-5)


def test_9000_games_find_the_slope_to_about_2_percent() -> None:
    rng = np.random.default_rng(1)
    lines = [fit_line(at_speeds(rng, 0.015, 6.93, COARSE, 1000)) for _ in range(500)]
    slopes = [line.b for line in lines]
    assert np.mean(slopes) == pytest.approx(6.93, abs=0.02)
    assert np.std(slopes) == pytest.approx(0.02 * 6.93, rel=0.15)
    assert np.mean([line.cov[1, 1] ** 0.5 for line in lines]) == pytest.approx(np.std(slopes), rel=0.1)


def test_intervals_hold_the_true_ratio_when_later_ratios_depend_on_earlier_games() -> None:
    rng, found, (coarse, fine) = np.random.default_rng(3), [], deals_per_ratio(2000)
    for _ in range(150):
        points: list[Point] = []
        for games in [coarse] + [fine] * FINE_ROUNDS:
            points += at_speeds(rng, 1.2, 6.93, next_ratios(points), games)
        assert sum(point.games for point in points) <= 2000
        found.append(speed_equivalent(points))
    assert 0.91 <= held(math.exp(-1.2 / 6.93), [(one.low, one.high) for one in found]) <= 0.985
    spread = np.std([math.log(one.ratio) for one in found])
    assert spread < 0.9 * 2 / 6.93 / math.sqrt(2000) * 1.5  # all games at the true ratio would give 2 / b / sqrt(n)


def test_a_poor_fit_widens_the_intervals() -> None:
    points = exact(0, 7)
    bent = [point._replace(wins=point.wins + (40 if k % 2 else -40) * (2 < k < 7)) for k, point in enumerate(points)]
    line, smooth = fit_line(bent), fit_line(points)
    assert line.p_value < 0.001
    assert line.dispersion == line.deviance / 7 > 3
    assert line.cov[1, 1] > 3 * smooth.cov[1, 1]
    assert line.reach(0.95) == pytest.approx(2.3646, abs=1e-4)
    wide, narrow = speed_equivalent(bent), speed_equivalent(points)
    assert math.log(wide.high / wide.low) > 1.7 * math.log(narrow.high / narrow.low)
    assert wide.low == pytest.approx(wide.fieller[0], rel=0.01)


def test_one_lost_game_among_easy_ones_does_not_spoil_the_fit() -> None:
    points = exact(1.2, 13.3, games=100)
    *others, easiest = points
    spoilt = speed_equivalent([*others, easiest._replace(wins=99)])
    assert spoilt.line.dispersion < 3
    assert spoilt.ratio == pytest.approx(speed_equivalent(points).ratio, rel=0.01)


def test_how_to_say_it() -> None:
    stronger = speed_equivalent(exact(1.2, 6.93, games=1500))
    assert sentence("A", stronger) == "A may be 18.9 % slower [18.0, 19.9] and still win half"
    assert sentence("A", speed_equivalent(exact(-1.2, 6.93, games=1500))) == (
        "A wins half only if the others are 18.9 % slower [18.0, 19.9]"
    )
    assert sentence("A", speed_equivalent(exact(0.3, 6.93), 0.25)).endswith("and still win 25.0%")


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([Point(1, 5, 10)], "games at 1 ratio; a line takes 2 or more"),
        ([Point(1, 5, 10), Point(2, 0, 0)], "games at 1 ratio"),
        ([Point(0, 5, 10), Point(2, 5, 10)], "the ratio must be above 0"),
        ([Point(1, 11, 10), Point(2, 5, 10)], "wins from 0 to games"),
        ([Point(1, 0, 10), Point(2, 10, 10)], "at closer ratios"),
        ([Point(1, 0, 10), Point(2, 4, 10), Point(3, 10, 10)], "at closer ratios"),
        ([Point(1, 10, 10), Point(2, 10, 10)], "at closer ratios"),
        ([Point(1, 60, 100), Point(2, 90, 100)], "60.0% to 90.0%, do not bracket 50.0%: play lower ratios than 1 to 2"),
        ([Point(1, 10, 100), Point(2, 40, 100)], "play higher ratios than 1 to 2"),
        ([Point(1, 4, 10), Point(1.1, 6, 10)], "does not surely grow with speed"),
        ([Point(1, 80, 100), Point(2, 20, 100)], "does not surely grow with speed"),
    ],
)
def test_games_that_do_not_say_enough(points: list[Point], message: str) -> None:
    with pytest.raises(BadFit, match=message) as refused:
        speed_equivalent(points)
    assert "\n" not in str(refused.value)


def test_which_ratios_to_play() -> None:
    assert next_ratios([]) == COARSE
    assert COARSE[0] * COARSE[-1] == pytest.approx(1, abs=1e-3)
    line = fit_line(exact(1.2, 6.93))
    low, middle, high = next_ratios(exact(1.2, 6.93))
    assert middle == pytest.approx(math.exp(-1.2 / 6.93))
    assert (line.share(low), line.share(high)) == pytest.approx((0.2689, 0.7311), abs=1e-4)
    assert next_ratios([Point(1, 80, 100), Point(2, 90, 100)]) == (0.25, 0.5, 1)
    assert next_ratios([Point(1, 8, 100), Point(2, 9, 100)], share=0.25) == (2, 4, 8)
    assert next_ratios([Point(1, 4, 10), Point(1.1, 6, 10)]) == COARSE[::4]


@given(st.integers(200, 100_000))
def test_the_plan_spends_the_games(deals: int) -> None:
    coarse, fine = deals_per_ratio(deals)
    spent = coarse * len(COARSE) + fine * 3 * FINE_ROUNDS
    assert deals - 9 < spent <= deals
    assert 0.2 < coarse * len(COARSE) / deals <= 1 / 3
