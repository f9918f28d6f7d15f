"""Everybody against everybody: a cross table, ratings fitted to it, and what the ratings leave unexplained."""

import re
from collections.abc import Sequence
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
from spit_train.study import How

ANCHOR = "emma:hard"
EMMA = re.compile("emma(:[a-z]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """The outcome. Nothing in it depends on the order in which the players were named."""

    players: tuple[str, ...]  # by name
    matches: tuple[Evaluation, ...]  # one for each set of players that fill a table
    ratings: Ratings  # in Elo above the anchor
    residuals: tuple[Residual, ...]  # the largest first
    cycle: str  # a sentence on players who beat each other in a circle


def make_field(names: Sequence[str], rules: Rules, anchor: str | None = None) -> tuple[tuple[Player, ...], str]:
    """The players by name, and whom the ratings are anchored to.

    A bot that names no speed plays at emma:hard. The anchor is an Emma among the names, ``ANCHOR`` rather than another;
    if there is none, ``ANCHOR`` plays as well.

    Raises:
        BadPlayer: for an unknown bot, one that is named twice, an anchor that does not play, or too few players.
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
    return tuple(make_player(name) for name in sorted(names)), anchor


def make_cohorts(players: Sequence[Player], deals: int, seed: int, rules: Rules, recall: Recall) -> list[Cohort]:
    """So many deals for each set of players that fill a table; each set has deals of its own, by the players' names."""
    return [
        Cohort(
            players=table, deals=deals, seed=sub_seed(seed, " v ".join(player.name for player in table)), rules=rules,
            recall=recall,
        )
        for table in combinations(players, rules.seats)
    ]  # fmt: skip


def play_tournament(cohorts: Sequence[Cohort], anchor: str, how: How) -> Tournament:
    """Play all games and fit the ratings."""
    matches = evaluate_cohorts(cohorts, **how._asdict())
    meetings = [Meeting.of(match.setup.players, match.rows.winner) for match in matches]
    ratings = rate(meetings, anchor)
    return Tournament(
        players=tuple(sorted({name for match in matches for name in match.setup.players})),
        matches=tuple(matches),
        ratings=ratings,
        residuals=tuple(residuals(ratings)),
        cycle=cycle_sentence(meetings),
    )
