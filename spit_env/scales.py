"""The units in which every game's observation tells times, and what it tells of the clock and the players' speeds."""

from typing import Any

from spit_env.draws import BITS
from spit_env.jit import kernel
from spit_env.latency import THINK as THINK_TIME
from spit_env.latency import TYPICAL_CHOICE
from spit_env.phases import seat_after
from spit_env.state import OPEN, RACE, RETURN, THINK, TRAVEL, Game

TIME_UNIT_MS = 20
IDLE_UNIT_MS = 100
PERCEPTION_UNIT_MS = 10
SPREAD_UNIT = 0.02
TOP = 127  # of an int8


@kernel
def log_ms(ms: float) -> int:
    """A time on a scale of 16 steps an octave from 16 ms: integer part of the octave, then linear within it."""
    octave = 0
    x = ms / 16.0
    while x >= 2.0 and octave < 8:
        x /= 2.0
        octave += 1
    return max(0, min(TOP, 16 * octave + int(16.0 * (x - 1.0) + 0.5)))


@kernel
def units(ms: int, unit: int) -> int:
    """A time in units, rounded up and capped."""
    return max(0, min(TOP, (ms + unit - 1) // unit))


@kernel
def observe_pace(g: Game, q: int, k: int, o: Any) -> None:
    """How fast a player is: typical times, of thinking the one with `TYPICAL_CHOICE` legal actions."""
    for kind in range(5):
        ms = g.latency[q, kind, 0] + g.latency[q, kind, 1]
        if kind == THINK_TIME:
            ms += g.hick[q] * BITS[TYPICAL_CHOICE + 1]
        o.pace[k, kind] = log_ms(ms)
        o.spread[k, kind] = min(TOP, int(g.latency[q, kind, 2] / SPREAD_UNIT + 0.5))
    o.perception[k] = min(TOP, g.perception[q] // PERCEPTION_UNIT_MS)


@kernel
def observe_clock(g: Game, v: Game, p: int, o: Any) -> None:
    """How long until the hands change state, and since the last progress: what changes with the clock alone."""
    o.left = units(g.until[p] - g.time, TIME_UNIT_MS) if g.hand[p] >= THINK and g.hand[p] != OPEN else 0
    o.idle = units(g.time - g.progress_at, IDLE_UNIT_MS)
    for k in range(g.hand.shape[0]):
        q = seat_after(g, p, k)
        w = g if k == 0 else v
        now = g.time if k == 0 or g.phase != RACE else g.time - g.perception[p]
        moving = w.hand[q] == TRAVEL or w.hand[q] == RETURN
        o.flight_left[k] = units(w.until[q] - now, TIME_UNIT_MS) if moving else 0
