"""The arena: the learner gets the rewards, decisions and last observations of its own seat, and nobody else's."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from spit_agents import Greedy, Player, make_player
from spit_agents.arena import Arena
from spit_env.batch import make_seeds
from spit_env.env import SpitEnv, parallel_env
from spit_env.latency import PROFILES, Latency, LogNormal
from spit_env.reward import ranks
from spit_env.state import END_REASONS, MAX_ROUNDS, NOOP, OVER
from tests.spit_rules import make_rules

SHORT = {"max_rounds": 1}
# Times of their own, since the stock levels are tuned now and then.
FAST, SLOWER = Latency.of(200, 250, 120), Latency.of(450, 350, 200)


def some_legal(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    weights = masks * (0.5 + rng.random(masks.shape))
    weights[:, NOOP] *= 0.4
    return weights.argmax(axis=1)


class Decision(NamedTuple):
    """One step of the learner."""

    view: bytes
    mask: list[int]
    reward: float
    elapsed: int


class Game(NamedTuple):
    """A game of the learner's, as it saw it."""

    decisions: list[Decision]
    last_view: bytes
    seat: int
    ended: Any


def learner_games(arena: Arena, games: int, seed: int = 1) -> Iterator[Game]:
    """Whole games of a random learner in row 0 of an arena."""
    arena.reset(seed)
    rng = np.random.default_rng(seed)
    for _ in range(games):
        decisions, seat = [], int(arena.seats[0])
        while True:
            view, mask = arena.views[0].tobytes(), arena.masks[0].tolist()
            rewards, elapsed, ended = arena.step(some_legal(arena.masks, rng))
            decisions.append(Decision(view, mask, float(rewards[0]), int(elapsed[0])))
            if 0 in ended.rows:
                yield Game(decisions, arena.final_views[0].tobytes(), seat, ended)
                break


def same_game(env: SpitEnv, opponent: Player, seat: int, rng: np.random.Generator) -> tuple[list[Decision], bytes]:
    """The same game through the parallel environment: its decisions of the learner's seat, and the last view.

    The opponent plays all other seats.
    """
    observations, infos = env._observe(), {}
    decisions: list[Decision] = []
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    me = env.possible_agents[seat]
    while env.agents:
        actions = dict.fromkeys(env.agents, NOOP)
        for p, other in enumerate(env.possible_agents):
            if p != seat and env.batch.asked[0, p]:
                draws = env.batch.draws(np.array([0]), np.array([p]))
                views, masks = env.batch.seen(np.array([0]), np.array([p]))
                actions[other] = int(opponent.agent.act(views, masks, draws)[0])
        if env.batch.asked[0, seat]:
            mask = observations[me]["action_mask"]
            decisions.append(Decision(observations[me]["observation"].tobytes(), mask.tolist(), 0.0, 0))
            actions[me] = int(some_legal(mask[None], rng)[0])
        observations, rewards, _, _, infos = env.step(actions)
        if decisions:  # what comes before the first one is part of the reset
            latest, ms = decisions[-1], infos[me]["elapsed_ms"]
            decisions[-1] = latest._replace(reward=latest.reward + rewards[me], elapsed=latest.elapsed + ms)
    return decisions, observations[me]["observation"].tobytes()


@pytest.mark.parametrize(
    ("rules", "recall"), [("emma", "perfect"), ("emma", "none"), ("speed_3p", "perfect"), ("speed_4p", "none")]
)
def test_the_learner_gets_what_its_seat_gets(rules: str, recall: Any) -> None:
    """Rewards, times, observations, masks and last observations equal the parallel environment's, in every seat."""
    opponent = make_player("greedy", SLOWER)
    arena = Arena(1, [opponent], rules=rules, latency=FAST, recall=recall, forced=False)
    seats = arena.batch.game.seats
    rng = np.random.default_rng(1)
    outcomes = set()
    for k, game in enumerate(learner_games(arena, 4 * seats)):
        assert game.seat == k % seats
        speeds = [FAST if seat == game.seat else opponent.latency for seat in range(seats)]
        env = parallel_env(rules=rules, latency=speeds, recall=recall, stepping="decision")
        env.reset(seed=1)
        for _ in range(k):
            env.reset()
        assert env.game.seed == make_seeds(1, 1, k)[0]
        decisions, last_view = same_game(env, opponent, game.seat, rng)
        assert game.decisions == decisions
        assert game.last_view == last_view
        assert len(decisions) == game.ended.decisions[0]
        assert game.ended.won[0] == (env.game.winner == game.seat)
        assert game.ended.rank[0] == ranks(env.batch.game, env.batch.games)[0, game.seat]
        assert game.ended.time_ms[0] == env.game.time
        outcomes.add((game.seat, sum(d.reward for d in game.decisions)))
    assert {seat for seat, _ in outcomes} == set(range(seats))
    assert {total for _, total in outcomes} == {1.0, -1.0 / (seats - 1)}


def test_rewards_over_a_thousand_games_add_up_to_the_wins() -> None:
    size = 512
    arena = Arena(size, [make_player("greedy", FAST)], latency=FAST)
    arena.reset(3)
    bot, rows = Greedy(), np.arange(size)
    total, games, seats, wins = 0.0, 0, np.zeros(2, int), 0
    returns = np.zeros(size)
    while games < 1500:
        actions = bot.act(arena.views, arena.masks, arena.batch.draws(rows, arena.seats))
        rewards, elapsed, ended = arena.step(actions)
        assert (elapsed >= 0).all()
        returns += rewards
        assert np.array_equal(np.flatnonzero(rewards), ended.rows[~ended.truncated])
        assert (returns[ended.rows] == np.where(ended.truncated, 0, np.where(ended.won, 1, -1))).all()
        assert ((ended.reason >= MAX_ROUNDS) == ended.truncated).all()
        returns[ended.rows] = 0
        games += len(ended.rows)
        seats += np.bincount(ended.seat, minlength=2)
        wins += int(ended.won.sum())
        total += rewards.sum()
    assert total == 2 * wins - games
    assert abs(wins / games - 0.5) < 0.045
    assert seats.min() > 0.45 * games
    assert arena.batch.games.illegal.sum() == 0


@pytest.mark.plain
def test_the_last_view_is_of_the_end_and_the_next_of_the_new_game() -> None:
    arena = Arena(4, [make_player("random@emma:impossible")], rules=SHORT, latency=FAST)
    arena.reset(5)
    rng, ends = np.random.default_rng(0), 0
    while ends < 4:
        _, _, ended = arena.step(some_legal(arena.masks, rng))
        for k, row in enumerate(ended.rows):
            final = arena.final_views[row]
            assert final.phase == OVER
            assert final["rounds"] == 1
            assert arena.views[row].phase != OVER
            assert arena.views[row]["rounds"] == 0
            assert ended.truncated[k]
            assert ended.rank[k] == 0
            assert END_REASONS[ended.reason[k]] == "max_rounds"
        ends += len(ended.rows)


def test_games_may_stay_as_they_ended() -> None:
    arena = Arena(1, [make_player("random@emma:impossible")], rules=SHORT, latency=FAST)
    arena.reset(5)
    rng = np.random.default_rng(0)
    while not len(arena.step(some_legal(arena.masks, rng), again=False)[2].rows):
        pass
    assert arena.batch.over.all()
    assert arena.views[0].tobytes() == arena.final_views[0].tobytes()
    assert np.flatnonzero(arena.masks[0]).tolist() == [NOOP]
    following = arena.next_seeds()
    arena.reset()
    assert arena.batch.games.seed.tolist() == following.tolist() == make_seeds(5, 1, 1).tolist()
    assert arena.seats.tolist() == [1]
    assert arena.next_seeds(9).tolist() == make_seeds(9, 1).tolist()


@pytest.mark.parametrize("preset", ["emma", "pagat", "base_s4", "classic_s1"])
def test_forced_moves_are_played_and_waiting_is_no_choice(preset: str) -> None:
    arena = Arena(32, [make_player("random@emma:impossible")], rules=make_rules(preset, max_rounds=1), latency=FAST)
    arena.reset(6)
    rng, ends = np.random.default_rng(0), 0
    for _ in range(150):
        over = arena.batch.over
        moves = arena.masks[:, 1:].sum(axis=1)
        assert (over | (moves != 1)).all()  # a single move is played by itself
        assert (arena.masks[moves > 0, NOOP] == 0).all()
        assert (arena.masks[moves == 0, NOOP] == 1).all()
        _, _, ended = arena.step(some_legal(arena.masks, rng))
        ends += len(ended.rows)
    assert ends > 10


def test_every_choice_of_the_learner_is_a_step_and_nobody_elses_is() -> None:
    """The count of steps equals the engine's count of the learner's choices; with forced moves it is smaller."""
    steps = {}
    for forced in (False, True):
        arena = Arena(1, [make_player("random@emma:impossible")], rules=SHORT, latency=FAST, forced=forced)
        for game in learner_games(arena, 4, seed=2):
            steps[forced] = len(game.decisions), int(game.ended.decisions[0])
            assert steps[forced][0] <= steps[forced][1]
            assert forced or steps[forced][0] == steps[forced][1]
    assert steps[True][0] < steps[True][1]


def test_masks_are_the_learners_own_in_either_seat() -> None:
    arena = Arena(64, [make_player("random")], latency=FAST, forced=False)
    arena.reset(7)
    rng = np.random.default_rng(0)
    rows = np.arange(64)
    for _ in range(60):
        own = arena.batch.masks[rows, arena.seats]
        others = arena.batch.masks[rows, 1 - arena.seats]
        assert np.array_equal(arena.masks, own)
        assert (own != others).any()
        arena.step(some_legal(arena.masks, rng))


def test_opponents_are_met_as_often_as_their_weights_say() -> None:
    names = ("random", "greedy", "emma:easy")
    arena = Arena(5000, [make_player(name) for name in names], weights=(2, 5, 3))
    arena.reset(8)
    assert np.abs(np.bincount(arena.opponent) / 5000 - (0.2, 0.5, 0.3)).max() < 0.02
    games = np.arange(5000)
    slow = (arena.batch.games.latency[games, 1 - arena.seats] == PROFILES["emma:easy"].table()[:, :3]).all(axis=(1, 2))
    assert np.array_equal(slow, arena.opponent == 2)
    # The learner's speed is the opponent's where it has none of its own.
    assert np.array_equal(arena.batch.games.latency[:, 0], arena.batch.games.latency[:, 1])


@pytest.mark.plain
def test_each_opponent_plays_its_own_games() -> None:
    class First:
        def __init__(self, action: int) -> None:
            self.action, self.rows = action, 0

        def act(self, views: Any, masks: np.ndarray, draws: np.ndarray) -> np.ndarray:
            self.rows += len(masks)
            assert (masks.sum(axis=1) > 0).all()
            assert len(views) == len(masks) == len(draws)
            return masks.argmax(axis=1)

    bots = [First(0), First(1)]
    arena = Arena(10, [Player(str(n), bot, FAST) for n, bot in enumerate(bots)], weights=(0, 1))
    arena.reset(1)
    arena.step(some_legal(arena.masks, np.random.default_rng(0)))
    assert bots[0].rows == 0
    assert bots[1].rows > 0


@pytest.mark.plain
def test_speeds_and_sight_follow_the_seat() -> None:
    mine = Latency(think=LogNormal(333.0), perception_ms=120)
    arena = Arena(6, [make_player("random"), make_player("random@emma:easy")], latency=mine)
    arena.reset(9)
    times = [PROFILES[level].think.median for level in ("emma:hard", "emma:easy")]
    for k in range(6):
        game, seat = arena.batch.games[k], arena.seats[k]
        assert seat == k % 2
        assert game.latency[seat, 0, 1] == 333.0
        assert game.latency[1 - seat, 0, 1] == times[arena.opponent[k]]
        assert game.perception.tolist() == ([120, 0] if seat == 0 else [0, 120])

    def drawn(opponents: np.ndarray, generator: np.random.Generator) -> np.ndarray:
        tables = np.zeros((len(opponents), 2, 5, 4))
        tables[:, 0, :, 1], tables[:, 1, :, 1] = 100.0, generator.integers(200, 300, (len(opponents), 1))
        return tables

    arena = Arena(6, [make_player("random")], speeds=drawn)
    arena.reset(9)
    medians = arena.batch.games.latency[..., 1]
    own = medians[np.arange(6), arena.seats]
    other = medians[np.arange(6), 1 - arena.seats]
    assert (own == 100).all()
    assert ((other >= 200) & (other < 300)).all()


def test_a_run_is_the_same_whatever_came_before() -> None:
    taken = []
    for before in (None, 77):
        arena = Arena(8, [make_player("random"), make_player("greedy")], rules=SHORT, latency=FAST)
        if before is not None:
            arena.reset(before)
            arena.step(some_legal(arena.masks, np.random.default_rng(1)))
        arena.reset(10)
        rng = np.random.default_rng(0)
        for _ in range(60):
            rewards, elapsed, _ = arena.step(some_legal(arena.masks, rng))
            taken.append((rewards.tobytes(), elapsed.tobytes(), arena.views.tobytes(), arena.masks.tobytes()))
    assert taken[:60] == taken[60:]


def test_views_and_masks_are_not_overwritten() -> None:
    arena = Arena(4, [make_player("random")], rules=SHORT, latency=FAST)
    arena.reset(11)
    rng, kept = np.random.default_rng(0), []
    for _ in range(60):
        kept.append((arena.views, arena.views.tobytes(), arena.masks, arena.masks.tobytes()))
        rewards, elapsed, _ = arena.step(some_legal(arena.masks, rng))
        kept.append((rewards, rewards.tobytes(), elapsed, elapsed.tobytes()))
    assert all(a.tobytes() == b and c.tobytes() == d for a, b, c, d in kept)


def test_shaping_telescopes_over_the_learners_decisions() -> None:
    arena = Arena(1, [make_player("random@emma:impossible")], latency=FAST, shaping="cards", tau_s=9.0)
    arena.reset(12)
    rng = np.random.default_rng(0)
    for _ in range(4):
        seat, time, last, total = int(arena.seats[0]), 0, 0, 0.0
        first = float(arena.shaping.potential(arena.batch.games)[0, seat])
        ended = None
        while ended is None or not len(ended.rows):
            rewards, elapsed, ended = arena.step(some_legal(arena.masks, rng))
            total += math.exp(-time / 9000) * float(rewards[0])
            last, time = time, time + int(elapsed[0])
        outcome = 1.0 if ended.won[0] else -1.0
        # A step's reward is discounted to the step's beginning; the potential of a game that is over is 0.
        assert abs(total - (math.exp(-last / 9000) * outcome - first)) < 1e-9
