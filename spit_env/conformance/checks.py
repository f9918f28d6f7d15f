"""The checks. Each plays games of its own, and none needs to know more than the environment says of itself."""

import copy
import random
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from spit_env.conformance.hidden import check_no_leak
from spit_env.conformance.play import ConformanceError, MakeEnv, Outputs, Subject, compare, fail, repeat, walk
from spit_env.errors import GameOver
from spit_env.state import END_REASONS, MAX_ROUNDS, NOOP, OPEN, PICK, SOLO

SEEDS = (0, 1)
GUARDS = END_REASONS[MAX_ROUNDS:]


def check_determinism(make_env: MakeEnv, seeds: Iterable[int] = SEEDS, steps: int | None = None) -> None:
    """The same seed and actions give the same bytes in whole games.

    The second environment has a game behind it, and the global generators of `random` and `numpy` are disturbed before
    each of its steps; it must leave them as they are.
    """
    first, second = Subject(make_env()), Subject(make_env())
    for _ in walk(second, 99, 50):
        pass
    saved = random.getstate(), np.random.get_state()  # noqa: NPY002
    try:
        for seed in seeds:
            for step, actions, outputs in walk(first, seed, steps):
                random.seed(step)
                np.random.seed(step)  # noqa: NPY002
                disturbed = global_state()
                theirs = repeat(second, seed, actions)
                compare(seed, step, outputs, theirs, "the same seed and actions gave two results")
                if global_state() != disturbed:
                    fail(seed, step, "all", "drew from the global generator of random or numpy.random")
    finally:
        random.setstate(saved[0])
        np.random.set_state(saved[1])  # noqa: NPY002


def global_state() -> tuple[Any, ...]:
    """What the global generators of `random` and `numpy` would draw next."""
    state = np.random.get_state(legacy=False)["state"]  # noqa: NPY002
    return random.getstate(), state["key"].tobytes(), state["pos"]


def check_copies(make_env: MakeEnv, seeds: Iterable[int] = SEEDS, steps: int | None = 150) -> None:
    """Pickled and deep copies made in mid-game go on exactly as the original does."""
    for seed in seeds:
        subject = Subject(make_env())
        others: list[tuple[str, Subject]] = []
        for step, actions, outputs in walk(subject, seed, steps):
            for name, other in others:
                compare(seed, step, outputs, other.step(actions), f"a {name} copy of step 50 goes another way")
            if step == 50 and subject.agents:
                others = [("pickled", subject.copies()()), ("deep", copy.deepcopy(subject))]


def check_masks(make_env: MakeEnv, seeds: Iterable[int] = SEEDS, steps: int | None = 2000, every: int = 100) -> None:
    """Masks are int8, never all zero, the same in ``infos``, NOOP only while busy, and agree with what is accepted.

    After each ``every`` steps every action is tried on a copy of the game: one in the mask must be accepted, any other
    rejected (``infos[agent]["action_rejected"]``) with the effect of the lowest-numbered legal one.
    """
    for seed in seeds:
        subject = Subject(make_env())
        for step, _, outputs in walk(subject, seed, steps):
            observations, infos = outputs[0], outputs[-1]
            for agent, observation in observations.items():
                mask = observation["action_mask"]
                if mask.dtype != np.int8 or mask.shape != (subject.action_space(agent).n,):
                    fail(seed, step, agent, f"the mask is {mask.dtype}{mask.shape}, not one int8 for each action")
                if not set(np.unique(mask).tolist()) <= {0, 1} or not mask.any():
                    fail(seed, step, agent, f"the mask must be 0s and 1s with a 1 somewhere; it is {mask.tolist()}")
                if not np.array_equal(mask, infos[agent].get("action_mask")):
                    fail(seed, step, agent, "the masks in observation and info differ")
                legal = np.flatnonzero(mask).tolist()
                if legal != [NOOP] and busy(subject, agent, observation, infos[agent]):
                    fail(seed, step, agent, f"cannot choose now, but the mask holds {legal}")
            if subject.agents and step % every == 0:
                try_all_actions(subject, seed, step, observations)


def busy(subject: Subject, agent: str, observation: Any, info: Any) -> bool:
    """Whether the agent cannot choose now, as far as the environment tells: the game is over or the hand not open."""
    if agent not in subject.agents or not info.get("asked", True):
        return True
    if subject.batch is None:
        return False
    seen = subject.batch.game.observation.named(observation["observation"])
    return bool(seen["hand"][0] != OPEN and seen["phase"] not in (SOLO, PICK))


def try_all_actions(subject: Subject, seed: int, step: int, observations: dict[str, Any]) -> None:
    """Every action of every agent, each on a copy of the game."""
    masks = {agent: observations[agent]["action_mask"] for agent in subject.agents}
    lowest = {agent: int(mask.argmax()) for agent, mask in masks.items()}
    copies = subject.copies()
    plain = without_flags(copies().step(lowest))
    for agent, mask in masks.items():
        for action in range(len(mask)):
            outputs = copies().step(lowest | {agent: action})
            rejected = outputs[-1][agent].get("action_rejected")
            if rejected is not bool(mask[action] == 0):
                fail(seed, step, agent, f"action {action} with mask {mask[action]} gave action_rejected={rejected}")
            if rejected:
                what = f"the illegal action {action} did not act as the legal {lowest[agent]}"
                compare(seed, step + 1, plain, without_flags(outputs), what)


def without_flags(outputs: Outputs) -> Outputs:
    """The outputs of a step, the marks of rejected actions taken out."""
    infos = {agent: {k: v for k, v in info.items() if k != "action_rejected"} for agent, info in outputs[-1].items()}
    return (*outputs[:-1], infos)


def check_bounds(make_env: MakeEnv, seeds: Iterable[int] = SEEDS, steps: int | None = None) -> None:
    """Every observation, the last one too, lies in its space."""
    for seed in seeds:
        subject = Subject(make_env())
        for step, _, outputs in walk(subject, seed, steps):
            for agent, observation in outputs[0].items():
                space = subject.observation_space(agent)
                if not space.contains(observation):
                    parts = [
                        key for key in observation if key not in space or not space[key].contains(observation[key])
                    ]
                    fail(seed, step, agent, f"the observation is outside its space: {', '.join(parts) or 'keys'}")


def check_no_aliasing(make_env: MakeEnv, seeds: Iterable[int] = SEEDS, steps: int | None = 300) -> None:
    """What was returned never changes later, and writing into it changes nothing."""
    for seed in seeds:
        subject, spoiled = Subject(make_env()), Subject(make_env())
        kept: list[tuple[int, Outputs, Outputs]] = []
        for step, actions, outputs in walk(subject, seed, steps):
            kept.append((step, outputs, copy.deepcopy(outputs)))
            theirs = repeat(spoiled, seed, actions)
            compare(seed, step, outputs, theirs, "writing into what was returned earlier changed it")
            spoil(theirs)
        for step, outputs, as_returned in kept:
            compare(seed, step, as_returned, outputs, "what was returned changed later")


def spoil(value: Any) -> None:
    """Overwrite all arrays and empty all dicts."""
    if isinstance(value, np.ndarray):
        if value.flags.writeable:
            value.fill(77)
    elif isinstance(value, dict | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            spoil(item)
        if isinstance(value, dict):
            value.clear()


def check_episode(make_env: MakeEnv, seeds: Iterable[int] = SEEDS, steps: int | None = None) -> None:
    """A game begins clean, keeps its keys, sums to zero, and ends once, for all agents and for a known reason."""
    subject = Subject(make_env())
    for seed in seeds:
        step = 0
        for step, _, outputs in walk(subject, seed, steps):  # the last one is told of below
            agents = subject.possible_agents
            for name, part in zip(("observations", "infos") if step == 0 else _STEP_DICTS, outputs):
                if list(part) != agents:
                    fail(seed, step, "all", f"{name} has the keys {list(part)}, the agents are {agents}")
            if step == 0:
                check_start(seed, subject, outputs[1])
            else:
                check_end(seed, step, subject, outputs)
        if not subject.agents:
            check_past_the_end(seed, step, subject)


_STEP_DICTS = ("observations", "rewards", "terminations", "truncations", "infos")


def check_start(seed: int, subject: Subject, infos: dict[str, Any]) -> None:
    """Nothing of the last game is left."""
    if subject.agents != subject.possible_agents:
        fail(seed, 0, "all", f"agents are {subject.agents} after the reset, of {subject.possible_agents}")
    for agent, info in infos.items():
        for key, blank in (("end_reason", ""), ("rank", 0), ("action_rejected", False), ("elapsed_ms", 0)):
            if info.get(key, blank) != blank:
                fail(seed, 0, agent, f"the reset's info says {key}={info[key]!r}")


def check_end(seed: int, step: int, subject: Subject, outputs: Outputs) -> None:
    """Rewards, end flags and reasons of one step agree with each other."""
    _, rewards, terminations, truncations, infos = outputs
    if len(rewards) > 1 and abs(sum(rewards.values())) > 1e-9:
        fail(seed, step, "all", f"the rewards {rewards} do not sum to zero")
    over = not subject.agents
    for agent, info in infos.items():
        terminated, truncated = terminations[agent], truncations[agent]
        if type(terminated) is not bool or type(truncated) is not bool:
            fail(seed, step, agent, f"end flags must be bool: {terminated!r}, {truncated!r}")
        if terminated + truncated != over:
            fail(seed, step, agent, f"terminated={terminated}, truncated={truncated} in a game that is over: {over}")
        reason = info.get("end_reason")
        if reason not in END_REASONS or (reason != "") != over or (reason in GUARDS) != truncated:
            fail(seed, step, agent, f"end_reason={reason!r} with terminated={terminated}, truncated={truncated}")
        if "rank" in info and (info["rank"] > 0) != terminated:
            fail(seed, step, agent, f"rank={info['rank']!r} with terminated={terminated}, truncated={truncated}")


def check_past_the_end(seed: int, step: int, subject: Subject) -> None:
    """One more step raises the documented error."""
    try:
        subject.step(dict.fromkeys(subject.possible_agents, NOOP))
    except GameOver:
        return
    except Exception as error:
        fail(seed, step, "all", f"a step past the end raised {type(error).__name__} instead of GameOver")
    fail(seed, step, "all", "a step past the end raised nothing; it must raise GameOver")


CHECKS: tuple[Callable[..., None], ...] = (
    check_determinism, check_copies, check_masks, check_bounds, check_no_leak, check_no_aliasing, check_episode,
)  # fmt: skip


def check_all(make_env: MakeEnv, seeds: Iterable[int] = SEEDS) -> None:
    """All checks, each with its own number of steps.

    Raises:
        ConformanceError: at the first promise that is not kept.
    """
    kept = tuple(seeds)
    for check in CHECKS:
        try:
            check(make_env, kept)
        except ConformanceError as error:
            raise ConformanceError(f"{check.__name__}: {error}") from None
