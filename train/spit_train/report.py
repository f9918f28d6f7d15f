"""What the commands print, and how they write files. Readable on a terminal and in a pipe, where it has no colour."""

import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from spit_agents.catalogue import AGENTS
from spit_env.latency import PROFILES, LogNormal
from spit_env.rules import PRESETS, make_rules
from spit_train.rulebook import MEANINGS, differences

if TYPE_CHECKING:
    from spit_train.bench import Bench
    from spit_train.evaluation import Evaluation, Rate

WIDTH = 100  # columns in a pipe
SHOWN_KINDS = ("think", "play", "flip")  # of `spit_env.latency.KINDS`


def console(stream: TextIO) -> Console:
    """A console on standard output or standard error."""
    width = None if stream.isatty() else WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


def table(*headers: str, right: Collection[str] = ()) -> Table:
    """An empty table in the style that all commands share; the columns named in ``right`` are flush right."""
    built = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=any(headers))
    for header in headers:
        built.add_column(header, overflow="fold", justify="right" if header in right else "left")
    return built


def show(*blocks: Table | str) -> None:
    """Print tables and lines on standard output, without blanks at the ends of lines."""
    out = console(sys.stdout)
    with out.capture() as captured:
        for block in blocks:
            out.print(block)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


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
    names = (setup.a, setup.b) if setup.a != setup.b else (f"A: {setup.a}", f"B: {setup.b}")
    shown = table("", *names)
    shown.add_row("games won", *(str(side.wins) for side in sides))
    shown.add_row("win rate", *(rate_text(side.rate) for side in sides))
    for seat in range(2):
        shown.add_row(f"  in seat {seat}", *(rate_text(side.by_seat[seat]) for side in sides))
    shown.add_row("decisions per game", *(f"{side.decisions:.1f}" for side in sides))
    shown.add_row("cards too late", *(f"{side.bounced:.1%}" for side in sides))
    shown.add_row("illegal actions", *(str(side.illegal) for side in sides))
    shown.add_row(" / ".join(SHOWN_KINDS), *(speed_text(latency) for latency in (setup.latency_a, setup.latency_b)))
    seeds = outcome.rows.seed
    facts = table("", "")
    facts.add_row("games", f"{setup.games}: {setup.games // 2} deals, each from both seats")
    facts.add_row("without a winner", str(outcome.none))
    facts.add_row("endings", ", ".join(f"{reason} {count}" for reason, count in outcome.endings.items()))
    facts.add_row("length", f"mean {outcome.length_mean_s:.1f} s, median {outcome.length_median_s:.1f} s")
    facts.add_row("rounds", f"mean {outcome.rounds_mean:.1f} completed")
    facts.add_row("rules", f"{setup.rules} ({setup.rules_hash}), recall {setup.recall}")
    facts.add_row("mode", f"{setup.mode}, {setup.stepping} stepping, a wait ends after {setup.wait_ms} ms")
    facts.add_row("seed", f"{setup.seed} (deals {seeds[0]} ... {seeds[-1]})")
    facts.add_row("took", f"{outcome.wall_s:.2f} s, {outcome.cpu_s:.2f} CPU s")
    facts.add_row("versions", versions_text(setup.versions))
    show(shown, "", facts)


def rate_text(rate: "Rate") -> str:
    """A share with its interval."""
    return f"{rate.share:.3f} ({rate.low:.3f} to {rate.high:.3f})"


def speed_text(latency: Mapping[str, Any]) -> str:
    """A speed in short: its typical times, and the profile's name if it is one."""
    times = " / ".join(f"{typical(LogNormal(*latency[kind])):g}" for kind in SHOWN_KINDS)
    known = [name for name, profile in PROFILES.items() if profile.to_dict() == latency]
    return f"{times} ms" + (f" ({known[0]})" if known else "")


def typical(time: LogNormal) -> float:
    """The median of a latency in ms."""
    return time.shift + time.median


def versions_text(versions: Mapping[str, str]) -> str:
    """Versions in a line."""
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def print_bench(result: "Bench") -> None:
    """The table of ``spit bench``."""
    right = ("median", "min to max", "Spit / peer")
    shown = table("per CPU-second of one core", *right[:2], "unit", right[2], right=right)
    for m in result.measures:
        ratio = f"{m.ratio:.2f}" if m.ratio else ""
        shown.add_row(m.name, number(m.median), f"{number(min(m.values))} to {number(max(m.values))}", m.unit, ratio)
    facts = result.machine
    show(
        shown,
        "",
        *(f"not timed: {name} ({why})" for name, why in result.missing.items()),
        f"{facts['cpu']}, {facts['cores']} cores, load {facts['load']}, {facts['system']} {facts['machine']}",
        versions_text(facts["versions"]),
    )


def number(value: float) -> str:
    """A figure with three significant digits: 10.2 M, 353 k, 0.72."""
    for limit, letter in ((1e6, " M"), (1e3, " k")):
        if value >= limit:
            scaled = value / limit
            return f"{scaled:.0f}{letter}" if scaled >= 100 else f"{scaled:.3g}{letter}"
    return f"{value:.3g}"


def print_bots() -> None:
    """The lists of ``spit bots``."""
    bots = table("bot", "what it does")
    for name, text in AGENTS.items():
        bots.add_row(name, text)
    speeds = table("speed", *SHOWN_KINDS, right=SHOWN_KINDS)
    for name, profile in PROFILES.items():
        speeds.add_row(name, *(f"{typical(getattr(profile, kind)):g} ms" for kind in SHOWN_KINDS))
    show(
        bots,
        "",
        speeds,
        "",
        "Times are typical (median) ones. Any bot plays at any speed: greedy@emma:easy; emma:hard*1.10 is",
        "10 % slower than emma:hard. A bot that names no speed plays at its opponent's, or at emma:hard.",
        "A bot of your own is mymodule:MyBot, found in the current folder or where Python finds modules.",
    )


def print_presets() -> None:
    """The list of ``spit rules``."""
    shown = table("rules", "differences from emma")
    for name, rules in PRESETS.items():
        changed = ", ".join(f"{key}={value}" for key, value in differences(rules).items())
        shown.add_row(name, changed or "none: the game as played against Emma")
    show(shown, "", "spit rules NAME explains each parameter.")


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
    show(shown, *(("", "* differs from emma") if changed else ()))
