"""Games for learning: in each, one seat or all are the learner's, the others a bot's.

Every game is at a choice of its own, so that what is collected is a list of transitions in the order in which they
happened, and not a table of games by steps. A transition is a choice of the learner with more than one candidate; it
ends with the next such choice of the same seat, or with the game. Time passes between: discounts are exp(-dt / tau).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv

from spit_agents.arena import Speeds
from spit_agents.base import Agent, informed
from spit_agents.features import HIGHEST, LOWEST, encoder_of
from spit_agents.fits import rule_of
from spit_env.batch import Batch, Recall, make_seeds
from spit_env.jit import entry
from spit_env.reward import TAU_S, Shaping, discount, outcome
from spit_env.ruleset import Rules
from spit_env.state import MAX_ROUNDS, RACE
from spit_train.ppo import LAST, OPEN
from spit_train.transitions import Transitions

Floats = npt.NDArray[np.float32]
# (observations, candidates) -> (which candidate, its log-probability, value), one for each row
Chooser = Callable[[Floats, npt.NDArray[np.int8]], tuple[npt.NDArray[np.int64], Floats, Floats]]


@entry
def whose_turn(asked: Any, learns: Any, mine: Any, others: Any) -> tuple[int, int]:
    """The (game, seat) pairs in which the learner has to choose, and those in which a bot has; how many of each."""
    n, m = 0, 0
    for i in range(asked.shape[0]):
        for p in range(asked.shape[1]):
            if asked[i, p]:
                if learns[i, p]:
                    mine[n, 0] = i
                    mine[n, 1] = p
                    n += 1
                else:
                    others[m, 0] = i
                    others[m, 1] = p
                    m += 1
    return n, m


class GameEnd(NamedTuple):
    """A game that has ended."""

    opponent: int
    won: bool  # by the learner; in self-play by seat 0
    truncated: bool
    time_ms: int


class SelfPlay(VecEnv):
    """``size`` games that go on for ever, as the environment of a `spit_train.learner.Learner`.

    It has SB3's spaces, one row for each seat of each game, but it cannot be stepped row by row, since the seats of a
    game choose in turn: the learner has it `collect` transitions. `spit_train.bridge.SpitVecEnv` is the environment
    for everything else that is made for SB3.

    Args:
        opponents: bots to draw from, one for each game; None: the learner itself, who then learns in all seats.
        weights: how often each is met.
        speeds: draws the speeds of each new game.
        waits: whether waiting is a candidate where something else is.
    """

    def __init__(
        self, size: int, opponents: Sequence[Agent | None], weights: Sequence[float], speeds: Speeds, *,
        rules: str | Rules | Mapping[str, Any] = "emma", recall: Recall = "perfect", waits: bool = False,
        shaping: str | None = "cards", tau_s: float = TAU_S, seed: int = 0,
    ) -> None:  # fmt: skip
        self.batch = Batch(size, rules, recall=recall)
        self.game, self.rule = self.batch.game, rule_of(self.batch.rules)
        self.encoder = encoder_of(self.game)
        self.opponents = [agent and informed(agent, self.batch.rules) for agent in opponents]
        self.weights = np.asarray(weights, np.float64) / np.sum(weights)
        self.speeds, self.waits, self.tau_s = speeds, waits, tau_s
        self.shaping = Shaping(shaping, self.game, tau_s)
        seats = self.game.seats
        self.learns = np.zeros((size, seats), np.bool_)
        self.opponent = np.zeros(size, np.int64)
        self.actions = np.zeros((size, seats), np.int64)
        self.last = np.full(size * seats, OPEN, np.int64)  # the open transition of each row
        self.ended: list[GameEnd] = []  # since whoever reads it last emptied it
        self.render_mode = None
        self._mine = np.zeros((size * seats, 2), np.int64)
        self._others = np.zeros((size * seats, 2), np.int64)
        super().__init__(
            size * seats,
            gymnasium.spaces.Box(LOWEST, HIGHEST, (self.encoder.size,), np.float32),
            gymnasium.spaces.Discrete(self.encoder.candidates),
        )
        self._seed = seed

    def reset(self) -> Floats:
        """Begin all games anew; zeros, since nobody has been asked yet."""
        self._seed = self._seeds[0] if self._seeds[0] is not None else self._seed
        self._reset_seeds()
        self.generator = np.random.default_rng(self._seed)
        self.begun = 0
        self.last[:] = OPEN
        self._begin(np.arange(self.batch.size))
        return np.zeros((self.num_envs, self.encoder.size), np.float32)

    def collect(self, found: Transitions, choose: Chooser) -> None:
        """Play until there are as many closed transitions as wanted, or a few more. Those that were open stay."""
        index = np.sort(self.last[self.last >= 0])
        found.keep(index)
        self.last[found.row[: len(index)]] = np.arange(len(index))
        while found.count - np.count_nonzero(self.last >= 0) < found.wanted:
            self._step(found, choose)

    def _step(self, t: Transitions, choose: Chooser) -> None:
        batch = self.batch
        mine, others = whose_turn(batch.asked, self.learns, self._mine, self._others)
        if others:
            self._ask(*self._others[:others].T)
        if mine:
            games, seat = self._mine[:mine].T
            views, masks = batch.seen(games, seat)
            seen, candidates = self.encoder.encode(views, masks, self.waits, self.rule)
            several = (candidates >= 0).sum(axis=1) > 1
            action = candidates.max(axis=1).astype(np.int64)
            if several.any():
                action[several] = self._decide(
                    t, games[several], seat[several], seen[several], candidates[several], choose
                )
            self.actions[games, seat] = action
        batch.step(self.actions)
        self.actions[:] = 0
        over = np.flatnonzero(batch.over)
        if len(over):
            self._end(t, over, choose)
            self._begin(over)

    def _decide(self, t: Transitions, games: Any, seat: Any, seen: Floats, candidates: Any, choose: Chooser) -> Any:
        """Note the choices, and close the transitions that lead to them; the actions."""
        rows = games * self.game.seats + seat
        chosen, log_probs, values = choose(seen, candidates)
        now = slice(t.count, t.count + len(rows))
        index = np.arange(now.start, now.stop)
        t.observations[now], t.masks[now] = seen, candidates >= 0
        t.actions[now], t.log_probs[now], t.values[now], t.row[now] = chosen, log_probs, values, rows
        t.time[now] = self.batch.time[games]
        t.potential[now] = self.shaping.potential(self.batch.state)[games, seat]
        t.following[now] = OPEN
        before = self.last[rows]
        known = before >= 0
        old, new = before[known], index[known]
        t.following[old] = new
        t.discounts[old] = discount(t.time[new] - t.time[old], self.tau_s)
        t.rewards[old] = t.discounts[old] * t.potential[new] - t.potential[old]
        self.last[rows] = index
        t.count = now.stop
        return candidates[np.arange(len(rows)), chosen]

    def _end(self, t: Transitions, over: npt.NDArray[np.int64], choose: Chooser) -> None:
        """Close the transitions of ended games. Where a guard cut a game off, its last position stands for the rest."""
        seats, states = self.game.seats, self.batch.state[over]
        rewards = outcome(states)
        truncated = states["end_reason"] >= MAX_ROUNDS
        states["phase"] = RACE  # a copy: what the last positions would be worth if the games went on
        potential = self.shaping.potential(states)
        for k, i in enumerate(over):
            who = self.learns[i]
            for p in np.flatnonzero(who):
                last = self.last[i * seats + p]
                self.last[i * seats + p] = OPEN
                if last < 0:
                    continue
                t.following[last] = LAST
                t.rewards[last] = rewards[k, p] - t.potential[last]
                if truncated[k]:
                    views, masks = self.batch.seen(np.array([i]), np.array([p]))
                    seen, candidates = self.encoder.encode(views, masks, self.waits, self.rule)
                    rest = discount(states["time"][k] - t.time[last], self.tau_s)
                    t.rewards[last] += rest * (potential[k, p] + choose(seen, candidates)[2][0])
            seat = int(who.argmax())
            self.ended.append(
                GameEnd(int(self.opponent[i]), bool(states["winner"][k] == seat), bool(truncated[k]),
                        int(states["time"][k]))
            )  # fmt: skip

    def _begin(self, rows: npt.NDArray[np.int64]) -> None:
        count, seats = len(rows), self.game.seats
        seeds = make_seeds(self._seed, count, self.begun)
        first = (self.begun + np.arange(count)) % seats
        self.begun += count
        kinds = self.generator.choice(len(self.opponents), count, p=self.weights)
        self.opponent[rows] = kinds
        mirror = np.array([agent is None for agent in self.opponents])[kinds]
        own = np.arange(seats) == first[:, None]
        self.learns[rows] = own | mirror[:, None]
        tables = self.speeds(kinds, self.generator)
        whose = (~own).astype(np.int64)
        self.batch.reset(seeds, rows, latencies=tables[np.arange(count)[:, None], whose])

    def _ask(self, rows: Any, seats: Any) -> None:
        whom = self.opponent[rows]
        for k, agent in enumerate(self.opponents):
            mine = np.flatnonzero(whom == k)
            if agent is not None and len(mine):
                r, p = rows[mine], seats[mine]
                self.actions[r, p] = agent.act(*self.batch.seen(r, p), self.batch.draws(r, p))

    def step_async(self, actions: Any) -> None:
        """Not possible."""
        raise NotImplementedError("the seats of a game choose in turn: use collect, or SpitVecEnv for one seat a game")

    def step_wait(self) -> Any:
        """Not possible."""
        raise NotImplementedError

    def close(self) -> None:
        """Nothing to free."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """What SB3 asks for: that rows have no render mode."""
        if attr_name != "render_mode":
            raise AttributeError(f"the rows have no attribute {attr_name!r}")
        return [None] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """There is nothing to set."""
        raise AttributeError(f"attribute {attr_name!r} cannot be set")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Rows have no methods."""
        raise AttributeError(f"the rows have no method {method_name!r}")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No row is."""
        return [False] * self.num_envs
