"""The loops that the benchmark times: random legal play over batches, whole and in parts. One core, no threads.

`RandomPlay` is what a trainer pays for: actions are drawn, games stepped, outputs written, ended games begun anew.
`Stretch` plays some of it once and keeps the actions, so that the very same games can be played again with parts of
the work left out.
"""

import time
from typing import Any, NamedTuple

import numpy as np

from spit_env import race, verbs
from spit_env.batch import Batch, choose_all, make_seeds
from spit_env.jit import entry, kernel
from spit_env.state import DIRTY_MASK, DIRTY_TABLE, NOOP, OVER, Game

SEED = 1
TICK_MS = 50
# How much of the work a replay does, from the engine alone to everything.
ENGINE, MASKS, OBSERVATIONS, ALL = range(4)
PARTS = ("engine and resets", "with masks", "with masks and observations", "with actions drawn too")


@entry
def choose_at_random(masks: Any, asked: Any, actions: Any, state: int) -> int:
    """A uniform legal action for each seat that is asked, NOOP for the others; returns the generator's new state."""
    for i in range(masks.shape[0]):
        for p in range(masks.shape[1]):
            actions[i, p] = NOOP
            if asked[i, p]:
                legal = 0
                for a in range(masks.shape[2]):
                    if masks[i, p, a] != 0:
                        legal += 1
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
def replay_tick(games: Any, past: Any, actions: Any, masks: Any, asked: Any, allowed: Any, with_masks: bool) -> None:
    """`spit_env.batch.step_games` by one tick, without the observations and perhaps without the masks.

    The actions are known to be legal: ``allowed`` is a mask of ones, shape (1, seats, actions).
    """
    for i in range(games.shape[0]):
        g = games[i]
        if g.phase == OVER:
            continue
        choose_all(g, past[i], allowed[0], actions[i], asked[i])
        race.advance(g, past[i], g.time + TICK_MS, False, False)
        for p in range(g.hand.shape[0]):
            asks = race.is_asked(g, p, False)
            if with_masks:
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
        rules: a preset, of any game.
    """

    def __init__(self, size: int, tick_ms: int | None, rules: str = "emma") -> None:
        self.batch = Batch(size, rules, "emma:hard", tick_ms=tick_ms)
        self.batch.reset(make_seeds(SEED, size))
        self.actions = np.zeros((size, self.batch.game.seats), np.int64)
        self.begun, self.state = size, SEED

    def run(self, steps: int) -> Count:
        """Play so many steps."""
        batch, actions = self.batch, self.actions
        decisions, begun = 0, self.begun
        start = time.process_time()
        for _ in range(steps):
            decisions += int(np.count_nonzero(batch.asked))
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


class Stretch:
    """A stretch of `RandomPlay` in tick stepping that can be played again and again, with less and less of the work.

    All of it draws the actions anew, which gives the same ones; the other parts take them from a recording.

    Args:
        play: the play to go on with.
        steps: how many ticks.
    """

    def __init__(self, play: RandomPlay, steps: int) -> None:
        batch = play.batch
        self.play, self.steps = play, steps
        self._arrays = (batch.games, batch.past, batch.flat, batch.masks, batch.asked)
        self._before = [array.copy() for array in self._arrays]
        self._state, self._begun = play.state, play.begun
        self._recorded = np.zeros((steps, *play.actions.shape), np.int64)
        for actions in self._recorded:
            play.state = choose_at_random(batch.masks, batch.asked, actions, play.state)
            batch.step(actions)
            play.begin_anew()

    def replay(self, parts: int) -> Count:
        """The same games again; ``parts``: ENGINE, MASKS, OBSERVATIONS or ALL."""
        play, batch = self.play, self.play.batch
        for array, saved in zip(self._arrays, self._before, strict=True):
            array[:] = saved
        play.state, play.begun = self._state, self._begun
        if parts == ALL:
            return play.run(self.steps)
        allowed = np.ones_like(batch.masks[:1])
        decisions, begun = 0, play.begun
        start = time.process_time()
        for actions in self._recorded:
            decisions += int(np.count_nonzero(batch.asked))
            if parts == OBSERVATIONS:
                batch.step(actions)
            else:
                replay_tick(
                    batch.games, batch.past, actions, batch.masks, batch.asked, allowed, parts == MASKS
                )  # fmt: skip
            play.begin_anew()
        cpu = time.process_time() - start
        return Count(self._recorded.size, decisions, play.begun - begun, cpu)
