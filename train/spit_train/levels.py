"""Win rates against Emma at every level: measured, as a table, as a picture."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from spit_agents.base import Agent, Player
from spit_agents.catalogue import make_player
from spit_agents.match import play_match
from spit_env.latency import LEVELS, Latency
from spit_env.rules import make_rules
from spit_train.config import TrainConfig
from spit_train.stats import wilson

WIDE = 104  # columns of the table with full intervals


class LevelScore(NamedTuple):
    """Wins in so many games against one level."""

    level: str
    wins: int
    games: int
    illegal: int

    @property
    def rate(self) -> float:
        """The share won; a game cut off is won by nobody."""
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """95 % Wilson interval."""
        low, high = wilson(self.wins, self.games)
        return float(low), float(high)


def whole_deals(games: int, seats: int) -> int:
    """How many deals make up at most so many games, each played from every seat; at least one."""
    return max(1, games // seats)


def score_levels(agent: Agent, latency: Latency, games: int, config: TrainConfig, seed: int) -> list[LevelScore]:
    """Play ``games`` games (or a few less: whole deals) against Emma at each level; she has all seats but one.

    Each deal is played from every seat, the agent always at ``latency``.
    """
    seats, scores = make_rules(config.rules).seats, []
    for k, level in enumerate(LEVELS):
        results = play_match(
            [Player("agent", agent, latency), *[make_player(f"emma:{level}")] * (seats - 1)],
            whole_deals(games, seats), seed + k, rules=config.rules, recall=config.recall,  # type: ignore[arg-type]
        )  # fmt: skip
        wins = int(np.sum(results.winner == 0))
        scores.append(LevelScore(level, wins, len(results.winner), int(results.illegal[:, 0].sum())))
    return scores


def levels_table(scores: Mapping[str, Sequence[LevelScore]], digits: int = 1) -> Table:
    """One row for each bot, one column for each level, with 95 % intervals to so many digits."""
    table = Table(box=box.SIMPLE, padding=(0, 1), pad_edge=False)
    table.add_column("bot", no_wrap=True)
    for level in LEVELS:
        table.add_column(level, justify="right", no_wrap=True)
    for name, row in scores.items():
        table.add_row(
            name,
            *(f"{100 * s.rate:.1f} ({100 * s.interval[0]:.{digits}f}-{100 * s.interval[1]:.{digits}f})" for s in row),
        )
    return table


def print_levels(scores: Mapping[str, Sequence[LevelScore]], title: str) -> None:
    """Print title and table; in a narrow terminal the intervals are rounded."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDE)
    console.print(title, highlight=False)
    console.print(levels_table(scores, digits=1 if console.width >= WIDE else 0))


def plot_curve(curve: Sequence[tuple[int, float, Sequence[LevelScore]]], path: Path, title: str) -> None:
    """Win rate against each level over the learner's decisions, with 95 % bands."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
    steps = np.array([row[0] for row in curve]) / 1e6
    for k, level in enumerate(LEVELS):
        scores = [row[2][k] for row in curve]
        colour = plt.get_cmap("viridis")(k / len(LEVELS))
        axes.plot(steps, [100 * s.rate for s in scores], marker="o", markersize=3, color=colour, label=f"emma:{level}")
        low, high = zip(*(s.interval for s in scores), strict=True)
        axes.fill_between(steps, 100 * np.array(low), 100 * np.array(high), color=colour, alpha=0.15, linewidth=0)
    axes.axhline(50, color="grey", linewidth=0.8, linestyle=":")
    axes.set(xlabel="learner decisions (millions)", ylabel="games won (%)", ylim=(0, 100), title=title)
    axes.grid(alpha=0.25)
    figure.legend(loc="outside right upper", frameon=False)
    part = path.with_suffix(".part.png")
    figure.savefig(part, dpi=120)
    plt.close(figure)
    part.replace(path)
