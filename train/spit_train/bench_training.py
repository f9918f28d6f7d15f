"""How fast the learner is: learner decisions per CPU-second, one thread."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from spit_train.config import TrainConfig
from spit_train.learner import make_learner
from spit_train.train import make_games


class Training:
    """One learner with the default settings (a 128-128 net, 1024 games), in the middle of its run."""

    def __init__(self) -> None:
        torch.set_num_threads(1)
        config = TrainConfig()
        self.env = make_games(config)
        self.learner = make_learner(config, self.env)
        self.learner.learn(1)

    def rollout(self) -> float:
        """Decisions per CPU-second of collecting what an update is made of."""
        return self._timed(lambda: self.env.collect(self.learner.rollout_buffer, self.learner.choose))

    def environment(self) -> float:
        """Decisions per CPU-second of the games, the other players and the features alone: the first candidate each
        time."""

        def first(seen: Any, candidates: Any) -> tuple[Any, Any, Any]:
            nothing = np.zeros(len(seen), np.float32)
            return np.zeros(len(seen), np.int64), nothing, nothing

        return self._timed(lambda: self.env.collect(self.learner.rollout_buffer, first))

    def update(self) -> float:
        """Decisions per CPU-second of the optimisation alone."""
        return self._timed(self.learner.train)

    def end_to_end(self) -> float:
        """Decisions per CPU-second of rollout and update."""
        return self._timed(lambda: self.learner.learn(1, reset_num_timesteps=False))

    def _timed(self, work: Callable[[], object]) -> float:
        start = time.process_time()
        work()
        return self.learner.rollout_buffer.wanted / (time.process_time() - start)
