"""The subcommands of ``spit``: their help, their arguments and what they do.

Each loads what it needs when it runs, so that help is instant.
"""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

GAMES = 400
MAX_GAMES = 10_000_000
MAX_SEED = 2**63 - 1


class Command(NamedTuple):
    """One subcommand: what its help says, its arguments and what it does; ``run`` returns the exit code."""

    summary: str
    about: str
    examples: tuple[str, ...]
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """A type of argument: a whole number from ``low`` to ``high``."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text!r} must be a whole number from {low} to {high}")
        return value

    return read


def output_file(text: str) -> Path:
    """A type of argument: a file that can be written. Found out before hours of work, not after."""
    path = Path(text)
    if path.is_dir() or not text:
        raise argparse.ArgumentTypeError(f"{text!r} is a folder; a file's name is wanted")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r}: there is no folder {str(path.parent)!r}; make it first")
    if not os.access(path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"{text!r}: folder {str(path.parent)!r} cannot be written")
    return path


def complain(message: str) -> None:
    """A sentence on standard error."""
    print(message, file=sys.stderr, flush=True)


# --- spit eval -------------------------------------------------------------------------------------------------------


def add_eval_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``spit eval``."""
    parser.add_argument("a", metavar="A", help="a bot: random, greedy, emma:hard, ... (spit bots lists them)")
    parser.add_argument("b", metavar="B", help="another one")
    parser.add_argument(
        "more", metavar="C", nargs="*", default=(), help="a third and a fourth, for rules with as many players"
    )
    count = parser.add_mutually_exclusive_group()
    count.add_argument("--games", type=whole_number(1, MAX_GAMES), metavar="N",
                       help=f"how many games, rounded up to a multiple of the players (default: {GAMES})")  # fmt: skip
    count.add_argument("--deals", type=whole_number(1, MAX_GAMES // 2), metavar="N",
                       help="so many deals, each played from every seat")  # fmt: skip
    parser.add_argument("--seed", type=whole_number(0, MAX_SEED), default=0, metavar="S",
                        help="which deals; the same seed gives the same games anywhere (default: 0)")  # fmt: skip
    parser.add_argument("--rules", default="emma", metavar="R", help="a preset (spit rules lists them; default: emma)")
    parser.add_argument("--recall", choices=("perfect", "none"), default="perfect",
                        help="whether observations tell of cards seen earlier (default: perfect)")  # fmt: skip
    parser.add_argument("--json", type=output_file, metavar="F", help="also write all figures and every game to F")


def run_eval(args: argparse.Namespace) -> int:
    """Play a match and print what it says."""
    from spit_env.rules import make_rules
    from spit_train.evaluate import evaluate, make_players
    from spit_train.report import print_evaluation, progress_bar, write_atomically

    sys.path.append(os.getcwd())  # where a bot of one's own, mymodule:MyBot, is looked for last
    rules = make_rules(args.rules)
    bots = make_players([args.a, args.b, *args.more], rules)
    deals = args.deals or -(-(args.games or GAMES) // len(bots))
    games = len(bots) * deals
    if args.games and games != args.games:
        complain(
            f"spit eval: --games {args.games} is no multiple of {len(bots)}; playing {games}, each deal from every seat"
        )
    with progress_bar(" v ".join(bot.name for bot in bots)) as progress:
        outcome = evaluate(bots, games, args.seed, rules=rules, recall=args.recall, progress=progress)
    if args.json:
        write_atomically(args.json, outcome.to_json())
    print_evaluation(outcome)
    cheats = [f"{side.name} {side.illegal}" for side in outcome.sides if side.illegal]
    if cheats:
        complain(
            f"spit eval: illegal actions ({', '.join(cheats)}) were replaced by the lowest-numbered legal one: "
            "the bot is broken, and the result says little"
        )
    return 1 if cheats else 0


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
        "Trains a policy by masked PPO against a pool of opponents; stop and resume at any time.",
        ("spit train --help",),
        add_train_arguments,
        run_train,
    ),
    "eval": Command(
        "play bots against each other: who is better, and how sure is that",
        "Plays bots against each other, as many as the rules have players, and prints how often each wins, with "
        "Wilson's 95 % interval; for three or four also their mean places, with 95 % intervals over deals. The games "
        "are fixed beforehand by the seed; each deal is played from every seat. A bot that names no speed plays at "
        "that of the first who does; if nobody does, all play at emma:hard. A game that is cut off counts as a win "
        "for nobody. Exit code 1: a bot chose illegal actions.",
        (
            "spit eval greedy emma:hard",
            "spit eval greedy emma:hard --games 2000 --seed 7 --json greedy.json",
            "spit eval random greedy@emma:easy --deals 50 --rules pagat",
            "spit eval emma:hard 'emma:hard*1.10' --games 1000",
        ),
        add_eval_arguments,
        run_eval,
    ),
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
