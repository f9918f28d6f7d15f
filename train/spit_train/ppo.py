"""The parts of PPO that are plain functions (Schulman et al. 2017): advantages, masked log-probabilities, the loss."""

from typing import Any, NamedTuple

import torch

from spit_env.jit import entry

MASKED = -1e8
OPEN, LAST = -2, -1  # of a transition that has no successor: it is not known yet; the game has ended


@entry
def advantages(values: Any, rewards: Any, discounts: Any, following: Any, gae_lambda: float, out: Any) -> None:
    """Generalised advantage estimates (Schulman et al. 2016) of transitions that lie as they happened.

    All arrays have shape (n,). ``following[i]`` is the index of the transition that follows i, larger than i, `LAST`
    or `OPEN`; ``discounts[i]`` applies to it. An open transition has no advantage; it stands for its value.
    """
    for i in range(values.shape[0] - 1, -1, -1):
        j = following[i]
        if j == OPEN:
            out[i] = 0.0
            continue
        out[i] = rewards[i] - values[i]
        if j >= 0:
            out[i] += discounts[i] * (values[j] + gae_lambda * out[j])


def mask_logits(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Logits of shape (rows, actions), `MASKED` where the mask, bool, is false. Use softmax and log_softmax on them:
    `exp` and `logsumexp` are many times slower on such numbers.

    Raises:
        ValueError: if a row of the mask is all false.
    """
    if not bool(masks.any(dim=1).all()):
        raise ValueError("an action mask is all zero: there is no legal action to choose")
    return logits.masked_fill(~masks, MASKED)


def sample(masked: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    """One action for each row of masked logits: the first whose cumulative probability exceeds a random number, never
    one of probability zero."""
    cumulative = torch.softmax(masked, dim=1).cumsum(dim=1)
    target = torch.rand(len(cumulative), 1, generator=generator) * cumulative[:, -1:]
    return (cumulative <= target).sum(dim=1)


def entropy(masked: torch.Tensor, log_probs: torch.Tensor) -> torch.Tensor:
    """In nats, one for each row of masked logits; masked actions have no part in it."""
    return -(torch.softmax(masked, dim=1) * log_probs).sum(dim=1)


class Loss(NamedTuple):
    """What an update minimises, and what is logged of it."""

    total: torch.Tensor
    policy: torch.Tensor
    value: torch.Tensor
    entropy: torch.Tensor
    approx_kl: torch.Tensor
    clip_fraction: torch.Tensor


def ppo_loss(
    logits: torch.Tensor, values: torch.Tensor, masks: torch.Tensor, actions: torch.Tensor, old_log_probs: torch.Tensor,
    advantages: torch.Tensor, returns: torch.Tensor, *, clip_range: float, ent_coef: float, vf_coef: float,
) -> Loss:  # fmt: skip
    """The clipped surrogate, the squared error of the values and the entropy of a minibatch, shape (rows, ...)."""
    masked = mask_logits(logits, masks)
    log_probs = torch.log_softmax(masked, dim=1)
    chosen = log_probs.gather(1, actions.unsqueeze(1)).squeeze(1)
    log_ratio = chosen - old_log_probs
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - clip_range, 1 + clip_range)
    policy = -torch.min(ratio * advantages, clipped * advantages).mean()
    value = (values - returns).square().mean()
    spread = entropy(masked, log_probs).mean()
    with torch.no_grad():
        approx_kl = ((ratio - 1) - log_ratio).mean()
        clip_fraction = ((ratio - 1).abs() > clip_range).float().mean()
    return Loss(policy + vf_coef * value - ent_coef * spread, policy, value, spread, approx_kl, clip_fraction)
