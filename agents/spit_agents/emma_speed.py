"""How Emma plays Speed.

A play is worth what it does at once, plus what she could go on to play, less what the others could. Their hands are
hidden, so what they could play is a matter of chance: how many cards they hold, and which have not been seen. Cards in
flight are taken as landed.
"""

from typing import Any, NamedTuple

import numpy as np

from spit_agents.chance import below, next_word, percent_first, usual_ms
from spit_agents.outlook_speed import (
    NEAR,
    ROOM,
    SURE,
    WILD,
    chance_to_play,
    count_fitting,
    equals_fit,
    fitting,
    lands,
    longest_run,
    reach,
    tops_to_come,
)
from spit_agents.packed import put, rank_at
from spit_env.cards import RANKS
from spit_env.jit import entry, kernel
from spit_env.latency import THINK
from spit_env.scales import IDLE_UNIT_MS
from spit_env.speed.state import FIRST_PLAY, SLOTS
from spit_env.state import NOOP, TRAVEL

NOTHING = -(2**30)  # worth less than any action


class SpeedWeights(NamedTuple):
    """What counts how much; a card played is 100."""

    # What the action does
    play: int = 100
    wait: int = -1000
    joker: int = -60  # it spends a joker
    contested: int = 0  # another player has a card for that pile too
    first: int = 50  # it comes before another's card in flight to that pile
    late: int = -60  # it comes after that card, and bounces
    # What she can then do
    own_next: int = 60  # play a card
    own_more: int = 10  # for each further card that fits
    own_pile: int = 10  # for each further pile that one fits
    own_run: int = 20  # for each card that can be played one after the other
    own_last: int = 40  # the same, when the stock is empty
    own_reach: int = 10  # for each top that she has a card for
    # What another player can then do
    opp_play: int = -80  # play a card
    patience: int = 150  # after so many per cent of the usual time to think an idle hand has no card that fits


class Outlook(NamedTuple):
    """The table to come."""

    tops: int  # packed, by pile
    hand: int  # packed, by slot
    doubles: int  # 1 if equal ranks fit


@entry
def choose_best(views: Any, masks: Any, draws: Any, w: SpeedWeights, actions: Any) -> None:
    """One action for each row."""
    todo = np.empty(ROOM, np.int64)
    for row in range(actions.shape[0]):
        actions[row] = best_action(views[row], masks[row], int(draws[row]), w, todo)


@kernel
def best_action(view: Any, mask: Any, draw: int, w: SpeedWeights, todo: Any) -> int:
    """The legal action worth most; a call and a draw come first."""
    calls, draws = mask.shape[0] - 1, mask.shape[0] - 2
    if mask[calls] != 0:
        return calls
    if mask[draws] != 0:
        return draws
    legal = 0
    for a in range(FIRST_PLAY, draws):
        legal += mask[a]
    if legal == 0:
        return NOOP
    doubles = equals_fit(view, mask, FIRST_PLAY)
    hand = 0
    for s in range(SLOTS):
        hand = put(hand, s, int(view.held_card[0, s]))
    now = Outlook(tops_to_come(view, doubles), hand, doubles)
    still = outlook_worth(view, now, w, todo)
    best, choice, ties = NOTHING, NOOP, 0
    for a in range(draws):
        if mask[a] != 0:
            value = w.wait + still if a == NOOP else play_worth(view, a, now, still, w, todo)
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
    plays = SLOTS * seats
    s, pile = (a - FIRST_PLAY) % plays // seats, (a - FIRST_PLAY) % seats
    card, top = rank_at(now.hand, s), int(view.pile_top[pile])
    value = w.play
    if card == WILD:
        value += w.joker
        if top < WILD:
            card = (top - 2) % RANKS + 1 if a < FIRST_PLAY + plays else top % RANKS + 1
    then = Outlook(put(now.tops, pile, card), put(now.hand, s, 0), now.doubles)
    value += outlook_worth(view, then, w, todo)
    if w.contested != 0:
        value += w.contested * others_chance(view, NEAR[now.doubles, top], 0, w.patience) // SURE
    for k in range(1, seats):
        if view.flight_pile[k] == pile + 1 and view.hand[k] == TRAVEL:
            name = int(view.flight_name[k])
            chance = percent_first(view, k)
            late = value if lands(card, name, now.doubles) else w.late + still
            early = value if lands(name, card, now.doubles) else value + w.first
            value = (chance * early + (100 - chance) * late) // 100
    return value


@kernel
def outlook_worth(view: Any, t: Outlook, w: SpeedWeights, todo: Any) -> int:
    """What a table is worth: what she can do, less what the others can."""
    seats = view.hand.shape[0]
    fits = fitting(t.tops, seats, t.doubles)
    value = w.own_reach * reach(t.hand, t.doubles)
    own = count_fitting(t.hand, fits)
    if own > 0:
        run = w.own_run if view.stock_count[0] > 0 else w.own_last
        piles = -1
        for pile in range(seats):
            piles += count_fitting(t.hand, NEAR[t.doubles, rank_at(t.tops, pile)]) > 0
        value += (
            w.own_next
            + w.own_more * (own - 1)
            + w.own_pile * piles
            + run * longest_run(t.hand, t.tops, seats, t.doubles, todo)
        )
    barred = 0
    for pile in range(seats):
        barred |= NEAR[t.doubles, int(view.pile_top[pile])]
    return value + w.opp_play * others_chance(view, fits, barred, w.patience) // SURE


@kernel
def others_chance(view: Any, fits: int, barred: int, patience: int) -> int:
    """How likely another player holds a card of a set, in thousandths, on average over the others.

    Whose hand has been idle for long is taken to hold none of the ``barred`` ranks, which fit as things lie.
    """
    seats = view.hand.shape[0]
    total = 0
    for k in range(1, seats):
        idle = view.hand[k] == 0 and 100 * IDLE_UNIT_MS * view.idle > patience * usual_ms(view, k, THINK)
        total += chance_to_play(view, k, fits, barred if idle else 0)
    return total // (seats - 1)
