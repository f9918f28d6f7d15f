"""The table of California Speed for people: as text and as an image, for whoever may see what lies open on it.

Seat 1 (E) sits on top, seat 0 (Y) below, each behind the own row of four stacks; 3E is E's third. Packs lie face down.
"""

from typing import Any

from spit_env import drawing, sprites
from spit_env.california.moves import place_of
from spit_env.california.state import SEATS, STACKS
from spit_env.california.text import SEAT_LETTERS
from spit_env.drawing import GOLD, WIDTH, Image, Spot, blit, write
from spit_env.sprites import CARD_H, CARD_W
from spit_env.state import OVER
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
    return under_way(record, p, "covers", card=int(record["card"][p]), stack=place_of(p, int(record["action"][p])))


def _phase(record: Any) -> str:
    """The phase, in words."""
    return phase_words(record, SEAT_LETTERS, "start", "stuck: new rows")


# --- Text ------------------------------------------------------------------------------------------------------------


def ansi(record: Any, *, plain: bool = False, colour: bool = False) -> str:
    """The table as text, at most `COLUMNS` wide; ``!`` marks what may be covered.

    ``plain`` keeps to ASCII; ``colour`` prints red suits in red, for a terminal.
    """
    lines = head(record, f"round {int(record['rounds']) + 1}", _phase(record))
    lines += [_status(record, 1), *_row_text(record, 1), "", *_row_text(record, 0), _status(record, 0)]
    return page(lines, plain, colour)


def _status(record: Any, p: int) -> str:
    """A player's line: counts, and what the hand does."""
    hand = _hand(record, p)
    card, goal = "", ""
    if hand.stack >= 0:
        owner, stack = divmod(hand.stack, STACKS)
        card, goal = card_text(hand.card), f"{stack + 1}{SEAT_LETTERS[owner]}"
    count = int(record["pack_n"][p]) + (hand.card >= 0)
    return f" {SEAT_LETTERS[p]} {count} in pack".ljust(40) + doing(hand, card, goal=goal)


def _row_text(record: Any, p: int) -> list[str]:
    """A player's stacks and pack."""
    cells = []
    for s in range(STACKS):
        n = int(record["height"][p, s])
        face = card_text(int(record["stack"][p, s, n - 1])) if n else ""
        name = f" {s + 1}{SEAT_LETTERS[p]}" + (" !" if record["coverable"][p, s] else "")
        cells.append(box(face, "", name, f" x{n}"))
    n = int(record["pack_n"][p])
    cells.append(box(BACK if n else "", "", f" {SEAT_LETTERS[p]} pack", f" x{n}"))
    return side_by_side(cells, 12)


# --- Image -----------------------------------------------------------------------------------------------------------

_STACK_X = [141 + 102 * s for s in range(STACKS)]
_ROW_Y = (296, 126)  # by owner, as what follows
_PACK_AT = ((WIDTH - 22 - CARD_W, 384), (22, 62))
_WORDS_AT = ((WIDTH - 22, 296), (22, 166))
_HALO = 5  # pixels


def rgb_array(record: Any) -> Image:
    """The table as an image, shape (480, 640, 3); what may be covered has a golden rim."""
    image = drawing.table(f"round {int(record['rounds']) + 1}", clock(record), _phase(record))
    hands = [_hand(record, p) for p in range(SEATS)]
    for p, hand in enumerate(hands):
        drawing.draw_deck(image, int(record["pack_n"][p]), *_PACK_AT[p])
        for s in range(STACKS):
            _draw_stack(image, record, p, s)
        drawing.draw_hand_words(image, SEAT_LETTERS[p], hand, *_WORDS_AT[p], 1.0 - p)
    for p, hand in enumerate(hands):
        if hand.stack >= 0:
            drawing.draw_flight(image, sprites.face(hand.card), hand, _PACK_AT[p], _place(*divmod(hand.stack, STACKS)))
    if record["phase"] == OVER:
        drawing.draw_end(image, _phase(record))
    return image


def _place(owner: int, stack: int) -> Spot:
    return _STACK_X[stack], _ROW_Y[owner]


def _draw_stack(image: Image, record: Any, p: int, s: int) -> None:
    x, y = _place(p, s)
    height = int(record["height"][p, s])
    if record["coverable"][p, s]:
        blit(image, sprites.halo(_HALO, GOLD), x - _HALO, y - _HALO)
    drawing.draw_pile(image, record["stack"][p, s, :height].tolist(), x, y)
    write(image, str(height), x + CARD_W // 2, y - 18 if p else y + CARD_H + 8, align=0.5, size=10)
