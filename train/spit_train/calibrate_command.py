"""``spit calibrate``: its arguments, and what it does."""

import argparse
import shlex
import sys
from typing import TYPE_CHECKING

from spit_train.arguments import Command, add_games, complain, deals_wanted, output_file

if TYPE_CHECKING:
    from spit_train.calibrate import Calibration, Level
    from spit_train.study import How

GAMES = 10_000


def level_target(text: str) -> tuple[str, float]:
    """A type of argument: a level and how often the reference is to win against it, such as easy=90%."""
    name, _, share = text.partition("=")
    try:
        value = float(share.removesuffix("%")) / 100
    except ValueError:
        value = 0.0
    if not name.isidentifier() or not share.endswith("%") or not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} must be a level and a share above 0% and below 100%, as easy=90%")
    return name, value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``spit calibrate``."""
    parser.add_argument("reference", metavar="PLAYER", help="who is to win the wanted shares: human:casual, "
                        "greedy@me.json (a profile that spit measure has made), ...")  # fmt: skip
    parser.add_argument("--levels", type=level_target, nargs="+", metavar="NAME=P%",
                        help="the levels, and how often PLAYER is to win against each (default: easy=90%% medium=65%% "
                        "hard=40%% expert=15%% impossible=0.1%%)")  # fmt: skip
    parser.add_argument("--brain", default="emma", metavar="BOT", help="whose speed is looked for (default: emma)")
    add_games(parser, GAMES, " have to confirm each level")
    parser.add_argument(
        "-o", "--output", type=output_file, metavar="F", help="write the levels with their evidence to F"
    )


def run(args: argparse.Namespace) -> int:
    """Find the levels, print them and write them; the exit code."""
    from spit_agents.catalogue import make_player
    from spit_env.rules import make_rules
    from spit_train.calibrate import TARGETS, Calibration, monotone
    from spit_train.cohort import Cohort
    from spit_train.keeping import with_journal

    rules = make_rules(args.rules)
    reference, emma = make_player(args.reference), make_player(args.brain)
    cohort = Cohort(
        players=(reference, *[emma] * (rules.seats - 1)), deals=deals_wanted(args, rules.seats, GAMES), seed=args.seed,
        rules=rules, recall=args.recall,
    )  # fmt: skip
    calibration, targets = Calibration(reference, emma, cohort), dict(args.levels or TARGETS)
    levels = with_journal(args, "calibrating", lambda how: find_all(calibration, targets, how))
    print_levels_found(levels)
    for level in levels:
        if not level.accepted:
            last = level.attempts[-1]
            complain(f"spit calibrate: level {level.name} is not confirmed: {last.low:.1%} to {last.high:.1%} of games "
                     f"won, and {level.target:.1%} +- {calibration.tolerance:.1%} wanted")  # fmt: skip
    if not monotone(levels):
        complain("spit calibrate: the levels are not surely in order: some intervals overlap")
    if args.output:
        write_levels(args, levels, calibration)
    return 0 if monotone(levels) and all(level.accepted for level in levels) else 1


def find_all(calibration: "Calibration", targets: dict[str, float], how: "How") -> list["Level"]:
    """All levels; each begins with the shape of the stock level of its name, or that of emma:hard."""
    from spit_env.latency import PROFILES

    return [
        calibration.find(name, target, PROFILES.get(f"emma:{name}", PROFILES["emma:hard"]), how)
        for name, target in targets.items()
    ]


def print_levels_found(levels: list["Level"]) -> None:
    """The table of levels."""
    from spit_train.match_text import SHOWN_KINDS
    from spit_train.report import show, table

    right = ("wanted", "won", "95 % interval", "games", "slope", *SHOWN_KINDS)
    shown = table("level", *right, "", right=right)
    for level in levels:
        last = level.attempts[-1]
        shown.add_row(
            level.name, f"{level.target:.1%}", f"{last.share:.2%}", f"{last.low:.2%} to {last.high:.2%}",
            str(last.games), f"{level.line.b:.2f}",
            *(f"{level.latency.typical(kind):.1f} ms" for kind in SHOWN_KINDS),
            "" if level.accepted else "not confirmed",
        )  # fmt: skip
    show(shown)


def write_levels(args: argparse.Namespace, levels: list["Level"], calibration: "Calibration") -> None:
    """Write the levels with their evidence."""
    import json
    import time

    from spit_train.calibrate import levels_file
    from spit_train.evaluate import versions
    from spit_train.report import write_atomically

    facts = {"date": time.strftime("%Y-%m-%d"), "versions": versions(), "command": shlex.join(["spit", *sys.argv[1:]])}
    write_atomically(args.output, json.dumps(levels_file(levels, calibration, facts), indent=1) + "\n")
    complain(f"spit calibrate: wrote {args.output}; play at a level as emma@{args.output}:{levels[0].name}")


CALIBRATE = Command(
    "find speeds for Emma's levels, so that a given player wins a wanted share against each",
    "Finds for each level how slow Emma must be for a given player to win the wanted share of games: thinking and "
    "moving are slowed by one factor, found by logistic regression. Then other games have to confirm it: a level is "
    "accepted only if the exact 95 % interval of the player's share lies wholly within 1.5 points of the target. Exit "
    "code 1: a level was not confirmed, or two levels cannot be told apart.",
    (
        "spit calibrate human:casual -o levels.json",
        "spit calibrate greedy@me.json --levels calm=80% even=50% fierce=20% -o mine.json",
        "spit calibrate human:good --rules speed --games 4000",
    ),
    add_arguments,
    run,
)
