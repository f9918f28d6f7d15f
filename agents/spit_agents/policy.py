"""A trained net as a bot: arrays and a manifest in one ``.npz``, run with numpy alone, no torch and no pickle."""

import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from spit_agents.base import Actions
from spit_agents.errors import BadPlayer
from spit_agents.features import encoder_of
from spit_env.game_type import GameType
from spit_env.games import game_named
from spit_env.state import NOOP

FORMAT = "spit-policy"
VERSION = 1
# What reading a file that is not a policy can raise.
DAMAGE = (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zlib.error, zipfile.BadZipFile)


class PolicyAgent:
    """A net of ReLU layers and one linear head of logits; plays the legal action with the highest.

    Args:
        layers: (weight, bias) pairs, weights of shape (out, in); the last is the head.
        game: what it plays; it has an encoder.
        waits: whether it may choose NOOP where it could act.
        temperature: 0 for argmax, else actions are sampled from softmax(logits / temperature).
    """

    def __init__(
        self,
        layers: list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]],
        game: GameType,
        *,
        waits: bool = False,
        temperature: float = 0.0,
    ) -> None:
        self.layers = [(np.ascontiguousarray(w.T), b) for w, b in layers]
        self.game, self.encoder = game, encoder_of(game)
        self.waits, self.temperature = waits, temperature

    def logits(self, views: Any, masks: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
        """Logits with -inf where an action may not be chosen, shape (rows, actions).

        Raises:
            BadPlayer: if the views are of another game, or for another number of players.
        """
        if views.dtype != self.game.observation.dtype:
            known = f"{self.game.name} with {self.game.seats} players"
            raise BadPlayer(f"this policy plays {known}, not what it was shown: choose rules of its game")
        x = self.encoder.encode(views)
        for weight, bias in self.layers[:-1]:
            x = np.maximum(x @ weight + bias, 0.0)
        weight, bias = self.layers[-1]
        allowed = masks != 0
        if not self.waits:
            allowed[:, NOOP] &= ~allowed[:, 1:].any(axis=1)
        return np.where(allowed, x @ weight + bias, np.float32(-np.inf))

    def act(self, views: Any, masks: npt.NDArray[np.int8], draws: npt.NDArray[np.uint32]) -> Actions:
        """The best legal action of each row, or a sampled one."""
        logits = self.logits(views, masks)
        if self.temperature > 0:
            z = np.exp((logits - logits.max(axis=1, keepdims=True)) / self.temperature)
            target = (draws[:, None] / 2**32) * z.sum(axis=1, keepdims=True)
            return np.asarray((z.cumsum(axis=1) <= target).sum(axis=1), np.int64)
        return np.asarray(logits.argmax(axis=1), np.int64)


def wanted(game: GameType) -> dict[str, Any]:
    """What the manifest of a policy file for this game must say."""
    known = {"format": FORMAT, "version": VERSION, "game": game.name, "seats": game.seats}
    return known | {"features": encoder_of(game).size, "actions": game.actions}


def save_policy(path: Path, agent: PolicyAgent, manifest: dict[str, Any]) -> None:
    """Write a policy file, whole or not at all."""
    head = wanted(agent.game) | {"waits": agent.waits}
    arrays: dict[str, Any] = {}
    for k, (weight, bias) in enumerate(agent.layers):
        arrays |= {f"w{k}": weight.T, f"b{k}": bias}
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(file, manifest=np.frombuffer(json.dumps(head | manifest).encode(), np.uint8), **arrays)
    part.replace(path)


def load_policy(path: str | Path, temperature: float = 0.0) -> PolicyAgent:
    """Read a policy file.

    Raises:
        BadPlayer: if there is no such file, or it is damaged, pickled or made for other features or actions.
    """
    try:
        with Path(path).open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            head = json.loads(file["manifest"].tobytes())
            count = sum(name.startswith("w") for name in file.files)
            layers = [(file[f"w{k}"], file[f"b{k}"]) for k in range(count)]
    except DAMAGE as error:
        raise BadPlayer(f"policy:{path} cannot be read as a policy file: {error}") from None
    game = check_manifest(path, head)
    sizes = [encoder_of(game).size, *(len(bias) for _, bias in layers)]
    shapes = [*zip(sizes[1:], sizes, strict=False)]
    if not layers or sizes[-1] != game.actions or [weight.shape for weight, _ in layers] != shapes:
        raise BadPlayer(f"policy:{path} is damaged: its layers do not fit together")
    return PolicyAgent(layers, game, waits=bool(head["waits"]), temperature=temperature)


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
