"""How strong is each player? Ratings in Elo, fitted to a table of who won how often against whom.

The model gives every player a weight; the chance to be first at a table is one's share of the weights there. For two
players that is the model of R. A. Bradley and M. E. Terry (Biometrika 39, 1952, pages 324-345), for more the first
choice of R. D. Luce and R. L. Plackett (D. R. Hunter, *MM algorithms for generalized Bradley-Terry models*, Annals of
Statistics 32, 2004, pages 384-406). Elo are 400 times the decimal logarithms of weights. The ratings are those at which
the table is most likely; nothing depends on the order of its rows.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from spit_train.numerics import Floats, climb
from spit_train.stats import Counts, critical, design_effect, game_scores

ELO = 400 / math.log(10)  # of a weight e times as large


class BadTable(ValueError):
    """A table of results that ratings cannot be fitted to."""


class Meeting(NamedTuple):
    """The games of some players at one table, seats rotated."""

    players: tuple[str, ...]
    wins: tuple[float, ...]  # of each player
    none: float = 0  # games that nobody won: a win shared by all
    effect: float = 1.0  # of the design, `spit_train.stats.design_effect`: above 0, less if the games mirror each other

    @classmethod
    def of(cls, players: Sequence[str], winner: Counts) -> "Meeting":
        """The meeting that `spit_agents.match.GameResults` of these players tell of, by its winners."""
        won = np.asarray(winner)
        wins = tuple(float(np.sum(won == who)) for who in range(len(players)))
        effects = [design_effect(game_scores(won, len(players), who)) for who in range(len(players))]
        return cls(tuple(players), wins, int(np.sum(won < 0)), float(np.mean(effects)))

    @property
    def games(self) -> float:
        """Games played, those that nobody won included."""
        return math.fsum(self.wins) + self.none

    @property
    def scores(self) -> tuple[float, ...]:
        """The wins of each player, with the shared ones."""
        return tuple(wins + self.none / len(self.players) for wins in self.wins)


class Rating(NamedTuple):
    """A player's rating above the anchor, with its 95 % interval."""

    name: str
    elo: float
    low: float
    high: float
    games: float
    corrected: bool  # without corrections it would be infinite: the table says no more than who is better


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """The outcome of a fit."""

    anchor: str
    players: tuple[Rating, ...]  # the strongest first
    meetings: tuple[Meeting, ...]  # the table in the order of its names, with the corrections
    theta: dict[str, float] = field(repr=False)  # the natural logarithms of the weights
    cov: Floats = field(repr=False)  # of these, in the order of ``theta``
    inverse: Floats = field(repr=False)  # of the information: ``cov`` if all design effects were 1

    def difference(self, one: str, other: str, confidence: float = 0.95) -> tuple[float, float, float]:
        """How many Elo ``one`` is above ``other``, with the interval of the difference."""
        names = list(self.theta)
        pick = np.zeros(len(names))
        pick[names.index(one)] += 1
        pick[names.index(other)] -= 1
        elo = ELO * (self.theta[one] - self.theta[other])
        half = critical(confidence) * ELO * math.sqrt(max(0.0, float(pick @ self.cov @ pick)))
        return elo, elo - half, elo + half


def rate(table: Iterable[Meeting], anchor: str) -> Ratings:
    """The ratings of all players in a table, ``anchor`` having 0.

    Where a group of players never lost to the rest, or never won, no finite ratings are the likeliest. Then one game is
    added to each meeting that joins two such groups, won by all of its players alike (half a win each, for two), and
    all players outside the anchor's group are marked as ``corrected``.

    Intervals come from the observed information; meetings with a design effect other than 1 count with the variance
    that they were seen to have (the "sandwich" of H. White, Econometrica 50, 1982, pages 1-25).

    Raises:
        BadTable: if a count is negative, or some player never met the anchor, not even through others.
    """
    meetings = canonical(table)
    names = sorted({name for meeting in meetings for name in meeting.players})
    if anchor not in names:
        raise BadTable(f"the anchor {anchor!r} has played no game; players are {', '.join(names) or 'none'}")
    groups = groups_of(meetings)
    corrected = {name for name in names if groups[name] != groups[anchor]}
    if corrected:
        meetings = tuple(
            meeting._replace(none=meeting.none + 1) if len({groups[name] for name in meeting.players}) > 1 else meeting
            for meeting in meetings
        )
        joined = groups_of(meetings)
        apart = [name for name in names if joined[name] != joined[anchor]]
        if apart:
            raise BadTable(f"no games link {', '.join(apart)} with the anchor {anchor!r}: play some")
    seats = [np.array([names.index(name) for name in meeting.players]) for meeting in meetings]
    theta = likeliest(meetings, seats, len(names), names.index(anchor))
    inverse, cov = covariance(meetings, seats, theta, names.index(anchor))
    return Ratings(
        anchor=anchor,
        players=standings(names, meetings, theta, cov, corrected),
        meetings=meetings,
        theta=dict(zip(names, theta.tolist(), strict=True)),
        cov=cov,
        inverse=inverse,
    )


def canonical(table: Iterable[Meeting]) -> tuple[Meeting, ...]:
    """The table with the players of each meeting by name, one row for all meetings of the same, and rows in order."""
    rows: defaultdict[tuple[str, ...], list[Meeting]] = defaultdict(list)
    for meeting in table:
        if len(meeting.players) != len(meeting.wins) or min(*meeting.wins, meeting.none) < 0 or meeting.effect <= 0:
            raise BadTable(f"{meeting!r}: for each player there must be a number of wins, 0 or more; effect above 0")
        players, wins = zip(*sorted(zip(meeting.players, meeting.wins, strict=True)), strict=True)
        if meeting.games:
            rows[players].append(meeting._replace(players=players, wins=wins))
    return tuple(merged(rows[players]) for players in sorted(rows))


def merged(same: Sequence[Meeting]) -> Meeting:
    """One meeting with the games of all, which are of the same players; `math.fsum` makes their order irrelevant."""
    games = math.fsum(meeting.games for meeting in same)
    return Meeting(
        same[0].players,
        tuple(math.fsum(wins) for wins in zip(*(meeting.wins for meeting in same), strict=True)),
        math.fsum(meeting.none for meeting in same),
        math.fsum(meeting.games * meeting.effect for meeting in same) / games,
    )


def groups_of(meetings: Sequence[Meeting]) -> dict[str, frozenset[str]]:
    """For each player those that it has beaten and lost to, if only through others: the strongly connected components
    of the graph of who has won a game with whom at the table (L. R. Ford, American Mathematical Monthly 64, 1957).
    """
    beaten: defaultdict[str, set[str]] = defaultdict(set)
    for meeting in meetings:
        for name, score in zip(meeting.players, meeting.scores, strict=True):
            beaten[name] |= set(meeting.players) if score > 0 else set()
    below = {name: reachable(name, beaten) for name in list(beaten)}
    return {name: frozenset(other for other in below[name] if name in below[other]) for name in below}


def reachable(name: str, beaten: dict[str, set[str]]) -> set[str]:
    """All whom one has beaten, those whom they have beaten, and so on; itself too."""
    found, new = {name}, {name}
    while new:
        new = set().union(*(beaten[other] for other in new)) - found
        found |= new
    return found


def likeliest(meetings: Sequence[Meeting], seats: Sequence[Counts], players: int, anchor: int) -> Floats:
    """The logarithms of the weights at which the table is likeliest, 0 for the anchor."""
    free = np.delete(np.arange(players), anchor)

    def of_free(values: Floats) -> tuple[Floats, Floats]:
        slope, information = derivatives(meetings, seats, np.insert(values, anchor, 0.0))
        return slope[free], information[np.ix_(free, free)]

    return np.insert(climb(of_free, np.zeros(players - 1))[0], anchor, 0.0)


def derivatives(
    meetings: Sequence[Meeting], seats: Sequence[Counts], theta: Floats, *, by_effect: bool = False
) -> tuple[Floats, Floats]:
    """The slope of the table's log likelihood, and minus its second derivatives. These are also the slope's variance if
    games are independent or, ``by_effect``, if meetings have the design effects that they say."""
    slope, information = np.zeros(len(theta)), np.zeros((len(theta), len(theta)))
    for meeting, at in zip(meetings, seats, strict=True):
        chance = chances(theta[at])
        games = meeting.games * (meeting.effect if by_effect else 1.0)
        np.add.at(slope, at, np.array(meeting.scores) - meeting.games * chance)
        np.add.at(information, np.ix_(at, at), games * (np.diag(chance) - np.outer(chance, chance)))
    return slope, information


def chances(theta: Floats) -> Floats:
    """The chance of each player at a table to be first."""
    weights = np.exp(theta - theta.max())
    return np.asarray(weights / weights.sum())


def covariance(
    meetings: Sequence[Meeting], seats: Sequence[Counts], theta: Floats, anchor: int
) -> tuple[Floats, Floats]:
    """The inverse of the information, and the covariances of the logarithms of the weights; both 0 for the anchor."""
    free = np.delete(np.arange(len(theta)), anchor)
    inverse = np.zeros((len(theta), len(theta)))
    inverse[np.ix_(free, free)] = np.linalg.inv(derivatives(meetings, seats, theta)[1][np.ix_(free, free)])
    return inverse, inverse @ derivatives(meetings, seats, theta, by_effect=True)[1] @ inverse


def standings(
    names: Sequence[str], meetings: Sequence[Meeting], theta: Floats, cov: Floats, corrected: set[str]
) -> tuple[Rating, ...]:
    """The fit in Elo, the strongest first."""
    elo = ELO * theta
    half = critical(0.95) * ELO * np.sqrt(np.diag(cov))
    games: defaultdict[str, float] = defaultdict(float)
    for meeting in meetings:
        for name in set(meeting.players):
            games[name] += meeting.games
    players = [
        Rating(name, float(elo[k]), float(elo[k] - half[k]), float(elo[k] + half[k]), games[name], name in corrected)
        for k, name in enumerate(names)
    ]
    return tuple(sorted(players, key=lambda player: (-player.elo, player.name)))
