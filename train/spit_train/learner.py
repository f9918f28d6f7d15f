"""`MaskablePPO` as this project uses it.

The algorithm, its words and its interface are sb3-contrib's. Collecting and updating are replaced: choices of all seats
come as they happen, with the candidates' masks (`spit_train.selfplay`); what follows is discounted by the time that it
takes; an update is the plain functions of `spit_train.ppo` on slices of one buffer.
"""

import time
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from spit_agents.policy import PolicyAgent
from spit_train.config import PPO, TrainConfig
from spit_train.masked import SpitPolicy
from spit_train.ppo import Loss, mask_logits, ppo_loss, sample
from spit_train.selfplay import SelfPlay
from spit_train.transitions import Index, Transitions


class Learner(MaskablePPO):
    """Adds to `MaskablePPO`: what is left of the run is the smaller of what is left of its steps and of its minutes,
    and the entropy coefficient falls with it as the learning rate does."""

    minutes: float | None = None
    ent_coefs: tuple[float, float] = (0.0, 0.0)
    paused_s = 0.0  # seconds of the run that were not spent on training
    policy: SpitPolicy  # pyright: ignore[reportIncompatibleVariableOverride]
    rollout_buffer: Transitions  # type: ignore[assignment]

    def seconds(self) -> float:
        """How long the run has trained."""
        return (time.time_ns() - self.start_time) / 1e9 - self.paused_s

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        super()._update_current_progress_remaining(num_timesteps, total_timesteps)
        left = self._current_progress_remaining
        if self.minutes is not None:
            left = min(left, 1.0 - self.seconds() / (60 * self.minutes))
        self._current_progress_remaining = max(0.0, left)  # the last update may go beyond the steps that were asked for
        first, last = self.ent_coefs
        self.ent_coef = last + (first - last) * self._current_progress_remaining

    def _setup_model(self) -> None:
        super()._setup_model()
        self.generator = torch.Generator().manual_seed(self.seed or 0)

    def choose(self, seen: Any, candidates: Any) -> tuple[Any, Any, Any]:
        """See `spit_train.selfplay.Chooser`: sampled from the present policy."""
        with torch.no_grad():
            logits, values = self.policy.net(torch.from_numpy(seen))
            masked = mask_logits(logits, torch.from_numpy(candidates >= 0))
            actions = sample(masked, self.generator)
            log_probs = torch.log_softmax(masked, dim=1).gather(1, actions.unsqueeze(1)).squeeze(1)
            return actions.numpy(), log_probs.numpy(), values.numpy()

    def collect_rollouts(
        self, env: VecEnv, callback: BaseCallback, rollout_buffer: Any, n_rollout_steps: int, use_masking: bool = True
    ) -> bool:
        """Fill the buffer; False if the callback wants to stop. A step of the run is one closed transition."""
        assert isinstance(env, SelfPlay)
        callback.on_rollout_start()
        env.collect(rollout_buffer, self.choose)
        self.num_timesteps += rollout_buffer.count - int(np.count_nonzero(env.last >= 0))
        callback.update_locals(locals())
        go_on = callback.on_step()
        callback.on_rollout_end()
        return go_on

    def train(self) -> None:
        """Update the policy from the buffer."""
        buffer = self.rollout_buffer
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        clip_range = self.clip_range(self._current_progress_remaining)  # type: ignore[operator]
        closed = buffer.estimate()
        columns = {name: torch.from_numpy(column[: buffer.count]) for name, column in buffer.columns.items()}
        known = columns["advantages"][torch.from_numpy(closed)]
        mean, std = known.mean(), known.std() + 1e-8
        losses: list[Loss] = []
        for _ in range(self.n_epochs):
            batches = buffer.batches(closed, int(self.batch_size or len(closed)), self.generator)
            losses += [self._update(columns, index, mean, std, clip_range) for index in batches]
            self._n_updates += 1
        self._log(losses, columns, torch.from_numpy(closed), clip_range)

    def _update(self, columns: dict[str, torch.Tensor], index: Index, mean: Any, std: Any, clip_range: float) -> Loss:
        at = {name: column[index] for name, column in columns.items()}
        logits, values = self.policy.net(at["observations"])
        loss = ppo_loss(
            logits, values, at["masks"], at["actions"], at["log_probs"], (at["advantages"] - mean) / std,
            at["advantages"] + at["values"], clip_range=clip_range, ent_coef=self.ent_coef, vf_coef=self.vf_coef,
        )  # fmt: skip
        optimizer = self.policy.optimizer
        optimizer.zero_grad()
        loss.total.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
        optimizer.step()
        return Loss(*(part.detach() for part in loss))

    def _log(self, losses: list[Loss], columns: dict[str, torch.Tensor], closed: Any, clip_range: float) -> None:
        means = {k: float(torch.stack(v).mean()) for k, v in zip(Loss._fields, zip(*losses, strict=True), strict=True)}
        returns = (columns["advantages"] + columns["values"])[closed]
        explained = 1 - float(columns["advantages"][closed].var() / returns.var())
        for name, value in (
            ("entropy_loss", -means["entropy"]), ("policy_gradient_loss", means["policy"]),
            ("value_loss", means["value"]), ("approx_kl", means["approx_kl"]),
            ("clip_fraction", means["clip_fraction"]), ("loss", means["total"]),
            ("explained_variance", explained), ("ent_coef", self.ent_coef),
        ):  # fmt: skip
            self.logger.record(f"train/{name}", float(value))
        self.logger.record("train/n_updates", self._n_updates, exclude="tensorboard")
        self.logger.record("train/clip_range", clip_range)


def make_learner(config: TrainConfig, env: SelfPlay) -> Learner:
    """A fresh learner for a run."""
    ppo: PPO = config.ppo
    first, last = ppo.learning_rate, ppo.learning_rate_final
    learner = Learner(
        SpitPolicy,
        env,
        learning_rate=lambda left: last + (first - last) * left,
        n_steps=max(1, ppo.envs * ppo.n_steps // env.num_envs),
        batch_size=ppo.batch_size,
        n_epochs=ppo.n_epochs,
        gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip_range,
        ent_coef=ppo.ent_coef,
        vf_coef=ppo.vf_coef,
        max_grad_norm=ppo.max_grad_norm,
        rollout_buffer_class=Transitions,  # type: ignore[arg-type]
        seed=config.seed,
        device="cpu",
        policy_kwargs={
            "encoder": env.encoder, "widths": ppo.net, "head": ppo.head, "optimizer_kwargs": {"eps": 1e-5},
        },
    )  # fmt: skip
    learner.minutes = config.minutes
    learner.ent_coefs = (ppo.ent_coef, ppo.ent_coef_final)
    return learner


def policy_agent(learner: Learner, waits: bool) -> PolicyAgent:
    """The learner's present policy as a bot, by copy."""
    env = learner.get_env()
    assert isinstance(env, SelfPlay)
    weights = {name: value.numpy().copy() for name, value in learner.policy.net.state_dict().items()}
    return PolicyAgent(weights, env.game, waits=waits, rule=env.rule)
