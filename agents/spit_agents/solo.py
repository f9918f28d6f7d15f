"""The Gymnasium faces: one seat is yours, a bot plays the others; decision stepping.

``gymnasium.make("spit/SpitSolo-v0", opponent="emma:hard")`` and, for many games at once,
``gymnasium.make_vec("spit/SpitSolo-v0", num_envs=64, opponent="emma:hard")``. A step is one decision of yours; the
time it took is ``info["elapsed_ms"]``. Your seat goes round the table from game to game. How a game ended is told by
``info["end_reason"]`` and ``info["rank"]``, your place (0 if nobody has won).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from spit_agents.arena import Arena
from spit_agents.catalogue import make_player
from spit_env.batch import LatencySpec, Recall, check_seed
from spit_env.env import RENDER_MODES, board_option, seat_space
from spit_env.errors import GameOver
from spit_env.latency import make_latency
from spit_env.reward import TAU_S
from spit_env.ruleset import Rules
from spit_env.state import END_REASONS

Arrays = dict[str, npt.NDArray[Any]]


def make_arena(
    size: int,
    opponent: str | Sequence[str],
    rules: str | Rules | Mapping[str, Any],
    latency: LatencySpec | None,
    recall: Recall,
    wait_ms: int,
    forced: bool,
    shaping: str | None,
    tau_s: float,
) -> Arena:
    """An arena against one named opponent, or several that are met equally often."""
    own = None if latency is None else make_latency(latency)
    names = [opponent] if isinstance(opponent, str) else list(opponent)
    return Arena(
        size, [make_player(name, own) for name in names], rules=rules, latency=own, recall=recall, wait_ms=wait_ms,
        forced=forced, shaping=shaping, tau_s=tau_s,
    )  # fmt: skip


class SpitSoloEnv(gymnasium.Env[Arrays, np.int64]):
    """One game against a bot, which plays all other seats.

    Args:
        opponent: a bot's name (`spit bots` lists them), or several, of which each game draws one.
        rules, recall, wait_ms, shaping, tau_s: as `spit_env.SpitEnv`.
        latency: your speed; None: the opponent's.
        forced: play your forced moves, and take NOOP out of the mask where you can act.
        render_mode: "ansi", "rgb_array" or None.

    Raises:
        ValueError: for an argument that is unknown; the message says what is known.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 20}  # noqa: RUF012

    def __init__(
        self,
        opponent: str | Sequence[str] = "emma:hard",
        rules: str | Rules | Mapping[str, Any] = "emma",
        latency: LatencySpec | None = None,
        *,
        recall: Recall = "perfect",
        wait_ms: int = 100,
        forced: bool = False,
        shaping: str | None = None,
        tau_s: float = TAU_S,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode={render_mode!r} is unknown; one of {', '.join(RENDER_MODES)}, or None")
        self.arena = make_arena(1, opponent, rules, latency, recall, wait_ms, forced, shaping, tau_s)
        self.render_mode = render_mode
        game = self.arena.batch.game
        self.observation_space: gymnasium.spaces.Space[Any] = seat_space(game)
        self.action_space = gymnasium.spaces.Discrete(game.actions)
        self.action_names = game.action_names
        self._started = False
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Arrays, dict[str, Any]]:
        """Begin a game; ``options={"board": text}`` begins from a board. Without a seed, the next game of the run."""
        if seed is not None:
            check_seed(seed)
        super().reset(seed=seed)
        board = board_option(options)
        if seed is None and not self._started:
            seed = int(self.np_random.integers(2**63 - 1))
        self._started = True
        boards = None
        if board is not None:
            game_seed = int(self.arena.next_seeds(seed)[0])
            batch = self.arena.batch
            boards = np.array([batch.game.parse_board(board, batch.rules, game_seed)])
        self.arena.reset(seed, boards)
        self._over = False
        return self._observe(), self._info(0)

    def step(self, action: np.int64 | int) -> tuple[Arrays, float, bool, bool, dict[str, Any]]:
        """Your action; the observation is your next decision, or the end of the game.

        Raises:
            GameOver: if the game has ended or was never begun: call `reset`.
        """
        if self._over:
            raise GameOver("the game is over (or was never begun): call reset()")
        choice, mask = int(action), self.arena.masks[0]
        rejected = not (0 <= choice < len(mask) and mask[choice])
        rewards, elapsed, ended = self.arena.step(np.array([choice]), again=False)
        self._over = len(ended.rows) > 0
        cut = bool(self._over and ended.truncated[0])
        info = self._info(int(elapsed[0]), rejected, int(ended.rank[0]) if self._over else 0)
        return self._observe(), float(rewards[0]), self._over and not cut, cut, info

    def render(self) -> Any:
        """The table as text, or as an image of shape (height, width, 3)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode; pass render_mode='ansi' or 'rgb_array'")
            return None
        game, record = self.arena.batch.game, self.arena.batch.games[0]
        return game.ansi(record) if self.render_mode == "ansi" else game.rgb_array(record)

    def _observe(self) -> Arrays:
        flat = self.arena.batch.game.observation.flat(self.arena.views)
        return {"observation": flat[0].copy(), "action_mask": self.arena.masks[0].copy()}

    def _info(self, elapsed: int, rejected: bool = False, rank: int = 0) -> dict[str, Any]:
        return {
            "action_mask": self.arena.masks[0].copy(),
            "action_rejected": rejected,
            "elapsed_ms": elapsed,
            "seat": int(self.arena.seats[0]),
            "end_reason": END_REASONS[self.arena.batch.games[0].end_reason],
            "rank": rank,
        }


class SpitSoloVectorEnv(gymnasium.vector.VectorEnv[Arrays, npt.NDArray[Any], npt.NDArray[Any]]):
    """``num_envs`` games against bots, each row one game; same-step autoreset. Arguments as `SpitSoloEnv`."""

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        opponent: str | Sequence[str] = "emma:hard",
        rules: str | Rules | Mapping[str, Any] = "emma",
        latency: LatencySpec | None = None,
        *,
        recall: Recall = "perfect",
        wait_ms: int = 100,
        forced: bool = False,
        shaping: str | None = None,
        tau_s: float = TAU_S,
    ) -> None:
        self.arena = make_arena(num_envs, opponent, rules, latency, recall, wait_ms, forced, shaping, tau_s)
        self.num_envs = num_envs
        game = self.arena.batch.game
        self.single_observation_space = seat_space(game)
        self.single_action_space = gymnasium.spaces.Discrete(game.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._started = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Arrays, dict[str, Any]]:
        """Begin all games anew; without a seed, the next games of the run."""
        super().reset(seed=seed)
        if seed is None and not self._started:
            seed = int(self.np_random.integers(2**63 - 1))
        self._started = True
        self.arena.reset(None if seed is None else check_seed(seed))
        return self._observe(), {}

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[Arrays, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """One action for each game."""
        rewards, elapsed, ended = self.arena.step(np.asarray(actions, np.int64))
        terminated, truncated = np.zeros((2, self.num_envs), np.bool_)
        infos: dict[str, Any] = {"elapsed_ms": elapsed}
        if len(ended.rows):
            over = np.zeros(self.num_envs, np.bool_)
            over[ended.rows] = True
            terminated[ended.rows] = ~ended.truncated
            truncated[ended.rows] = ended.truncated
            reasons, rank = np.zeros(self.num_envs, np.int8), np.zeros(self.num_envs, np.int64)
            reasons[ended.rows], rank[ended.rows] = ended.reason, ended.rank
            final = np.full(self.num_envs, None, object)
            flat = self.arena.batch.game.observation.flat(self.arena.final_views)
            for i in ended.rows:
                mask = np.zeros(self.arena.batch.game.actions, np.int8)
                mask[0] = 1
                final[i] = {"observation": flat[i].copy(), "action_mask": mask}
            infos |= {"final_obs": final, "_final_obs": over, "end_reason": reasons, "_end_reason": over}
            infos |= {"rank": rank, "_rank": over}
        return self._observe(), rewards, terminated, truncated, infos

    def _observe(self) -> Arrays:
        return {
            "observation": self.arena.batch.game.observation.flat(self.arena.views).copy(),
            "action_mask": self.arena.masks.copy(),
        }
