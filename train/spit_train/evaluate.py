"""Which bot is better? A match whose games are fixed beforehand and all played.

Every deal is played once for each player, the seats rotated, so that the luck of the deal and of the seat cancels. A
game that a guard cut off has no winner and counts as a win for nobody. Games are played in decision stepping, and all
bots play at the speeds that their names say.

>>> outcome = evaluate(["random", "emma:easy"], games=4, seed=1)
>>> sum(side.wins for side in outcome.sides) + outcome.none
4
"""

import platform
from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any

from spit_agents.base import Agent, Player
from spit_agents.catalogue import make_player
from spit_agents.errors import BadPlayer
from spit_agents.fallible import Fallible
from spit_agents.policy import PolicyAgent
from spit_env.batch import Recall, check_seed
from spit_env.latency import Latency, make_latency
from spit_env.rules import make_rules
from spit_env.ruleset import Rules
from spit_train.cohort import Cohort, fingerprint
from spit_train.evaluation import Evaluation, Setup, rules_hash, rules_name, summarise
from spit_train.harness import Progress, play_cohorts
from spit_train.journal import Journal


def evaluate(
    players: Sequence[str | Player],
    games: int,
    seed: int,
    *,
    rules: str | Rules | Mapping[str, Any] = "emma",
    recall: Recall = "perfect",
    wait_ms: int = 100,
    workers: int | None = 1,
    journal: Journal | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Play ``games`` games between bots and sum up.

    Args:
        players: a bot's name (`spit_agents.catalogue`), or a bot at a speed, for each seat of the rules.
        games: a multiple of the number of players: each deal is played from every seat.
        seed: of the run, 0 to 2**63 - 1: the same seed gives the same games, with any number of workers.
        rules: a preset's name, a `Rules` record or a mapping of values.
        recall: ``"perfect"`` or ``"none"``: what observations tell of cards seen earlier.
        wait_ms: how long a bot that waits is left alone if nothing visible happens, in milliseconds.
        workers, journal, progress: see `spit_train.harness.play_cohorts`.

    Raises:
        BadPlayer: for an unknown bot, or if there are more or fewer than the rules have seats.
        ValueError: if ``games`` is no such multiple, or a rule or seed is unknown or out of range.
    """
    values = make_rules(rules)
    bots, seats = make_players(players, values), values.seats
    if games < seats or games % seats:
        raise ValueError(f"games={games!r} must be a multiple of {seats}: each deal is played from every seat")
    cohort = Cohort(
        players=bots, deals=games // seats, seed=check_seed(seed), rules=values, recall=recall, wait_ms=wait_ms
    )
    return evaluate_cohorts([cohort], workers=workers, journal=journal, progress=progress)[0]


def evaluate_cohorts(
    cohorts: Sequence[Cohort],
    *,
    workers: int | None = 1,
    journal: Journal | None = None,
    progress: Progress | None = None,
) -> list[Evaluation]:
    """Play cohorts, as `spit_train.harness.play_cohorts` does, and sum up each."""
    played = play_cohorts(cohorts, workers=workers, journal=journal, progress=progress)
    return [summarise(setup_of(cohort), rows) for cohort, rows in zip(cohorts, played)]


def setup_of(cohort: Cohort) -> Setup:
    """What was played, for the record."""
    return Setup(
        players=tuple(player.name for player in cohort.players),
        bots=tuple(fingerprint(player.agent)[:12] for player in cohort.players),
        temperatures=tuple(temperature_of(player.agent) for player in cohort.players),
        latencies=tuple(player.latency.to_dict() for player in cohort.players),
        games=cohort.games, seed=cohort.seed, game=cohort.rules.GAME,
        rules=rules_name(cohort.rules), rules_hash=rules_hash(cohort.rules), rule_values=cohort.rules.to_dict(),
        recall=cohort.recall, wait_ms=cohort.wait_ms, versions=versions(),
    )  # fmt: skip


def temperature_of(agent: Agent) -> float | None:
    """The temperature at which a net samples its actions, 0 if it takes the best one; None for other bots."""
    inner = agent.agent if isinstance(agent, Fallible) else agent
    return inner.temperature if isinstance(inner, PolicyAgent) else None


def make_players(
    players: Sequence[str | Player], rules: str | Rules | Mapping[str, Any] = "emma"
) -> tuple[Player, ...]:
    """A player for each seat of the rules, equally fast unless their names say otherwise.

    A bot that names no speed plays at that of the first who has one; if nobody has, all play at ``emma:hard``. A factor
    such as ``*1.10`` is no speed: it applies to whatever the speed is.

    >>> slow, fast = make_players(["random*2", "greedy@human:good"])
    >>> slow.latency.play.median, fast.latency.play.median
    (870.0, 435)

    Raises:
        BadPlayer: for an unknown bot or speed, or if there are more or fewer than the rules have seats.
    """
    values = make_rules(rules)
    seats = values.seats
    if len(players) != seats:
        raise BadPlayer(f"rules {rules_name(values)} are for {seats} players: name {seats} bots, not {len(players)}")
    speed = next((speed for speed in map(own_speed, players) if speed is not None), None)
    return tuple(player if isinstance(player, Player) else make_player(player, speed) for player in players)


def own_speed(player: str | Player) -> Latency | None:
    """The speed that a player's name says, or None if it leaves it to the others."""
    if isinstance(player, Player):
        return player.latency
    slow, fast = (make_player(player, make_latency(name)).latency for name in ("emma:easy", "emma:expert"))
    return slow if slow == fast else None


def versions() -> dict[str, str]:
    """The versions that results could depend on."""
    found = {"python": platform.python_version()}
    for name in ("spit-env", "numpy", "numba"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:  # run from a checkout that is not installed
            found[name] = "not installed"
    return found
