"""What `spit eval` does: a match, or one against each level of Emma, and what it is worth in speed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from spit_agents.catalogue import make_player
from spit_agents.match import GameResults
from spit_env.latency import LEVELS
from spit_train.cohort import Cohort, sub_seed
from spit_train.evaluate import evaluate_cohorts, setup_of
from spit_train.evaluation import Evaluation, summarise
from spit_train.handicap import Handicap, measure_handicap
from spit_train.harness import Progress, play_cohorts
from spit_train.journal import Journal
from spit_train.numerics import Floats
from spit_train.record import BadReport, read_report, write_report
from spit_train.screen import Margin, screen_margin
from spit_train.sequential import Verdict, first_within, sequential_test
from spit_train.stats import game_scores

FIRST_DEALS = 100  # of a match whose length is not fixed
GROWTH = 1.25
MOST_ELO = 1000  # of a hypothesis
FORMAT = "spit-study"


class BadStudy(ValueError):
    """Wishes that contradict each other."""


class Hypotheses(NamedTuple):
    """A question that is asked while games are played: is the first player ``elo0`` or ``elo1`` better?"""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Matches of one bot, and what they say together."""

    matches: tuple[Evaluation, ...]  # one; or one against each level of Emma, from the slowest on
    levels: bool
    seed: int  # of the run; where there are several matches, each has its own
    handicap: Handicap | None = None
    test: Hypotheses | None = None
    verdict: Verdict | None = None  # of the test
    until: float | None = None  # the wanted half-width of the interval
    screening: Margin | None = None  # where games were left after their first round

    def to_json(self) -> str:
        """All of it, with every game."""
        verdict = self.verdict and {**self.verdict._asdict(), "ratios": self.verdict.ratios.tolist()}
        values = {
            "levels": self.levels,
            "seed": self.seed,
            "handicap": self.handicap and self.handicap.to_dict(),
            "test": self.test and self.test._asdict(),
            "verdict": verdict,
            "until": self.until,
            "screening": self.screening and self.screening._asdict(),
        }
        return write_report(FORMAT, values, self.matches)

    @classmethod
    def from_json(cls, text: str) -> "Study":
        """Read `to_json` back. The figures are computed anew from the games.

        Raises:
            BadReport: if the text is something else.
        """
        values, matches = read_report(FORMAT, text)
        first = matches[0]
        try:
            scores = game_scores(first.rows.winner, len(first.sides))
            test = Hypotheses(**values["test"]) if values["test"] else None
            return cls(
                matches=matches,
                levels=bool(values["levels"]),
                seed=int(values["seed"]),
                handicap=Handicap.from_dict(values["handicap"]) if values["handicap"] else None,
                test=test,
                verdict=sequential_test(scores, *test) if test else None,
                until=values["until"],
                screening=screen_margin(first.rows) if values["screening"] else None,
            )
        except (ValueError, TypeError, LookupError) as error:
            raise BadReport(f"not the JSON of a study: {error!r}") from error


class How(NamedTuple):
    """How games are played; see `spit_train.harness.play_cohorts`."""

    workers: int | None = 1
    journal: Journal | None = None
    progress: Progress | None = None


def study_match(cohort: Cohort, how: How, *, handicap: bool = True) -> Study:
    """A match of fixed length."""
    (match,) = evaluate_cohorts([cohort], **how._asdict())
    speed = measure_handicap(cohort, **how._asdict()) if handicap else None
    return Study(matches=(match,), levels=False, seed=cohort.seed, handicap=speed)


def study_levels(cohort: Cohort, how: How, *, handicap: bool = True) -> Study:
    """The first player of a cohort against Emma at each level, who has all other seats; the cohort's own opponents are
    for the speed-equivalent. Each level has deals of its own."""
    player, others = cohort.players[0], len(cohort.players) - 1
    cohorts = [
        Cohort(
            players=(player, *[make_player(f"emma:{level}")] * others), deals=cohort.deals,
            seed=sub_seed(cohort.seed, level), rules=cohort.rules, recall=cohort.recall, wait_ms=cohort.wait_ms,
        )
        for level in LEVELS
    ]  # fmt: skip
    matches = evaluate_cohorts(cohorts, **how._asdict())
    speed = measure_handicap(cohort, **how._asdict()) if handicap else None
    return Study(matches=tuple(matches), levels=True, seed=cohort.seed, handicap=speed)


def study_sequentially(cohort: Cohort, how: How, test: Hypotheses) -> Study:
    """A match that ends as soon as the test has decided, with at most the cohort's deals.

    Raises:
        BadStudy: if the hypotheses are out of order.
    """
    if not -MOST_ELO <= test.elo0 < test.elo1 <= MOST_ELO:
        wanted = f"the first must be below the second, both from -{MOST_ELO} to {MOST_ELO}"
        raise BadStudy(f"--sprt {test.elo0:g} {test.elo1:g}: {wanted}")
    rows = play_growing(cohort, how, lambda scores: sequential_test(scores, *test).decision != "undecided")
    verdict = sequential_test(game_scores(rows.winner, len(cohort.players)), *test)
    match = first_deals(cohort, rows, verdict.deals)
    return Study(matches=(match,), levels=False, seed=cohort.seed, test=test, verdict=verdict)


def study_until(cohort: Cohort, how: How, half_width: float) -> Study:
    """A match that ends when the interval is narrow enough, with at most the cohort's deals."""
    rows = play_growing(cohort, how, lambda scores: first_within(scores, half_width) is not None)
    enough = first_within(game_scores(rows.winner, len(cohort.players)), half_width)
    match = first_deals(cohort, rows, enough or cohort.deals)
    return Study(matches=(match,), levels=False, seed=cohort.seed, until=half_width)


def study_screening(cohort: Cohort, how: How) -> Study:
    """The first rounds of a cohort's games, which must be of one round.

    Raises:
        BadStudy: if there are fewer than two deals, or no game goes on after its first round.
    """
    (match,) = evaluate_cohorts([cohort], **how._asdict())
    if match.margin is None:
        raise BadStudy("a margin takes two deals or more that go on after their first round: play more, or whole games")
    return Study(matches=(match,), levels=False, seed=cohort.seed, screening=match.margin)


def play_growing(cohort: Cohort, how: How, decided: Callable[[Floats], bool]) -> GameResults:
    """Play ever more of a cohort's deals, from `FIRST_DEALS` on, until the first player's scores decide something."""
    deals = min(FIRST_DEALS, cohort.deals)
    while True:
        (rows,) = play_cohorts([cohort.with_deals(deals)], **how._asdict())
        if deals == cohort.deals or decided(game_scores(rows.winner, len(cohort.players))):
            return rows
        deals = min(cohort.deals, int(deals * GROWTH))


def first_deals(cohort: Cohort, rows: GameResults, deals: int) -> Evaluation:
    """The evaluation of the first deals of a cohort; those behind them were played in vain."""
    cohort = cohort.with_deals(deals)
    return summarise(setup_of(cohort), GameResults(*(column[: cohort.games] for column in rows)))
