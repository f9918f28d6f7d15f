"""What the commands print, and how they write files. Readable on a terminal and in a pipe, where it has no colour."""

import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from spit_agents.catalogue import AGENTS
from spit_env.latency import PROFILES, make_latency
from spit_env.rules import KINDS, PRESETS, make_rules
from spit_train.rulebook import differences, meaning, standard

if TYPE_CHECKING:
    from spit_train.bench import Bench
    from spit_train.evaluation import Evaluation, Place, Rate, Side
    from spit_train.measure import Measured

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
    """The tables of ``spit eval``: a column for each of two bots, a row for each of more."""
    names = labelled(outcome.setup.players)
    shown = table_of_two(outcome, names) if len(names) == 2 else tables_of_many(outcome, names)
    show(*shown, "", facts_of(outcome))


def labelled(names: Sequence[str]) -> list[str]:
    """The names, with a letter before each if two are the same."""
    if len(set(names)) == len(names):
        return list(names)
    return [f"{letter}: {name}" for letter, name in zip("ABCD", names)]


def table_of_two(outcome: "Evaluation", names: Sequence[str]) -> list[Table]:
    """How two bots did, side by side."""
    sides = outcome.sides
    shown = table(outcome.setup.game, *names)
    shown.add_row("games won", *(str(side.wins) for side in sides))
    shown.add_row("win rate", *(rate_text(side.rate) for side in sides))
    for seat in range(2):
        shown.add_row(f"  in seat {seat}", *(rate_text(side.by_seat[seat]) for side in sides))
    shown.add_row("decisions per game", *(f"{side.decisions:.1f}" for side in sides))
    shown.add_row("cards too late", *(f"{side.bounced:.1%}" for side in sides))
    shown.add_row("illegal actions", *(str(side.illegal) for side in sides))
    shown.add_row("mean think / travel", *map(spent_text, sides))
    shown.add_row(" / ".join(SHOWN_KINDS), *map(speed_text, outcome.setup.latencies))
    return [shown]


def tables_of_many(outcome: "Evaluation", names: Sequence[str]) -> list[Table | str]:
    """How three or four bots did, one below the other: the places, the play, the times."""
    seats = [f"seat {seat}" for seat in range(len(names))]
    places = table(outcome.setup.game, "first places", "mean place", *seats)
    play = table("", "decisions/game", "too late", "illegal")
    times = table("", " / ".join(SHOWN_KINDS), "mean think / travel")
    for name, side, latency in zip(names, outcome.sides, outcome.setup.latencies):
        places.add_row(
            name, rate_text(side.rate), place_text(side.place), *(f"{rate.share:.3f}" for rate in side.by_seat)
        )
        play.add_row(name, f"{side.decisions:.1f}", f"{side.bounced:.1%}", str(side.illegal))
        times.add_row(name, speed_text(latency), spent_text(side))
    return [places, "", play, "", times]


def facts_of(outcome: "Evaluation") -> Table:
    """What was played, and how the games went."""
    setup, seeds, seats = outcome.setup, outcome.rows.seed, len(outcome.setup.players)
    facts = table("", "")
    whence = "both seats" if seats == 2 else f"all {seats} seats"
    facts.add_row("games", f"{setup.games}: {setup.games // seats} deals, each from {whence}")
    facts.add_row("without a winner", str(outcome.none))
    facts.add_row("endings", ", ".join(f"{reason} {count}" for reason, count in outcome.endings.items()))
    facts.add_row("length", f"mean {outcome.length_mean_s:.1f} s, median {outcome.length_median_s:.1f} s")
    facts.add_row("rounds", f"mean {outcome.rounds_mean:.1f} completed")
    facts.add_row("rules", f"{setup.rules} ({setup.rules_hash}), recall {setup.recall}")
    facts.add_row("mode", f"{setup.mode}, {setup.stepping} stepping, a wait ends after {setup.wait_ms} ms")
    facts.add_row("seed", f"{setup.seed} (deals {seeds[0]} ... {seeds[-1]})")
    facts.add_row("took", f"{outcome.wall_s:.2f} s, {outcome.cpu_s:.2f} CPU s")
    facts.add_row("versions", versions_text(setup.versions))
    return facts


def rate_text(rate: "Rate") -> str:
    """A share with its interval."""
    return f"{rate.share:.3f} ({rate.low:.3f} to {rate.high:.3f})"


def place_text(place: "Place | None") -> str:
    """A mean place with its interval."""
    return "-" if place is None else f"{place.mean:.2f} ({place.low:.2f} to {place.high:.2f})"


def spent_text(side: "Side") -> str:
    """How long one time to think and one way of the hand took in the games, in the mean."""
    return " / ".join("-" if ms is None else f"{ms:.0f}" for ms in (side.think_ms, side.travel_ms)) + " ms"


def speed_text(latency: Mapping[str, Any]) -> str:
    """A speed in short: its typical times, and the profile's name if it is one."""
    speed = make_latency(latency)
    times = " / ".join(f"{speed.typical(kind):g}" for kind in SHOWN_KINDS)
    known = [name for name, profile in PROFILES.items() if profile == speed]
    return f"{times} ms" + (f" ({known[0]})" if known else "")


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
        speeds.add_row(name, *(f"{profile.typical(kind):g} ms" for kind in SHOWN_KINDS))
    show(
        bots,
        "",
        speeds,
        "",
        "Times are typical (median) ones; people think the longer the more can be done, here with 3 legal actions.",
        "The human speeds are constructed from the literature, not measured on players. Any bot plays at any speed:",
        "greedy@emma:easy, greedy@human:casual; emma:hard*1.10 is 10 % slower than emma:hard; emma@me.json is at the",
        "speed in a file, as spit measure writes it, and emma@FILE.json:LEVEL at that of a level in one. A bot that",
        "names no speed plays at another's, or at emma:hard.",
        "A bot of your own is mymodule:MyBot, found in the current folder or where Python finds modules.",
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
