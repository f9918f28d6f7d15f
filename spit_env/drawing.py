"""A table as an image, for every game: 640 by 480 pixels, drawn with `sprites`."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from spit_env import sprites
from spit_env.sprites import CARD_H, CARD_W, Colour, Sprite
from spit_env.telling import Hand

Image = npt.NDArray[np.uint8]
Spot = tuple[int, int]  # x, y of a card's upper left corner

HEIGHT, WIDTH = 480, 640
GOLD: Colour = (1.0, 0.84, 0.35)
DIM: Colour = (0.80, 0.90, 0.83)


def table(title: str, clock: str, phase: str) -> Image:
    """An empty table with its head, shape (480, 640, 3)."""
    image = sprites.felt(HEIGHT, WIDTH).copy()
    image[:26] = image[:26] // 2
    write(image, title, 12, 7)
    write(image, clock, WIDTH // 2, 7, align=0.5, colour=sprites.WHITE)
    write(image, phase, WIDTH - 12, 7, align=1.0, colour=GOLD)
    return image


def blit(image: Image, sprite: Sprite, x: int, y: int) -> None:
    """Lay a sprite on the image; what reaches over its right or lower edge is cut off."""
    part = image[y : y + sprite.shape[0], x : x + sprite.shape[1]]
    sprite = sprite[: part.shape[0], : part.shape[1]]
    part[:] = (part * (1 - sprite[..., 3:]) + sprite[..., :3] * 255).astype(np.uint8)


def write(
    image: Image, words: str, x: int, y: int, *, size: int = 12, align: float = 0.0, colour: Colour = DIM
) -> None:
    """Write capitals, so many pixels high; with ``align`` 0 they begin at x, with 0.5 x is their middle, with 1 their
    end."""
    sprite = sprites.text(words.upper(), size, colour)
    blit(image, sprite, x - round(align * sprite.shape[1]), y)


def draw_heap(image: Image, n: int, x: int, y: int) -> None:
    """So many face-down cards on each other, the lowest at (x, y)."""
    for layer in range(min(n, 1 + n // 5)):
        blit(image, sprites.back(), x, y - 2 * layer)


def draw_deck(image: Image, n: int, x: int, y: int) -> None:
    """A heap or its empty place, and under it how many cards there are."""
    if n == 0:
        blit(image, sprites.outline(), x, y)
    draw_heap(image, n, x, y)
    write(image, str(n), x + CARD_W // 2, y + CARD_H + 8, align=0.5)


def draw_pile(image: Image, cards: Sequence[int], x: int, y: int, top: Sprite | None = None) -> None:
    """A pile of face-up cards, bottom to top, or its empty place; ``top`` is drawn instead of the last card."""
    n = len(cards)
    if n == 0:
        blit(image, sprites.outline(), x, y)
    for i in range(max(0, n - 4), n):
        card = cards[i]
        dx, dy = (0, 0) if n == 1 else ((7 * i + card) % 5 - 2, (3 * i + card) % 5 - 2)  # not laid quite straight
        blit(image, sprites.face(card) if top is None or i < n - 1 else top, x + dx, y + dy)


def draw_hand_words(image: Image, letter: str, hand: Hand, x: int, y: int, align: float) -> None:
    """A player's letter and what the hand is doing, in three lines from y on."""
    write(image, letter, x, y, size=21, align=align, colour=sprites.WHITE)
    write(image, hand.words, x, y + 30, align=align, colour=GOLD if hand.words == "may choose" else DIM)
    if hand.left:
        write(image, f"{hand.left} ms", x, y + 48, align=align)


def draw_flight(image: Image, card: Sprite, hand: Hand, start: Spot, goal: Spot) -> None:
    """The card in a hand, on its way, or on its way back."""
    if hand.returns:
        start, goal = goal, start
    x, y = (round(a + hand.share * (b - a)) for a, b in zip(start, goal))
    blit(image, sprites.shadow(5), x - 2, y + 1)
    blit(image, card, x, y)


def draw_end(image: Image, words: str) -> None:
    """How the game ended, across the table."""
    image[212:268] //= 4
    write(image, words, WIDTH // 2, 230, size=21, align=0.5, colour=GOLD)
