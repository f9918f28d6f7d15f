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


class Margin(NamedTuple):
    """By how many cards a player is ahead after the first round: the mean of the others' less its own."""

    mean: float
    low: float  # of the 95 % interval over deals
    high: float
    z: float  # the mean in standard errors
    games: int  # with a first round


class Screen(NamedTuple):
    """What first rounds and what whole games say of one player."""

    margin: Margin
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


def screen_margin(rows: GameResults, who: int = 0) -> Margin:
    """The margin of a player in games that went on after their first round, or were left there.

    Raises:
        ValueError: if there is no such game, or fewer than two deals.
    """
    margin, there = margins(rows, who)
    if len(margin) < 2 or not there.any():
        raise ValueError("a margin takes two or more deals, and games that go on after their first round")
    mean, low, high = grouped_mean(margin.sum(axis=1), there.sum(axis=1))
    z = 0.0 if mean == 0 else math.copysign(math.inf, mean)
    if high > low:
        z = mean / ((high - low) / (2 * critical(0.95)))
    return Margin(mean, low, high, z, int(there.sum()))


def screen(rows: GameResults, who: int = 0) -> Screen:
    """Compare first rounds with whole games.

    The information of a statistic grows with the square of its distance from chance in standard errors; by this the
    two are compared, per simulated round: (z / win_z)**2 * rounds. None where the wins do not differ from chance for
    sure; good to about 10 % where both are 40 standard errors off, to a third where they are 10.

    Raises:
        ValueError: as `screen_margin`.
    """
    margin = screen_margin(rows, who)
    players = rows.round1_cards.shape[1]
    scores = game_scores(rows.winner, players, who)
    share, chance = float(scores.mean()), 1 / players
    win_z = (share - chance) / math.sqrt(chance * (1 - chance) * design_effect(scores) / scores.size)
    rounds = float(rows.rounds.mean())
    information = (margin.z / win_z) ** 2 * rounds if abs(win_z) > critical(0.95) else None
    return Screen(margin, share, win_z, rounds, information)
