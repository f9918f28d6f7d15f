"""The words of a command line: what a subcommand is, and types of arguments that several of them share."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

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


def output_folder(text: str) -> Path:
    """A type of argument: a folder that exists or can be made, and be written to."""
    path = Path(text)
    if path.exists() and not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is a file; a folder's name is wanted")
    if not path.is_dir() and not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r}: there is no folder {str(path.parent)!r}; make it first")
    there = path if path.is_dir() else path.parent
    if not os.access(there, os.W_OK):
        raise argparse.ArgumentTypeError(f"{text!r}: folder {str(there)!r} cannot be written")
    return path


def percentage(text: str) -> float:
    """A type of argument: a share in per cent, such as 0.5%."""
    try:
        value = float(text.removesuffix("%")) / 100
    except ValueError:
        value = 0.0
    if not text.endswith("%") or not 0 < value < 0.5:
        raise argparse.ArgumentTypeError(f"{text!r} must be a share above 0% and below 50%, such as 0.5%")
    return value


def add_games(parser: argparse.ArgumentParser, games: int, of: str = "") -> None:
    """The arguments that all commands share which play games: so many if nothing is said, ``of`` what."""
    count = parser.add_mutually_exclusive_group()
    count.add_argument("--games", type=whole_number(1, MAX_GAMES), metavar="N",
                       help=f"how many games{of}, a multiple of the number of players (default: {games})")  # fmt: skip
    count.add_argument("--deals", type=whole_number(1, MAX_GAMES // 2), metavar="N",
                       help="so many deals, each played from every seat")  # fmt: skip
    parser.add_argument("--seed", type=whole_number(0, MAX_SEED), default=0, metavar="S",
                        help="which deals; the same seed gives the same games anywhere (default: 0)")  # fmt: skip
    parser.add_argument("--rules", default="emma", metavar="R", help="a preset (spit rules lists them; default: emma)")
    parser.add_argument("--recall", choices=("perfect", "none"), default="perfect",
                        help="whether observations tell of cards seen earlier (default: perfect)")  # fmt: skip
    parser.add_argument("--workers", type=whole_number(1, 256), metavar="N",
                        help="processes that play; no result changes (default: all cores, for long runs)")  # fmt: skip
    parser.add_argument("--out", type=output_folder, metavar="DIR",
                        help="keep every game in DIR and write report.html, report.md and report.json there; the same "
                        "command goes on where it was stopped")  # fmt: skip


def deals_wanted(args: argparse.Namespace, players: int, games: int) -> int:
    """How many deals are to be played, by `add_games`; says so if the games are no multiple of the players."""
    deals: int = args.deals or -(-(args.games or games) // players)
    if args.games and args.games != deals * players:
        complain(
            f"spit {args.command}: --games {args.games} is no multiple of {players}; playing {deals * players}, each "
            "deal from every seat"
        )
    return deals
