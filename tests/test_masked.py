"""The cheap masked distribution is sb3-contrib's in all but cost."""

import numpy as np
import pytest
import torch
from gymnasium.spaces import Box, Discrete
from hypothesis import given, settings
from hypothesis import strategies as st
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution

from spit_agents.features import encoder_of
from spit_env.games import SPIT
from spit_train.masked import MaskedSoftmax, SpitPolicy

ACTIONS = 39


def both(seed: int, scale: float) -> tuple[MaskedSoftmax, MaskableCategoricalDistribution, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    logits = scale * torch.randn(64, ACTIONS, generator=generator)
    masks = torch.rand(64, ACTIONS, generator=generator) < 0.2
    masks[:, 7] |= ~masks.any(dim=1)
    ours = MaskedSoftmax(ACTIONS).proba_distribution(action_logits=logits)
    theirs = MaskableCategoricalDistribution(ACTIONS).proba_distribution(action_logits=logits)
    ours.apply_masking(masks.numpy())
    theirs.apply_masking(masks)
    return ours, theirs, masks


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**31), scale=st.sampled_from([0.01, 1.0, 50.0]))
def test_log_probabilities_entropy_and_mode_agree(seed: int, scale: float) -> None:
    ours, theirs, masks = both(seed, scale)
    actions = masks.float().argmax(dim=1)
    assert torch.allclose(ours.log_prob(actions), theirs.log_prob(actions), atol=1e-4)
    assert torch.allclose(ours.entropy(), theirs.entropy(), atol=1e-4)
    assert torch.equal(ours.mode(), theirs.mode())


@pytest.mark.parametrize("scale", [0.01, 1.0, 50.0])
def test_a_million_samples_are_legal_and_as_frequent_as_probable(scale: float) -> None:
    ours, _, masks = both(3, scale)
    counts = torch.zeros(64, ACTIONS)
    rows = torch.arange(64)
    for _ in range(16_000):
        counts[rows, ours.sample()] += 1
    assert not counts[~masks].any()
    assert (counts / counts.sum(dim=1, keepdim=True) - torch.softmax(ours.masked, dim=1)).abs().max() < 0.02


def test_taking_the_mask_off() -> None:
    ours, theirs, _ = both(5, 1.0)
    ours.apply_masking(None)
    theirs.apply_masking(None)
    assert torch.allclose(ours.log_probs(), theirs.distribution.logits, atol=1e-5)


def test_an_all_zero_mask_is_an_error_and_not_a_random_action() -> None:
    ours, _, masks = both(6, 1.0)
    masks[9] = False
    with pytest.raises(ValueError, match="all zero"):
        ours.apply_masking(masks)


def test_actions_from_logits() -> None:
    logits = torch.zeros(5, ACTIONS)
    logits[:, 4] = 30.0
    ours = MaskedSoftmax(ACTIONS)
    assert ours.actions_from_params(action_logits=logits, deterministic=True).tolist() == [4] * 5
    actions, log_probs = ours.log_prob_from_params(action_logits=logits)
    assert actions.tolist() == [4] * 5
    assert np.allclose(log_probs.numpy(), 0, atol=1e-5)


def test_the_policy_is_the_net_and_the_mask() -> None:
    encoder = encoder_of(SPIT)
    spaces = Box(-1.0, 8.0, (encoder.size,), np.float32), Discrete(encoder.candidates)
    torch.manual_seed(1)
    policy = SpitPolicy(*spaces, lambda left: 0.1, encoder=encoder, widths=(16,), head=8)
    obs = torch.rand(30, encoder.size)
    masks = torch.rand(30, encoder.candidates) < 0.5
    masks[:, 2] = True
    logits, values = policy.net(obs)
    expected = torch.log_softmax(logits.masked_fill(~masks, -torch.inf), dim=1)
    actions, its_values, log_probs = policy(obs, action_masks=masks.numpy())
    assert masks[torch.arange(30), actions].all()
    assert torch.equal(its_values, values.unsqueeze(1))
    assert torch.equal(policy.predict_values(obs), values.unsqueeze(1))
    chosen = expected[torch.arange(30), actions]
    assert torch.allclose(log_probs, chosen, atol=1e-6)
    its_values, log_probs, entropy = policy.evaluate_actions(obs, actions, action_masks=masks)
    assert torch.equal(its_values, values.unsqueeze(1))
    assert torch.allclose(log_probs, chosen, atol=1e-6)
    assert entropy is not None
    assert torch.allclose(entropy, -(expected.exp() * expected.nan_to_num(neginf=0.0)).sum(dim=1), atol=1e-6)
    best = policy.get_distribution(obs, action_masks=masks).mode()
    assert torch.equal(best, expected.argmax(dim=1))
    assert torch.equal(policy(obs, deterministic=True, action_masks=masks)[0], best)
    assert torch.allclose(policy.get_distribution(obs).log_probs(), torch.log_softmax(logits, dim=1), atol=1e-6)
    assert [group["lr"] for group in policy.optimizer.param_groups] == [0.1]
    assert sum(map(len, (group["params"] for group in policy.optimizer.param_groups))) == len(
        list(policy.net.parameters())
    )
