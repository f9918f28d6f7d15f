"""Cards and letters as small images, made with numpy alone.

A sprite is float32, shape (height, width, 4): red, green, blue times opacity, and opacity, all 0 to 1. All sprites are
made once and kept.
"""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from spit_env.cards import FIRST_JOKER, JOKER, RANK_SYMBOLS, SUITS, rank_of

Sprite = npt.NDArray[np.float32]
Colour = tuple[float, float, float]

CARD_H, CARD_W = 72, 52
WHITE: Colour = (1.0, 1.0, 1.0)
PAPER: Colour = (0.99, 0.985, 0.96)
INK: tuple[Colour, ...] = ((0.10, 0.11, 0.13), (0.80, 0.10, 0.14))  # black and red suits
VIOLET: Colour = (0.45, 0.16, 0.60)  # jokers
BACK: Colour = (0.14, 0.25, 0.52)
_RADIUS = 6
_FINE = 4  # sub-pixels per pixel and direction

# A 5 x 7 font: seven rows of five pixels, each row one digit of base 32.
_FONT = {
    "0": "ehjlphe", "1": "4c4444e", "2": "eh1248v", "3": "v2421he", "4": "26aiv22", "5": "vgu11he", "6": "68guhhe",
    "7": "v124888", "8": "ehhehhe", "9": "ehhf12c", "A": "ehhvhhh", "B": "uhhuhhu", "C": "ehggghe", "D": "sihhhis",
    "E": "vgguggv", "F": "vgguggg", "G": "ehgnhhf", "H": "hhhvhhh", "I": "e44444e", "J": "72222ic",
    "K": "hikokih", "L": "ggggggv", "M": "hrllhhh", "N": "hhpljhh", "O": "ehhhhhe", "P": "uhhuggg", "Q": "ehhhlid",
    "R": "uhhukih", "S": "fgge11u", "T": "v444444", "U": "hhhhhhe", "V": "hhhhha4", "W": "hhhllla", "X": "hha4ahh",
    "Y": "hhha444", "Z": "v1248gv", ":": "0cc0cc0", ".": "00000cc", "-": "000v000", "!": "4444004", ">": "8421248",
    " ": "0000000",
}  # fmt: skip


@cache
def glyph(letter: str, height: int, bold: bool = False) -> npt.NDArray[np.float32]:
    """A letter's opacity, shape (height, 5/7 height): the bitmap with its corners rounded off."""
    rows = [int(digit, 32) for digit in _FONT.get(letter, _FONT["-"])]
    bits = np.array([[row >> (4 - x) & 1 for x in range(5)] for row in rows], bool)
    for _ in range(3):
        bits = _twice(bits)
    if bold:
        bits = np.pad(bits, 1)
        for axis in (0, 1):
            bits |= np.roll(bits, 1, axis) | np.roll(bits, -1, axis)
    width = round(height * 5 / 7)
    return _shrink(bits.astype(np.float32), height, width)


def _twice(bits: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Twice the size, diagonals smoothed (the Scale2x rule)."""
    p = np.pad(bits, 1)
    up, down, left, right = p[:-2, 1:-1], p[2:, 1:-1], p[1:-1, :-2], p[1:-1, 2:]
    out = np.repeat(np.repeat(bits, 2, 0), 2, 1)
    for y, (a, not_a) in enumerate(((up, down), (down, up))):
        for x, (b, not_b) in enumerate(((left, right), (right, left))):
            corner = (a == b) & (a != not_b) & (b != not_a)
            out[y::2, x::2] = np.where(corner, a, bits)
    return out


def _shrink(image: npt.NDArray[np.float32], height: int, width: int) -> npt.NDArray[np.float32]:
    """An image at another size, each pixel the mean of what it covers."""

    def means(size: int, n: int) -> npt.NDArray[np.float32]:
        edges = np.linspace(0, size, n + 1)
        low, high = edges[:-1, None], edges[1:, None]
        cells = np.arange(size)[None, :]
        cover = np.clip(np.minimum(high, cells + 1) - np.maximum(low, cells), 0, 1)
        return np.asarray(cover / cover.sum(1, keepdims=True), np.float32)

    return np.asarray(means(image.shape[0], height) @ image @ means(image.shape[1], width).T, np.float32)


@cache
def text(words: str, height: int = 14, colour: Colour = WHITE, opacity: float = 1.0) -> Sprite:
    """A line of capitals and digits."""
    gap = np.zeros((height, max(1, height // 7)), np.float32)
    parts = [part for letter in words.upper() for part in (glyph(letter, height), gap)]
    return paint(opacity * np.concatenate(parts or [gap], 1), colour)


def paint(mask: npt.NDArray[Any], colour: Colour) -> Sprite:
    """One colour, as opaque as ``mask`` (shape (height, width)) says."""
    return np.asarray(mask[..., None] * np.array([*colour, 1.0]), np.float32)


@cache
def suit(number: int, size: int) -> npt.NDArray[np.float32]:
    """A suit's opacity, shape (size, size)."""
    axis = (np.arange(size * _FINE) + 0.5) / (size * _FINE) * 2 - 1
    x, y = np.meshgrid(axis, -axis)
    foot = (np.abs(x) < 0.09 + 0.5 * np.clip(-y - 0.4, 0, 1) ** 1.5) & (y < 0) & (y > -0.92)
    if number == 0:
        inside = foot
        for cx, cy in ((0.0, 0.48), (-0.47, -0.18), (0.47, -0.18)):
            inside = inside | ((x - cx) ** 2 + (y - cy) ** 2 < 0.43**2)
    elif number == 1:
        inside = (np.abs(x) / 0.74) ** 0.92 + np.abs(y) ** 0.92 < 0.96
    else:
        v = y if number == 2 else 0.12 - y  # a spade is a heart upside down, with a foot
        inside = (np.abs(x) - 0.42) ** 2 + (v - 0.33) ** 2 < 0.43**2
        inside |= (np.abs(x) < 0.78 * np.clip(v + 0.9, 0, 1) ** 0.9) & (v > -0.9) & (v < 0.12)
        inside |= (np.abs(x) < 0.42) & (v >= 0.1) & (v < 0.4)
        if number == 3:
            inside |= foot
    return _shrink(inside.astype(np.float32), size, size)


@cache
def star(size: int) -> npt.NDArray[np.float32]:
    """The opacity of a star with five points, shape (size, size)."""
    axis = (np.arange(size * _FINE) + 0.5) / (size * _FINE) * 2 - 1
    x, y = np.meshgrid(axis, -axis - 0.08)
    fifth = np.pi / 5
    turn = np.abs((np.arctan2(x, y) + fifth) % (2 * fifth) - fifth)  # from the nearest point
    along, across = np.hypot(x, y) * np.cos(turn), np.hypot(x, y) * np.sin(turn)
    # Inside the line from a point, at (1, 0), to the notch beside it.
    notch_along, notch_across = 0.45 * np.cos(fifth), 0.45 * np.sin(fifth)
    inside = (along - 1) * notch_across - across * (notch_along - 1) < 0
    return _shrink(inside.astype(np.float32), size, size)


@cache
def plate(height: int, width: int, radius: float = _RADIUS, inset: float = 0.0) -> npt.NDArray[np.float32]:
    """The opacity of a rectangle with round corners, smaller by ``inset`` on each side."""
    x = np.maximum(np.abs(np.arange(width) + 0.5 - width / 2) - (width / 2 - inset - radius), 0)
    y = np.maximum(np.abs(np.arange(height) + 0.5 - height / 2) - (height / 2 - inset - radius), 0)
    return np.asarray(np.clip(radius + 0.5 - np.hypot(x[None, :], y[:, None]), 0, 1), np.float32)


def over(below: Sprite, above: Sprite, y: int, x: int) -> None:
    """Lay one sprite on another, in place."""
    part = below[y : y + above.shape[0], x : x + above.shape[1]]
    part *= 1 - above[..., 3:]
    part += above


def _blank_card(colour: Colour) -> Sprite:
    card = paint(plate(CARD_H, CARD_W), (0.0, 0.0, 0.0)) * np.float32(0.45)  # the rim
    over(card, paint(plate(CARD_H, CARD_W, _RADIUS - 1, 1.0), colour), 0, 0)
    return card


@cache
def face(card: int, name: int = JOKER) -> Sprite:
    """A card, face up; a joker has a star for a suit, and the rank ``name`` if it has got one."""
    joker, number = card >= FIRST_JOKER, card % SUITS
    colour = VIOLET if joker else INK[number in (1, 2)]
    rank = name if joker else rank_of(card)
    sprite = _blank_card(PAPER)
    if rank == JOKER:
        over(sprite, paint(star(15), colour), 5, 5)
    else:
        _write_rank(sprite, RANK_SYMBOLS[rank], colour)
    for size, y, x in ((15, 5, CARD_W - 20), (34, 29, (CARD_W - 34) // 2)):
        over(sprite, paint(star(size) if joker else suit(number, size), colour), y, x)
    return sprite


def _write_rank(card: Sprite, symbol: str, colour: Colour) -> None:
    letters = (("1", 2), ("0", 11)) if symbol == "T" else ((symbol, 6),)
    for letter, x in letters:
        over(card, paint(glyph(letter, 15, bold=True), colour), 5, x)


@cache
def back() -> Sprite:
    """A card, face down."""
    sprite = _blank_card(PAPER)
    y, x = np.mgrid[0:CARD_H, 0:CARD_W]
    weave = 0.82 + 0.18 * (((x + y) % 8 < 2) | ((x - y) % 8 < 2))
    blue = paint(plate(CARD_H, CARD_W, _RADIUS - 3, 4.0), BACK)
    blue[..., :3] *= weave[..., None]
    over(sprite, blue, 0, 0)
    over(sprite, paint(suit(3, 24) * 0.35, WHITE), (CARD_H - 24) // 2, (CARD_W - 24) // 2)
    return sprite


@cache
def narrowed(width: int) -> Sprite:
    """A card back that is being turned, seen ``width`` pixels wide."""
    whole = back()
    return np.ascontiguousarray(whole[:, np.linspace(0, CARD_W - 1, width).round().astype(int)])


@cache
def outline(colour: Colour = WHITE, opacity: float = 0.22) -> Sprite:
    """The place of a card that is not there."""
    rim = plate(CARD_H, CARD_W, _RADIUS, 0.5) - plate(CARD_H, CARD_W, _RADIUS - 2, 2.5)
    return paint(opacity * rim, colour)


@cache
def halo(spread: int, colour: Colour) -> Sprite:
    """What a card lies on that stands out, ``spread`` pixels wider on each side."""
    return paint(plate(CARD_H + 2 * spread, CARD_W + 2 * spread, _RADIUS + spread), colour)


@cache
def shadow(spread: int) -> Sprite:
    """A soft shadow, ``spread`` pixels wider than a card on each side."""
    height, width = CARD_H + 2 * spread, CARD_W + 2 * spread
    soft = np.mean([plate(height, width, _RADIUS + spread - i, float(i)) for i in range(spread + 1)], axis=0)
    return paint(0.42 * soft, (0.0, 0.0, 0.0))


@cache
def felt(height: int, width: int) -> npt.NDArray[np.uint8]:
    """The table, shape (height, width, 3): green, lighter in the middle, with a little grain."""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    light = 1.08 - 0.34 * np.clip(x * x * 0.7 + y * y * 0.8, 0, 1.4)
    grain = np.random.default_rng(0).normal(0, 0.012, (height, width))
    return np.asarray(np.clip((light + grain)[..., None] * np.array([24, 104, 66]), 0, 255), np.uint8)
