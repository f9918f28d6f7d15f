"""How a race of Spit would go on if nobody was ever early or late: a short game of known cards, played out in the head.

Both players take turns as their usual times have it, and do what a simple habit says: play the card that leaves the
own side more to do and the other less, else turn a face-down card, else lay one bare. A card that is not known fits
nothing. Of luck, of cards in flight and of what the players could do better it knows nothing; but where most cards
are remembered, it tells what follows from an action better than any number of cards does.
"""

from typing import Any

from spit_agents.chance import usual_ms
from spit_agents.outlook_spit import NEAR, Outlook
from spit_agents.packed import count_bits
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
def read_stacks(view: Any, orders: Any, stacks: Any) -> None:
    """The stacks of both in this order, shape (`SEATS`, `STACKS`, `COLUMNS`)."""
    for k in range(SEATS):
        for i in range(STACKS):
            s = orders[k, i]
            cards = 0
            for d in range(DEPTH):
                cards |= int(view.stack_card[k, s, d]) << (4 * d)
            stacks[k, i, CARDS] = cards
            stacks[k, i, COUNT] = view.stack_count[k, s]
            stacks[k, i, UP] = view.stack_count[k, s] - view.stack_down[k, s]


@kernel
def ranks_up(stacks: Any, k: int) -> int:
    """The ranks of a player's face-up tops, as bits."""
    bits = 0
    for s in range(STACKS):
        if stacks[k, s, UP] > 0:
            bits |= 1 << (stacks[k, s, CARDS] & 15)
    return bits & ~1


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
    """The play that leaves the player most to do and the other least, as 2 * stack + pile; -1: none."""
    own = ranks_up(stacks, k)
    if own & (NEAR[rule, pile0] | NEAR[rule, pile1]) == 0:
        return -1
    other = ranks_up(stacks, 1 - k)
    best, choice = -100, -1
    for s in range(STACKS):
        card = stacks[k, s, CARDS] & 15
        if stacks[k, s, UP] > 0 and card > 0:
            for pile in range(SEATS):
                if (NEAR[rule, pile1 if pile == 1 else pile0] >> card) & 1:
                    fits = NEAR[rule, card] | NEAR[rule, pile0 if pile == 1 else pile1]
                    value = 2 * count_bits(own & fits) - 3 * count_bits(other & fits)
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
def read_times(view: Any, times: Any) -> None:
    """How many ms each player usually takes for an action of each kind, thinking included; shape (`SEATS`, kinds)."""
    for k in range(SEATS):
        for kind in range(times.shape[1]):
            times[k, kind] = usual_ms(view, k, THINK) + (usual_ms(view, k, kind) if kind != THINK else 0)


@kernel
def first_moves(view: Any, kind: int, times: Any) -> tuple[int, int]:
    """When the players' next actions land, the own action being of this kind."""
    other = times[1, PLAY]
    if view.hand[1] == TRAVEL or view.hand[1] == RETURN:
        other += TIME_UNIT_MS * int(view.flight_left[1])
    else:
        other -= times[1, THINK] // 2
    return times[0, kind] - times[0, THINK] + times[0, PLAY], other


@kernel
def write_foresight(view: Any, then: Outlook, kind: int, stacks: Any, times: Any, out: Any, at: int) -> int:
    """Play the race on from the table that the own action has led to; ``stacks`` are used up. Returns the next free
    place."""
    pile0, pile1, rule = then.pile0, then.pile1, then.rule
    own_at, other_at = first_moves(view, kind, times)
    played0, played1, idle, step, spits = 0, 0, 0, 0, 0
    for look in LOOKS:
        while step < look and idle < SEATS:
            step += 1
            k = 0 if own_at <= other_at else 1
            choice = best_play(stacks, k, pile0, pile1, rule)
            if choice >= 0:
                done, card = PLAY, take_top(stacks, k, choice // SEATS)
                pile0, pile1 = (card, pile1) if choice % SEATS == 0 else (pile0, card)
                played0 += k == 0
                played1 += k == 1
            else:
                done = dig(stacks, k, NEAR[rule, pile0] | NEAR[rule, pile1])
            idle = idle + 1 if done < 0 else 0
            if idle == SEATS and spits == 0 and view.deck_card[0, 0] > 0 and view.deck_card[1, 0] > 0:
                pile0, pile1, idle, spits = int(view.deck_card[0, 0]) + 0, int(view.deck_card[1, 0]) + 0, 0, 1
            then_at = max(own_at, other_at) + 1 if done < 0 else (own_at if k == 0 else other_at) + times[k, done]
            own_at, other_at = (then_at, other_at) if k == 0 else (own_at, then_at)
        out[at], out[at + 1], out[at + 2] = played0 / 4.0, played1 / 4.0, 1.0 if idle >= SEATS else 0.0
        at += PLAYED
    own, other = cards_left(stacks, 0), cards_left(stacks, 1)
    out[at], out[at + 1] = own / 10.0, other / 10.0
    out[at + 2], out[at + 3] = 1.0 if own == 0 else 0.0, 1.0 if other == 0 else 0.0
    return at + 4
