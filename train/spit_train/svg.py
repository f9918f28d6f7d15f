"""Pictures as SVG that is put into a page: in the page's font and colours, the same bytes every time."""

import io
import re
import warnings
from html import escape
from itertools import count
from typing import Any

from spit_train.document import Plot, printable

# Colours to draw with. They stand for those of the page, which differ between light and dark.
INK, MUTED, LINE = "#000001", "#000002", "#000003"
COLOURS = ("#000010", "#000011", "#000012", "#000013", "#000014")
VARIABLES = {INK: "--ink", MUTED: "--muted", LINE: "--line"} | {c: f"--c{k}" for k, c in enumerate(COLOURS)}
SIZE = 6.4, 3.5  # inches
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # letters, not outlines
    "font.size": 9.5,
    "text.parse_math": False,  # a dollar in a name is a dollar
    "text.color": INK,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": MUTED,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": LINE,
    "grid.linewidth": 0.7,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.5,
}


def svg_of(plot: Plot, name: str) -> str:
    """Draw a picture; ``name`` is put before the ids of its parts, which are the page's."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({**STYLE, "svg.hashsalt": name}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # the page's font may have what ours has not
        figure = Figure(figsize=SIZE, layout="constrained")
        plot.draw(figure)
        text = io.StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    return embedded(text.getvalue(), name, f"{plot.title}. {plot.words}")


def embedded(text: str, name: str, words: str) -> str:
    """A file of SVG as an element of HTML."""
    box = re.search(r'viewBox="[^"]*"', text)
    assert box is not None
    body = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", text[text.index(">", box.end()) + 1 :], flags=re.S)
    body = re.sub(r"#0000[01][0-9a-f](?=[;\"])", lambda colour: page_colour(colour[0]), body)
    ids = {old: f"{name}-{number}" for number, old in zip(count(), re.findall(r'\bid="([^"]*)"', body))}
    body = re.sub(r'\bid="([^"]*)"', lambda found: f'id="{ids[found[1]]}"', body)
    body = re.sub(r"url\(#([^)]*)\)", lambda found: f"url(#{ids.get(found[1])})", body)
    body = re.sub(r'xlink:href="#([^"]*)"', lambda found: f'href="#{ids.get(found[1])}"', body)
    return f'<svg {box[0]} role="img" aria-label="{escape(printable(words))}">{body.strip()}'


def page_colour(colour: str) -> str:
    """The page's colour that one of ours stands for."""
    return f"var({VARIABLES[colour]})" if colour in VARIABLES else colour
