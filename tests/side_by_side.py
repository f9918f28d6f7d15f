"""One game played in the kernels and in the slow oracle at once: the same choices, the same state after each."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spit_env.batch import Batch
from spit_env.games import parse_board
from spit_env.latency import Latency, LogNormal
from spit_env.ruleset import Rules
from spit_env.state import NOOP, OVER
from tests.engine import Engine, snapshot
from tests.oracle_race import Race

# (rules, latencies, seed, labels, wait_ms)
MakeOracle = Callable[[Any, Sequence[Latency], int, Sequence[int], int], Race[Any, Any]]


def random_latencies(rng: random.Random, seats: int) -> list[Latency]:
    """Anything from machines to snails, with or without spread, shift, delayed sight and slowness to choose."""
    delayed = rng.random() < 0.6
    sights = [rng.choice((0, 30, 400)) if delayed else 0 for _ in range(seats)]
    fastest = (25 * seats, 100) if any(sights) else (0, 1)  # a delayed view reaches back 64 visible changes

    def time() -> LogNormal:
        return LogNormal(rng.choice((*fastest, 300, 900)), rng.choice((0.0, 0.0, 0.3)), rng.choice((0, 0, 50)))

    return [
        Latency(think=time(), play=time(), rearrange=time(), flip=time(), call=time(), perception_ms=ms,
                hick=rng.choice((0, 0, 15.5, 150)))
        for ms in sights
    ]  # fmt: skip


class Pair:
    """The same game in both: rules, seed, and all that the seed says of its players."""

    def __init__(self, make_oracle: MakeOracle, rules: Rules, seed: int, board: str | None = None) -> None:
        self.rules, self.seed = rules, seed
        self.rng = rng = random.Random(seed)
        self.latencies = random_latencies(rng, rules.seats)
        if rng.random() < 0.5:
            self.latencies = self.latencies[:1] * rules.seats  # equal times make ties
        self.labels = rng.sample(range(rules.seats), rules.seats)
        self.wait_ms = rng.choice((1, 100, 1000))
        self.patience = rng.choice((0.0, 0.1, 0.6))  # how often a player lets it lie
        self.oracle = make_oracle(rules, self.latencies, seed, self.labels, self.wait_ms)
        self.record = None if board is None else parse_board(board, rules, seed)
        if self.record is not None:
            self.oracle.set_up(snapshot(self.record))

    def choices(self, seats: Sequence[int]) -> list[tuple[int, int]]:
        """A legal action for each of these seats, NOOPs first as the shells give them."""
        chosen = []
        for p in seats:
            legal = self.oracle.legal(p)
            moves = [a for a in legal if a] or legal
            waits = NOOP in legal and self.rng.random() < self.patience
            chosen.append((p, NOOP if waits else self.rng.choice(moves)))
        return sorted(chosen, key=lambda choice: choice[1] != NOOP)

    def free(self) -> list[int]:
        """The seats that can do something, asked or not."""
        return [p for p in range(self.rules.seats) if self.oracle.legal(p) != [NOOP]]


def play_both(
    make_oracle: MakeOracle, rules: Rules, seed: int, steps: int, every: int = 1, board: str | None = None
) -> None:
    """Play one game in both, from a deal or a board: the masks at each choice, the whole state at every so many and at
    the end."""
    pair = Pair(make_oracle, rules, seed, board)
    oracle, rng = pair.oracle, pair.rng
    engine = Engine(rules, pair.latencies, seed, pair.labels, pair.wait_ms, pair.record)
    oracle.advance(0)  # as the engine has done
    assert engine.snapshot() == oracle.snapshot()
    for step in range(steps):
        if rng.random() < 0.3:
            until = oracle.time + rng.choice((1, 7, 50, 400))
            engine.advance(until)
            oracle.advance(until)
            asked = pair.free()
        else:
            engine.advance(None, stop_at_choice=True)
            oracle.advance(None, stop_at_choice=True)
            asked = sorted(oracle.asked())
            assert engine.asked() == asked
        if step % every == 0 or oracle.phase == OVER:
            assert engine.snapshot() == oracle.snapshot()
        if oracle.phase == OVER:
            return
        for p in asked:
            assert engine.legal(p) == oracle.legal(p)
        for p, action in pair.choices(asked):
            engine.choose(p, action)
            oracle.choose(p, action)


def step_both(make_oracle: MakeOracle, rules: Rules, seed: int, steps: int) -> None:
    """The same by the steps of a batch, in ticks or decisions: it writes only those masks that may have changed."""
    pair = Pair(make_oracle, rules, seed)
    oracle, tick_ms = pair.oracle, pair.rng.choice((None, 7, 50))
    batch = Batch(1, rules, pair.latencies, wait_ms=pair.wait_ms, tick_ms=tick_ms)
    batch.reset([seed], labels=pair.labels)
    oracle.advance(None if tick_ms is None else 0, stop_at_choice=tick_ms is None)
    for _ in range(steps):
        asked = sorted(oracle.asked()) if tick_ms is None else pair.free()
        masks = [[int(a) for a in np.flatnonzero(mask)] for mask in batch.masks[0]]
        assert masks == [oracle.legal(p) if p in asked else [NOOP] for p in range(rules.seats)]
        assert snapshot(batch.games[0]) == oracle.snapshot()
        if oracle.phase == OVER:
            return
        actions = np.zeros((1, rules.seats), np.int64)
        for p, action in pair.choices(asked):
            actions[0, p] = action
            oracle.choose(p, action)
        batch.step(actions)
        oracle.advance(None if tick_ms is None else oracle.time + tick_ms, stop_at_choice=tick_ms is None)
