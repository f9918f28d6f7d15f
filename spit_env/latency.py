"""How fast a player is: a shifted log-normal time for each kind of action (A-45, 4.5).

The five Emma levels differ in think and travel times only (S0-38); any brain plays at any profile.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spit_env.errors import BadLatency
from spit_env.ruleset import nearest

# Kinds of action that take time: rows of the latency table in the state record.
THINK, PLAY, REARRANGE, FLIP, CALL = range(5)
KINDS = ("think", "play", "rearrange", "flip", "call")
MAX_MS = 60_000
MAX_PERCEPTION_MS = 1_000


class LogNormal(NamedTuple):
    """A time of ``shift + median * exp(sigma * N(0, 1))`` milliseconds."""

    median: float
    sigma: float = 0.0
    shift: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """One player's times in milliseconds.

    ``think`` runs from the moment the hand is free and something is legal to the choice; the others are how long the
    hand travels: ``play`` to a pile, ``rearrange`` between own stacks, ``flip``, and ``call`` for saying "spit" and
    slapping. ``perception_ms`` shows the player the table as it was that long ago (A-46).

    Raises:
        BadLatency: for a time below 0 or above a minute, or a spread outside [0, 2].
    """

    think: LogNormal = LogNormal(750.0, 0.35)
    play: LogNormal = LogNormal(450.0, 0.2)
    rearrange: LogNormal = LogNormal(450.0, 0.2)
    flip: LogNormal = LogNormal(250.0, 0.2)
    call: LogNormal = LogNormal(450.0, 0.2)
    perception_ms: int = 0

    def __post_init__(self) -> None:
        for kind in KINDS:
            value: LogNormal = getattr(self, kind)
            if not (0 <= value.median <= MAX_MS and 0 <= value.shift <= MAX_MS and 0 <= value.sigma <= 2):
                raise BadLatency(f"{kind}={value}: median and shift must be 0 to {MAX_MS} ms, sigma 0 to 2")
        if not (isinstance(self.perception_ms, int) and 0 <= self.perception_ms <= MAX_PERCEPTION_MS):
            raise BadLatency(
                f"perception_ms={self.perception_ms!r} must be a whole number from 0 to {MAX_PERCEPTION_MS}"
            )

    @classmethod
    def of(cls, think: float, travel: float, flip: float | None = None, *, sigma: tuple[float, float] = (0.35, 0.2),
           perception_ms: int = 0) -> "Latency":  # fmt: skip
        """A profile from typical times: thinking, moving a card, flipping (default 0.55 of moving)."""
        move = LogNormal(travel, sigma[1])
        turn = LogNormal(0.55 * travel if flip is None else flip, sigma[1])
        return cls(
            think=LogNormal(think, sigma[0]), play=move, rearrange=move, flip=turn, call=move,
            perception_ms=perception_ms,
        )  # fmt: skip

    def scaled(self, factor: float) -> "Latency":
        """The same player ``factor`` times slower; spreads and perception stay."""
        slower: dict[str, Any] = {}
        for kind in KINDS:
            time: LogNormal = getattr(self, kind)
            slower[kind] = LogNormal(time.median * factor, time.sigma, time.shift * factor)
        return replace(self, **slower)

    def table(self) -> npt.NDArray[np.float64]:
        """Shape (5, 3): shift, median, sigma for each of `KINDS`."""
        rows = [getattr(self, kind) for kind in KINDS]
        return np.array([(t.shift, t.median, t.sigma) for t in rows], dtype=np.float64)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that `make_latency` reads back."""
        return {kind: list(getattr(self, kind)) for kind in KINDS} | {"perception_ms": self.perception_ms}


# Where tuning starts: typical (median) times to think, move a card and flip.
PROFILES: Mapping[str, Latency] = {
    "emma:easy": Latency.of(2200, 900, 500),
    "emma:medium": Latency.of(1300, 650, 350),
    "emma:hard": Latency.of(750, 450, 250),
    "emma:expert": Latency.of(450, 350, 200),
    "emma:impossible": Latency.of(200, 250, 120),
}
LEVELS = tuple(name.partition(":")[2] for name in PROFILES)


def make_latency(latency: "str | Latency | Mapping[str, Any]" = "emma:hard") -> Latency:
    """A profile from its name, a record, or a mapping such as `Latency.to_dict` gives.

    >>> make_latency("emma:easy").think.median
    2200

    Raises:
        BadLatency: for an unknown name, key or value.
    """
    if isinstance(latency, Latency):
        return latency
    if isinstance(latency, str):
        if latency not in PROFILES:
            raise BadLatency(f"unknown latency {latency!r}{nearest(latency, PROFILES)}; known: {', '.join(PROFILES)}")
        return PROFILES[latency]
    known = {field.name: field for field in fields(Latency)}
    values: dict[str, Any] = {}
    for key, value in latency.items():
        if key not in known:
            raise BadLatency(f"unknown latency key {key!r}{nearest(key, known)}; known: {', '.join(known)}")
        values[key] = value if key == "perception_ms" else LogNormal(*map(float, value))
    return Latency(**values)
