"""Ranks packed into one number, four bits each: a value that is cheap to change and to pass on."""

from spit_env.jit import kernel


@kernel
def rank_at(ranks: int, i: int) -> int:
    """The rank in place i."""
    return (ranks >> (4 * i)) & 15


@kernel
def put(ranks: int, i: int, rank: int) -> int:
    """The same with another rank in place i."""
    return (ranks & ~(15 << (4 * i))) | (rank << (4 * i))


@kernel
def count_bits(bits: int) -> int:
    """How many of the lowest 32 bits are set: first in pairs, then in fours, then in bytes."""
    bits -= (bits >> 1) & 0x55555555
    bits = (bits & 0x33333333) + ((bits >> 2) & 0x33333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F
    return ((bits * 0x01010101) >> 24) & 63
