"""Playing imagined worlds of Spit on. See `spit_agents.playout`."""

from typing import Any

from spit_agents.emma_spit import SpitWeights, best_action
from spit_agents.playout import habit, worth
from spit_env import verbs
from spit_env.draws import exponential
from spit_env.jit import implement, kernel
from spit_env.spit.layout import pile_of, stack_cards
from spit_env.spit.state import DIRTY_DECKS, DIRTY_UNSEEN, FIRST_MOVE, FIRST_PICK, FIRST_PLAY, STATE
from spit_env.state import DIRTY_ALL, NOOP, OVER, Game

_WEIGHTS = SpitWeights()
_LOOKED_AT = DIRTY_ALL & ~(DIRTY_DECKS | DIRTY_UNSEEN)
# The log odds of winning for each card more that the other player holds when a round begins: a logistic regression on
# 2,000 games of Emma against herself.
_CARD = 0.04


@implement(habit, STATE)
def habit_spit(g: Game, p: int, view: Any, mask: Any, rule: int, numbers: Any, word: int) -> int:
    """See the verb; but piles are told apart exactly."""
    verbs.write_mask(g, g, p, mask)
    if mask[FIRST_PICK] != 0 and mask[FIRST_PICK + 1] != 0:
        return FIRST_PICK + int(g.pile_n[p] > g.pile_n[pile_of(p, 1)])
    only = only_action(mask)
    if FIRST_PLAY <= only < FIRST_MOVE:
        return only  # worth more to Emma than waiting, whatever it leads to
    verbs.observe(g, g, p, view, True, g.dirty[p] & _LOOKED_AT)
    g.dirty[p] = 0
    verbs.observe_time(g, g, p, view)
    return best_action(view, mask, word, _WEIGHTS, rule)


@kernel
def only_action(mask: Any) -> int:
    """The only legal action besides waiting; NOOP if there are several, or none."""
    only = NOOP
    for a in range(1, mask.shape[0]):
        if mask[a] != 0:
            if only != NOOP:
                return NOOP
            only = a
    return only


@kernel
def cards_held(g: Game, p: int) -> int:
    """All cards of a player."""
    return int(g.deck_n[p]) + stack_cards(g, p) + int(g.card[p] >= 0)


@implement(worth, STATE)
def worth_spit(g: Game, p: int) -> float:
    """See the verb."""
    if g.phase == OVER:
        return 1.0 if g.winner == p else 0.0
    return 1.0 / (1.0 + exponential(_CARD * (cards_held(g, p) - cards_held(g, pile_of(p, 1)))))
