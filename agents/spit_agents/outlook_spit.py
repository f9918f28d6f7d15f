"""How Emma sees a table of Spit as it will be when she can next choose, and what she could do with it.

The five tops of a player are packed into one number (`spit_agents.packed`): the rank, 1 (ace) to 13 (king), or 0.
"""

from typing import Any, NamedTuple

from spit_agents.chance import percent_first
from spit_agents.fits import near
from spit_agents.packed import count_bits, put, rank_at
from spit_env.jit import kernel
from spit_env.spit.state import STACKS
from spit_env.state import TRAVEL

NEAR = near()


class Side(NamedTuple):
    """A player's five stacks, each number packed."""

    up: int  # face-up tops
    known: int  # remembered face-down tops
    cards: int  # how many there are
    down: int  # how many of them are face down


class Flight(NamedTuple):
    """A card that the opponent's hand holds."""

    card: int  # its rank, 0: there is none
    back: bool  # it has bounced, and returns
    pile: int  # where a play flies: 1 own pile, 2 the other, 0 no play
    source: int  # the stack that it left
    to: int  # the stack that a move goes to


NO_FLIGHT = Flight(0, False, 0, -1, -1)


class Sight(NamedTuple):
    """What Emma looks at. Pile 0 is the own one."""

    own: Side
    opp: Side
    under: int  # packed: the remembered cards right under the own tops
    pile0: int  # tops of the piles
    pile1: int
    eye: int  # -1: pile 0 is clearly the smaller one, 1: the other, 0: too close
    flight: Flight
    chance: int  # how likely an own card that sets out now lands before the one in flight, in per cent
    rule: int  # what fits (`spit_agents.fits`)


class Outlook(NamedTuple):
    """The table to come, as far as it can be foreseen."""

    pile0: int
    pile1: int
    own: int  # packed: face-up tops
    own_known: int  # packed: remembered face-down tops
    opp: int
    opp_known: int
    opp_busy: bool  # the opponent can flip or rearrange
    rule: int


@kernel
def look(view: Any, rule: int) -> Sight:
    """What a view shows."""
    under = 0
    for s in range(STACKS):
        under |= int(view.stack_card[0, s, 1]) << (4 * s)
    flight = Flight(
        int(view.flight_card[1]), view.hand[1] != TRAVEL, int(view.flight_pile[1]),
        int(view.flight_from[1]) - 1, int(view.flight_to[1]) - 1,
    )  # fmt: skip
    return Sight(
        side_of(view, 0), side_of(view, 1), under, int(view.pile_top[0]), int(view.pile_top[1]), int(view.pile_eye),
        flight, percent_first(view, 1), rule,
    )  # fmt: skip


@kernel
def side_of(view: Any, k: int) -> Side:
    """The stacks of player k."""
    up = known = count = down = 0
    for s in range(STACKS):
        top = int(view.stack_card[k, s, 0]) << (4 * s)
        if view.stack_count[k, s] > view.stack_down[k, s]:
            up |= top
        else:
            known |= top
        count |= int(view.stack_count[k, s]) << (4 * s)
        down |= int(view.stack_down[k, s]) << (4 * s)
    return Side(up, known, count, down)


@kernel
def lays_bare(own: Side, s: int) -> bool:
    """Whether taking the top of own stack s leaves a face-down card on top."""
    return rank_at(own.down, s) > 0 and rank_at(own.cards, s) - rank_at(own.down, s) == 1


@kernel
def foresee(seen: Sight) -> Outlook:
    """The table once the opponent's hand has come to rest."""
    pile0, pile1, opp, flight = seen.pile0, seen.pile1, seen.opp.up, seen.flight
    if flight.card > 0:
        if flight.back:
            opp = put(opp, flight.source, flight.card)
        elif flight.pile == 1:
            pile0 = flight.card
        elif flight.pile == 2:
            pile1 = flight.card
        else:
            opp = put(opp, flight.to, flight.card)
    return Outlook(pile0, pile1, seen.own.up, seen.own.known, opp, seen.opp.known, can_dig(seen.opp, opp), seen.rule)


@kernel
def can_dig(side: Side, tops: int) -> bool:
    """Whether a player with these face-up tops can flip, or rearrange with some card face down."""
    down = False
    room = False
    ranks = 0
    for s in range(STACKS):
        count = rank_at(side.cards, s)
        if rank_at(side.down, s) > 0:
            down = True
            if rank_at(side.down, s) == count:
                return True
        r = rank_at(tops, s)
        room |= count == 0 or (r > 0 and (ranks >> r) & 1 != 0)
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
