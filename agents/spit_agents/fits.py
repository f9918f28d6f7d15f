"""Which ranks fit each other, by the two rules that decide it: whether king and ace are neighbours, and doubles.

In California Speed nothing has to be a neighbour; there only doubles matter.
"""

import numpy as np
import numpy.typing as npt

from spit_env.cards import RANKS
from spit_env.ruleset import Rules

COMMON = 0  # king and ace are neighbours, and equal ranks do not fit


def rule_of(rules: Rules) -> int:
    """The number of what fits under these rules: 1 with doubles, and 2 more if king and ace are no neighbours."""
    return 2 * (not getattr(rules, "ace_wrap", True)) + bool(getattr(rules, "doubles", False))


def near() -> npt.NDArray[np.int64]:
    """Shape (4, 14): for each number of `rule_of` and each rank on top (0: none) the ranks that fit, as bits."""
    bits = np.zeros((4, RANKS + 1), np.int64)
    for rule in range(4):
        wraps, doubles = rule < 2, rule % 2
        for top in range(1, RANKS + 1):
            bits[rule, top] |= doubles << top
            for rank in (top - 1, top + 1):
                if wraps or 1 <= rank <= RANKS:
                    bits[rule, top] |= 1 << (rank - 1) % RANKS + 1
    return bits
