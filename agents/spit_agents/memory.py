"""A worse memory: which of the cards that a view knows, though they do not lie open, a player still remembers.

A card is remembered if a number that belongs to it falls below the share of cards to remember. The number is made from
the card's rank, its place, and the round, so it stays the same as long as the card lies where it lies; whoever
remembers a larger share remembers all that the other does. Numbers are spread evenly, so that the share comes out.
Cards without a place of their own (those of a pile, those lost in a shuffle) are told apart by their number among
their like. Each game has a `forget_rows`, which blanks the other cards and counts them as unseen.
"""

from spit_env.draws import word
from spit_env.jit import kernel

MEMORY = 65  # the stream of what is remembered
ALL = 1 << 32  # a share of one
_GOLDEN = 2654435769  # 2**32 divided by the golden ratio: multiples of it, modulo 2**32, are spread evenly


@kernel
def salt_of(rounds: int) -> int:
    """What sets a round's numbers apart from another's."""
    return word(rounds, MEMORY, 0)


@kernel
def remembers(place: int, rank: int, salt: int, keep: int) -> bool:
    """Whether the card of a rank (1 to 14) in a place is among the share of ``keep``, in units of 2**-32."""
    return ((16 * place + rank) * _GOLDEN + salt) & 0xFFFFFFFF < keep


@kernel
def remembered(first: int, count: int, rank: int, salt: int, keep: int) -> int:
    """How many of ``count`` cards of one rank are remembered; their places are numbered from ``first`` on."""
    kept = 0
    for i in range(count):
        kept += remembers(first + i, rank, salt, keep)
    return kept


@kernel
def counted(counts: int, rank: int) -> int:
    """One card more of a rank; counts of all ranks are packed into one number (`spit_agents.packed`)."""
    return counts + (1 << (4 * rank))
