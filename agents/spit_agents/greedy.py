"""The bot that always does something, and never looks ahead: flip, else play, else rearrange."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spit_agents.base import Actions
from spit_agents.eye import below, pick_by_eye, uncovers
from spit_env.jit import entry, kernel
from spit_env.spit.moves import source_of
from spit_env.spit.state import FIRST_FLIP, FIRST_MOVE, FIRST_PICK, FIRST_PLAY, SPIT
from spit_env.state import NOOP


class Greedy:
    """Flips first; else plays at random; else rearranges so that a card is uncovered; else whatever is left.

    Takes the smaller pile by eye. Never waits when it can act.
    """

    def act(self, views: Any, masks: npt.NDArray[np.int8], draws: npt.NDArray[np.uint32]) -> Actions:
        """See `spit_agents.base.Agent`; shapes (rows,), (rows, actions), (rows,) to (rows,)."""
        actions = np.empty(len(masks), np.int64)
        choose_greedily(views, masks, draws, actions)
        return actions


@entry
def choose_greedily(views: Any, masks: Any, draws: Any, actions: Any) -> None:
    """One action for each row."""
    for row in range(actions.shape[0]):
        actions[row] = greedy_action(views[row], masks[row], int(draws[row]))


@kernel
def greedy_action(view: Any, mask: Any, draw: int) -> int:
    """The first kind of action that is legal, and which one of that kind by the draw."""
    if mask[FIRST_PICK] != 0 or mask[FIRST_PICK + 1] != 0:
        return pick_by_eye(view, draw)
    for first, end in ((FIRST_FLIP, FIRST_MOVE), (FIRST_PLAY, FIRST_FLIP)):
        action = random_legal(view, mask, draw, first, end, False)
        if action != NOOP:
            return action
    action = random_legal(view, mask, draw, FIRST_MOVE, SPIT, True)
    if action != NOOP:
        return action
    return SPIT if mask[SPIT] != 0 else random_legal(view, mask, draw, FIRST_MOVE, SPIT, False)


@kernel
def random_legal(view: Any, mask: Any, draw: int, first: int, end: int, uncovering: bool) -> int:
    """A legal action from ``first`` up to ``end``, perhaps only one that uncovers a card; NOOP if there is none."""
    count = 0
    for a in range(first, end):
        count += mask[a] != 0 and (not uncovering or uncovers(view, source_of(a)))
    k = below(draw, count)
    for a in range(first, end):
        if mask[a] != 0 and (not uncovering or uncovers(view, source_of(a))):
            if k == 0:
                return a
            k -= 1
    return NOOP
