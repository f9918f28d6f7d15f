"""What the commands print, and how they write files. Readable on a terminal and in a pipe, where it has no colour."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from spit_agents.catalogue import AGENTS
from spit_env.latency import PROFILES
from spit_env.rules import PRESETS, make_rules
from spit_train.rulebook import MEANINGS, differences

if TYPE_CHECKING:
    from spit_train.bench import Bench
    from spit_train.evaluation import Evaluation, Rate

WIDTH = 100  # columns in a pipe


def console(stream: TextIO | None = None) -> Console:
    """A console on a stream, standard output by default."""
    stream = stream or sys.stdout
    width = None if stream.isatty() else WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


def table(*headers: str, title: str | None = None) -> Table:
    """An empty table in the style that all commands share."""
    built = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for header in headers:
        built.add_column(header, overflow="fold")
    return built


@contextmanager
def status(what: str) -> Iterator[Callable[[str], None]]:
    """A callback that says on standard error, if that is a terminal, what is under way."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    with console(sys.stderr).status(what) as shown:
        yield lambda text: shown.update(text)


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A callback (done, total) that moves a bar on standard error; None where that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with Progress(console=console(sys.stderr), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def write_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write a file in one piece: whatever happens, there is the old one or the new one.

    Raises:
        OSError: if it cannot be written.
    """
    path = Path(path)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def print_evaluation(outcome: "Evaluation") -> None:
    """The table of ``spit eval``."""
    setup, sides = outcome.setup, (outcome.a, outcome.b)
    out = console()
    names = (setup.a, setup.b) if setup.a != setup.b else (f"A: {setup.a}", f"B: {setup.b}")
    shown = table("", *names)
    shown.add_row("games won", *(str(side.wins) for side in sides))
    shown.add_row("win rate", *(rate_text(side.rate) for side in sides))
    for seat in range(2):
        shown.add_row(f"  in seat {seat}", *(rate_text(side.by_seat[seat]) for side in sides))
    shown.add_row("decisions per game", *(f"{side.decisions:.1f}" for side in sides))
    shown.add_row("cards too late", *(f"{side.bounced:.1%}" for side in sides))
    shown.add_row("illegal actions", *(str(side.illegal) for side in sides))
    shown.add_row("speed", *(speed_text(latency) for latency in (setup.latency_a, setup.latency_b)))
    out.print(shown)
    out.print()
    seeds = outcome.rows.seed
    facts = table("", "")
    facts.show_header = False
    facts.add_row("games", f"{setup.games}: {setup.games // 2} deals, each from both seats")
    facts.add_row("without a winner", str(outcome.none))
    facts.add_row("endings", ", ".join(f"{reason} {count}" for reason, count in outcome.endings.items()))
    facts.add_row("length", f"mean {outcome.length_mean_s:.1f} s, median {outcome.length_median_s:.1f} s")
    facts.add_row("rounds", f"mean {outcome.rounds_mean:.1f} completed")
    facts.add_row("rules", f"{setup.rules} ({setup.rules_hash}), recall {setup.recall}")
    facts.add_row("mode", f"{setup.mode}, {setup.stepping} stepping, a wait ends after {setup.wait_ms} ms")
    facts.add_row("seed", f"{setup.seed} (deals {seeds[0]} to {seeds[-1]})")
    facts.add_row("took", f"{outcome.wall_s:.2f} s, {outcome.cpu_s:.2f} CPU s")
    facts.add_row("versions", versions_text(setup.versions))
    out.print(facts)


def rate_text(rate: "Rate") -> str:
    """A share with its interval."""
    return f"{rate.share:.3f} ({rate.low:.3f} to {rate.high:.3f})"


def speed_text(latency: Mapping[str, Any]) -> str:
    """A speed in short: the profile's name if it is one, and its typical times in ms."""
    times = ", ".join(f"{kind} {latency[kind][0] + latency[kind][2]:g}" for kind in ("think", "play", "flip"))
    known = [name for name, profile in PROFILES.items() if profile.to_dict() == latency]
    return f"{times} ms" + (f" ({known[0]})" if known else "")


def versions_text(versions: Mapping[str, str]) -> str:
    """Versions in a line."""
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def print_bench(result: "Bench") -> None:
    """The table of ``spit bench``."""
    out = console()
    shown = table("median of the repeats", "median", "min to max", "unit")
    for column in shown.columns[1:3]:
        column.justify = "right"
    for m in result.measures:
        shown.add_row(m.name, number(m.median), f"{number(min(m.values))} to {number(max(m.values))}", m.unit)
    out.print(shown)
    out.print()
    for name, why in result.missing.items():
        out.print(f"not timed: {name} ({why})")
    facts = result.machine
    out.print(f"{facts['cpu']}, {facts['cores']} cores, load {facts['load']}, {facts['system']} {facts['machine']}")
    out.print(versions_text(facts["versions"]))


def number(value: float) -> str:
    """A figure with three significant digits: 10.2 M, 353 k, 0.72."""
    for limit, letter in ((1e6, " M"), (1e3, " k")):
        if value >= limit:
            scaled = value / limit
            return f"{scaled:.0f}{letter}" if scaled >= 100 else f"{scaled:.3g}{letter}"
    return f"{value:.3g}"


def print_bots() -> None:
    """The lists of ``spit bots``."""
    out = console()
    bots = table("bot", "what it does")
    for name, text in AGENTS.items():
        bots.add_row(name, text)
    out.print(bots)
    out.print()
    speeds = table("speed", "think", "play", "flip")
    for column in speeds.columns[1:]:
        column.justify = "right"
    for name, profile in PROFILES.items():
        times = (getattr(profile, kind) for kind in ("think", "play", "flip"))
        speeds.add_row(name, *(f"{time.shift + time.median:g} ms" for time in times))
    out.print(speeds)
    out.print()
    out.print("Typical (median) times; emma:LEVEL is emma at that speed. Any bot plays at any speed:")
    out.print("greedy@emma:easy; emma:hard*1.10 is 10 % slower; mymodule:MyBot is a class of your own.")
    out.print("A bot that names no speed plays at its opponent's, or at emma:hard.")


def print_presets() -> None:
    """The list of ``spit rules``."""
    shown = table("rules", "differences from emma")
    for name, rules in PRESETS.items():
        changed = ", ".join(f"{key}={value}" for key, value in differences(rules).items())
        shown.add_row(name, changed or "none: the game as played against Emma")
    out = console()
    out.print(shown)
    out.print()
    out.print("spit rules NAME explains each parameter.")


def print_rules(name: str) -> None:
    """The table of ``spit rules NAME``.

    Raises:
        BadRules: for an unknown preset.
    """
    rules = make_rules(name)
    changed = differences(rules)
    shown = table("parameter", "value", "meaning")
    for key, value in rules.to_dict().items():
        shown.add_row(key, f"{value}*" if key in changed else str(value), MEANINGS[key])
    out = console()
    out.print(shown)
    if changed:
        out.print("\n* differs from emma")
