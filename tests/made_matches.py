"""Matches that nobody played: made up, for tests of what is said about matches."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from spit_agents.match import PER_PLAYER, GameResults
from spit_env.latency import PROFILES
from spit_env.state import END_REASONS
from spit_train.evaluate import versions
from spit_train.evaluation import Evaluation, Setup, summarise
from spit_train.handicap import Handicap, fit
from spit_train.psychometric import Point

DEALS = 30
NAMES = "emma:hard", "emma:hard*1.10", "greedy", "random@emma:impossible"
GAMES = {2: ("spit", "emma"), 3: ("speed", "speed_3p"), 4: ("speed", "speed_4p")}


def made_rows(players: int, deals: int = DEALS, seed: int = 0, edge: float = 0.3, cut: float = 0.1) -> GameResults:
    """Games whose places are drawn, the later players stronger by ``edge``; a share ``cut`` of them cut off."""
    rng, games = np.random.default_rng(seed), players * deals
    table = {
        name: rng.integers(1, 60, (games, players) if name in PER_PLAYER else games) for name in GameResults._fields
    }
    strength = rng.random((games, players)) + edge * np.arange(players)
    rank = 1 + strength.argsort(axis=1).argsort(axis=1)
    was_cut = rng.random(games) < cut
    if players > 2:
        rank[(rank == players) & (rng.random(games) < 0.5)[:, None]] = players - 1  # some share the last place
    rank[was_cut] = 0
    reasons = END_REASONS.index("max_rounds"), END_REASONS.index("finished")
    return GameResults(
        **table
        | {
            "seed": np.repeat(np.arange(deals), players),
            "first_seat": np.tile(np.arange(players), deals),
            "winner": np.where(was_cut, -1, (rank == 1).argmax(axis=1)),
            "end_reason": np.where(was_cut, *reasons),
            "rank": rank,
            "illegal": np.zeros((games, players), np.int64),
        }
    )


def made_match(names: Sequence[str] = NAMES[:2], deals: int = DEALS, seed: int = 0, **values: Any) -> Evaluation:
    """A match of so many bots; ``values`` go to `made_rows`."""
    players, latency = len(names), PROFILES["emma:hard"].to_dict()
    game, rules = GAMES[players]
    setup = Setup(
        players=tuple(names), bots=("0123456789ab",) * players, temperatures=(None,) * players,
        latencies=(latency,) * players, games=players * deals,
        seed=seed, game=game, rules=rules, rules_hash="0123456789ab", rule_values={"n_players": players},
        recall="perfect", wait_ms=100, versions=versions(),
    )  # fmt: skip
    return summarise(setup, made_rows(players, deals, seed, **values))


def won(match: Evaluation, winner: Any) -> Evaluation:
    """The same match with other winners."""
    return summarise(match.setup, match.rows._replace(winner=np.asarray(winner, np.int64)))


def made_handicap(names: Sequence[str] = NAMES[:2], slope: float = 6.0, games: int = 100) -> Handicap:
    """Games at several speeds whose shares lie on a line: equal chances where the first is 1.2 times as fast."""
    share = 1 / len(names)
    ratios = np.geomspace(0.5, 2, 9)
    odds = share / (1 - share) * (ratios / 1.2) ** slope
    points = [Point(float(r), float(round(games * o / (1 + o))), games) for r, o in zip(ratios, odds)]
    return fit(names, 7, points)
