"""The bridge to Stable-Baselines3 keeps SB3's contract, and the game's."""

from collections.abc import Iterator

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from spit_agents.arena import Arena
from spit_agents.catalogue import make_player
from spit_env.state import NOOP
from spit_train.bridge import SpitVecEnv


def make_env(size: int = 16, seed: int = 3, **kwargs: object) -> SpitVecEnv:
    players = [make_player(name) for name in ("emma", "greedy", "random")]
    return SpitVecEnv(Arena(size, players, **kwargs), seed)  # type: ignore[arg-type]


def legal(env: SpitVecEnv, rng: np.random.Generator) -> np.ndarray:
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in env.action_masks()])


@pytest.fixture
def env() -> Iterator[SpitVecEnv]:
    env = make_env()
    yield env
    env.close()


def test_the_same_seed_gives_the_same_games(env: SpitVecEnv) -> None:
    runs = []
    for _ in range(2):
        rng = np.random.default_rng(0)
        env.seed(11)
        outputs = [env.reset()]
        for _ in range(30):
            outputs += list(env.step(legal(env, rng))[:3])
        runs.append(b"".join(np.asarray(o).tobytes() for o in outputs))
    assert runs[0] == runs[1]


def test_masks_belong_to_the_observation_returned(env: SpitVecEnv) -> None:
    rng = np.random.default_rng(1)
    env.reset()
    ends = 0
    for _ in range(400):
        observations, rewards, dones, infos = env.step(legal(env, rng))
        assert isinstance(observations, np.ndarray)
        ends += dones.sum()
        assert np.array_equal(observations, env.encoder.encode(env.arena.views))
        assert env.observation_space.contains(observations[0])
        masks = env.action_masks()
        assert not masks[:, NOOP].any()  # forced: the learner is asked only where it can act, and cannot wait
        assert (masks.sum(axis=1) >= 2).all()
        assert rewards.dtype == np.float32
        for i in np.flatnonzero(dones):
            assert infos[i]["terminal_observation"].shape == observations[i].shape
            assert infos[i]["TimeLimit.truncated"] is False
            assert infos[i]["episode"]["r"] in (1.0, -1.0)
            assert infos[i]["episode"]["l"] > 0
        assert all(not infos[i] for i in np.flatnonzero(~dones))
    assert ends > 5
    assert env.arena.batch.games.illegal.sum() == 0


def test_a_game_that_is_cut_off_is_marked_truncated() -> None:
    env = make_env(4, rules={"max_rounds": 1})
    rng = np.random.default_rng(2)
    env.reset()
    seen = 0
    for _ in range(300):
        _, rewards, dones, infos = env.step(legal(env, rng))
        for i in np.flatnonzero(dones):
            seen += infos[i]["TimeLimit.truncated"]
            assert rewards[i] == 0 or not infos[i]["TimeLimit.truncated"]
    assert seen


def test_waiting_is_possible_when_it_is_allowed() -> None:
    env = make_env(4, forced=False)
    env.reset()
    assert env.action_masks()[:, NOOP].all()


def test_the_learner_gets_its_own_seats_reward_in_both_seats(env: SpitVecEnv) -> None:
    rng = np.random.default_rng(4)
    env.reset()
    total, won = 0.0, 0
    seats = set()
    for _ in range(400):
        _, rewards, _, _ = env.step(legal(env, rng))
        total += float(rewards.sum())
    for ended in env.ended:
        won += int(ended.won.sum()) - int((~ended.won & ~ended.truncated).sum())
        seats |= set(ended.seat.tolist())
    assert total == won
    assert seats == {0, 1}


def test_the_contract_of_sb3(env: SpitVecEnv) -> None:
    assert is_masking_supported(env)
    env.reset()
    assert get_action_masks(env).shape == (16, 39)
    assert env.env_method("action_masks", indices=[3])[0].shape == (39,)
    assert env.get_attr("action_masks")[2]().shape == (39,)
    assert env.get_attr("render_mode", indices=0) == [None]
    assert env.env_is_wrapped(object) == [False] * 16
    with pytest.raises(AttributeError, match="no method 'fly'"):
        env.env_method("fly")
    with pytest.raises(AttributeError, match="no attribute 'wings'"):
        env.get_attr("wings")
    with pytest.raises(AttributeError, match="cannot be set"):
        env.set_attr("wings", 2)
    assert env.get_images() == [None] * 16


def test_realised_shares_of_opponents() -> None:
    players = [make_player(name) for name in ("greedy", "random")]
    arena = Arena(64, players, weights=[3, 1])
    arena.reset(0)
    counts = np.zeros(2, int)
    for _ in range(60):
        arena._begin(np.arange(64))
        counts += np.bincount(arena.opponent, minlength=2)
    assert abs(counts[0] / counts.sum() - 0.75) < 0.02
