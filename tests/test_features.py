"""What a net sees: every place is written, in range, the same for all shifts of rank, from the observation alone."""

from typing import Any

import numpy as np
import pytest

from spit_agents.errors import BadPlayer
from spit_agents.features import HIGHEST, LOWEST, encoder_of
from spit_agents.features_spit import FEATURES, encode_rows
from spit_env.batch import Batch, make_seeds
from spit_env.games import SPIT
from spit_env.jit import JIT_DISABLED
from spit_env.spit.rules import PRESETS
from tests.random_games import HASTY, choices_of, shuffled_unknown
from tests.spit_rules import make_rules

features = encoder_of(SPIT).encode
GAMES, STEPS = (4, 60) if JIT_DISABLED else (60, 150)


def views_of_games(preset: str, recall: Any = "perfect", every: int = 10) -> Any:
    """Observations of both seats from random games."""
    batch = Batch(GAMES, preset, HASTY, recall=recall)
    batch.reset(make_seeds(1, GAMES))
    rng, views = np.random.default_rng(0), []
    for step in range(STEPS):
        weights = batch.masks * rng.random(batch.masks.shape)
        weights[..., 0] *= 0.3
        batch.step(weights.argmax(axis=2), everyone=True)
        if step % every == 0:
            views.append(batch.observations.reshape(-1).copy())
    return np.concatenate(views).view(np.recarray)


def any_views(rows: int, seed: int = 0) -> Any:
    """Records with anything in them that the observation's table allows, likely or not."""
    low, high = SPIT.observation.bounds()
    rng = np.random.default_rng(seed)
    flat = rng.integers(low.astype(int), high.astype(int) + 1, (rows, SPIT.observation.size)).astype(np.int8)
    flat[0], flat[1] = low, high
    return flat.view(SPIT.observation.dtype)[:, 0].view(np.recarray)


@pytest.mark.plain
def test_every_place_is_written_and_no_other() -> None:
    views = any_views(20)
    out = np.full((20, FEATURES + 3), np.nan, np.float32)
    assert encode_rows(views, out) == FEATURES
    assert not np.isnan(out[:, :FEATURES]).any()
    assert np.isnan(out[:, FEATURES:]).all()
    made = features(views)
    assert (made.shape, made.dtype) == ((20, FEATURES), np.float32)
    assert np.array_equal(made, out[:, :FEATURES])
    assert features(views[:0]).shape == (0, FEATURES)


def test_a_game_without_an_encoder_is_refused() -> None:
    with pytest.raises(BadPlayer, match="no net can play chess: it has no encoder; games that have: spit"):
        encoder_of(SPIT._replace(name="chess"))


@pytest.mark.plain
def test_every_number_is_in_the_bridges_box() -> None:
    made = features(any_views(40 if JIT_DISABLED else 3000))
    assert made.min() >= LOWEST
    assert made.max() <= HIGHEST


@pytest.mark.parametrize("preset", PRESETS)
def test_numbers_of_real_games_are_of_order_one(preset: str) -> None:
    made = features(views_of_games(preset))
    assert made.min() >= LOWEST
    assert made.max() <= 6.0
    assert (made.std(axis=0) > 0).mean() > 0.6  # few places are the same throughout


def test_the_bridge_has_this_box() -> None:
    bridge = pytest.importorskip("spit_train.bridge")
    from spit_agents.arena import Arena
    from spit_agents.catalogue import make_player

    space = bridge.SpitVecEnv(Arena(1, [make_player("random")])).observation_space
    assert (space.low.min(), space.high.max(), space.shape) == (LOWEST, HIGHEST, (FEATURES,))


def shifted(views: Any, k: int) -> Any:
    """All ranks k higher, the king followed by the ace."""
    other = views.copy()
    for name in ("flight_card", "pile_top", "stack_card", "deck_card"):
        ranks = views[name]
        other[name] = np.where(ranks > 0, (ranks.astype(int) - 1 + k) % 13 + 1, 0)
    for name in ("unseen", "lost"):
        other[name] = np.roll(views[name], k, axis=-1)
    return other


@pytest.mark.plain
@pytest.mark.parametrize("recall", ["perfect", "none"])
def test_all_ranks_may_be_shifted(recall: str) -> None:
    """No feature holds an absolute rank, as long as there is a pile to count from."""
    views = views_of_games("wikipedia", recall)
    views = views[(views.pile_top > 0).any(axis=1)]
    assert len(views) > 10
    made = features(views)
    for k in range(1, 13):
        other = shifted(views, k)
        assert (other.stack_card != views.stack_card).any()
        assert np.array_equal(features(other), made)
    one_pile = views.copy()
    one_pile.pile_top[:, 0] = 0  # the own pile is gone: the other one's top is what ranks are counted from
    one_pile = one_pile[one_pile.pile_top[:, 1] > 0]
    for k in (1, 6, 12):
        assert np.array_equal(features(shifted(one_pile, k)), features(one_pile))


@pytest.mark.plain
def test_a_shift_of_some_ranks_shows() -> None:
    views = views_of_games("emma")
    views = views[(views.pile_top > 0).all(axis=1)]
    other = views.copy()
    other.pile_top = np.where(views.pile_top == 13, 1, views.pile_top + 1)
    assert (features(other) != features(views)).any(axis=1).all()


@pytest.mark.plain
def test_only_the_observation_goes_in() -> None:
    """A game whose unknown cards have changed places gives the same features."""
    rng = np.random.default_rng(0)
    batch = Batch(1, make_rules("emma"), HASTY)
    batch.reset([3])
    for step in range(15 if JIT_DISABLED else 60):
        batch.step(choices_of(batch, rng), everyone=True)
        if batch.over[0]:
            break
        twin = Batch(1, make_rules("emma"), HASTY)
        twin.reset([3], boards=np.array([shuffled_unknown(batch.games[0], step)]))
        assert (twin.games.deck[0] != batch.games.deck[0]).any()
        for p in (0, 1):
            if twin.games.time[0] == batch.games.time[0]:
                assert twin.observations[0, p].tobytes() == batch.observations[0, p].tobytes()
                assert np.array_equal(
                    features(twin.observations[0, p : p + 1]), features(batch.observations[0, p : p + 1])
                )
    views = views_of_games("emma")[:50]
    before = views.tobytes()
    assert np.array_equal(features(views), features(views.copy()))
    assert views.tobytes() == before  # and it is not changed
    assert np.array_equal(features(views)[::-1], features(views[::-1]))  # row by row


@pytest.mark.plain
def test_the_relations_that_decide_a_move_are_right() -> None:
    """Own tops against piles, worked out in another way."""
    views = views_of_games("emma")
    slots, stack = 14, 14 + 2 + 3 + 1 + 2 + 1
    at = 2 * (slots + 1)
    made = features(views)
    for s in range(5):
        up = views.stack_count[:, 0, s] > views.stack_down[:, 0, s]
        top = np.where(up, views.stack_card[:, 0, s, 0], 0)
        for pile in range(2):
            pile_top = views.pile_top[:, pile]
            fits = (top > 0) & (pile_top > 0) & np.isin((top.astype(int) - pile_top) % 13, (1, 12))
            assert np.array_equal(made[:, at + slots + pile], fits.astype(np.float32))
        at += stack + slots + 3 + 2 * s
