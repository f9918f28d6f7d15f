"""The loops that the benchmark times: random legal play over batches, whole and in parts. One core, no threads.

`RandomPlay` is what a trainer pays for: actions are drawn, games stepped, outputs written, ended games begun anew.
`Recording` plays a stretch of it once and keeps the actions, so that the same stretch can be replayed with outputs
left out: the engine alone, with masks, with masks and observations.
"""

import time
from typing import Any, NamedTuple

import numpy as np

from spit_env import race, verbs
from spit_env.batch import Batch, choose_all, make_seeds, write_outputs
from spit_env.jit import entry, kernel
from spit_env.state import DIRTY_MASK, DIRTY_TABLE, NOOP, OVER, Game

SEED = 1
TICK_MS = 50
ENGINE, MASKS, OBSERVATIONS = range(3)  # what a replay writes: nothing, masks, everything
PARTS = ("engine", "engine + masks", "engine + masks + observations")


@entry
def choose_at_random(masks: Any, asked: Any, actions: Any, state: int) -> int:
    """A uniform legal action for each seat that is asked, NOOP for the others; returns the generator's new state."""
    for i in range(masks.shape[0]):
        for p in range(masks.shape[1]):
            actions[i, p] = NOOP
            if asked[i, p]:
                legal = 0
                for a in range(masks.shape[2]):
                    legal += masks[i, p, a]
                # A 32-bit linear congruential generator (Numerical Recipes): its high bits choose.
                state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
                k = (state * legal) >> 32
                for a in range(masks.shape[2]):
                    if masks[i, p, a] != 0:
                        if k == 0:
                            actions[i, p] = a
                            break
                        k -= 1
    return state


@kernel
def write_mask_only(g: Game, past: Any, p: int, mask: Any, asked: bool, was_asked: bool) -> None:
    """`spit_env.batch.write_outputs` without the observation."""
    dirty = g.dirty[p]
    g.dirty[p] = 0
    if asked:
        if not was_asked or dirty & (DIRTY_MASK | DIRTY_TABLE):
            verbs.write_mask(g, race.table_seen(g, past, p), p, mask)
    elif was_asked:
        for a in range(mask.shape[0]):
            mask[a] = 0
        mask[NOOP] = 1


@entry
def replay_tick(
    games: Any, past: Any, actions: Any, tick_ms: int, observations: Any, masks: Any, asked: Any, allowed: Any,
    parts: int,
) -> None:  # fmt: skip
    """`spit_env.batch.step_games` in tick stepping with perfect recall; ``parts`` says what to write.

    The actions are known to be legal: ``allowed`` is a mask of ones, shape (1, seats, actions).
    """
    for i in range(games.shape[0]):
        g = games[i]
        if g.phase == OVER:
            continue
        choose_all(g, allowed[0], actions[i], asked[i])
        race.advance(g, past[i], g.time + tick_ms, False, False)
        for p in range(g.hand.shape[0]):
            asks = race.is_asked(g, p, False)
            if parts == OBSERVATIONS:
                write_outputs(g, past[i], p, observations[i, p], masks[i, p], asks, asked[i, p], True)
            elif parts == MASKS:
                write_mask_only(g, past[i], p, masks[i, p], asks, asked[i, p])
            asked[i, p] = asks


class Count(NamedTuple):
    """What a stretch of play did, and the CPU seconds it took."""

    agent_steps: int  # seats times games times steps
    decisions: int  # seats that were asked
    games: int  # games that ended
    cpu_s: float


class RandomPlay:
    """Random legal play in a batch that always runs: a game that ends is replaced by the next.

    Args:
        size: games in progress.
        tick_ms: length of a tick, or None for decision stepping.
    """

    def __init__(self, size: int, tick_ms: int | None) -> None:
        self.batch = Batch(size, "emma", "emma:hard", tick_ms=tick_ms)
        self.batch.reset(make_seeds(SEED, size))
        self.actions = np.zeros((size, self.batch.game.seats), np.int64)
        self.begun, self.state = size, SEED

    def run(self, steps: int) -> Count:
        """Play so many steps."""
        batch, actions = self.batch, self.actions
        decisions, begun = 0, self.begun
        start = time.process_time()
        for _ in range(steps):
            decisions += np.count_nonzero(batch.asked)
            self.state = choose_at_random(batch.masks, batch.asked, actions, self.state)
            batch.step(actions)
            self.begin_anew()
        cpu = time.process_time() - start
        return Count(steps * actions.size, decisions, self.begun - begun, cpu)

    def begin_anew(self) -> None:
        """Begin the next games in the rows whose game has ended."""
        over = np.flatnonzero(self.batch.over)
        if len(over):
            self.batch.reset(make_seeds(SEED, len(over), self.begun), over)
            self.begun += len(over)


class Recording:
    """A stretch of `RandomPlay` in tick stepping, to be replayed with less written. Ended games stay as they are.

    Args:
        play: the play to go on with.
        steps: how many ticks.
    """

    def __init__(self, play: RandomPlay, steps: int) -> None:
        if play.batch.tick_ms is None:
            raise ValueError("only tick stepping is recorded")
        self.batch = batch = play.batch
        self.before = [array.copy() for array in self._arrays()]
        self.actions = np.zeros((steps, *play.actions.shape), np.int64)
        for actions in self.actions:
            play.state = choose_at_random(batch.masks, batch.asked, actions, play.state)
            batch.step(actions)
        self.after = batch.games.copy()

    def _arrays(self) -> list[Any]:
        return [self.batch.games, self.batch.past, self.batch.flat, self.batch.masks, self.batch.asked]

    def replay(self, parts: int) -> Count:
        """The same games again; ``parts``: ENGINE, MASKS or OBSERVATIONS. Leaves the batch as it is at the end."""
        batch = self.batch
        for array, saved in zip(self._arrays(), self.before, strict=True):
            array[:] = saved
        allowed = np.ones_like(batch.masks[:1])
        start = time.process_time()
        for actions in self.actions:
            replay_tick(
                batch.games, batch.past, actions, batch.tick_ms or 0, batch.observations, batch.masks, batch.asked,
                allowed, parts,
            )  # fmt: skip
        cpu = time.process_time() - start
        return Count(self.actions.size, 0, 0, cpu)
