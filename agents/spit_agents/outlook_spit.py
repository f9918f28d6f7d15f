"""How Emma sees a table of Spit as it will be when she can next choose, and what she could do with it.

The five tops of a player are packed into one number (`spit_agents.packed`): the rank, 1 (ace) to 13 (king), or 0.
"""

from typing import Any, NamedTuple

from spit_agents.fits import near
from spit_agents.packed import count_bits, put, rank_at
from spit_env.jit import kernel
from spit_env.spit.state import STACKS
from spit_env.state import TRAVEL

NEAR = near()


class Outlook(NamedTuple):
    """The table to come, as far as it can be foreseen. Ranks as above."""

    pile0: int  # tops of the piles; pile 0 is the own one
    pile1: int
    own: int  # packed: face-up tops
    own_known: int  # packed: remembered face-down tops
    opp: int
    opp_known: int
    opp_busy: bool  # the opponent can flip or rearrange
    rule: int  # what fits (`spit_agents.fits`)


@kernel
def foresee(view: Any, rule: int) -> Outlook:
    """The table once the opponent's hand has come to rest."""
    pile0, pile1 = int(view.pile_top[0]), int(view.pile_top[1])
    opp = face_up_tops(view, 1)
    card = int(view.flight_card[1])
    if card > 0:
        if view.hand[1] != TRAVEL:
            opp = put(opp, int(view.flight_from[1]) - 1, card)
        elif view.flight_pile[1] == 1:
            pile0 = card
        elif view.flight_pile[1] == 2:
            pile1 = card
        else:
            opp = put(opp, int(view.flight_to[1]) - 1, card)
    own, own_known, opp_known = face_up_tops(view, 0), face_down_tops(view, 0), face_down_tops(view, 1)
    return Outlook(pile0, pile1, own, own_known, opp, opp_known, can_dig(view, 1, opp), rule)


@kernel
def face_up_tops(view: Any, k: int) -> int:
    """The face-up tops of player k, packed."""
    tops = 0
    for s in range(STACKS):
        if view.stack_count[k, s] > view.stack_down[k, s]:
            tops |= int(view.stack_card[k, s, 0]) << (4 * s)
    return tops


@kernel
def face_down_tops(view: Any, k: int) -> int:
    """The remembered face-down tops of player k, packed."""
    tops = 0
    for s in range(STACKS):
        if view.stack_count[k, s] == view.stack_down[k, s]:
            tops |= int(view.stack_card[k, s, 0]) << (4 * s)
    return tops


@kernel
def can_dig(view: Any, k: int, tops: int) -> bool:
    """Whether player k with these face-up tops can flip, or rearrange with some card face down."""
    down = False
    room = False
    ranks = 0
    for s in range(STACKS):
        if view.stack_down[k, s] > 0:
            down = True
            if view.stack_down[k, s] == view.stack_count[k, s]:
                return True
        r = rank_at(tops, s)
        room |= view.stack_count[k, s] == 0 or (r > 0 and (ranks >> r) & 1 != 0)
        ranks |= 1 << r
    return down and room


@kernel
def count_fitting(tops: int, bits: int) -> int:
    """How many of five packed ranks are in a set."""
    n = 0
    for s in range(STACKS):
        n += (bits >> rank_at(tops, s)) & 1
    return n


@kernel
def reach(tops: int, rule: int) -> int:
    """How many ranks are neighbours of at least one of these tops.

    Doubles are left out: with them a card kept would be worth more than one played, by weights that are for two ranks
    a card.
    """
    bits = 0
    for s in range(STACKS):
        bits |= NEAR[rule - rule % 2, rank_at(tops, s)]
    return count_bits(bits)
