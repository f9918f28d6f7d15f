"""Playing imagined worlds of Spit on. See `spit_agents.playout`."""

from typing import Any

from spit_agents.chance import percent_before
from spit_agents.emma_spit import SpitWeights, best_action
from spit_agents.outlook_spit import NO_FLIGHT, Flight, Side, Sight
from spit_agents.playout import habit, worth
from spit_env import verbs
from spit_env.cards import rank_of
from spit_env.draws import exponential
from spit_env.jit import implement, kernel
from spit_env.scales import TIME_UNIT_MS, units
from spit_env.spit.game import CARD_ODDS
from spit_env.spit.layout import pile_of, stack_cards
from spit_env.spit.moves import source_of, target_of
from spit_env.spit.observation import compare_piles
from spit_env.spit.state import (
    FIRST_FLIP,
    FIRST_MOVE,
    FIRST_PICK,
    FIRST_PLAY,
    SEATS,
    STACKS,
    STATE,
)
from spit_env.state import NOOP, OVER, TRAVEL, Game

_WEIGHTS = SpitWeights()


@implement(habit, STATE)
def habit_spit(g: Game, p: int, view: Any, mask: Any, rule: int, numbers: Any, word: int) -> int:
    """See the verb; but piles are told apart exactly."""
    verbs.write_mask(g, g, p, mask)
    if mask[FIRST_PICK] != 0 and mask[FIRST_PICK + 1] != 0:
        return FIRST_PICK + int(g.pile_n[p] > g.pile_n[pile_of(p, 1)])
    only = only_action(mask)
    if FIRST_PLAY <= only < FIRST_MOVE:
        return only  # worth more to Emma than waiting, whatever it leads to
    return best_action(sight(g, p, view, rule), mask, word, _WEIGHTS)


@kernel
def sight(g: Game, p: int, view: Any, rule: int) -> Sight:
    """What seat p sees with perfect recall, as `spit_agents.outlook_spit.look` tells it of a view; of ``view`` nothing
    but the speeds is read."""
    q = pile_of(p, 1)
    under = 0
    for s in range(STACKS):
        if g.height[p, s] > 1:
            under |= int(g.known[g.stack[p, s, g.height[p, s] - 2]]) << (4 * s)
    own, other = int(g.pile_n[p]), int(g.pile_n[q])
    flight, chance = NO_FLIGHT, 0
    if g.card[q] >= 0:
        flight = flight_of(g, q)
        chance = percent_before(view, units(g.until[q] - g.time, TIME_UNIT_MS))
    return Sight(
        side(g, p), side(g, q), under, pile_top(g, p), pile_top(g, q), compare_piles(own, other), flight, chance, rule
    )


@kernel
def side(g: Game, p: int) -> Side:
    """The stacks of seat p."""
    up = known = count = down = 0
    for s in range(STACKS):
        height = int(g.height[p, s])
        count |= height << (4 * s)
        down |= int(g.down[p, s]) << (4 * s)
        if g.top[p, s] >= 0:
            up |= (1 + int(g.top[p, s])) << (4 * s)
        elif height > 0:
            known |= int(g.known[g.stack[p, s, height - 1]]) << (4 * s)
    return Side(up, known, count, down)


@kernel
def flight_of(g: Game, q: int) -> Flight:
    """The card that is in the hand of seat q, as the other player sees it."""
    a = int(g.action[q])
    card, back, source = int(1 + rank_of(g.card[q])), g.hand[q] != TRAVEL, source_of(a)
    if a < FIRST_FLIP:
        return Flight(card, back, 1 + pile_of(1, (a - FIRST_PLAY) % SEATS), source, -1)
    return Flight(card, back, 0, source, target_of(a))


@kernel
def pile_top(g: Game, pile: int) -> int:
    """The rank on top of a pile, from 1; 0: no pile."""
    return int(1 + rank_of(g.pile[pile, g.pile_n[pile] - 1])) if g.pile_n[pile] > 0 else 0


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
    return 1.0 / (1.0 + exponential(CARD_ODDS * (cards_held(g, p) - cards_held(g, pile_of(p, 1)))))
