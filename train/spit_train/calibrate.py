"""Speeds for Emma's levels: so fast that a given player wins a wanted share of its games against each.

A level's shape, how long thinking takes next to moving, stays as it is; its times are multiplied by one factor. Which
one, is found by logistic regression of the player's wins on the logarithm of the factor. Then other games, more of
them, have to confirm it: a level is accepted only if the exact 95 % interval lies wholly within a tolerance of the
target.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from spit_agents.base import Player
from spit_agents.match import GameResults
from spit_env.latency import KINDS, Latency
from spit_train.cohort import Cohort, sub_seed
from spit_train.evaluation import rules_hash, rules_name
from spit_train.handicap import point_of, tell_on
from spit_train.harness import play_cohorts
from spit_train.psychometric import (
    COARSE,
    FINE_ROUNDS,
    BadFit,
    Line,
    Point,
    deals_per_ratio,
    fit_line,
    next_ratios,
)
from spit_train.stats import clopper_pearson, game_scores
from spit_train.study import How

FIT_GAMES = 8000  # for the regression of a level
TOLERANCE = 0.015
ATTEMPTS = 3
# How often a casual human should win (`human:casual`, constructed from the literature).
TARGETS: Mapping[str, float] = {"easy": 0.90, "medium": 0.65, "hard": 0.40, "expert": 0.15, "impossible": 0.001}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A factor that was tried, and the games that were to confirm it."""

    factor: float
    seed: int
    games: int
    wins: float  # of the reference, with its part of games that nobody won
    low: float  # of the exact 95 % interval of its share
    high: float

    @property
    def share(self) -> float:
        """The share that the reference won."""
        return self.wins / self.games


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A level that was looked for."""

    name: str
    target: float  # the share that the reference is to win
    latency: Latency
    points: tuple[Point, ...]  # the games of the regression: the reference's wins by how slow Emma was
    line: Line
    attempts: tuple[Attempt, ...]  # the last one counts
    accepted: bool


class Calibration:
    """Looks for levels.

    Args:
        reference: the player who is to win the wanted shares.
        emma: whose speed is to be found; her own does not matter.
        cohort: the rules, recall and seed of all games, and in its deals how many are to confirm a level.
        tolerance: how far from the target the interval may reach.
    """

    def __init__(self, reference: Player, emma: Player, cohort: Cohort, tolerance: float = TOLERANCE) -> None:
        self.reference, self.emma, self.cohort, self.tolerance = reference, emma, cohort, tolerance
        self.coarse, self.fine = deals_per_ratio(FIT_GAMES // len(cohort.players))
        self.fit_deals = self.coarse * len(COARSE) + self.fine * 3 * FINE_ROUNDS

    @property
    def games(self) -> int:
        """Games for a level that is confirmed at once."""
        return (self.fit_deals + self.cohort.deals) * len(self.cohort.players)

    def find(self, name: str, target: float, shape: Latency, how: How) -> Level:
        """Find and confirm the speed of one level.

        Raises:
            BadCalibration: if no speed is slow or fast enough.
        """
        points = self.explore(name, target, shape, how)
        attempts: list[Attempt] = []
        while True:
            try:
                line = fit_line(points)
            except BadFit as error:
                raise BadCalibration(f"level {name}: {error}") from error
            factor = line.ratio(target)
            latency = rounded(shape.scaled(factor))
            attempts.append(self.confirm(name, factor, latency, len(attempts), how))
            accepted = self.fits(attempts[-1], target)
            if accepted or len(attempts) == ATTEMPTS:
                return Level(
                    name=name, target=target, latency=latency, points=tuple(points), line=line,
                    attempts=tuple(attempts), accepted=accepted,
                )  # fmt: skip
            points.append(Point(factor, attempts[-1].wins, attempts[-1].games))

    def explore(self, name: str, target: float, shape: Latency, how: How) -> list[Point]:
        """The games of the regression: nine speeds, then three times three near the wanted share."""
        points: list[Point] = []
        for number in range(1 + FINE_ROUNDS):
            factors, done = next_ratios(points, target), sum(int(point.games) for point in points)
            deals = self.fine if number else self.coarse
            cohorts = [
                self.against(shape.scaled(factor), deals, f"calibrate/{name}/{number}/{k}")
                for k, factor in enumerate(factors)
            ]
            points += [point_of(factor, rows) for factor, rows in zip(factors, self.play(cohorts, how, done))]
        return points

    def confirm(self, name: str, factor: float, latency: Latency, number: int, how: How) -> Attempt:
        """Play other games at the speed that was found."""
        cohort = self.against(latency, self.cohort.deals, f"confirm/{name}/{number}")
        (rows,) = self.play([cohort], how, self.fit_deals * len(cohort.players))
        wins = float(game_scores(rows.winner, len(cohort.players)).sum())
        low, high = clopper_pearson(wins, cohort.games)
        return Attempt(factor=factor, seed=cohort.seed, games=cohort.games, wins=wins, low=low, high=high)

    def fits(self, attempt: Attempt, target: float) -> bool:
        """Whether the whole interval is within the tolerance."""
        return target - self.tolerance <= attempt.low and attempt.high <= target + self.tolerance

    def against(self, latency: Latency, deals: int, purpose: str) -> Cohort:
        """The reference against Emma at a speed; she has all other seats."""
        emma = self.emma._replace(latency=latency)
        players = (self.reference, *[emma] * (len(self.cohort.players) - 1))
        return replace(self.cohort, players=players, deals=deals, seed=sub_seed(self.cohort.seed, purpose))

    def play(self, cohorts: Sequence[Cohort], how: How, done: int) -> list[GameResults]:
        """Play, with progress among the games of one level."""
        further = None if how.progress is None else partial(tell_on, how.progress, done, self.games)
        return play_cohorts(cohorts, workers=how.workers, journal=how.journal, progress=further)


class BadCalibration(ValueError):
    """A level that cannot be found."""


def monotone(levels: Sequence[Level]) -> bool:
    """Whether the reference surely wins less often against each level than against the one with the next larger
    target: whether no two intervals overlap."""
    last = [level.attempts[-1] for level in sorted(levels, key=lambda level: -level.target)]
    return all(harder.high < easier.low for easier, harder in pairwise(last))


def rounded(latency: Latency) -> Latency:
    """Times to a tenth of a millisecond, as they are written and confirmed."""
    values = latency.to_dict()
    for kind in KINDS:
        median, sigma, shift = values[kind]
        values[kind] = [round(median, 1), sigma, round(shift, 1)]
    return Latency.from_dict(values | {"hick": round(latency.hick, 1)})


def levels_file(levels: Sequence[Level], calibration: Calibration, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The levels with their evidence, as `spit_env.latency_files` reads them."""
    cohort, reference = calibration.cohort, calibration.reference
    return {
        "format": "spit-levels",
        "version": 1,
        "calibration": {
            "reference": reference.name,
            "reference_latency": reference.latency.to_dict(),
            "brain": calibration.emma.name,
            "rules": rules_name(cohort.rules),
            "rules_hash": rules_hash(cohort.rules),
            "recall": cohort.recall,
            "seed": cohort.seed,
            "tolerance": calibration.tolerance,
            **facts,
        },
        "levels": {level.name: {"latency": level.latency.to_dict(), "evidence": evidence(level)} for level in levels},
    }


def evidence(level: Level) -> dict[str, Any]:
    """How a level was found and confirmed."""
    last = level.attempts[-1]
    return {
        "target": level.target,
        "reference_wins": last.share,
        "interval": [last.low, last.high],
        "method": "Clopper-Pearson, 95 %",
        "games": last.games,
        "seed": last.seed,
        "accepted": level.accepted,
        "attempts": len(level.attempts),
        "factor": last.factor,
        "slope": level.line.b,
        "slope_error": float(level.line.cov[1, 1]) ** 0.5,
        "fit_p_value": level.line.p_value,
        "points": [list(point) for point in level.points],
    }
