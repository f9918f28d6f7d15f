"""The way to Stable-Baselines3: its `VecEnv` over an `Arena`, decision stepping, masks with the observation.

An SB3 step is one decision of the learner: it is asked only where it has a real choice. `infos[i]` of a game's last
step carries `terminal_observation`, `TimeLimit.truncated` and `episode`, as SB3 expects; the observation returned with
it is already the next game's, and `action_masks()` always belongs to the observation returned last.
"""

import time
from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv

from spit_agents.arena import Arena, Ended
from spit_agents.features import HIGHEST, LOWEST, encoder_of
from spit_agents.fits import rule_of
from spit_env.state import NOOP


class SpitVecEnv(VecEnv):
    """The learner's seats of an arena as SB3 environments.

    Observations are what the encoder of the game makes of them (`spit_agents.features`), float32, shape (size,); an
    action is the number of a candidate. The mask, which candidates there are, is not part of the observation.
    """

    def __init__(self, arena: Arena, seed: int = 0) -> None:
        self.arena = arena
        self.encoder = encoder_of(arena.batch.game)
        self.render_mode = None
        self._rule = rule_of(arena.batch.rules)
        self._nothing = np.zeros_like(arena.masks)  # the mask of a game that is over
        self._nothing[:, NOOP] = 1
        self._reset_seed = seed
        self.ended: list[Ended] = []  # since whoever reads it last emptied it
        self._returns = np.zeros(arena.size)
        self._lengths = np.zeros(arena.size, np.int64)
        self._actions = np.zeros(arena.size, np.int64)
        self._started = time.time()
        self.candidates = np.zeros((arena.size, self.encoder.candidates), np.int8)
        super().__init__(
            arena.size,
            gymnasium.spaces.Box(LOWEST, HIGHEST, (self.encoder.size,), np.float32),
            gymnasium.spaces.Discrete(self.encoder.candidates),
        )

    def reset(self) -> npt.NDArray[np.float32]:
        """Begin all games anew, from the seed given last."""
        if self._seeds[0] is not None:
            self._reset_seed = self._seeds[0]
        self.arena.reset(self._reset_seed)
        self._reset_seeds()
        self._reset_options()
        self._returns[:] = 0
        self._lengths[:] = 0
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self._encode()

    def step_async(self, actions: npt.NDArray[np.integer[Any]]) -> None:
        """Remember the actions."""
        self._actions[:] = self.candidates[np.arange(self.num_envs), actions]

    def step_wait(self) -> Any:
        """Play them; observations, rewards, dones, infos."""
        rewards, _, ended = self.arena.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        dones = np.zeros(self.num_envs, np.bool_)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if len(ended.rows):
            dones[ended.rows] = True
            self.ended.append(ended)
            finals = self._seen(self.arena.final_views[ended.rows], self._nothing[: len(ended.rows)])[0]
            for k, row in enumerate(ended.rows):
                infos[row] = {
                    "terminal_observation": finals[k],
                    "TimeLimit.truncated": bool(ended.truncated[k]),
                    "episode": {
                        "r": float(self._returns[row]), "l": int(self._lengths[row]),
                        "t": round(time.time() - self._started, 3),
                    },
                }  # fmt: skip
            self._returns[ended.rows] = 0
            self._lengths[ended.rows] = 0
        return self._encode(), rewards.astype(np.float32), dones, infos

    def _encode(self) -> npt.NDArray[np.float32]:
        observations, self.candidates = self._seen(self.arena.views, self.arena.masks)
        return np.asarray(observations)

    def _seen(self, views: Any, masks: npt.NDArray[np.int8]) -> tuple[Any, Any]:
        return self.encoder.encode(views, masks, not self.arena.forced, self._rule)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Shape (num_envs, candidates): what the learner may do in the observations returned last."""
        masks = self.candidates >= 0
        if not masks.any(axis=1).all():
            raise AssertionError("an all-zero action mask reached the bridge")
        return masks

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """SB3 asks for ``action_masks`` here; one row each."""
        if method_name != "action_masks":
            raise AttributeError(f"the environments have no method {method_name!r}; only 'action_masks'")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether the environments have it."""
        return attr_name in ("action_masks", "render_mode")

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """One value for each environment."""
        if not self.has_attr(attr_name):
            raise AttributeError(f"the environments have no attribute {attr_name!r}")
        if attr_name == "action_masks":
            return [lambda i=i: self.action_masks()[i] for i in self._get_indices(indices)]
        return [None for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """There is nothing to set."""
        raise AttributeError(f"attribute {attr_name!r} cannot be set")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No environment is."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[npt.NDArray[np.uint8] | None]:
        """None: see `spit_env.render`."""
        return [None] * self.num_envs

    def close(self) -> None:
        """Nothing to free."""

    def _get_indices(self, indices: Any) -> Iterable[int]:
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else indices
