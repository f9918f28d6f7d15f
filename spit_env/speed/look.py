"""The table of Speed for people: as text and as an image, for a spectator, who sees what lies open on it.

Seat 0 (Y) sits below, the others (E, F, G) above it from the left on, and the piles in front of them (L, M, N, and R of
Y) in a row in the middle, each beside its reserve. A hand is seen from behind, but for cards that bounced: those all
know. What a player at rest thinks of would tell of the hand, so it is told of open rows only.
"""

from typing import Any, NamedTuple

from spit_env import drawing, sprites
from spit_env.drawing import WIDTH, Image, Spot, blit, write
from spit_env.speed.moves import pile_number, slot_of
from spit_env.speed.state import ROW4, SLOTS, call_action, draw_action
from spit_env.speed.text import PILE_LETTERS, SEAT_LETTERS
from spit_env.sprites import CARD_H, CARD_W
from spit_env.state import OVER, PICK
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


def _seats(record: Any) -> int:
    return int(record["hand"].shape[0])


def _others_first(record: Any) -> list[int]:
    """The seats, or their piles, from the left to the right."""
    return [*range(1, _seats(record)), 0]


def _is_row(record: Any) -> bool:
    """Whether hands are open rows of four."""
    return bool(record["layout"] == ROW4)


def _hand(record: Any, p: int) -> Hand:
    if rest := at_rest(record, p):
        return rest if _is_row(record) else Hand("at rest")
    seats, action = _seats(record), int(record["action"][p])
    if action == call_action(seats):
        return under_way(record, p, "calls speed")
    if action == draw_action(seats):
        return under_way(record, p, "draws", source=_free_slot(record, p))
    card, pile = int(record["card"][p]), (p + pile_number(action, seats)) % seats
    return under_way(record, p, "plays", card=card, source=slot_of(action, seats), pile=pile)


def _free_slot(record: Any, p: int) -> int:
    """Where a card that is drawn comes to lie."""
    return next(slot for slot in range(SLOTS) if record["held"][p, slot] < 0)


def _shown(record: Any, p: int) -> list[int | None]:
    """What lies in each slot of a hand: a card that all see or know, -1 for one that they do not, None for none."""
    cards = record["held"][p, : record["hand_size"]].tolist()
    return [None if card < 0 else card if record["seen"][card] else -1 for card in cards]


def _title(record: Any) -> str:
    goal = int(record["match_score"])
    return f"deal {int(record['rounds']) + 1} · match to {goal}" if goal else "speed"


def _phase(record: Any) -> str:
    """The phase, in words."""
    return "between deals" if record["phase"] == PICK else phase_words(record, SEAT_LETTERS, "start", "stuck: turn")


# --- Text ------------------------------------------------------------------------------------------------------------


def ansi(record: Any, *, plain: bool = False, colour: bool = False) -> str:
    """The table as text, at most `COLUMNS` wide.

    ``plain`` keeps to ASCII; ``colour`` prints red suits in red, for a terminal.
    """
    lines = head(record, _title(record), _phase(record))
    for p in _others_first(record):
        rows = _hand_rows(record, p)
        lines += [_status(record, p), *rows, ""] if p else [*_pile_rows(record), "", *rows, _status(record, p)]
    return page(lines, plain, colour)


def _status(record: Any, p: int) -> str:
    """A player's line: counts, and what the hand does."""
    hand = _hand(record, p)
    held = int((record["held"][p] >= 0).sum()) + (hand.card >= 0)
    what = "row" if _is_row(record) else "hand"
    counts = f" {SEAT_LETTERS[p]} {held} in {what}, {int(record['stock_n'][p])} in stock"
    if record["match_score"]:
        counts += f", score {int(record['score'][p])}"
    card = card_text(hand.card, int(record["named"][p])) if hand.card >= 0 else ""
    source = str(hand.source + 1) if hand.card >= 0 else ""
    goal = PILE_LETTERS[hand.pile] if hand.pile >= 0 else str(hand.source + 1) if hand.source >= 0 else ""
    return counts.ljust(40) + doing(hand, card, source, goal)


def _hand_rows(record: Any, p: int) -> list[str]:
    faces = ["" if card is None else BACK if card < 0 else card_text(card) for card in _shown(record, p)]
    n = int(record["stock_n"][p])
    stock = box(BACK if n else "", "", f" {SEAT_LETTERS[p]} stock", f" x{n}")
    return side_by_side([*map(box, faces), [" " * 4] * 3, stock], 5)


def _pile_rows(record: Any) -> list[str]:
    """Each reserve and its pile."""
    cells = []
    for pile in _others_first(record):
        left, n = int(record["reserve_n"][pile]), int(record["pile_n"][pile])
        face = BACK if record["starter"][pile] >= 0 else ""
        if n:
            face = card_text(int(record["pile"][pile, n - 1]), int(record["top"][pile]))
        reserve = ["", "", ""] if _is_row(record) else box(BACK if left else "", "", " ▶", f" x{left}")
        shown = box(face, "", f" {PILE_LETTERS[pile]}", f" x{n}")
        cells.append([a.ljust(10) + b for a, b in zip(reserve, shown)])
    return side_by_side(cells, 23)


# --- Image -----------------------------------------------------------------------------------------------------------

_PILES_Y = 222
_PAIR = 2 * CARD_W + 8  # a reserve and its pile
_BETWEEN = (64, 60, 36)  # pairs, by the number of seats


class _Place(NamedTuple):
    """Where a player's things lie."""

    x: int  # of the first slot
    y: int
    step: int  # from slot to slot
    stock: Spot
    words: Spot
    align: float  # of the words

    def slot(self, slot: int) -> Spot:
        return self.x + slot * self.step, self.y


def _place(record: Any, p: int) -> _Place:
    """A hand that has the width of the table, or its share of the upper edge, in which cards overlap."""
    size, others = int(record["hand_size"]), _seats(record) - 1
    if p == 0 or others == 1:
        x, y = (WIDTH - CARD_W - 60 * (size - 1)) // 2, 48 if p else 384
        stock, words = ((22, y), (WIDTH - 22, y + 6)) if p else ((WIDTH - 22 - CARD_W, y), (22, y + 6))
        return _Place(x, y, 60, stock, words, float(p))
    step = 36 if others == 2 else 20
    width = CARD_W + step * (size - 1) + 10 + CARD_W
    gap = (WIDTH - others * width) // (others + 1)
    x, y = gap + (p - 1) * (width + gap), 48
    return _Place(x, y, step, (x + width - CARD_W, y), (x, y + CARD_H + 8), 0.0)


def _pile_at(record: Any, pile: int) -> tuple[Spot, Spot]:
    """Where a pile and its reserve lie; reserves lie on the outer side."""
    seats = _seats(record)
    width, between = CARD_W if _is_row(record) else _PAIR, _BETWEEN[seats - 2]
    place = _others_first(record).index(pile)
    x = (WIDTH - seats * width - (seats - 1) * between) // 2 + place * (width + between)
    left, right = (x, _PILES_Y), (x + width - CARD_W, _PILES_Y)
    return (right, left) if 2 * place < seats else (left, right)


def rgb_array(record: Any) -> Image:
    """The table as an image, shape (480, 640, 3)."""
    image = drawing.table(_title(record), clock(record), _phase(record))
    hands = [_hand(record, p) for p in range(_seats(record))]
    for p, hand in enumerate(hands):
        _draw_pile(image, record, p)
        _draw_player(image, record, p, hand)
    for p, hand in enumerate(hands):
        _draw_flight(image, record, p, hand)
    if record["phase"] == OVER:
        drawing.draw_end(image, _phase(record))
    return image


def _draw_pile(image: Image, record: Any, pile: int) -> None:
    (x, y), reserve = _pile_at(record, pile)
    cards = record["pile"][pile, : record["pile_n"][pile]].tolist()
    drawing.draw_pile(image, cards, x, y, sprites.face(cards[-1], int(record["top"][pile])) if cards else None)
    if record["starter"][pile] >= 0:
        blit(image, sprites.back(), x, y)
    write(image, PILE_LETTERS[pile], x + CARD_W // 2, y - 20, align=0.5, size=14, colour=sprites.WHITE)
    write(image, str(len(cards)), x + CARD_W // 2, y + CARD_H + 8, align=0.5)
    if not _is_row(record):
        drawing.draw_deck(image, int(record["reserve_n"][pile]), *reserve)


def _draw_player(image: Image, record: Any, p: int, hand: Hand) -> None:
    place = _place(record, p)
    for slot, card in enumerate(_shown(record, p)):
        if card is not None:
            blit(image, sprites.back() if card < 0 else sprites.face(card), *place.slot(slot))
        elif place.step > CARD_W:
            blit(image, sprites.outline(), *place.slot(slot))
    drawing.draw_deck(image, int(record["stock_n"][p]), *place.stock)
    drawing.draw_hand_words(image, SEAT_LETTERS[p], hand, *place.words, place.align)
    if record["match_score"]:
        x, y = place.words
        score = f"score {int(record['score'][p])}"
        write(image, score, x - 26 if place.align else x + 26, y + 8, align=place.align, colour=sprites.WHITE)


def _draw_flight(image: Image, record: Any, p: int, hand: Hand) -> None:
    """The card in a hand, on its way."""
    if hand.source < 0:
        return
    place = _place(record, p)
    slot = place.slot(hand.source)
    if hand.card < 0:
        drawing.draw_flight(image, sprites.back(), hand, place.stock, slot)
    else:
        card = sprites.face(hand.card, int(record["named"][p]))
        drawing.draw_flight(image, card, hand, slot, _pile_at(record, hand.pile)[0])
