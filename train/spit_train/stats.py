"""Statistics of match results: pure functions of numbers."""

from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, overload

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[Any] | Sequence[Any]


@overload
def wilson(successes: int, n: int, confidence: float = ...) -> tuple[float, float]: ...
@overload
def wilson(successes: Counts, n: Counts | int, confidence: float = ...) -> tuple[Floats, Floats]: ...
def wilson(
    successes: Counts | int, n: Counts | int, confidence: float = 0.95
) -> tuple[float, float] | tuple[Floats, Floats]:
    """Wilson's score interval of a share (E. B. Wilson, JASA 22, 1927, pages 209-212).

    It holds for few trials and for shares near 0 and 1, where the normal interval fails. It takes trials as
    independent. The two games of a deal are, between different bots (measured: correlations within 0.01 of 0); between
    equal ones they mirror each other, and the interval is then wider than it need be.

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
    if not 0 < confidence < 1:
        raise ValueError(f"confidence={confidence!r} must lie between 0 and 1, such as 0.95")
    hits, trials = np.broadcast_arrays(np.asarray(successes, np.float64), np.asarray(n, np.float64))
    if not np.all((hits >= 0) & (hits <= trials)):
        raise ValueError(f"successes={successes!r} must be from 0 to n={n!r}")
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
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
    if not 0 < confidence < 1:
        raise ValueError(f"confidence={confidence!r} must lie between 0 and 1, such as 0.95")
    sums, sizes = np.asarray(totals, np.float64), np.asarray(counts, np.float64)
    values, groups = float(sizes.sum()), int(np.sum(sizes > 0))
    if not values:
        raise ValueError("there is no value to take the mean of")
    mean = float(sums.sum()) / values
    if groups < 2:
        return mean, -np.inf, np.inf
    spread = float(np.sum((sums - mean * sizes) ** 2)) * groups / (groups - 1)
    half = NormalDist().inv_cdf((1 + confidence) / 2) * spread**0.5 / values
    return mean, mean - half, mean + half
