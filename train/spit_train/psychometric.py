"""How much speed is a bot's skill worth? The share of its wins at several speeds, and the speed at which it wins half.

A *ratio* is how many times faster the bot is: the others' times divided by its own. The log odds of its share of wins
are taken as a straight line in the logarithm of the ratio, logit P = a + b * ln(ratio): the logistic psychometric
function, without lapses (F. A. Wichmann and N. J. Hill, Perception & Psychophysics 63, 2001, pages 1293-1313), in
other fields logit analysis of doses (D. J. Finney, Probit Analysis, 1971). It is fitted by maximum likelihood.

Ratios may be chosen in view of earlier games, as `next_ratios` does; how many are played must not. The games verify
nothing about the model: where the goodness of fit is poor, all intervals are widened, and the line is an average.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from spit_train.numerics import Floats, bisect, chi2_tail, climb, t_quantile
from spit_train.stats import critical

COARSE = tuple(round(2.0 ** (k / 4), 3) for k in range(-4, 5))  # ratios to begin with
FINE_ROUNDS = 3  # after them, of three ratios each
POOR_FIT = 0.05  # p-value of the deviance below which intervals are widened
Limits = tuple[float, float]


class BadFit(ValueError):
    """Games that do not say where the wanted share of wins is reached."""


class Point(NamedTuple):
    """Games at one ratio."""

    ratio: float
    wins: float  # with 1 / players for a game that nobody won
    games: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A fit: logit P = a + b * ln(ratio)."""

    a: float
    b: float
    cov: Floats  # of a and b, widened by ``dispersion``
    deviance: float  # from the points; about ``degrees`` if the line is right
    degrees: int  # points less 2
    p_value: float  # the chance of so large a deviance if the line is right; 1 without degrees of freedom
    dispersion: float  # variance as a multiple of that of independent games on the line; 1 unless the fit is poor
    points: tuple[Point, ...] = field(repr=False)

    def share(self, ratio: float) -> float:
        """The share of wins at a ratio."""
        return 1 / (1 + math.exp(-self.a - self.b * math.log(ratio)))

    def ratio(self, share: float = 0.5) -> float:
        """The ratio at which the bot wins this share."""
        return math.exp((logit(share) - self.a) / self.b)

    def reach(self, confidence: float) -> float:
        """How many standard errors an interval reaches: Student's where the dispersion was estimated."""
        if self.dispersion > 1:
            return t_quantile((1 + confidence) / 2, self.degrees)
        return critical(confidence)


class SpeedEquivalent(NamedTuple):
    """The ratio at which a bot wins the wanted share, with two intervals."""

    share: float
    ratio: float
    low: float  # from the profile of the likelihood: the ones to report
    high: float
    fieller: Limits  # by Fieller's theorem
    line: Line


def logit(share: float) -> float:
    """The log odds of a share."""
    return math.log(share / (1 - share))


def fit_line(points: Iterable[Point]) -> Line:
    """The likeliest line, by Newton's method (which is iteratively reweighted least squares: P. McCullagh and J. A.
    Nelder, Generalized Linear Models, 1989, section 4.4). Points at the same ratio are put together.

    The dispersion is taken from the deviance, not from Pearson's chi-square, which a single loss where there should be
    none in a thousand games would blow up.

    Raises:
        BadFit: if no line is the likeliest, as the steeper it is the likelier.
    """
    points = pooled(points)
    x, wins, games = (np.array(column) for column in zip(*((math.log(p.ratio), p.wins, p.games) for p in points)))
    if not (wins > 0).any() or not (wins < games).any() or x[wins > 0].min() >= x[wins < games].max():
        raise BadFit("no game was lost at a higher ratio than one that was won: play more games, at closer ratios")
    design = np.stack([np.ones(len(x)), x], axis=1)
    beta, information = solve(design, wins, games)
    fitted = expit(design @ beta)
    deviance, degrees = float(deviance_of(wins, games, fitted)), len(points) - 2
    p_value = chi2_tail(deviance, degrees) if degrees else 1.0
    dispersion = deviance / degrees if p_value < POOR_FIT else 1.0
    return Line(
        a=float(beta[0]), b=float(beta[1]), cov=np.linalg.inv(information).astype(np.float64) * dispersion,
        deviance=deviance, degrees=degrees, p_value=p_value, dispersion=dispersion, points=points,
    )  # fmt: skip


def pooled(points: Iterable[Point]) -> tuple[Point, ...]:
    """The points by ratio, one for each, those without games left out.

    Raises:
        BadFit: if a number is out of range, or there are fewer than two ratios.
    """
    sums: dict[float, list[float]] = {}
    for point in sorted(points):
        if not (point.ratio > 0 and 0 <= point.wins <= point.games):
            raise BadFit(f"{point!r}: the ratio must be above 0, and wins from 0 to games")
        if point.games:
            total = sums.setdefault(point.ratio, [0.0, 0.0])
            total[0] += point.wins
            total[1] += point.games
    if len(sums) < 2:
        raise BadFit(f"games at {len(sums)} ratio; a line takes 2 or more")
    return tuple(Point(ratio, *total) for ratio, total in sums.items())


def expit(log_odds: Floats) -> Floats:
    """The share with these log odds."""
    return np.asarray(0.5 * (1 + np.tanh(log_odds / 2)))


def solve(design: Floats, wins: Floats, games: Floats, offset: Floats | float = 0.0) -> tuple[Floats, Floats]:
    """The likeliest coefficients, logit P = offset + design @ coefficients, and their information."""

    def derivatives(beta: Floats) -> tuple[Floats, Floats]:
        fitted = expit(offset + design @ beta)
        return design.T @ (wins - games * fitted), (design.T * (games * fitted * (1 - fitted))) @ design

    return climb(derivatives, np.zeros(design.shape[1]))


def deviance_of(wins: Floats, games: Floats, fitted: Floats) -> float:
    """Twice the log likelihood that is lost against a model which is right at each point."""
    lost = games - wins
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(wins > 0, wins * np.log(wins / (games * fitted)), 0.0)
        parts += np.where(lost > 0, lost * np.log(lost / (games * (1 - fitted))), 0.0)
    return 2 * float(parts.sum())


def speed_equivalent(points: Iterable[Point], share: float = 0.5, confidence: float = 0.95) -> SpeedEquivalent:
    """The ratio at which the bot wins ``share``: 1/2, or for k players 1 / k, says how much speed its skill is worth.

    The interval to report is that of the likelihood's profile: the ratios that the games do not make much less likely
    than the best one. It takes neither a nor b as normally distributed, as Fieller's does, and for few games it holds
    the true ratio more truly (D. A. Williams, Biometrics 42, 1986, pages 641-645). For many games the two are the same:
    a difference says that there are too few.

    Raises:
        BadFit: if no ratio had a smaller share or none a larger one, or the share does not surely grow with the ratio.
    """
    line = line_through(points, share, confidence)
    low, high = profile(line, share, confidence)
    return SpeedEquivalent(share, line.ratio(share), low, high, fieller(line, share, confidence), line)


def line_through(points: Iterable[Point], share: float, confidence: float = 0.95) -> Line:
    """`fit_line`, refused as `speed_equivalent` does if it need not reach ``share``."""
    line = fit_line(points)
    seen = [point.wins / point.games for point in line.points]
    if not min(seen) < share < max(seen):
        way, (first, *_, last) = "lower" if min(seen) >= share else "higher", [point.ratio for point in line.points]
        raise BadFit(
            f"the shares of wins, {min(seen):.1%} to {max(seen):.1%}, do not bracket {share:.1%}: play {way} ratios "
            f"than {first:g} to {last:g}"
        )
    error = math.sqrt(line.cov[1, 1])
    if line.b <= line.reach(confidence) * error:
        raise BadFit(
            f"the share of wins does not surely grow with speed (slope {line.b:.2f}, standard error {error:.2f}): play "
            "more games or wider ratios"
        )
    return line


def fieller(line: Line, share: float, confidence: float) -> Limits:
    """The ratios at which the log odds on the line do not differ significantly from those of ``share`` (E. C. Fieller,
    Journal of the Royal Statistical Society B 16, 1954, pages 175-185); the slope must be significant."""
    a, t2 = line.a - logit(share), line.reach(confidence) ** 2
    (vaa, vab), (_, vbb) = line.cov.tolist()
    # (a + b x)**2 = t2 * (vaa + 2 x vab + x**2 vbb)
    p, q, r = line.b**2 - t2 * vbb, line.b * a - t2 * vab, a**2 - t2 * vaa
    root = math.sqrt(max(0.0, q * q - p * r))
    return math.exp((-q - root) / p), math.exp((-q + root) / p)


def profile(line: Line, share: float, confidence: float) -> Limits:
    """The ratios at which a line that passes through ``share`` there fits hardly worse than the likeliest line."""
    x, wins, games = (np.array(column) for column in zip(*((math.log(p.ratio), p.wins, p.games) for p in line.points)))
    allowed = line.deviance + line.reach(confidence) ** 2 * line.dispersion
    middle = math.log(line.ratio(share))

    def excess(to: float) -> float:
        slope, _ = solve((x - to)[:, None], wins, games, logit(share))
        return deviance_of(wins, games, expit(logit(share) + slope[0] * (x - to))) - allowed

    return tuple(math.exp(crossing(excess, middle, side)) for side in (-1, 1))  # type: ignore[return-value]


def crossing(excess: Callable[[float], float], middle: float, side: int) -> float:
    """Where a function that is below 0 in the middle passes 0 on one side of it.

    Raises:
        BadFit: if it does not, however far out.
    """
    reach = 0.01
    while excess(middle + side * reach) < 0:
        reach *= 2
        if reach > 100:
            raise BadFit("the share of wins does not surely grow with speed: play more games or wider ratios")
    return middle + side * bisect(lambda far: excess(middle + side * far), 0.0, reach, precision=1e-7)


def next_ratios(points: Sequence[Point], share: float = 0.5) -> tuple[float, ...]:
    """The ratios to play next: `COARSE` first, then three around where the games so far reach ``share``, the outer ones
    one unit of log odds off; if all shares are on one side of it, three beyond that end."""
    if not points:
        return COARSE
    try:
        line = line_through(points, share)
    except BadFit:
        shares = sorted((point.ratio, point.wins / point.games) for point in points if point.games)
        (least, low), (most, high) = shares[0], shares[-1]
        if low > share:
            return least / 4, least / 2, least
        return (most, most * 2, most * 4) if high < share else COARSE[::4]
    return tuple(line.ratio(share) * math.exp(step / line.b) for step in (-1, 0, 1))


def deals_per_ratio(deals: int) -> tuple[int, int]:
    """A number of deals spread over the ratios to come, about a third of it over the coarse ones: how many are to be
    played at each of the coarse and at each of the later ones.

    >>> deals_per_ratio(4500)
    (166, 334)
    """
    coarse = deals // 3 // len(COARSE)
    return coarse, (deals - coarse * len(COARSE)) // (3 * FINE_ROUNDS)


def sentence(name: str, found: SpeedEquivalent) -> str:
    """What the speed is worth, in words."""
    goal = "half" if found.share == 0.5 else f"{found.share:.1%}"
    values = found.ratio, found.low, found.high
    if found.ratio <= 1:
        middle, high, low = (100 * (1 / value - 1) for value in values)
        return f"{name} may be {middle:.1f} % slower [{low:.1f}, {high:.1f}] and still win {goal}"
    middle, low, high = (100 * (value - 1) for value in values)
    return f"{name} wins {goal} only if the others are {middle:.1f} % slower [{low:.1f}, {high:.1f}]"
