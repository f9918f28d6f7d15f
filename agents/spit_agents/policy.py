"""A trained net as a bot: arrays and a manifest in one ``.npz``, run with numpy alone, no torch and no pickle."""

import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from spit_agents.base import Actions
from spit_agents.errors import BadPlayer
from spit_agents.features import encoder_of
from spit_agents.fits import COMMON, rule_of
from spit_env.game_type import GameType
from spit_env.games import game_named
from spit_env.ruleset import Rules

FORMAT = "spit-policy"
VERSION = 2
# What reading a file that is not a policy can raise.
DAMAGE = (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zlib.error, zipfile.BadZipFile)

# Actions that lead to the same have the same logit but for rounding, which depends on what else is in a batch.
TIE = 1e-5
Weights = Mapping[str, npt.NDArray[np.float32]]


class PolicyAgent:
    """A net as `spit_train.net.Net` trains it; plays the candidate with the highest logit.

    Args:
        weights: arrays by the names that they have in the net; weights of shape (out, in).
        game: what it plays; it has an encoder.
        waits: whether it may choose NOOP where it could act.
        temperature: 0 for argmax, else actions are sampled from softmax(logits / temperature).
        rule: what fits what (`spit_agents.fits`).

    Raises:
        ValueError: if weights are missing or do not fit together.
    """

    def __init__(
        self, weights: Weights, game: GameType, *, waits: bool = False, temperature: float = 0.0, rule: int = COMMON
    ) -> None:
        self.weights, self.game, self.encoder = dict(weights), game, encoder_of(game)
        self.waits, self.temperature, self.rule = waits, temperature, rule
        self._layers = [
            self._layer(f"trunk.{2 * k}") for k in range(sum(name.startswith("trunk.") for name in weights) // 2)
        ]
        self._logit = self._layer("logit")
        if self.encoder.candidate_features:
            self._context, self._described = self._layer("context"), self.weights["described.weight"].T
        self._check()

    def _layer(self, name: str) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        return np.ascontiguousarray(self.weights[f"{name}.weight"].T), self.weights[f"{name}.bias"]

    def _check(self) -> None:
        logits = self._forward(np.zeros((1, self.encoder.size), np.float32))
        if logits.shape != (1, self.encoder.candidates):
            raise ValueError(f"the net gives {logits.shape[1]} logits, not {self.encoder.candidates}")

    def for_rules(self, rules: Rules) -> "PolicyAgent":
        """The same net, told what fits what. See `spit_agents.base.informed`."""
        return PolicyAgent(self.weights, self.game, waits=self.waits, temperature=self.temperature, rule=rule_of(rules))

    def logits(self, views: Any, masks: npt.NDArray[np.int8]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]]:
        """Logits of the candidates, -inf where there is none, and which actions they are; shapes (rows, candidates).

        Raises:
            BadPlayer: if the views are of another game, or for another number of players.
        """
        if views.dtype != self.game.observation.dtype:
            known = f"{self.game.name} with {self.game.seats} players"
            raise BadPlayer(f"this policy plays {known}, not what it was shown: choose rules of its game")
        x, candidates = self.encoder.encode(views, masks, self.waits, self.rule)
        return np.where(candidates >= 0, self._forward(x), np.float32(-np.inf)), candidates

    def _forward(self, x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        encoder, latent = self.encoder, x[:, : self.encoder.features]
        for weight, bias in self._layers:
            latent = np.maximum(latent @ weight + bias, 0.0)
        if encoder.candidate_features:
            weight, bias = self._context
            described = x[:, encoder.features :].reshape(-1, encoder.candidates, encoder.candidate_features)
            latent = np.maximum(described @ self._described + (latent @ weight + bias)[:, None], 0.0)
        weight, bias = self._logit
        return np.asarray((latent @ weight + bias).reshape(len(x), -1))

    def act(self, views: Any, masks: npt.NDArray[np.int8], draws: npt.NDArray[np.uint32]) -> Actions:
        """The best candidate of each row, of equal ones the first, or a sampled one."""
        logits, candidates = self.logits(views, masks)
        if self.temperature > 0:
            z = np.exp((logits - logits.max(axis=1, keepdims=True)) / self.temperature)
            target = (draws[:, None] / 2**32) * z.sum(axis=1, keepdims=True)
            best = (z.cumsum(axis=1) <= target).sum(axis=1)
        else:
            best = (logits >= logits.max(axis=1, keepdims=True) - TIE).argmax(axis=1)
        return np.asarray(candidates[np.arange(len(best)), best], np.int64)


def wanted(game: GameType) -> dict[str, Any]:
    """What the manifest of a policy file for this game must say."""
    known = {"format": FORMAT, "version": VERSION, "game": game.name, "seats": game.seats}
    encoder = encoder_of(game)
    return known | {"features": encoder.size, "candidates": encoder.candidates, "actions": game.actions}


def save_policy(path: Path, agent: PolicyAgent, manifest: dict[str, Any]) -> None:
    """Write a policy file, whole or not at all."""
    head = wanted(agent.game) | {"waits": agent.waits}
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        text = np.frombuffer(json.dumps(head | manifest).encode(), np.uint8)
        np.savez(file, manifest=text, **cast("Mapping[str, Any]", agent.weights))
    part.replace(path)


def load_policy(path: str | Path, temperature: float = 0.0) -> PolicyAgent:
    """Read a policy file.

    Raises:
        BadPlayer: if there is no such file, or it is damaged, pickled or made for other features or actions.
    """
    try:
        with Path(path).open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            head = json.loads(file["manifest"].tobytes())
            weights = {name: file[name] for name in file.files if name != "manifest"}
    except DAMAGE as error:
        raise BadPlayer(f"policy:{path} cannot be read as a policy file: {error}") from None
    game = check_manifest(path, head)
    try:
        return PolicyAgent(weights, game, waits=bool(head["waits"]), temperature=temperature)
    except (KeyError, ValueError, IndexError) as error:
        raise BadPlayer(f"policy:{path} is damaged: its layers do not fit together ({error})") from None


def check_manifest(path: str | Path, head: Any) -> GameType:
    """The game that a policy file with this manifest plays.

    Raises:
        BadPlayer: if it is for another version, or a game that this one has not.
    """
    if not isinstance(head, dict) or head.get("format") != FORMAT or head.get("version") != VERSION:
        raise BadPlayer(f"policy:{path} cannot be read as a policy file: it is not a {FORMAT} of version {VERSION}")
    name, seats = str(head.get("game")), head.get("seats")
    game = game_named(name, seats) if isinstance(seats, int) else None
    if game is None:
        raise BadPlayer(f"policy:{path} plays {name} with {seats} players; this version of Spit has no such game")
    for key, value in wanted(game).items():
        if head.get(key) != value:
            raise BadPlayer(f"policy:{path} has {key} {head.get(key)!r}; this version of Spit wants {value!r}")
    return game
