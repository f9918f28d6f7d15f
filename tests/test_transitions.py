"""The list of transitions: what an update keeps, estimates and takes its minibatches from."""

import numpy as np
import pytest
import torch
from gymnasium.spaces import Box, Discrete

from spit_train.ppo import LAST, OPEN
from spit_train.transitions import Transitions


def some_transitions() -> Transitions:
    """Ten, of two rows that take turns; a game ends at number 4 for the first row, and the last two are open."""
    t = Transitions(5, Box(0.0, 1.0, (3,)), Discrete(4), n_envs=2)
    rng = np.random.default_rng(0)
    for column in t.columns.values():
        column[:] = rng.integers(0, 2 if column.dtype == np.bool_ else 9, column.shape)
    t.count = 10
    t.row[:10] = np.arange(10) % 2
    t.following[:10] = np.arange(2, 12)
    t.following[4], t.following[8:10] = LAST, OPEN
    return t


def test_what_is_kept_moves_to_the_front() -> None:
    t = some_transitions()
    before = {name: column.copy() for name, column in t.columns.items()}
    index = np.array([1, 8, 9])
    t.keep(index)
    assert t.count == 3
    assert len(before) == 12
    for name, column in t.columns.items():
        assert np.array_equal(column[:3], before[name][index]), name
    t.keep(index[:0])
    assert t.count == 0


def test_only_what_is_there_is_estimated() -> None:
    t = some_transitions()
    t.advantages[:] = 99
    closed = t.estimate()
    assert np.flatnonzero(~closed).tolist() == [8, 9]
    assert (t.advantages[10:] == 99).all()
    assert t.advantages[8:10].tolist() == [0, 0]
    assert t.advantages[4] == t.rewards[4] - t.values[4]
    step = t.rewards[7] + t.discounts[7] * t.values[9] - t.values[7]
    assert t.advantages[7] == step
    before = t.rewards[5] - t.values[5] + t.discounts[5] * (t.values[7] + t.gae_lambda * step)
    assert t.advantages[5] == pytest.approx(before)


def test_batches_hold_each_closed_transition_once() -> None:
    rng, generator = np.random.default_rng(0), torch.Generator().manual_seed(0)
    for n in (1, 2, 7, 64, 333):
        for size in (1, 2, 3, 8, 63, 64, 65, 332, 333, 1000):
            for share in (0.0, 0.5, 0.95, 1.0):
                closed = rng.random(n) < share
                batches = [torch.arange(n)[index].numpy() for index in Transitions.batches(closed, size, generator)]
                assert all(0 < len(batch) <= size + 2 * (size // 4) for batch in batches)
                whole = np.concatenate([np.empty(0, np.int64), *batches])
                assert np.array_equal(np.sort(whole), np.flatnonzero(closed))


def test_batches_differ_each_time() -> None:
    closed, generator = np.ones(500, np.bool_), torch.Generator().manual_seed(0)
    starts = [tuple(index.start for index in Transitions.batches(closed, 50, generator)) for _ in range(5)]  # type: ignore[union-attr]
    assert len(set(starts)) == 5
    assert len({frozenset(each) for each in starts}) > 3  # not only in order
