"""Peers that are timed in the same run as Spit, where they are installed. None is a dependency of its own."""

import random
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

SEED = 1
Run = Callable[[int], float]  # so many steps -> agent-steps per CPU-second


class Peer(NamedTuple):
    """An environment to compare with. ``prepare`` raises ImportError where it is not installed."""

    name: str
    beside: str  # the measure of Spit that it is set beside
    prepare: Callable[[], Run]
    share: int = 1  # it takes so many times fewer steps, each being a batch


# The measures of Spit that have peers.
TICK = "tick stepping: all in"
ONE = "PettingZoo environment: one game"
PEERS = (
    Peer("gymnasium CartPole, 1024 at once", TICK, lambda: cartpole(1024), share=10),
    Peer("gymnasium CartPole, one", ONE, lambda: cartpole(1)),
    Peer("PettingZoo tictactoe_v3, one", ONE, lambda: classic("tictactoe_v3")),
    Peer("PettingZoo connect_four_v3, one", ONE, lambda: classic("connect_four_v3")),
    Peer("PettingZoo leduc_holdem_v4, one", ONE, lambda: classic("leduc_holdem_v4")),
    Peer("PettingZoo texas_holdem_v4, one", ONE, lambda: classic("texas_holdem_v4")),
    Peer("RLCard uno, one", ONE, lambda: rlcard("uno")),
    Peer("RLCard gin-rummy, one", ONE, lambda: rlcard("gin-rummy")),
)


def cartpole(count: int) -> Run:
    """Random play of ``count`` carts; of more than one by CartPole's own vector entry point, its fastest way."""
    import gymnasium

    environment: Any = (
        gymnasium.make("CartPole-v1")
        if count == 1
        else gymnasium.make_vec("CartPole-v1", num_envs=count, vectorization_mode="vector_entry_point")
    )
    environment.reset(seed=SEED)
    draws = np.random.default_rng(SEED)

    def run(steps: int) -> float:
        start = time.process_time()
        for _ in range(steps):
            if count > 1:
                environment.step(draws.integers(0, 2, count))  # begins anew by itself
            else:
                _, _, terminated, truncated, _ = environment.step(int(draws.integers(0, 2)))
                if terminated or truncated:
                    environment.reset()
        return steps * count / (time.process_time() - start)

    return run


def classic(name: str) -> Run:
    """Random legal play of a turn-based game of PettingZoo, without its checking wrappers."""
    environment = import_module(f"pettingzoo.classic.{name}").raw_env()
    environment.reset(seed=SEED)
    draws = random.Random(SEED)

    def run(steps: int) -> float:
        start = time.process_time()
        for _ in range(steps):
            observation, _, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                environment.reset()
            else:
                environment.step(random_legal(observation["action_mask"], draws))
        return steps / (time.process_time() - start)

    return run


def rlcard(name: str) -> Run:
    """Random legal play of a card game of RLCard."""
    environment: Any = import_module("rlcard").make(name, config={"seed": SEED})
    draws = random.Random(SEED)

    def run(steps: int) -> float:
        start = time.process_time()
        state, _ = environment.reset()
        for _ in range(steps):
            state, _ = environment.step(draws.choice(list(state["legal_actions"])))
            if environment.is_over():
                state, _ = environment.reset()
        return steps / (time.process_time() - start)

    return run


def pettingzoo_steps(environment: Any, steps: int) -> float:
    """Agent-steps per CPU-second of random legal play in a `pettingzoo.ParallelEnv` with masks."""
    draws = random.Random(SEED)
    observations, _ = environment.reset(seed=SEED)
    agent_steps = 0
    start = time.process_time()
    for _ in range(steps):
        actions = {agent: random_legal(seen["action_mask"], draws) for agent, seen in observations.items()}
        observations, *_ = environment.step(actions)
        agent_steps += len(actions)
        if not environment.agents:
            observations, _ = environment.reset()
    return agent_steps / (time.process_time() - start)


def random_legal(mask: Any, draws: random.Random) -> int:
    """A uniform legal action."""
    return int(draws.choice(np.flatnonzero(mask)))
