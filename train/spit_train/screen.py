"""Is a change worth a closer look? The cards that players hold after the first round tell sooner than who wins.

A game of Spit has about ten rounds, and its winner says one thing about all of them; the margin after the first says
something about each deal of cards. So a few simulated rounds find a difference that would take ten times as many games.
The margin leaves out how games are finished: what it finds has still to be confirmed by wins.
"""

import math
from typing import NamedTuple

import numpy as np

from spit_agents.match import GameResults
from spit_train.numerics import Floats
from spit_train.stats import critical, design_effect, game_scores, grouped_mean


class Screen(NamedTuple):
    """What first rounds and what whole games say of one player."""

    margin: float  # mean of the others' cards less its own, after round 1
    low: float  # of the margin's 95 % interval over deals
    high: float
    z: float  # the margin in standard errors
    games: int  # with a first round
    win_rate: float
    win_z: float  # its distance from 1 / players in standard errors
    rounds: float  # completed per game
    information: float | None  # of a round played for its margin, as a multiple of one played for who wins the game


def margins(rows: GameResults, who: int = 0) -> tuple[Floats, Floats]:
    """The margin of each game, and whether there is one: not in games that ended in the first round.

    Shapes (deals, players), margins in cards, 0 where there is none.
    """
    cards = rows.round1_cards.astype(np.float64)
    players = cards.shape[1]
    others = (cards.sum(axis=1) - cards[:, who]) / (players - 1)
    there = cards.any(axis=1)
    return ((others - cards[:, who]) * there).reshape(-1, players), there.astype(np.float64).reshape(-1, players)


def screen(rows: GameResults, who: int = 0) -> Screen:
    """Compare first rounds with whole games.

    The information of a statistic grows with the square of its distance from chance in standard errors; by this the
    two are compared, per simulated round: (z / win_z)**2 * rounds. None where the wins do not differ from chance for
    sure; good to about 10 % where both are 40 standard errors off, to a third where they are 10.

    Raises:
        ValueError: if no game had a second round, or there are fewer than two deals.
    """
    margin, there = margins(rows, who)
    if len(margin) < 2 or not there.any():
        raise ValueError("a margin takes two or more deals, and games that go on after their first round")
    mean, low, high = grouped_mean(margin.sum(axis=1), there.sum(axis=1))
    error = (high - low) / (2 * critical(0.95))
    z = mean / error if error else 0.0
    scores = game_scores(rows.winner, margin.shape[1], who)
    share = float(scores.mean())
    chance = 1 / margin.shape[1]
    win_z = (share - chance) / math.sqrt(chance * (1 - chance) * design_effect(scores) / scores.size)
    rounds = float(rows.rounds.mean())
    information = (z / win_z) ** 2 * rounds if abs(win_z) > critical(0.95) else None
    return Screen(mean, low, high, z, int(there.sum()), share, win_z, rounds, information)
