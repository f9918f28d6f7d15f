"""Boards as text: a line for each player and one for the piles.

    Y: 7c K 3 [9d] -   s15
    E: x x x x x   s[2h x 5]   +12
    L=6(3) r5   R=* r[2c {7c} x]

| | |
|---|---|
| `7`, `7c`, `*` | a card; without a suit, the first of c d h s that is free; `*` is a joker |
| `x` | a card that the text leaves open: drawn from the cards that are not named |
| `-` | an empty slot of the hand; fewer than five (in a row, four) slots: the others are empty |
| `[9d]` | a card of a hand that everybody knows: it was played and came back |
| `s15`, `s[2h x 5]` | the stock: so many cards, or its cards from the top down; none if it is left out |
| `+12` | the score, in a match |
| `L=-`, `L=6` | no pile; a pile of one card |
| `L=6(3)`, `L=[2c 3d 6h]` | three cards, the top a six; the cards bottom to top |
| `L=*`, `L=*=7`, `L=[6h *=7]` | a joker without a name on top; one that counts as a seven |
| `L=(x)`, `L=(7c)` | before the start: no pile, but a starter, face down |
| `r5`, `r[2c {7c} x]` | the reserve of the pile before it, as a stock; `{7c}` was seen, but not where it went |

The players Y, E, F, G have the piles R, L, M, N in front of them; piles come in any order. The cards of a hand are
known to their owner only; with ``layout="row4"`` they lie open, and a deck is written as a stock. With two packs a card
may stand on a board twice. Cards may be missing from a board.
"""

import re
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from spit_env.board_text import (
    CARD,
    KNOWN,
    LOST,
    OPEN,
    PLAIN,
    Card,
    assign,
    read_cards,
    read_count,
    read_lines,
    read_list,
)
from spit_env.cards import FIRST_JOKER, JOKER, JOKER_SYMBOL, NO_CARD, RANK_SYMBOLS, card_name
from spit_env.errors import BadBoard, BadText
from spit_env.ruleset import Rules
from spit_env.speed.check import derive, pack_of
from spit_env.speed.moves import slot_of
from spit_env.speed.rules import SpeedRules
from spit_env.speed.state import NO_TOP, ROW4, SLOTS, blank
from spit_env.speed.text import PILE_LETTERS, SEAT_LETTERS
from spit_env.state import LOCKED, RACE

_SIDE = re.compile(rf"([{SEAT_LETTERS}]):(.*?)(?:\ss([0-9]+|\[.*?))?(?:\s+\+([0-9]+))?")
_HEAP = re.compile(rf"([{PILE_LETTERS}])=(\[[^]]*\]|\S+)(?:\s+r([0-9]+|\[.*))?")
_NAME = f"(?:=([{RANK_SYMBOLS}]))?"
_PILE = re.compile(rf"(-)|\((x|{CARD})\)|({CARD}){_NAME}(?:\(([0-9]+)\))?|\[([^]=]*){_NAME}\]")


class _Side(NamedTuple):
    """What the text says of a player."""

    hand: list[Card | None]  # by slot
    stock: list[Card]  # top first
    score: int


class _Heap(NamedTuple):
    """What the text says of a pile and its reserve."""

    starter: list[Card]  # one at most
    pile: list[Card]  # bottom to top
    name: int  # the rank that a joker on top counts as, NO_TOP: none
    reserve: list[Card]  # top first


def parse_board(text: str, rules: Rules, seed: int = 0) -> np.void:
    """The state record of a game that begins with this board, for `Batch.reset`.

    The game is at time 0 just after a turn, or before the start if there is no pile. Cards left open are drawn as
    `spit_env.board_text.assign` says, in the order of the text.

    Raises:
        ValueError: for a seed outside 0 to 2**63 - 1.
        BadText: if the text is not in the notation of this module.
        BadBoard: for a board that cannot exist, such as one with a card twice.
    """
    assert isinstance(rules, SpeedRules)
    pack = pack_of(rules.decks, rules.jokers)
    record = blank(rules)
    seats = rules.n_players
    form = ", ".join(f"'{letter}: ...'" for letter in SEAT_LETTERS[:seats]) + " and 'L=... R=...'"
    lines = read_lines(text, seats + 1, form)
    sides = [_parse_side(line, letter, rules, len(pack)) for line, letter in zip(lines, SEAT_LETTERS[:seats])]
    heaps = _parse_heaps(lines[-1], rules, len(pack))
    wanted = [card for side in sides for card in (*side.hand, *side.stock) if card]
    wanted += [card for heap in heaps.values() for card in (*heap.starter, *heap.pile, *heap.reserve)]
    cards, record["deal_n"] = assign(wanted, pack, seed)
    record["seed"] = seed
    for card, said in zip(cards, wanted):
        record["seen"][card] = said.mark in (KNOWN, LOST)
    rest = iter(cards)
    for p, side in enumerate(sides):
        record["held"][p, : len(side.hand)] = [next(rest) if said else NO_CARD for said in side.hand]
        _lay(record, "stock", p, [*islice(rest, len(side.stock))][::-1])
        record["score"][p] = side.score
    for i, heap in heaps.items():
        for card in islice(rest, len(heap.starter)):
            record["starter"][i] = card
        _lay(record, "pile", i, [*islice(rest, len(heap.pile))])
        _lay(record, "reserve", i, [*islice(rest, len(heap.reserve))][::-1])
        record["top"][i] = heap.name
    derive(record)
    record["phase"] = RACE if record["pile_n"].any() else LOCKED
    record["phase_until"] = 0 if record["pile_n"].any() else record["spit_pause_ms"]
    return record


def _lay(record: Any, name: str, i: int, cards: list[int]) -> None:
    """Cards, bottom to top, as a stock, a pile or a reserve."""
    record[name][i, : len(cards)] = cards
    record[f"{name}_n"][i] = len(cards)


def format_board(record: Any, reveal: bool = False) -> str:
    """The board of a game as text; a card in flight is written in the slot that it came from.

    Without ``reveal``: what lies open on the table. With it: every card and who knows it, so that `parse_board` gives
    back the same cards.
    """
    seats = len(record["hand"])
    lines = []
    for p, letter in enumerate(SEAT_LETTERS[:seats]):
        hand = record["held"][p, : record["hand_size"]].tolist()
        if record["card"][p] >= 0:
            hand[slot_of(int(record["action"][p]), seats)] = int(record["card"][p])
        score = f"   +{record['score'][p]}" if record["match_score"] else ""
        slots = " ".join(_slot(record, card, reveal) for card in hand)
        lines.append(f"{letter}: {slots}   s{_heap(record, 'stock', p, reveal)}{score}")
    heaps = []
    for letter in sorted(PILE_LETTERS[:seats]):
        i = PILE_LETTERS.index(letter)
        reserve = "" if record["layout"] == ROW4 else f" r{_heap(record, 'reserve', i, reveal)}"
        heaps.append(f"{letter}={_pile(record, i, reveal)}{reserve}")
    return "\n".join([*lines, "   ".join(heaps)])


def _slot(record: Any, card: int, reveal: bool) -> str:
    if card < 0:
        return "-"
    if record["layout"] == ROW4:
        return card_name(card)
    return "x" if not reveal else f"[{card_name(card)}]" if record["seen"][card] else card_name(card)


def _heap(record: Any, name: str, i: int, reveal: bool) -> str:
    """A stock or a reserve, from the top down."""
    cards = record[name][i, : record[f"{name}_n"][i]].tolist()[::-1]
    if not reveal or not cards:
        return str(len(cards))
    shown = (f"{{{card_name(card)}}}" if record["seen"][card] else card_name(card) for card in cards)
    return f"[{' '.join(shown)}]"


def _pile(record: Any, i: int, reveal: bool) -> str:
    starter, top = int(record["starter"][i]), int(record["top"][i])
    if starter >= 0:
        return f"({card_name(starter) if reveal else 'x'})"
    cards = record["pile"][i, : record["pile_n"][i]].tolist()
    if not cards:
        return "-"
    name = f"={RANK_SYMBOLS[top]}" if cards[-1] >= FIRST_JOKER and top != JOKER else ""
    if len(cards) == 1:
        return card_name(cards[0]) + name
    return f"[{' '.join(map(card_name, cards))}{name}]" if reveal else f"{card_name(cards[-1])}{name}({len(cards)})"


def _parse_side(line: str, letter: str, rules: SpeedRules, most: int) -> _Side:
    match = _SIDE.fullmatch(line)
    if not match or match[1] != letter:
        raise BadText(f"cannot read {line[:40]!r}; write '{letter}:', the hand by slot, and the stock as s15")
    slots = match[2].split()
    size = SLOTS if rules.layout == "hand5" else SLOTS - 1
    if len(slots) > size:
        raise BadBoard(f"{letter}: {len(slots)} slots in the hand; there are {size}")
    hand = [_parse_slot(slot, f"{letter} slot {k}", rules.layout == "row4") for k, slot in enumerate(slots, 1)]
    hint = "write s15 or s[2h x 5], the top card first"
    stock = read_list(match[3] or "0", f"{letter} stock", (OPEN, PLAIN), hint, most)
    if not rules.announce and not stock and not any(hand):
        raise BadBoard(f"{letter}: no card in hand or stock; the deal would be over")
    score = int((match[4] or "0")[:9])
    if score >= max(1, rules.match_score):
        raise BadBoard(f"{letter}: a score of {score} with match_score={rules.match_score}; the game would be over")
    return _Side(hand, stock, score)


def _parse_slot(text: str, where: str, is_open: bool) -> Card | None:
    if text == "-":
        return None
    marks = (OPEN, PLAIN) if is_open else (OPEN, PLAIN, KNOWN)
    known = "" if is_open else ", [7c] for one that all know"
    hint = f"write 7c, 7 or *{known}, x for any card, - for an empty slot, and spaces between them"
    card, *others = read_cards(text, where, marks, hint)
    if others:
        raise BadText(f"{where}: cannot read {text[:40]!r}; {hint}")
    return card._replace(mark=KNOWN) if is_open else card


def _parse_heaps(line: str, rules: SpeedRules, most: int) -> dict[int, _Heap]:
    """The piles and reserves in the order of the text, by the seat that they belong to."""
    heaps: dict[int, _Heap] = {}
    letters = PILE_LETTERS[: rules.n_players]
    parts = re.split(rf"\s+(?=[{PILE_LETTERS}]=)", line)
    for part in parts:
        match = _HEAP.fullmatch(part)
        if not match:
            raise BadText(f"cannot read {part[:40]!r}; write each pile with its reserve as L=6(3) r5, - for no pile")
        hint = "write r5 or r[2h x {7c}], the top card first"
        reserve = read_list(match[3] or "0", f"reserve {match[1]}", (OPEN, PLAIN, LOST), hint, most)
        if reserve and rules.layout == "row4":
            raise BadBoard(f"reserve {match[1]}: a row of four is played without reserves; leave it out")
        heap = _parse_pile(match[2], f"pile {match[1]}", most)._replace(reserve=reserve)
        if heap.starter and rules.starters == 0:
            raise BadBoard(f"pile {match[1]}: the rules have no starters; write - before the start")
        heaps[PILE_LETTERS.index(match[1])] = heap
    if sorted(part[0] for part in parts) != sorted(letters):
        raise BadText(f"the piles are {' '.join(part[0] for part in parts)}; write one each of {' '.join(letters)}")
    for i, heap in heaps.items():
        if heap.starter and any(other.pile for other in heaps.values()):
            raise BadBoard(f"pile {letters[i]}: a starter, but the race has begun on another pile; write -")
    return heaps


def _parse_pile(text: str, where: str, most: int) -> _Heap:
    """A pile or a starter, without the reserve."""
    hint = "write -, 6, 6(3), *=7 or [2c 3d 6h], and before the start (x)"
    match = _PILE.fullmatch(text)
    if not match:
        raise BadText(f"{where}: cannot read {text[:40]!r}; {hint}")
    none, starter, top, name, count, listed, last_name = match.groups()
    if none:
        return _Heap([], [], NO_TOP, [])
    if starter:
        return _Heap([Card(where, PLAIN, starter.strip("x"))], [], NO_TOP, [])
    if top:
        size = read_count(count or "1", where, most)
        if size == 0:
            raise BadBoard(f"{where}: a pile of 0 cards has no top; write -")
        pile = [Card(where, KNOWN)] * (size - 1) + [Card(where, KNOWN, top)]
    else:
        pile = [card._replace(mark=KNOWN) for card in read_list(f"[{listed}]", where, (OPEN, PLAIN), hint, most)]
        if not pile:
            raise BadText(f"{where}: cannot read {text[:40]!r}; write - for no pile")
    rank = name or last_name
    if rank and not pile[-1].name.startswith(JOKER_SYMBOL):
        raise BadBoard(f"{where}: {text[:40]!r} counts as {rank}, but no joker is on top")
    return _Heap([], pile, RANK_SYMBOLS.index(rank) if rank else NO_TOP, [])
