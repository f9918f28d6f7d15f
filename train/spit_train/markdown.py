"""A report as GitHub Markdown."""

import re

from spit_train.document import Document, Grid, Section, printable

SPECIAL = re.compile(r"([\\`*_~\[\]<>&|])")


def markdown_of(document: Document, footer: str) -> str:
    """The report; its pictures are left out."""
    parts = [
        f"# {escaped(document.title)}",
        *(f"**{escaped(sentence)}**" for sentence in document.lead),
        *(part for section in document.sections for part in section_parts(section)),
        "## The same again",
        f"    {printable(document.command)}",
        escaped(footer),
    ]
    return "\n\n".join(parts) + "\n"


def section_parts(section: Section) -> list[str]:
    """Title, paragraphs and tables; nothing if there is nothing but pictures."""
    shown = [
        markdown_table(block) if isinstance(block, Grid) else escaped(block)
        for block in section.blocks
        if isinstance(block, Grid | str)
    ]
    return [f"## {escaped(section.title)}", *shown] if shown else []


def markdown_table(grid: Grid) -> str:
    """A table, with a line below its head as Markdown wants it."""
    rule = ["---:" if head in grid.right else "---" for head in grid.head]
    rows = [grid.head, *grid.rows]
    lines = [f"| {' | '.join(escaped(cell) for cell in row)} |" for row in rows]
    return "\n".join([lines[0], f"|{'|'.join(rule)}|", *lines[1:]])


def escaped(text: str) -> str:
    """Text in which nothing is taken for markup."""
    return SPECIAL.sub(r"\\\1", printable(text))
