"""The pictures of a report: each is a `Plot`, which draws on a figure when it is asked to."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from spit_train.document import Plot
from spit_train.evaluation import Evaluation, Rate, Side
from spit_train.handicap import Handicap
from spit_train.match_text import labelled
from spit_train.numerics import Floats
from spit_train.stats import deal_interval, game_scores, wilson
from spit_train.study import Study
from spit_train.svg import COLOURS, INK, MUTED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = 240  # of a curve, at most
FAINT = 0.18  # how much of its colour an area has
DOTTED: dict[str, Any] = {"color": MUTED, "linewidth": 0.9, "linestyle": (0, (3, 3))}


# --- A match ---------------------------------------------------------------------------------------------------------


def match_plots(match: Evaluation, *, whole: bool = True) -> tuple[Plot, ...]:
    """How the games of a match went; if they are not ``whole``, their first rounds."""
    name, seats = labelled(match.setup.players)[0], len(match.sides)
    lengths = match.rows.time_ms / 1000
    play = play_plot(labelled(match.setup.players), match.sides, "Each bot")
    if not whole:
        return (play,)
    return (
        Plot(
            "Wins, deal by deal",
            f"The share won by {name} so far, with its 95 % interval over deals. Dotted: an equal share, 1 / {seats}.",
            partial(draw_running, scores=game_scores(match.rows.winner, seats)),
        ),
        Plot(
            "Length of games", f"Seconds of play. Line: the median, {match.length_median_s:.0f} s.",
            partial(draw_histogram, values=lengths, label="seconds", whole=False),
        ),
        *([rounds_plot(match)] if match.rounds_mean else []),
        endings_plot([""], [match.endings]),
        play,
    )  # fmt: skip


def rounds_plot(match: Evaluation) -> Plot:
    """How many rounds the games had."""
    rounds = match.rows.rounds.astype(np.float64)
    words = f"Completed rounds of a game. Line: the mean, {match.rounds_mean:.1f}."
    return Plot("Rounds", words, partial(draw_histogram, values=rounds, label="rounds", whole=True))


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


def bars(axes: "Axes", labels: Sequence[str]) -> None:
    """Names for horizontal bars, the first on top."""
    axes.set_yticks(range(len(labels)), [short(label) for label in labels])
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.grid(False, axis="y")


def short(name: str, most: int = 24) -> str:
    """A name that may be cut in the middle."""
    return name if len(name) <= most else f"{name[: most // 2 - 1]}…{name[-(most // 2) :]}"


# --- Levels ----------------------------------------------------------------------------------------------------------


def levels_plots(matches: Sequence[Evaluation]) -> tuple[Plot, ...]:
    """How a bot did against each level."""
    levels, sides = [match.setup.players[1] for match in matches], [match.sides[0] for match in matches]
    name, seats = matches[0].setup.players[0], len(matches[0].sides)
    return (
        Plot(
            "Wins by level", f"Games won by {name}, with 95 % Wilson intervals. Dotted: an equal share.",
            partial(draw_rates, labels=levels, rates=[side.rate for side in sides], chance=1 / seats),
        ),
        spans_plot("Length of games by level", levels, [match.rows.time_ms / 1000 for match in matches]),
        play_plot([f"v {level}" for level in levels], sides, name),
        endings_plot(levels, [match.endings for match in matches]),
    )  # fmt: skip


def draw_rates(figure: "Figure", labels: Sequence[str], rates: Sequence[Rate], chance: float) -> None:
    """Shares with their intervals."""
    axes = figure.subplots()
    share, low, high = 100 * np.array([(rate.share, rate.low, rate.high) for rate in rates]).T
    axes.axhline(100 * chance, **DOTTED)
    axes.errorbar(range(len(labels)), share, [share - low, high - share], fmt="o", capsize=4, color=COLOURS[0])
    for k, value in enumerate(share):
        axes.annotate(f"{value:.1f}", (k, value), (9, 0), textcoords="offset points", va="center")
    axes.set_xticks(range(len(labels)), [short(label) for label in labels])
    axes.set(ylabel="games won (%)", ylim=(-3, 103), xlim=(-0.5, len(labels) - 0.3))
    axes.grid(False, axis="x")


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


# --- Speed -----------------------------------------------------------------------------------------------------------


def speed_plot(handicap: Handicap) -> Plot:
    """The share of wins at each ratio of speeds, and the line through them."""
    name, share = handicap.players[0], 1 / len(handicap.players)
    words = f"The share won by {name} at several ratios of speeds, with 95 % Wilson intervals."
    if handicap.found:
        found = handicap.found
        words += (
            f" Marked: where it wins {100 * share:.3g} %, at {found.ratio:.3f} [{found.low:.3f}, {found.high:.3f}]."
        )
    return Plot("Wins by speed", words, partial(draw_speed, handicap=handicap))


def draw_speed(figure: "Figure", handicap: Handicap) -> None:
    """Points with intervals on a logarithmic axis of ratios."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    axes = figure.subplots()
    points = [point for point in sorted(handicap.points) if point.games]
    ratio, wins, games = np.array(points).T
    low, high = wilson(wins, games)
    share = wins / games
    errors = 100 * np.maximum(0, [share - low, high - share])
    axes.axhline(100 / len(handicap.players), **DOTTED)
    axes.errorbar(ratio, 100 * share, errors, fmt="o", capsize=2.5, color=COLOURS[0], elinewidth=1)
    if handicap.found:
        found = handicap.found
        x = np.geomspace(ratio.min(), ratio.max(), POINTS)
        axes.plot(x, [100 * found.line.share(value) for value in x], color=COLOURS[0], alpha=0.7)
        ends = np.clip([found.low, found.high], ratio.min(), ratio.max())
        axes.axvspan(*ends, color=COLOURS[1], alpha=2 * FAINT, linewidth=0)
        axes.plot([found.ratio], [100 * found.share], "D", color=COLOURS[1], markersize=7)
    axes.set_xscale("log")
    ticks = [
        tick for tick in (0.125, 0.25, 0.5, 0.71, 1, 1.41, 2, 4, 8) if ratio.min() / 1.01 <= tick <= ratio.max() * 1.01
    ]
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set(xlabel="how many times as fast as the others", ylabel="games won (%)", ylim=(-3, 103))


# --- A sequential test -----------------------------------------------------------------------------------------------


def ratio_plot(study: Study) -> Plot:
    """The way to the decision."""
    words = "After each deal; the test ends where it reaches a bound."
    return Plot("Log likelihood ratio", words, partial(draw_ratio, study=study))


def draw_ratio(figure: "Figure", study: Study) -> None:
    """The ratio between its bounds."""
    assert study.verdict is not None
    assert study.test is not None
    axes, verdict = figure.subplots(), study.verdict
    at = np.unique(np.linspace(0, len(verdict.ratios) - 1, 4 * POINTS).astype(int))
    axes.plot(at + 1, verdict.ratios[at], color=COLOURS[0], linewidth=1.2)
    for bound, text, side in ((verdict.upper, f"H1: {study.test.elo1:g} Elo", "bottom"),
                              (verdict.lower, f"H0: {study.test.elo0:g} Elo", "top")):  # fmt: skip
        axes.axhline(bound, color=COLOURS[1], linewidth=1)
        axes.annotate(text, (1, bound), (4, 3 if side == "bottom" else -3), textcoords="offset points", va=side)
    axes.axhline(0, **DOTTED)
    axes.set(xlabel="deals", ylabel="log likelihood ratio", xlim=(1, max(2, len(verdict.ratios))))
    axes.margins(y=0.15)
