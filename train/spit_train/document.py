"""What a report holds, said once: it is shown on a terminal, written as Markdown and made into a page."""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Grid(NamedTuple):
    """A table; every row has as many cells as the head."""

    head: tuple[str, ...]  # all empty: a table without a head
    rows: tuple[tuple[str, ...], ...]
    right: Collection[str] = ()  # the columns that are flush right, by their heads


class Plot(NamedTuple):
    """A picture, drawn when it is needed."""

    title: str
    words: str  # what is to be seen
    draw: "Callable[[Figure], None]"


Block = str | Grid | Plot  # a string is a paragraph


class Section(NamedTuple):
    """A part of a report under its own title."""

    title: str
    blocks: tuple[Block, ...]
    detail: bool = False  # not for the terminal


class Document(NamedTuple):
    """A report."""

    title: str
    lead: tuple[str, ...]  # the answers, in sentences
    sections: tuple[Section, ...]
    command: str  # that gives the same results again


def grid(head: Collection[str], rows: Collection[Collection[str]], right: Collection[str] = ()) -> Grid:
    """A table from any collections of text."""
    return Grid(tuple(head), tuple(tuple(row) for row in rows), right)


def printable(text: str) -> str:
    """Text without line breaks and control characters: the name of a bot may hold anything."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
