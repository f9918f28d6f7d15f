"""``spit calibrate``: its arguments, and what it does."""

import argparse
import os
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spit_train.arguments import Command, add_games, complain, deals_wanted, output_file, percentage

if TYPE_CHECKING:
    from spit_train.calibrate import Calibration, Level
    from spit_train.study import How

GAMES = 20_000


def level_target(text: str) -> tuple[str, float]:
    """A type of argument: a level and how often the reference is to win against it, such as easy=90%."""
    name, _, share = text.partition("=")
    try:
        value = float(share.removesuffix("%")) / 100
    except ValueError:
        value = 0.0
    if not name.isidentifier() or not share.endswith("%") or not 0 < value < 1:
        raise argparse.ArgumentTypeError(
            f"{text!r} must be a name of letters, digits and _, and a share above 0% and below 100%, such as easy=90%"
        )
    return name, value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``spit calibrate``."""
    parser.add_argument("reference", metavar="PLAYER", nargs="?", help="who is to win the wanted shares: human:casual, "
                        "greedy@me.json (a profile that spit measure has made), ...")  # fmt: skip
    parser.add_argument("--levels", type=level_target, nargs="+", metavar="NAME=P%",
                        help="the levels, named at will, and how often PLAYER is to win against each (default: "
                        "easy=90%% medium=65%% hard=40%% expert=15%% impossible=0.1%%)")  # fmt: skip
    parser.add_argument("--brain", default="emma", metavar="BOT", help="whose speed is looked for (default: emma)")
    parser.add_argument("--tolerance", type=percentage, default=0.015, metavar="P%",
                        help="how far from the wanted share the interval may reach (default: 1.5%%)")  # fmt: skip
    add_games(parser, GAMES, " have to confirm each level, after as many that find it")
    parser.add_argument(
        "-o", "--output", type=output_file, metavar="F", help="write the levels with their evidence to F"
    )
    parser.add_argument("--check", type=Path, metavar="F",
                        help="find nothing, but play other games against the levels in F and say whether each still "
                        "holds; player, rules and tolerance are those in F")  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Find levels or check them; the exit code."""
    sys.path.append(os.getcwd())  # where a bot of one's own, mymodule:MyBot, is looked for last
    return check(args) if args.check else calibrate(args)


# --- Finding levels --------------------------------------------------------------------------------------------------


def calibrate(args: argparse.Namespace) -> int:
    """Find the levels, print them and write them; the exit code."""
    from spit_train.calibrate_record import levels_file, levels_text
    from spit_train.calibrate_text import levels_document, problems
    from spit_train.keeping import with_journal
    from spit_train.report import print_document, write_atomically
    from spit_train.study_files import write_files

    calibration, targets = wanted(args)
    if not args.output and not args.out:
        complain("spit calibrate: the levels will only be printed; -o FILE writes them")
    began = time.perf_counter()
    body = with_journal(args, "calibrating", lambda how: levels_file(*find_all(calibration, targets, how)))
    seconds, document, record = time.perf_counter() - began, levels_document(body), levels_text(body)
    print_document(document)
    complain(f"spit calibrate: took {seconds:.1f} s")
    if args.out:
        write_files(record, document, args.out, seconds)
        complain(f"spit calibrate: wrote {args.out / 'report.html'}, report.md and report.json, which holds the levels")
    if args.output:
        write_atomically(args.output, record)
        first = next(iter(targets))
        complain(f"spit calibrate: wrote {args.output}; play at a level as {args.brain}@{args.output}:{first}")
    return 1 if problems(body) else 0


def wanted(args: argparse.Namespace) -> tuple["Calibration", dict[str, float]]:
    """What is asked for: the targets of the levels, the easiest first.

    Raises:
        BadCalibration: if it is impossible or contradicts itself.
    """
    from spit_agents.catalogue import make_player
    from spit_env.rules import make_rules
    from spit_train.calibrate import TARGETS, BadCalibration, Calibration
    from spit_train.cohort import Cohort

    if args.reference is None:
        raise BadCalibration("name the PLAYER who is to win the wanted shares, such as human:casual")
    levels = args.levels or list(TARGETS.items())
    names = [name for name, _ in levels]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise BadCalibration(f"--levels: {', '.join(twice)} is named twice")
    rules = make_rules(args.rules)
    reference, emma = make_player(args.reference), make_player(args.brain)
    cohort = Cohort(
        players=(reference, *[emma] * (rules.seats - 1)), deals=deals_wanted(args, rules.seats, GAMES), seed=args.seed,
        rules=rules, recall=args.recall,
    )  # fmt: skip
    calibration = Calibration(reference, emma, cohort, args.tolerance)
    targets = dict(sorted(levels, key=lambda level: -level[1]))
    calibration.check(targets)
    return calibration, targets


def find_all(
    calibration: "Calibration", targets: Mapping[str, float], how: "How"
) -> tuple["Calibration", list["Level"], list[Any]]:
    """All levels, told of as they are found, and their games against each other."""
    levels = []
    for number, (name, target) in enumerate(targets.items(), 1):
        levels.append(calibration.find(name, target, how))
        complain(f"spit calibrate: {number} of {len(targets)}, {found_text(levels[-1])}")
    return calibration, levels, calibration.neighbours(levels, how)


def found_text(level: "Level") -> str:
    """A level in a line."""
    from spit_train.calibrate_text import interval_text
    from spit_train.match_text import speed_text

    won = interval_text(level.attempts[-1])
    attempts = f"{len(level.attempts)} attempt{'s' if len(level.attempts) > 1 else ''}"
    done = f"confirmed in {attempts}" if level.accepted else f"not confirmed in {attempts}"
    return f"{level.name}: {speed_text(level.latency.to_dict())}, {won} won, {done}"


# --- Checking levels -------------------------------------------------------------------------------------------------


def check(args: argparse.Namespace) -> int:
    """Play against the levels of a file and say what they are now; the exit code."""
    import json

    from spit_env.rules import make_rules
    from spit_train.calibrate import BadCalibration, in_order
    from spit_train.calibrate_check import check_levels
    from spit_train.calibrate_record import read_levels_file
    from spit_train.calibrate_text import check_document
    from spit_train.keeping import with_journal
    from spit_train.report import print_document
    from spit_train.study_files import write_files

    if args.reference or args.levels or args.output:
        raise BadCalibration("--check takes the player and the levels from the file, and writes none")
    body = read_levels_file(args.check)
    deals = deals_wanted(args, make_rules(body["calibration"]["rules"]).seats, GAMES)
    began = time.perf_counter()
    checked = with_journal(args, "checking", lambda how: check_levels(body, deals, args.seed, how))
    seconds, document = time.perf_counter() - began, check_document(body, checked, check_command(args, deals))
    print_document(document)
    if args.out:
        record = [level._asdict() | {"share": asdict(level.share)} for level in checked]
        write_files(json.dumps(record, indent=1) + "\n", document, args.out, seconds)
    failed = any(level.verdict == "does not hold" for level in checked)
    return 1 if failed or not in_order([level.share for level in checked]) else 0


def check_command(args: argparse.Namespace, deals: int) -> str:
    """The command that makes the same check."""
    words: Sequence[str] = ("spit", "calibrate", "--check", f"{args.check}", "--deals", f"{deals}")
    return shlex.join([*words, "--seed", f"{args.seed}"])


CALIBRATE = Command(
    "find speeds for Emma's levels, so that a given player wins a wanted share against each",
    "Finds for each level how slow Emma must be for a given player to win the wanted share of games: thinking and "
    "moving are slowed by one factor, found by logistic regression. Then other games have to confirm it: a level is "
    "accepted only if the exact 95 % interval of the player's share lies wholly within 1.5 points of the target, and "
    "the odds within a third and three times those wanted; up to three attempts, all on record. Levels named easy, "
    "medium, hard, expert or impossible divide their time between thinking and moving as these do, others as hard. "
    "Exit code 1: a level was not confirmed, or two levels cannot be told apart.",
    (
        "spit calibrate human:casual -o levels.json --out casual",
        "spit calibrate greedy@me.json --levels calm=80% even=50% fierce=20% -o mine.json",
        "spit calibrate human:good --rules speed --levels easy=80% hard=50% -o speed.json",
        "spit calibrate --check levels.json --seed 1",
    ),
    add_arguments,
    run,
)
