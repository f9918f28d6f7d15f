"""What the commands print, and how they write files. Readable on a terminal and in a pipe, where it has no colour."""

import os
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from spit_agents.catalogue import AGENTS, BOTS, KNOBS, TAKEN, TEMPERATURE
from spit_agents.options import options_of
from spit_agents.plugins import plugins
from spit_env.latency import PROFILES
from spit_env.rules import KINDS, PRESETS, make_rules
from spit_train.document import Document, Grid, printable
from spit_train.match_text import SHOWN_KINDS, versions_text
from spit_train.rulebook import differences, meaning, standard

if TYPE_CHECKING:
    from spit_train.bench import Bench
    from spit_train.measure import Measured

WIDTH = 100  # columns in a pipe


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


def print_document(document: Document) -> None:
    """A report without its pictures and details."""
    blocks: list[Table | str] = [printable(sentence) for sentence in document.lead]
    for section in document.sections:
        for block in () if section.detail else section.blocks:
            if isinstance(block, Grid):
                blocks += ["", rich_table(block)]
            elif isinstance(block, str):
                blocks += ["", printable(block)]
    show(*blocks)


def rich_table(grid: Grid) -> Table:
    """A table for the terminal."""
    shown = table(*map(printable, grid.head), right=grid.right)
    for row in grid.rows:
        shown.add_row(*map(printable, row))
    return shown


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
    for found in plugins(TAKEN):
        bots.add_row(found.name, f"of {found.distribution}" + (f": NOT USED, {found.problem}" if found.problem else ""))
    options = table("option", "of", "value", "meaning")
    for name, option in KNOBS.items():
        options.add_row(name, "every bot", option.wanted, option.meaning)
    options.add_row("temperature", "policy:FILE", TEMPERATURE.wanted, TEMPERATURE.meaning)
    for bot, make in BOTS.items():
        for name, option in options_of(make).items():
            options.add_row(name, bot, option.wanted, option.meaning)
    speeds = table("speed", *SHOWN_KINDS, right=SHOWN_KINDS)
    for name, profile in PROFILES.items():
        speeds.add_row(name, *(f"{profile.typical(kind):g} ms" for kind in SHOWN_KINDS))
    show(
        bots,
        "",
        options,
        "",
        speeds,
        "",
        "A player is BOT[,option=value...][@SPEED][*FACTOR]: emma,recall=0.5,slips=0.05@emma:hard*1.1 is 10 %",
        "slower than emma:hard. Any bot plays at any speed: greedy@emma:easy, emma@human:casual; emma@me.json",
        "at that in a file, as spit measure writes it, emma@FILE.json:LEVEL at that of a level in one. A bot",
        "that names no speed plays at another's, or at emma:hard. Times are typical (median) ones; people",
        "think the longer the more can be done, here with 3 legal actions.",
        "A bot of your own is mymodule:MyBot, found in the current folder or where Python finds modules; it",
        "takes its arguments as options: mymodule:MyBot,depth=3.",
    )


def print_measured(measured: "Measured", path: os.PathLike[str]) -> None:
    """The table of ``spit measure``."""
    right = ("times", "median", "spread", "shift", "KS")
    shown = table("kind", *right, right=right)
    for kind, fit in measured.fits.items():
        median, spread, shift = fit.time
        shown.add_row(kind, str(fit.samples), f"{median:g} ms", f"{spread:.2f}", f"{shift:g} ms", f"{fit.ks:.3f}")
    show(
        shown,
        "",
        f"A time is shift + median * exp(spread * N(0, 1)). {measured.evidence['cut_off']} times to think ended",
        "without a choice and are left out. KS is the greatest distance between the times and what is fitted to them.",
        f"Written to {os.fspath(path)}; a bot at this speed: greedy@{os.fspath(path)}",
    )


def print_presets() -> None:
    """The list of ``spit rules``: a table for each game."""
    for game in KINDS:
        shown = table(game, f"differences from {standard(game)}")
        for name, rules in PRESETS.items():
            if game == rules.GAME:
                changed = ", ".join(f"{key}={value}" for key, value in differences(rules).items())
                shown.add_row(name, changed or "none")
        show(shown, "")
    show("spit rules NAME explains each parameter.")


def print_rules(name: str) -> None:
    """The table of ``spit rules NAME``.

    Raises:
        BadRules: for an unknown preset.
    """
    rules = make_rules(name)
    changed = differences(rules)
    shown = table("parameter", "value", "meaning")
    for key, value in rules.to_dict().items():
        shown.add_row(key, f"{value}*" if key in changed else str(value), meaning(rules, key))
    show(shown, *(("", f"* differs from {standard(rules.GAME)}") if changed else ()))
