"""Do levels still hold? Bots and engine change; the reference plays other games against each level of a file."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from spit_agents.catalogue import make_player
from spit_env.latency import make_latency
from spit_env.rules import make_rules
from spit_train.calibrate import Share, bounds, within
from spit_train.cohort import Cohort, sub_seed
from spit_train.harness import play_cohorts
from spit_train.study import How


class Checked(NamedTuple):
    """A level and the games that it was checked with."""

    name: str
    target: float
    share: Share  # of the reference
    verdict: str  # "holds", "does not hold", or "open": the interval reaches across a limit


def check_cohorts(body: Mapping[str, Any], deals: int, seed: int) -> list[Cohort]:
    """The games that check the levels of a file; on other deals than those that have found and confirmed them.

    Raises:
        BadPlayer, BadRules: if a bot or the rules of the file are not to be found.
    """
    told = body["calibration"]
    rules = make_rules(told["rules"])
    reference = make_player(told["reference"])._replace(latency=make_latency(told["reference_latency"]))
    emma = make_player(told["brain"])
    return [
        Cohort(
            players=(reference, *[emma._replace(latency=make_latency(level["latency"]))] * (rules.seats - 1)),
            deals=deals, seed=sub_seed(seed, f"check/{name}"), rules=rules, recall=told["recall"],
        )
        for name, level in body["levels"].items()
    ]  # fmt: skip


def check_levels(body: Mapping[str, Any], deals: int, seed: int, how: How) -> list[Checked]:
    """Play the games, and say of each level whether it holds."""
    cohorts, tolerance = check_cohorts(body, deals, seed), body["calibration"]["tolerance"]
    checked = []
    for (name, level), cohort, rows in zip(
        body["levels"].items(), cohorts, play_cohorts(cohorts, **how._asdict()), strict=True
    ):
        target, share = level["evidence"]["target"], Share.of(cohort, rows)
        checked.append(Checked(name, target, share, verdict_of(target, tolerance, share.low, share.high)))
    return checked


def verdict_of(target: float, tolerance: float, low: float, high: float) -> str:
    """What an interval says of a level."""
    if within(target, tolerance, low, high):
        return "holds"
    least, most = bounds(target, tolerance)
    return "does not hold" if high < least or low > most else "open"
