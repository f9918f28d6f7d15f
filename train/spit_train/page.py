"""A report as one page of HTML that needs nothing else: no network, no scripts; pictures are part of it."""

from html import escape
from itertools import count, groupby

from spit_train.document import Block, Document, Grid, Plot, Section, printable
from spit_train.svg import svg_of

CSS = """
:root { --paper: #ffffff; --ink: #1c2126; --muted: #626b75; --line: #d9dee3; --soft: #f4f6f8;
  --c0: #1f6feb; --c1: #d9730d; --c2: #1a8f5a; --c3: #8250df; --c4: #c8324a; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181c; --ink: #e3e7eb; --muted: #98a2ad; --line: #343b43;
  --soft: #1d2328; --c0: #6ba5ff; --c1: #f0a04b; --c2: #4cc38a; --c3: #b794f6; --c4: #f2788a; } }
body { margin: 0 auto; padding: 2rem 1.5rem 3rem; max-width: 74rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2.2rem 0 0.7rem; }
.lead { font-size: 1.15rem; margin: 0.4rem 0; padding-left: 0.9rem; border-left: 3px solid var(--c0);
  max-width: 60rem; overflow-wrap: anywhere; }
p { max-width: 60rem; margin: 0.6rem 0; }
.wide { overflow-x: auto; margin: 0.8rem 0; }
table { border-collapse: collapse; font-size: 0.92rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 0.32rem 1.4rem 0.32rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; min-width: 3rem; }
th { font-weight: 600; color: var(--muted); }
tbody th { font-weight: 400; white-space: pre; }
.right { text-align: right; }
.side { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(28rem, 100%), 1fr)); gap: 1.4rem;
  align-items: start; }
figure { margin: 0; padding: 0.9rem 1rem; background: var(--soft); border-radius: 8px; min-width: 0; }
figcaption { font-size: 0.88rem; color: var(--muted); margin-bottom: 0.5rem; overflow-wrap: anywhere; }
figcaption b { display: block; color: var(--ink); font-size: 0.98rem; }
svg { display: block; width: 100%; height: auto; }
svg * { stroke-linejoin: round; stroke-linecap: butt; }
pre { background: var(--soft); border-radius: 8px; padding: 0.8rem 1rem; overflow-x: auto; font-size: 0.9rem; }
footer { color: var(--muted); font-size: 0.88rem; margin-top: 1rem; }
@media print { body { max-width: none; padding: 0; } figure { break-inside: avoid; } }
"""
NARROW = 55  # letters in a row of a table
# Even if some text were taken for markup, it could load and run nothing.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="{policy}"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>{title}</title>
<style>{css}</style>
</head>
<body>
{body}
</body>
</html>
"""


def page_of(document: Document, footer: str) -> str:
    """The page; it is well-formed XML as well."""
    parts = [
        f"<h1>{safe(document.title)}</h1>",
        *(f'<p class="lead">{safe(sentence)}</p>' for sentence in document.lead),
        *(section_html(section, f"s{number}") for number, section in enumerate(document.sections)),
        f"<h2>The same again</h2>\n<pre>{safe(document.command)}</pre>",
        f"<footer>{safe(footer)}</footer>",
    ]
    return PAGE.format(policy=POLICY, title=safe(document.title), css=CSS, body="\n".join(parts))


def section_html(section: Section, name: str) -> str:
    """A section; pictures and narrow tables that follow one another are side by side."""
    shown, numbers = ["<section>", f"<h2>{safe(section.title)}</h2>"], count()
    for beside, blocks in groupby(section.blocks, is_narrow):
        parts = [block_html(block, f"{name}p{next(numbers)}") for block in blocks]
        shown += ['<div class="side">', *parts, "</div>"] if beside else parts
    return "\n".join([*shown, "</section>"])


def is_narrow(block: Block) -> bool:
    """Whether two such blocks fit side by side."""
    if isinstance(block, Grid):
        columns = zip(block.head, *block.rows, strict=True)
        return sum(2 + max(map(len, column)) for column in columns) <= NARROW
    return isinstance(block, Plot)


def block_html(block: Block, name: str) -> str:
    """A paragraph, a table or a picture."""
    if isinstance(block, Plot):
        return plot_html(block, name)
    return grid_html(block) if isinstance(block, Grid) else f"<p>{safe(block)}</p>"


def grid_html(grid: Grid) -> str:
    """A table; the first cell of each row is its head."""
    sides = [' class="right"' if head in grid.right else "" for head in grid.head]
    head = "".join(f"<th{side}>{safe(text)}</th>" for text, side in zip(grid.head, sides))
    rows = []
    for first, *rest in grid.rows:
        cells = "".join(f"<td{side}>{safe(cell)}</td>" for cell, side in zip(rest, sides[1:]))
        rows.append(f"<tr><th>{safe(first)}</th>{cells}</tr>")
    top = f"<thead><tr>{head}</tr></thead>" if any(grid.head) else ""
    return "\n".join([f'<div class="wide"><table>{top}<tbody>', *rows, "</tbody></table></div>"])


def plot_html(plot: Plot, name: str) -> str:
    """A picture with its title; ``name`` tells its parts from those of others."""
    title = f"<b>{safe(plot.title)}</b> {safe(plot.words)}"
    return f"<figure><figcaption>{title}</figcaption>{svg_of(plot, name)}</figure>"


def safe(text: str) -> str:
    """Text in which nothing is taken for markup."""
    return escape(printable(text))
