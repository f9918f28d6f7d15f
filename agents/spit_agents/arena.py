"""Many games in which one seat is the learner's and a bot plays all others: what every single-seat face is built on.

`Arena.step` takes the learner's action in each game and returns at its next decision. Everything between, the
opponents' choices and, if wanted, the learner's forced moves, is played inside. A game that ends is followed at once
by the next one; its last observation is kept in `final_views`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spit_agents.base import Agent, Player, informed
from spit_env.batch import Batch, Recall, make_seeds
from spit_env.jit import entry
from spit_env.latency import Latency
from spit_env.reward import TAU_S, Shaping, ranks
from spit_env.ruleset import Rules
from spit_env.state import MAX_ROUNDS, NOOP

Ints = npt.NDArray[np.int64]
# Latency tables, shape (games, 2, 5, 4), for (learner, each opponent) in new games: (opponents, generator) -> tables
Speeds = Callable[[Ints, np.random.Generator], npt.NDArray[np.float64]]


@entry
def sort_out(
    masks: Any, asked: Any, over: Any, rows: Any, learner: Any, forced: bool, actions: Any, waits: Any, others: Any,
    seats: Any,
) -> tuple[int, int]:  # fmt: skip
    """Who has to do what in the games that just moved.

    Sets ``waits`` where the learner must choose (or the game is over), plays the learner's forced moves into
    ``actions``, and lists the (row, seat) pairs in which an opponent must choose. With ``forced`` NOOP is taken out of
    the learner's mask where anything else is legal. Returns how many pairs there are, and how many games wait.
    """
    pairs = 0
    waiting = 0
    for i in rows:
        waits[i] = False
        if over[i]:
            waits[i] = True
            waiting += 1
            continue
        for p in range(asked.shape[1]):
            actions[i, p] = NOOP
            if not asked[i, p]:
                continue
            if p != learner[i]:
                others[pairs] = i
                seats[pairs] = p
                pairs += 1
                continue
            legal = 0
            only = NOOP
            for a in range(1, masks.shape[2]):
                if masks[i, p, a] != 0:
                    legal += 1
                    only = a
            if forced and legal > 0:
                masks[i, p, NOOP] = 0
            if forced and legal == 1:
                actions[i, p] = only
            else:
                waits[i] = True
                waiting += 1
    return pairs, waiting


class Ended(NamedTuple):
    """Games that ended in a step: their rows, and for each what became of it."""

    rows: Ints
    won: npt.NDArray[np.bool_]  # by the learner
    rank: Ints  # the learner's place, 1 if it has won; 0 if nobody has
    truncated: npt.NDArray[np.bool_]
    reason: npt.NDArray[np.int8]  # index into END_REASONS
    opponent: Ints  # index of the bot in all other seats
    seat: Ints  # the learner's
    decisions: Ints  # of the learner, forced ones included
    time_ms: Ints


class Arena:
    """``size`` games of the learner against opponents; in each game all other seats are one opponent's.

    Args:
        size: games at a time.
        opponents: players to draw from, one for each game.
        weights: how often each is met; default equal.
        latency: the learner's speed, or None for the same as the opponent's.
        speeds: draws the speeds of each new game instead.
        forced: play the learner's forced moves, and never let it wait while it can act.
        shaping: name of a potential, or None.

    Attributes:
        views: observation records of the learner, shape (size,), by copy at each step.
        masks: shape (size, actions).
        seats: the learner's seat in each game; it goes round the table from game to game.
        opponent: index of the opponent in each game.
    """

    def __init__(
        self,
        size: int,
        opponents: Sequence[Player],
        *,
        weights: Sequence[float] | None = None,
        rules: str | Rules | Mapping[str, Any] = "emma",
        latency: Latency | None = None,
        speeds: Speeds | None = None,
        recall: Recall = "perfect",
        wait_ms: int = 100,
        forced: bool = True,
        shaping: str | None = None,
        tau_s: float = TAU_S,
    ) -> None:
        theirs = [player.latency for player in opponents]
        ours = [latency or other for other in theirs]
        latest = max(theirs + ours, key=lambda speed: speed.perception_ms)  # the batch keeps what that one needs
        self.batch = Batch(size, rules, latest, recall=recall, wait_ms=wait_ms)
        self.size, self.forced = size, forced
        self.opponents: list[Agent] = [informed(player.agent, self.batch.rules) for player in opponents]
        self.weights = np.ones(len(opponents)) if weights is None else np.asarray(weights, np.float64)
        self.weights = self.weights / self.weights.sum()
        # Shapes (opponents, 2, 5, 4) and (opponents, 2): learner, each opponent.
        self._tables = np.array([[own.table(), other.table()] for own, other in zip(ours, theirs)])
        self._perceptions = np.array([[own.perception_ms, other.perception_ms] for own, other in zip(ours, theirs)])
        self.speeds = speeds
        self.shaping = Shaping(shaping, self.batch.game, tau_s)
        self.seats = np.zeros(size, np.int64)
        self.opponent = np.zeros(size, np.int64)
        self.actions = np.zeros((size, self.batch.game.seats), np.int64)
        self._all = np.arange(size)
        self._waits = np.zeros(size, np.bool_)
        self._pairs = np.zeros((2, self.actions.size), np.int64)
        self.views: Any = self.batch.observations[:, 0].copy()
        self.final_views: Any = self.views.copy()
        self.masks = np.zeros((size, self.batch.game.actions), np.int8)

    def reset(self, seed: int | None = None, boards: npt.NDArray[Any] | None = None) -> None:
        """Begin anew: game k of a run has the seed of `make_seeds(seed, 1, k)`, whatever the size.

        Without a seed the run goes on with its next games. ``boards``: as in `Batch.reset`, one for each game.
        """
        if seed is not None:
            self._seed, self._begun = seed, 0
            self.generator = np.random.default_rng(seed)
        self._begin(self._all, boards)
        self._run(self._all)
        self.views, self.masks = self.batch.seen(self._all, self.seats)

    def next_seeds(self, seed: int | None = None) -> Ints:
        """The games' seeds that a `reset` with this argument gives."""
        return make_seeds(self._seed if seed is None else seed, self.size, self._begun if seed is None else 0)

    def step(
        self, actions: npt.NDArray[np.integer[Any]], *, again: bool = True
    ) -> tuple[npt.NDArray[np.float64], Ints, Ended]:
        """The learner's action in each game, to its next decision.

        Args:
            actions: one for each game.
            again: begin games that end anew; else they stay as they ended, until `reset`.

        Returns:
            Rewards, shape (size,); elapsed ms, shape (size,); the games that ended.
        """
        games = self.batch.state
        before, since = self.shaping.potential(games), self.batch.time.copy()
        self.actions[self._all, self.seats] = actions
        self.batch.step(self.actions)
        self._run(self._all)
        elapsed = (self.batch.time - since).astype(np.int64)
        rewards = self.shaping.reward(games, before, elapsed)[self._all, self.seats]
        ended = self._ended(np.flatnonzero(self.batch.over))
        if len(ended.rows):
            self.final_views[ended.rows] = self.batch.observations[ended.rows, self.seats[ended.rows]]
            if again:
                self._begin(ended.rows)
                self._run(ended.rows)
        self.views, self.masks = self.batch.seen(self._all, self.seats)
        return rewards, elapsed, ended

    def _begin(self, rows: Ints, boards: npt.NDArray[Any] | None = None) -> None:
        count, seats = len(rows), self.batch.game.seats
        seeds = make_seeds(self._seed, count, self._begun)
        self.seats[rows] = (self._begun + np.arange(count)) % seats
        self._begun += count
        self.opponent[rows] = self.generator.choice(len(self.opponents), count, p=self.weights)
        tables = self._tables[self.opponent[rows]]
        if self.speeds is not None:
            tables = self.speeds(self.opponent[rows], self.generator)
        perceptions = self._perceptions[self.opponent[rows]]
        games = np.arange(count)[:, None]
        whose = (np.arange(seats) != self.seats[rows][:, None]).astype(np.int64)  # 0: the learner's seat
        self.batch.reset(
            seeds, rows, latencies=tables[games, whose], perceptions=perceptions[games, whose], boards=boards
        )

    def _run(self, rows: Ints) -> None:
        """Play on until the learner must choose in each of these games, or it is over."""
        batch = self.batch
        while len(rows):
            others, seats = self._pairs
            pairs, waiting = sort_out(
                batch.masks, batch.asked, batch.over, rows, self.seats, self.forced, self.actions,
                self._waits, others, seats,
            )  # fmt: skip
            if pairs:
                self._ask(others[:pairs], seats[:pairs])
            if waiting == len(rows):
                return
            rows = rows[~self._waits[rows]]
            batch.step(self.actions, rows)

    def _ask(self, rows: Ints, seats: Ints) -> None:
        batch = self.batch
        whom = self.opponent[rows]
        for k, agent in enumerate(self.opponents):
            mine = slice(None) if len(self.opponents) == 1 else np.flatnonzero(whom == k)
            r, p = rows[mine], seats[mine]
            if len(r):
                self.actions[r, p] = agent.act(*batch.seen(r, p), batch.draws(r, p))

    def _ended(self, rows: Ints) -> Ended:
        games = self.batch.state[rows]
        k, seats, reason = np.arange(len(rows)), self.seats[rows], games["end_reason"]
        return Ended(
            rows=rows,
            won=games["winner"] == seats,
            rank=ranks(self.batch.game, games)[k, seats],
            truncated=reason >= MAX_ROUNDS,
            reason=reason.copy(),
            opponent=self.opponent[rows],
            seat=seats,
            decisions=games["choice_n"][k, seats].astype(np.int64),
            time_ms=games["time"].astype(np.int64),
        )
