"""The table of California Speed as text and as an image."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spit_env.california.look import ansi, rgb_array
from spit_env.california.rules import PRESETS, CaliforniaRules
from spit_env.california.state import CARDS, FIRST_COVER, SEATS, STACKS, blank
from spit_env.cards import parse_card, rank_of
from spit_env.drawing import HEIGHT, WIDTH
from spit_env.state import IDLE, OPEN, OVER, PHASE_NAMES, RACE, RETURN, THINK, TRAVEL
from spit_env.telling import COLUMNS
from tests.pictures import bright, first_corner, seconds_to_draw
from tests.random_games import SEEDS, played

DRAWN = """\
 round 1                                                                         0:00.000 · race
────────────────────────────────────────────────────────────────────────────────────────────────
 E 2 in pack                            idle
   ╭──╮                    ╭──╮                    ╭──╮
   │9♦│ 1E !    ··  2E     │2♣│ 3E      ··  4E     │▒▒│ E pack
   ╰──╯ x1          x0     ╰──╯ x2          x0     ╰──╯ x2

   ╭──╮        ╭──╮        ╭──╮        ╭──╮
   │K♠│ 1Y     │9♣│ 2Y !   │A♣│ 3Y     │T♥│ 4Y      ··  Y pack
   ╰──╯ x1     ╰──╯ x1     ╰──╯ x1     ╰──╯ x1          x0
 Y 0 in pack                            idle
"""


def lay(record: Any, p: int, stack: int, cards: list[int]) -> None:
    """Put cards on a place, bottom to top."""
    record["stack"][p, stack, : len(cards)], record["height"][p, stack] = cards, len(cards)
    if cards:
        record["top"][p, stack] = rank_of(cards[-1])
        record["seen"][cards] = 1


def fill_pack(record: Any, p: int, cards: list[int]) -> None:
    record["pack"][p, : len(cards)], record["pack_n"][p] = cards, len(cards)


def small_table() -> Any:
    """Two nines lie open; Y's pack is empty."""
    record = blank(CaliforniaRules())
    record["phase"] = RACE
    for stack, name in enumerate(("Ks", "9c", "Ac", "Th")):
        lay(record, 0, stack, [parse_card(name)])
    lay(record, 1, 0, [parse_card("9d")])
    lay(record, 1, 2, [parse_card("5h"), parse_card("2c")])
    record["coverable"][0, 1] = record["coverable"][1, 0] = 1
    fill_pack(record, 1, [parse_card("3c"), parse_card("Jd")])
    return record


def some_table(seed: int) -> Any:
    """A table at random: cards anywhere, each hand doing something."""
    rng = np.random.default_rng(seed)
    record = blank(CaliforniaRules())
    deck = rng.permutation(CARDS).tolist()
    record["phase"], record["time"] = RACE, rng.integers(10**6)
    for p in range(SEATS):
        for stack in range(STACKS):
            lay(record, p, stack, [deck.pop() for _ in range(rng.integers(5))])
        record["coverable"][p] = (record["height"][p] > 0) & (rng.random(STACKS) < 0.4)
        fill_pack(record, p, [deck.pop() for _ in range(rng.integers(1, 9))])
        record["seen"][record["pack"][p, : rng.integers(record["pack_n"][p] + 1)]] = 1
        record["hand"][p] = state = rng.integers(IDLE, RETURN + 1)
        record["until"][p] = record["time"] + 300
        if state in (TRAVEL, RETURN):
            fly(record, p, FIRST_COVER + int(rng.integers(SEATS * STACKS)), rng.random())
            record["hand"][p] = state
    return record


def fly(record: Any, p: int, action: int, share: float) -> None:
    """The top of the pack has done this share of its way to a place."""
    record["pack_n"][p] -= 1
    record["card"][p] = card = record["pack"][p, record["pack_n"][p]]
    record["seen"][card] = 1
    record["action"][p], record["hand"][p], record["travel_ms"][p] = action, TRAVEL, 1000
    record["until"][p] = record["time"] + int(1000 * (1 - share))
    record["return_ms"] = -1


def packs_swapped(record: Any, seed: int) -> Any:
    """A copy in which the cards of the packs have changed places."""
    other = record.copy()
    packs = [other["pack"][p, : other["pack_n"][p]] for p in range(SEATS)]
    cards = np.random.default_rng(seed).permutation(np.concatenate(packs)).tolist()
    for pack in packs:
        pack[:] = [cards.pop() for _ in pack]
    return other


@pytest.mark.plain
def test_the_text_of_a_table() -> None:
    assert ansi(small_table()) == DRAWN
    assert ansi(small_table(), plain=True).isascii()
    assert "\x1b[31m9♦\x1b[39m" in ansi(small_table(), colour=True)


@pytest.mark.plain
def test_a_flight_in_the_text() -> None:
    record = small_table()
    fly(record, 1, FIRST_COVER + STACKS + 1, 0.25)
    line = " E 2 in pack                            covers J♦ ━━━▶┄┄┄┄┄┄┄┄┄ 2Y · 750 ms"
    assert ansi(record).splitlines()[2] == line
    record["hand"][1] = RETURN
    assert "returns J♦ ┄┄┄┄┄┄┄┄┄◀━━━ 2Y · 750 ms" in ansi(record)


@pytest.mark.plain
def test_hands_at_rest_in_the_text() -> None:
    record = small_table()
    record["hand"], record["until"][0] = [THINK, OPEN], 120
    text = ansi(record)
    assert "thinks · 120 ms" in text
    assert "may choose" in text
    record["declined"][1] = 1
    assert "waits" in ansi(record)


@pytest.mark.plain
def test_what_may_be_covered_stands_out() -> None:
    record = small_table()
    marked = rgb_array(record)
    record["coverable"] = 0
    assert "!" not in ansi(record)
    rows, columns = np.nonzero((rgb_array(record) != marked).any(2))
    assert (rows.min() < 130, rows.max() > 350, columns.min() > 120, columns.max() < 320) == (True,) * 4


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_any_table_can_be_drawn_and_shows_no_hidden_card(seed: int) -> None:
    record = some_table(seed)
    text, image = ansi(record), rgb_array(record)
    assert max(map(len, text.splitlines())) <= COLUMNS <= 100
    assert ansi(record, plain=True).isascii()
    assert (image.shape, image.dtype) == ((HEIGHT, WIDTH, 3), np.uint8)
    other = packs_swapped(record, seed)
    assert ansi(other) == text
    assert np.array_equal(rgb_array(other), image)


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(0, 600), st.sampled_from(sorted(PRESETS)))
def test_a_game_shows_no_card_that_nobody_can_know(seed: int, steps: int, preset: str) -> None:
    batch = played(seed, steps, preset)
    text, image = ansi(batch.games[0]), rgb_array(batch.games[0])
    batch.game.shuffle_unknown(batch, 0, np.random.default_rng(seed))
    assert ansi(batch.games[0]) == text
    assert np.array_equal(rgb_array(batch.games[0]), image)


@pytest.mark.plain
def test_each_phase_says_what_it_waits_for() -> None:
    record = small_table()
    said = []
    for phase in range(len(PHASE_NAMES)):
        record["phase"], record["phase_until"] = phase, record["time"] + 700
        record["winner"], record["end_reason"] = (0, 1) if phase == OVER else (-1, 0)
        said.append(ansi(record).splitlines()[0].split("· ")[1])
        assert rgb_array(record).shape == (HEIGHT, WIDTH, 3)
    assert said[:3] == ["start in 0.7 s", "race", "stuck: new rows in 0.7 s"]
    assert said[OVER] == "Y wins: finished"
    record["winner"], record["end_reason"] = -1, 4
    assert "cut off: max rounds" in ansi(record)


@pytest.mark.plain
@pytest.mark.parametrize("p", [0, 1])
def test_a_card_flies_in_a_straight_line(p: int) -> None:
    corners = []
    for share in (0.0, 0.25, 0.5):
        record = blank(CaliforniaRules())
        fill_pack(record, p, [3])
        fly(record, p, FIRST_COVER + 1, share)
        with_card = bright(rgb_array(record))
        record["card"], record["hand"] = -1, IDLE
        corners.append(first_corner(with_card & ~bright(rgb_array(record))))
    steps = [(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(corners)]
    assert (steps[0][0] < -10) if p == 0 else (steps[0][0] > 10), "from the pack, on the right of Y, the left of E"
    assert max(abs(a - b) for a, b in zip(*steps)) <= 2


@pytest.mark.plain
def test_a_frame_is_quick() -> None:
    assert seconds_to_draw(rgb_array, some_table(3)) < 0.010
