"""What a table tells people in words, for every game: the clock, the phase, what a hand is doing, and cards as text."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from spit_env.cards import FIRST_JOKER, JOKER, JOKER_SYMBOL, RANK_SYMBOLS, SUIT_GLYPHS, SUIT_SYMBOLS, SUITS, rank_of
from spit_env.state import END_REASONS, IDLE, LOCKED, OPEN, OVER, PAUSE, PHASE_NAMES, RETURN, THINK

COLUMNS = 96  # the most that a line of text has
BACK = "▒▒"  # a card, face down

_BAR = 12  # letters of a flight
_PLAIN = str.maketrans("╭╮╰╯│─▒━┄▶◀·" + SUIT_GLYPHS, "..''|-#=.><-" + SUIT_SYMBOLS)


class Hand(NamedTuple):
    """What a hand is doing: in words, and if something moves, from where to where and how far it has come."""

    words: str
    left: int = 0  # ms
    share: float = 0.0  # of the way that lies behind, 0 to 1
    card: int = -1
    source: int = -1  # the stack, or place in a hand, that the card comes from
    stack: int = -1  # the stack that it goes to or turns
    pile: int = -1  # the pile that it goes to

    @property
    def returns(self) -> bool:
        """Whether a card that did not fit travels back."""
        return self.words == "returns"


def at_rest(record: Any, p: int) -> Hand | None:
    """The hand of seat p if no action is under way."""
    hand = int(record["hand"][p])
    if hand == THINK:
        return Hand("thinks", _left(record, p))
    if hand in (IDLE, OPEN):
        return Hand("idle" if hand == IDLE else "waits" if record["declined"][p] else "may choose")
    return None


def under_way(record: Any, p: int, words: str, **where: int) -> Hand:
    """The hand of seat p whose action is under way; ``where`` are the fields of `Hand` from ``card`` on."""
    left, total = _left(record, p), int(record["travel_ms"][p])
    returns = record["hand"][p] == RETURN
    if returns and record["return_ms"] >= 0:
        total = int(record["return_ms"])
    share = min(1.0, max(0.0, 1 - left / max(1, total)))
    return Hand("returns" if returns else words, left, share, **where)


def _left(record: Any, p: int) -> int:
    return max(0, int(record["until"][p]) - int(record["time"]))


def phase_words(record: Any, seat_letters: str, start: str, turn: str) -> str:
    """The phase; ``start`` and ``turn`` say what comes at the end of LOCKED and of PAUSE."""
    phase, winner = int(record["phase"]), int(record["winner"])
    if phase in (LOCKED, PAUSE):
        wait = max(0, int(record["phase_until"]) - int(record["time"])) / 1000
        return f"{start if phase == LOCKED else turn} in {wait:.1f} s"
    if phase == OVER:
        reason = END_REASONS[record["end_reason"]].replace("_", " ")
        return f"{seat_letters[winner]} wins: {reason}" if winner >= 0 else f"cut off: {reason}"
    return PHASE_NAMES[phase]


def clock(record: Any) -> str:
    """The time since the game began."""
    minutes, ms = divmod(int(record["time"]), 60_000)
    return f"{minutes}:{ms // 1000:02}.{ms % 1000:03}"


# --- Text ------------------------------------------------------------------------------------------------------------


def head(record: Any, title: str, phase: str) -> list[str]:
    """The first two lines of a table."""
    return [f" {title}" + f"{clock(record)} · {phase}".rjust(COLUMNS - 1 - len(title)), "─" * COLUMNS]


def page(lines: Iterable[str], plain: bool, colour: bool) -> str:
    """The lines as one text, in ASCII only, or with red suits in red for a terminal."""
    drawn = "\n".join(line.rstrip() for line in lines) + "\n"
    if plain:
        return drawn.translate(_PLAIN)
    return re.sub(r"[A2-9TJQK][♦♥]", "\x1b[31m\\g<0>\x1b[39m", drawn) if colour else drawn


def card_text(card: int, name: int = JOKER) -> str:
    """A card: ``"7♣"``, a joker ``"**"``, or with a name ``"*=7"``."""
    if card >= FIRST_JOKER:
        return JOKER_SYMBOL * 2 if name == JOKER else f"{JOKER_SYMBOL}={RANK_SYMBOLS[name]}"
    return RANK_SYMBOLS[rank_of(card)] + SUIT_GLYPHS[card % SUITS]


def box(face: str, *label: str) -> list[str]:
    """A card's three lines, or those of its empty place if there is no ``face``, each with a label."""
    edge = "─" * len(face)
    lines = [f"╭{edge}╮", f"│{face}│", f"╰{edge}╯"] if face else ["", " ··", ""]
    return [line.ljust(4) + text for line, text in zip(lines, label or ("", "", ""), strict=True)]


def side_by_side(cells: Iterable[list[str]], width: int) -> list[str]:
    """Cells of as many lines each, so many letters wide or more, from left to right."""
    return ["   " + "".join(line.ljust(width) for line in row) for row in zip(*cells)]


def doing(hand: Hand, card: str = "", source: str = "", goal: str = "") -> str:
    """What a hand is doing, in a line: with a bar that shows how far it has come if it has a goal."""
    words = [hand.words]
    if goal:
        done = round(hand.share * _BAR)
        behind, ahead = "━" * done, "┄" * (_BAR - done)
        words += [card, source, f"{ahead}◀{behind}" if hand.returns else f"{behind}▶{ahead}", goal]
    return " ".join(filter(None, words)) + (f" · {hand.left} ms" if hand.left else "")
