"""What encoders are tested on: what players see in random games, and anything that a game's table allows."""

from typing import Any

import numpy as np

from spit_agents.features import Encoder
from spit_env.batch import Batch, make_seeds
from spit_env.games import game_of
from spit_env.jit import JIT_DISABLED
from spit_env.state import NOOP
from tests.random_games import HASTY

GAMES, STEPS = (3, 40) if JIT_DISABLED else (60, 150)


def sights_of_games(preset: Any, recall: Any = "perfect", every: int = 10) -> tuple[Any, Any]:
    """Observations of all seats from random games, shape (rows,), and their masks."""
    batch = Batch(GAMES, preset, HASTY, recall=recall)
    batch.reset(make_seeds(1, GAMES))
    rng, views, masks = np.random.default_rng(0), [], []
    for step in range(STEPS):
        weights = batch.masks * rng.random(batch.masks.shape)
        weights[..., NOOP] *= 0.3
        batch.step(weights.argmax(axis=2), everyone=True)
        if step % every == 0:
            views.append(batch.observations.reshape(-1).copy())
            masks.append(batch.masks.reshape(-1, batch.game.actions).copy())
    return np.concatenate(views).view(np.recarray), np.concatenate(masks)


def any_sights(preset: Any, rows: int) -> tuple[Any, Any]:
    """Records with anything in them that the table allows, likely or not, and masks with anything legal."""
    game, rng = game_of(preset), np.random.default_rng(0)
    low, high = game.observation.bounds()
    flat = rng.integers(low.astype(int), high.astype(int) + 1, (rows, game.observation.size)).astype(np.int8)
    flat[0], flat[1] = low, high
    views = flat.view(game.observation.dtype)[:, 0].view(np.recarray)
    for name in {"flight_from", "flight_to"} & set(flat.view(game.observation.dtype).dtype.names or ()):
        views[name] = np.maximum(views[name], views.flight_card > 0)  # a card in flight has left some stack for another
    masks = (rng.random((rows, game.actions)) < rng.random((rows, 1))).astype(np.int8)
    masks[1] = 1
    masks[masks.sum(axis=1) == 0, NOOP] = 1
    return views, masks


def check_writing(encoder: Encoder, views: Any, masks: Any) -> None:
    """Every place is written, whatever was there, and no other."""
    rows = len(views)
    made, candidates = encoder.encode(views, masks)
    for filling in (np.nan, 7.0):
        room = np.full(rows * encoder.size + 50, filling, np.float32)
        out, actions = room[: rows * encoder.size].reshape(rows, -1), np.full_like(candidates, 99)
        encoder.write(views, masks, False, 0, out, actions)
        assert np.array_equal(out, made)
        assert np.array_equal(actions, candidates)
        assert np.array_equal(room[rows * encoder.size :], np.full(50, filling, np.float32), equal_nan=True)
