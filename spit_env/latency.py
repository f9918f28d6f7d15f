"""How fast a player is: a shifted log-normal time for each kind of action (A-45, 4.5).

The five Emma levels differ in think and travel times only (S0-38); any brain plays at any profile. The profiles
``human:...`` are *constructed from the literature, not observed players* (`Latency.human`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from importlib.resources import files
from math import log2
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spit_env.errors import BadLatency
from spit_env.latency_files import is_file, read_file, read_levels
from spit_env.ruleset import nearest

# Kinds of action that take time: rows of the latency table in the state record.
THINK, PLAY, REARRANGE, FLIP, CALL = range(5)
KINDS = ("think", "play", "rearrange", "flip", "call")
MAX_MS = 60_000
MAX_HICK_MS = 10_000
MAX_PERCEPTION_MS = 1_000
TYPICAL_CHOICE = 3  # so many legal actions are meant where one number stands for the time to think
# A card of 80 px that lies 300 px away, and one beside the hand.
CARD_PX, FAR_PX, NEAR_PX = 80, 300, 80


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
    slapping. ``hick`` adds so many ms to thinking for each bit of choice: ``hick * log2(n + 1)`` with n legal actions
    besides NOOP, on the table that the player sees when thinking begins (Hick, "On the rate of gain of information",
    Quarterly Journal of Experimental Psychology 4, 1952; Hyman, Journal of Experimental Psychology 45, 1953).
    ``perception_ms`` shows the player the table as it was that long ago (A-46).

    Raises:
        BadLatency: for a time below 0 or above a minute, a spread outside [0, 2], or more than 10 s for a bit.
    """

    think: LogNormal = LogNormal(750.0, 0.35)
    play: LogNormal = LogNormal(450.0, 0.2)
    rearrange: LogNormal = LogNormal(450.0, 0.2)
    flip: LogNormal = LogNormal(250.0, 0.2)
    call: LogNormal = LogNormal(450.0, 0.2)
    hick: float = 0.0
    perception_ms: int = 0

    def __post_init__(self) -> None:
        for kind in KINDS:
            value: LogNormal = getattr(self, kind)
            if not (0 <= value.median <= MAX_MS and 0 <= value.shift <= MAX_MS and 0 <= value.sigma <= 2):
                raise BadLatency(f"{kind}={value}: median and shift must be 0 to {MAX_MS} ms, sigma 0 to 2")
        if not (isinstance(self.hick, int | float) and 0 <= self.hick <= MAX_HICK_MS):
            raise BadLatency(f"hick={self.hick!r} must be 0 to {MAX_HICK_MS} ms per bit")
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

    @classmethod
    def human(cls, think: float, sigma: float, hick: float, throughput: float) -> "Latency":
        """A person, as the literature has people; constructed from it, not observed.

        Thinking takes 150 ms (nobody reacts sooner) and a log-normal time of median ``think`` and spread ``sigma``,
        and ``hick`` for each bit of choice. Moving follows Fitts's law as ISO 9241-9 writes it: 60 ms and
        ``ID / throughput`` s with ID = log2(D / W + 1) bit; 2.25 bit for a card (D = 300 px, W = 80 px). A flip is
        a click near the hand, which has just left or filled a stack of that row: D is the width of one card, ID 1 bit.
        MacKenzie (2015) has about 4.6 bit/s for a mouse and 7 for touch. Times are rounded to whole ms.
        """
        far, near = (
            LogNormal(round(60 + 1000 * log2(distance / CARD_PX + 1) / throughput), 0.2)
            for distance in (FAR_PX, NEAR_PX)
        )
        return cls(think=LogNormal(think, sigma, 150.0), play=far, rearrange=far, flip=near, call=far, hick=hick)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Latency":
        """A profile from plain data, such as `to_dict` gives; what is missing has its default.

        Raises:
            BadLatency: for an unknown key or an impossible value.
        """
        known = {field.name for field in fields(cls)}
        read: dict[str, Any] = {}
        for key, value in values.items():
            if key not in known:
                raise BadLatency(f"unknown latency key {key!r}{nearest(key, known)}; known: {', '.join(sorted(known))}")
            try:
                read[key] = LogNormal(*map(float, value)) if key in KINDS else value
            except (TypeError, ValueError):
                raise BadLatency(f"{key}={value!r} must be [median, sigma, shift]") from None
        return cls(**read)

    def scaled(self, factor: float) -> "Latency":
        """The same player ``factor`` times slower; spreads and perception stay."""
        slower: dict[str, Any] = {"hick": self.hick * factor}
        for kind in KINDS:
            time: LogNormal = getattr(self, kind)
            slower[kind] = LogNormal(time.median * factor, time.sigma, time.shift * factor)
        return replace(self, **slower)

    def table(self) -> npt.NDArray[np.float64]:
        """Shape (5, 4): shift, median, sigma and ms per bit of choice for each of `KINDS`."""
        rows = [(getattr(self, kind), self.hick if kind == "think" else 0.0) for kind in KINDS]
        return np.array([(t.shift, t.median, t.sigma, hick) for t, hick in rows], dtype=np.float64)

    def typical(self, kind: str) -> float:
        """The median time in ms of one of `KINDS`; of thinking the one with `TYPICAL_CHOICE` legal actions."""
        time: LogNormal = getattr(self, kind)
        return time.shift + time.median + (self.hick * log2(TYPICAL_CHOICE + 1) if kind == "think" else 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that `from_dict` reads back."""
        rest = {"hick": self.hick, "perception_ms": self.perception_ms}
        return {kind: list(getattr(self, kind)) for kind in KINDS} | rest


_STOCK = read_levels(files("spit_env").joinpath("levels.json").read_text(encoding="utf-8"), "levels.json")
LEVELS = tuple(_STOCK)
# Median, spread and ms per bit of thinking; bit/s of moving.
HUMANS: Mapping[str, tuple[float, float, float, float]] = {
    "novice": (450, 0.50, 150, 4.0),
    "casual": (300, 0.45, 80, 4.6),
    "good": (200, 0.40, 50, 6.0),
    "expert": (130, 0.35, 30, 7.0),
}
PROFILES: Mapping[str, Latency] = {f"emma:{level}": Latency.from_dict(values) for level, values in _STOCK.items()} | {
    f"human:{name}": Latency.human(*numbers) for name, numbers in HUMANS.items()
}


def make_latency(latency: "str | Latency | Mapping[str, Any]" = "emma:hard") -> Latency:
    """A profile from its name, a record, a mapping such as `Latency.to_dict` gives, or a file.

    A file is named by its path, ``me.json``, and a level in it by ``levels.json:easy`` (`spit_env.latency_files`).

    >>> make_latency({"think": [900, 0.35, 50]}).typical("think")
    950.0

    Raises:
        BadLatency: for an unknown name, key, value or level, or a file that cannot be read.
    """
    if isinstance(latency, Latency):
        return latency
    if not isinstance(latency, str):
        return Latency.from_dict(latency)
    if latency in PROFILES:
        return PROFILES[latency]
    if not is_file(latency):
        known = f"{', '.join(PROFILES)}, or a file, FILE.json or FILE.json:LEVEL"
        raise BadLatency(f"unknown latency {latency!r}{nearest(latency, PROFILES)}; known: {known}")
    try:
        return Latency.from_dict(read_file(latency))
    except BadLatency as error:
        raise BadLatency(f"{latency}: {error}") from None
