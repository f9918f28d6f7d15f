"""Randomness: one counter-based stream per game and purpose.

A draw is a pure function of (seed, stream, counter), so the same seed gives the same deal and the same latency draws
whatever the policies do, and nothing has to be stored but counters. The generator is Philox4x32-10 (Salmon, Moraes,
Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011). All arithmetic is on 32-bit words held in
wider integers and gives the same result compiled and in plain Python.
"""

from math import log2
from statistics import NormalDist
from typing import Any

import numpy as np

from spit_env.jit import entry, kernel

# Streams. Those of a seat add the seat's label.
DEAL = 1  # the first deal, shuffles and cards that a board text leaves open
TIES = 2  # coins: equal landing times, equal counts
NOISE = 3  # how a player misjudges pile sizes (pile_count_visibility="noisy")
SHUFFLE = 4  # pick-ups of the presets that shuffle
THINK = 16  # + label: think times
TRAVEL = 32  # + label: travel times of every kind
CHOICES = 48  # + label: what bots draw for their own choices

_MASK = 0xFFFFFFFF
_BITS = 12
# Standard normal deviates at the midpoints of 4,096 equal slices, rounded so that every platform has the same bits.
NORMALS = np.array([round(NormalDist().inv_cdf((i + 0.5) / (1 << _BITS)) * 2**20) / 2**20 for i in range(1 << _BITS)])

# The bits of information in a choice among n things, at index n, rounded likewise.
BITS = np.array([0.0, *(round(log2(n) * 2**20) / 2**20 for n in range(1, 257))])


@entry
def philox(seed: int, stream: int, counter: int) -> tuple[int, int, int, int]:
    """Four 32-bit words for a 64-bit seed, a stream and a counter (both below 2**32)."""
    k0 = int(seed) & 0xFFFFFFFF
    k1 = (int(seed) >> 32) & 0xFFFFFFFF
    c0 = int(counter) & 0xFFFFFFFF
    c1 = int(stream) & 0xFFFFFFFF
    c2 = 0
    c3 = 0
    for _ in range(10):
        a = 0xD2511F53 * c0
        b = 0xCD9E8D57 * c2
        c0 = ((b >> 32) & 0xFFFFFFFF) ^ c1 ^ k0
        c2 = ((a >> 32) & 0xFFFFFFFF) ^ c3 ^ k1
        c1 = b & 0xFFFFFFFF
        c3 = a & 0xFFFFFFFF
        k0 = (k0 + 0x9E3779B9) & 0xFFFFFFFF
        k1 = (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c0, c1, c2, c3


@entry
def word(seed: int, stream: int, counter: int) -> int:
    """One 32-bit word."""
    return philox(seed, stream, counter)[0]


@entry
def below(drawn: int, n: int) -> int:
    """Turn a 32-bit word into an integer in [0, n)."""
    return (drawn * n) >> 32


@kernel
def shuffle(seed: int, stream: int, counter: int, cards: Any) -> int:
    """Shuffle an array in place; returns the stream's counter afterwards."""
    for i in range(cards.shape[0] - 1, 0, -1):
        j = below(word(seed, stream, counter), i + 1)
        counter += 1
        cards[i], cards[j] = cards[j], cards[i]
    return counter


@entry
def exponential(x: float) -> float:
    """e**x by squaring a short series: the same bits on every platform, exact to about 1e-13."""
    y = x / 1024.0
    r = 1.0 + y * (1.0 + y * (0.5 + y * (1.0 / 6.0 + y * (1.0 / 24.0 + y / 120.0))))
    for _ in range(10):
        r = r * r
    return r


@entry
def log_normal_ms(drawn: int, shift: float, median: float, sigma: float) -> int:
    """A shifted log-normal latency in whole milliseconds, at least 1."""
    ms = shift + median * exponential(sigma * NORMALS[drawn >> 20])
    return max(1, int(ms + 0.5))
