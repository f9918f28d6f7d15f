"""Experiments as data: a YAML file becomes a frozen record; a key it does not know is an error."""

from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import yaml

from spit_env.rules import make_rules
from spit_env.ruleset import nearest

SELF = "self"


class BadConfig(ValueError):
    """A config that cannot be read, with the place and what would be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speeds:
    """How fast the players of training games are: base times log-uniform between bounds, the same for both but for a
    ratio of exp(U(-edge, edge))."""

    think_ms: tuple[float, float] = (300.0, 1200.0)
    travel_ms: tuple[float, float] = (150.0, 500.0)
    edge: float = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class PPO:
    """Hyperparameters of sb3-contrib's `MaskablePPO`, in its words; a learning rate or entropy coefficient falls
    linearly to its ``final``. An update is made of ``envs`` (games at a time) times ``n_steps`` decisions."""

    envs: int = 1024
    n_steps: int = 64
    batch_size: int = 4096
    n_epochs: int = 2
    learning_rate: float = 1.5e-3
    learning_rate_final: float = 1e-5
    ent_coef: float = 0.01
    ent_coef_final: float = 0.001
    gae_lambda: float = 0.9
    clip_range: float = 0.2
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    net: tuple[int, ...] = (128, 128)  # widths of the trunk
    head: int = 64  # width of the layer that judges candidates, in games that describe them


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluate:
    """The periodic evaluation against every Emma level, the learner playing at ``latency``."""

    every: int = 500_000  # learner decisions
    games: int = 400
    latency: str = "emma:hard"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainConfig:
    """One training run."""

    name: str = "run"
    seed: int = 0
    steps: int = 5_000_000  # learner decisions in all
    minutes: float | None = None  # stop earlier after so long
    rules: str = "emma"
    recall: str = "perfect"
    # How often each is met; SELF: the learner itself, who then learns in all seats.
    opponents: Mapping[str, float] = field(default_factory=lambda: {SELF: 0.7, "emma": 0.2, "greedy": 0.1})
    shaping: str | None = "cards"
    tau_s: float = 60.0
    waits: bool = False  # whether the learner may choose NOOP where it could act
    speeds: Speeds = field(default_factory=Speeds)
    ppo: PPO = field(default_factory=PPO)
    evaluate: Evaluate = field(default_factory=Evaluate)

    def __post_init__(self) -> None:
        make_rules(self.rules)
        for where, value in (("steps", self.steps), ("ppo.envs", self.ppo.envs), ("ppo.n_steps", self.ppo.n_steps)):
            if value < 1:
                raise BadConfig(f"{where}: {value} must be 1 or more")
        if not self.opponents or any(weight <= 0 for weight in self.opponents.values()):
            raise BadConfig("opponents: give at least one, each with a weight above 0")
        whole = self.ppo.envs * self.ppo.n_steps
        if not 1 <= self.ppo.batch_size <= whole:
            raise BadConfig(f"ppo.batch_size: {self.ppo.batch_size} must be 1 to envs * n_steps = {whole}")

    def to_dict(self) -> dict[str, Any]:
        """Plain data that `parse_config` reads back."""
        return asdict(self)


def parse_config(data: Any) -> TrainConfig:
    """A record from plain data.

    Raises:
        BadConfig: for an unknown key (the nearest known one is named) or a value of the wrong kind.
    """
    config: TrainConfig = _record(TrainConfig, data, "")
    return config


def load_config(path: str | Path) -> TrainConfig:
    """A record from a YAML file.

    Raises:
        BadConfig: if the file cannot be read; else as `parse_config`.
    """
    try:
        data = yaml.safe_load(Path(path).read_text())
    except OSError as error:
        raise BadConfig(f"{path}: cannot be read: {error.strerror}") from None
    except yaml.YAMLError as error:
        raise BadConfig(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    try:
        return parse_config(data or {})
    except ValueError as error:
        raise BadConfig(f"{path}: {error}") from None


def _record(kind: type[Any], data: Any, where: str) -> Any:
    if not isinstance(data, Mapping):
        raise BadConfig(f"{where or 'the file'}: a mapping of keys is wanted, not {data!r}")
    hints = get_type_hints(kind)
    known = {f.name: f for f in fields(kind)}
    values = {}
    for key, value in data.items():
        place = f"{where}{key}"
        if key not in known:
            section = f"section {where[:-1]!r}" if where else "the top level"
            raise BadConfig(f"unknown key {key!r} in {section}{nearest(str(key), known)}; known: {', '.join(known)}")
        values[key] = _value(hints[key], value, place)
    missing = [n for n, f in known.items() if n not in values and f.default is MISSING and f.default_factory is MISSING]
    if missing:
        raise BadConfig(f"{where}{missing[0]}: is missing")
    return kind(**values)


def _value(kind: Any, value: Any, place: str) -> Any:
    if is_dataclass(kind):
        return _record(kind, value, place + ".")  # type: ignore[arg-type]
    origin, args = get_origin(kind), get_args(kind)
    if origin is tuple and isinstance(value, list | tuple):
        inner = args[0]
        if args[-1] is not Ellipsis and len(value) != len(args):
            raise BadConfig(f"{place}: {len(args)} values are wanted, not {value!r}")
        return tuple(_value(inner, item, place) for item in value)
    if origin is Mapping and isinstance(value, Mapping):
        return {str(k): _value(args[1], v, f"{place}.{k}") for k, v in value.items()}
    for option in args if args and origin not in (tuple, Mapping) else (kind,):
        if option is type(None) and value is None:
            return None
        if option is float and isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        if option in (int, str, bool) and type(value) is option:
            return value
    raise BadConfig(f"{place}: {value!r} is not {_wanted(kind)}")


def _wanted(kind: Any) -> str:
    names = {int: "a whole number", float: "a number", str: "a text", bool: "true or false", type(None): "null"}
    if get_origin(kind) is tuple:
        return "a list of numbers"
    if get_origin(kind) is Mapping:
        return "a mapping of names to numbers"
    return " or ".join(names.get(option, str(option)) for option in (get_args(kind) or (kind,)))
