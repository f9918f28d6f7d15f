"""The table of Speed as text and as an image."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spit_env import sprites
from spit_env.cards import FIRST_JOKER, JOKER, parse_card, rank_or_joker
from spit_env.drawing import HEIGHT, WIDTH
from spit_env.speed.look import ansi, rgb_array
from spit_env.speed.rules import PRESETS, SpeedRules
from spit_env.speed.state import FIRST_PLAY, ROW4, blank, call_action, draw_action
from spit_env.state import IDLE, OPEN, OVER, PHASE_NAMES, RACE, RETURN, THINK, TRAVEL
from spit_env.telling import COLUMNS
from tests.pictures import bright, first_corner, seconds_to_draw
from tests.random_games import SEEDS, played

DRAWN = """\
 speed                                                                           0:00.000 · race
────────────────────────────────────────────────────────────────────────────────────────────────
 E 2 in hand, 7 in stock                at rest
   ╭──╮      ╭──╮                ╭──╮
   │▒▒│  ··  │9♦│  ··   ··       │▒▒│ E stock
   ╰──╯      ╰──╯                ╰──╯ x7

   ╭──╮      ╭──╮                   ╭───╮
   │▒▒│ ▶    │6♣│ L        ··  ▶    │*=4│ R
   ╰──╯ x2   ╰──╯ x1           x0   ╰───╯ x2

   ╭──╮ ╭──╮ ╭──╮
   │▒▒│ │▒▒│ │▒▒│  ··   ··        ··  Y stock
   ╰──╯ ╰──╯ ╰──╯                     x0
 Y 3 in hand, 0 in stock                at rest
"""
ANY_PRESET = st.sampled_from(sorted(PRESETS))


def lay(record: Any, heap: str, at: int, cards: list[int]) -> None:
    """Put cards into a stock, reserve or pile."""
    n = len(cards)
    record[heap][at, :n], record[f"{heap}_n"][at] = cards, n
    if heap == "pile" and n:
        record["top"][at] = rank_or_joker(cards[-1])
        record["seen"][cards] = 1


def hold(record: Any, p: int, cards: list[int], slots: list[int]) -> None:
    """Put cards into a hand; in a row they lie open."""
    record["held"][p, slots] = cards
    record["seen"][cards] |= record["layout"] == ROW4
    record["held_n"][p] = len(cards)


def small_table() -> Any:
    """Two players: E has a card that bounced, R shows a joker, which counts as a four."""
    record = blank(PRESETS["speed_jokers"])
    record["phase"] = RACE
    hold(record, 0, [parse_card("8c"), parse_card("3d"), FIRST_JOKER + 1], [0, 1, 2])
    hold(record, 1, [parse_card("Kh"), parse_card("9d")], [0, 2])
    record["seen"][parse_card("9d")] = 1
    lay(record, "stock", 1, list(range(4, 11)))
    lay(record, "reserve", 1, [0, 1])
    lay(record, "pile", 1, [parse_card("6c")])
    lay(record, "pile", 0, [parse_card("6h"), FIRST_JOKER])
    record["top"][0] = 3
    return record


def some_table(rules: SpeedRules, seed: int) -> Any:
    """A table at random: cards anywhere, jokers with any name, each hand doing something."""
    rng = np.random.default_rng(seed)
    record = blank(rules)
    deck = rng.permutation([*range(52 * rules.decks), *range(FIRST_JOKER, FIRST_JOKER + rules.jokers)]).tolist()
    heaps = ("stock", "pile") if rules.layout == "row4" else ("stock", "pile", "reserve")
    record["phase"], record["time"] = RACE, rng.integers(10**6)
    for p in range(rules.seats):
        slots = rng.permutation(record["hand_size"])[: rng.integers(record["hand_size"] + 1)]
        hold(record, p, [deck.pop() for _ in slots], slots.tolist())
        for heap in heaps:
            lay(record, heap, p, [deck.pop() for _ in range(rng.integers(5))])
        if record["pile_n"][p] and record["top"][p] == JOKER:
            record["top"][p] = rng.integers(JOKER + 1)
        known = record["held"][p][record["held"][p] >= 0]
        record["seen"][known[rng.random(len(known)) < 0.3]] = 1
        act(record, p, rng)
    record["score"] = rng.integers(0, 1000, rules.seats)
    return record


def act(record: Any, p: int, rng: np.random.Generator) -> None:
    """Let a hand play, return, draw, call, or rest."""
    seats, what = len(record["hand"]), rng.integers(8)
    held = np.flatnonzero(record["held"][p] >= 0)
    if what < 4 and len(held):
        fly(record, p, int(rng.choice(held)), int(rng.integers(seats)), rng.random())
        record["hand"][p] = TRAVEL if what < 3 else RETURN
    elif what == 4 and len(held) < record["hand_size"]:
        go(record, p, draw_action(seats), rng.random())
    elif what == 5:
        go(record, p, call_action(seats), rng.random())
    else:
        record["hand"][p] = rng.integers(IDLE, OPEN + 1)


def fly(record: Any, p: int, slot: int, pile: int, share: float) -> None:
    """The card of a slot has done this share of its way to a pile."""
    seats = len(record["hand"])
    card = int(record["held"][p, slot])
    record["held"][p, slot], record["card"][p], record["seen"][card] = -1, card, 1
    record["named"][p] = rank_or_joker(card)
    go(record, p, FIRST_PLAY + seats * slot + (pile - p) % seats, share)


def go(record: Any, p: int, action: int, share: float) -> None:
    record["action"][p], record["hand"][p], record["travel_ms"][p] = action, TRAVEL, 1000
    record["until"][p] = record["time"] + int(1000 * (1 - share))
    record["return_ms"] = -1


def hidden_swapped(record: Any, seed: int) -> Any:
    """A copy in which the cards that nobody has seen have changed places; reserves may hold any."""
    other = record.copy()
    parts = [other["starter"], *other["held"]]
    for p in range(len(other["hand"])):
        parts += [other[heap][p, : other[f"{heap}_n"][p]] for heap in ("stock", "reserve")]
    places = [(part, i) for part in parts for i, card in enumerate(part) if card >= 0 and not record["seen"][card]]
    cards = np.random.default_rng(seed).permutation([part[i] for part, i in places])
    for (part, i), card in zip(places, cards):
        part[i] = card
    return other


@pytest.mark.plain
def test_the_text_of_a_table() -> None:
    assert ansi(small_table()) == DRAWN
    assert "│*=4│ R" in ansi(small_table(), plain=True).replace("|", "│")
    assert "\x1b[31m9♦\x1b[39m" in ansi(small_table(), colour=True)


@pytest.mark.plain
def test_a_flight_in_the_text() -> None:
    record = small_table()
    fly(record, 0, 0, 1, 0.25)
    line = " Y 3 in hand, 0 in stock                plays 8♣ 1 ━━━▶┄┄┄┄┄┄┄┄┄ L · 750 ms"
    assert ansi(record).splitlines()[-1] == line
    record["hand"][0] = RETURN
    assert "returns 8♣ 1 ┄┄┄┄┄┄┄┄┄◀━━━ L · 750 ms" in ansi(record)


@pytest.mark.plain
def test_jokers_go_by_their_names() -> None:
    record = small_table()
    fly(record, 0, 2, 0, 0.5)
    assert "plays ** 3 ━━━━━━▶┄┄┄┄┄┄ R · 500 ms" in ansi(record), "onto a joker without a name"
    without = rgb_array(record)
    record["named"][0] = 4
    assert "plays *=5 3 " in ansi(record)
    assert (rgb_array(record) != without).any()
    record["top"][0] = JOKER
    assert "│**│ R" in ansi(record)
    faces = [sprites.face(FIRST_JOKER, name) for name in range(JOKER + 1)]
    assert len({face.tobytes() for face in [*faces, *map(sprites.face, range(52))]}) == JOKER + 1 + 52
    assert all(np.array_equal(sprites.face(FIRST_JOKER + i), sprites.face(FIRST_JOKER)) for i in range(4))


@pytest.mark.plain
def test_draws_and_calls_in_the_text() -> None:
    record = small_table()
    go(record, 1, draw_action(2), 0.5)
    go(record, 0, call_action(2), 0.5)
    assert "draws ━━━━━━▶┄┄┄┄┄┄ 2 · 500 ms" in ansi(record), "to the lowest empty slot"
    assert "calls speed · 500 ms" in ansi(record)


@pytest.mark.plain
def test_a_match_tells_its_scores() -> None:
    record = small_table()
    record["match_score"], record["score"], record["rounds"] = 25, [3, 14], 1
    text = ansi(record)
    assert text.startswith(" deal 2 · match to 25 ")
    assert " E 2 in hand, 7 in stock, score 14 " in text
    pictures = [rgb_array(record)]
    record["score"] = [3, 15]
    pictures.append(rgb_array(record))
    assert (pictures[0] != pictures[1]).any()


@pytest.mark.plain
def test_rows_of_four_lie_open() -> None:
    record = some_table(PRESETS["bicycle"], 2)
    for p in (0, 1):
        hold(record, p, [52 * p + 4 * i for i in range(4)], list(range(4)))
    record["hand"], record["card"] = IDLE, -1
    assert ansi(record).count("│A♣│ │2♣│ │3♣│ │4♣│") == 2
    assert "4 in row" in ansi(record)
    assert "▶ " not in ansi(record).splitlines()[8], "there are no reserves"


@pytest.mark.plain
def test_what_a_hidden_hand_might_do_is_not_told() -> None:
    table, rows = small_table(), some_table(PRESETS["bicycle"], 2)
    texts, row_texts, pictures = set(), set(), set()
    for state in (IDLE, THINK, OPEN):
        for record in (table, rows):
            record["hand"], record["until"] = state, record["time"] + 300
        texts.add(ansi(table))
        pictures.add(rgb_array(table).tobytes())
        row_texts.add(ansi(rows))
    assert (len(texts), len(pictures), len(row_texts)) == (1, 1, 3)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), ANY_PRESET)
def test_any_table_can_be_drawn_and_shows_no_hidden_card(seed: int, preset: str) -> None:
    record = some_table(PRESETS[preset], seed)
    text, image = ansi(record), rgb_array(record)
    assert max(map(len, text.splitlines())) <= COLUMNS <= 100
    assert ansi(record, plain=True).isascii()
    assert (image.shape, image.dtype) == ((HEIGHT, WIDTH, 3), np.uint8)
    other = hidden_swapped(record, seed)
    assert ansi(other) == text
    assert np.array_equal(rgb_array(other), image)


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(0, 400), st.sampled_from(["speed_jokers", "speed_3p", "bicycle"]))
def test_a_game_shows_no_card_that_a_player_cannot_know(seed: int, steps: int, preset: str) -> None:
    batch = played(seed, steps, preset)
    text, image = ansi(batch.games[0]), rgb_array(batch.games[0])
    for p in range(batch.game.seats):
        batch.game.shuffle_unknown(batch, p, np.random.default_rng(seed))
        assert ansi(batch.games[0]) == text
        assert np.array_equal(rgb_array(batch.games[0]), image)


@pytest.mark.plain
def test_the_widest_table_fits() -> None:
    record = some_table(replace(PRESETS["speed_4p"], match_score=1000), 0)
    record["score"], record["rounds"], record["time"] = 1000, 99, 10**7
    for heap in ("stock", "reserve", "pile"):
        record[f"{heap}_n"] = 100
    assert max(map(len, ansi(record).splitlines())) <= COLUMNS
    assert rgb_array(record).shape == (HEIGHT, WIDTH, 3)


@pytest.mark.plain
def test_each_phase_says_what_it_waits_for() -> None:
    record = small_table()
    said = []
    for phase in range(len(PHASE_NAMES)):
        record["phase"], record["phase_until"] = phase, record["time"] + 700
        record["winner"], record["end_reason"] = (1, 1) if phase == OVER else (-1, 0)
        said.append(ansi(record).splitlines()[0].split("· ")[1])
        assert rgb_array(record).shape == (HEIGHT, WIDTH, 3)
    assert said[:3] == ["start in 0.7 s", "race", "stuck: turn in 0.7 s"]
    assert said[5:] == ["between deals", "E wins: finished"]


@pytest.mark.plain
@pytest.mark.parametrize("preset", ["speed", "speed_3p", "speed_4p", "bicycle"])
def test_a_card_flies_in_a_straight_line(preset: str) -> None:
    rules = PRESETS[preset]
    for p in range(rules.seats):
        corners = []
        for share in (0.0, 0.25, 0.5):
            record = blank(rules)
            hold(record, p, [3], [1])
            fly(record, p, 1, 0, share)
            with_card = bright(rgb_array(record))
            record["card"] = record["held"] = -1
            record["hand"] = IDLE
            corners.append(first_corner(with_card & ~bright(rgb_array(record))))
        steps = [(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(corners)]
        assert abs(steps[0][1]) > 10
        assert steps[0][1] < 0 if p == 0 else steps[0][1] > 0, "from the own side to the middle"
        assert max(abs(a - b) for a, b in zip(*steps)) <= 2


@pytest.mark.plain
def test_a_drawn_card_flies_face_down() -> None:
    record = small_table()
    pictures = []
    for share in (0.2, 0.4, 0.6):
        go(record, 1, draw_action(2), share)
        pictures.append(rgb_array(record))
        assert np.array_equal(rgb_array(hidden_swapped(record, 5)), pictures[-1])
    assert all((a != b).any() for a, b in pairwise(pictures))


@pytest.mark.plain
def test_starters_lie_face_down() -> None:
    record = blank(PRESETS["speed"])
    before = rgb_array(record)
    assert ansi(record).count("▒▒") == 0
    record["starter"] = [7, 8]
    assert ansi(record).count("▒▒") == 2
    assert (rgb_array(record) != before).any()
    assert np.array_equal(rgb_array(hidden_swapped(record, 1)), rgb_array(record))


@pytest.mark.plain
def test_a_frame_is_quick() -> None:
    assert seconds_to_draw(rgb_array, some_table(PRESETS["speed_4p"], 3)) < 0.010
