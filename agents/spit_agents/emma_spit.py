"""How Emma plays Spit.

She looks one action ahead. Each legal action is worth what it does at once (a card played, a card laid bare, a card
that comes too late) plus what she and the opponent could do on the table that it leads to. She sees cards in flight,
and remembers what the view tells her.
"""

from typing import Any, NamedTuple

from spit_agents.chance import below, next_word
from spit_agents.eye import smaller_pile
from spit_agents.outlook_spit import NEAR, Outlook, Side, Sight, count_fitting, foresee, lays_bare, look, reach
from spit_agents.packed import put, rank_at
from spit_env.jit import entry, kernel
from spit_env.spit.moves import source_of, target_of
from spit_env.spit.state import FIRST_FLIP, FIRST_MOVE, FIRST_PICK, FIRST_PLAY, SEATS, SPIT, STACKS
from spit_env.state import NOOP

NOTHING = -(2**30)  # worth less than any action


class SpitWeights(NamedTuple):
    """What counts how much; a card played is 100."""

    # What the action does
    play: int = 100
    flip: int = 45
    rearrange: int = -55
    spit: int = -50
    wait: int = -1000  # she never waits while there is something to do: waiting loses games
    turn: int = 30  # it turns a remembered card that fits
    uncover: int = 50  # it lays a face-down card bare
    contested: int = 85  # the opponent has a card for that pile too
    first: int = 120  # it comes before the opponent's card in flight to that pile
    late: int = -30  # it comes after that card, and bounces
    widen: int = 8  # for each card ahead: play on the pile that is larger by eye
    # What the own side can then do
    own_reach: int = 55  # for each rank that it has a card for
    own_known: int = 20  # for each remembered face-down top that fits
    # What the opponent can then do
    opp_play: int = -145  # play a card
    opp_freed: int = -50  # play a card, with nothing to flip or rearrange
    opp_more: int = -60  # for each further card to play
    opp_known: int = -70  # for each remembered face-down top that fits


@entry
def choose_best(views: Any, masks: Any, draws: Any, w: SpitWeights, rule: int, actions: Any) -> None:
    """One action for each row; ``rule``: what fits (`spit_agents.fits`)."""
    for row in range(actions.shape[0]):
        actions[row] = best_action(look(views[row], rule), masks[row], int(draws[row]), w)


@kernel
def best_action(seen: Sight, mask: Any, draw: int, w: SpitWeights) -> int:
    """The legal action worth most."""
    if mask[FIRST_PICK] != 0 or mask[FIRST_PICK + 1] != 0:
        return smaller_pile(seen.pile0, seen.pile1, seen.eye, draw)
    legal = 0
    for a in range(mask.shape[0]):
        legal += mask[a]
    if legal == mask[NOOP]:
        return NOOP
    now = foresee(seen)
    best, choice, ties = NOTHING, NOOP, 0
    for a in range(SPIT + 1):
        if mask[a] != 0:
            value = action_worth(seen, a, now, w)
            if value > best:
                best, choice, ties = value, a, 1
            elif value == best and ties > 0:
                ties += 1
                draw = next_word(draw)
                if below(draw, ties) == 0:
                    choice = a
    return choice


@kernel
def action_worth(seen: Sight, a: int, now: Outlook, w: SpitWeights) -> int:
    """What a legal action is worth."""
    if a == NOOP:
        return w.wait + outlook_worth(now, w)
    if a == SPIT:
        return w.spit + outlook_worth(now, w)
    s = source_of(a)
    if FIRST_FLIP <= a < FIRST_MOVE:
        fits = int((NEAR[now.rule, now.pile0] | NEAR[now.rule, now.pile1]) >> rank_at(now.own_known, s)) & 1
        return w.flip + w.turn * fits + outlook_worth(after_flip(now, s), w)
    if a >= FIRST_MOVE:
        to = target_of(a)
        if not leads_on(seen.own, s, to):
            return NOTHING
        return w.rearrange + w.uncover * lays_bare(seen.own, s) + outlook_worth(after_taking(seen, now, s, to, -1), w)
    pile = (a - FIRST_PLAY) % SEATS
    value = w.play + w.uncover * lays_bare(seen.own, s) + outlook_worth(after_taking(seen, now, s, -1, pile), w)
    if seen.eye != 0:
        value += w.widen * lead(seen) * (1 if (seen.eye > 0) == (pile == 0) else -1)
    if count_fitting(now.opp, NEAR[now.rule, seen.pile1 if pile == 1 else seen.pile0]) > 0:
        value += w.contested
    if seen.flight.pile != pile + 1 or seen.flight.back:
        return value
    return (seen.chance * (w.first + value) + (100 - seen.chance) * (w.late + outlook_worth(now, w))) // 100


@kernel
def lead(seen: Sight) -> int:
    """By how many stack cards the own side is ahead, at most 6 either way."""
    ahead = 0
    for s in range(STACKS):
        ahead += rank_at(seen.opp.cards, s) - rank_at(seen.own.cards, s)
    return max(-6, min(6, ahead))


@kernel
def leads_on(own: Side, s: int, to: int) -> bool:
    """Whether a rearrangement is a step towards laying a card bare, so that doing such steps cannot go in circles.

    Either it takes from a stack with face-down cards, or it joins two stacks without any, the shorter to the longer,
    to make a gap where there is none.
    """
    if rank_at(own.down, s) > 0:
        return True
    if rank_at(own.down, to) > 0 or rank_at(own.cards, s) > rank_at(own.cards, to):
        return False
    for k in range(STACKS):
        if rank_at(own.cards, k) == 0:
            return False
    return own.down != 0


@kernel
def after_flip(now: Outlook, s: int) -> Outlook:
    """The outlook with stack s turned; its card counts if it is remembered."""
    card = rank_at(now.own_known, s)
    own, known = now.own | (card << (4 * s)), put(now.own_known, s, 0)
    return Outlook(now.pile0, now.pile1, own, known, now.opp, now.opp_known, now.opp_busy, now.rule)


@kernel
def after_taking(seen: Sight, now: Outlook, s: int, to: int, pile: int) -> Outlook:
    """The outlook with the top of stack s gone to another stack, or to a pile."""
    card = rank_at(now.own, s)
    own, known = put(now.own, s, 0), now.own_known
    if to >= 0:
        own = put(own, to, card)
    down = rank_at(seen.own.down, s)
    if rank_at(seen.own.cards, s) - down > 1:
        own = put(own, s, card)  # face-up cards of one stack share their rank
    elif down > 0:
        known = put(known, s, rank_at(seen.under, s))
    pile0, pile1 = card if pile == 0 else now.pile0, card if pile == 1 else now.pile1
    return Outlook(pile0, pile1, own, known, now.opp, now.opp_known, now.opp_busy, now.rule)


@kernel
def outlook_worth(t: Outlook, w: SpitWeights) -> int:
    """What a table is worth: what the own side can do, less what the opponent can."""
    fits = NEAR[t.rule, t.pile0] | NEAR[t.rule, t.pile1]
    value = w.own_reach * reach(t.own, t.rule)
    value += w.own_known * count_fitting(t.own_known, fits)
    value += w.opp_known * count_fitting(t.opp_known, fits)
    opp = count_fitting(t.opp, fits)
    if opp > 0:
        value += w.opp_play + w.opp_more * (opp - 1) + (0 if t.opp_busy else w.opp_freed)
    return value
