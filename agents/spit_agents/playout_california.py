"""Playing imagined worlds of California Speed on. See `spit_agents.playout`."""

from typing import Any

from spit_agents.emma_california import CaliforniaWeights, best_action
from spit_agents.playout import habit, worth
from spit_env import verbs
from spit_env.california.state import STACKS, STATE
from spit_env.draws import exponential
from spit_env.jit import implement
from spit_env.state import DIRTY_ALL, OVER, Game

_WEIGHTS = CaliforniaWeights()
_LOOKED_AT = DIRTY_ALL >> 1  # all but the speeds, which stand under no bit of their own
# The log odds of winning for each card more that the other player has in the pack, and in the row: a logistic
# regression on 1,500 games of Emma against herself.
_PACK, _ROW = 0.25, 0.13


@implement(habit, STATE)
def habit_california(g: Game, p: int, view: Any, mask: Any, rule: int, numbers: Any, word: int) -> int:
    """See the verb."""
    verbs.observe(g, g, p, view, True, g.dirty[p] & _LOOKED_AT)
    g.dirty[p] = 0
    verbs.observe_time(g, g, p, view)
    verbs.write_mask(g, g, p, mask)
    return best_action(view, mask, word, _WEIGHTS, rule)


@implement(worth, STATE)
def worth_california(g: Game, p: int) -> float:
    """See the verb. What lies in a row is its player's when the rows are taken up."""
    if g.phase == OVER:
        return 1.0 if g.winner == p else 0.0
    q = 1 - p
    odds = _PACK * (g.pack_n[q] + (g.card[q] >= 0) - g.pack_n[p] - (g.card[p] >= 0))
    for s in range(STACKS):
        odds += _ROW * (int(g.height[q, s]) - int(g.height[p, s]))
    return 1.0 / (1.0 + exponential(-odds))
