"""Statistics of match results: pure functions of numbers.

*Scores* are what one player got, shape (deals, players): a row for each deal, a column for each of its games, the
player sitting in another seat in each. A win is 1, a game that nobody won 1 / players, any other 0. Deals are
independent; the games of one are not: two equal bots at equal speed play mirrored games, and win one each.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from spit_train.numerics import Floats, beta_quantile

Counts = npt.NDArray[Any] | Sequence[Any]
PRIOR_DEALS = 4.0  # of independent games, that `design_effect` adds to those that were seen
ALARM = 0.1  # no correlation between different bots was ever as large


@overload
def wilson(successes: int, n: int, confidence: float = ...) -> tuple[float, float]: ...
@overload
def wilson(successes: Counts, n: Counts | int, confidence: float = ...) -> tuple[Floats, Floats]: ...
def wilson(
    successes: Counts | int, n: Counts | int, confidence: float = 0.95
) -> tuple[float, float] | tuple[Floats, Floats]:
    """Wilson's score interval of a share (E. B. Wilson, JASA 22, 1927, pages 209-212).

    It holds for few trials and for shares near 0 and 1, where the normal interval fails. It takes trials as
    independent; `deal_interval` does not.

    >>> [round(limit, 3) for limit in wilson(220, 400)]
    [0.501, 0.598]

    Args:
        successes: how many of the trials, from 0 to ``n``; a number or an array.
        n: how many trials; a number or an array that broadcasts with ``successes``. Of none nothing is known: (0, 1).
        confidence: the share of such intervals that hold the true value, between 0 and 1.

    Returns:
        Lower and upper limit, in [0, 1]: two floats, or two arrays of the broadcast shape.

    Raises:
        ValueError: if a count or the confidence is out of range.
    """
    z = critical(confidence)
    hits, trials = np.broadcast_arrays(np.asarray(successes, np.float64), np.asarray(n, np.float64))
    if not np.all((hits >= 0) & (hits <= trials)):
        raise ValueError(f"successes={successes!r} must be from 0 to n={n!r}")
    z2 = z * z
    size = trials + z2
    middle = (hits + z2 / 2) / size
    # Of no trials: z2 / 4 under the root gives half = 1/2, hence (0, 1).
    half = np.sqrt(z2 * (hits * (trials - hits) / np.maximum(trials, 1) + z2 / 4)) / size
    # The ends are exact in theory and would only be blurred by rounding.
    low = np.where(hits == 0, 0.0, middle - half)
    high = np.where(hits == trials, 1.0, middle + half)
    return (float(low), float(high)) if low.ndim == 0 else (low, high)


def grouped_mean(totals: Counts, counts: Counts, confidence: float = 0.95) -> tuple[float, float, float]:
    """The mean of values that come in groups, with its interval by the normal approximation (the ratio estimator of
    cluster sampling: W. G. Cochran, Sampling Techniques, 1977, section 9A.2).

    Groups are taken as independent, the values in one are not: the games of one deal share its luck.

    >>> [round(x, 2) for x in grouped_mean([3, 4, 5, 4], [2, 2, 2, 2])]
    [2.0, 1.6, 2.4]

    Args:
        totals: the sum of each group's values.
        counts: how many values each group has; it may be 0.
        confidence: the share of such intervals that hold the true value, between 0 and 1.

    Returns:
        Mean, lower and upper limit. Fewer than two groups say nothing of the spread: the limits are then infinite.

    Raises:
        ValueError: if there is no value, or the confidence is out of range.
    """
    z = critical(confidence)
    sums, sizes = np.asarray(totals, np.float64), np.asarray(counts, np.float64)
    values, groups = float(sizes.sum()), int(np.sum(sizes > 0))
    if not values:
        raise ValueError("there is no value to take the mean of")
    mean = float(sums.sum()) / values
    if groups < 2:
        return mean, -np.inf, np.inf
    spread = float(np.sum((sums - mean * sizes) ** 2)) * groups / (groups - 1)
    half = z * spread**0.5 / values
    return mean, mean - half, mean + half


def critical(confidence: float) -> float:
    """How many standard errors a two-sided normal interval reaches from its middle: 1.96 for 0.95.

    Raises:
        ValueError: if the confidence is out of range.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence={confidence!r} must lie between 0 and 1, such as 0.95")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def clopper_pearson(successes: float, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact interval of a share (C. J. Clopper and E. S. Pearson, Biometrika 26, 1934, pages 404-413).

    It holds the true share at least as often as it says, whatever that is, and so is wider than `wilson`: for gates
    that something has to pass. It takes trials as independent.

    >>> [round(limit, 4) for limit in clopper_pearson(0, 100)]
    [0.0, 0.0362]

    Args:
        successes: how many of the trials, from 0 to ``n``; halves are fine.
        n: how many trials.
        confidence: the least share of such intervals that hold the true value, between 0 and 1.

    Raises:
        ValueError: if a count or the confidence is out of range.
    """
    critical(confidence)
    if not 0 <= successes <= n:
        raise ValueError(f"successes={successes!r} must be from 0 to n={n!r}")
    tail, failures = (1 - confidence) / 2, n - successes
    low = beta_quantile(tail, successes, failures + 1) if successes else 0.0
    high = beta_quantile(1 - tail, successes + 1, failures) if failures else 1.0
    return low, high


def game_scores(winner: Counts, players: int, who: int = 0) -> Floats:
    """The scores of player number ``who``, shape (deals, players), from the winners of the games of one deal after
    another as `spit_agents.match.GameResults` holds them; -1 is nobody.

    >>> game_scores([0, 1, -1, 0], players=2).tolist()
    [[1.0, 0.0], [0.5, 1.0]]
    """
    won = np.asarray(winner)
    return np.where(won < 0, 1 / players, won == who).astype(np.float64).reshape(-1, players)


def design_effect(scores: Floats) -> float:
    """The variance of the mean score, as a multiple of what as many independent games with that mean would have.

    1 for independent games, 0 for games that always mirror each other, up to the number of players for games that
    always end alike (L. Kish, Survey Sampling, 1965, section 5.4). It is estimated, so `PRIOR_DEALS` deals of
    independent games are thought to be among those seen: where all deals scored the same, that alone says how sure we
    are; among many others it vanishes.

    Args:
        scores: shape (deals, players), see above.
    """
    return float(effect_of(len(scores), scores.shape[1], *sums(scores)))


def sums(scores: Floats) -> tuple[float, float]:
    """The sum of the mean scores of the deals, and that of their squares."""
    means = scores.mean(axis=1)
    return float(means.sum()), float(means @ means)


def effect_of(deals: Counts | int, players: int, total: Counts | float, squares: Counts | float) -> Floats:
    """`design_effect` from the number of deals and `sums`; arrays or numbers."""
    n = np.asarray(deals, np.float64)
    share = np.asarray(total) / n
    single = share * (1 - share)  # variance of a game
    spread = np.maximum(0, squares - share * total) * n / np.maximum(n - 1, 1)
    known = (n > 1) & (single > 0)
    return np.where(known, (spread / np.where(known, single, 1.0) + PRIOR_DEALS) / (n / players + PRIOR_DEALS), 1.0)


def deal_interval(scores: Floats, confidence: float = 0.95) -> tuple[float, float, float]:
    """The mean score with its interval over deals: Wilson's, with as many games as independent ones would be worth
    (N. Dean and M. Pagano, Evaluating Confidence Interval Methods for Binomial Proportions in Clustered Surveys,
    Journal of Survey Statistics and Methodology 3, 2015, pages 484-503).

    It holds for independent games, for mirrored ones, and for a player who won or lost all.

    >>> mirrored = np.array([[0.0, 1.0], [1.0, 0.0]] * 1000)
    >>> [round(x, 3) for x in deal_interval(mirrored)], [round(x, 3) for x in wilson(2000, 4000)]
    ([0.5, 0.499, 0.501], [0.485, 0.515])

    Args:
        scores: shape (deals, players), see above.
        confidence: the share of such intervals that hold the true value, between 0 and 1.

    Returns:
        Mean, lower and upper limit.

    Raises:
        ValueError: if there is no deal, or the confidence is out of range.
    """
    if not scores.size:
        raise ValueError("there is no deal to take the mean of")
    share, low, high = interval_of(len(scores), scores.shape[1], *sums(scores), confidence)
    return float(share), float(low), float(high)


def interval_of(
    deals: Counts | int, players: int, total: Counts | float, squares: Counts | float, confidence: float
) -> tuple[Floats, Floats, Floats]:
    """`deal_interval` from the number of deals and `sums`; arrays or numbers."""
    share = np.clip(np.asarray(total) / deals, 0, 1)
    games = np.asarray(np.asarray(deals) * players / effect_of(deals, players, total, squares))
    return share, *wilson(share * games, games, confidence)


class Correlation(NamedTuple):
    """How the games of a deal go together, with a 99 % interval; an ``alarm`` says that it is not what is usual."""

    r: float
    low: float
    high: float
    alarm: bool


def deal_correlation(scores: Floats) -> Correlation:
    """The correlation between the scores of two games of a deal, the mean over all pairs of its seats.

    Between different bots it is about 0; -1 (of two players) says that the games mirror each other, as between equal
    bots. The alarm is raised if it is beyond `ALARM` and its interval (R. A. Fisher's z, 1921) does not hold 0: all
    that takes games as independent is then wrong. A seat with always the same score correlates with nothing: 0.

    Args:
        scores: shape (deals, players), see above.
    """
    deals, players = scores.shape
    pairs = players * (players - 1) / 2
    apart = scores - scores.mean(axis=0)
    spread = np.sqrt((apart**2).sum(axis=0))
    unit = apart / np.where(spread > 0, spread, 1.0)
    r = float((unit.sum(axis=1) ** 2).sum() - (unit**2).sum()) / (2 * pairs)
    if abs(r) > 1 - 1e-9:
        return Correlation(round(r), round(r), round(r), True)
    middle, reach = math.atanh(r), critical(0.99) / math.sqrt(max(deals * pairs - 3, 1))
    low, high = math.tanh(middle - reach), math.tanh(middle + reach)
    return Correlation(r, low, high, abs(r) > ALARM and not low <= 0 <= high)
