"""Playing imagined worlds of Speed on. See `spit_agents.playout`."""

from typing import Any

from spit_agents.emma_speed import SpeedWeights, best_action
from spit_agents.playout import habit, worth
from spit_env import verbs
from spit_env.draws import exponential
from spit_env.jit import implement
from spit_env.speed.state import DIRTY_REST, STATE
from spit_env.speed.table import cards_held
from spit_env.state import DIRTY_ALL, OVER, Game

_WEIGHTS = SpeedWeights()
_LOOKED_AT = DIRTY_ALL & ~DIRTY_REST
# The log odds of winning, beyond one in so many players: for each card that the others have more in the mean; in a
# match for that, and for a lead in score of all the points that it takes. Logistic regressions on 1,500 games of Emma
# against herself for each of `speed`, `bicycle`, `speed_3p`, `speed_4p` and `speed_pagat`.
_CARD, _CARD_IN_MATCH, _GOAL = 0.35, 0.1, 4.3


@implement(habit, STATE)
def habit_speed(g: Game, p: int, view: Any, mask: Any, rule: int, numbers: Any, word: int) -> int:
    """See the verb."""
    verbs.observe(g, g, p, view, True, g.dirty[p] & _LOOKED_AT)
    g.dirty[p] = 0
    verbs.observe_time(g, g, p, view)
    verbs.write_mask(g, g, p, mask)
    return best_action(view, mask, word, _WEIGHTS, rule, numbers)


@implement(worth, STATE)
def worth_speed(g: Game, p: int) -> float:
    """See the verb."""
    if g.phase == OVER:
        return 1.0 if g.winner == p else 0.0
    seats = g.hand.shape[0]
    theirs, best = 0, 0
    for q in range(seats):
        if q != p:
            theirs += cards_held(g, q)
            best = max(best, int(g.score[q]))
    ahead = theirs / (seats - 1) - cards_held(g, p)
    odds = _CARD * ahead
    if g.match_score > 0:
        odds = _CARD_IN_MATCH * ahead + _GOAL * (int(g.score[p]) - best) / int(g.match_score)
    return float(1.0 / (1.0 + (seats - 1) * exponential(-odds)))
