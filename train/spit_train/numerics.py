"""The few numerical methods that the statistics need and numpy has not: tails of distributions, roots, a maximum."""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

TINY, EPSILON, MOST_TERMS = 1e-300, 1e-15, 100_000


def beta_cdf(x: float, a: float, b: float) -> float:
    """The share of a beta distribution below ``x``: the regularised incomplete beta function I_x(a, b).

    A continued fraction, summed by Lentz's method (W. H. Press et al., Numerical Recipes, 3rd edition, section 6.4). It
    converges fast below the mean; above it the mirrored one does.

    >>> round(beta_cdf(0.5, 2, 3), 4)  # of 4 fair coins 2 or more are heads
    0.6875

    Args:
        x: from 0 to 1.
        a, b: the shape, above 0.
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(1 - x, b, a)
    log_factor = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)

    def coefficient(term: int) -> float:
        m = term // 2
        if term % 2:
            return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))

    return math.exp(log_factor) / (a * continued_fraction(1.0, coefficient, lambda _: 1.0))


def continued_fraction(first: float, upper: Callable[[int], float], lower: Callable[[int], float]) -> float:
    """The value of first + u1 / (l1 + u2 / (l2 + ...)), by Lentz's method with Thompson and Barnett's guard.

    Raises:
        ArithmeticError: if it has not converged after `MOST_TERMS` terms.
    """
    value = c = first or TINY
    d = 0.0
    for term in range(1, MOST_TERMS):
        d = 1 / ((lower(term) + upper(term) * d) or TINY)
        c = (lower(term) + upper(term) / c) or TINY
        value *= c * d
        if abs(c * d - 1) < EPSILON:
            return value
    raise ArithmeticError(f"no convergence after {MOST_TERMS} terms")


def beta_quantile(share: float, a: float, b: float) -> float:
    """The x below which ``share`` of a beta distribution lies, by bisection.

    >>> round(beta_quantile(0.6875, 2, 3), 12)
    0.5
    """
    return bisect(lambda x: beta_cdf(x, a, b) - share, 0.0, 1.0)


def bisect(rising: Callable[[float], float], low: float, high: float, precision: float = 0.0) -> float:
    """Where a rising function passes 0 between two numbers, to a precision; an end if it does not."""
    while low < (middle := (low + high) / 2) < high and high - low > precision:
        if rising(middle) < 0:
            low = middle
        else:
            high = middle
    return middle


def chi2_tail(x: float, degrees: float) -> float:
    """The probability that chi-square of so many degrees of freedom exceeds ``x``: the regularised incomplete gamma
    function Q(degrees / 2, x / 2), by its series or its continued fraction (Numerical Recipes, section 6.2).

    >>> round(chi2_tail(3.841459, 1), 6)
    0.05
    """
    shape, half = degrees / 2, x / 2
    if half <= 0:
        return 1.0
    factor = math.exp(shape * math.log(half) - half - math.lgamma(shape))
    if half < shape + 1:
        term = total = 1 / shape
        n = shape
        while term > total * EPSILON:
            n += 1
            term *= half / n
            total += term
        return 1 - factor * total
    first = half + 1 - shape
    return factor / continued_fraction(first, lambda i: i * (shape - i), lambda i: first + 2 * i)


def t_quantile(share: float, degrees: float) -> float:
    """The value below which ``share`` of Student's distribution with so many degrees of freedom lies.

    >>> round(t_quantile(0.975, 7), 4)
    2.3646
    """
    if share < 0.5:
        return -t_quantile(1 - share, degrees)
    x = beta_quantile(2 * (1 - share), degrees / 2, 0.5)  # = degrees / (degrees + t * t)
    return math.sqrt(degrees * (1 - x) / x)


def climb(derivatives: Callable[[Floats], tuple[Floats, Floats]], start: Floats) -> tuple[Floats, Floats]:
    """Where a concave function is largest, by Newton's method, and minus its second derivatives there.

    A step is halved as long as it goes too far: as long as it goes down at its end half as steeply as up at its start.

    Args:
        derivatives: the slope at a place, shape (n,), and minus the second derivatives, shape (n, n), which must be
            invertible.
        start: shape (n,).
    """
    place = start
    slope, bend = derivatives(place)
    for _ in range(100):
        up, step = slope, np.linalg.solve(bend, slope)
        slope, bend = derivatives(place + step)
        while slope @ step < -(up @ step) / 2 and np.abs(step).max() > 1e-12:
            step = step / 2
            slope, bend = derivatives(place + step)
        place = place + step
        if np.abs(step).max(initial=0) <= 1e-12:
            break
    return place, bend
