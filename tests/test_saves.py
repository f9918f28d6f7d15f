"""Saved games go on as if nothing had been, what cannot be is refused, and what a state's hash covers."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spit_env.batch import Batch
from spit_env.errors import BadReplay
from spit_env.games import parse_board
from spit_env.replay import advance_one, load_game, save_game, state_hash
from spit_env.saves import BOOKKEEPING, digest, dumps
from spit_env.state import RETURN, TRAVEL
from tests.random_games import DELAYED, HASTY, PRESET, SEEDS, STEPPINGS, play_on, played

BOARD = "Y: 8 | xT | xx | - | 5   d3\nE: 4 | xJ | xx8 | A | 2   d1\nL=9(6) R=Q"


# Saved games (T-58: pause and restore keeps every timer)


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(0, 600), PRESET, st.sampled_from(STEPPINGS), st.booleans())
def test_t_58_a_restored_game_goes_on_as_if_nothing_had_been(
    seed: int, steps: int, preset: str, tick_ms: int | None, delayed: bool
) -> None:
    batch = played(seed, steps, preset, DELAYED if delayed else HASTY, tick_ms)
    text = save_game(batch.games[0], batch.past[0])
    record, past = load_game(text)
    assert record["paused"] == 1
    record["paused"] = 0
    assert all(np.array_equal(record[name], batch.games[0][name]) for name in record.dtype.names or ())
    assert past.shape == batch.past[0].shape
    assert json.loads(save_game(record, past))["past"] == json.loads(text)["past"]

    other = Batch(1, preset, DELAYED if delayed else HASTY, tick_ms=tick_ms)
    other.games[0], other.past[0] = record, past
    other.masks[:], other.asked[:] = batch.masks, batch.asked
    for b in (batch, other):
        play_on(b, np.random.default_rng(seed + 1), 200)
    assert state_hash(other.games[0]) == state_hash(batch.games[0])


@pytest.mark.plain
def test_t_58_a_game_is_saved_in_mid_flight_and_waits_until_it_is_resumed() -> None:
    batch = Batch(1, latencies=HASTY, tick_ms=1)
    batch.reset([1], boards=np.array([parse_board(BOARD)]))
    while batch.games[0].hand[0] not in (TRAVEL, RETURN):
        batch.step(np.array([[2, 4]]))
    record, past = load_game(save_game(batch.games[0], batch.past[0]))
    games, shots = np.array([record]).view(np.recarray), past[None].view(np.recarray)
    before = games[0].copy()
    advance_one(games, shots, 0, int(before["time"]) + 5000)
    assert games[0] == before, "it is paused"
    games[0].paused = 0
    landing = int(before["until"][0])
    for game, snaps in ((games, shots), (batch.games, batch.past)):
        while game[0].time < landing:
            advance_one(game, snaps, 0, landing)
        assert game[0].hand[0] != TRAVEL
    assert state_hash(games[0]) == state_hash(batch.games[0])


@pytest.mark.plain
def test_resuming_through_a_batch() -> None:
    batch = played(2, 20, tick_ms=50)
    record, _ = load_game(save_game(batch.games[0], batch.past[0]))
    record["paused"] = 0
    other = Batch(1, "emma", HASTY, tick_ms=50)
    other.reset([int(record["seed"])], boards=np.array([record]))
    for b in (batch, other):
        play_on(b, np.random.default_rng(0), 20)
    assert state_hash(other.games[0]) == state_hash(batch.games[0])


def changed(text: str, name: str, value: Any) -> str:
    """A saved game with another value of a field of its state, and the sum put right."""
    body = json.loads(text)
    body.pop("sum")
    if value is None:
        del body["state"][name]
    else:
        body["state"][name] = value
    return dumps(body | {"sum": digest(dumps(body).encode())})


@pytest.fixture(scope="module")
def saved() -> str:
    batch = Batch(1, latencies=HASTY, tick_ms=1)
    batch.reset([1], boards=np.array([parse_board(BOARD)]))
    while batch.games[0].hand[0] != TRAVEL:
        batch.step(np.array([[2, 4]]))
    return save_game(batch.games[0], batch.past[0])


@pytest.mark.plain
@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("time", None, "state: missing: time"),
        ("tme", 3, "state: unknown: tme"),
        ("time", "3", "state.time: '3' must be a whole number"),
        ("time", True, "state.time: 'True' must be"),
        ("time", 1.0, "state.time: '1.0' must be"),
        ("time", 2**31, "state.time: '2147483648' must be"),
        ("time", -1, "time: a value is outside 0 to"),
        ("time", 100_000, "until: seat"),
        ("hand", [3], "state.hand: must be a list with as many hands"),
        ("hand", [3, 9], "hand: a value is outside 0 to 4"),
        ("hand", [0, 0], "do not go together"),
        ("latency", [[[0, 0, 0]] * 5] * 3, "state.latency: must be a list of 2"),
        ("latency", [[[0, 0, 9]] * 5] * 2, "latency: a value is outside"),
        ("latency", [[[0, "a", 0]] * 5] * 2, "'a' must be a number"),
        ("height", [[8, 8, 8, 8, 8]] * 2, "is in two places"),
        ("height", [[0, 9, 0, 0, 0], [1, 1, 1, 1, 1]], "height: a value is outside 0 to 8"),
        ("down", [[8, 8, 8, 8, 8]] * 2, "down: more cards are face down"),
        ("stack", [[[99] * 8] * 5] * 2, "stack: a value is outside 0 to 51"),
        ("deck_n", [52, 52], "is in two places"),
        ("action", [38, 38], "do not go together"),
        ("phase", 7, "phase: a value is outside 0 to 6"),
        ("phase", 5, "hands are idle"),
        ("label", [1, 1], "label: [1, 1] must hold each"),
        ("combine", 5, "combine: 5 must be 0 to 1"),
        ("stall_ms", 99_999_999, "never acts"),
        ("accept_bits", [0] * 13, "accept_bits: no rule"),
        ("accepts", [1, 1], "accepts: [1, 1] is wrong; the cards make it"),
        ("top", [[0] * 5] * 2, "top: "),
        ("known", [3] * 52, "known: 3 cannot be said of"),
        ("progress_at", 9_999_999, "progress_at: 9999999 is later than time"),
        ("end_reason", 2, "end_reason: 2 does not go with phase"),
        ("winner", 1, "winner: 1 does not go with the end reason ''"),
        ("round_over", 2, "round_over: a value is outside 0 to 1"),
        ("perception", [5, 5], "past: must be a list of 64 snapshots"),
    ],
)
def test_saved_games_that_cannot_be_are_refused(saved: str, name: str, value: Any, says: str) -> None:
    load_game(saved)
    with pytest.raises(BadReplay) as caught:
        load_game(changed(saved, name, value))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda text: "", "the saved game: not JSON"),
        (lambda text: "5", "the saved game: must be a JSON object"),
        (lambda text: text.replace("spit-save", "other"), "not a saved game: format='other'"),
        (lambda text: text.replace('"version":1', '"version":7'), "version 7 of the format; this program reads"),
        (lambda text: text.replace('"game":"spit"', '"game":"whist"'), "its sum is another"),
        (lambda text: text.replace('"past"', '"pasta"'), "missing: past"),
        (lambda text: text.replace('"seed":1', '"seed":2'), "its sum is another"),
        (lambda text: text[:-5], "not JSON"),
        (lambda text: text.replace('"time":', '"time":NaN,"t":'), "NaN is no number of JSON"),
    ],
)
def test_damaged_saves_are_refused(saved: str, damage: Any, says: str) -> None:
    assert damage(saved) != saved
    with pytest.raises(BadReplay, match=says):
        load_game(damage(saved))


# The hash


@pytest.mark.plain
def test_the_hash_covers_the_game_and_not_how_it_was_stepped() -> None:
    g = played(2, 10).games[0]
    base = state_hash(g)
    assert len(base) == 16
    assert base == state_hash(np.array([g])[0]), "a plain record hashes alike"
    for name in g.dtype.names:
        other = g.copy()
        other[name] = np.asarray(other[name]) + 1
        assert (state_hash(other) == base) == (name in BOOKKEEPING), name
