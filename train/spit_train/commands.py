"""The subcommands of ``spit``: their help, their arguments and what they do.

Each loads what it needs when it runs, so that help is instant.
"""

import argparse

from spit_train.arguments import Command, output_file, whole_number
from spit_train.calibrate_command import CALIBRATE
from spit_train.eval_command import EVAL
from spit_train.tournament_command import TOURNAMENT

# --- spit bench ------------------------------------------------------------------------------------------------------


def add_bench_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``spit bench``."""
    parser.add_argument("--quick", action="store_true", help="fewer and shorter repeats: under a minute, less exact")
    parser.add_argument("--json", type=output_file, metavar="F", help="also write every repeat to F")


def run_bench(args: argparse.Namespace) -> int:
    """Time everything and print the medians."""
    from spit_train.bench import QUICK, Sizes, bench
    from spit_train.report import print_bench, status, write_atomically

    with status("starting") as announce:
        result = bench(QUICK if args.quick else Sizes(), announce)
    if args.json:
        write_atomically(args.json, result.to_json())
    print_bench(result)
    return 0


# --- spit measure ----------------------------------------------------------------------------------------------------


def add_measure_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``spit measure``."""
    parser.add_argument("replays", metavar="REPLAY", nargs="+", help="recorded games")
    parser.add_argument("--seat", type=whole_number(0, 3), default=0, metavar="N", help="whose times (default: 0)")
    parser.add_argument("-o", "--output", type=output_file, required=True, metavar="F", help="the profile, me.json")


def run_measure(args: argparse.Namespace) -> int:
    """Fit a latency profile to recorded games and write it."""
    import json

    from spit_train.measure import measure
    from spit_train.report import print_measured, write_atomically

    measured = measure(args.replays, args.seat)
    write_atomically(args.output, json.dumps(measured.to_dict(), indent=1) + "\n")
    print_measured(measured, args.output)
    return 0


# --- spit bots, spit rules -------------------------------------------------------------------------------------------


def run_bots(args: argparse.Namespace) -> int:
    """List the bots and the speeds."""
    from spit_train.report import print_bots

    print_bots()
    return 0


def add_rules_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``spit rules``."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="a preset, to see each of its parameters")


def run_rules(args: argparse.Namespace) -> int:
    """List the presets, or one preset's parameters."""
    from spit_train.report import print_presets, print_rules

    if args.name is None:
        print_presets()
    else:
        print_rules(args.name)
    return 0


# --- spit train, spit quickstart -------------------------------------------------------------------------------------


def add_train_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``spit train``."""
    from spit_train import train

    train.add_arguments(parser)


def run_train(args: argparse.Namespace) -> int:
    """Train a policy."""
    from spit_train import train

    return train.run(args)


def add_quickstart_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``spit quickstart``."""
    from spit_train import quickstart

    quickstart.add_arguments(parser)


def run_quickstart(args: argparse.Namespace) -> int:
    """Train and evaluate in a few minutes."""
    from spit_train import quickstart

    return quickstart.run(args)


def no_arguments(parser: argparse.ArgumentParser) -> None:
    """For a subcommand that takes none."""


COMMANDS = {
    "quickstart": Command(
        "train a first bot and see how good it is, in a few minutes",
        "Trains a small policy, evaluates it and says what to try next.",
        ("spit quickstart",),
        add_quickstart_arguments,
        run_quickstart,
    ),
    "train": Command(
        "train a policy",
        "Trains a policy by masked PPO, against itself and bots, and measures it against Emma at every level.",
        ("spit train --help",),
        add_train_arguments,
        run_train,
    ),
    "eval": EVAL,
    "tournament": TOURNAMENT,
    "calibrate": CALIBRATE,
    "measure": Command(
        "measure how fast a player was, from recorded games",
        "Plays replays again, takes the times that a seat took to think and to move, and fits a shifted log-normal "
        "to each kind by maximum likelihood. A time to think runs from the moment when the hand is free and something "
        "is legal to the choice. Writes a latency profile with its evidence; any bot plays at it: greedy@me.json. Some "
        "hundred choices, three or four games, give the typical times to a few per cent.",
        ("spit measure game.jsonl --seat 0 -o me.json", "spit eval greedy@me.json emma:hard"),
        add_measure_arguments,
        run_measure,
    ),
    "bots": Command(
        "list the bots and their speeds",
        "Lists the names that stand for bots, and the speeds that can be put behind them.",
        ("spit bots",),
        no_arguments,
        run_bots,
    ),
    "rules": Command(
        "list the presets of rules, or explain one",
        "Without a name: the presets of each game and where they differ from its first. With a name: each parameter, "
        "its value in that preset and its meaning.",
        ("spit rules", "spit rules pagat"),
        add_rules_arguments,
        run_rules,
    ),
    "bench": Command(
        "measure how fast everything is on this machine",
        "Times the engine, the bots and the environment, and peers that are installed, in one run: medians of CPU "
        "time on one core. Takes about three minutes.",
        ("spit bench --quick", "spit bench --json bench.json"),
        add_bench_arguments,
        run_bench,
    ),
}  # fmt: skip
