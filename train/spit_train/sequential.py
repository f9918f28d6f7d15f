"""When have enough games been played? A sequential test between two hypotheses, and a stop at a wanted precision.

The test is the generalised sequential probability ratio test (A. Wald, Sequential Analysis, 1947; M. Van den Bergh,
*A practical introduction to the GSPRT* and *The GSPRT for the expectation value of a distribution*, which
describe what fishtest, the testing framework of Stockfish, does). Its observations are deals, not games: a deal's score
is the mean over its games, so the games of one may be as dependent as they like.

Elo become shares of the games won against k - 1 equal opponents by 1 / (1 + (k - 1) * 10 ** (-elo / 400)): a player
rated ``elo`` above them has the weight 10 ** (elo / 400) where each of them has 1, as in `spit_train.ratings`.
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from spit_train.numerics import Floats
from spit_train.stats import interval_of

Decision = Literal["H0", "H1", "undecided"]
UNSEEN = 1e-3  # how often a score of 0 and of 1 counts as seen at least
BLOCK = 512  # deals looked at in one go
FIRST_LOOK, GROWTH = 100, 1.01  # of `first_within`, in deals


class Verdict(NamedTuple):
    """How a sequential test ended."""

    decision: Decision
    deals: int  # after which it was made; all, if it was not
    ratios: Floats  # the log likelihood ratio after each of these deals
    lower: float  # at which H0 is accepted
    upper: float  # at which H1 is accepted


def share_of(elo: float, players: int = 2) -> float:
    """The share of games that a player wins against ``players`` - 1 others who are all ``elo`` below.

    >>> share_of(0, 4), round(share_of(191), 2)
    (0.25, 0.75)
    """
    return 1 / (1 + (players - 1) * 10 ** (-elo / 400))


def elo_of(share: float, players: int = 2) -> float:
    """`share_of` backwards; infinite for shares of 0 and 1.

    >>> round(elo_of(0.75), 2)
    190.85
    """
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10((players - 1) * share / (1 - share))


def bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Wald's limits of the log likelihood ratio: below the first H0 is accepted, above the second H1.

    >>> [round(limit, 2) for limit in bounds(0.05, 0.05)]
    [-2.94, 2.94]
    """
    if not (0 < alpha < 0.5 and 0 < beta < 0.5):
        raise ValueError(f"alpha={alpha!r} and beta={beta!r} must lie between 0 and 0.5, such as 0.05")
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def sequential_test(scores: Floats, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> Verdict:
    """Test H0 (the player is ``elo0`` better than the others) against H1 (``elo1`` better) on deals in their order.

    What it says depends on nothing after the deal at which it decides. The share of wins among the deals up to there is
    biased away from the other hypothesis: to state a strength, play others.

    Args:
        scores: of the player, shape (deals, players), see `spit_train.stats`.
        elo0, elo1: the hypotheses, ``elo0`` below ``elo1``; in between the test takes longest.
        alpha: how often it may accept H1 where H0 holds.
        beta: how often it may accept H0 where H1 holds.

    Raises:
        ValueError: if a hypothesis or an error rate is out of order.
    """
    lower, upper = bounds(alpha, beta)
    if not elo0 < elo1:
        raise ValueError(f"elo0={elo0!r} must be below elo1={elo1!r}")
    deals, players = scores.shape
    values, which = score_values(scores)
    seen = np.zeros(len(values))
    ratios = np.zeros(deals)
    for start in range(0, deals, BLOCK):
        block = np.eye(len(values))[which[start : start + BLOCK]].cumsum(axis=0) + seen
        seen = block[-1]
        ratios[start : start + BLOCK] = log_ratios(block, values, share_of(elo0, players), share_of(elo1, players))
        crossed = np.flatnonzero((ratios <= lower) | (ratios >= upper))
        if len(crossed):
            end = int(crossed[0])
            return Verdict("H1" if ratios[end] > 0 else "H0", end + 1, ratios[: end + 1], lower, upper)
    return Verdict("undecided", deals, ratios, lower, upper)


def score_values(scores: Floats) -> tuple[Floats, np.ndarray[tuple[int, ...], np.dtype[np.intp]]]:
    """The scores that a deal can have, in order, and which of them each deal has.

    With k games to a deal, each worth 0, 1 / k or 1, they are multiples of 1 / k**2.
    """
    steps = scores.shape[1] ** 2
    found, which = np.unique(np.rint(scores.mean(axis=1) * steps).astype(np.int64), return_inverse=True)
    every = np.union1d(found, [0, steps])
    return every / steps, np.searchsorted(every, found)[which]


def log_ratios(counts: Floats, values: Floats, share0: float, share1: float) -> Floats:
    """The log likelihood of H1 over that of H0, each at the most likely distribution of scores with that mean.

    Scores of 0 and of 1 count as seen at least `UNSEEN` times, else there may be no distribution with that mean: as
    where all deals scored 1/2.

    Args:
        counts: how often each score was seen, shape (..., values).
        values: the scores, from 0 to 1.
        share0, share1: the mean scores under the hypotheses, between 0 and 1.

    Returns:
        Shape (...).
    """
    ends = [0, len(values) - 1]
    counts = counts.copy()
    counts[..., ends] = np.maximum(counts[..., ends], UNSEEN)
    logs = [np.log1p(tilt(counts, values, share)[..., None] * (values - share)) for share in (share0, share1)]
    return np.asarray((counts * (logs[0] - logs[1])).sum(axis=-1))


def tilt(counts: Floats, values: Floats, share: float) -> Floats:
    """The multiplier t for which weights proportional to counts / (1 + t * (values - share)) have the mean ``share``:
    these are the likeliest probabilities with that mean.

    The sum of counts * (values - share) / (1 + t * (values - share)) falls in t and is 0 there. Newton's steps are kept
    within the interval known to hold the root, halved where one would leave it.
    """
    apart = values - share
    inside = 1 - 1e-12  # the ends are poles
    low = np.full(counts.shape[:-1], -inside / apart[-1])
    high = np.full(counts.shape[:-1], -inside / apart[0])
    t = np.zeros(counts.shape[:-1])
    for _ in range(100):
        terms = apart / (1 + t[..., None] * apart)
        height = (counts * terms).sum(axis=-1)
        low, high = np.where(height > 0, t, low), np.where(height > 0, high, t)
        before, t = t, t + height / (counts * terms**2).sum(axis=-1)
        t = np.where((t >= low) & (t <= high), t, (low + high) / 2)
        if np.all(np.abs(t - before) <= 1e-12 * (1 + np.abs(t))):
            break
    return t


def expected_deals(elo0: float, elo1: float, elo: float, *, players: int = 2, alpha: float = 0.05, beta: float = 0.05,
                   effect: float = 1.0) -> float:  # fmt: skip
    """About how many deals the test takes if the player is ``elo`` better: Wald's formula for a normal mean.

    >>> round(2 * expected_deals(0, 5, 5))  # games
    25593

    Args:
        effect: of the design, see `spit_train.stats.design_effect`.
    """
    lower, upper = bounds(alpha, beta)
    share, share0, share1 = (share_of(x, players) for x in (elo, elo0, elo1))
    middle = (share0 + share1) / 2
    variance = middle * (1 - middle) * effect / players
    drift = (share1 - share0) * (share - middle) / variance
    if abs(drift) < 1e-9 * (share1 - share0) ** 2 / variance:
        return -lower * upper * variance / (share1 - share0) ** 2
    # The ratio moves with variance (share1 - share0)**2 / variance a deal.
    tilt_back = 2 * (share - middle) / (share1 - share0)
    accept = (1 - math.exp(-tilt_back * lower)) / (math.exp(-tilt_back * upper) - math.exp(-tilt_back * lower))
    return (accept * upper + (1 - accept) * lower) / drift


def first_within(scores: Floats, half_width: float, confidence: float = 0.95) -> int | None:
    """The number of deals after which the interval of the mean score first reaches at most ``half_width`` to both
    sides, looked at after `FIRST_LOOK` deals and whenever there are `GROWTH` times as many; None if it never does.

    Stopping where the interval happens to be narrow costs next to no coverage (Y. S. Chow and H. Robbins, Annals of
    Mathematical Statistics 36, 1965, pages 457-462): the width hardly depends on where the mean is.

    Args:
        scores: of a player, in the order of the deals, shape (deals, players), see `spit_train.stats`.
        half_width: above 0, such as 0.01.
    """
    looks = [FIRST_LOOK]
    while looks[-1] <= len(scores):
        looks.append(math.ceil(looks[-1] * GROWTH))
    deals = np.array(looks[:-1], np.int64)
    means = scores.mean(axis=1)
    totals, squares = means.cumsum()[deals - 1], (means**2).cumsum()[deals - 1]
    _, low, high = interval_of(deals, scores.shape[1], totals, squares, confidence)
    narrow = np.flatnonzero(high - low <= 2 * half_width)
    return int(deals[narrow[0]]) if len(narrow) else None
