"""California Speed's state record and its action numbers (docs/california.md)."""

from typing import Any

import numpy as np

from spit_env.california.rules import CaliforniaRules
from spit_env.ruleset import Rules
from spit_env.state import DIRTY_GAME, core_fields

SEATS = 2
STACKS = 4
CARDS = 52
NO_TOP = -1

# Actions (docs/california.md)
FIRST_COVER = 1
ACTIONS = FIRST_COVER + SEATS * STACKS

# What of an observation is stale, besides the core's bits.
DIRTY_PACK = DIRTY_GAME  # shifted by the seat
DIRTY_STACK = DIRTY_PACK << SEATS  # shifted by STACKS * seat + stack: the place, or whether it is coverable

STATE: np.dtype[Any] = np.dtype(
    core_fields(SEATS)
    + [
        ("pack", "i1", (SEATS, CARDS)),  # bottom to top
        ("pack_n", "i1", (SEATS,)),
        ("stack", "i1", (SEATS, STACKS, CARDS)),  # bottom to top, all face up
        ("height", "i1", (SEATS, STACKS)),
        ("top", "i1", (SEATS, STACKS)),  # rank of the top, else NO_TOP
        ("coverable", "i1", (SEATS, STACKS)),
        ("seen", "i1", (CARDS,)),  # has been face up in this game: everybody knows where it is
        ("unseen", "i1", (13,)),  # cards of a rank that have never been
        ("doubles", "i1"), ("empty_pack", "i1"),
    ],
    align=True,
)  # fmt: skip


def blank(rules: Rules) -> np.void:
    """A state record that holds the rules and nothing else."""
    assert isinstance(rules, CaliforniaRules)
    record = np.zeros(1, STATE)
    for name, value in rules.code().items():
        if name in STATE.names:  # type: ignore[operator]
            record[name] = value
    record["label"] = np.arange(SEATS)
    for name in ("winner", "chooser", "card", "look", "top"):
        record[name] = -1
    return record[0]  # type: ignore[no-any-return]
