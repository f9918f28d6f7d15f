"""How encoders write: one number after the other into a row, ranks as a frame has them.

A frame takes out what is the same but for names: ranks are counted from a reference, in the direction of a sign. Where
king and ace are neighbours this makes the 13-fold rotation and the reflection of the ranks exact.
"""

from typing import Any

from spit_env.cards import RANKS
from spit_env.jit import kernel

SLOTS = RANKS + 1  # one-hot of a relative rank, and one place for "none or not known"


@kernel
def relative(rank: int, reference: int, sign: int) -> int:
    """A rank (1..13) as 0..12 from a reference (0..12); `RANKS` if it is 0."""
    return RANKS if rank == 0 else ((int(rank) - 1 - reference) * sign) % RANKS


@kernel
def one_hot(out: Any, at: int, rank: int, reference: int, sign: int = 1) -> int:
    """A rank (1..13, 0: none) in a frame as 14 numbers; returns the next free place."""
    for k in range(SLOTS):
        out[at + k] = 0.0
    out[at + relative(rank, reference, sign)] = 1.0
    return at + SLOTS


@kernel
def fit(a: int, b: int) -> float:
    """1 if two ranks (1..13, 0: none) follow each other."""
    d = (a - b) % RANKS
    return 1.0 if a > 0 and b > 0 and (d == 1 or d == RANKS - 1) else 0.0


@kernel
def number(out: Any, at: int, value: float) -> int:
    """One plain number; returns the next free place."""
    out[at] = value
    return at + 1
