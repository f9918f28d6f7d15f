"""Simulated results: deals whose games go together, tables of players with known ratings, games at several speeds."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from spit_train.numerics import Floats
from spit_train.psychometric import Point
from spit_train.ratings import Meeting


def deals(rng: np.random.Generator, size: int | tuple[int, ...], share: float, r: float = 0.0) -> Floats:
    """Scores of ``size`` deals of two games that a player wins with probability ``share``, and that correlate by r."""
    both, apart = share**2 + r * share * (1 - share), (1 - r) * share * (1 - share)
    kinds = rng.choice(4, size, p=[both, apart, apart, 1 - both - 2 * apart])
    return np.stack([kinds <= 1, kinds % 2 == 0], axis=-1).astype(np.float64)


def rotations(rng: np.random.Generator, size: int, players: int, share: float) -> Floats:
    """Scores of ``size`` deals of as many independent games as there are players."""
    return (rng.random((size, players)) < share).astype(np.float64)


def round_robin(rng: np.random.Generator, elo: Mapping[str, float], games: int, seats: int = 2) -> list[Meeting]:
    """All groups of so many players meet, for so many games each."""
    table = []
    for group in combinations(elo, seats):
        weights = np.array([10 ** (elo[name] / 400) for name in group])
        table.append(Meeting(group, tuple(rng.multinomial(games, weights / weights.sum()).tolist())))
    return table


def at_speeds(rng: np.random.Generator, a: float, b: float, ratios: Iterable[float], games: int) -> list[Point]:
    """Games at several speeds, with logit P = a + b * ln(ratio)."""
    shares = ((ratio, 1 / (1 + np.exp(-a - b * np.log(ratio)))) for ratio in ratios)
    return [Point(ratio, float(rng.binomial(games, share)), games) for ratio, share in shares]


def held(truth: float, intervals: Sequence[tuple[float, float]]) -> float:
    """The share of the intervals that hold the truth."""
    return float(np.mean([low <= truth <= high for low, high in intervals]))
