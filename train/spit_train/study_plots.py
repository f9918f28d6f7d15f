"""The pictures of a study."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from spit_train.document import Plot
from spit_train.evaluation import Evaluation
from spit_train.handicap import Handicap
from spit_train.match_text import labelled
from spit_train.plots import (
    DOTTED,
    FAINT,
    POINTS,
    draw_histogram,
    draw_rates,
    draw_running,
    endings_plot,
    play_plot,
    spans_plot,
    times_plot,
)
from spit_train.stats import game_scores, wilson
from spit_train.study import Study
from spit_train.svg import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def match_plots(match: Evaluation, *, whole: bool = True) -> tuple[Plot, ...]:
    """How the games of a match went; if they are not ``whole``, their first rounds."""
    names, sides = labelled(match.setup.players), match.sides
    play = play_plot(names, sides, "Each bot")
    times = times_plot(names, sides, match.setup.latencies)
    return (*game_plots(match), play, times) if whole else (play, times)


def game_plots(match: Evaluation) -> list[Plot]:
    """Who won the games of a match, how long they were and how they ended."""
    name, seats = labelled(match.setup.players)[0], len(match.sides)
    return [
        Plot(
            "Wins, deal by deal",
            f"The share won by {name} so far, with its 95 % interval over deals. Dotted: an equal share, 1 / {seats}.",
            partial(draw_running, scores=game_scores(match.rows.winner, seats)),
        ),
        Plot(
            "Length of games",
            f"Seconds of play. Line: the median, {match.length_median_s:.0f} s.",
            partial(draw_histogram, values=match.rows.time_ms / 1000, label="seconds", whole=False),
        ),
        *([rounds_plot(match)] if match.rounds_mean else []),
        endings_plot([""], [match.endings]),
    ]


def rounds_plot(match: Evaluation) -> Plot:
    """How many rounds the games had."""
    rounds = match.rows.rounds.astype(np.float64)
    words = f"Completed rounds of a game. Line: the mean, {match.rounds_mean:.1f}."
    return Plot("Rounds", words, partial(draw_histogram, values=rounds, label="rounds", whole=True))


def levels_plots(matches: Sequence[Evaluation]) -> tuple[Plot, ...]:
    """How a bot did against each level."""
    levels, sides = [match.setup.players[1] for match in matches], [match.sides[0] for match in matches]
    name, seats = matches[0].setup.players[0], len(matches[0].sides)
    emmas, latencies = [match.sides[1] for match in matches], [match.setup.latencies for match in matches]
    return (
        Plot(
            "Wins by level", f"Games won by {name}, with 95 % Wilson intervals. Dotted: an equal share.",
            partial(draw_rates, labels=levels, rates=[side.rate for side in sides], chance=1 / seats),
        ),
        spans_plot("Length of games by level", levels, [match.rows.time_ms / 1000 for match in matches]),
        play_plot([f"v {level}" for level in levels], sides, name),
        times_plot([name, *levels], [sides[0], *emmas], [latencies[0][0], *(latency[1] for latency in latencies)]),
        endings_plot(levels, [match.endings for match in matches]),
    )  # fmt: skip


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
