"""Where finished games are kept, so that a run that was stopped goes on where it was.

One line of JSON for each block of deals: the cohort's key, the number of the first deal, and the games as columns. A
line is written in one go when its block is finished; a last line that a crash has cut short is dropped when the file
is read.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from spit_agents.match import GameResults

FORMAT, VERSION = "spit-games", 1


class BadJournal(ValueError):
    """A file that is no journal of games."""


class Block(NamedTuple):
    """Finished games: all those of some deals in a row."""

    first: int  # number of the first deal
    deals: int
    rows: GameResults


class Journal:
    """Finished blocks by cohort, in memory and, with a path, in a file as well.

    Args:
        path: an existing journal is read and continued; None keeps the games in memory only.

    Raises:
        BadJournal: if the file is something else.
        OSError: if it cannot be read or written.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.blocks: dict[str, list[Block]] = {}
        if path is None:
            return
        kept = 0
        if path.exists():
            kept = self._read(path.read_bytes())
        with path.open("ab") as file:
            file.truncate(kept)
            if not kept:
                file.write(as_line({"format": FORMAT, "version": VERSION}))

    @property
    def games(self) -> int:
        """How many games are kept."""
        return sum(len(block.rows.seed) for blocks in self.blocks.values() for block in blocks)

    def of(self, key: str, deals: int) -> list[Block]:
        """The blocks of a cohort that are done, as far as they lie among its first ``deals`` deals; in order."""
        blocks = [cut(block, deals) for block in self.blocks.get(key, ()) if block.first < deals]
        return sorted(blocks, key=lambda block: block.first)

    def add(self, key: str, block: Block) -> None:
        """Keep a finished block."""
        self.blocks.setdefault(key, []).append(block)
        if self.path is not None:
            with self.path.open("ab") as file:
                file.write(block_line(key, block))
                file.flush()
                os.fsync(file.fileno())

    def save(self, path: Path) -> "Journal":
        """A journal in a file with all that is kept here."""
        there = Journal(path)
        for key, blocks in self.blocks.items():
            for block in blocks:
                there.add(key, block)
        return there

    def _read(self, data: bytes) -> int:
        """Take up the whole lines of a file; returns how many bytes they are."""
        whole = data.rfind(b"\n") + 1
        lines = data[:whole].splitlines()
        if lines and parsed(lines[0], self.path, 1) != {"format": FORMAT, "version": VERSION}:
            raise BadJournal(f"{self.path}: no journal of games of version {VERSION}; give another folder")
        for number, line in enumerate(lines[1:], 2):
            values = parsed(line, self.path, number)
            try:
                block = Block(values["first"], values["deals"], rows_of(values["columns"]))
                self.blocks.setdefault(values["cohort"], []).append(block)
            except (LookupError, TypeError, ValueError) as error:
                raise BadJournal(f"{self.path}, line {number}: no block of games ({error!r})") from error
        return whole


def as_line(values: dict[str, Any]) -> bytes:
    """A line of JSON."""
    return json.dumps(values, separators=(",", ":")).encode() + b"\n"


def parsed(line: bytes, path: Path | None, number: int) -> Any:
    """What a line of JSON says."""
    try:
        return json.loads(line)
    except ValueError as error:
        raise BadJournal(f"{path}, line {number}: not JSON; give another folder, or cut the line out") from error


def block_line(key: str, block: Block) -> bytes:
    """A block as a line."""
    columns = {name: column.tolist() for name, column in block.rows._asdict().items()}
    return as_line({"cohort": key, "first": block.first, "deals": block.deals, "columns": columns})


def rows_of(columns: dict[str, Any]) -> GameResults:
    """Columns of a line as results."""
    return GameResults(**{name: np.asarray(columns[name], np.int64) for name in GameResults._fields})


def cut(block: Block, deals: int) -> Block:
    """The part of a block that lies among the first ``deals`` deals."""
    keep = min(block.deals, deals - block.first)
    n = block.rows.rank.shape[1]
    return Block(block.first, keep, GameResults(*(column[: keep * n] for column in block.rows)))


def joined(blocks: list[Block]) -> GameResults:
    """The games of blocks that follow one another without a gap."""
    return GameResults(*(np.concatenate(columns) for columns in zip(*(block.rows for block in blocks))))


def gaps(blocks: list[Block], deals: int) -> Iterator[tuple[int, int]]:
    """The (first deal, number of deals) that are missing among the first ``deals``; blocks in order."""
    at = 0
    for block in blocks:
        if block.first > at:
            yield at, block.first - at
        at = max(at, block.first + block.deals)
    if at < deals:
        yield at, deals - at
