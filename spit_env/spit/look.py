"""The table for people: as text and as an image, for whoever may see what lies open on it.

Seat 1 (E) sits on top, seat 0 (Y) below; L is E's own pile, R is Y's. Face-down cards stay face down.
"""

import re
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spit_env import sprites
from spit_env.cards import RANK_SYMBOLS, SUIT_GLYPHS, SUIT_SYMBOLS, SUITS, rank_of
from spit_env.spit.moves import source_of, target_of
from spit_env.spit.state import FIRST_FLIP, FIRST_MOVE, FIRST_PICK, FIRST_PLAY, SEATS, SPIT, STACKS
from spit_env.spit.text import PILE_LETTERS
from spit_env.sprites import CARD_H, CARD_W, Sprite
from spit_env.state import END_REASONS, IDLE, LOCKED, OPEN, OVER, PAUSE, PHASE_NAMES, PICK, RETURN, SLAP, SOLO, THINK

SEAT_LETTERS = "YE"
COLUMNS = 96  # of the text
HEIGHT, WIDTH = 480, 640  # of the image


class _Hand(NamedTuple):
    """What a hand is doing: in words, and if something moves, from where to where and how far it has come."""

    words: str
    left: int = 0  # ms
    share: float = 0.0  # of the way that lies behind, 0 to 1
    card: int = -1
    source: int = -1  # stack
    stack: int = -1  # the stack that it goes to or turns
    pile: int = -1  # the pile that it goes to


def _hand(record: Any, p: int) -> _Hand:
    hand, action, card = (int(record[name][p]) for name in ("hand", "action", "card"))
    left = max(0, int(record["until"][p]) - int(record["time"]))
    if hand in (IDLE, OPEN):
        return _Hand("idle" if hand == IDLE else "waits" if record["declined"][p] else "may choose")
    if hand == THINK:
        return _Hand("thinks", left)
    total, back = int(record["travel_ms"][p]), hand == RETURN
    if back and record["return_ms"] >= 0:
        total = int(record["return_ms"])
    share = min(1.0, max(0.0, 1 - left / max(1, total)))
    if action >= FIRST_PICK:
        return _Hand("slaps", left, share, pile=(p + action - FIRST_PICK) % SEATS)
    if action == SPIT:
        return _Hand("calls spit", left, share)
    source = source_of(action)
    if action < FIRST_FLIP:
        pile = (p + action - FIRST_PLAY) % SEATS
        return _Hand("returns" if back else "plays", left, share, card, source, pile=pile)
    if action < FIRST_MOVE:
        return _Hand("flips", left, share, stack=source)
    return _Hand("moves", left, share, card, source, target_of(action))


def _phase(record: Any) -> str:
    """The phase, in words."""
    phase, chooser, winner = int(record["phase"]), int(record["chooser"]), int(record["winner"])
    wait = f"{max(0, int(record['phase_until']) - int(record['time'])) / 1000:.1f} s"
    if phase in (LOCKED, PAUSE):
        return f"{'first spit' if phase == LOCKED else 'spit'} in {wait}"
    if phase in (PICK, SOLO):
        return f"{SEAT_LETTERS[chooser]} {'picks a pile' if phase == PICK else 'names a pile'}"
    if phase == OVER:
        reason = END_REASONS[record["end_reason"]].replace("_", " ")
        return f"{SEAT_LETTERS[winner]} wins: {reason}" if winner >= 0 else f"cut off: {reason}"
    return "slap!" if phase == SLAP else "stuck" if record["stuck"] else PHASE_NAMES[phase]


def _clock(record: Any) -> str:
    minutes, ms = divmod(int(record["time"]), 60_000)
    return f"{minutes}:{ms // 1000:02}.{ms % 1000:03}"


# --- Text ------------------------------------------------------------------------------------------------------------

_PLAIN = str.maketrans("╭╮╰╯│─▒━┄▶◀·" + SUIT_GLYPHS, "..''|-#=.><-" + SUIT_SYMBOLS)


def ansi(record: Any, *, plain: bool = False, colour: bool = False) -> str:
    """The table as text, at most `COLUMNS` wide.

    ``plain`` keeps to ASCII; ``colour`` prints red suits in red, for a terminal.
    """
    head = f" round {int(record['rounds']) + 1}"
    lines = [head + f"{_clock(record)} · {_phase(record)}".rjust(COLUMNS - len(head)), "─" * COLUMNS]
    widths = [
        max(6, *(int(record["down"][p, s] + 3 * (record["height"][p, s] - record["down"][p, s])) + 1 for p in (0, 1)))
        for s in range(STACKS)
    ]
    for p in reversed(range(SEATS)):
        hand = _status(record, p)
        rows = _stack_rows(record, p, widths)
        lines += [hand, *rows, "", *_pile_rows(record), ""] if p else [*rows, hand]
    drawn = "\n".join(line.rstrip() for line in lines) + "\n"
    if plain:
        return drawn.translate(_PLAIN)
    return re.sub(r"[A2-9TJQK][♦♥]", "\x1b[31m\\g<0>\x1b[39m", drawn) if colour else drawn


def _name(card: int) -> str:
    return RANK_SYMBOLS[rank_of(card)] + SUIT_GLYPHS[card % SUITS]


def _status(record: Any, p: int) -> str:
    """A player's line: counts, and what the hand does."""
    hand = _hand(record, p)
    doing = hand.words
    if hand.card >= 0 or hand.stack >= 0 or hand.pile >= 0:
        done = round(hand.share * 12)
        way = "━" * done + "▶" + "┄" * (12 - done) if hand.words != "returns" else "┄" * (12 - done) + "◀" + "━" * done
        card = f" {_name(hand.card)}" if hand.card >= 0 else ""
        source = f" {hand.source + 1}" if hand.source >= 0 else ""
        goal = PILE_LETTERS[hand.pile] if hand.pile >= 0 else str(hand.stack + 1)
        doing += f"{card}{source} {way} {goal}"
    doing += f" · {hand.left} ms" if hand.left else ""
    count = int(record["height"][p].sum()) + (record["card"][p] >= 0)
    return f" {SEAT_LETTERS[p]} {count} in stacks, {int(record['deck_n'][p])} in deck".ljust(40) + doing


def _stack_rows(record: Any, p: int, widths: list[int]) -> list[str]:
    rows = ["   "] * 4
    for s, width in enumerate(widths):
        height, down = int(record["height"][p, s]), int(record["down"][p, s])
        faces = [_name(card) for card in record["stack"][p, s, down:height].tolist()] or ["▒▒"]
        under = down if down < height else down - 1
        box = ["", " ··", "", "gap"]
        if height:
            box = [
                f"{'╭' * under}{'╭──' * len(faces)}╮",
                f"{'│' * under}│{'│'.join(faces)}│",
                f"{'╰' * under}{'╰──' * len(faces)}╯",
                f"x{height}",
            ]
        rows = [row + cell.ljust(width + 2) for row, cell in zip(rows, box)]
    return rows


def _pile_rows(record: Any) -> list[str]:
    """E's deck and pile, Y's pile and deck, side by side."""
    cells = []
    for what, p in (("deck", 1), ("pile", 1), ("pile", 0), ("deck", 0)):
        n = int(record[f"{what}_n"][p])
        face = "▒▒" if what == "deck" else _name(int(record["pile"][p, n - 1])) if n else ""
        box = ["╭──╮", f"│{face}│", "╰──╯"] if n else ["", " ·· ", ""]
        name = PILE_LETTERS[p] if what == "pile" else f"{SEAT_LETTERS[p]} deck"
        label = ["", f" {name}", f" x{n}"]
        cells.append([a.ljust(4) + b.ljust(14) for a, b in zip(box, label)])
    return ["   " + "".join(row) for row in zip(*cells)]


# --- Image -----------------------------------------------------------------------------------------------------------

_STACK_X = [118 + 88 * s for s in range(STACKS)]
_STACK_Y = (292, 46)
_PILE_AT = ((352, 204), (236, 204))  # x, y by owner
_DECK_AT = ((566, 292), (22, 46))
_FAN_DOWN, _FAN_UP, _FAN_MOST = 6, 20, 88  # how far a card shows, and how far a whole stack may reach
_GOLD = (1.0, 0.84, 0.35)
_DIM = (0.80, 0.90, 0.83)


def rgb_array(record: Any) -> npt.NDArray[np.uint8]:
    """The table as an image, shape (480, 640, 3)."""
    image = sprites.felt(HEIGHT, WIDTH).copy()
    image[:26] = image[:26] // 2
    _write(image, f"ROUND {int(record['rounds']) + 1}", 12, 7)
    _write(image, _clock(record), WIDTH // 2, 7, align=0.5, colour=sprites.WHITE)
    _write(image, _phase(record), WIDTH - 12, 7, align=1.0, colour=_GOLD)
    hands = [_hand(record, p) for p in range(SEATS)]
    for p in range(SEATS):
        _draw_deck(image, int(record["deck_n"][p]), *_DECK_AT[p])
        _draw_pile(image, record, p)
        for s in range(STACKS):
            _draw_stack(image, record, p, s, hands[p])
        _draw_hand_words(image, hands[p], p)
    for p in range(SEATS):
        _draw_flight(image, record, p, hands[p])
    if record["phase"] == OVER:
        image[212:268] //= 4
        _write(image, _phase(record), WIDTH // 2, 230, size=21, align=0.5, colour=_GOLD)
    return image


def _blit(image: npt.NDArray[np.uint8], sprite: Sprite, x: int, y: int) -> None:
    part = image[y : y + sprite.shape[0], x : x + sprite.shape[1]]
    sprite = sprite[: part.shape[0], : part.shape[1]]
    part[:] = (part * (1 - sprite[..., 3:]) + sprite[..., :3] * 255).astype(np.uint8)


def _write(
    image: npt.NDArray[np.uint8], words: str, x: int, y: int, *, size: int = 12, align: float = 0.0,
    colour: sprites.Colour = _DIM,
) -> None:  # fmt: skip
    sprite = sprites.text(words.upper(), size, colour)
    _blit(image, sprite, x - round(align * sprite.shape[1]), y)


def _spot(record: Any, p: int, s: int, index: int) -> tuple[int, int]:
    """Where a stack's card number ``index`` lies."""
    down = int(record["down"][p, s])
    highest = max(int(record["height"][p, s]) - 1, index, 1)
    reach = _FAN_DOWN * min(down, highest) + _FAN_UP * max(0, highest - down)
    offset = _FAN_DOWN * min(down, index) + _FAN_UP * max(0, index - down)
    return _STACK_X[s], _STACK_Y[p] + round(offset * min(1.0, _FAN_MOST / max(1, reach)))


def _draw_deck(image: npt.NDArray[np.uint8], n: int, x: int, y: int) -> None:
    if n == 0:
        _blit(image, sprites.outline(), x, y)
    for layer in range(min(n, 1 + n // 5)):
        _blit(image, sprites.back(), x, y + 14 - 2 * layer)
    _write(image, str(n), x + CARD_W // 2, y + CARD_H + 22, align=0.5)


def _draw_pile(image: npt.NDArray[np.uint8], record: Any, p: int) -> None:
    x, y = _PILE_AT[p]
    n = int(record["pile_n"][p])
    if n == 0:
        _blit(image, sprites.outline(), x, y)
    for i in range(max(0, n - 4), n):
        card = int(record["pile"][p, i])
        dx, dy = (0, 0) if n == 1 else ((7 * i + card) % 5 - 2, (3 * i + card) % 5 - 2)  # not laid quite straight
        _blit(image, sprites.face(card), x + dx, y + dy)
    if n and record["phase"] in (PICK, SOLO, SLAP):
        _blit(image, sprites.outline(_GOLD, 1.0), x, y)
    outer = x + CARD_W + 10 if p == 0 else x - 10
    _write(image, PILE_LETTERS[p], outer, y + 22, align=float(p), size=14, colour=sprites.WHITE)
    _write(image, str(n), outer, y + 42, align=float(p))


def _draw_stack(image: npt.NDArray[np.uint8], record: Any, p: int, s: int, hand: _Hand) -> None:
    height, down = int(record["height"][p, s]), int(record["down"][p, s])
    if height == 0:
        _blit(image, sprites.outline(), _STACK_X[s], _STACK_Y[p])
    for i, card in enumerate(record["stack"][p, s, :height].tolist()):
        x, y = _spot(record, p, s, i)
        if i >= down:
            _blit(image, sprites.face(card), x, y)
        elif i == height - 1 and hand.stack == s and hand.words == "flips":
            width = max(3, round(CARD_W * (1 - hand.share)))
            _blit(image, sprites.narrowed(width), x + (CARD_W - width) // 2, y)
        else:
            _blit(image, sprites.back(), x, y)
    _write(image, str(height), _STACK_X[s] + CARD_W // 2, _STACK_Y[p] - 15, align=0.5, size=10)


def _draw_hand_words(image: npt.NDArray[np.uint8], hand: _Hand, p: int) -> None:
    x, align = (WIDTH - 22, 1.0) if p == 0 else (22, 0.0)
    _write(image, SEAT_LETTERS[p], x, 208, size=21, align=align, colour=sprites.WHITE)
    _write(image, hand.words, x, 238, align=align, colour=_GOLD if hand.words == "may choose" else _DIM)
    if hand.left:
        _write(image, f"{hand.left} ms", x, 256, align=align)


def _draw_flight(image: npt.NDArray[np.uint8], record: Any, p: int, hand: _Hand) -> None:
    """The card in a hand, on its way."""
    if hand.card < 0:
        return
    start = _spot(record, p, hand.source, int(record["height"][p, hand.source]))
    goal = _spot(record, p, hand.stack, int(record["height"][p, hand.stack])) if hand.pile < 0 else _PILE_AT[hand.pile]
    if hand.words == "returns":
        start, goal = goal, start
    x, y = (round(a + hand.share * (b - a)) for a, b in zip(start, goal))
    _blit(image, sprites.shadow(5), x - 2, y + 1)
    _blit(image, sprites.face(hand.card), x, y)
