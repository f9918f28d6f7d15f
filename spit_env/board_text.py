"""What the texts of all games' boards have in common: cards, counts, and which cards a text leaves to chance.

A card is a rank with or without a suit, such as ``7c`` or ``7``, a joker a ``*``. ``x`` is any card. Brackets say who
knows a card that does not lie open; each game's `board` module says which it uses.

| | |
|---|---|
| `7`, `7c` | this card; without a suit, the first of c d h s that is free |
| `x` | a card that the text leaves open: drawn from the cards that are not named |
| `[7c]` | a face-down card that everybody knows |
| `(7c)` | a face-down card that nobody has seen |
| `{7c}` | a face-down card that was seen, and whose place is no longer known |
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from spit_env.cards import JOKER_SYMBOL, RANK_SYMBOLS, SUIT_SYMBOLS, card_name
from spit_env.draws import DEAL, below, word
from spit_env.errors import BadBoard, BadText

OPEN, PLAIN, KNOWN, HIDDEN, LOST = "x", "", "[", "(", "{"  # how a card begins says who knows it
CARD = f"[{RANK_SYMBOLS}{JOKER_SYMBOL}][{SUIT_SYMBOLS}]?"  # as a regular expression
_TOKEN = re.compile(rf"x|{CARD}|\[{CARD}\]|\({CARD}\)|\{{{CARD}\}}")


class Card(NamedTuple):
    """What a text says of one card."""

    where: str  # in the words of an error message
    mark: str
    name: str = ""  # rank and suit, or the rank alone, or nothing if the card is left open


def read_lines(text: object, count: int, form: str) -> list[str]:
    """The lines of a board, blank ones left out.

    Raises:
        BadText: if there are not ``count``; ``form`` says how they should look.
    """
    if not isinstance(text, str):
        raise BadText(f"a board is a text of {count} lines; got {text!r:.40}")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) != count:
        raise BadText(f"a board has {count} lines: {form}; this text has {len(lines)}")
    return lines


def read_cards(text: str, where: str, marks: Sequence[str], hint: str) -> Iterator[Card]:
    """The cards of a text in which they stand one behind the other, without spaces.

    Raises:
        BadText: at what is no card, or has a mark that is not among ``marks``; ``hint`` says what would be right.
    """
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        mark = text[at] if text[at] in (OPEN, KNOWN, HIDDEN, LOST) else PLAIN
        if not match or mark not in marks:
            raise BadText(f"{where}: cannot read {text[at : at + 9]!r}; {hint}")
        at = match.end()
        yield Card(where, mark, match[0].strip("x[](){}"))


def read_list(text: str, where: str, marks: Sequence[str], hint: str, most: int) -> list[Card]:
    """A count of cards that are left open, such as ``7``, or the cards in brackets, such as ``[2h x]``.

    Raises:
        BadText: as `read_cards`, and for a bracket that is not closed.
        BadBoard: for a count above ``most``.
    """
    if not text.startswith("["):
        return [Card(where, OPEN)] * read_count(text, where, most)
    if not text.endswith("]"):
        raise BadText(f"{where}: cannot read {text[:40]!r}; {hint}")
    return [card for part in text[1:-1].split() for card in read_cards(part, where, marks, hint)]


def read_count(digits: str, where: str, most: int) -> int:
    """A number of cards.

    Raises:
        BadBoard: if it is above ``most``, the size of the pack.
    """
    if len(digits) > 3 or int(digits) > most:
        raise BadBoard(f"{where}: {digits[:9]} cards; the pack has {most}")
    return int(digits)


def assign(wanted: Sequence[Card], pack: Sequence[int], seed: int) -> tuple[list[int], int]:
    """The cards that are wanted, in order, and how many draws that took.

    Cards with a suit are taken first, then those with a rank: of each the first in ``pack`` that is free. For those
    left open the rest of the pack is shuffled with the stream `DEAL` of ``seed``, and given out from the end.

    Raises:
        ValueError: for a seed outside 0 to 2**63 - 1.
        BadBoard: if the pack has no such card left.
    """
    if not 0 <= seed < 2**63:
        raise ValueError(f"seed={seed!r} must be a whole number from 0 to 2**63 - 1")
    if len(wanted) > len(pack):
        raise BadBoard(f"{len(wanted)} cards on the board; the pack has {len(pack)}")
    cards = [-1] * len(wanted)
    owner: dict[int, str] = {}
    names = [card_name(card) for card in pack]
    for size in (2, 1):
        for i, (where, _, name) in enumerate(wanted):
            if len(name) == size:
                fitting = [card for card, full in zip(pack, names) if full.startswith(name)]
                cards[i] = _first_free(fitting, owner, where, name)
                owner[cards[i]] = where
    if -1 not in cards:
        return cards, 0
    left = [card for card in pack if card not in owner]
    draws = len(left) - 1
    for draw, i in enumerate(range(draws, 0, -1)):
        j = below(word(seed, DEAL, draw), i + 1)
        left[i], left[j] = left[j], left[i]
    return [card if card >= 0 else left.pop() for card in cards], draws


def _first_free(cards: Sequence[int], owner: Mapping[int, str], where: str, name: str) -> int:
    if not cards:
        raise BadBoard(f"{where}: the pack has no {name}")
    for card in cards:
        if card not in owner:
            return card
    others = ", ".join(owner[card] for card in cards)
    raise BadBoard(f"{where}: no {name} is left; on the board already: {others}")
