"""How fast the bridge and the learner are: learner decisions per CPU-second, one thread."""

import time
from collections.abc import Callable

import torch
from sb3_contrib.common.maskable.utils import get_action_masks

from spit_train.bridge import SpitVecEnv
from spit_train.config import TrainConfig
from spit_train.learner import Learner, make_learner
from spit_train.train import make_arena


class FirstLegal(SpitVecEnv):
    """Plays the first legal action whatever it is told, so that rollouts with and without masks play the same games."""

    def step_async(self, actions: object) -> None:
        """Ignore the actions."""
        self._actions[:] = self.arena.masks.argmax(axis=1)


class Training:
    """One learner with the default settings (a 128-128 net, 1024 games), in the middle of its run."""

    def __init__(self) -> None:
        torch.set_num_threads(1)
        config = TrainConfig()
        self.env = SpitVecEnv(make_arena(config), config.seed)
        self.learner: Learner = make_learner(config, self.env)
        self.per_update = config.ppo.envs * config.ppo.n_steps
        self.learner.learn(self.per_update)
        self.same = make_learner(config, FirstLegal(make_arena(config), config.seed))
        self.same.learn(self.per_update)

    def rollout(self, masked: bool) -> float:
        """Decisions per CPU-second of collecting one rollout, the games being the same with and without masks."""
        learner, env = self.same, self.same.env
        assert env is not None
        _, callback = learner._setup_learn(self.per_update, None, False)
        callback.on_training_start({}, {})
        return self._timed(
            lambda: learner.collect_rollouts(env, callback, learner.rollout_buffer, learner.n_steps, use_masking=masked)
        )

    def update(self) -> float:
        """Decisions per CPU-second of the optimisation alone."""
        return self._timed(self.learner.train)

    def environment(self) -> float:
        """Decisions per CPU-second of the games, features and masks alone: the first legal action each time."""

        def steps() -> None:
            for _ in range(self.learner.n_steps):
                self.env.step(get_action_masks(self.env).argmax(axis=1))

        return self._timed(steps)

    def end_to_end(self) -> float:
        """Decisions per CPU-second of rollout and update."""
        return self._timed(lambda: self.learner.learn(self.per_update, reset_num_timesteps=False))

    def _timed(self, work: Callable[[], object]) -> float:
        start = time.process_time()
        work()
        return self.per_update / (time.process_time() - start)
