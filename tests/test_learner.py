"""The learner and its net: what a run logs and changes, and that a policy file plays as the net does."""

from typing import Any

import numpy as np
import pytest
import torch

from spit_agents.features import Encoder, encoder_of
from spit_agents.policy import TIE, PolicyAgent
from spit_env.games import SPIT, game_of
from spit_train.config import PPO, parse_config
from spit_train.learner import Learner, make_learner, policy_agent
from spit_train.net import Net
from spit_train.selfplay import SelfPlay
from spit_train.train import make_games
from tests.sights import sights_of_games

SMALL = {"envs": 16, "n_steps": 16, "batch_size": 64, "net": [16], "head": 8}
NEVER = 10**9  # logged values stay where they can be read
GAMES = ("emma", "speed", "california")
LOGGED = {
    "entropy_loss", "policy_gradient_loss", "value_loss", "approx_kl", "clip_fraction", "loss", "explained_variance",
    "ent_coef", "n_updates", "clip_range", "learning_rate",
}  # fmt: skip


def small(ppo: dict[str, Any] | None = None, **changes: Any) -> tuple[Learner, SelfPlay]:
    config = parse_config({"seed": 3, "ppo": SMALL | (ppo or {})} | changes)
    env = make_games(config)
    return make_learner(config, env), env


def weights_of(learner: Learner) -> dict[str, Any]:
    return {name: value.clone() for name, value in learner.policy.net.state_dict().items()}


def shake(net: torch.nn.Module) -> None:
    """Make a net's outputs differ: a fresh one judges all actions nearly the same."""
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.add_(0.2 * torch.randn(parameter.shape, generator=generator))


@pytest.mark.parametrize("rules", GAMES)
def test_a_few_updates(rules: str) -> None:
    learner, env = small({"ent_coef": 0.02, "ent_coef_final": 0.01, "learning_rate_final": 5e-4}, rules=rules)
    before = weights_of(learner)
    learner.learn(1000, log_interval=NEVER)
    assert 1000 <= learner.num_timesteps < 1256 + env.num_envs
    logged = learner.logger.name_to_value
    assert {f"train/{name}" for name in LOGGED} <= set(logged)
    assert all(np.isfinite(value) for value in logged.values())
    assert logged["train/n_updates"] == learner.num_timesteps // 250 * PPO().n_epochs
    assert logged["train/entropy_loss"] < -0.1
    assert 0 < logged["train/value_loss"] < 2
    assert 0 <= logged["train/approx_kl"] < 0.1
    assert logged["train/ent_coef"] == pytest.approx(0.01)  # the run is over
    assert logged["train/learning_rate"] == pytest.approx(5e-4)
    after = weights_of(learner)
    assert all(not torch.equal(value, before[name]) for name, value in after.items())
    assert env.batch.games.illegal.sum() == 0


def test_a_run_may_go_on() -> None:
    learner, env = small()
    learner.learn(256)
    steps, games, time = learner.num_timesteps, env.begun, env.batch.time.copy()
    learner.learn(256, reset_num_timesteps=False)
    assert learner.num_timesteps >= steps + 256
    assert env.begun - games < 16
    assert (env.batch.time > time).mean() > 0.5  # most games are still the same


def test_the_first_update_begins_where_the_policy_is() -> None:
    """With the whole rollout as one minibatch nothing is clipped, and the policy's loss is that of even advantages."""
    learner, _ = small({"batch_size": 256, "n_epochs": 1, "envs": 16, "n_steps": 16})
    learner.batch_size = 10_000
    learner.learn(1, log_interval=NEVER)
    logged = learner.logger.name_to_value
    assert logged["train/learning_rate"] == PPO().learning_rate_final  # the run is over, and more than over
    assert logged["train/clip_fraction"] == 0
    assert logged["train/approx_kl"] == pytest.approx(0, abs=1e-6)
    assert logged["train/policy_gradient_loss"] == pytest.approx(0, abs=1e-5)


def test_an_update_makes_good_choices_likelier_and_values_truer() -> None:
    learner, _ = small({"learning_rate": 3e-3, "learning_rate_final": 3e-3, "n_epochs": 20, "envs": 32, "n_steps": 32})
    learner.learn(1, log_interval=NEVER)
    t = learner.rollout_buffer
    closed = t.estimate()
    with torch.no_grad():
        logits, values = learner.policy.net(torch.from_numpy(t.observations[: t.count]))
    log_probs = torch.log_softmax(logits.masked_fill(~torch.from_numpy(t.masks[: t.count]), -torch.inf), dim=1).numpy()
    gain = log_probs[np.arange(t.count), t.actions[: t.count]] - t.log_probs[: t.count]
    better = t.advantages[: t.count] - t.advantages[: t.count][closed].mean()
    assert (gain * better)[closed].mean() > 0.01 * better[closed].std()
    returns = (t.advantages + t.values)[: t.count]
    errors = [np.square(returns - each)[closed].mean() for each in (values.numpy(), t.values[: t.count])]
    assert errors[0] < 0.5 * errors[1]


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("rules", GAMES)
def test_a_policy_file_plays_as_the_net_in_training(rules: str, waits: bool) -> None:
    learner, env = small({"net": [24, 16]}, rules=rules, waits=waits)
    shake(learner.policy.net)
    env.reset()
    env.collect(learner.rollout_buffer, learner.choose)
    agent = policy_agent(learner, waits)
    views, masks = env.batch.seen(*(places.ravel() for places in np.indices((16, env.game.seats))))
    logits, candidates = agent.logits(views, masks)
    seen, expected_candidates = env.encoder.encode(views, masks, waits, env.rule)
    assert np.array_equal(candidates, expected_candidates)
    with torch.no_grad():
        expected = learner.policy.net(torch.from_numpy(seen))[0].numpy()
    there = candidates >= 0
    assert np.allclose(logits[there], expected[there], atol=1e-5)
    assert expected[there].std() > 0.1
    assert (logits[~there] == -np.inf).all()
    expected = np.where(there, expected, -np.inf)
    best = (expected >= expected.max(axis=1, keepdims=True) - TIE).argmax(axis=1)  # the first of those that are alike
    rows = np.arange(len(views))
    assert np.array_equal(agent.act(views, masks, np.zeros(len(views), np.uint32)), candidates[rows, best])


def test_a_policy_keeps_its_weights_while_the_learner_goes_on() -> None:
    learner, _ = small()
    agent = policy_agent(learner, waits=False)
    before = {name: weight.copy() for name, weight in agent.weights.items()}
    learner.learn(256)
    assert all(np.array_equal(weight, before[name]) for name, weight in agent.weights.items())


def test_weights_that_are_missing_or_do_not_fit_are_refused() -> None:
    weights = {name: value.numpy() for name, value in Net(encoder_of(SPIT), (16, 12), 8).state_dict().items()}
    PolicyAgent(weights, SPIT)
    for name in weights:
        if not name.startswith("value"):
            with pytest.raises((KeyError, ValueError)):
                PolicyAgent({other: weight for other, weight in weights.items() if other != name}, SPIT)
    speed = game_of("speed")
    net = Net(encoder_of(speed)._replace(candidates=3), (16,))
    weights = {name: value.numpy() for name, value in net.state_dict().items()}
    with pytest.raises(ValueError, match=f"the net gives 3 logits, not {speed.actions}"):
        PolicyAgent(weights, speed)


def inputs(encoder: Encoder, rows: int) -> torch.Tensor:
    return torch.rand(rows, encoder.size, generator=torch.Generator().manual_seed(5))


def test_a_net_judges_a_candidate_by_what_it_sees_of_it_and_not_by_its_place() -> None:
    encoder = encoder_of(SPIT)
    net = Net(encoder, (32, 16), 8)
    shake(net)
    x = inputs(encoder, 20)
    with torch.no_grad():
        logits, values = net(x)
        order = torch.randperm(encoder.candidates, generator=torch.Generator().manual_seed(6))
        table, described = x[:, : encoder.features], x[:, encoder.features :].reshape(20, encoder.candidates, -1)
        moved, same = net(torch.cat([table, described[:, order].reshape(20, -1)], dim=1))
    assert (logits.shape, values.shape) == ((20, encoder.candidates), (20,))
    assert torch.allclose(moved, logits[:, order], atol=1e-6)
    assert torch.allclose(same, values, atol=1e-6)
    assert logits.std(dim=1).min() > 1e-3


@pytest.mark.parametrize("rules", GAMES)
def test_a_fresh_net_finds_all_actions_about_as_good(rules: str) -> None:
    encoder = encoder_of(game_of(rules))
    logits, values = Net(encoder)(inputs(encoder, 50))
    assert logits.shape == (50, encoder.candidates)
    assert logits.abs().max() < 0.2
    assert values.std() > 0


def test_what_a_policy_plays_does_not_depend_on_what_else_it_is_asked() -> None:
    """Alike stacks make alike actions, whose logits differ by rounding, which depends on the batch."""
    net = Net(encoder_of(SPIT), (64, 64))
    shake(net)
    agent = PolicyAgent({name: value.numpy() for name, value in net.state_dict().items()}, SPIT)
    views, masks = sights_of_games("emma")
    views, masks = views[:1500], masks[:1500]
    draws = np.zeros(len(views), np.uint32)
    together = agent.act(views, masks, draws)
    for size in (1, 7):
        starts = range(0, len(views), size)
        apart = [agent.act(views[k : k + size], masks[k : k + size], draws[k : k + size]) for k in starts]
        assert np.array_equal(np.concatenate(apart), together)
