"""Imagined worlds are games that can be, and look to their player just as the real one does."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from spit_agents import imagine_california, imagine_speed, imagine_spit  # noqa: F401
from spit_agents.base import informed
from spit_agents.catalogue import make_player
from spit_agents.imagine import imagine
from spit_env.batch import Batch, Recall, make_seeds
from spit_env.jit import JIT_DISABLED, entry
from spit_env.rules import PRESETS

RECALLS: tuple[Recall, ...] = ("perfect", "none")
# Who does not count the piles cannot tell how they are shared out.
RESAMPLED = {"perfect": set[str](), "none": {"pile_count"}}


@entry
def imagine_all(worlds: Any, views: Any, seeds: Any) -> None:
    """A world for each view."""
    for i in range(views.shape[0]):
        imagine(worlds[i], views[i], seeds[i])


def imagined(batch: Batch, views: Any, seed: int) -> npt.NDArray[Any]:
    """A world for each view, as an array of state records."""
    worlds = np.zeros(len(views), batch.game.state).view(np.recarray).view(np.ndarray)
    worlds[:] = batch.game.blank(batch.rules)
    imagine_all(worlds, views.view(np.ndarray), np.random.default_rng(seed).integers(2**62, size=len(views)))
    return worlds


def check(batch: Batch, views: Any, masks: npt.NDArray[np.int8], seed: int) -> None:
    """Imagine a world for each view, and look at it from the observer's seat, which is seat 0 there."""
    worlds = imagined(batch, views, seed)
    mirror = Batch(len(views), batch.rules, recall=batch.recall)  # type: ignore[arg-type]  # what a batch was made with
    mirror.state[:] = worlds
    mirror.asked[:, 0] = True
    mirror.write()
    for world in worlds.view(np.recarray):
        batch.game.check(world)
    for name in set(batch.game.observation.names) - RESAMPLED[batch.recall]:
        assert np.array_equal(mirror.observations[name][:, 0], views[name]), name
    assert np.array_equal(mirror.masks[:, 0], masks)


@pytest.mark.parametrize("recall", RECALLS)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_world_looks_as_the_view_does(preset: str, recall: Recall) -> None:
    size, steps = (1, 15) if JIT_DISABLED else (16, 160)
    batch = Batch(size, preset, recall=recall)
    batch.reset(make_seeds(11, size))
    bots = [informed(make_player(name).agent, batch.rules) for name in ("emma", "random,wait=true")]
    checked = 0
    for step in range(steps):
        rows, seats = np.nonzero(batch.asked)
        if not len(rows):
            break
        views, masks = batch.seen(rows, seats)
        if step % 10 == 5:
            check(batch, views, masks, step)
            checked += len(rows)
        actions = np.zeros((size, batch.game.seats), np.int64)
        for k, bot in enumerate(bots):  # half of the games each
            mine = rows % 2 == k
            if mine.any():
                actions[rows[mine], seats[mine]] = bot.act(
                    views[mine], masks[mine], batch.draws(rows[mine], seats[mine])
                )
        batch.step(actions)
    assert checked > (0 if JIT_DISABLED else 50)


def test_hidden_cards_and_thoughts_are_drawn_anew() -> None:
    batch = Batch(1)
    batch.reset([4])
    rows, seats = np.nonzero(batch.asked)
    views = np.repeat(batch.seen(rows[:1], seats[:1])[0], 400).view(np.recarray)
    worlds = imagined(batch, views, 1)
    decks = worlds["deck"][:, 1, : worlds["deck_n"][0, 1]] // 4
    # Each rank is as likely at each place as in the unseen cards: 40 cards or so, 400 worlds.
    counts = np.bincount(decks[:, 3], minlength=13) / len(worlds)
    assert np.abs(counts - views["unseen"][0] / views["unseen"][0].sum()).max() < 0.07
    left = worlds["until"][:, 1] - worlds["time"]
    assert len(np.unique(left)) > 200
    assert (left > 0).all()


def test_a_mixed_up_view_still_makes_a_world() -> None:
    """Who sees with a delay sees the own side as it is and the rest as it was."""
    batch = Batch(16, latencies={"perception_ms": 600}, recall="perfect")
    batch.reset(make_seeds(3, 16))
    bot = informed(make_player("emma").agent, batch.rules)
    for step in range(120):
        rows, seats = np.nonzero(batch.asked)
        views, masks = batch.seen(rows, seats)
        if step % 20 == 10:
            for world in imagined(batch, views, step).view(np.recarray):
                batch.game.check(world)
        actions = np.zeros((16, 2), np.int64)
        actions[rows, seats] = bot.act(views, masks, batch.draws(rows, seats))
        batch.step(actions)
