"""The mirror vector environment: row by row the parallel one, same-step autoreset, masks that belong."""

import hashlib
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from spit_env.batch import make_seeds
from spit_env.conformance.play import feed
from spit_env.env import parallel_env
from spit_env.spit.rules import PRESETS, SpitRules
from spit_env.state import END_REASONS, NOOP, OPEN, OVER, PICK, SOLO
from spit_env.vector import SpitVectorEnv
from tests.spit_rules import make_rules

FAST: dict[str, Any] = {"latency": "emma:impossible", "stepping": "decision", "rules": {"max_rounds": 1}}


def some_legal(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random legal action for each row, NOOP seldom."""
    weights = masks * rng.random(masks.shape)
    weights[:, NOOP] *= 0.3
    return weights.argmax(axis=1)


@pytest.mark.parametrize(
    ("rules", "stepping"),
    [({"max_rounds": 1}, "tick"), ({"max_rounds": 1}, "decision"), ("speed_3p", "tick"), ("speed_4p", "decision")],
)
def test_rows_are_the_seats_of_single_games(rules: Any, stepping: Any) -> None:
    games = 5
    kwargs: dict[str, Any] = FAST | {"rules": rules, "stepping": stepping, "tick_ms": 200, "shaping": "cards"}
    vector = SpitVectorEnv(games, **kwargs)
    singles = [parallel_env(**kwargs) for _ in range(games)]
    for k, env in enumerate(singles):
        env.reset(seed=21)
        for _ in range(k):
            env.reset()
    observations, _ = vector.reset(seed=21)
    assert vector.batch.games.seed.tolist() == make_seeds(21, games).tolist()
    seats = vector.batch.game.seats
    rng = np.random.default_rng(0)
    alive = np.ones(games, np.bool_)
    while alive.any():
        actions = some_legal(observations["action_mask"], rng)
        observations, rewards, terminations, truncations, infos = vector.step(actions)
        over = terminations | truncations
        for k in np.flatnonzero(alive):
            one = singles[k].step({a: actions[seats * k + p] for p, a in enumerate(singles[k].agents)})
            for p, agent in enumerate(singles[k].possible_agents):
                row = seats * k + p
                shown = infos["final_obs"][row] if over[row] else {key: a[row] for key, a in observations.items()}
                for key, array in one[0][agent].items():
                    assert np.array_equal(array, shown[key])
                    assert array.dtype == shown[key].dtype == np.int8
                assert rewards[row] == one[1][agent]
                assert (terminations[row], truncations[row]) == (one[2][agent], one[3][agent])
                assert infos["elapsed_ms"][row] == one[4][agent]["elapsed_ms"]
                if over[row]:
                    assert END_REASONS[infos["end_reason"][row]] == one[4][agent]["end_reason"]
                    assert infos["rank"][row] == one[4][agent]["rank"]
                    assert infos["_rank"][row]
        alive &= ~over[::seats]
        assert (over.reshape(games, seats) == over[::seats, None]).all()


def test_the_convention_of_the_autoreset_is_declared_and_kept() -> None:
    vector = SpitVectorEnv(8, **FAST)
    assert vector.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = vector.reset(seed=2)
    rng, ended = np.random.default_rng(0), 0
    while ended < 12:
        observations, rewards, terminations, truncations, infos = vector.step(
            some_legal(observations["action_mask"], rng)
        )
        over = terminations | truncations
        assert not (terminations & truncations).any()
        assert ("final_obs" in infos) == over.any()
        for row in np.flatnonzero(over):
            final = infos["final_obs"][row]
            assert vector.single_observation_space.contains(final)
            assert final["observation"][0] == OVER
            assert np.flatnonzero(final["action_mask"]).tolist() == [NOOP]
            assert observations["observation"][row, 0] != OVER  # already the next game's
            ended += 1
        if over.any():
            assert np.array_equal(infos["_final_obs"], over)
            assert all(infos["final_obs"][row] is None for row in np.flatnonzero(~over))
        assert (rewards.reshape(-1, 2).sum(axis=1) == 0).all()


def test_sixty_four_games_are_sixty_four_deals() -> None:
    vector = SpitVectorEnv(64)
    vector.reset(seed=3)
    deals = {(g.stack.tobytes(), g.deck.tobytes()) for g in vector.batch.games}
    assert len(deals) == 64
    env = parallel_env()
    for k in range(64):
        env.reset(seed=3 if k == 0 else None)
        assert env.game.stack.tobytes() == vector.batch.games[k].stack.tobytes()
        assert env.game.deck.tobytes() == vector.batch.games[k].deck.tobytes()
    vector.reset()
    assert not deals & {(g.stack.tobytes(), g.deck.tobytes()) for g in vector.batch.games}
    assert vector.batch.games.seed.tolist() == make_seeds(3, 64, first=64).tolist()


def test_the_seeds_of_a_run_do_not_depend_on_the_number_of_games() -> None:
    begun = []
    for games in (1, 3):
        vector = SpitVectorEnv(games, **FAST)
        observations, _ = vector.reset(seed=5)
        seeds = list(vector.batch.games.seed)
        rng = np.random.default_rng(games)
        while len(seeds) < 6:
            observations, _, terminations, truncations, _ = vector.step(some_legal(observations["action_mask"], rng))
            seeds += [vector.batch.games.seed[k] for k in np.flatnonzero((terminations | truncations)[::2])]
        begun.append(seeds[:6])
    assert begun[0] == begun[1] == make_seeds(5, 6).tolist()


@pytest.mark.parametrize("preset", PRESETS)
def test_every_mask_belongs_to_its_observation(preset: str) -> None:
    """The legal actions, worked out anew from each row's own observation alone."""
    rules = make_rules(preset, max_rounds=2)
    vector = SpitVectorEnv(40, rules, "emma:impossible", stepping="tick", tick_ms=300)
    observations, _ = vector.reset(seed=6)
    rng, ends = np.random.default_rng(0), 0
    for _ in range(400):
        check_masks(vector, observations)
        observations, _, terminations, truncations, _ = vector.step(some_legal(observations["action_mask"], rng))
        ends += int((terminations | truncations).sum())
    assert ends > 0


def check_masks(vector: SpitVectorEnv, observations: dict[str, np.ndarray]) -> None:
    seen = vector.batch.game.observation.named(observations["observation"])
    masks = observations["action_mask"]
    rules = vector.batch.rules
    assert isinstance(rules, SpitRules)
    assert masks.dtype == np.int8
    assert masks.any(axis=1).all()
    choosing = (seen["hand"][:, 0] == OPEN) | np.isin(seen["phase"], (SOLO, PICK))
    assert (masks[~choosing].sum(axis=1) == 1).all()
    assert (masks[~choosing, NOOP] == 1).all()
    racing = (seen["hand"][:, 0] == OPEN) & (seen["phase"] == 1)
    up = (seen["stack_count"] > seen["stack_down"])[:, 0]
    top = np.where(up, seen["stack_card"][:, 0, :, 0], 0)
    for stack in range(5):
        face_down = (seen["stack_count"][:, 0, stack] > 0) & ~up[:, stack]
        assert np.array_equal(masks[racing, 11 + stack], face_down[racing])
        for pile in range(2):
            apart = np.abs(top[:, stack].astype(int) - seen["pile_top"][:, pile])
            fits = (apart == 1) | (apart == 12 if rules.ace_wrap else False) | (apart == 0 if rules.doubles else False)
            fits &= (top[:, stack] > 0) & (seen["pile_top"][:, pile] > 0)
            assert np.array_equal(masks[racing, 1 + 2 * stack + pile], fits[racing])


@pytest.mark.slow
def test_no_mask_is_ever_empty_in_a_million_states() -> None:
    for preset in PRESETS:
        vector = SpitVectorEnv(500, preset, stepping="decision")
        observations, _ = vector.reset(seed=7)
        rng = np.random.default_rng(0)
        for _ in range(300):
            observations, *_ = vector.step(some_legal(observations["action_mask"], rng))
            assert observations["action_mask"].any(axis=1).all()
            assert vector.observation_space.contains(observations)
        assert vector.batch.games.illegal.sum() == 0


def test_two_hundred_whole_games_repeat_to_the_byte() -> None:
    hashes = []
    for disturb in (False, True):
        vector = SpitVectorEnv(200, **FAST)
        if disturb:
            vector.reset(seed=1)
        observations, _ = vector.reset(seed=8)
        ended = np.zeros(200, np.bool_)
        digest = hashlib.sha256()
        rng = np.random.default_rng(0)
        while not ended.all():
            if disturb:
                random.seed(1)
                np.random.seed(1)  # noqa: NPY002
            results = vector.step(some_legal(observations["action_mask"], rng))
            observations = results[0]
            ended |= (results[2] | results[3])[::2]
            for final in results[4].pop("final_obs", ()):
                feed(digest, final)
            feed(digest, results)
        hashes.append(digest.hexdigest())
    assert hashes[0] == hashes[1]


@pytest.mark.plain
def test_what_was_returned_stays() -> None:
    vector, spoiled = (SpitVectorEnv(3, **FAST) for _ in range(2))
    observations, _ = vector.reset(seed=9)
    spoiled.reset(seed=9)
    rng, kept = np.random.default_rng(0), []
    for _ in range(30):
        actions = some_legal(observations["action_mask"], rng)
        results, others = vector.step(actions), spoiled.step(actions)
        observations = results[0]
        for mine, other in ((results[0], others[0]), ({"r": results[1]}, {"r": others[1]})):
            for key, array in mine.items():
                assert np.array_equal(array, other[key])
                kept.append((array, array.copy()))
                other[key][...] = 77
    assert all(np.array_equal(array, copied) for array, copied in kept)


@pytest.mark.plain
def test_shapes_and_arguments() -> None:
    vector = SpitVectorEnv(3)
    observations, infos = vector.reset(seed=1)
    assert (vector.num_envs, infos) == (6, {})
    assert vector.observation_space.contains(observations)
    assert isinstance(vector.single_action_space, gymnasium.spaces.Discrete)
    observations, rewards, terminations, truncations, _ = vector.step(np.zeros(6, np.int64))
    assert rewards.shape == terminations.shape == truncations.shape == (6,)
    assert (terminations.dtype, truncations.dtype) == (np.bool_, np.bool_)
    for arguments, says in (
        ({"num_games": 0}, "must be 1 or more"),
        ({"stepping": "turn"}, "stepping='turn' is unknown; one of 'tick', 'decision'"),
        ({"rules": "ema"}, "did you mean"),
    ):
        with pytest.raises(ValueError, match=says):
            SpitVectorEnv(**arguments)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be a whole number"):
        vector.reset(seed=-1)


@pytest.mark.slow
def test_memory_does_not_grow() -> None:
    """A million steps of rows, and as many games as end in them, after a warm-up."""
    resource = pytest.importorskip("resource")
    vector, env = SpitVectorEnv(500, **FAST), parallel_env(**FAST)
    observations, _ = vector.reset(seed=10)
    rng, peaks = np.random.default_rng(0), []
    for _ in range(4):
        for _ in range(300):
            observations, *_ = vector.step(some_legal(observations["action_mask"], rng))
        for _ in range(2000):
            if not env.agents:
                env.reset()
            env.step(dict.fromkeys(env.agents, 0))
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert peaks[-1] - peaks[0] < 1024  # KiB
