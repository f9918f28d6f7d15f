"""Emma as data: her weights for one game in a JSON file, with the knobs and the speed of the player if it has some.

    {"format": "spit-emma", "version": 1, "game": "spit", "weights": {"play": 100, ...}, "recall": 1.0, "slips": 0.0,
     "latency": {"think": [750, 0.35, 0], ...}}

``weights`` names every weight of the game's table, in whole numbers; ``latency`` is what `Latency.to_dict` gives. The
last three may be left out. ``policy:FILE.json`` is the same player again.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy.typing as npt

from spit_agents.base import Actions, Agent, brain_for
from spit_agents.emma import BRAINS, Emma, Weights
from spit_agents.emma_california import CaliforniaWeights
from spit_agents.emma_speed import SpeedWeights
from spit_agents.emma_spit import SpitWeights
from spit_agents.errors import BadPlayer
from spit_agents.fallible import Fallible, with_knobs
from spit_env.errors import BadLatency
from spit_env.latency import Latency, make_latency
from spit_env.ruleset import nearest

FORMAT, VERSION = "spit-emma", 1
# For each game's name: her table of weights.
TABLES: Mapping[str, type[Weights]] = {
    "spit": SpitWeights, "speed": SpeedWeights, "california_speed": CaliforniaWeights,
}  # fmt: skip
LARGEST = 10**6  # of a weight, so that no sum overflows
KNOBS = ("recall", "slips")
NEEDED, LEFT_OUT = ("format", "version", "game", "weights"), (*KNOBS, "latency")


class EmmaOf(Emma):
    """Emma with a table of her own for one game, who plays no other."""

    def act(self, views: Any, masks: npt.NDArray[Any], draws: npt.NDArray[Any]) -> Actions:
        """See `Emma.act`.

        Raises:
            BadPlayer: for views of another game.
        """
        if not isinstance(self.weights, type(brain_for(BRAINS, views).weights)):
            game = next(game for game, table in TABLES.items() if isinstance(self.weights, table))
            raise BadPlayer(f"this Emma has weights for {game} only: choose rules of that game")
        return super().act(views, masks, draws)


class Loaded(NamedTuple):
    """What a file holds."""

    agent: Agent
    latency: Latency | None


def save_emma(path: str | os.PathLike[str], agent: Agent, game: str, latency: Latency | None = None) -> None:
    """Write Emma's weights for a game, her knobs and her speed, the file whole or not at all.

    Args:
        agent: an `Emma`, perhaps in a `Fallible`.
        game: a game's name, one of `TABLES`; where ``agent`` has no weights of her own for it, stock ones are written.
        latency: her speed; None: as fast as whoever she plays.

    Raises:
        BadPlayer: for another bot or an unknown game.
        OSError: if the file cannot be written.
    """
    knobs = {"recall": agent.recall, "slips": agent.slips} if isinstance(agent, Fallible) else {}
    emma = agent.agent if isinstance(agent, Fallible) else agent
    if not isinstance(emma, Emma):
        raise BadPlayer(f"only Emma has weights to write, not {type(emma).__name__}")
    table = _table(game)
    weights = emma.weights if isinstance(emma.weights, table) else table()
    data = {"format": FORMAT, "version": VERSION, "game": game, "weights": weights._asdict(), **knobs}
    if latency is not None:
        data["latency"] = latency.to_dict()
    path = Path(path)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def load_emma(path: str | os.PathLike[str]) -> Loaded:
    """Read such a file.

    Raises:
        BadPlayer: if there is none, or it says something that is not in its form; one line says what would be right.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        return _read(data)
    except (OSError, ValueError) as error:
        raise BadPlayer(f"policy:{path} cannot be read as weights of Emma: {error}") from None


def _read(data: Any) -> Loaded:
    """The player that a file's data describes.

    Raises:
        BadPlayer, BadLatency: if they are not in the form.
    """
    if not isinstance(data, dict) or (data.get("format"), data.get("version")) != (FORMAT, VERSION):
        raise BadPlayer(f"it is not a {FORMAT} of version {VERSION}")
    _check_keys("key", data, NEEDED, LEFT_OUT)
    agent: Agent = EmmaOf(read_weights(str(data["game"]), data["weights"]))
    agent = with_knobs(agent, *(_number(name, data[name]) if name in data else None for name in KNOBS))
    latency = data.get("latency")
    if "latency" in data and not isinstance(latency, dict):
        raise BadLatency(f"latency={latency!r} must be times by their kinds, as Latency.to_dict gives them")
    return Loaded(agent, None if latency is None else make_latency(latency))


def read_weights(game: str, values: Any) -> Weights:
    """A game's table of weights from plain data, each weight by its name.

    Raises:
        BadPlayer: for an unknown game, a weight that is unknown or missing, or a value that is not a whole number.
    """
    table = _table(game)
    if not isinstance(values, dict):
        raise BadPlayer(f"weights={values!r} must be the weights by their names")
    _check_keys("weight", values, table._fields, ())
    for name, value in values.items():
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) > LARGEST:
            raise BadPlayer(f"weight {name}={value!r} must be a whole number from {-LARGEST} to {LARGEST}")
    return table(**values)


def _table(game: str) -> type[Weights]:
    if game not in TABLES:
        raise BadPlayer(f"unknown game {game!r}{nearest(game, TABLES)}; known: {', '.join(TABLES)}")
    return TABLES[game]


def _check_keys(what: str, values: Mapping[str, Any], needed: tuple[str, ...], left_out: tuple[str, ...]) -> None:
    """Make sure that everything is there, and nothing else."""
    for name in values:
        if name not in needed + left_out:
            raise BadPlayer(f"unknown {what} {name!r}{nearest(name, needed + left_out)}; known: {', '.join(needed)}")
    for name in needed:
        if name not in values:
            raise BadPlayer(f"{what} {name!r} is missing; needed: {', '.join(needed)}")


def _number(name: str, value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise BadPlayer(f"{name}={value!r} must be a number from 0 to 1")
    return float(value)
