"""Calibration of levels: the gate, the line near the target, what is written, and that it can be read back."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from spit_agents.catalogue import make_player
from spit_env.errors import BadLatency
from spit_env.latency import KINDS, LEVELS, PROFILES, Latency, make_latency
from spit_env.rules import make_rules
from spit_train.calibrate import (
    ATTEMPTS,
    SHAPES,
    TARGETS,
    TOLERANCE,
    BadCalibration,
    Calibration,
    Level,
    Share,
    bounds,
    in_order,
    line_near,
    rounded,
    within,
)
from spit_train.calibrate_check import check_cohorts, verdict_of
from spit_train.calibrate_record import last_of, levels_file, levels_text, read_levels_file
from spit_train.calibrate_text import levels_document, problems
from spit_train.cohort import Cohort
from spit_train.markdown import markdown_of
from spit_train.page import page_of
from spit_train.psychometric import Point, logit
from spit_train.stats import clopper_pearson
from spit_train.study import How

SLOPE, GAMES = 8.0, 20_000


def share_of(won: float, games: int = GAMES, seed: int = 1) -> Share:
    """Games of which this share was won."""
    wins = float(round(won * games))
    low, high = clopper_pearson(wins, games)
    return Share(seed=seed, games=games, wins=wins, low=low, high=high)


def on_line(target: float, factor: float = 1.1, steps: Sequence[float] = (-4, -2, -1, 0, 1, 2, 4)) -> list[Point]:
    """Games whose shares lie on a line through the target at a factor."""
    odds = [math.exp(logit(target) + step) for step in steps]
    ratios = [factor * math.exp(step / SLOPE) for step in steps]
    return [Point(ratio, float(round(2000 * o / (1 + o))), 2000) for ratio, o in zip(ratios, odds, strict=True)]


class Unplayed(Calibration):
    """A calibration whose confirmations have these shares."""

    def __init__(self, *shares: float, deals: int = GAMES // 2) -> None:
        reference, emma = make_player("human:casual"), make_player("emma")
        cohort = Cohort(players=(reference, emma), deals=deals, seed=4, rules=make_rules("emma"))
        super().__init__(reference, emma, cohort)
        self.shares = list(shares)

    def explore(self, name: str, target: float, shape: Latency, how: How) -> list[Point]:
        return on_line(target)

    def confirm(self, name: str, latency: Latency, number: int, how: How) -> Share:
        return share_of(self.shares[number], self.cohort.games, seed=number)


def made_levels() -> tuple[Unplayed, list[Level]]:
    """Two levels that nobody has played, the second one not confirmed."""
    calibration = Unplayed(0.7, 0.66, 0.652)
    easy = calibration.find("even", 0.65, How())
    calibration.shares = [0.0, 0.01, 0.02]
    return calibration, [easy, calibration.find("impossible", 0.001, How())]


def made_body() -> dict[str, Any]:
    calibration, levels = made_levels()
    body = levels_file(calibration, levels, [share_of(0.93, 2000)])
    plain: dict[str, Any] = json.loads(json.dumps(body))
    assert plain == body
    return plain


# --- The gate --------------------------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(
    ("target", "low", "high", "passes"),
    [
        (0.40, 0.386, 0.414, True),
        (0.40, 0.384, 0.40, False),
        (0.40, 0.41, 0.416, False),
        (0.40, 0.45, 0.46, False),
        (0.001, 0.0004, 0.0029, True),
        (0.001, 0.0004, 0.010, False),  # within 1.5 points, but ten times as much as wanted
        (0.001, 0.0, 0.001, False),
        (0.999, 0.9971, 0.9996, True),
        (0.999, 0.990, 0.9996, False),
    ],
)
def test_an_interval_must_lie_within_the_bounds(target: float, low: float, high: float, passes: bool) -> None:
    assert within(target, TOLERANCE, low, high) is passes
    assert within(1 - target, TOLERANCE, 1 - high, 1 - low) is passes
    assert verdict_of(target, TOLERANCE, low, high) == "holds" or not passes


@pytest.mark.plain
def test_a_level_is_refuted_only_if_its_interval_lies_wholly_outside() -> None:
    assert verdict_of(0.4, 0.015, 0.39, 0.41) == "holds"
    assert verdict_of(0.4, 0.015, 0.38, 0.39) == "open"
    assert verdict_of(0.4, 0.015, 0.41, 0.44) == "open"
    assert verdict_of(0.4, 0.015, 0.36, 0.384) == verdict_of(0.4, 0.015, 0.416, 0.43) == "does not hold"


@pytest.mark.plain
def test_attempts_end_with_the_first_that_passes() -> None:
    level = Unplayed(0.45, 0.402, 0.4).find("hard", 0.40, How())
    assert (level.accepted, len(level.attempts), len(level.factors)) == (True, 2, 2)
    assert [point.games for point in level.points] == [2000.0] * 7 + [GAMES]  # the one that failed counts
    assert level.factors[0] == pytest.approx(1.1, rel=1e-3)
    assert level.factors[1] < level.factors[0]  # too many wins: Emma has to be faster
    assert level.latency == rounded(SHAPES["hard"].scaled(level.factors[1]))


@pytest.mark.plain
def test_after_three_attempts_a_level_is_not_confirmed() -> None:
    level = Unplayed(0.45, 0.35, 0.45).find("anything", 0.40, How())
    assert (level.accepted, len(level.attempts)) == (False, ATTEMPTS)
    assert level.shape == SHAPES["hard"]


@pytest.mark.plain
def test_intervals_must_be_in_order() -> None:
    assert in_order([share_of(0.9), share_of(0.6), share_of(0.1)])
    assert not in_order([share_of(0.6), share_of(0.9)])
    assert not in_order([share_of(0.6), share_of(0.595)])
    assert in_order([share_of(0.6)])


@pytest.mark.plain
def test_what_so_many_games_cannot_show_is_refused_beforehand() -> None:
    Unplayed().check(TARGETS)
    with pytest.raises(BadCalibration, match=r"level even: 2000 games cannot show .*--games (\d+) can") as refused:
        Unplayed(deals=1000).check({"even": 0.5})
    enough = int(str(refused.value).split("--games ")[1].split()[0])
    Unplayed(deals=enough // 2 + 1).check({"even": 0.5})
    with pytest.raises(BadCalibration, match=r"levels one \(0\.4\) and two \(0\.399\)"):
        Unplayed().check({"two": 0.399, "one": 0.4})


# --- The line --------------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_points_far_from_the_target_do_not_count() -> None:
    near = on_line(0.4, steps=(-1.5, -1, -0.5, 0, 0.5, 1, 1.5))
    lucky = [Point(0.2 + 0.05 * k, 10.0, 1000) for k in range(8)]  # 1 % however fast Emma is
    line = line_near([*near, *lucky], 0.4)
    assert {point.ratio for point in line.points} == {point.ratio for point in near}
    assert line.ratio(0.4) == pytest.approx(1.1, rel=1e-3)


@pytest.mark.plain
def test_where_too_few_points_are_near_more_of_them_count() -> None:
    points = on_line(0.4, steps=(-3.5, -3, 0, 3, 3.5))
    assert len(line_near(points, 0.4).points) == 5


@pytest.mark.plain
def test_a_target_out_of_reach_is_told_with_what_was_seen() -> None:
    calibration = Unplayed()
    calibration.explore = lambda *_: [Point(0.5, 20.0, 100), Point(1.0, 30.0, 100), Point(50.0, 70.0, 100)]  # type: ignore[method-assign]
    message = r"level top: no speed found at which human:casual wins 95.0% .* wins 20.0% .* 0.5 times .* 70.0% .* 50 "
    with pytest.raises(BadCalibration, match=message):
        calibration.find("top", 0.95, How())


# --- What is written -------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_times_are_whole_milliseconds_and_the_rest_stays() -> None:
    slower = PROFILES["human:casual"].scaled(1.2345)
    latency = rounded(slower)
    assert all(abs(latency.typical(kind) - slower.typical(kind)) <= 1.2 for kind in KINDS)
    assert all(value == int(value) for kind in KINDS for value in getattr(latency, kind)[::2])
    assert latency.think.sigma == slower.think.sigma
    assert latency.hick == round(slower.hick, 1)


@pytest.mark.plain
def test_the_file_gives_the_levels_back(tmp_path: Path) -> None:
    file = tmp_path / "levels.json"
    body = made_body()
    file.write_text(levels_text(body))
    assert read_levels_file(file) == body
    for level, values in zip(made_levels()[1], body["levels"].values(), strict=True):
        assert make_latency(f"{file}:{level.name}") == level.latency
        assert Latency.from_dict(values["evidence"]["shape"]) == level.shape
        assert last_of(values) == level.attempts[-1]
        assert len(values["evidence"]["attempts"]) == 3
    cohorts = check_cohorts(body, 7, 0)
    assert [cohort.players[0].latency for cohort in cohorts] == [PROFILES["human:casual"]] * 2
    assert [cohort.players[1].latency for cohort in cohorts] == [level.latency for level in made_levels()[1]]
    found = {attempt["seed"] for level in body["levels"].values() for attempt in level["evidence"]["attempts"]}
    assert not found & {cohort.seed for cohort in cohorts}


@pytest.mark.plain
def test_levels_without_evidence_cannot_be_checked(tmp_path: Path) -> None:
    file = tmp_path / "levels.json"
    for damage in ("calibration", "levels"):
        body = made_body()
        if damage == "calibration":
            del body["calibration"]["rules"]
        else:
            body["levels"]["even"]["evidence"]["attempts"] = []
        file.write_text(json.dumps(body))
        with pytest.raises(BadCalibration, match="levels without evidence"):
            read_levels_file(file)
    file.write_text("{}")
    with pytest.raises(BadLatency, match="not a latency file"):
        read_levels_file(file)


@pytest.mark.plain
def test_what_is_wrong_is_told() -> None:
    body = made_body()
    assert problems(body) == [
        "Level impossible is not confirmed: 1.8 to 2.2 % of games won, and 0.03 % to 0.30 % wanted."
    ]
    body["levels"]["impossible"]["evidence"]["attempts"][-1] |= {"low": 0.6, "high": 0.7}
    assert "not surely in order" in problems(body)[-1]


def test_the_report_shows_every_attempt_and_says_what_it_rests_on() -> None:
    body = made_body()
    document = levels_document(body)
    text, page = markdown_of(document, "footer"), page_of(document, "footer")
    assert "constructed from the literature" in text
    assert "decision stepping" in text
    for level in body["levels"].values():
        for attempt in level["evidence"]["attempts"]:
            assert f"{attempt['factor']:.4f}" in text
    assert page.count("<svg") == 1
    assert "impossible  " in page


# --- The stock levels ------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_the_stock_levels_are_confirmed(stock: dict[str, Any]) -> None:
    assert tuple(stock["levels"]) == LEVELS
    assert problems(stock) == []
    for name, level in stock["levels"].items():
        share, target = last_of(level), level["evidence"]["target"]
        assert target == TARGETS[name]
        assert clopper_pearson(share.wins, share.games) == pytest.approx((share.low, share.high), rel=1e-9)
        assert within(target, TOLERANCE, share.low, share.high)
        assert bounds(target, TOLERANCE)[0] < share.share < bounds(target, TOLERANCE)[1]


@pytest.fixture
def stock() -> dict[str, Any]:
    return read_levels_file(Path(__file__).parent.parent / "spit_env" / "levels.json")
