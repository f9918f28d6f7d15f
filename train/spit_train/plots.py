"""Ways to draw what many games say."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from spit_env.latency import KINDS, Latency, LogNormal
from spit_train.document import Plot
from spit_train.evaluation import Rate, Side
from spit_train.numerics import Floats
from spit_train.stats import deal_interval
from spit_train.svg import COLOURS, INK, MUTED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TRAVELS = tuple(kind for kind in KINDS if kind != "think")
POINTS = 240  # of a curve, at most
FAINT = 0.18  # how much of its colour an area has
DOTTED: dict[str, Any] = {"color": MUTED, "linewidth": 0.9, "linestyle": (0, (3, 3))}


def draw_running(figure: "Figure", scores: Floats) -> None:
    """The mean score over the first deals, ever more of them."""
    axes = figure.subplots()
    deals, players = scores.shape
    at = np.unique(np.geomspace(min(10, deals), deals, POINTS).astype(int))
    share, low, high = np.array([deal_interval(scores[:n]) for n in at]).T * 100
    axes.axhline(100 / players, **DOTTED)
    axes.fill_between(at, low, high, color=COLOURS[0], alpha=FAINT, linewidth=0)
    axes.plot(at, share, color=COLOURS[0])
    axes.set(xlabel="deals", ylabel="games won (%)", xlim=(at[0], max(deals, at[0] + 1)))


def draw_histogram(figure: "Figure", values: Floats, label: str, whole: bool) -> None:
    """How many games have which value; a bar for each number if all are ``whole`` and few."""
    axes = figure.subplots()
    low, high = float(values.min()), float(values.max())
    single = whole and high - low < 60
    edges = np.arange(low - 0.5, high + 1) if single else np.linspace(low, max(high, low + 1), 41)
    counts, edges = np.histogram(values, edges)
    axes.bar(edges[:-1], counts, np.diff(edges) * (0.8 if single else 0.94), align="edge", color=COLOURS[0])
    axes.axvline(float(values.mean() if whole else np.median(values)), color=INK, linewidth=1)
    axes.set(xlabel=label, ylabel="games")
    axes.grid(False, axis="x")


def endings_plot(labels: Sequence[str], endings: Sequence[Mapping[str, int]]) -> Plot:
    """How games have ended, a bar for each of several matches."""
    return Plot(
        "Endings", "The share of games by how they ended.", partial(draw_endings, labels=labels, endings=endings)
    )


def draw_endings(figure: "Figure", labels: Sequence[str], endings: Sequence[Mapping[str, int]]) -> None:
    """Bars that are divided among the reasons."""
    figure.set_figheight(1.3 + 0.36 * len(labels))
    axes = figure.subplots()
    reasons = sorted(
        {reason for one in endings for reason in one}, key=lambda r: -sum(one.get(r, 0) for one in endings)
    )
    left = np.zeros(len(labels))
    for k, reason in enumerate(reasons):
        widths = np.array([100 * one.get(reason, 0) / sum(one.values()) for one in endings])
        colour = COLOURS[k % len(COLOURS)]
        axes.barh(range(len(labels)), widths, 0.6, left=left, color=colour, label=f"{reason} {widths.mean():.1f} %")
        left += widths
    bars(axes, labels)
    axes.set(xlabel="games (%)", xlim=(0, 100))
    figure.legend(loc="outside upper center", ncols=3)


def play_plot(labels: Sequence[str], sides: Sequence[Side], whose: str) -> Plot:
    """Decisions and late cards, a bar for each side."""
    return Plot(
        "Decisions and late cards",
        f"{whose}: choices per game, and the share of its cards that came too late and bounced.",
        partial(draw_play, labels=labels, decisions=[s.decisions for s in sides], late=[s.bounced for s in sides]),
    )


def draw_play(figure: "Figure", labels: Sequence[str], decisions: Sequence[float], late: Sequence[float]) -> None:
    """Two sets of bars side by side."""
    figure.set_figheight(0.8 + 0.44 * len(labels))
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, values, colour, label in (
        (left, np.array(decisions), COLOURS[0], "decisions per game"),
        (right, 100 * np.array(late), COLOURS[1], "cards too late (%)"),
    ):
        shown = axes.barh(range(len(labels)), values, 0.6, color=colour)
        axes.bar_label(shown, fmt="%.1f", padding=3, color=INK)
        axes.set(xlabel=label, xlim=(0, 1.18 * max(values.max(), 1e-9)))
        bars(axes, labels)


def times_plot(labels: Sequence[str], sides: Sequence[Side], latencies: Sequence[Mapping[str, Any]]) -> Plot:
    """How long bots really thought and were under way."""
    words = (
        "Bars: the mean times that were spent. Lines: the configured means, for the ways from the shortest kind to the "
        "longest."
    )
    return Plot("Times", words, partial(draw_times, labels=labels, sides=sides, latencies=latencies))


def draw_times(
    figure: "Figure", labels: Sequence[str], sides: Sequence[Side], latencies: Sequence[Mapping[str, Any]]
) -> None:
    """Two sets of bars with marks."""
    figure.set_figheight(0.8 + 0.44 * len(labels))
    speeds = [Latency.from_dict(latency) for latency in latencies]
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, times, kinds, colour, label in (
        (left, [side.think_ms for side in sides], ("think",), COLOURS[0], "thinking (ms)"),
        (right, [side.travel_ms for side in sides], TRAVELS, COLOURS[1], "under way (ms)"),
    ):
        for row, (time, speed) in enumerate(zip(times, speeds)):
            means = [mean_ms(speed, kind) for kind in kinds]
            axes.barh([row], [time or 0.0], 0.6, color=colour)
            axes.plot([min(means), max(means)], [row, row], "|-", color=INK, markersize=13)
            end = max(time or 0.0, *means)
            axes.annotate(f"{time or 0.0:.0f}", (end, row), (6, 0), textcoords="offset points", va="center")
        axes.set(xlabel=label)
        axes.margins(x=0.18)
        axes.set_xlim(left=0)
        bars(axes, labels)


def mean_ms(speed: Latency, kind: str) -> float:
    """The mean of a configured time: of a shifted log-normal, and of thinking with the typical choice."""
    time: LogNormal = getattr(speed, kind)
    return speed.typical(kind) + time.median * (math.exp(time.sigma**2 / 2) - 1)


def spans_plot(title: str, labels: Sequence[str], values: Sequence[Floats]) -> Plot:
    """How long games are, for each of several sets of them; in seconds."""
    words = "Half of all games lie in the thick part, nine tenths in the thin one. Dot: the median."
    return Plot(title, words, partial(draw_spans, labels=labels, values=values))


def draw_spans(figure: "Figure", labels: Sequence[str], values: Sequence[Floats]) -> None:
    """Where most values of each set lie."""
    axes = figure.subplots()
    for k, sample in enumerate(values):
        least, low, middle, high, most = np.quantile(sample, (0.05, 0.25, 0.5, 0.75, 0.95))
        axes.plot([least, most], [k, k], color=COLOURS[0], linewidth=1.6)
        axes.plot([low, high], [k, k], color=COLOURS[0], linewidth=7, alpha=0.55)
        axes.plot([middle], [k], "o", color=INK)
    bars(axes, labels)
    axes.set(xlabel="seconds", xlim=(0, None))


def draw_rates(figure: "Figure", labels: Sequence[str], rates: Sequence[Rate], chance: float) -> None:
    """Shares with their intervals."""
    axes = figure.subplots()
    share, low, high = 100 * np.array([(rate.share, rate.low, rate.high) for rate in rates]).T
    axes.axhline(100 * chance, **DOTTED)
    errors = np.maximum(0, [share - low, high - share])
    axes.errorbar(range(len(labels)), share, errors, fmt="o", capsize=4, color=COLOURS[0])
    for k, value in enumerate(share):
        axes.annotate(f"{value:.1f}", (k, value), (9, 0), textcoords="offset points", va="center")
    axes.set_xticks(range(len(labels)), [short(label) for label in labels])
    axes.set(ylabel="games won (%)", ylim=(-3, 103), xlim=(-0.5, len(labels) - 0.3))
    axes.grid(False, axis="x")


def bars(axes: "Axes", labels: Sequence[str]) -> None:
    """Names for horizontal bars, the first on top."""
    axes.set_yticks(range(len(labels)), [short(label) for label in labels])
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.grid(False, axis="y")


def short(name: str, most: int = 24) -> str:
    """A name that may be cut in the middle."""
    return name if len(name) <= most else f"{name[: most // 2 - 1]}…{name[-(most // 2) :]}"
