"""Boards as text, in the notation of the rules catalogue.

A board is three lines: the stacks of each player, bottom to top, with the deck, and the two piles.

    Y: 7 | x9 | xx3 | [2c](5d)xQs | -   d11
    E: 4h | xJ | xx8 | xxx8 | xxxxT   d[2h x (5c)]
    L=9(6) R=Kd

| | |
|---|---|
| `7`, `7c` | a face-up card; without a suit, the first of c d h s that is free |
| `x` | a face-down card that the text leaves open: drawn from the cards that are not named |
| `[7c]` | a face-down card that everybody knows: it was seen, and its place was followed |
| `(7c)` | a face-down card that nobody has seen |
| `{7c}` | a face-down card that was seen and that a shuffle has hidden again |
| `-` | a gap; fewer than five stacks: the others are gaps |
| `d7`, `d[2h x x]` | the deck: so many cards, or its cards from the top down; a card by itself is known |
| `L=-`, `L=9` | no pile; a pile of one card |
| `L=9(6)`, `L=[2c 3d]` | six cards, the top a nine; the cards bottom to top |

L is the pile of E (seat 1), R that of Y (seat 0). Pile cards were all seen. Cards may be missing from a board.
"""

import re
from typing import Any

import numpy as np

from spit_env.board_text import (
    CARD,
    HIDDEN,
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
from spit_env.cards import RANK_SYMBOLS, SUIT_SYMBOLS, card_name, rank_of
from spit_env.errors import BadBoard, BadText
from spit_env.ruleset import Rules
from spit_env.spit.check import derive
from spit_env.spit.moves import source_of
from spit_env.spit.state import CARDS, DEPTH, SEATS, STACKS, blank
from spit_env.spit.text import PILE_LETTERS, SEAT_LETTERS
from spit_env.state import LOCKED, RACE

_SIDE = re.compile(r"([YE]):(.*?)(?:\sd([0-9]+|\[.*))?")
_PILES = re.compile(r"L=(\S+|\[[^]]*\])\s+R=(\S+|\[[^]]*\])")
_PILE = re.compile(rf"(-)(?:\(0\))?|({CARD})(?:\(([0-9]+)\))?|\[([^]]*)\]")
_MARKS = (OPEN, PLAIN, KNOWN, HIDDEN, LOST)
_HINT = (
    f"write a rank of {RANK_SYMBOLS} with or without a suit of {SUIT_SYMBOLS}, x for any face-down card, "
    "[7c] (7c) or {7c} for a certain one"
)


def parse_board(text: str, rules: Rules, seed: int = 0) -> np.void:
    """The state record, dtype `STATE`, of a game that begins with this board, for `Batch.reset`.

    The game is at time 0 just after a spit, or before the first one if there is no pile. Cards left open are drawn
    from the stream `DEAL` of ``seed``: the cards not named, in ascending order, are shuffled and dealt out from the
    end in the order of the text.

    Raises:
        ValueError: for unknown rules or a seed outside 0 to 2**63 - 1.
        BadText: if the text is not in the notation of this module.
        BadBoard: for a board that cannot exist, such as one with a card twice.
    """
    lines = read_lines(text, SEATS + 1, "'Y: ...', 'E: ...' and 'L=... R=...'")
    sides = [_parse_side(line, letter) for line, letter in zip(lines, SEAT_LETTERS)]
    piles = _parse_piles(lines[-1])
    record = blank(rules)
    record["seed"] = seed
    wanted = [card for stacks, deck in sides for place in (*stacks, deck) for card in place]
    wanted += [card for pile in piles for card in pile]
    cards, record["deal_n"] = assign(wanted, range(CARDS), seed)
    for card, said in zip(cards, wanted):
        record["known"][card] = 1 + rank_of(card) if said.mark in (PLAIN, KNOWN) else 0
        record["seen"][card] = said.mark in (PLAIN, KNOWN, LOST)
    rest = iter(cards)
    for p, (stacks, deck) in enumerate(sides):
        for s, stack in enumerate(stacks):
            record["height"][p, s] = len(stack)
            record["down"][p, s] = sum(card.mark != PLAIN for card in stack)
            record["stack"][p, s, : len(stack)] = [next(rest) for _ in stack]
        record["deck_n"][p] = len(deck)
        record["deck"][p, : len(deck)] = [next(rest) for _ in deck][::-1]
    for pile, p in zip(piles, reversed(range(SEATS))):
        record["pile_n"][p] = len(pile)
        record["pile"][p, : len(pile)] = [next(rest) for _ in pile]
    derive(record)
    record["budget"] = record["rearrange_budget"]
    record["spit_to"] = np.arange(SEATS)
    record["phase"] = RACE if record["pile_n"].any() else LOCKED
    record["phase_until"] = 0 if record["pile_n"].any() else record["spit_pause_ms"]
    return record


def format_board(record: Any, reveal: bool = False) -> str:
    """The board of a game as text; a card in a hand lies where it came from.

    Without ``reveal``: what lies open on the table. With it: every card and who knows it, so that `parse_board` gives
    back the same cards.
    """
    lines = []
    for p, letter in enumerate(SEAT_LETTERS):
        stacks = [record["stack"][p, s, : record["height"][p, s]].tolist() for s in range(STACKS)]
        if record["card"][p] >= 0:
            stacks[source_of(int(record["action"][p]))].append(int(record["card"][p]))
        slots = []
        for stack, down in zip(stacks, record["down"][p].tolist()):
            hidden = [_mark(record, card, "[{}]") if reveal else "x" for card in stack[:down]]
            slots.append("".join([*hidden, *map(card_name, stack[down:])]) or "-")
        deck = record["deck"][p, : record["deck_n"][p]].tolist()
        shown = f"[{' '.join(_mark(record, card, '{}') for card in deck[::-1])}]" if reveal and deck else len(deck)
        lines.append(f"{letter}: {' | '.join(slots)}   d{shown}")
    piles = []
    for p in reversed(range(SEATS)):
        pile = [card_name(card) for card in record["pile"][p, : record["pile_n"][p]].tolist()]
        shown = "-" if not pile else pile[-1] if len(pile) == 1 else f"{pile[-1]}({len(pile)})"
        piles.append(f"{PILE_LETTERS[p]}={'[' + ' '.join(pile) + ']' if reveal and len(pile) > 1 else shown}")
    return "\n".join([*lines, " ".join(piles)])


def _mark(record: Any, card: int, known: str) -> str:
    """A face-down card with the brackets that tell who knows it."""
    if record["known"][card]:
        return known.format(card_name(card))
    return f"{{{card_name(card)}}}" if record["seen"][card] else f"({card_name(card)})"


def _parse_side(line: str, letter: str) -> tuple[list[list[Card]], list[Card]]:
    """The stacks and the deck, top first, of a player's line."""
    match = _SIDE.fullmatch(line)
    if not match or match[1] != letter:
        raise BadText(
            f"cannot read {line[:40]!r}: write '{letter}:', the stacks with | between them, and the deck as d7"
        )
    slots = [slot.strip() for slot in match[2].split("|")]
    if len(slots) > STACKS:
        raise BadBoard(f"{letter}: {len(slots)} stacks; a player has {STACKS}")
    slots += ["-"] * (STACKS - len(slots))
    stacks = [_parse_stack(slot, f"{letter} stack {s + 1}") for s, slot in enumerate(slots)]
    if not any(stacks):
        raise BadBoard(f"{letter}: no card in any stack; the round would be over")
    deck = match[3] or "0"
    return stacks, read_list(deck, f"{letter} deck", _MARKS, "write d[2h x (5c)], the top card first", CARDS)


def _parse_stack(slot: str, where: str) -> list[Card]:
    if slot == "-":
        return []
    cards = list(read_cards(slot, where, _MARKS, _HINT))
    if not cards:
        raise BadText(f"{where}: nothing there; write - for a gap")
    if len(cards) > DEPTH:
        raise BadBoard(f"{where}: {len(cards)} cards; a stack has at most {DEPTH}")
    down = sum(card.mark != PLAIN for card in cards)
    if any(card.mark == PLAIN for card in cards[:down]):
        raise BadBoard(f"{where}: a face-down card above a face-up one in {slot!r}")
    if len({card.name[0] for card in cards[down:]}) > 1:
        raise BadBoard(f"{where}: face-up cards of two ranks in {slot!r}; they share one rank")
    return cards


def _parse_piles(line: str) -> list[list[Card]]:
    """The cards of L and R, bottom to top."""
    match = _PILES.fullmatch(line)
    if not match:
        raise BadText(f"cannot read {line[:40]!r}; write the piles as L=9(6) R=K, with - for no pile")
    piles = []
    for letter, text in zip("LR", match.groups()):
        where = f"pile {letter}"
        pile = _PILE.fullmatch(text)
        if not pile:
            raise BadText(f"{where}: cannot read {text[:40]!r}; write -, 9, 9(6) or [2c 3d 4h]")
        if pile[4] is not None:
            cards = read_list(text, where, (OPEN, PLAIN), "write cards without brackets", CARDS)
            if not cards:
                raise BadText(f"{where}: cannot read {text[:40]!r}; write - for no pile")
            piles.append([card._replace(mark=PLAIN) for card in cards])
        elif pile[1]:
            piles.append([])
        else:
            size = read_count(pile[3] or "1", where, CARDS)
            if size == 0:
                raise BadBoard(f"{where}: a pile of 0 cards has no top; write -")
            piles.append([Card(where, PLAIN)] * (size - 1) + [Card(where, PLAIN, pile[2])])
    return piles
