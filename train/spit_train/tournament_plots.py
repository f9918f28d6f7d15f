"""The pictures of a tournament."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from spit_train.document import Plot
from spit_train.numerics import Floats
from spit_train.plots import DOTTED, bars, draw_play, short, spans_plot
from spit_train.ratings import Ratings
from spit_train.svg import COLOURS, INK, MUTED
from spit_train.tournament import Tournament, pair_shares

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Pictures(NamedTuple):
    """Those of one tournament."""

    ratings: Plot
    shares: Plot
    play: Plot
    lengths: Plot


def tournament_plots(outcome: Tournament) -> Pictures:
    """All of them."""
    hollow = " Hollow: corrected, see the table." if any(r.corrected for r in outcome.ratings.players) else ""
    names = [rating.name for rating in outcome.ratings.players]
    return Pictures(
        ratings=Plot(
            "Ratings", f"In Elo above {outcome.ratings.anchor}, with 95 % intervals.{hollow}",
            partial(draw_ratings, ratings=outcome.ratings),
        ),
        shares=Plot(
            "Who wins against whom", "Games won by the row against the column, in per cent; blue: more than half.",
            partial(draw_shares, names=names, outcome=outcome),
        ),
        play=Plot(
            "Decisions and late cards", "Choices per game, and the share of cards that came too late and bounced.",
            play_of(outcome, names),
        ),
        lengths=spans_plot("Length of games by bot", names, [lengths_of(outcome, name) for name in names]),
    )  # fmt: skip


def play_of(outcome: Tournament, names: list[str]) -> "Callable[[Figure], None]":
    """How each bot played, the mean over its matches."""
    sides = [[side for match in outcome.matches for side in match.sides if side.name == name] for name in names]
    return partial(
        draw_play,
        labels=names,
        decisions=[float(np.mean([side.decisions for side in own])) for own in sides],
        late=[float(np.mean([side.bounced for side in own])) for own in sides],
    )


def lengths_of(outcome: Tournament, name: str) -> Floats:
    """How long the games of a bot were, in seconds."""
    own = [match.rows.time_ms for match in outcome.matches if name in match.setup.players]
    return np.concatenate(own) / 1000


def draw_ratings(figure: "Figure", ratings: Ratings) -> None:
    """A point with its interval for each player, the strongest on top."""
    axes = figure.subplots()
    axes.axvline(0, **DOTTED)
    for k, rating in enumerate(ratings.players):
        axes.plot([rating.low, rating.high], [k, k], color=COLOURS[0], linewidth=1.6)
        face = "none" if rating.corrected else COLOURS[0]
        axes.plot([rating.elo], [k], "o", color=COLOURS[0], markerfacecolor=face, markersize=6)
        axes.annotate(f"{rating.elo:.0f}", (rating.elo, k), (0, 6), textcoords="offset points", ha="center")
    bars(axes, [rating.name for rating in ratings.players])
    axes.set_ylim(len(ratings.players) - 0.4, -0.8)
    axes.set(xlabel=f"Elo above {short(ratings.anchor)}")


def draw_shares(figure: "Figure", names: list[str], outcome: Tournament) -> None:
    """A field for each pair, the deeper in colour the further from a half."""
    axes, shares = figure.subplots(), pair_shares(outcome.matches)
    for i, one in enumerate(names):
        for j, other in enumerate(names):
            if one == other:
                continue
            share = shares[one, other]
            colour, depth = COLOURS[0 if share > 0.5 else 1], abs(share - 0.5) * 1.5 + 0.04
            axes.bar(j, 0.94, 0.94, bottom=i - 0.47, color=colour, alpha=depth, linewidth=0)
            axes.text(j, i, f"{100 * share:.1f}", ha="center", va="center", color=INK)
    numbers = range(len(names))
    axes.set_yticks(numbers, [f"{short(name)}  {k}" for k, name in enumerate(names, 1)])
    axes.set_xticks(numbers, [f"{k + 1}" for k in numbers])
    axes.set(xlim=(-0.5, len(names) - 0.5), ylim=(len(names) - 0.5, -0.5))
    axes.xaxis.tick_top()
    axes.tick_params(length=0, colors=MUTED)
    axes.spines[:].set_visible(False)
    axes.grid(False)
