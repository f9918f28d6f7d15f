"""Games for learning: which choices become transitions, how they hang together, and what they are worth."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch

from spit_agents.catalogue import make_player
from spit_env.reward import discount
from spit_env.state import RACE
from spit_train.config import SELF, Speeds, parse_config
from spit_train.learner import make_learner
from spit_train.ppo import LAST, OPEN, mask_logits
from spit_train.selfplay import SelfPlay
from spit_train.train import draw_speeds, make_games
from spit_train.transitions import Transitions

COLUMNS = ("observations", "masks", "actions", "log_probs", "values", "row", "time", "potential")  # known at the choice


def make_env(size: int = 8, opponents: Sequence[str] = (SELF,), **kwargs: Any) -> SelfPlay:
    """New games, begun, with each opponent met equally often."""
    agents = [None if name == SELF else make_player(name).agent for name in opponents]
    kwargs = {"weights": [1.0] * len(agents), "speeds": draw_speeds(Speeds())} | kwargs
    env = SelfPlay(size, agents, **kwargs)
    env.reset()
    return env


def make_buffer(env: SelfPlay, wanted: int) -> Transitions:
    """Room for so many closed transitions."""
    return Transitions(wanted // env.num_envs, env.observation_space, env.action_space, n_envs=env.num_envs)  # type: ignore[arg-type]


class AtRandom:
    """Chooses any candidate; values and log-probabilities are no two the same."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)

    def __call__(self, seen: Any, candidates: Any) -> tuple[Any, Any, Any]:
        assert (candidates >= 0).any(axis=1).all()
        chosen = (self.rng.random(candidates.shape) * (candidates >= 0)).argmax(axis=1)
        log_probs, values = self.rng.random((2, len(seen))).astype(np.float32)
        return chosen, log_probs, values


def collected(env: SelfPlay, wanted: int, seed: int = 0) -> Transitions:
    """What the learner gets first."""
    buffer = make_buffer(env, wanted)
    env.collect(buffer, AtRandom(seed))
    return buffer


def by_row(t: Transitions, rows: int) -> list[list[int]]:
    """For each row the transitions in order."""
    return [np.flatnonzero(t.row[: t.count] == row).tolist() for row in range(rows)]


@pytest.mark.parametrize(("rules", "size"), [("emma", 8), ("speed_3p", 4), ("california", 6)])
def test_each_transition_is_followed_by_the_next_of_its_row(rules: str, size: int) -> None:
    env = make_env(size, (SELF, "greedy"), rules=rules, tau_s=7.0)
    t = collected(env, 4000)
    closed = t.following[: t.count] != OPEN
    assert 4000 // env.num_envs * env.num_envs <= closed.sum() < 4000 + env.num_envs
    for row, indices in enumerate(by_row(t, env.num_envs)):
        for i, j in pairwise(indices):
            assert t.following[i] in (j, LAST)
            if t.following[i] == j:
                assert t.time[j] > t.time[i]
                assert t.discounts[i] == pytest.approx(np.exp((t.time[i] - t.time[j]) / 7000))
                assert t.rewards[i] == pytest.approx(t.discounts[i] * t.potential[j] - t.potential[i], abs=1e-6)
        last = indices[-1] if indices and t.following[indices[-1]] == OPEN else OPEN
        assert env.last[row] == last
        assert last >= 0 or not indices or t.following[indices[-1]] == LAST
    ends = np.flatnonzero(t.following[: t.count] == LAST)
    assert len(ends) > 8
    seats = env.game.seats
    outcomes = t.rewards[ends] + t.potential[ends]
    assert np.minimum(abs(outcomes - 1), abs(outcomes + 1 / (seats - 1))).max() < 1e-6
    chosen = t.masks[np.arange(t.count), t.actions[: t.count]]
    assert chosen.all()
    assert (t.masks[: t.count].sum(axis=1) > 1).all()  # a single candidate is no choice
    assert env.batch.games.illegal.sum() == 0


def test_discounted_rewards_of_a_game_add_up_to_its_outcome() -> None:
    """To the outcome, discounted from the last choice, less the potential at the first."""
    env = make_env(8, (SELF, "greedy"), tau_s=9.0)
    t = collected(env, 4000)
    games = 0
    for indices in by_row(t, env.num_envs):
        ends = [k for k, i in enumerate(indices) if t.following[i] == LAST]
        for start, end in zip([0, *(k + 1 for k in ends)], ends, strict=False):
            game = indices[start : end + 1]
            first, last = game[0], game[-1]
            factors = discount(t.time[game] - t.time[first], 9.0)
            outcome = round(float(t.rewards[last] + t.potential[last]))
            assert abs(outcome) == 1
            assert factors @ t.rewards[game] == pytest.approx(factors[-1] * outcome - t.potential[first], abs=1e-4)
            games += 1
    assert games > 15


def games_of(env: SelfPlay, wanted: int, value: float = 0.0) -> tuple[Transitions, list[list[int]]]:
    """What the learner gets where games are played one at a time, and the transitions of each that has ended.

    All positions are found to have the same value.
    """
    at_random, t = AtRandom(), make_buffer(env, wanted)

    def choose(seen: Any, candidates: Any) -> tuple[Any, Any, Any]:
        number = np.full(len(seen), len(env.ended), np.float32)
        return at_random(seen, candidates)[0], number, np.full(len(seen), value, np.float32)

    env.collect(t, choose)
    return t, [np.flatnonzero(t.log_probs[: t.count] == k).tolist() for k in range(len(env.ended))]


@pytest.mark.parametrize(("rules", "seats"), [("emma", 2), ("speed_3p", 3)])
def test_only_choices_of_the_learner_are_learnt_from(rules: str, seats: int) -> None:
    """Those of one seat, each in turn, against a bot, and those of all in self-play, where the rewards cancel out."""
    env = make_env(1, (SELF, "greedy"), rules=rules, shaping=None)
    t, games = games_of(env, 2400)
    kinds, whole = set(), 0
    for k, (game, end) in enumerate(zip(games, env.ended, strict=True)):
        learner = k % seats
        rows, learners = set(t.row[game].tolist()), set(range(seats)) if end.opponent == 0 else {learner}
        assert rows <= learners
        lasts = [i for i in game if t.following[i] == LAST]
        assert len(lasts) == len(rows)
        assert not np.delete(t.rewards[game], [game.index(i) for i in lasts]).any()
        rewards = dict(zip(t.row[lasts].tolist(), t.rewards[lasts].tolist(), strict=True))
        assert set(rewards.values()) <= {np.float32(-1 / (seats - 1)), 1.0}
        assert (t.time[game] < end.time_ms).all()
        assert not end.truncated
        if rows == learners:
            assert (rewards[0 if end.opponent == 0 else learner] == 1) == end.won
            assert end.opponent == 1 or sum(rewards.values()) == pytest.approx(0)
            whole += 1
            kinds.add((end.opponent, learner))
    assert whole > 0.95 * len(games)  # seldom is there nothing to choose in a whole game
    assert kinds == {(opponent, seat) for opponent in range(2) for seat in range(seats)}


def test_open_transitions_stay_for_the_next_update() -> None:
    env, choose = make_env(8, (SELF, "greedy")), AtRandom()
    t = make_buffer(env, 320)
    env.collect(t, choose)
    for _ in range(4):
        index = np.flatnonzero(t.following[: t.count] == OPEN)
        before = {name: column[index].copy() for name, column in t.columns.items()}
        assert len(index) > 6
        env.collect(t, choose)
        for name in COLUMNS:
            assert np.array_equal(t.columns[name][: len(index)], before[name]), name
        assert (t.following[: len(index)] != OPEN).sum() > len(index) / 2
        assert t.count - (t.following[: t.count] == OPEN).sum() >= t.wanted


def test_updates_of_any_size_are_made_of_the_same_transitions() -> None:
    """Collecting often and collecting once give each row the same choices, closed in the same way."""
    rows: list[list[list[tuple[Any, ...]]]] = []
    for pieces in (1, 5):
        env, choose = make_env(4), AtRandom(3)
        t, seen = make_buffer(env, 1000 // pieces), [[] for _ in range(env.num_envs)]
        for _ in range(pieces):
            env.collect(t, choose)
            for i in np.flatnonzero(t.following[: t.count] != OPEN):
                end = bool(t.following[i] == LAST)
                numbers = [t.columns[name][i] for name in (*COLUMNS[2:], "rewards")]
                seen[t.row[i]].append((t.observations[i].tobytes(), *numbers, end or t.discounts[i]))
        rows.append(seen)
    for one, other in zip(*rows, strict=True):
        shared = min(len(one), len(other))
        assert shared > 80
        assert one[:shared] == other[:shared]


def test_opponents_are_met_as_often_as_their_weights_say() -> None:
    env = make_env(64, (SELF, "greedy", "random"), weights=[7.0, 2.0, 1.0])
    counts, learnt = np.zeros(3, int), np.zeros(2, int)
    for _ in range(60):
        env._begin(np.arange(64))
        counts += np.bincount(env.opponent, minlength=3)
        assert (env.learns.sum(axis=1) == np.where(env.opponent == 0, 2, 1)).all()
        learnt += env.learns[env.opponent > 0].sum(axis=0)
    assert np.abs(counts / counts.sum() - (0.7, 0.2, 0.1)).max() < 0.02
    assert abs(learnt[0] / learnt.sum() - 0.5) < 0.04


@pytest.mark.parametrize("rules", ["emma", "speed_3p"])
def test_speeds_follow_the_seat(rules: str) -> None:
    def drawn(opponents: np.ndarray, generator: np.random.Generator) -> np.ndarray:
        tables = np.zeros((len(opponents), 2, 5, 4))
        tables[:, 0, :, 1], tables[:, 1, :, 1] = 100.0, 200.0 + opponents[:, None]
        return tables

    env = make_env(24, (SELF, "greedy"), rules=rules, speeds=drawn)
    seats = env.game.seats
    own = np.arange(seats) == (np.arange(24) % seats)[:, None]
    medians = env.batch.games.latency[..., 0, 1]
    assert np.array_equal(medians, np.where(own, 100.0, 200.0 + env.opponent[:, None]))
    against = env.opponent == 1
    assert np.array_equal(env.learns[against], own[against])


def test_the_same_seed_gives_the_same_transitions() -> None:
    runs = []
    for env in (make_env(6, (SELF, "greedy"), seed=5), make_env(6, (SELF, "greedy"), seed=4)):
        if runs:
            collected(env, 60)
            env.seed(5)
            env.reset()
        runs.append({name: column.tobytes() for name, column in collected(env, 600).columns.items()})
    assert runs[0] == runs[1]
    other = collected(make_env(6, (SELF, "greedy"), seed=4), 600)
    assert other.observations.tobytes() != runs[0]["observations"]


@pytest.mark.parametrize("shaping", [None, "cards"])
def test_a_game_that_is_cut_off_stands_for_the_value_of_its_last_position(
    shaping: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = make_env(1, rules={"max_rounds": 1}, shaping=shaping, tau_s=11.0)
    last, begin = [], env._begin

    def begin_and_note(rows: Any) -> None:
        state = env.batch.state[rows]
        state["phase"] = RACE
        last.append(env.shaping.potential(state)[0])
        begin(rows)

    monkeypatch.setattr(env, "_begin", begin_and_note)
    t, games = games_of(env, 800, value=0.5)
    cut = 0
    for game, end, potential in zip(games, env.ended, last[-len(games) :], strict=True):
        for i in game:
            if t.following[i] == LAST and end.truncated:
                rest = discount(end.time_ms - t.time[i], 11.0) * (0.5 + potential[t.row[i] % 2])
                assert t.rewards[i] == pytest.approx(rest - t.potential[i])
                cut += 1
    assert cut > 4


def test_rows_cannot_be_stepped() -> None:
    env = make_env(2)
    with pytest.raises(NotImplementedError, match="choose in turn: use collect"):
        env.step(np.zeros(4, np.int64))
    with pytest.raises(NotImplementedError):
        env.step_wait()
    assert env.get_attr("render_mode") == [None] * 4
    assert env.env_is_wrapped(object) == [False] * 4
    with pytest.raises(AttributeError, match="no attribute 'wings'"):
        env.get_attr("wings")
    with pytest.raises(AttributeError, match="cannot be set"):
        env.set_attr("wings", 2)
    with pytest.raises(AttributeError, match="no method 'fly'"):
        env.env_method("fly")


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("rules", ["emma", "speed"])
def test_what_the_policy_said_is_what_is_learnt_from(rules: str, waits: bool) -> None:
    """Before the first gradient step, stored log-probabilities and values are those of the stored observations."""
    ppo = {"envs": 16, "n_steps": 64, "batch_size": 256, "net": [16]}
    config = parse_config({"rules": rules, "waits": waits, "ppo": ppo})
    env = make_games(config)
    learner = make_learner(config, env)
    with torch.no_grad():
        for parameter in learner.policy.parameters():
            parameter.add_(0.1 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(1)))
    env.reset()
    t = learner.rollout_buffer
    for _ in range(2):
        env.collect(t, learner.choose)
        with torch.no_grad():
            logits, values = learner.policy.net(torch.from_numpy(t.observations[: t.count]))
        masked = mask_logits(logits, torch.from_numpy(t.masks[: t.count]))
        log_probs = torch.log_softmax(masked, dim=1).numpy()
        assert np.allclose(log_probs[np.arange(t.count), t.actions[: t.count]], t.log_probs[: t.count], atol=1e-5)
        assert np.allclose(values.numpy(), t.values[: t.count], atol=1e-5)
        assert t.log_probs[: t.count].std() > 0.1  # the policy is not even
