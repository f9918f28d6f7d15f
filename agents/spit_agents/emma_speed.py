"""How Emma plays Speed.

A play is worth what it does at once, plus what she could go on to play, less what the others could. Their hands are
hidden, so what they could play is a matter of chance: how many cards they hold, and which have not been seen. Cards in
flight are taken as landed.
"""

from typing import Any, NamedTuple

import numpy as np

from spit_agents.chance import below, next_word, percent_first
from spit_agents.outlook_speed import (
    ROOM,
    SURE,
    WILD,
    chance_to_play,
    fitting,
    lands,
    longest_run,
    reach,
    tops_to_come,
)
from spit_agents.packed import put, rank_at
from spit_env.cards import RANKS
from spit_env.jit import entry, kernel
from spit_env.speed.moves import pile_number, slot_of
from spit_env.speed.state import FIRST_PLAY, SLOTS, call_action, draw_action, first_high
from spit_env.state import NOOP, TRAVEL

NOTHING = -(2**30)  # worth less than any action


class SpeedWeights(NamedTuple):
    """What counts how much; a card played is 100."""

    # What the action does
    play: int = 100
    joker: int = -120  # it spends a joker
    first: int = 150  # it comes before another's card in flight to that pile
    late: int = -220  # it comes after that card, and bounces
    wait: int = -1000  # it is none, while no other card is in flight
    wait_flight: int = -150  # it is none, while another player's card is in flight
    # What she can then do
    own_run: int = 90  # for each card that can be played one after the other, if nobody else plays
    own_reach: int = 10  # for each top that she has a card for
    # What another player can then do
    opp_play: int = -270  # play a card


class Outlook(NamedTuple):
    """The table to come."""

    tops: int  # packed, by pile
    hand: int  # packed, by slot
    rule: int  # what fits (`spit_agents.fits`)


@entry
def choose_best(views: Any, masks: Any, draws: Any, w: SpeedWeights, rule: int, actions: Any) -> None:
    """One action for each row; ``rule``: what fits (`spit_agents.fits`)."""
    todo = np.empty(ROOM, np.int64)
    for row in range(actions.shape[0]):
        actions[row] = best_action(views[row], masks[row], int(draws[row]), w, rule, todo)


@kernel
def best_action(view: Any, mask: Any, draw: int, w: SpeedWeights, rule: int, todo: Any) -> int:
    """The legal action worth most; a call and a draw come first."""
    seats = view.hand.shape[0]
    if mask[call_action(seats)] != 0:
        return call_action(seats)
    if mask[draw_action(seats)] != 0:
        return draw_action(seats)
    legal = 0
    for a in range(FIRST_PLAY, draw_action(seats)):
        legal += mask[a]
    if legal == 0:
        return NOOP
    hand = 0
    for s in range(SLOTS):
        hand = put(hand, s, int(view.held_card[0, s]))
    now = Outlook(tops_to_come(view, rule), hand, rule)
    still = outlook_worth(view, now, w, todo)
    waiting = w.wait_flight if others_fly(view) else w.wait
    best, choice, ties = NOTHING, NOOP, 0
    for a in range(draw_action(seats)):
        if mask[a] != 0:
            value = waiting + still if a == NOOP else play_worth(view, a, now, still, w, todo)
            if value > best:
                best, choice, ties = value, a, 1
            elif value == best and ties > 0:
                ties += 1
                draw = next_word(draw)
                if below(draw, ties) == 0:
                    choice = a
    return choice


@kernel
def play_worth(view: Any, a: int, now: Outlook, still: int, w: SpeedWeights, todo: Any) -> int:
    """What a legal play is worth; ``still``: what the table is worth without it."""
    seats = view.hand.shape[0]
    s, pile = slot_of(a, seats), pile_number(a, seats)
    card, top = rank_at(now.hand, s), int(view.pile_top[pile])
    value = w.play
    if card == WILD:
        value += w.joker
        if top < WILD:
            card = (top - 2) % RANKS + 1 if a < first_high(seats) else top % RANKS + 1
    then = Outlook(put(now.tops, pile, card), put(now.hand, s, 0), now.rule)
    value += outlook_worth(view, then, w, todo)
    for k in range(1, seats):
        if view.flight_pile[k] == pile + 1 and view.hand[k] == TRAVEL:
            name = int(view.flight_name[k])
            chance = percent_first(view, k)
            late = value if lands(card, name, now.rule) else w.late + still
            early = value if lands(name, card, now.rule) else value + w.first
            value = (chance * early + (100 - chance) * late) // 100
    return value


@kernel
def outlook_worth(view: Any, t: Outlook, w: SpeedWeights, todo: Any) -> int:
    """What a table is worth: what she can do, less what the others can."""
    seats = view.hand.shape[0]
    fits = fitting(t.tops, seats, t.rule)
    value = w.own_reach * reach(t.hand, t.rule) + w.own_run * longest_run(t.hand, t.tops, seats, t.rule, todo)
    return value + w.opp_play * others_chance(view, fits) // SURE


@kernel
def others_chance(view: Any, fits: int) -> int:
    """How likely another player holds a card of a set, in thousandths, on average over the others."""
    seats = int(view.hand.shape[0])
    total = 0
    for k in range(1, seats):
        total += chance_to_play(view, k, fits)
    return total // (seats - 1)


@kernel
def others_fly(view: Any) -> bool:
    """Whether another player's card is in flight to a pile."""
    for k in range(1, view.hand.shape[0]):
        if view.hand[k] == TRAVEL and view.flight_pile[k] > 0:
            return True
    return False
