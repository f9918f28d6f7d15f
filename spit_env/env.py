"""The PettingZoo face: a `ParallelEnv` over a batch of one game.

| | |
|---|---|
| agents | `player_0`, `player_1`, ... |
| actions | `Discrete` (39 in Spit); names in `env.action_names`; 0 is NOOP |
| observation | `Dict(observation=Box(int8), action_mask=Box(int8))`; fields in `env.table` |
| rewards | +1 to the winner, -1 to the losers together, at the end; zero-sum in every step |
| ends | a winner: terminated; a guard: truncated; `infos[a]["end_reason"]` is one of `END_REASONS` |
| places | `infos[a]["rank"]`: 1 for the winner, equal players share a place; 0 before the end and without a winner |

Action mask: 1 where an action is legal. Never all zero; an agent that cannot choose now has NOOP only. An illegal
action does not raise: the lowest-numbered legal one is taken in its place and `infos[a]["action_rejected"]` is True.

Version history: v0, the first.
"""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from spit_env.batch import Batch, LatencySpec, Recall, check_seed, make_seeds
from spit_env.errors import GameOver, GamePaused
from spit_env.game_type import GameType
from spit_env.replay import Recorder
from spit_env.reward import TAU_S, Shaping, ranks
from spit_env.ruleset import Rules, nearest
from spit_env.saves import load_game, save_game
from spit_env.state import END_REASONS, MAX_ROUNDS, OVER

Stepping = Literal["tick", "decision"]
RENDER_MODES = ("ansi", "rgb_array")
AgentID = str
Obs = dict[str, npt.NDArray[np.int8]]


def seat_space(game: GameType) -> gymnasium.spaces.Dict:
    """What one seat observes: the fields of the observation table as a flat ``int8`` array, and the action mask."""
    low, high = game.observation.bounds()
    return gymnasium.spaces.Dict(
        observation=gymnasium.spaces.Box(low, high, dtype=np.int8),
        action_mask=gymnasium.spaces.Box(0, 1, (game.actions,), np.int8),
    )


def tick_of(stepping: Stepping, tick_ms: int) -> int | None:
    """What a `Batch` takes as ``tick_ms``.

    Raises:
        ValueError: for an unknown way of stepping.
    """
    if stepping not in ("tick", "decision"):
        raise ValueError(f"stepping={stepping!r} is unknown; one of 'tick', 'decision'")
    return tick_ms if stepping == "tick" else None


def board_option(options: Mapping[str, Any] | None) -> str | None:
    """The board that a reset was given, if any.

    Other keys are left to wrappers and conformance kits, which pass their own.

    Raises:
        ValueError: for a key that is a slip of "board".
    """
    for key in options or {}:
        if key != "board" and nearest(key, {"board": None}):
            raise ValueError(f"unknown reset option {key!r}; known: 'board'")
    return (options or {}).get("board")


class SpitEnv(ParallelEnv[AgentID, Obs, int]):
    """Two to four players, one table, no turns.

    Args:
        rules: a preset's name (`spit_env.PRESETS`), a `Rules` record or a mapping of changes; it says which game.
        latency: how fast the players are: one for all, or one for each.
        recall: "perfect": observations tell all that follows from what was seen; "none": what is visible now.
        stepping: "tick": a step is `tick_ms`; "decision": a step leads to the next moment at which a player may choose.
        tick_ms: the length of a tick.
        wait_ms: in decision stepping, how long NOOP waits if nothing visible happens.
        shaping: None, or the name of a potential added to the rewards (`spit_env.reward`).
        tau_s: time constant of the shaping's discount, in seconds.
        render_mode: "ansi", "rgb_array" or None.
        record: keep a replay of each game, for `save_replay`; steps take several times as long.

    Raises:
        ValueError: for an argument that is unknown or out of range; the message says what is allowed.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "spit_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": True,
        "render_fps": 20,
    }

    def __init__(
        self,
        rules: str | Rules | Mapping[str, Any] = "emma",
        latency: LatencySpec | Sequence[LatencySpec] = "emma:hard",
        *,
        recall: Recall = "perfect",
        stepping: Stepping = "tick",
        tick_ms: int = 50,
        wait_ms: int = 100,
        shaping: str | None = None,
        tau_s: float = TAU_S,
        render_mode: str | None = None,
        record: bool = False,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode={render_mode!r} is unknown; one of {', '.join(RENDER_MODES)}, or None")
        self.batch = Batch(
            1, rules, latency, recall=recall, tick_ms=tick_of(stepping, tick_ms), wait_ms=wait_ms,
        )  # fmt: skip
        self.stepping, self.render_mode, self.record = stepping, render_mode, record
        self._recorder: Recorder | None = None
        game = self.batch.game
        self.shaping = Shaping(shaping, game, tau_s)
        self.table = game.observation
        self.action_names = game.action_names
        self.possible_agents = [f"player_{p}" for p in range(game.seats)]
        self.agents: list[AgentID] = []
        self._action_spaces = {a: gymnasium.spaces.Discrete(game.actions) for a in self.possible_agents}
        self._observation_spaces = dict.fromkeys(self.possible_agents, seat_space(game))
        self._seed = int(np.random.SeedSequence().entropy) & (2**63 - 1)  # type: ignore[arg-type]
        self._episode = 0

    @property
    def unwrapped(self) -> "SpitEnv":
        """This environment."""
        return self

    def observation_space(self, agent: AgentID) -> gymnasium.spaces.Space[Any]:
        """The same object at every call, as PettingZoo asks."""
        return self._observation_spaces[agent]

    def action_space(self, agent: AgentID) -> gymnasium.spaces.Space[Any]:
        """The same object at every call, as PettingZoo asks."""
        return self._action_spaces[agent]

    @property
    def game(self) -> Any:
        """The state record: everything, hidden cards included. For debugging and tests, never for agents."""
        return self.batch.games[0]

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[AgentID, Obs], dict[AgentID, dict[str, Any]]]:
        """Begin a new game.

        Without a seed the next game of the run that the last seed began; ``options={"board": text}`` begins from a
        board in text form (`spit_env.parse_board`) instead of a deal.

        Raises:
            ValueError: for a bad seed, board or option.
        """
        board = board_option(options)
        if seed is not None:
            self._seed, self._episode = check_seed(seed), 0
        game_seed = make_seeds(self._seed, 1, self._episode)
        self._episode += 1
        boards = None
        if board is not None:
            boards = np.array([self.batch.game.parse_board(board, self.batch.rules, int(game_seed[0]))])
        self.batch.reset(game_seed, boards=boards)
        self._recorder = Recorder(self.batch, board) if self.record else None
        self.agents = list(self.possible_agents)
        self._illegal = np.zeros(self.batch.game.seats, np.int64)
        return self._observe(), self._infos(0)

    def step(
        self, actions: Mapping[AgentID, int]
    ) -> tuple[
        dict[AgentID, Obs],
        dict[AgentID, float],
        dict[AgentID, bool],
        dict[AgentID, bool],
        dict[AgentID, dict[str, Any]],
    ]:
        """Apply the players' actions and let time pass.

        Raises:
            GameOver: if the game has ended or was never begun: call `reset`.
            ValueError: if an agent's action is missing.
        """
        if not self.agents:
            raise GameOver("the game is over (or was never begun): call reset()")
        missing = [a for a in self.agents if a not in actions]
        if missing:
            raise ValueError(f"no action for {', '.join(missing)}; a player who cannot choose sends 0 (NOOP)")
        row = np.array([[int(actions[a]) for a in self.agents]], np.int64)
        if self.batch.state["paused"][0]:
            raise GamePaused("the game is paused: call resume() when the players are ready")
        before, since = self.shaping.potential(self.batch.state), int(self.batch.time[0])
        (self._recorder or self.batch).step(row, everyone=True)
        elapsed = int(self.batch.time[0]) - since
        over = bool(self.batch.phase[0] == OVER)
        rewards = self.shaping.reward(self.batch.state, before, np.array([elapsed]))[0]
        truncated = bool(over and self.batch.state["end_reason"][0] >= MAX_ROUNDS)
        agents = self.agents
        results = (
            self._observe(),
            dict(zip(agents, map(float, rewards), strict=True)),
            dict.fromkeys(agents, over and not truncated),
            dict.fromkeys(agents, truncated),
            self._infos(elapsed),
        )
        if over:
            self.agents = []
        return results

    def _observe(self) -> dict[AgentID, Obs]:
        flat, masks = self.batch.flat[0], self.batch.masks[0]
        return {a: {"observation": flat[p].copy(), "action_mask": masks[p].copy()} for p, a in enumerate(self.agents)}

    def _infos(self, elapsed: int) -> dict[AgentID, dict[str, Any]]:
        illegal = self.batch.illegal[0].copy()
        rejected, self._illegal = illegal > self._illegal, illegal
        time, reason = int(self.batch.time[0]), END_REASONS[self.batch.state["end_reason"][0]]
        rank = ranks(self.batch.game, self.batch.state)[0] if reason else np.zeros(self.batch.game.seats, np.int64)
        return {
            a: {
                "action_mask": self.batch.masks[0, p].copy(),
                "action_rejected": bool(rejected[p]),
                "asked": bool(self.batch.asked[0, p]),
                "time_ms": time,
                "elapsed_ms": elapsed,
                "end_reason": reason,
                "rank": int(rank[p]),
            }
            for p, a in enumerate(self.agents)
        }

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The table as text, or as an image of shape (height, width, 3)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode; pass render_mode='ansi' or 'rgb_array'")
            return None
        game = self.batch.game
        return game.ansi(self.game) if self.render_mode == "ansi" else game.rgb_array(self.game)

    def state(self) -> npt.NDArray[np.int8]:
        """All seats' observations, one after the other."""
        return np.array(self.batch.flat[0].reshape(-1))

    def save_replay(self, path: str | PathLike[str]) -> None:
        """Write the replay of the game so far (`spit_env.replay`).

        Raises:
            ValueError: if the environment does not record, or the game was not begun here.
        """
        if self._recorder is None:
            raise ValueError("nothing was recorded: make the environment with record=True, then reset()")
        self._recorder.save(path)

    def save_game(self) -> str:
        """The game as it is, all timers included, as text for `load_game`."""
        return save_game(self.game, self.batch.past[0])

    def load_game(self, text: str) -> tuple[dict[AgentID, Obs], dict[AgentID, dict[str, Any]]]:
        """Take up a saved game. It reopens paused (S0-34): no timer runs until `resume`.

        Raises:
            BadReplay: if the text is damaged or of another version.
        """
        record, past = load_game(text)
        self.batch.restore(record, past)
        self._recorder = None
        self.agents = [] if self.game.phase == OVER else list(self.possible_agents)
        self._illegal = self.game.illegal.copy()
        return self._observe(), self._infos(0)

    def resume(self) -> None:
        """Let the clock of a restored game run."""
        self.game.paused = 0

    def close(self) -> None:
        """Nothing to free: there is no window and no process."""


def parallel_env(**kwargs: Any) -> SpitEnv:
    """A `SpitEnv`; arguments as there."""
    return SpitEnv(**kwargs)


def env(**kwargs: Any) -> AECEnv[AgentID, Any, Any]:
    """The same game through PettingZoo's agent-by-agent API, by PettingZoo's own conversion."""
    return parallel_to_aec(SpitEnv(**kwargs))  # type: ignore[arg-type]  # wants Optional actions
