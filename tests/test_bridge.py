"""The bridge to Stable-Baselines3 keeps SB3's contract, and the game's."""

from collections.abc import Iterator

import numpy as np
import pytest
from gymnasium.spaces import Discrete
from sb3_contrib import MaskablePPO
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
    ends, choices = 0, 0
    for _ in range(400):
        observations, rewards, dones, infos = env.step(legal(env, rng))
        assert isinstance(observations, np.ndarray)
        ends += dones.sum()
        expected, candidates = env.encoder.encode(env.arena.views, env.arena.masks)
        assert np.array_equal(observations, expected)
        assert env.observation_space.contains(observations[0])
        masks = env.action_masks()
        assert np.array_equal(masks, candidates >= 0)
        assert masks.any(axis=1).all()
        # forced: the learner is asked only where it can act, and waits only if all that it can do leads nowhere.
        assert (masks.sum(axis=1) == 1)[(candidates == NOOP).any(axis=1)].all()
        choices += (masks.sum(axis=1) > 1).sum()
        assert rewards.dtype == np.float32
        for i in np.flatnonzero(dones):
            assert infos[i]["terminal_observation"].shape == observations[i].shape
            assert infos[i]["TimeLimit.truncated"] is False
            assert infos[i]["episode"]["r"] in (1.0, -1.0)
            assert infos[i]["episode"]["l"] > 0
        assert all(not infos[i] for i in np.flatnonzero(~dones))
    assert ends > 5
    assert choices > 0.8 * 400 * 16
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
    assert (env.candidates == NOOP).any(axis=1).all()
    assert np.array_equal(env.action_masks(), env.candidates >= 0)


def test_an_action_is_the_number_of_a_candidate(env: SpitVecEnv, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, played = np.random.default_rng(5), []
    step = env.arena.step
    monkeypatch.setattr(env.arena, "step", lambda actions: played.append(actions.copy()) or step(actions))
    env.reset()
    for k in range(50):
        chosen = legal(env, rng)
        named = env.candidates[np.arange(16), chosen]
        assert env.arena.masks[np.arange(16), named].all()
        env.step(chosen)
        assert np.array_equal(played[k], named)
    assert env.arena.batch.games.illegal.sum() == 0


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
    many = env.encoder.candidates
    assert env.action_space == Discrete(many)
    assert get_action_masks(env).shape == (16, many)
    assert env.env_method("action_masks", indices=[3])[0].shape == (many,)
    assert env.get_attr("action_masks")[2]().shape == (many,)
    assert env.get_attr("render_mode", indices=0) == [None]
    assert env.env_is_wrapped(object) == [False] * 16
    with pytest.raises(AttributeError, match="no method 'fly'"):
        env.env_method("fly")
    with pytest.raises(AttributeError, match="no attribute 'wings'"):
        env.get_attr("wings")
    with pytest.raises(AttributeError, match="cannot be set"):
        env.set_attr("wings", 2)
    assert env.get_images() == [None] * 16


def test_an_algorithm_of_sb3_trains_on_it(env: SpitVecEnv) -> None:
    learner = MaskablePPO(
        "MlpPolicy", env, n_steps=8, batch_size=64, n_epochs=1, policy_kwargs={"net_arch": [8]}, seed=1
    )
    learner.learn(256)
    assert learner.num_timesteps == 256
    assert env.arena.batch.games.illegal.sum() == 0


def test_realised_shares_of_opponents() -> None:
    players = [make_player(name) for name in ("greedy", "random")]
    arena = Arena(64, players, weights=[3, 1])
    arena.reset(0)
    counts = np.zeros(2, int)
    for _ in range(60):
        arena._begin(np.arange(64))
        counts += np.bincount(arena.opponent, minlength=2)
    assert abs(counts[0] / counts.sum() - 0.75) < 0.02
