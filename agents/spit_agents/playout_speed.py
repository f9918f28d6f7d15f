"""Playing imagined worlds of Speed on. See `spit_agents.playout`."""

from typing import Any

from spit_agents.emma_speed import SpeedWeights, best_action
from spit_agents.playout import Room, habit, worth
from spit_env import verbs
from spit_env.draws import exponential
from spit_env.jit import implement
from spit_env.speed.state import DIRTY_REST, STATE
from spit_env.state import DIRTY_ALL, OVER, Game

_WEIGHTS = SpeedWeights()
_LOOKED_AT = DIRTY_ALL & ~DIRTY_REST
_GOAL = 4.0  # the log odds of winning a match with a lead of all the points that it takes: a guess


@implement(habit, STATE)
def habit_speed(g: Game, p: int, room: Room, word: int) -> int:
    """See the verb."""
    view = room.views[p]
    verbs.observe(g, g, p, view, True, g.dirty[p] & _LOOKED_AT)
    g.dirty[p] = 0
    verbs.observe_time(g, g, p, view)
    mask = room.mask
    verbs.write_mask(g, g, p, mask)
    return best_action(view, mask, word, _WEIGHTS, room.rule, room.numbers)


@implement(worth, STATE)
def worth_speed(g: Game, p: int) -> float:
    """See the verb; between the deals of a match by the lead over the best of the others."""
    if g.phase == OVER:
        return 1.0 if g.winner == p else 0.0
    best = 0
    for q in range(g.hand.shape[0]):
        if q != p:
            best = max(best, int(g.score[q]))
    return 1.0 / (1.0 + exponential(_GOAL * (best - int(g.score[p])) / g.match_score))
