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
    """How many bits are set."""
    n = 0
    while bits:
        n += 1
        bits &= bits - 1
    return n
