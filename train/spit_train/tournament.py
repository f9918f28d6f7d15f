"""Everybody against everybody: a cross table, ratings fitted to it, and what the ratings leave unexplained."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from spit_agents.base import Player
from spit_agents.catalogue import make_player
from spit_agents.errors import BadPlayer
from spit_env.batch import Recall
from spit_env.ruleset import Rules
from spit_train.cohort import Cohort, sub_seed
from spit_train.consistency import Residual, cycle_sentence, residuals
from spit_train.evaluate import evaluate_cohorts
from spit_train.evaluation import Evaluation, rules_name
from spit_train.ratings import Meeting, Ratings, rate
from spit_train.record import BadReport, read_report, write_report
from spit_train.study import How

ANCHOR = "emma:hard"
FORMAT = "spit-tournament"
EMMA = re.compile("emma(:[a-z]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """The outcome. Nothing in it depends on the order in which the players were named."""

    seed: int  # of the run; each match has its own
    players: tuple[str, ...]  # by name
    matches: tuple[Evaluation, ...]  # one for each set of players that fill a table
    ratings: Ratings  # in Elo above the anchor
    residuals: tuple[Residual, ...]  # the largest first
    cycle: str  # a sentence on players who beat each other in a circle

    def to_json(self) -> str:
        """All of it, with every game."""
        ratings = self.ratings
        values = {
            "seed": self.seed,
            "players": self.players,
            "anchor": ratings.anchor,
            "ratings": [rating._asdict() for rating in ratings.players],
            "fit": {"log_weights": ratings.theta, "covariances": ratings.cov.tolist()},
            "residuals": [residual._asdict() for residual in self.residuals],
            "cycle": self.cycle,
        }
        return write_report(FORMAT, values, self.matches)

    @classmethod
    def from_json(cls, text: str) -> "Tournament":
        """Read `to_json` back. The figures are computed anew from the games.

        Raises:
            BadReport: if the text is something else.
        """
        values, matches = read_report(FORMAT, text)
        try:
            return sum_up(matches, values["anchor"], int(values["seed"]))
        except (ValueError, TypeError, LookupError) as error:
            raise BadReport(f"not the JSON of a tournament: {error!r}") from error


def make_field(names: Sequence[str], rules: Rules, anchor: str | None = None) -> tuple[tuple[Player, ...], str]:
    """The players by name, and whom the ratings are anchored to.

    A bot that names no speed plays at emma:hard. The anchor is an Emma among the names, ``ANCHOR`` rather than another;
    if there is none, ``ANCHOR`` plays as well.

    Raises:
        BadPlayer: for an unknown bot, one that is named twice or by two names, an anchor that does not play, or too few
            players.
    """
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadPlayer(f"{', '.join(twice)}: named twice; a bot against itself is `spit eval`")
    if anchor is None:
        emmas = [name for name in (ANCHOR, "emma", *sorted(names)) if name in names and EMMA.fullmatch(name)]
        anchor = emmas[0] if emmas else ANCHOR
        names = [*names] if emmas else [*names, ANCHOR]
    if anchor not in names:
        raise BadPlayer(f"the anchor {anchor!r} does not play; one of {', '.join(sorted(names))}")
    if len(names) < max(2, rules.seats):
        raise BadPlayer(f"rules {rules_name(rules)} are for {rules.seats} players: name at least so many bots")
    players = tuple(make_player(name) for name in sorted(names))
    for one, other in combinations(players, 2):
        if one.agent is other.agent and one.latency == other.latency:
            raise BadPlayer(f"{one.name} and {other.name} are the same bot at the same speed: name one of them")
    return players, anchor


def make_cohorts(players: Sequence[Player], deals: int, seed: int, rules: Rules, recall: Recall) -> list[Cohort]:
    """So many deals for each set of players that fill a table; each set has deals of its own, by the players' names."""
    return [
        Cohort(
            players=table, deals=deals, seed=sub_seed(seed, " v ".join(player.name for player in table)), rules=rules,
            recall=recall,
        )
        for table in combinations(players, rules.seats)
    ]  # fmt: skip


def play_tournament(cohorts: Sequence[Cohort], anchor: str, seed: int, how: How) -> Tournament:
    """Play all games and fit the ratings; ``seed`` is that of the run."""
    return sum_up(evaluate_cohorts(cohorts, **how._asdict()), anchor, seed)


def sum_up(matches: Sequence[Evaluation], anchor: str, seed: int) -> Tournament:
    """What the matches say together."""
    meetings = meetings_of(matches)
    ratings = rate(meetings, anchor)
    return Tournament(
        seed=seed,
        players=tuple(sorted({name for match in matches for name in match.setup.players})),
        matches=tuple(matches),
        ratings=ratings,
        residuals=tuple(residuals(ratings)),
        cycle=cycle_sentence(meetings),
    )


def meetings_of(matches: Iterable[Evaluation]) -> list[Meeting]:
    """The table of results."""
    return [Meeting.of(match.setup.players, match.rows.winner) for match in matches]


def pair_shares(matches: Iterable[Evaluation]) -> dict[tuple[str, str], float]:
    """The share of the first player's wins among those of either, in all matches of the two; games that nobody won are
    shared. 1/2 where neither won."""
    wins: defaultdict[tuple[str, str], float] = defaultdict(float)
    for meeting in meetings_of(matches):
        for one, score in zip(meeting.players, meeting.scores, strict=True):
            for other in meeting.players:
                wins[one, other] += score
    return {
        (one, other): ours / (ours + wins[other, one]) if ours + wins[other, one] else 0.5
        for (one, other), ours in wins.items()
    }
