"""What nets for Speed and California Speed see: all places written, in range, no absolute rank, nothing unknown."""

from typing import Any

import numpy as np
import pytest

from spit_agents.features import HIGHEST, LOWEST, encoder_of
from spit_env.batch import Batch
from spit_env.california.rules import PRESETS as CALIFORNIA_PRESETS
from spit_env.games import game_of
from spit_env.jit import JIT_DISABLED
from spit_env.speed.rules import PRESETS as SPEED_PRESETS
from spit_env.state import NOOP, OVER
from tests.random_games import HASTY, choices_of
from tests.sights import any_sights, check_writing, sights_of_games

TABLES = ("speed", "speed_3p", "speed_4p", "california")  # one preset for each table of fields
ROWS = 10 if JIT_DISABLED else 2000
RANKED = {
    "speed": ("flight_card", "flight_name", "pile_top", "held_card"),
    "california_speed": ("flight_card", "top", "stack_card", "pack_card"),
}


@pytest.mark.plain
@pytest.mark.parametrize("preset", TABLES)
def test_every_place_is_written_and_no_other(preset: str) -> None:
    (views, masks), encoder = any_sights(preset, 10), encoder_of(game_of(preset))
    before = views.tobytes(), masks.tobytes()
    made, candidates = encoder.encode(views, masks)
    assert (made.shape, encoder.size) == ((10, encoder.size), encoder.features)
    check_writing(encoder, views, masks)
    assert (views.tobytes(), masks.tobytes()) == before
    for mine, backwards in zip((made, candidates), encoder.encode(views[::-1], masks[::-1]), strict=True):
        assert np.array_equal(mine, backwards[::-1])  # row by row


@pytest.mark.plain
@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("preset", TABLES)
def test_candidates_are_the_legal_actions_in_their_places(preset: str, waits: bool) -> None:
    views, masks = any_sights(preset, ROWS)
    masks[0] = np.arange(masks.shape[1]) == NOOP  # somebody can only wait
    _, candidates = encoder_of(game_of(preset)).encode(views, masks, waits)
    assert (candidates.shape, candidates.dtype) == (masks.shape, np.int8)
    assert np.isin(candidates, [-1, *range(masks.shape[1])]).all()
    there = candidates >= 0
    assert (candidates == np.where(there, np.arange(masks.shape[1]), -1)).all()
    assert np.array_equal(there[:, NOOP + 1 :], masks[:, NOOP + 1 :] != 0)
    only = ~masks[:, NOOP + 1 :].any(axis=1)
    assert np.array_equal(there[:, NOOP], (masks[:, NOOP] != 0) & (only | waits))
    assert only[0]
    assert there.any(axis=1).all()


@pytest.mark.plain
@pytest.mark.parametrize("preset", TABLES)
def test_every_number_is_in_the_bridges_box(preset: str) -> None:
    made, _ = encoder_of(game_of(preset)).encode(*any_sights(preset, ROWS))
    assert made.min() >= LOWEST
    assert made.max() <= HIGHEST


@pytest.mark.parametrize("preset", [*SPEED_PRESETS, *CALIFORNIA_PRESETS])
def test_numbers_of_real_games_are_of_order_one(preset: str) -> None:
    made, _ = encoder_of(game_of(preset)).encode(*sights_of_games(preset))
    assert made.min() >= LOWEST
    assert made.max() <= 6.0
    assert (made.std(axis=0) > 0).mean() > 0.5  # few places are the same throughout


def shifted(views: Any, ranked: tuple[str, ...], k: int) -> Any:
    """All ranks k higher, the king followed by the ace; jokers stay."""
    other = views.copy()
    for name in ranked:
        ranks = views[name]
        other[name] = np.where((ranks > 0) & (ranks <= 13), (ranks.astype(int) - 1 + k) % 13 + 1, ranks)
    for name in {"unseen", "mixed"} & set(views.dtype.names):
        other[name][:, :13] = np.roll(views[name][:, :13], k, axis=-1)
    return other


@pytest.mark.plain
@pytest.mark.parametrize("recall", ["perfect", "none"])
@pytest.mark.parametrize("preset", [*TABLES, "speed_jokers"])
def test_all_ranks_may_be_shifted(preset: str, recall: str) -> None:
    """No feature holds an absolute rank, as long as there is a top to count from."""
    game = game_of(preset)
    encoder, (views, masks) = encoder_of(game), sights_of_games(preset, recall)
    tops = views.pile_top if game.name == "speed" else views.top.reshape(len(views), -1)
    counted = ((tops > 0) & (tops <= 13)).any(axis=1)
    views, masks = views[counted], masks[counted]
    assert len(views) > 10
    made, _ = encoder.encode(views, masks)
    for k in range(1, 13):
        other = shifted(views, RANKED[game.name], k)
        assert other.tobytes() != views.tobytes()
        assert np.array_equal(encoder.encode(other, masks)[0], made)


@pytest.mark.plain
@pytest.mark.parametrize("preset", [*TABLES, "speed_pagat", "bicycle"])
def test_cards_that_a_player_cannot_know_do_not_show(preset: str) -> None:
    game = game_of(preset)
    encoder, rng = encoder_of(game), np.random.default_rng(0)
    batch, changed = Batch(1, preset, HASTY), 0
    batch.reset([3])
    for _ in range(12 if JIT_DISABLED else 40):
        batch.step(choices_of(batch, rng), everyone=True)
        if batch.phase[0] == OVER:
            break
        for seat in range(game.seats):
            twin = Batch(1, preset, HASTY)
            twin.restore(batch.state[0].copy(), batch.past[0])
            game.shuffle_unknown(twin, seat, rng)
            changed += twin.state[0].tobytes() != batch.state[0].tobytes()
            twin.write()
            places = np.array([0]), np.array([seat])
            made = (encoder.encode(*games.seen(*places)) for games in (twin, batch))
            assert all(np.array_equal(one, other) for one, other in zip(*made, strict=True))
    assert changed > 5


@pytest.mark.plain
@pytest.mark.parametrize("preset", ["speed", "speed_3p"])
def test_the_relations_of_own_cards_to_piles_are_right(preset: str) -> None:
    """Which own card fits which pile, worked out in another way."""
    game = game_of(preset)
    (views, masks), seats = sights_of_games(preset), game.seats
    made, _ = encoder_of(game).encode(views, masks)
    at = seats * (2 * 15 + 3 + 11)
    for s in range(5):
        card = views.held_card[:, 0, s]
        for pile in range(seats):
            top = views.pile_top[:, pile]
            fits = (card > 0) & (top > 0) & np.isin((card.astype(int) - top) % 13, (1, 12))
            assert np.array_equal(made[:, at + 15 + 4 * pile], fits.astype(np.float32))
            assert np.array_equal(made[:, at + 17 + 4 * pile], ((card > 0) & (card == top)).astype(np.float32))
        at += 15 + 4 * seats + 1 + 2 * s


@pytest.mark.plain
def test_the_relations_between_places_are_right() -> None:
    """Which tops are equal, and which the next own card matches, worked out in another way."""
    views, masks = sights_of_games("california")
    made, _ = encoder_of(game_of("california")).encode(views, masks)
    tops, at = views.top.reshape(len(views), 8), 0
    for place in range(8):
        equal = (tops == tops[:, [place]]) & (tops[:, [place]] > 0)
        assert np.array_equal(made[:, at + 16], equal.sum(axis=1) - (tops[:, place] > 0))
        matches = (tops[:, place] > 0) & (tops[:, place] == views.pack_card[:, 0, 0])
        assert np.array_equal(made[:, at + 18], matches.astype(np.float32))
        assert np.array_equal(made[:, at + 26 : at + 26 + place], equal[:, :place])
        at += 26 + place
