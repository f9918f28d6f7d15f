"""How a race of Spit would go on if nobody was ever early or late: a short game of known cards, played out in the head.

Both players take turns as their usual times have it, and do what a simple habit says: play the card that leaves the
own side more to do and the other less, else turn a face-down card, else lay one bare. A card that is not known fits
nothing. Of luck, of cards in flight and of what the players could do better it knows nothing; but where most cards
are remembered, it tells what follows from an action better than any number of cards does.
"""

from typing import Any

from spit_agents.chance import usual_ms
from spit_agents.outlook_spit import NEAR, Outlook, count_fitting
from spit_agents.packed import put, rank_at
from spit_env.jit import kernel
from spit_env.latency import FLIP, PLAY, REARRANGE, THINK
from spit_env.scales import TIME_UNIT_MS
from spit_env.spit.state import DEPTH, SEATS, STACKS
from spit_env.state import RETURN, TRAVEL

# Columns of the table of stacks
CARDS, UP, COUNT = 0, 1, 2  # ranks from the top down, packed; how many are face up; how many there are
COLUMNS = 3
PLAYED = 3  # results for each look: cards played by either, and whether the table is stuck
LOOKS = (4, 14)  # after so many actions
FEATURES = len(LOOKS) * PLAYED + 4


@kernel
def read_stacks(view: Any, stacks: Any) -> None:
    """The stacks of both, shape (`SEATS`, `STACKS`, `COLUMNS`)."""
    for k in range(SEATS):
        for s in range(STACKS):
            cards = 0
            for d in range(DEPTH):
                cards |= int(view.stack_card[k, s, d]) << (4 * d)
            stacks[k, s, CARDS] = cards
            stacks[k, s, COUNT] = view.stack_count[k, s]
            stacks[k, s, UP] = view.stack_count[k, s] - view.stack_down[k, s]


@kernel
def tops_of(stacks: Any, k: int) -> int:
    """The face-up tops of a player, packed."""
    tops = 0
    for s in range(STACKS):
        if stacks[k, s, UP] > 0:
            tops |= (stacks[k, s, CARDS] & 15) << (4 * s)
    return tops


@kernel
def take_top(stacks: Any, k: int, s: int) -> int:
    """The top card of a stack, which is then gone."""
    card = stacks[k, s, CARDS] & 15
    stacks[k, s, CARDS] >>= 4
    stacks[k, s, UP] -= 1
    stacks[k, s, COUNT] -= 1
    return int(card)


@kernel
def best_play(stacks: Any, k: int, pile0: int, pile1: int, rule: int) -> int:
    """The stack and pile, as 2 s + pile, of the play that leaves the player most to do and the other least; -1: none."""
    own, other = tops_of(stacks, k), tops_of(stacks, 1 - k)
    best, choice = -100, -1
    for s in range(STACKS):
        card = rank_at(own, s)
        if card > 0:
            rest = put(own, s, card if stacks[k, s, UP] > 1 else 0)
            for pile in range(SEATS):
                if (NEAR[rule, pile0 if pile == 0 else pile1] >> card) & 1:
                    fits = NEAR[rule, card] | NEAR[rule, pile1 if pile == 0 else pile0]
                    value = 2 * count_fitting(rest, fits) - 3 * count_fitting(other, fits)
                    value += stacks[k, s, UP] == 1 and stacks[k, s, COUNT] > 1
                    if value > best:
                        best, choice = value, SEATS * s + pile
    return choice


@kernel
def dig(stacks: Any, k: int, fits: int) -> int:
    """Turn a face-down card, one that fits if there is one, or lay one bare; the kind of action, -1 if none."""
    flip, good = -1, -1
    for s in range(STACKS):
        if stacks[k, s, UP] == 0 and stacks[k, s, COUNT] > 0:
            flip = s
            if (fits >> (stacks[k, s, CARDS] & 15)) & 1:
                good = s
    if flip >= 0:
        stacks[k, good if good >= 0 else flip, UP] = 1
        return FLIP
    for s in range(STACKS):
        if stacks[k, s, UP] == 1 and stacks[k, s, COUNT] > 1:
            card = stacks[k, s, CARDS] & 15
            for to in range(STACKS):
                empty = stacks[k, to, COUNT] == 0
                if to != s and (empty or (stacks[k, to, UP] > 0 and stacks[k, to, CARDS] & 15 == card)):
                    take_top(stacks, k, s)
                    stacks[k, to, CARDS] = (stacks[k, to, CARDS] << 4) | card
                    stacks[k, to, UP] += 1
                    stacks[k, to, COUNT] += 1
                    return REARRANGE
    return -1


@kernel
def apply(stacks: Any, kind: int, s: int, to: int) -> None:
    """The observer's own action, as far as the stacks are concerned; ``to``: the stack that a card is moved to."""
    if kind == FLIP:
        stacks[0, s, UP] = 1
    elif s >= 0:
        card = take_top(stacks, 0, s)
        if to >= 0:
            stacks[0, to, CARDS] = (stacks[0, to, CARDS] << 4) | card
            stacks[0, to, UP] += 1
            stacks[0, to, COUNT] += 1


@kernel
def cards_left(stacks: Any, k: int) -> int:
    """How many cards a player's stacks have."""
    n = 0
    for s in range(STACKS):
        n += stacks[k, s, COUNT]
    return n


@kernel
def write_foresight(view: Any, then: Outlook, kind: int, stacks: Any, out: Any, at: int) -> int:
    """Play the race on from the table that the own action has led to; ``stacks`` are used up. Returns the next free
    place."""
    pile0, pile1, rule = then.pile0, then.pile1, then.rule
    own_at = usual_ms(view, 0, kind) + usual_ms(view, 0, THINK) + usual_ms(view, 0, PLAY)
    other_at = usual_ms(view, 1, PLAY)
    if view.hand[1] == TRAVEL or view.hand[1] == RETURN:
        other_at += usual_ms(view, 1, THINK) + TIME_UNIT_MS * int(view.flight_left[1])
    else:
        other_at += usual_ms(view, 1, THINK) // 2
    played0, played1, idle, spits, look = 0, 0, 0, 0, 0
    for step in range(1, LOOKS[-1] + 1):
        k = 0 if own_at <= other_at else 1
        done = PLAY
        if idle < SEATS and cards_left(stacks, k) > 0:
            choice = best_play(stacks, k, pile0, pile1, rule)
            if choice >= 0:
                card = take_top(stacks, k, choice // SEATS)
                if choice % SEATS == 0:
                    pile0 = card
                else:
                    pile1 = card
                played0 += k == 0
                played1 += k == 1
            else:
                done = dig(stacks, k, NEAR[rule, pile0] | NEAR[rule, pile1])
            idle = idle + 1 if done < 0 else 0
        if idle == SEATS and spits == 0 and view.deck_card[0, 0] > 0 and view.deck_card[1, 0] > 0:
            pile0, pile1 = int(view.deck_card[0, 0]) + 0, int(view.deck_card[1, 0]) + 0
            idle, spits = 0, 1
        ms = usual_ms(view, k, THINK) + usual_ms(view, k, max(PLAY, done))
        if k == 0:
            own_at = max(own_at, other_at) + 1 if done < 0 else own_at + ms
        else:
            other_at = max(own_at, other_at) + 1 if done < 0 else other_at + ms
        if step == LOOKS[look]:
            out[at], out[at + 1], out[at + 2] = played0 / 4.0, played1 / 4.0, 1.0 if idle >= SEATS else 0.0
            at += PLAYED
            look += 1
    own, other = cards_left(stacks, 0), cards_left(stacks, 1)
    out[at], out[at + 1] = own / 10.0, other / 10.0
    out[at + 2], out[at + 3] = 1.0 if own == 0 else 0.0, 1.0 if other == 0 else 0.0
    return at + 4
