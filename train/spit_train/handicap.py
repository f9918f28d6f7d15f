"""How much slower may a bot be and still win half? Plays it at several speeds and fits the line."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from spit_agents.base import Player
from spit_agents.match import GameResults
from spit_train.cohort import Cohort, sub_seed
from spit_train.harness import Progress, play_cohorts
from spit_train.journal import Journal
from spit_train.psychometric import (
    COARSE,
    FINE_ROUNDS,
    BadFit,
    Point,
    SpeedEquivalent,
    deals_per_ratio,
    next_ratios,
    sentence,
    speed_equivalent,
)
from spit_train.stats import game_scores

LEAST_DEALS = 2 * len(COARSE) * 3  # about two for each ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class Handicap:
    """The outcome: the speed that the first player's skill is worth against the others."""

    players: tuple[str, ...]
    seed: int
    deals: int  # in all
    points: tuple[Point, ...]  # wins of the first player at each ratio of speeds
    found: SpeedEquivalent | None
    problem: str  # why there is none, else empty

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        found = None
        if self.found:
            line = asdict(self.found.line) | {"cov": self.found.line.cov.tolist()}
            found = self.found._asdict() | {"line": {key: value for key, value in line.items() if key != "points"}}
        return {
            "players": self.players, "seed": self.seed, "deals": self.deals, "problem": self.problem,
            "found": found, "points": [point._asdict() for point in self.points],
        }  # fmt: skip

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Handicap":
        """Read `to_dict` back; the line is fitted anew to the points."""
        return fit(values["players"], values["seed"], [Point(**point) for point in values["points"]])

    def __str__(self) -> str:
        return sentence(self.players[0], self.found) if self.found else f"no speed-equivalent: {self.problem}"


def measure_handicap(
    cohort: Cohort,
    *,
    workers: int | None = 1,
    journal: Journal | None = None,
    progress: Progress | None = None,
) -> Handicap:
    """Play the first player of a cohort at several speeds against the others at theirs, on other deals than the
    cohort's own: about as many as it has, at least `LEAST_DEALS`.

    The first nine ratios are fixed; the others are chosen where the games so far say that it wins its share, 1 / k of k
    players. How many are played at each is fixed beforehand.
    """
    players, share = cohort.players, 1 / len(cohort.players)
    coarse, fine = deals_per_ratio(max(LEAST_DEALS, cohort.deals))
    total = (coarse * len(COARSE) + fine * 3 * FINE_ROUNDS) * len(players)
    points: list[Point] = []
    for number in range(1 + FINE_ROUNDS):
        ratios, done = next_ratios(points, share), sum(int(point.games) for point in points)
        cohorts = [
            replace(
                cohort,
                players=(at_ratio(players[0], ratio), *players[1:]),
                deals=fine if number else coarse,
                seed=sub_seed(cohort.seed, f"speed/{number}/{k}"),
            )
            for k, ratio in enumerate(ratios)
        ]
        further = None if progress is None else partial(tell_on, progress, done, total)
        played = play_cohorts(cohorts, workers=workers, journal=journal, progress=further)
        points += [point_of(ratio, rows) for ratio, rows in zip(ratios, played)]
    return fit([player.name for player in players], cohort.seed, points)


def tell_on(progress: Progress, done: int, total: int, games: int, _: int) -> None:
    """Tell of progress in a part of the games."""
    progress(done + games, total)


def at_ratio(player: Player, ratio: float) -> Player:
    """The same bot ``ratio`` times faster."""
    return player._replace(name=f"{player.name}*{1 / ratio:.6g}", latency=player.latency.scaled(1 / ratio))


def point_of(ratio: float, rows: GameResults) -> Point:
    """The first player's games at a ratio."""
    scores = game_scores(rows.winner, rows.rank.shape[1])
    return Point(ratio, float(scores.sum()), float(scores.size))


def fit(players: Sequence[str], seed: int, points: Sequence[Point]) -> Handicap:
    """What the games at all ratios say."""
    found, problem = None, ""
    try:
        found = speed_equivalent(points, 1 / len(players))
    except BadFit as error:
        problem = str(error)
    return Handicap(
        players=tuple(players), seed=seed, deals=int(sum(point.games for point in points)) // len(players),
        points=tuple(points), found=found, problem=problem,
    )  # fmt: skip
