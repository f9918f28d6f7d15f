"""The picture of a calibration: how often the reference wins, by how fast Emma is."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from spit_env.latency import Latency
from spit_train.calibrate import NEAR
from spit_train.calibrate_record import last_of
from spit_train.document import Plot
from spit_train.plots import DOTTED
from spit_train.psychometric import logit
from spit_train.svg import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TICKS = 0.0001, 0.001, 0.01, 0.05, 0.15, 0.4, 0.65, 0.9, 0.99, 0.999
TIMES = 100, 150, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 5000, 7000, 10_000, 20_000, 50_000
ROOM = 1.2  # log odds above and below the targets


def levels_plot(body: Mapping[str, Any]) -> Plot:
    """The wins of the reference at all speeds that were tried."""
    told = body["calibration"]
    return Plot(
        f"Wins of {told['reference']} by the speed of {told['brain']}",
        f"Each dot: games at one speed, the larger the more of them. Lines: fitted near the wanted shares, which are "
        f"dotted. Rings: the confirmation, with its 95 % interval. Time: what {told['brain']} takes to think and move.",
        partial(draw_levels, levels=body["levels"]),
    )


def draw_levels(figure: "Figure", levels: Mapping[str, Any]) -> None:
    """Points, lines and confirmations, on a scale of log odds over one of log time."""
    figure.set_figheight(4.4)
    axes = figure.subplots()
    targets = [logit(level["evidence"]["target"]) for level in levels.values()]
    bottom, top = min(targets) - ROOM, max(targets) + ROOM
    for number, (name, level) in enumerate(levels.items()):
        draw_level(axes, name, level, COLOURS[number % len(COLOURS)], bottom, top)
    ticks = [share for share in TICKS if bottom <= logit(share) <= top]
    axes.set_yticks([logit(share) for share in ticks], [f"{100 * share:g}" for share in ticks])
    axes.set(xscale="log", ylim=(bottom, top), xlabel="thinking and moving a card (ms)", ylabel="games won (%)")
    low, high = axes.get_xlim()
    axes.set_xlim(low * 0.85, high)
    times = [time for time in TIMES if 0.85 * low <= time <= high]
    axes.set_xticks(times, [f"{time}" for time in times])
    axes.set_xticks([], minor=True)


def draw_level(axes: "Axes", name: str, level: Mapping[str, Any], colour: str, bottom: float, top: float) -> None:
    """One level."""
    proof, last = level["evidence"], last_of(level)
    shape = Latency.from_dict(proof["shape"])
    cycle, target = shape.typical("think") + shape.typical("play"), logit(proof["target"])
    axes.axhline(target, **DOTTED)
    factors, wins, games = np.array(proof["points"]).T
    with np.errstate(divide="ignore"):
        odds = np.log(wins / (games - wins))
    seen = (odds > bottom) & (odds < top)
    axes.scatter(
        cycle * factors[seen], odds[seen], 6 + 22 * np.sqrt(games[seen] / games.max()), color=colour, alpha=0.5,
        linewidths=0,
    )  # fmt: skip
    a, b = proof["line"]["a"], proof["line"]["b"]
    ends = np.clip([target - NEAR, target + NEAR], bottom, top)
    axes.plot(cycle * np.exp((ends - a) / b), ends, color=colour)
    at = cycle * proof["attempts"][-1]["factor"]
    low, high = (logit(min(max(limit, 1e-9), 1 - 1e-9)) for limit in (last.low, last.high))
    axes.plot([at, at], [low, high], color=colour, linewidth=2.4)
    if 0 < last.share < 1:
        axes.plot([at], [logit(last.share)], "o", color=colour, markerfacecolor="none", markersize=8)
    axes.annotate(f"{name}  {at:.0f} ms", (at, target), (-12, 7), textcoords="offset points", ha="right", color=colour)
