"""Playing for a command: with a progress bar, and so that Ctrl-C loses nothing."""

import argparse
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TypeVar

from spit_train.arguments import complain
from spit_train.journal import Journal
from spit_train.report import progress_bar
from spit_train.study import How

T = TypeVar("T")


def with_journal(args: argparse.Namespace, title: str, play: Callable[[How], T]) -> T:
    """Play with a progress bar and a journal; after Ctrl-C say how to go on."""
    if args.out:
        args.out.mkdir(exist_ok=True)
    journal = Journal(args.out / "games.jsonl" if args.out else None)
    try:
        with progress_bar(title) as progress:
            return play(How(args.workers, journal, progress))
    except KeyboardInterrupt:
        if journal.games:
            complain(f"spit {args.command}: stopped; {journal.games} games are kept. {kept_where(journal, args)}")
        raise


def kept_where(journal: Journal, args: argparse.Namespace) -> str:
    """How to go on; saves a journal that is in memory only."""
    if args.out:
        return "The same command goes on."
    folder = next(path for number in count(1) if not (path := Path(f"spit-{args.command}-{number}")).exists())
    folder.mkdir()
    journal.save(folder / "games.jsonl")
    return f"The same command with --out {folder} goes on."
