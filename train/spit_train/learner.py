"""`MaskablePPO` as this project uses it: one trunk for policy and value, schedules that know a time limit."""

import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from spit_agents.policy import PolicyAgent
from spit_train.bridge import SpitVecEnv
from spit_train.config import PPO, TrainConfig
from spit_train.masked import SpitPolicy


class Trunk(BaseFeaturesExtractor):
    """ReLU layers that policy and value share: half the work of SB3's default of two separate nets."""

    def __init__(self, observation_space: gymnasium.Space[Any], widths: Sequence[int] = (128, 128)) -> None:
        super().__init__(observation_space, widths[-1])
        sizes = [int(np.prod(observation_space.shape or ())), *widths]
        layers: list[nn.Module] = []
        for inputs, outputs in pairwise(sizes):
            linear = nn.Linear(inputs, outputs)
            nn.init.orthogonal_(linear.weight, 2**0.5)
            nn.init.zeros_(linear.bias)
            layers += [linear, nn.ReLU()]
        self.net = nn.Sequential(*layers)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Shape (batch, features) to (batch, widths[-1])."""
        return self.net(observations)  # type: ignore[no-any-return]


class Learner(MaskablePPO):
    """Adds to `MaskablePPO`: what is left of the run is the smaller of what is left of its steps and of its minutes,
    and the entropy coefficient falls with it as the learning rate does."""

    minutes: float | None = None
    ent_coefs: tuple[float, float] = (0.0, 0.0)
    paused_s = 0.0  # seconds of the run that were not spent on training

    def seconds(self) -> float:
        """How long the run has trained."""
        return (time.time_ns() - self.start_time) / 1e9 - self.paused_s

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        super()._update_current_progress_remaining(num_timesteps, total_timesteps)
        if self.minutes is not None:
            left = 1.0 - self.seconds() / (60 * self.minutes)
            self._current_progress_remaining = max(0.0, min(self._current_progress_remaining, left))
        first, last = self.ent_coefs
        self.ent_coef = last + (first - last) * self._current_progress_remaining


def make_learner(config: TrainConfig, env: SpitVecEnv) -> Learner:
    """A fresh learner for a run."""
    ppo: PPO = config.ppo
    first, last = ppo.learning_rate, ppo.learning_rate_final
    learner = Learner(
        SpitPolicy,
        env,
        learning_rate=lambda left: last + (first - last) * left,
        n_steps=ppo.n_steps,
        batch_size=ppo.batch_size,
        n_epochs=ppo.n_epochs,
        gamma=ppo.gamma,
        gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip_range,
        ent_coef=ppo.ent_coef,
        vf_coef=ppo.vf_coef,
        max_grad_norm=ppo.max_grad_norm,
        seed=config.seed,
        device="cpu",
        policy_kwargs={
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"widths": ppo.net},
            "net_arch": [],
            "ortho_init": False,
            "optimizer_kwargs": {"eps": 1e-5},
        },
    )
    for head, gain in ((learner.policy.action_net, 0.01), (learner.policy.value_net, 1.0)):
        assert isinstance(head, nn.Linear)
        nn.init.orthogonal_(head.weight, gain)
    learner.minutes = config.minutes
    learner.ent_coefs = (ppo.ent_coef, ppo.ent_coef_final)
    return learner


def policy_agent(learner: MaskablePPO, waits: bool) -> PolicyAgent:
    """The learner's present policy as a bot, by copy."""
    env = learner.get_env()
    assert isinstance(env, SpitVecEnv)
    trunk, head = learner.policy.features_extractor, learner.policy.action_net
    assert isinstance(trunk, Trunk)
    assert isinstance(head, nn.Linear)
    layers = [
        (m.weight.detach().numpy().copy(), m.bias.detach().numpy().copy())
        for m in (*trunk.net, head)
        if isinstance(m, nn.Linear)
    ]
    return PolicyAgent(layers, env.arena.batch.game, waits=waits)
