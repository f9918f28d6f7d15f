"""Boards of California Speed as text.

A board is a line for each player: the four stacks of the row, bottom to top, with the pack.

    Y: 7c | 9d3h | Kd | 2c*   p22
    E: 4h | Jc8c | x9h | -   p[2h x (5c)]

| | |
|---|---|
| `7`, `7c` | a card; without a suit, the first of c d h s that is free |
| `x` | a card that the text leaves open: drawn from the cards that are not named |
| `-` | a place without cards; fewer than four stacks: the others are such places |
| `2c*` | coverable though no other top has its rank: the match was broken by the first cover (CS-04) |
| `p22`, `p[2h x (5c)]` | the pack: so many cards, or its cards from the top down |
| `(5c)` | a card of the pack that nobody has seen; a card by itself was seen, and everybody knows where it is |

Y is seat 0, E is seat 1. Without any stack the rows have yet to be laid. Cards may be missing from a board.
"""

import re
from typing import Any

import numpy as np

from spit_env.board_text import HIDDEN, OPEN, PLAIN, Card, assign, read_cards, read_lines, read_list
from spit_env.california.check import derive, pack_of, stack_of
from spit_env.california.state import CARDS, SEATS, STACKS, blank
from spit_env.california.text import SEAT_LETTERS
from spit_env.cards import RANK_SYMBOLS, SUIT_SYMBOLS, card_name
from spit_env.errors import BadBoard, BadText
from spit_env.ruleset import Rules
from spit_env.state import LOCKED, RACE

_SIDE = re.compile(rf"([{SEAT_LETTERS}]):(.*?)(?:\sp([0-9]+|\[.*))?")
_EMPTY, _COVERABLE = "-", "*"
_STACK_HINT = f"write cards such as 7c or 7 (ranks {RANK_SYMBOLS}, suits {SUIT_SYMBOLS}), or x for any"
_PACK_HINT = "write p[2h x (5c)], the top card first"


def parse_board(text: str, rules: Rules, seed: int = 0) -> np.void:
    """The state record, dtype `STATE`, of a game that begins with this board, for `Batch.reset`.

    The game is at time 0 just after the rows are laid, or before if there are none. Cards left open are drawn from the
    stream `DEAL` of ``seed``, in the order of the text.

    Raises:
        ValueError: for a seed outside 0 to 2**63 - 1.
        BadText: if the text is not in the notation of this module.
        BadBoard: for a board that cannot exist, such as one with a card twice.
    """
    lines = read_lines(text, SEATS, "'Y: ...' and 'E: ...'")
    sides = [_parse_side(line, letter) for line, letter in zip(lines, SEAT_LETTERS)]
    wanted = [card for stacks, _, pack in sides for place in (*stacks, pack) for card in place]
    if not wanted:
        raise BadBoard("no card on the board")
    record = blank(rules)
    cards, record["deal_n"] = assign(wanted, range(CARDS), seed)
    record["seed"] = seed
    for card, said in zip(cards, wanted):
        record["seen"][card] = said.mark == PLAIN
    rest = iter(cards)
    for p, (stacks, coverable, pack) in enumerate(sides):
        for s, stack in enumerate(stacks):
            record["height"][p, s] = len(stack)
            record["stack"][p, s, : len(stack)] = [next(rest) for _ in stack]
            record["coverable"][p, s] = coverable[s]
        record["pack_n"][p] = len(pack)
        record["pack"][p, : len(pack)] = [next(rest) for _ in pack][::-1]
    derive(record)
    laid = record["height"].any()
    record["phase"] = RACE if laid else LOCKED
    record["phase_until"] = 0 if laid else record["spit_pause_ms"]
    return record


def format_board(record: Any, reveal: bool = False) -> str:
    """The board of a game as text; a card in a hand lies where it came from.

    Without ``reveal``: what lies open on the table. With it: every card and who knows it, so that `parse_board` gives
    back the same cards.
    """
    tops = record["top"].ravel().tolist()
    lines = []
    for p, letter in enumerate(SEAT_LETTERS):
        slots = []
        for s in range(STACKS):
            names = [card_name(card) for card in stack_of(record, p, s)]
            shown = names if reveal else [*(OPEN for _ in names[1:]), *names[-1:]]
            broken = record["coverable"][p, s] and tops.count(int(record["top"][p, s])) == 1
            slots.append("".join(shown) + (_COVERABLE if broken else "") or _EMPTY)
        pack = [*pack_of(record, p), *(int(card) for card in record["card"][p : p + 1] if card >= 0)][::-1]
        names = [card_name(card) if record["seen"][card] else f"({card_name(card)})" for card in pack]
        shown_pack = f"[{' '.join(names)}]" if reveal and pack else len(pack)
        lines.append(f"{letter}: {' | '.join(slots)}   p{shown_pack}")
    return "\n".join(lines)


def _parse_side(line: str, letter: str) -> tuple[list[list[Card]], list[bool], list[Card]]:
    """The stacks, which of them are marked as coverable, and the pack, top first, of a player's line."""
    match = _SIDE.fullmatch(line)
    if not match or match[1] != letter:
        raise BadText(
            f"cannot read {line[:40]!r}: write '{letter}:', the stacks with | between them, and the pack as p22"
        )
    slots = [slot.strip() for slot in match[2].split("|")]
    if len(slots) > STACKS:
        raise BadBoard(f"{letter}: {len(slots)} stacks; a row has {STACKS}")
    slots += [_EMPTY] * (STACKS - len(slots))
    stacks = [_parse_stack(slot.removesuffix(_COVERABLE), f"{letter} stack {s + 1}") for s, slot in enumerate(slots)]
    coverable = [slot.endswith(_COVERABLE) for slot in slots]
    for s, stack in enumerate(stacks):
        if coverable[s] and not stack:
            raise BadBoard(f"{letter} stack {s + 1}: a place without cards cannot be covered")
    pack = read_list(match[3] or "0", f"{letter} pack", (OPEN, PLAIN, HIDDEN), _PACK_HINT, CARDS)
    return stacks, coverable, pack


def _parse_stack(slot: str, where: str) -> list[Card]:
    """The cards of a place, bottom to top."""
    if slot == _EMPTY:
        return []
    if not slot:
        raise BadText(f"{where}: nothing there; write - for a place without cards")
    return list(read_cards(slot, where, (OPEN, PLAIN), _STACK_HINT))
