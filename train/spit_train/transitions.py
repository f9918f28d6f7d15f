"""What a learner learns from: a list of transitions in the order in which they happened."""

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import torch

from spit_train.ppo import OPEN, advantages

Index = slice | torch.Tensor


class Transitions:
    """Choices of the learner, as columns; the rollout buffer of a `spit_train.learner.Learner`.

    A transition is closed once the next choice of the same row (a game's seat) or the game's end is known. Those that
    are still open after an update stay for the next one.

    Args:
        n_steps: with ``n_envs`` the number of closed transitions that an update is made of.
        observation_space, action_space: of a choice.
        n_envs: how many rows there are.
        device, gamma: given by SB3 and not used: everything is on the CPU, and discounts come with the transitions.

    Attributes:
        count: how many there are, open ones included.
    """

    def __init__(
        self, n_steps: int, observation_space: gymnasium.spaces.Box, action_space: gymnasium.spaces.Discrete,
        device: Any = "cpu", gae_lambda: float = 0.9, gamma: float = 1.0, n_envs: int = 1,
    ) -> None:  # fmt: skip
        self.wanted = n_steps * n_envs
        room = self.wanted + 4 * n_envs  # the rows' open ones, and one more step of all
        self.gae_lambda = gae_lambda
        self.observations = np.zeros((room, *observation_space.shape), np.float32)
        self.masks = np.zeros((room, int(action_space.n)), np.bool_)
        self.actions = np.zeros(room, np.int64)
        self.log_probs = np.zeros(room, np.float32)
        self.values = np.zeros(room, np.float32)
        self.rewards = np.zeros(room, np.float32)
        self.discounts = np.zeros(room, np.float32)  # for what follows
        self.following = np.full(room, OPEN, np.int64)  # the index of what follows, or `spit_train.ppo.LAST` or `OPEN`
        self.row = np.zeros(room, np.int64)
        self.time = np.zeros(room, np.int64)  # of the game, in ms
        self.potential = np.zeros(room, np.float64)
        self.advantages = np.zeros(room, np.float32)
        self.count = 0

    @property
    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """All arrays by name, shape (room, ...)."""
        return {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}

    def keep(self, index: npt.NDArray[np.int64]) -> None:
        """Move these to the front, and forget the others."""
        for column in self.columns.values():
            column[: len(index)] = column[index]
        self.count = len(index)

    def estimate(self) -> npt.NDArray[np.bool_]:
        """Fill in the advantages; which transitions are closed, shape (count,)."""
        n = self.count
        advantages(
            self.values[:n], self.rewards[:n], self.discounts[:n], self.following[:n], self.gae_lambda,
            self.advantages[:n],
        )  # fmt: skip
        return np.asarray(self.following[:n] != OPEN)

    @staticmethod
    def batches(closed: npt.NDArray[np.bool_], size: int, generator: torch.Generator) -> Iterator[Index]:
        """Minibatches of about ``size``, which together hold every closed transition once, in random order.

        Each is a stretch of the list, where many games stand side by side: a slice costs nothing, while gathering rows
        at random costs as much as the first layer of a net. Where the stretches begin is drawn anew each time.
        """
        n = len(closed)
        cuts = np.arange(int(torch.randint(size, (1,), generator=generator)), n, size)
        bounds = np.unique(np.concatenate([[0], cuts, [n]]))
        if len(bounds) > 2 and bounds[1] < size // 4:
            bounds = np.delete(bounds, 1)
        if len(bounds) > 2 and n - bounds[-2] < size // 4:
            bounds = np.delete(bounds, -2)
        for k in torch.randperm(len(bounds) - 1, generator=generator).tolist():
            start, end = int(bounds[k]), int(bounds[k + 1])
            kept = closed[start:end]
            if kept.all():
                yield slice(start, end)
            elif kept.any():
                yield torch.from_numpy(start + np.flatnonzero(kept))
