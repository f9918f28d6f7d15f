"""sb3-contrib's interfaces to what this project computes: a masked distribution that costs little, and a policy.

sb3-contrib's own distribution builds two validated `torch.distributions.Categorical` objects for each batch, and
`logsumexp` is slow on logits masked with large negative numbers. This one is a masked log-softmax, sampled by inverting
its cumulative sum.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import nn

from spit_agents.features import Encoder
from spit_train.net import Net
from spit_train.ppo import entropy, mask_logits, sample


class MaskedSoftmax(MaskableDistribution):
    """The interface of sb3-contrib's categorical distribution over masked log-probabilities."""

    def __init__(self, action_dim: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.action_dim = action_dim

    def proba_distribution_net(self, *args: Any, **kwargs: Any) -> nn.Module:
        """The layer that gives the logits; takes the size of what comes in."""
        return nn.Linear(args[0] if args else kwargs["latent_dim"], self.action_dim)

    def proba_distribution(self, *args: Any, **kwargs: Any) -> "MaskedSoftmax":
        """Take logits of shape (batch, actions), not masked yet."""
        self.logits: torch.Tensor = args[0] if args else kwargs["action_logits"]
        self._mask(self.logits)
        return self

    def apply_masking(self, masks: torch.Tensor | npt.NDArray[Any] | None) -> None:
        """Mask the logits; None takes the mask off."""
        if masks is None:
            self._mask(self.logits)
        else:
            mask = torch.as_tensor(masks, dtype=torch.bool).reshape(self.logits.shape)
            self._mask(mask_logits(self.logits, mask))

    def _mask(self, logits: torch.Tensor) -> None:
        self.masked = logits
        self._log_probs: torch.Tensor | None = None

    def log_probs(self) -> torch.Tensor:
        """Of all actions, shape (batch, actions); computed once."""
        if self._log_probs is None:
            self._log_probs = torch.log_softmax(self.masked, dim=1)
        return self._log_probs

    def log_prob(self, actions: torch.Tensor) -> torch.Tensor:
        """Of one action for each row."""
        return self.log_probs().gather(1, actions.long().reshape(-1, 1)).squeeze(1)

    def entropy(self) -> torch.Tensor:
        """In nats, one for each row; masked actions have no part in it."""
        return entropy(self.masked, self.log_probs())

    def sample(self) -> torch.Tensor:
        """One action for each row."""
        return sample(self.masked)

    def mode(self) -> torch.Tensor:
        """The most probable action of each row."""
        return self.masked.argmax(dim=1)

    def actions_from_params(self, *args: Any, **kwargs: Any) -> torch.Tensor:
        """Actions for given logits."""
        deterministic = bool(kwargs.pop("deterministic", False))
        actions: torch.Tensor = self.proba_distribution(*args, **kwargs).get_actions(deterministic=deterministic)
        return actions

    def log_prob_from_params(self, *args: Any, **kwargs: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Sampled actions and their log-probabilities for given logits."""
        actions = self.actions_from_params(*args, **kwargs)
        return actions, self.log_prob(actions)


class SpitPolicy(MaskableActorCriticPolicy):
    """sb3-contrib's interface to a `Net`; an action is the number of a candidate."""

    def __init__(self, *args: Any, encoder: Encoder, widths: Sequence[int], head: int, **kwargs: Any) -> None:
        self.shape = (encoder, widths, head)
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Schedule) -> None:
        self.net = Net(*self.shape)
        self.action_dist = MaskedSoftmax(int(np.asarray(self.action_space.n)))  # type: ignore[attr-defined]
        self.optimizer = torch.optim.Adam(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def _distribution_and_values(self, obs: Any, action_masks: Any) -> tuple[MaskedSoftmax, torch.Tensor]:
        """The distribution over the candidates, and the values, shape (rows,)."""
        logits, values = self.net(obs)
        distribution = MaskedSoftmax(logits.shape[1]).proba_distribution(action_logits=logits)
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution, values

    def forward(
        self, obs: Any, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions, values of shape (rows, 1), log-probabilities."""
        distribution, values = self._distribution_and_values(obs, action_masks)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values.unsqueeze(1), distribution.log_prob(actions)

    def evaluate_actions(
        self, obs: Any, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """Values of shape (rows, 1), log-probabilities, entropies."""
        distribution, values = self._distribution_and_values(obs, action_masks)
        return values.unsqueeze(1), distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskedSoftmax:
        """The distribution over the candidates."""
        return self._distribution_and_values(obs, action_masks)[0]

    def predict_values(self, obs: Any) -> torch.Tensor:
        """Shape (rows, 1)."""
        values: torch.Tensor = self.net(obs)[1]
        return values.unsqueeze(1)
