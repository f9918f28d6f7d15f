"""What the scripted bots of all games share: draws, and how likely a card comes first."""

from typing import Any

from spit_env.jit import kernel
from spit_env.latency import PLAY
from spit_env.scales import TIME_UNIT_MS
from spit_env.state import NOOP


@kernel
def below(draw: int, n: int) -> int:
    """A fair number from 0 to n - 1 from a 32-bit word."""
    return (draw * n) >> 32


@kernel
def next_word(draw: int) -> int:
    """The word that follows in a linear congruence, for a bot that needs more than one."""
    return (draw * 1664525 + 1013904223) & 0xFFFFFFFF


@kernel
def random_legal(mask: Any, draw: int, first: int, end: int) -> int:
    """A legal action from ``first`` up to ``end``, NOOP if there is none."""
    count = 0
    for a in range(first, end):
        count += mask[a] != 0
    k = below(draw, count)
    for a in range(first, end):
        if mask[a] != 0:
            if k == 0:
                return a
            k -= 1
    return NOOP


@kernel
def usual_ms(view: Any, k: int, kind: int) -> int:
    """The time that player k usually takes for a kind of action; the inverse of `spit_env.scales.log_ms`."""
    pace = int(view.pace[k, kind])
    return (16 + pace % 16) << (pace // 16)


@kernel
def percent_first(view: Any, k: int) -> int:
    """How likely an own card that sets out now lands before the one of player k that is in flight, in per cent."""
    return percent_before(view, int(view.flight_left[k]))


@kernel
def percent_before(view: Any, left: int) -> int:
    """The same for a card that has so many units of `TIME_UNIT_MS` to go."""
    usual = usual_ms(view, 0, PLAY)
    spread = max(1, int(view.spread[0, PLAY]))  # a slope of 0.4 / sigma, as the normal distribution has in the middle
    ahead = TIME_UNIT_MS * left - usual
    return max(0, min(100, 50 + 2000 * ahead // (usual * spread)))
