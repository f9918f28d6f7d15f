"""Speeds for Emma's levels: so fast that a given player wins a wanted share of its games against each.

A level has a *shape*, how long thinking takes next to moving (`SHAPES`); its times are multiplied by one factor. Which
one, is found by logistic regression of the player's wins on the logarithm of the factor, near the wanted share. Then
other games, as many, have to confirm it: a level is accepted only if the exact 95 % interval of the share lies wholly
within `bounds`. One that is not gets further attempts, with its games added to the regression; all are on record. A
level that is out of bounds is accepted by an attempt with a chance of 2.5 % at most, by three with 7.5 % at most.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from spit_agents.base import Player
from spit_agents.match import GameResults
from spit_env.latency import KINDS, MAX_MS, Latency
from spit_train.cohort import Cohort, sub_seed
from spit_train.handicap import LEAST_DEALS, point_of, tell_on
from spit_train.harness import play_cohorts
from spit_train.psychometric import (
    COARSE,
    FINE_ROUNDS,
    BadFit,
    Line,
    Point,
    deals_per_ratio,
    fit_line,
    line_through,
    logit,
    next_ratios,
)
from spit_train.stats import clopper_pearson, game_scores
from spit_train.study import How

MAX_GAMES = 10_000_000
TOLERANCE = 0.015
TAIL = (
    3.0  # how many times larger or smaller than wanted the odds may be, which is less than the tolerance in the tails
)
ATTEMPTS = 3
NEAR = 2.0  # log odds: about so far from the target may points of the regression lie
# How often a casual human should win (`human:casual`, constructed from the literature).
TARGETS: Mapping[str, float] = {"easy": 0.90, "medium": 0.65, "hard": 0.40, "expert": 0.15, "impossible": 0.001}
# Only the ratio of thinking to moving counts. A level of another name has the shape of "hard".
SHAPES: Mapping[str, Latency] = {
    "easy": Latency.of(1080, 550),
    "medium": Latency.of(850, 450),
    "hard": Latency.of(730, 390),
    "expert": Latency.of(590, 335),
    "impossible": Latency.of(280, 180),
}


class BadCalibration(ValueError):
    """Levels that cannot be found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The wins of one player in a cohort of games."""

    seed: int
    games: int
    wins: float  # with its part of games that nobody won
    low: float  # of the exact 95 % interval of its share
    high: float

    @classmethod
    def of(cls, cohort: Cohort, rows: GameResults) -> "Share":
        """That of the first player of a cohort."""
        wins = float(game_scores(rows.winner, len(cohort.players)).sum())
        low, high = clopper_pearson(wins, cohort.games)
        return cls(seed=cohort.seed, games=cohort.games, wins=wins, low=low, high=high)

    @property
    def share(self) -> float:
        """The share that the player won."""
        return self.wins / self.games


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A level that was looked for."""

    name: str
    target: float  # the share that the reference is to win
    shape: Latency
    latency: Latency
    points: tuple[Point, ...]  # the games of the regression: the reference's wins by how slow Emma was
    line: Line  # through those near the target
    factors: tuple[float, ...]  # of the attempts
    attempts: tuple[Share, ...]  # the last one counts
    accepted: bool


def bounds(target: float, tolerance: float) -> tuple[float, float]:
    """Within which limits a share has to be confirmed.

    >>> for target in (0.40, 0.001):
    ...     print(*(f"{limit:.3g}" for limit in bounds(target, 0.015)))
    0.385 0.415
    0.000334 0.00299
    """
    odds = target / (1 - target)
    low, high = odds / TAIL, odds * TAIL
    return max(target - tolerance, low / (1 + low)), min(target + tolerance, high / (1 + high))


def within(target: float, tolerance: float, low: float, high: float) -> bool:
    """Whether an interval lies within `bounds`."""
    least, most = bounds(target, tolerance)
    return least <= low and high <= most


class Calibration:
    """Looks for levels.

    Args:
        reference: the player who is to win the wanted shares.
        emma: whose speed is to be found; her own does not matter.
        cohort: the rules, recall and seed of all games, and in its deals how many are to confirm a level.
        tolerance: how far from the target the interval may reach; see `bounds`.
    """

    def __init__(self, reference: Player, emma: Player, cohort: Cohort, tolerance: float = TOLERANCE) -> None:
        self.reference, self.emma, self.cohort, self.tolerance = reference, emma, cohort, tolerance
        self.coarse, self.fine = deals_per_ratio(max(LEAST_DEALS, cohort.deals))
        fit_deals = self.coarse * len(COARSE) + self.fine * 3 * FINE_ROUNDS
        self.fit_games = fit_deals * len(cohort.players)

    def check(self, targets: Mapping[str, float]) -> None:
        """See before hours of work whether so many games can confirm these levels and tell them apart.

        Raises:
            BadCalibration: if not, even if all goes as wanted.
        """
        games, intervals = self.cohort.games, {}
        for name, target in sorted(targets.items(), key=lambda item: -item[1]):
            intervals[name] = clopper_pearson(target * games, games)
            if not within(target, self.tolerance, *intervals[name]):
                least, most = bounds(target, self.tolerance)
                raise BadCalibration(
                    f"level {name}: {games} games cannot show that a share lies between {least:.4g} and {most:.4g}; "
                    f"--games {self.enough(target)} can, or allow more with --tolerance"
                )
        for easier, harder in pairwise(intervals):
            if intervals[harder][1] >= intervals[easier][0]:
                raise BadCalibration(
                    f"{games} games cannot tell the levels {easier} ({targets[easier]:.4g}) and {harder} "
                    f"({targets[harder]:.4g}) apart: play more, or take other targets"
                )

    def enough(self, target: float) -> int:
        """How many games, at least and about, can confirm a level."""
        games = self.cohort.games
        while games < MAX_GAMES and not within(target, self.tolerance, *clopper_pearson(target * games, games)):
            games = games * 5 // 4 + 1
        return games

    def find(self, name: str, target: float, how: How) -> Level:
        """Find and confirm the speed of one level.

        Raises:
            BadCalibration: if no speed is slow or fast enough.
        """
        shape = SHAPES.get(name, SHAPES["hard"])
        points = self.explore(name, target, shape, how)
        factors: list[float] = []
        attempts: list[Share] = []
        while True:
            try:
                line = line_near(points, target)
            except BadFit as error:
                raise self.out_of_reach(name, target, points) from error
            factors.append(line.ratio(target))
            latency = rounded(shape.scaled(factors[-1]))
            attempts.append(self.confirm(name, latency, len(attempts), how))
            accepted = within(target, self.tolerance, attempts[-1].low, attempts[-1].high)
            if accepted or len(attempts) == ATTEMPTS:
                return Level(
                    name=name, target=target, shape=shape, latency=latency, points=tuple(points), line=line,
                    factors=tuple(factors), attempts=tuple(attempts), accepted=accepted,
                )  # fmt: skip
            points.append(Point(factors[-1], attempts[-1].wins, attempts[-1].games))

    def explore(self, name: str, target: float, shape: Latency, how: How) -> list[Point]:
        """The games of the regression: nine speeds, then three times three near the wanted share."""
        points: list[Point] = []
        slowest = MAX_MS / max(getattr(shape, kind).median for kind in KINDS)
        for number in range(1 + FINE_ROUNDS):
            done = sum(int(point.games) for point in points)
            factors = sorted({min(factor, slowest) for factor in next_ratios(points, target)})
            cohorts = [
                self.against(shape.scaled(factor), self.fine if number else self.coarse, f"find/{name}/{number}/{k}")
                for k, factor in enumerate(factors)
            ]
            points += [point_of(factor, rows) for factor, rows in zip(factors, self.play(cohorts, how, done))]
        return points

    def neighbours(self, levels: Sequence[Level], how: How) -> list[Share]:
        """What each level but the first wins against the one before it, in a tenth as many games as confirm a level."""
        seats, deals = len(self.cohort.players), max(1, self.cohort.deals // 10)
        cohorts = [
            replace(
                self.cohort,
                players=(self.emma._replace(latency=harder.latency),)
                + (self.emma._replace(latency=easier.latency),) * (seats - 1),
                deals=deals,
                seed=sub_seed(self.cohort.seed, f"{harder.name} v {easier.name}"),
            )
            for easier, harder in pairwise(levels)
        ]
        played = play_cohorts(cohorts, **how._asdict())
        return [Share.of(cohort, rows) for cohort, rows in zip(cohorts, played, strict=True)]

    def out_of_reach(self, name: str, target: float, points: Sequence[Point]) -> BadCalibration:
        """What to say where no line leads to the target."""
        (fastest, wins, games), *_, (slowest, most_wins, most_games) = sorted(points)
        return BadCalibration(
            f"level {name}: no speed found at which {self.reference.name} wins {target:.1%} of its games; it wins "
            f"{wins / games:.1%} where {self.emma.name} takes {fastest:.3g} times as long as the shape says, and "
            f"{most_wins / most_games:.1%} where it takes {slowest:.3g} times as long"
        )

    def confirm(self, name: str, latency: Latency, number: int, how: How) -> Share:
        """Play other games at the speed that was found."""
        cohort = self.against(latency, self.cohort.deals, f"confirm/{name}/{number}")
        (rows,) = self.play([cohort], how, self.fit_games)
        return Share.of(cohort, rows)

    def against(self, latency: Latency, deals: int, purpose: str) -> Cohort:
        """The reference against Emma at a speed; she has all other seats."""
        emma = self.emma._replace(latency=latency)
        players = (self.reference, *[emma] * (len(self.cohort.players) - 1))
        return replace(self.cohort, players=players, deals=deals, seed=sub_seed(self.cohort.seed, purpose))

    def play(self, cohorts: Sequence[Cohort], how: How, done: int) -> list[GameResults]:
        """Play, with progress among the games of one level."""
        total = self.fit_games + self.cohort.games
        further = None if how.progress is None else partial(tell_on, how.progress, done, total)
        return play_cohorts(cohorts, workers=how.workers, journal=how.journal, progress=further)


def line_near(points: Sequence[Point], target: float) -> Line:
    """The line through the points that are near the target by the line through all; where these are too few to say how
    the share grows, through more of them. Far from the target the shares lie on other lines: in the tails luck decides.

    Raises:
        BadFit: if even all are too few, or do not reach the target.
    """
    whole = fit_line(points)
    apart = [abs(whole.a + whole.b * math.log(point.ratio) - logit(target)) for point in points]
    for reach in (NEAR, 2 * NEAR):
        near = [point for point, far in zip(points, apart, strict=True) if far <= reach]
        try:
            return line_through(near, target)
        except BadFit:
            continue
    return line_through(points, target)


def in_order(shares: Sequence[Share]) -> bool:
    """Whether the reference surely wins less often against each level than against the easier one before it: whether
    no two intervals overlap."""
    return all(harder.high < easier.low for easier, harder in pairwise(shares))


def rounded(latency: Latency) -> Latency:
    """Times to a millisecond, as they are written and confirmed."""
    values = latency.to_dict()
    for kind in KINDS:
        median, sigma, shift = values[kind]
        values[kind] = [round(median), sigma, round(shift)]
    return Latency.from_dict(values | {"hick": round(latency.hick, 1)})
