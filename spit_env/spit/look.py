"""The table for people: as text and as an image, for whoever may see what lies open on it.

Seat 1 (E) sits on top, seat 0 (Y) below; L is E's own pile, R is Y's. Face-down cards stay face down.
"""

from typing import Any

from spit_env import drawing, sprites
from spit_env.drawing import GOLD, WIDTH, Image, Spot, blit, write
from spit_env.spit.moves import source_of, target_of
from spit_env.spit.state import FIRST_FLIP, FIRST_MOVE, FIRST_PICK, FIRST_PLAY, SEATS, SPIT, STACKS
from spit_env.spit.text import PILE_LETTERS, SEAT_LETTERS
from spit_env.sprites import CARD_H, CARD_W
from spit_env.state import OVER, PICK, RACE, SLAP, SOLO
from spit_env.telling import (
    BACK,
    Hand,
    at_rest,
    box,
    card_text,
    clock,
    doing,
    head,
    page,
    phase_words,
    side_by_side,
    under_way,
)


def _hand(record: Any, p: int) -> Hand:
    if rest := at_rest(record, p):
        return rest
    action, card = int(record["action"][p]), int(record["card"][p])
    if action >= FIRST_PICK:
        return under_way(record, p, "slaps", pile=(p + action - FIRST_PICK) % SEATS)
    if action == SPIT:
        return under_way(record, p, "calls spit")
    source = source_of(action)
    if action < FIRST_FLIP:
        return under_way(record, p, "plays", card=card, source=source, pile=(p + action - FIRST_PLAY) % SEATS)
    if action < FIRST_MOVE:
        return under_way(record, p, "flips", stack=source)
    return under_way(record, p, "moves", card=card, source=source, stack=target_of(action))


def _phase(record: Any) -> str:
    """The phase, in words."""
    phase = int(record["phase"])
    if phase in (PICK, SOLO):
        return f"{SEAT_LETTERS[record['chooser']]} {'picks a pile' if phase == PICK else 'names a pile'}"
    if phase == SLAP:
        return "slap!"
    if phase == RACE and record["stuck"]:
        return "stuck"
    return phase_words(record, SEAT_LETTERS, "first spit", "spit")


# --- Text ------------------------------------------------------------------------------------------------------------


def ansi(record: Any, *, plain: bool = False, colour: bool = False) -> str:
    """The table as text, at most `COLUMNS` wide.

    ``plain`` keeps to ASCII; ``colour`` prints red suits in red, for a terminal.
    """
    lines = head(record, f"round {int(record['rounds']) + 1}", _phase(record))
    widths = [
        max(6, *(int(record["down"][p, s] + 3 * (record["height"][p, s] - record["down"][p, s])) + 1 for p in (0, 1)))
        for s in range(STACKS)
    ]
    for p in reversed(range(SEATS)):
        hand = _status(record, p)
        rows = _stack_rows(record, p, widths)
        lines += [hand, *rows, "", *_pile_rows(record), ""] if p else [*rows, hand]
    return page(lines, plain, colour)


def _status(record: Any, p: int) -> str:
    """A player's line: counts, and what the hand does."""
    hand = _hand(record, p)
    card = card_text(hand.card) if hand.card >= 0 else ""
    source = str(hand.source + 1) if hand.source >= 0 else ""
    goal = PILE_LETTERS[hand.pile] if hand.pile >= 0 else str(hand.stack + 1) if hand.stack >= 0 else ""
    count = int(record["height"][p].sum()) + (record["card"][p] >= 0)
    counts = f" {SEAT_LETTERS[p]} {count} in stacks, {int(record['deck_n'][p])} in deck"
    return counts.ljust(40) + doing(hand, card, source, goal)


def _stack_rows(record: Any, p: int, widths: list[int]) -> list[str]:
    rows = ["   "] * 4
    for s, width in enumerate(widths):
        height, down = int(record["height"][p, s]), int(record["down"][p, s])
        faces = [card_text(card) for card in record["stack"][p, s, down:height].tolist()] or [BACK]
        under = down if down < height else down - 1
        cell = ["", " ··", "", "gap"]
        if height:
            cell = [
                f"{'╭' * under}{'╭──' * len(faces)}╮",
                f"{'│' * under}│{'│'.join(faces)}│",
                f"{'╰' * under}{'╰──' * len(faces)}╯",
                f"x{height}",
            ]
        rows = [row + line.ljust(width + 2) for row, line in zip(rows, cell)]
    return rows


def _pile_rows(record: Any) -> list[str]:
    """E's deck and pile, Y's pile and deck, side by side."""
    cells = []
    for what, p in (("deck", 1), ("pile", 1), ("pile", 0), ("deck", 0)):
        n = int(record[f"{what}_n"][p])
        face = "" if n == 0 else BACK if what == "deck" else card_text(int(record["pile"][p, n - 1]))
        name = PILE_LETTERS[p] if what == "pile" else f"{SEAT_LETTERS[p]} deck"
        cells.append(box(face, "", f" {name}", f" x{n}"))
    return side_by_side(cells, 18)


# --- Image -----------------------------------------------------------------------------------------------------------

_STACK_X = [118 + 88 * s for s in range(STACKS)]
_STACK_Y = (292, 46)
_PILE_AT = ((352, 204), (236, 204))  # x, y by owner
_DECK_AT = ((566, 292), (22, 46))
_FAN_DOWN, _FAN_UP, _FAN_MOST = 6, 20, 88  # how far a card shows, and how far a whole stack may reach


def rgb_array(record: Any) -> Image:
    """The table as an image, shape (480, 640, 3)."""
    image = drawing.table(f"round {int(record['rounds']) + 1}", clock(record), _phase(record))
    hands = [_hand(record, p) for p in range(SEATS)]
    for p in range(SEATS):
        _draw_deck(image, int(record["deck_n"][p]), *_DECK_AT[p])
        _draw_pile(image, record, p)
        for s in range(STACKS):
            _draw_stack(image, record, p, s, hands[p])
        drawing.draw_hand_words(image, SEAT_LETTERS[p], hands[p], *((22, 208, 0.0) if p else (WIDTH - 22, 208, 1.0)))
    for p in range(SEATS):
        _draw_flight(image, record, p, hands[p])
    if record["phase"] == OVER:
        drawing.draw_end(image, _phase(record))
    return image


def _spot(record: Any, p: int, s: int, index: int) -> Spot:
    """Where a stack's card number ``index`` lies."""
    down = int(record["down"][p, s])
    highest = max(int(record["height"][p, s]) - 1, index, 1)
    reach = _FAN_DOWN * min(down, highest) + _FAN_UP * max(0, highest - down)
    offset = _FAN_DOWN * min(down, index) + _FAN_UP * max(0, index - down)
    return _STACK_X[s], _STACK_Y[p] + round(offset * min(1.0, _FAN_MOST / max(1, reach)))


def _draw_deck(image: Image, n: int, x: int, y: int) -> None:
    if n == 0:
        blit(image, sprites.outline(), x, y)
    drawing.draw_heap(image, n, x, y + 14)
    write(image, str(n), x + CARD_W // 2, y + CARD_H + 22, align=0.5)


def _draw_pile(image: Image, record: Any, p: int) -> None:
    x, y = _PILE_AT[p]
    n = int(record["pile_n"][p])
    drawing.draw_pile(image, record["pile"][p, :n].tolist(), x, y)
    if n and record["phase"] in (PICK, SOLO, SLAP):
        blit(image, sprites.outline(GOLD, 1.0), x, y)
    outer = x + CARD_W + 10 if p == 0 else x - 10
    write(image, PILE_LETTERS[p], outer, y + 22, align=float(p), size=14, colour=sprites.WHITE)
    write(image, str(n), outer, y + 42, align=float(p))


def _draw_stack(image: Image, record: Any, p: int, s: int, hand: Hand) -> None:
    height, down = int(record["height"][p, s]), int(record["down"][p, s])
    if height == 0:
        blit(image, sprites.outline(), _STACK_X[s], _STACK_Y[p])
    for i, card in enumerate(record["stack"][p, s, :height].tolist()):
        x, y = _spot(record, p, s, i)
        if i >= down:
            blit(image, sprites.face(card), x, y)
        elif i == height - 1 and hand.stack == s and hand.words == "flips":
            width = max(3, round(CARD_W * (1 - hand.share)))
            blit(image, sprites.narrowed(width), x + (CARD_W - width) // 2, y)
        else:
            blit(image, sprites.back(), x, y)
    write(image, str(height), _STACK_X[s] + CARD_W // 2, _STACK_Y[p] - 15, align=0.5, size=10)


def _draw_flight(image: Image, record: Any, p: int, hand: Hand) -> None:
    """The card in a hand, on its way."""
    if hand.card < 0:
        return
    start = _spot(record, p, hand.source, int(record["height"][p, hand.source]))
    goal = _spot(record, p, hand.stack, int(record["height"][p, hand.stack])) if hand.pile < 0 else _PILE_AT[hand.pile]
    drawing.draw_flight(image, sprites.face(hand.card), hand, start, goal)
