"""Games played at random, for tests that want states that really occur."""

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from spit_env.batch import Batch
from spit_env.spit.check import cards_of
from spit_env.spit.rules import PRESETS

HASTY = {"think": [80, 0.5], "play": [120, 0.4], "rearrange": [120, 0.4], "flip": [60, 0.4], "call": [100, 0.4]}
DELAYED = [HASTY | {"perception_ms": 150}, HASTY | {"perception_ms": 40}]
STEPPINGS = (None, 10, 50)  # ticks in ms, or decision stepping
SEEDS = st.integers(0, 2**63 - 1)
PRESET = st.sampled_from(sorted(PRESETS))


def choices_of(batch: Batch, rng: np.random.Generator, noop: float = 0.1) -> Any:
    """An action for each seat, shape (1, seats): legal, and seldom NOOP."""
    actions = np.zeros((1, batch.game.seats), np.int64)
    for p in range(batch.game.seats):
        legal = np.flatnonzero(batch.masks[0, p])
        busy = legal[legal > 0]
        actions[0, p] = rng.choice(busy if len(busy) and rng.random() > noop else legal)
    return actions


def play_on(
    batch: Batch, rng: np.random.Generator, steps: int, step: Callable[[Any], None] | None = None, noop: float = 0.1
) -> Batch:
    """So many steps with random choices, or until the game is over."""
    for _ in range(steps):
        if batch.over[0]:
            break
        (step or batch.step)(choices_of(batch, rng, noop))
    return batch


def played(seed: int, steps: int, rules: Any = "emma", latencies: Any = HASTY, tick_ms: int | None = None) -> Batch:
    """A batch of one game after so many steps."""
    batch = Batch(1, rules, latencies, tick_ms=tick_ms)
    batch.reset([seed])
    return play_on(batch, np.random.default_rng(seed), steps)


def shuffled_unknown(record: Any, seed: int = 0) -> Any:
    """A copy in which the cards that nobody has seen have changed places."""
    hidden = [card for card in cards_of(record) if not record["seen"][card]]
    new = np.arange(52)
    new[hidden] = np.random.default_rng(seed).permutation(hidden)
    other = record.copy()
    for name in ("stack", "deck"):
        other[name] = new[record[name]]
    return other
