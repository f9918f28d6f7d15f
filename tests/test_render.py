"""The table as text and as an image."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spit_env import sprites
from spit_env.batch import Batch
from spit_env.drawing import HEIGHT, WIDTH
from spit_env.games import parse_board
from spit_env.spit.look import ansi, rgb_array
from spit_env.state import OVER, PAUSE, PHASE_NAMES, PICK, RETURN, SLAP, SOLO, TRAVEL
from spit_env.telling import COLUMNS
from tests.pictures import seconds_to_draw
from tests.random_games import PRESET, SEEDS, played, shuffled_unknown

BOARD = """Y: 8c | x9d | xx | xxxQs | -   d11
E: 4h4d | xJc | xx8d | xxxx | xxxxTc   d0
L=9c(6) R=-"""
DRAWN = """\
 round 1                                                                         0:00.000 · race
────────────────────────────────────────────────────────────────────────────────────────────────
 E 16 in stacks, 0 in deck              idle
   ╭──╭──╮  ╭╭──╮   ╭╭╭──╮  ╭╭╭╭──╮  ╭╭╭╭╭──╮
   │4♥│4♦│  ││J♣│   │││8♦│  ││││▒▒│  │││││T♣│
   ╰──╰──╯  ╰╰──╯   ╰╰╰──╯  ╰╰╰╰──╯  ╰╰╰╰╰──╯
   x2       x2      x3      x4       x5

                     ╭──╮                                ╭──╮
    ··  E deck       │9♣│ L             ··  R            │▒▒│ Y deck
        x0           ╰──╯ x6                x0           ╰──╯ x11

   ╭──╮     ╭╭──╮   ╭╭──╮   ╭╭╭╭──╮
   │8♣│     ││9♦│   ││▒▒│   ││││Q♠│   ··
   ╰──╯     ╰╰──╯   ╰╰──╯   ╰╰╰╰──╯
   x1       x2      x2      x4       gap
 Y 9 in stacks, 11 in deck              idle
"""


def flying(share: float) -> Any:
    """A game in which Y's 8 has done this share of its way onto L."""
    latency = {"think": [10, 0], "play": [1000, 0]}
    batch = Batch(1, latencies=latency, tick_ms=1)
    batch.reset([1], boards=np.array([parse_board(BOARD)]))
    while batch.games[0].hand[0] != TRAVEL:
        batch.step(np.array([[2, 0]]))
    g = batch.games[0]
    g.time = int(g.until[0] - 1000 * (1 - share))
    return g


@pytest.mark.plain
def test_the_text_of_a_board() -> None:
    assert ansi(parse_board(BOARD)) == DRAWN


@pytest.mark.plain
def test_a_flight_in_the_text() -> None:
    g = flying(0.25)
    line = " Y 9 in stacks, 11 in deck              plays 8♣ 1 ━━━▶┄┄┄┄┄┄┄┄┄ L · 750 ms"
    assert ansi(g).splitlines()[-1] == line
    assert ansi(g, plain=True).splitlines()[-1] == line.translate(str.maketrans("♣━▶┄·", "c=>.-"))
    g.hand[0] = RETURN
    assert "returns 8♣ 1 ┄┄┄┄┄┄┄┄┄◀━━━ L · 750 ms" in ansi(g)


@pytest.mark.plain
def test_plain_is_ascii_and_colour_marks_red_suits() -> None:
    assert ansi(parse_board(BOARD), plain=True).isascii()
    coloured = ansi(parse_board(BOARD), colour=True)
    assert "\x1b[31m4♥\x1b[39m" in coloured
    assert coloured.replace("\x1b[31m", "").replace("\x1b[39m", "") == DRAWN


@pytest.mark.plain
def test_the_widest_board_fits() -> None:
    sides = ["xxxx7777 | xxxx8888 | xxxx9 | xxxxT | 2222", "A | K | 3 | 444 | xxxx5555"]
    text = ansi(parse_board(f"Y: {sides[0]}   d0\nE: {sides[1]}   d0\nL=Q R=6"))
    assert max(map(len, text.splitlines())) <= COLUMNS


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(0, 1500), PRESET, st.booleans())
def test_any_state_can_be_drawn_and_shows_no_hidden_card(seed: int, steps: int, preset: str, ticks: bool) -> None:
    g = played(seed, steps, preset, tick_ms=30 if ticks else None).games[0]
    text, image = ansi(g), rgb_array(g)
    assert max(map(len, text.splitlines())) <= COLUMNS <= 100
    assert ansi(g, plain=True).isascii()
    assert (image.shape, image.dtype) == ((HEIGHT, WIDTH, 3), np.uint8)
    other = shuffled_unknown(g, seed % 1000)
    assert ansi(other) == text
    assert np.array_equal(rgb_array(other), image)
    assert np.array_equal(rgb_array(g), image), "drawing twice gives the same"


@pytest.mark.plain
def test_each_phase_says_what_it_waits_for() -> None:
    g = flying(0.5).copy()
    g["hand"] = 0
    g["card"] = -1
    g["action"] = 0
    said = {}
    for phase in range(len(PHASE_NAMES)):
        g["phase"], g["chooser"] = phase, 1
        g["winner"], g["end_reason"] = (0, 1) if phase == OVER else (-1, 0)
        g["phase_until"] = g["time"] + 700
        said[phase] = ansi(g).splitlines()[0].split("· ")[1]
        assert rgb_array(g).shape == (HEIGHT, WIDTH, 3)
    assert list(said.values()) == [
        "first spit in 0.7 s", "race", "spit in 0.7 s", "E names a pile", "slap!", "E picks a pile", "Y wins: finished",
    ]  # fmt: skip
    assert (said[PAUSE], said[SOLO], said[SLAP], said[PICK]) == tuple(said[p] for p in (2, 3, 4, 5))
    g["winner"], g["end_reason"] = -1, 6
    assert "cut off: max idle ms" in ansi(g)


@pytest.mark.plain
def test_a_card_flies_in_a_straight_line() -> None:
    corners: list[list[int]] = []
    for share in (0.0, 0.25, 0.5):
        g = flying(share)
        with_card = rgb_array(g).astype(int)
        g.card[0], g.hand[0] = -1, 0
        paper = (with_card.min(2) > 240) & (rgb_array(g).min(2) < 200)
        paper[:, 300:] = False  # the words about the hand
        rows, columns = np.nonzero(paper)
        corners.append([int(columns.min()), int(rows.min())])
    (x0, y0), (x1, y1), (x2, y2) = corners[:3]
    assert x0 < x1 < x2, "to the right, where L lies"
    assert y0 > y1 > y2, "upwards"
    assert abs((x2 - x1) - (x1 - x0)) <= 6
    assert abs((y2 - y1) - (y1 - y0)) <= 6


@pytest.mark.plain
def test_a_flip_narrows_the_back_and_shows_no_face() -> None:
    batch = Batch(1, latencies={"think": [10, 0], "flip": [100, 0]}, tick_ms=10)
    batch.reset([1], boards=np.array([parse_board(BOARD)]))
    frames = []
    for _ in range(20):
        batch.step(np.array([[13, 0]]))
        g = batch.games[0]
        if g.hand[0] == TRAVEL:
            frames.append(rgb_array(g)[290:380, 290:350])
            assert np.array_equal(rgb_array(shuffled_unknown(g)), rgb_array(g))
    assert len(frames) == 9
    assert all((a != b).any() for a, b in pairwise(frames))
    assert [sprites.narrowed(width).shape[1] for width in (3, 30, sprites.CARD_W)] == [3, 30, sprites.CARD_W]


@pytest.mark.plain
def test_a_frame_is_quick() -> None:
    assert seconds_to_draw(rgb_array, flying(0.5)) < 0.010


@pytest.mark.plain
def test_all_cards_look_different() -> None:
    faces = [sprites.face(card) for card in range(52)]
    assert len({face.tobytes() for face in faces}) == 52
    assert all(face.shape == sprites.back().shape for face in faces)
    assert all(float(face.max()) <= 1.001 and float(face.min()) >= 0 for face in faces)
