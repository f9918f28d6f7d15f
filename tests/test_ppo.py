"""The plain functions of PPO against slow ones, and against numbers worked out by hand."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch

from spit_train import ppo
from spit_train.ppo import LAST, MASKED, OPEN, Loss, advantages, mask_logits, ppo_loss, sample


class Rollout:
    """Transitions of several rows that take turns at random; each ends now and then."""

    def __init__(self, n: int, rows: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.values, self.rewards = rng.normal(size=(2, n)).astype(np.float32)
        self.discounts = rng.uniform(0.5, 1.0, n).astype(np.float32)
        self.following = np.full(n, OPEN, np.int64)
        row = rng.integers(0, rows, n)
        for i in range(n):
            later = i + 1 + np.flatnonzero(row[i + 1 :] == row[i])
            if rng.random() < 0.2:
                self.following[i] = LAST
            elif len(later):
                self.following[i] = later[0]

    def estimated(self, gae_lambda: float) -> Any:
        out = np.full(len(self.values), np.nan, np.float32)
        advantages(self.values, self.rewards, self.discounts, self.following, gae_lambda, out)
        return out

    def chain(self, i: int) -> list[int]:
        """Transition i and those that follow it, with `LAST` or an open one at the end."""
        chain = [i]
        while chain[-1] != LAST and self.following[chain[-1]] != OPEN:
            chain.append(int(self.following[chain[-1]]))
        return chain

    def reference(self, i: int, gae_lambda: float) -> float:
        """The advantage of one transition: a sum over all that follow it."""
        total, factor = 0.0, 1.0
        chain = self.chain(i)
        for k, j in pairwise(chain):
            value = 0.0 if j == LAST else float(self.discounts[k] * self.values[j])
            total += factor * (float(self.rewards[k]) + value - float(self.values[k]))
            factor *= gae_lambda * float(self.discounts[k])
        return total


@pytest.mark.plain
@pytest.mark.parametrize("gae_lambda", [0.0, 0.5, 0.9, 1.0])
@pytest.mark.parametrize(("n", "rows"), [(1, 1), (40, 1), (300, 7), (60, 60)])
def test_advantages_are_those_of_a_plain_sum(n: int, rows: int, gae_lambda: float) -> None:
    for seed in range(4):
        rollout = Rollout(n, rows, seed)
        expected = [rollout.reference(i, gae_lambda) for i in range(n)]
        assert rollout.estimated(gae_lambda) == pytest.approx(expected, abs=1e-4)


@pytest.mark.plain
def test_advantages_at_the_two_ends_of_lambda() -> None:
    """0: one step and the value of what follows; 1: all that is got, and at an open end the value there."""
    rollout = Rollout(200, 5, 9)
    one, all_steps = rollout.estimated(0.0), rollout.estimated(1.0)
    ends = set()
    for i in range(200):
        chain = rollout.chain(i)
        if len(chain) == 1:
            assert one[i] == all_steps[i] == 0
            continue
        after = 0.0 if chain[1] == LAST else float(rollout.discounts[i] * rollout.values[chain[1]])
        assert one[i] + rollout.values[i] == pytest.approx(rollout.rewards[i] + after, abs=1e-5)
        got, factor = 0.0, 1.0
        for k in chain[:-1]:
            got, factor = got + factor * float(rollout.rewards[k]), factor * float(rollout.discounts[k])
        if chain[-1] != LAST:
            got += factor * float(rollout.values[chain[-1]])
        assert all_steps[i] + rollout.values[i] == pytest.approx(got, abs=1e-4)
        ends.add(min(chain[-1], 0))
    assert ends == {LAST, 0}


def some_logits(rows: int, actions: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Logits, and masks with at least one true in each row."""
    generator = torch.Generator().manual_seed(1)
    logits = 3 * torch.randn(rows, actions, generator=generator)
    masks = torch.rand(rows, actions, generator=generator) < 0.4
    masks[torch.arange(rows), torch.randint(actions, (rows,), generator=generator)] = True
    return logits, masks


def test_masked_log_probs_are_those_of_what_is_left() -> None:
    logits, masks = some_logits(100, 6)
    log_probs = torch.log_softmax(mask_logits(logits, masks), dim=1)
    assert masks.any(dim=1).all()
    for i in range(100):
        assert torch.allclose(log_probs[i, masks[i]], torch.log_softmax(logits[i, masks[i]], dim=0), atol=1e-6)
    assert (log_probs[~masks] < MASKED / 2).all()
    assert torch.equal(log_probs.exp()[~masks], torch.zeros(int((~masks).sum())))


def test_samples_are_as_frequent_as_probable_and_never_masked() -> None:
    logits, masks = some_logits(8, 6)
    masked = mask_logits(logits, masks)
    generator = torch.Generator().manual_seed(2)
    drawn = sample(masked.repeat_interleave(50_000, dim=0), generator).reshape(8, -1)
    counts = torch.stack([torch.bincount(row, minlength=6) for row in drawn]) / 50_000
    assert (counts[~masks] == 0).all()
    assert (counts - torch.softmax(masked, dim=1)).abs().max() < 0.012  # five standard deviations
    again = sample(masked.repeat_interleave(50_000, dim=0), torch.Generator().manual_seed(2)).reshape(8, -1)
    assert torch.equal(drawn, again)


@pytest.mark.parametrize("draw", [0.0, 1 - 2**-24])
def test_the_ends_of_a_draw_are_not_masked(monkeypatch: pytest.MonkeyPatch, draw: float) -> None:
    logits, masks = some_logits(5000, 6)
    monkeypatch.setattr(ppo.torch, "rand", lambda *shape, generator=None: torch.full(shape, draw))
    chosen = sample(mask_logits(logits, masks))
    assert masks[torch.arange(5000), chosen].all()


# Each row: its logits, which are legal, the choice, how much likelier it is than it was, the advantage, the value and
# the return.
ROWS: list[tuple[list[float], list[bool], int, float, float, float, float]] = [
    ([0.0, math.log(3), 9.0], [True, True, False], 1, 1.5, 2.0, 0.5, 1.0),  # clipped: good, and much likelier
    ([0.0, math.log(3), 9.0], [True, True, False], 0, 0.5, -1.0, 0.0, -1.0),  # clipped: bad, and much rarer
    ([0.0, 0.0, 0.0], [True, True, True], 2, 1.5, -1.0, 1.0, 1.0),  # bad and likelier: not clipped
    ([0.0, 0.0, 0.0], [True, True, True], 1, 0.5, 3.0, 1.0, 3.0),  # good and rarer: not clipped
    ([0.0, math.log(3), 9.0], [True, True, False], 0, 1.1, 4.0, 0.0, 0.0),  # within the range
]
CHOSEN = [0.75, 0.25, 1 / 3, 1 / 3, 0.25]  # the probabilities of the choices


def loss_of(ent_coef: float, vf_coef: float) -> tuple[Loss, torch.Tensor, torch.Tensor]:
    """The loss of `ROWS`, its logits and its values."""
    logits, masks, actions, ratios, better, values, returns = (
        torch.tensor(column) for column in zip(*ROWS, strict=True)
    )
    logits.requires_grad_()
    values.requires_grad_()
    old = torch.tensor(CHOSEN).log() - ratios.log()
    loss = ppo_loss(
        logits, values, masks, actions, old, better, returns, clip_range=0.2, ent_coef=ent_coef, vf_coef=vf_coef
    )
    return loss, logits, values


def test_the_loss_is_what_it_is_by_hand() -> None:
    loss, _, _ = loss_of(ent_coef=0.01, vf_coef=0.5)
    policy = -(1.2 * 2.0 + 0.8 * -1.0 + 1.5 * -1.0 + 0.5 * 3.0 + 1.1 * 4.0) / 5
    value = (0.25 + 1.0 + 0.0 + 4.0 + 0.0) / 5
    quarter = -(0.25 * math.log(0.25) + 0.75 * math.log(0.75))
    entropy = (3 * quarter + 2 * math.log(3)) / 5
    kl = sum(ratio - 1 - math.log(ratio) for ratio in (1.5, 0.5, 1.5, 0.5, 1.1)) / 5
    parts = (policy + 0.5 * value - 0.01 * entropy, policy, value, entropy, kl, 0.8)
    assert [part.item() for part in loss] == pytest.approx(parts, abs=1e-6)


def test_clipped_choices_have_no_gradient_and_others_the_one_of_their_ratio() -> None:
    loss, logits, values = loss_of(ent_coef=0.0, vf_coef=0.0)
    loss.total.backward()
    assert logits.grad is not None
    assert torch.equal(logits.grad[:2], torch.zeros(2, 3))
    for i, (ratio, better, k, probs) in enumerate(
        [(1.5, -1.0, 2, [1 / 3] * 3), (0.5, 3.0, 1, [1 / 3] * 3), (1.1, 4.0, 0, [0.25, 0.75, 0.0])], start=2
    ):
        expected = [-better * ratio / 5 * ((j == k) - p) for j, p in enumerate(probs)]
        assert logits.grad[i].tolist() == pytest.approx(expected, abs=1e-6)
    assert values.grad is not None
    assert not values.grad.any()


def test_the_gradients_of_values_and_entropy() -> None:
    loss, logits, values = loss_of(ent_coef=1.0, vf_coef=0.5)
    loss.value.backward(retain_graph=True)
    assert values.grad is not None
    assert values.grad.tolist() == pytest.approx([-0.2, 0.4, 0.0, -0.8, 0.0])
    loss.entropy.backward()
    assert logits.grad is not None
    assert torch.isfinite(logits.grad).all()
    assert not logits.grad[:2, 2].any()  # masked
    assert logits.grad[2:4].abs().max() < 1e-6  # even already
    assert (logits.grad[0, :2] * torch.tensor([1.0, -1.0]) > 0).all()  # towards even
