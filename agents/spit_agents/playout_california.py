"""Playing imagined worlds of California Speed on. See `spit_agents.playout`."""

from typing import Any

from spit_agents.emma_california import CaliforniaWeights, best_action
from spit_agents.playout import Room, habit, worth
from spit_env import verbs
from spit_env.california.state import STATE
from spit_env.draws import exponential
from spit_env.jit import implement
from spit_env.state import DIRTY_ALL, OVER, Game

_WEIGHTS = CaliforniaWeights()
_LOOKED_AT = DIRTY_ALL >> 1  # all but the speeds, which stand under no bit of their own
_CARD = 0.05


@implement(habit, STATE)
def habit_california(g: Game, p: int, room: Room, word: int) -> int:
    """See the verb."""
    view = room.views[p]
    verbs.observe(g, g, p, view, True, g.dirty[p] & _LOOKED_AT)
    g.dirty[p] = 0
    verbs.observe_time(g, g, p, view)
    mask = room.mask
    verbs.write_mask(g, g, p, mask)
    return best_action(view, mask, word, _WEIGHTS, room.rule)


@implement(worth, STATE)
def worth_california(g: Game, p: int) -> float:
    """See the verb."""
    if g.phase == OVER:
        return 1.0 if g.winner == p else 0.0
    return 1.0 / (1.0 + exponential(_CARD * (int(g.pack_n[p]) - int(g.pack_n[1 - p]))))
