"""One game played in the kernels and in the slow oracle at once: the same choices, the same state after each."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from spit_env.games import parse_board
from spit_env.latency import Latency, LogNormal
from spit_env.ruleset import Rules
from spit_env.state import OVER
from tests.engine import Engine, snapshot
from tests.oracle_race import Race

# (rules, latencies, seed, labels, wait_ms)
MakeOracle = Callable[[Any, Sequence[Latency], int, Sequence[int], int], Race[Any, Any]]


def random_latencies(rng: random.Random, seats: int) -> list[Latency]:
    """Anything from machines to snails, with or without spread, shift and delayed sight."""
    delayed = rng.random() < 0.6
    sights = [rng.choice((0, 30, 400)) if delayed else 0 for _ in range(seats)]
    fastest = (25 * seats, 100) if any(sights) else (0, 1)  # a delayed view reaches back 64 visible changes

    def time() -> LogNormal:
        return LogNormal(rng.choice((*fastest, 300, 900)), rng.choice((0.0, 0.0, 0.3)), rng.choice((0, 0, 50)))

    return [
        Latency(think=time(), play=time(), rearrange=time(), flip=time(), call=time(), perception_ms=ms)
        for ms in sights
    ]  # fmt: skip


def play_both(
    make_oracle: MakeOracle, rules: Rules, seed: int, steps: int, every: int = 1, board: str | None = None
) -> None:
    """Play one game in both: the masks at each choice, the whole state at every so many and at the end.

    A board is one to begin with; its cards are told to the oracle.
    """
    rng = random.Random(seed)
    latencies = random_latencies(rng, rules.seats)
    if rng.random() < 0.5:
        latencies = latencies[:1] * rules.seats  # equal times make ties
    labels = rng.sample(range(rules.seats), rules.seats)
    wait_ms = rng.choice((1, 100, 1000))
    oracle = make_oracle(rules, latencies, seed, labels, wait_ms)
    record = None if board is None else parse_board(board, rules, seed)
    engine = Engine(rules, latencies, seed, labels, wait_ms, record)
    if record is not None:
        oracle.set_up(snapshot(record))
        oracle.advance(0)  # as the engine has done
        assert engine.snapshot() == oracle.snapshot()
    walk_both(engine, oracle, rng, steps, every)


def walk_both(engine: Engine, oracle: Race[Any, Any], rng: random.Random, steps: int, every: int) -> None:
    seats = range(len(oracle.players))
    patience = rng.choice((0.0, 0.1, 0.6))
    for step in range(steps):
        if rng.random() < 0.3:
            until = oracle.time + rng.choice((1, 7, 50, 400))
            engine.advance(until)
            oracle.advance(until)
            asked = [p for p in seats if oracle.legal(p) != [0]]
        else:
            engine.advance(None, stop_at_choice=True)
            oracle.advance(None, stop_at_choice=True)
            asked = sorted(oracle.asked())
            assert engine.asked() == asked
        if step % every == 0 or oracle.phase == OVER:
            assert engine.snapshot() == oracle.snapshot()
        if oracle.phase == OVER:
            return
        choices = []
        for p in asked:
            legal = oracle.legal(p)
            assert engine.legal(p) == legal
            moves = [a for a in legal if a] or legal
            choices.append((p, 0 if 0 in legal and rng.random() < patience else rng.choice(moves)))
        for p, action in sorted(choices, key=lambda choice: choice[1] > 0):  # NOOPs first
            engine.choose(p, action)
            oracle.choose(p, action)
