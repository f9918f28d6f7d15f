"""Many games as one `gymnasium.vector.VectorEnv` in which every seat is a row: mirror self-play without a bridge.

Row ``seats * game + seat`` is that seat of that game. All rows of a game end in the same step, in which the next game
begins (same-step autoreset): the observation returned is the new game's, the old one's last is in
``infos["final_obs"]``.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from spit_env.batch import Batch, LatencySpec, Recall, check_seed, make_seeds
from spit_env.env import Stepping, seat_space, tick_of
from spit_env.reward import TAU_S, Shaping, ranks
from spit_env.ruleset import Rules
from spit_env.state import MAX_ROUNDS

Arrays = dict[str, npt.NDArray[Any]]


class SpitVectorEnv(gymnasium.vector.VectorEnv[Arrays, npt.NDArray[Any], npt.NDArray[Any]]):
    """``num_games`` games, each with a row for each seat. Arguments as `spit_env.SpitEnv`, for all games alike.

    Game k of a run (counted over all rows, in the order in which they begin) has the same seed whatever ``num_games``.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_games: int = 1,
        rules: str | Rules | Mapping[str, Any] = "emma",
        latency: LatencySpec | Sequence[LatencySpec] = "emma:hard",
        *,
        recall: Recall = "perfect",
        stepping: Stepping = "tick",
        tick_ms: int = 50,
        wait_ms: int = 100,
        shaping: str | None = None,
        tau_s: float = TAU_S,
    ) -> None:
        self.batch = Batch(
            num_games, rules, latency, recall=recall, tick_ms=tick_of(stepping, tick_ms), wait_ms=wait_ms
        )
        game = self.batch.game
        self.shaping = Shaping(shaping, game, tau_s)
        self._seats = game.seats
        self.num_envs = num_games * game.seats
        self.single_observation_space = seat_space(game)
        self.single_action_space = gymnasium.spaces.Discrete(game.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) >> 1
        self._begun = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Arrays, dict[str, Any]]:
        """Begin all games anew; without a seed, the next games of the run."""
        if seed is not None:
            self._seed, self._begun = check_seed(seed), 0
        self._begin(np.arange(self.batch.size))
        return self._observe(), {}

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[Arrays, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """One action for each row; a row that cannot choose (mask: NOOP only) sends 0."""
        games = self.batch.state
        before, since = self.shaping.potential(games), self.batch.time.copy()
        self.batch.step(np.asarray(actions, np.int64).reshape(self.batch.size, self._seats), everyone=True)
        elapsed = self.batch.time - since
        rewards = self.shaping.reward(games, before, elapsed).reshape(-1)
        over = self.batch.over
        cut = over & (games["end_reason"] >= MAX_ROUNDS)
        infos: dict[str, Any] = {"elapsed_ms": np.repeat(elapsed, self._seats)}
        if over.any():
            ended = np.repeat(over, self._seats)
            final = self._observe()
            infos |= {
                "final_obs": _objects(final, ended), "_final_obs": ended,
                "end_reason": np.repeat(games["end_reason"], self._seats), "_end_reason": ended,
                "rank": ranks(self.batch.game, games).reshape(-1), "_rank": ended,
            }  # fmt: skip
            self._begin(np.flatnonzero(over))
        return self._observe(), rewards, np.repeat(over & ~cut, self._seats), np.repeat(cut, self._seats), infos

    def _begin(self, rows: npt.NDArray[np.int64]) -> None:
        self.batch.reset(make_seeds(self._seed, len(rows), self._begun), rows)
        self._begun += len(rows)

    def _observe(self) -> Arrays:
        return {
            "observation": self.batch.flat.reshape(self.num_envs, -1).copy(),
            "action_mask": self.batch.masks.reshape(self.num_envs, -1).copy(),
        }


def _objects(arrays: Arrays, rows: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
    """Gymnasium's form of ``final_obs``: an object array with one observation for each of these rows."""
    result = np.full(len(rows), None, object)
    for i in np.flatnonzero(rows):
        result[i] = {key: array[i].copy() for key, array in arrays.items()}
    return result
