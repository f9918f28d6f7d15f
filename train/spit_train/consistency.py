"""Do ratings tell the whole story? What they leave unexplained, and players who beat each other in a circle."""

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from spit_train.ratings import Meeting, Ratings, canonical, chances
from spit_train.stats import wilson


class Residual(NamedTuple):
    """How far the wins of one player at one table are from what the ratings say."""

    players: tuple[str, ...]  # at the table
    who: str
    games: float
    wins: float  # with its part of those that nobody won
    expected: float
    z: float  # the difference in standard errors
    flagged: bool  # more than chance explains, all tables considered


class Edge(NamedTuple):
    """A pair of which the first surely wins more often than the second."""

    winner: str
    loser: str
    share: float  # of the games that one of them won
    low: float
    high: float


def residuals(ratings: Ratings, alpha: float = 0.05) -> list[Residual]:
    """The differences between the table and what the ratings say, the largest first.

    Each is divided by its standard error, which is less than that of the wins, as the ratings were fitted to them
    (A. Agresti, Categorical Data Analysis, 2013, section 4.5.6). Where the fit must be perfect, as with a player who
    has met just one other, there is none. They are flagged by S. Holm's procedure (Scandinavian Journal of Statistics
    6, 1979, pages 65-70): if the model holds, the chance that any is flagged is at most ``alpha``. For two players only
    the first of each pair is listed; the other's differs in sign.
    """
    names = list(ratings.theta)
    theta = np.array(list(ratings.theta.values()))
    found: list[Residual] = []
    for meeting in ratings.meetings:
        at = np.array([names.index(name) for name in meeting.players])
        chance = chances(theta[at])
        spread = meeting.games * (np.diag(chance) - np.outer(chance, chance))
        own = meeting.effect * np.diag(spread)
        both = ratings.cov - 2 * meeting.effect * ratings.inverse
        left = own + np.diag(spread @ both[np.ix_(at, at)] @ spread)
        for k in range(1 if len(at) == 2 else len(at)):
            wins, expected = meeting.scores[k], float(meeting.games * chance[k])
            if left[k] > 1e-6 * own[k]:
                z = (wins - expected) / math.sqrt(left[k])
                found.append(Residual(meeting.players, meeting.players[k], meeting.games, wins, expected, z, False))
    found.sort(key=lambda residual: (-abs(residual.z), residual.players, residual.who))
    flags = holm([residual.z for residual in found], alpha)
    return [residual._replace(flagged=flag) for residual, flag in zip(found, flags, strict=True)]


def holm(scores: Sequence[float], alpha: float) -> list[bool]:
    """Which of some standard normal values are too large for chance, given that there are so many; the largest come
    first."""
    flags: list[bool] = []
    for k, z in enumerate(scores):
        p_value = 2 * NormalDist().cdf(-abs(z))
        flags.append(all(flags) and p_value * (len(scores) - k) <= alpha)
    return flags


def sure_wins(table: Iterable[Meeting], confidence: float = 0.95) -> list[Edge]:
    """The pairs whose interval of the share of wins does not hold 1/2, among the games that one of the two won."""
    wins: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for meeting in canonical(table):
        for i, one in enumerate(meeting.players):
            for j, other in enumerate(meeting.players):
                if one < other:
                    # As many independent games as the meeting's are worth.
                    scores = (meeting.scores[i] / meeting.effect, meeting.scores[j] / meeting.effect)
                    wins.setdefault((one, other), []).append(scores)
    edges = []
    for (one, other), rows in sorted(wins.items()):
        ours, games = math.fsum(row[0] for row in rows), math.fsum(sum(row) for row in rows)
        if not games:
            continue
        share, (low, high) = ours / games, map(float, wilson(np.array(ours), np.array(games), confidence))
        if low > 0.5:
            edges.append(Edge(one, other, share, low, high))
        elif high < 0.5:
            edges.append(Edge(other, one, 1 - share, 1 - high, 1 - low))
    return edges


def shortest_cycles(edges: Sequence[Edge]) -> list[tuple[str, ...]]:
    """The shortest cycles of players each of whom beats the next, and the last one the first; perhaps none.

    Of those that have the same player first by name there may be more than the one that is listed.
    """
    beaten: dict[str, list[str]] = {}
    for edge in sorted(edges):
        beaten.setdefault(edge.winner, []).append(edge.loser)
    cycles = [cycle for start in beaten if (cycle := cycle_from(start, beaten))]
    shortest = min(map(len, cycles), default=0)
    return [cycle for cycle in cycles if len(cycle) == shortest]


def cycle_from(start: str, beaten: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """A shortest cycle in which ``start`` is the first by name, found breadth first; empty if there is none."""
    paths: list[tuple[str, ...]] = [(start,)]
    seen = {start}
    for path in paths:
        for loser in beaten.get(path[-1], ()):
            if loser == start:
                return path
            if loser > start and loser not in seen:
                seen.add(loser)
                paths.append((*path, loser))
    return ()


def cycle_sentence(table: Iterable[Meeting]) -> str:
    """One sentence about the shortest cycle."""
    edges = sure_wins(table)
    cycles = shortest_cycles(edges)
    if not cycles:
        return "No cycle: no players beat each other in a circle, as far as the games can tell."
    share = {(edge.winner, edge.loser): edge.share for edge in edges}
    ring = cycles[0]
    steps = [f"{one} beats {other} ({share[one, other]:.1%})" for one, other in zip(ring, ring[1:] + ring[:1])]
    more = f", and {len(cycles) - 1} more as short" if len(cycles) > 1 else ""
    return f"A cycle{more}: {', '.join(steps)}; no ratings can say so."
