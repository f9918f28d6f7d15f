"""What a player may do, and what it does when it lands. docs/speed.md, "Moves"."""

from typing import Any

from spit_env import phases, verbs
from spit_env.cards import FIRST_JOKER, JOKER, RANKS, rank_of
from spit_env.jit import entry, implement, kernel
from spit_env.latency import CALL, PLAY, REARRANGE
from spit_env.speed.rounds import deal_won
from spit_env.speed.state import (
    AUTO,
    DIRTY_UNSEEN,
    FIRST_PLAY,
    NO_TOP,
    SLOTS,
    STATE,
    STRICT,
    call_action,
    draw_action,
    first_high,
)
from spit_env.speed.table import fill_slot, hold, is_out, put_on_pile, reveal, take
from spit_env.state import FINISHED, NOOP, RACE, Game


@entry
def slot_of(action: int, seats: int) -> int:
    """The slot whose card a PLAY takes."""
    return (action - FIRST_PLAY) % (SLOTS * seats) // seats


@entry
def pile_number(action: int, seats: int) -> int:
    """The pile that a PLAY aims at, as its player counts."""
    return (action - FIRST_PLAY) % seats


@kernel
def joker_name(top: int, above: bool, ace_wrap: int) -> int:
    """The rank that a joker is named on a pile that shows `top`: the one below it or above it. On a joker without a
    name it has none either (`JOKER`); -1 if there is no such rank (A-38)."""
    if top in (NO_TOP, JOKER):
        return -1 if above else top
    name = top + 1 if above else top - 1
    if 0 <= name < RANKS:
        return name
    return (name + RANKS) % RANKS if ace_wrap != 0 else -1


@kernel
def leaves_jokers(g: Game, p: int, card: int) -> bool:
    """Whether playing a card of the hand breaks the rule that a joker is nobody's last card (S2-20, A-39)."""
    naturals = 0
    for slot in range(SLOTS):
        naturals += 0 <= g.held[p, slot] < FIRST_JOKER
    if card >= FIRST_JOKER:
        return bool(naturals == 0 and g.stock_n[p] == 0)
    return bool(naturals == 1 and g.held_n[p] + g.stock_n[p] > 1)


@kernel
def legal_plays(g: Game, v: Game, p: int, slot: int) -> int:
    """What may be played from a slot, as bits: bit k onto the pile that p counts as k, a joker as the rank below; bit
    seats + k a joker as the rank above."""
    card = int(g.held[p, slot])
    if card < 0 or (g.jokers > 0 and leaves_jokers(g, p, card)):
        return 0
    seats = g.hand.shape[0]
    bits = 0
    for k in range(seats):
        pile = phases.seat_after(g, p, k)
        if card < FIRST_JOKER:
            bits |= ((v.accepts[pile] >> rank_of(card)) & 1) << k
        else:
            for above in range(2):
                if joker_name(v.top[pile], above != 0, g.ace_wrap) >= 0:
                    bits |= 1 << (seats * above + k)
    return bits


@kernel
def may_draw(g: Game, p: int) -> bool:
    """Whether there is room in the hand and a card in the stock (S2-10, S2-14)."""
    return bool(g.held_n[p] < g.hand_size and g.stock_n[p] > 0)


@kernel
def may_call(g: Game, p: int) -> bool:
    """Whether the player has nothing left to do but to say so (S2-16)."""
    return bool(g.announce != 0 and is_out(g, p))


@implement(verbs.can_act, STATE)
def can_act(g: Game, v: Game, p: int) -> bool:
    """See the verb."""
    if g.phase != RACE:
        return False
    if may_draw(g, p) or may_call(g, p):
        return True
    for slot in range(SLOTS):
        if legal_plays(g, v, p, slot) != 0:
            return True
    return False


@implement(verbs.is_stuck, STATE)
def is_stuck(g: Game, p: int) -> bool:
    """Nothing is legal, as the table really is (S2-11, A-35, A-41)."""
    return not verbs.can_act(g, g, p)


@implement(verbs.write_mask, STATE)
def write_mask(g: Game, v: Game, p: int, mask: Any) -> None:
    """See the verb; docs/speed.md has the table of actions."""
    seats = g.hand.shape[0]
    for a in range(mask.shape[0]):
        mask[a] = 0
    may_play = False
    for slot in range(SLOTS):
        bits = legal_plays(g, v, p, slot)
        if bits != 0:
            may_play = True
            for k in range(seats):
                mask[FIRST_PLAY + seats * slot + k] = (bits >> k) & 1
                mask[first_high(seats) + seats * slot + k] = (bits >> (seats + k)) & 1
    mask[draw_action(seats)] = may_draw(g, p)
    mask[call_action(seats)] = may_call(g, p)
    mask[NOOP] = not (may_play and g.must_play != 0 and g.time - g.progress_at >= g.stall_ms)


@entry
def kind_of(action: int, seats: int) -> int:
    """The kind of latency of an action."""
    if action == call_action(seats):
        return CALL
    return REARRANGE if action == draw_action(seats) else PLAY


@implement(verbs.contested_pile, STATE)
def contested_pile(g: Game, p: int) -> int:
    """The pile of a PLAY."""
    seats = g.hand.shape[0]
    a = g.action[p]
    return phases.seat_after(g, p, pile_number(a, seats)) if FIRST_PLAY <= a < draw_action(seats) else -1


@implement(verbs.launch, STATE)
def launch(g: Game, v: Game, p: int, action: int) -> int:
    """Take the card of a PLAY into the hand and name a joker (A-38)."""
    seats = g.hand.shape[0]
    kind = kind_of(action, seats)
    if kind != PLAY:
        return kind
    card = take(g, p, slot_of(action, seats))
    pile = phases.seat_after(g, p, pile_number(action, seats))
    g.card[p] = card
    g.pile_at_launch[p] = g.pile_n[pile]
    if card < FIRST_JOKER:
        g.named[p] = rank_of(card)
    else:
        g.named[p] = joker_name(v.top[pile], action >= first_high(seats), g.ace_wrap)
    reveal(g, card)
    return PLAY


@implement(verbs.put_back, STATE)
def put_back(g: Game, p: int) -> None:
    """The card in flight is again in its slot (A-11)."""
    if g.card[p] >= 0:
        hold(g, p, slot_of(g.action[p], g.hand.shape[0]), g.card[p])
        g.card[p] = -1


@implement(verbs.arrive, STATE)
def arrive(g: Game, p: int, bounce: bool) -> int:
    """Land, bounce, draw or call (docs/speed.md, "End of travel")."""
    seats = g.hand.shape[0]
    a = g.action[p]
    if a == call_action(seats):
        deal_won(g, p, FINISHED)
        return 0
    if a == draw_action(seats):
        fill_slot(g, p)
    else:
        pile = contested_pile(g, p)
        changed = g.land_check == STRICT and g.pile_n[pile] != g.pile_at_launch[p]
        if bounce or changed or not (g.accepts[pile] >> g.named[p]) & 1:
            return -1
        put_on_pile(g, pile, g.card[p], g.named[p])
        g.card[p] = -1
        g.dirty[p] |= DIRTY_UNSEEN  # who sees late does not see it on the pile yet
        g.landings[p] += 1
        g.progress_at = g.time
        if g.announce == 0 and is_out(g, p):
            deal_won(g, p, FINISHED)
            return 0
    return draw_action(seats) if g.refill == AUTO and may_draw(g, p) else 0
