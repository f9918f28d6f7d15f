"""Is bot A better than bot B? A match whose games are fixed beforehand and all played.

Every deal is played twice with the seats swapped, so that the luck of the deal and of the seat cancels. A game that a
guard cut off has no winner and counts as a win for nobody. Games are played in decision stepping, and both bots play
at the speeds that their names say.

>>> outcome = evaluate("random", "emma:easy", games=4, seed=1)
>>> outcome.a.wins + outcome.b.wins + outcome.none
4
"""

import platform
import time
from collections.abc import Callable, Mapping
from importlib import metadata
from typing import Any

from spit_agents.base import Player
from spit_agents.catalogue import make_player
from spit_agents.match import play_match
from spit_env.batch import Recall
from spit_env.latency import Latency, make_latency
from spit_env.rules import make_rules
from spit_env.ruleset import Rules
from spit_train.evaluation import Evaluation, Setup, rules_hash, rules_name, summarise


def evaluate(
    a: str | Player,
    b: str | Player,
    games: int,
    seed: int,
    *,
    rules: str | Rules | Mapping[str, Any] = "emma",
    recall: Recall = "perfect",
    wait_ms: int = 100,
    batch_size: int = 1024,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Play ``games`` games between two bots and sum up.

    Args:
        a: a bot's name (`spit_agents.catalogue`), or a bot at a speed.
        b: the other one.
        games: an even number: each deal is played from both seats.
        seed: of the run, 0 to 2**63 - 1: the same seed gives the same games, whatever ``batch_size`` is.
        rules: a preset's name, a `Rules` record or a mapping of values.
        recall: ``"perfect"`` or ``"none"``: what observations tell of cards seen earlier.
        wait_ms: how long a bot that waits is left alone if nothing visible happens, in milliseconds.
        batch_size: games in progress at a time.
        progress: called with (games ended, games in all).

    Raises:
        ValueError: if ``games`` is odd or below 2, or a name, rule or seed is unknown or out of range.
    """
    if games < 2 or games % 2:
        raise ValueError(f"games={games!r} must be an even number from 2 on: each deal is played from both seats")
    player_a, player_b = make_players(a, b)
    values = make_rules(rules)
    wall, cpu = time.perf_counter(), time.process_time()
    rows = play_match(
        (player_a, player_b), games // 2, seed, rules=values, recall=recall, batch_size=batch_size, wait_ms=wait_ms,
        progress=progress,
    )  # fmt: skip
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    setup = Setup(
        a=player_a.name, b=player_b.name,
        latency_a=player_a.latency.to_dict(), latency_b=player_b.latency.to_dict(),
        games=games, seed=int(seed),
        rules=rules_name(values), rules_hash=rules_hash(values), rule_values=values.to_dict(),
        recall=recall, wait_ms=wait_ms, versions=versions(),
    )  # fmt: skip
    return summarise(setup, rows, wall, cpu)


def make_players(a: str | Player, b: str | Player) -> tuple[Player, Player]:
    """Two players, equally fast unless their names say otherwise.

    A bot that names no speed plays at the other's; if neither names one, both play at ``emma:hard``. A factor such as
    ``*1.10`` is no speed: it applies to whatever the speed is.

    >>> slow, fast = make_players("random*2", "greedy@emma:expert")
    >>> slow.latency.play.median, fast.latency.play.median
    (700.0, 350)

    Raises:
        BadPlayer: for an unknown bot or speed.
    """
    speed_a, speed_b = own_speed(a), own_speed(b)
    return (
        a if isinstance(a, Player) else make_player(a, speed_b),
        b if isinstance(b, Player) else make_player(b, speed_a),
    )


def own_speed(player: str | Player) -> Latency | None:
    """The speed that a player's name says, or None if it leaves it to the other player."""
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
