"""What the checks share: one face for all environments, random games, comparing outputs, and the error."""

import copy
import hashlib
import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

import gymnasium
import numpy as np
from pettingzoo import ParallelEnv

MakeEnv = Callable[[], Any]
Outputs = tuple[dict[str, Any], ...]  # what a reset or a step returns: a dict for each of these
RESET = ("observation", "info")
STEP = ("observation", "reward", "termination", "truncation", "info")
ONLY_AGENT = "player"


class ConformanceError(AssertionError):
    """A promise that an environment does not keep."""


def fail(seed: int, step: int, agent: str, what: str) -> NoReturn:
    """Say in one line where it happened and what.

    Raises:
        ConformanceError: always.
    """
    raise ConformanceError(f"seed {seed}, step {step}, {agent}: {what}")


class Subject:
    """An environment under test: a parallel one as it is, one for a single agent as a parallel one of ``"player"``."""

    def __init__(self, env: Any) -> None:
        self.parallel = isinstance(env, ParallelEnv)
        if not self.parallel and not isinstance(env, gymnasium.Env):
            kind = type(env).__name__
            raise ConformanceError(f"the factory must make a pettingzoo.ParallelEnv or a gymnasium.Env, not a {kind}")
        self.env: Any = env
        self._alive = False

    @property
    def agents(self) -> list[str]:
        """Who acts in the next step; empty once the game is over."""
        if self.parallel:
            return list(self.env.agents)
        return [ONLY_AGENT] if self._alive else []

    @property
    def possible_agents(self) -> list[str]:
        """All who may ever act."""
        return list(self.env.possible_agents) if self.parallel else [ONLY_AGENT]

    def observation_space(self, agent: str) -> Any:
        """The agent's observation space."""
        return self.env.observation_space(agent) if self.parallel else self.env.observation_space

    def action_space(self, agent: str) -> Any:
        """The agent's action space."""
        return self.env.action_space(agent) if self.parallel else self.env.action_space

    @property
    def batch(self) -> Any:
        """The one-game batch behind one of our environments, None behind any other."""
        inner = self.env.unwrapped
        return getattr(getattr(inner, "arena", inner), "batch", None)

    def reset(self, seed: int) -> Outputs:
        """`RESET`, each by agent."""
        results = self.env.reset(seed=seed)
        self._alive = True
        return tuple(results) if self.parallel else tuple({ONLY_AGENT: value} for value in results)

    def step(self, actions: dict[str, int]) -> Outputs:
        """`STEP`, each by agent."""
        if self.parallel:
            return tuple(self.env.step(actions))
        results = self.env.step(actions[ONLY_AGENT])
        self._alive = not (results[2] or results[3])
        return tuple({ONLY_AGENT: value} for value in results)

    def copies(self) -> Callable[[], "Subject"]:
        """A function that gives copies of this moment: pickled ones, as they are the fastest, else deep ones."""
        try:
            blob = pickle.dumps(self)
        except Exception:  # whatever a variant holds: lambdas, windows
            return lambda: copy.deepcopy(self)
        return lambda: pickle.loads(blob)  # our own bytes of just now


def choices(
    seed: int, step: int, observations: dict[str, Any], rng: np.random.Generator, patience: float
) -> dict[str, int]:
    """A random legal action for each agent; ``patience`` is how often waiting is one of them if there are others."""
    actions = {}
    for agent, observation in observations.items():
        legal = np.flatnonzero(observation["action_mask"])
        if len(legal) == 0:
            fail(seed, step, agent, "the action mask is all zero")
        moves = legal[legal > 0]
        actions[agent] = int(rng.choice(moves if len(moves) and rng.random() > patience else legal))
    return actions


def walk(
    subject: Subject, seed: int, steps: int | None = None, patience: float = 0.1
) -> Iterator[tuple[int, dict[str, int], Outputs]]:
    """Play a game: (step, actions, outputs), first of the reset (step 0, no actions), then of each step.

    Players seldom wait, so that games get on.
    """
    rng = np.random.default_rng(seed)
    outputs = subject.reset(seed)
    yield 0, {}, outputs
    step = 0
    while subject.agents and (steps is None or step < steps):
        actions = choices(seed, step, outputs[0], rng, patience)
        step += 1
        outputs = subject.step(actions)
        yield step, actions, outputs


def repeat(subject: Subject, seed: int, actions: dict[str, int]) -> Outputs:
    """The same reset or step as `walk` has just made in another environment."""
    return subject.step(actions) if actions else subject.reset(seed)


def compare(seed: int, step: int, ours: Outputs, theirs: Outputs, what: str) -> None:
    """Make sure that two environments returned the same, to the byte.

    Raises:
        ConformanceError: if not.
    """
    for name, mine, other in zip(RESET if len(ours) == len(RESET) else STEP, ours, theirs):
        if list(mine) != list(other):
            fail(seed, step, "all", f"{what}: {name}: keys {list(mine)} and {list(other)}")
        for agent in mine:
            found = difference(mine[agent], other[agent])
            if found:
                fail(seed, step, agent, f"{what}: {name}{found}")


def difference(a: Any, b: Any) -> str | None:
    """Where two values differ, and how; None if they are the same to the byte."""
    if type(a) is not type(b):
        return f": a {type(a).__name__} and a {type(b).__name__}"
    if isinstance(a, dict):
        if list(a) != list(b):
            return f": keys {list(a)} and {list(b)}"
        return next((f" {key}{found}" for key in a if (found := difference(a[key], b[key]))), None)
    if isinstance(a, np.ndarray):
        if (a.dtype, a.shape) != (b.dtype, b.shape):
            return f": {a.dtype}{a.shape} and {b.dtype}{b.shape}"
        if a.tobytes() == b.tobytes():
            return None
        place = int(np.flatnonzero(a.reshape(-1) != b.reshape(-1))[0])
        return f"[{place}]: {a.reshape(-1)[place]} and {b.reshape(-1)[place]}"
    return None if a == b else f": {a!r} and {b!r}"


def fingerprint(make_env: MakeEnv, seeds: Iterable[int] = (0,), steps: int | None = None) -> str:
    """The SHA-256 of all that an environment returns in these games: the same in every process and on every machine."""
    digest = hashlib.sha256()
    subject = Subject(make_env())
    for seed in seeds:
        for _, actions, outputs in walk(subject, seed, steps):
            feed(digest, actions)
            feed(digest, outputs)
    return digest.hexdigest()


def feed(digest: Any, value: Any) -> None:
    """Add a value to a hash, whatever order its keys are in."""
    if isinstance(value, dict):
        for key in sorted(value):
            digest.update(repr(key).encode())
            feed(digest, value[key])
    elif isinstance(value, tuple | list):
        for item in value:
            feed(digest, item)
    elif isinstance(value, np.ndarray):
        digest.update(f"{value.dtype.str}{value.shape}".encode())
        digest.update(value.tobytes())
    else:
        digest.update(f"{type(value).__name__}{value!r}".encode())
