"""How fast a player was: the times of a seat in recorded games, and a latency profile that is fitted to them.

A time to think runs from the moment when the hand is free and something legal is there, as the player sees it, to the
choice. How long the hand then stood open counts, also after a NOOP: whoever waits is still thinking. A time that ended
without a choice, because nothing was legal any more or the phase changed, was longer than it lasted; it is left out and
counted. A time to move is known whole when the hand sets out.

To each kind a shifted log-normal is fitted by maximum likelihood: for each shift on a grid below the least time, median
and spread of the rest have their closed form, and the likeliest shift is taken. ``hick`` is not told apart: it goes
into the spread.
"""

import datetime
import hashlib
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spit_env.errors import BadReplay
from spit_env.games import game_of_record
from spit_env.latency import CALL, FLIP, KINDS, PLAY, REARRANGE, THINK, Latency, LogNormal
from spit_env.latency_files import PROFILE_FORMAT, VERSION
from spit_env.replay import play_back
from spit_env.state import IDLE

SHIFTS = 100  # of the grid, from 0 to just below the least time
ENOUGH = 30  # times of a kind; of fewer the shift cannot be told and is 0
MOVES = (PLAY, REARRANGE, FLIP, CALL)  # the first of them that was seen stands in for those that were not

Floats = npt.NDArray[np.float64]


class BadRecording(ValueError):
    """Replays from which nobody's speed can be told."""


class Fit(NamedTuple):
    """A shifted log-normal, and how well it goes with the times that it is fitted to."""

    time: LogNormal
    samples: int
    ks: float  # Kolmogorov's distance: the greatest between the two distributions


@dataclass
class Times:
    """The times of one seat, in ms by kind (index into `KINDS`), and how many times to think ended without a choice."""

    seat: int
    ms: list[list[int]] = field(default_factory=lambda: [[] for _ in KINDS])
    cut_off: int = 0
    perception: set[int] = field(default_factory=set)

    def take(self, replay: str | os.PathLike[str]) -> None:
        """Play a replay and add its times.

        Raises:
            BadReplay: if it is damaged or none, or has no such seat.
        """
        follow = _Hand(self)
        states = play_back(replay, follow.look)
        first = next(states)
        if self.seat >= len(first["hand"]):
            raise BadReplay(f"there is no seat {self.seat}: {len(first['hand'])} play, from seat 0 on")
        self.perception.add(int(first["perception"][self.seat]))
        follow.look(first)
        for state in states:
            follow.look(state)


class _Hand:
    """Follows the hand of a seat through one game."""

    def __init__(self, times: Times) -> None:
        self.times = times
        self.thinks = self.travels = 0
        self.since: int | None = None  # when the thinking began that has not come to a choice

    def look(self, state: Any) -> None:
        """See what has changed; called after each event and each choice."""
        p, times = self.times.seat, self.times
        if state["travel_n"][p] > self.travels:
            self.travels = int(state["travel_n"][p])
            kind = game_of_record(state).latency_kind(int(state["action"][p]))
            times.ms[kind].append(int(state["travel_ms"][p]))
            if self.since is not None:
                times.ms[THINK].append(int(state["time"]) - self.since)
                self.since = None
        elif self.since is not None and (state["hand"][p] == IDLE or state["think_n"][p] > self.thinks):
            times.cut_off += 1
            self.since = None
        if state["think_n"][p] > self.thinks:
            self.thinks, self.since = int(state["think_n"][p]), int(state["time"])


def fit(ms: Sequence[int]) -> Fit:
    """The likeliest shifted log-normal for these times, at least one."""
    times = np.maximum(np.asarray(ms, np.float64), 1.0)
    shifts = np.linspace(0.0, times.min() - 1.0, SHIFTS) if len(times) >= ENOUGH else np.zeros(1)
    logs = np.log(times - shifts[:, None])
    spreads = logs.std(axis=1)
    if not spreads.all():
        return Fit(LogNormal(float(np.median(times))), len(times), 0.0)
    best = int(np.argmin(logs.mean(axis=1) + np.log(spreads)))  # minus the log-likelihood of a time, but for a constant
    time = LogNormal(
        round(math.exp(logs[best].mean()), 1), round(min(2.0, float(spreads[best])), 4), round(float(shifts[best]), 1)
    )
    return Fit(time, len(times), distance(times, time))


def distance(times: Floats, time: LogNormal) -> float:
    """Kolmogorov's distance between times, which are whole milliseconds, and a distribution."""
    values, counts = np.unique(times, return_counts=True)
    normal = NormalDist(math.log(time.median), time.sigma)
    expected = np.array([normal.cdf(math.log(v + 0.5 - time.shift)) if v + 0.5 > time.shift else 0.0 for v in values])
    share = counts.cumsum() / len(times)
    return float(max(np.abs(share - expected).max(), np.abs(share - counts / len(times) - expected).max()))


class Measured(NamedTuple):
    """A player's profile, and what it was taken from."""

    latency: Latency
    fits: dict[str, Fit]  # by kind, those that were seen
    evidence: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The file that `spit_env.make_latency` reads."""
        header = {"format": PROFILE_FORMAT, "version": VERSION, "latency": self.latency.to_dict()}
        return header | {"evidence": self.evidence}


def measure(replays: Sequence[str | os.PathLike[str]], seat: int) -> Measured:
    """The profile of whoever sat in a seat of these games. Moves of a kind that was not seen are taken to be as plays.

    Raises:
        BadReplay: if one is damaged or has no such seat; the message names it.
        BadRecording: if the player never chose, or was shown the table with different delays.
        OSError: if one cannot be read.
    """
    times = Times(seat)
    for path in replays:
        try:
            times.take(path)
        except BadReplay as error:
            raise BadReplay(f"{os.fspath(path)}: {error}") from None
    fits = {kind: fit(ms) for kind, ms in enumerate(times.ms) if ms}
    if THINK not in fits:
        raise BadRecording(f"seat {seat} has made no choice that takes time in these games")
    if len(times.perception) > 1:
        delays = " and ".join(f"{ms} ms" for ms in sorted(times.perception))
        raise BadRecording(f"seat {seat} saw the table {delays} late: measure these games apart")
    spare = next(fits[kind] for kind in MOVES if kind in fits)
    found: dict[str, Any] = {name: fits.get(kind, spare).time for kind, name in enumerate(KINDS)}
    latency = Latency(**found, perception_ms=times.perception.pop())
    named = {KINDS[kind]: each for kind, each in fits.items()}
    evidence = {
        "method": "maximum likelihood of a shifted log-normal for each kind (spit_train.measure)",
        "date": datetime.date.today().isoformat(),
        "seat": seat,
        "samples": {name: each.samples for name, each in named.items()},
        "cut_off": times.cut_off,
        "ks": {name: round(each.ks, 4) for name, each in named.items()},
        "replays": {Path(path).name: hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in replays},
    }
    return Measured(latency, named, evidence)
