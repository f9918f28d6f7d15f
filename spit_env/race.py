"""The race core: clock, hands, flights, order of events. It knows no rule of any game.

A game is a record type and a module of verbs (`spit_env.verbs`) that implement its rules for that type; the core is
compiled against each. docs/race.md says in prose what this module does, in the same order.

Kernels trust their caller: bounds and legality are checked by the public classes.
"""

from typing import Any

from spit_env import verbs
from spit_env.jit import kernel
from spit_env.phases import coin, end_game, free_hand, seat_of, start_think, start_travel, touch
from spit_env.state import (
    DIRTY_ALL,
    DIRTY_MASK,
    DIRTY_TABLE,
    IDLE,
    LOCKED,
    MAX_IDLE_MS,
    MAX_ROUND_MS,
    NEVER,
    NOOP,
    OPEN,
    PAUSE,
    PICK,
    RACE,
    RETURN,
    SLAP,
    SOLO,
    THINK,
    TRAVEL,
    Game,
)  # fmt: skip

# --- One millisecond -------------------------------------------------------------------------------------------------


@kernel
def next_lander(g: Game) -> int:
    """Which of the travels that end now is next; -1 if none is left. Labels order the candidates, a coin decides."""
    seats = g.hand.shape[0]
    due = 0
    first = -1
    for p in range(seats):
        if g.hand[p] == TRAVEL and g.until[p] == g.time:
            due += 1
            first = p
    if due <= 1:
        return first
    if g.tie_break == 2 and one_pile_contested(g):
        turn = g.tie_turn
        g.tie_turn = 1 - turn
    else:
        turn = -1
    index = coin(g, due) if turn < 0 else (0 if turn == 0 else due - 1)
    for label in range(seats):
        p = seat_of(g, label)
        if g.hand[p] == TRAVEL and g.until[p] == g.time:
            if index == 0:
                return p
            index -= 1
    return first


@kernel
def one_pile_contested(g: Game) -> bool:
    """Whether all travels that end now are plays onto one pile."""
    pile = -1
    for p in range(g.hand.shape[0]):
        if g.hand[p] == TRAVEL and g.until[p] == g.time:
            aim = verbs.contested_pile(g, p)
            if aim < 0 or (pile >= 0 and aim != pile):
                return False
            pile = aim
    return True


@kernel
def land(g: Game, p: int, bounce: bool) -> None:
    """Judge the travel of seat p that ends now."""
    follow_up = verbs.arrive(g, p, bounce)
    if g.hand[p] != TRAVEL:
        return  # the landing changed the phase, which freed the hand
    touch(g, DIRTY_TABLE)
    if follow_up < 0:
        g.bounces[p] += 1
        g.hand[p] = RETURN
        g.until[p] = g.time + (g.travel_ms[p] if g.return_ms < 0 else g.return_ms)
    elif follow_up > 0:
        g.card[p] = -1
        start_travel(g, p, follow_up, verbs.launch(g, g, p, follow_up))
    else:
        free_hand(g, p)


@kernel
def meets(g: Game, p: int, q: int) -> bool:
    """Whether the travels of two seats end now, both as plays onto one pile."""
    if g.hand[p] != TRAVEL or g.until[p] != g.time or g.hand[q] != TRAVEL or g.until[q] != g.time:
        return False
    pile = verbs.contested_pile(g, p)
    return bool(pile >= 0 and pile == verbs.contested_pile(g, q))


@kernel
def land_all(g: Game) -> None:
    """End the travels that are due now, one after the other."""
    seats = g.hand.shape[0]
    if g.tie_break == 1:  # both_return: all plays that meet on one pile bounce
        meeting = 0  # a bit for each seat
        for p in range(seats):
            for q in range(seats):
                if p != q and meets(g, p, q):
                    meeting |= 1 << p
        for label in range(seats):
            p = seat_of(g, label)
            if (meeting >> p) & 1:
                land(g, p, True)
    while True:
        p = next_lander(g)
        if p < 0:
            return
        land(g, p, False)


@kernel
def hands_still(g: Game) -> bool:
    """No card is in flight or on its way back, and no hand is otherwise under way."""
    for p in range(g.hand.shape[0]):
        if g.hand[p] == TRAVEL or g.hand[p] == RETURN:
            return False
    return True


@kernel
def table_seen(g: Game, past: Any, p: int) -> Game:
    """The table as seat p sees it."""
    if g.perception[p] == 0 or g.phase != RACE:
        return g
    return past[max(0, g.look[p]) % past.shape[0]]


@kernel
def happen(g: Game, past: Any) -> None:
    """Let everything happen that is due at this millisecond, apart from settling."""
    now = g.time
    landing = False
    thinking = False
    for p in range(g.hand.shape[0]):
        if g.until[p] == now and g.hand[p] >= THINK and g.hand[p] != OPEN:
            landing |= g.hand[p] != THINK
            thinking |= g.hand[p] == THINK
    if landing:
        land_all(g)
        for p in range(g.hand.shape[0]):
            if g.hand[p] == RETURN and g.until[p] == now:
                verbs.put_back(g, p)
                free_hand(g, p)
                touch(g, DIRTY_TABLE)
    if g.looks > 0:
        look(g, past)
    if thinking:
        for p in range(g.hand.shape[0]):
            if g.hand[p] == THINK and g.until[p] == now:
                free_hand(g, p)
                if verbs.can_act(g, table_seen(g, past, p), p):
                    g.hand[p] = OPEN
                    g.ask_at[p] = now
    if (g.phase == LOCKED or g.phase == PAUSE) and g.phase_until <= now and hands_still(g):
        verbs.end_pause(g)


@kernel
def next_look(g: Game, past: Any, p: int) -> int:
    """When the seat's delayed view changes."""
    if g.look[p] + 1 >= g.looks:
        return NEVER
    return int(past[(g.look[p] + 1) % past.shape[0]].changed_at + g.perception[p])


@kernel
def look(g: Game, past: Any) -> None:
    """Perception: let each delayed player see the snapshots whose time has come."""
    for p in range(g.hand.shape[0]):
        if g.perception[p] > 0:
            seen = g.look[p]
            low = g.looks - past.shape[0]  # older ones are overwritten
            if g.look[p] < low:
                g.look[p] = low
            while (
                g.look[p] + 1 < g.looks and past[(g.look[p] + 1) % past.shape[0]].changed_at + g.perception[p] <= g.time
            ):
                g.look[p] += 1
            if g.look[p] != seen:
                g.dirty[p] = DIRTY_ALL
                if g.hand[p] == OPEN and g.phase == RACE:
                    g.ask_at[p] = g.time


@kernel
def settle(g: Game, past: Any) -> None:
    """After the events of a millisecond or a choice: guards, stuck, stall, and who starts or stops thinking."""
    if g.phase == RACE:
        if g.raced + g.time - g.race_from >= g.max_round_ms:
            end_game(g, -1, MAX_ROUND_MS)
        elif g.time - g.changed_at >= g.max_idle_ms:
            end_game(g, -1, MAX_IDLE_MS)
        elif hands_still(g):
            if g.changed_at == g.time:
                settle_stuck(g)
            if g.phase == RACE and g.stall_ms > 0 and g.must_play == 0 and g.time - g.progress_at >= g.stall_ms:
                settle_stall(g)
        if g.must_play != 0 and g.time - g.progress_at >= g.stall_ms:
            for p in range(g.hand.shape[0]):
                g.dirty[p] |= DIRTY_MASK
    elif g.phase == SLAP and g.time - g.phase_until >= slap_limit(g):
        verbs.end_slap(g)
    if g.round_over != 0:
        g.round_over = 0
        verbs.next_round(g)
    if g.phase == RACE or g.phase == SLAP or g.phase == LOCKED:
        for label in range(g.hand.shape[0]):
            p = seat_of(g, label)
            if g.hand[p] != IDLE and g.hand[p] != OPEN:
                continue
            v = table_seen(g, past, p)
            able = verbs.can_act(g, v, p)
            if g.hand[p] == OPEN and not able:
                free_hand(g, p)
            elif g.hand[p] == IDLE and able:
                start_think(g, v, p)


@kernel
def settle_stuck(g: Game) -> None:
    """No hand is under way on a table that has just changed: is it stuck?"""
    for p in range(g.hand.shape[0]):
        if not verbs.is_stuck(g, p):
            return
    verbs.table_stuck(g, False)


@kernel
def settle_stall(g: Game) -> None:
    """Nothing has come of this table for a long time: do all who could do something let it lie?"""
    lying = False
    for p in range(g.hand.shape[0]):
        if verbs.can_act(g, g, p):
            if g.hand[p] != OPEN or g.declined[p] == 0:
                return
            lying = True
    if lying:
        verbs.table_stuck(g, True)


@kernel
def slap_limit(g: Game) -> int:
    """How long a slap race may wait for a hand."""
    return int(g.stall_ms if g.stall_ms > 0 else g.max_idle_ms)


# --- Stepping --------------------------------------------------------------------------------------------------------


@kernel
def next_time(g: Game, past: Any, deciding: bool) -> int:
    """When something can next happen."""
    t = NEVER
    for p in range(g.hand.shape[0]):
        if g.hand[p] == OPEN:
            if deciding:
                t = min(t, max(g.ask_at[p], g.time + 1))
        elif g.hand[p] != IDLE:
            t = min(t, g.until[p])
        if g.perception[p] > 0:
            t = min(t, next_look(g, past, p))
    if g.phase == RACE:
        t = min(t, g.race_from + g.max_round_ms - g.raced)
        t = min(t, g.changed_at + g.max_idle_ms)
        if g.stall_ms > 0 and g.progress_at + g.stall_ms > g.time:
            t = min(t, g.progress_at + g.stall_ms)
    elif g.phase == SLAP:
        t = min(t, g.phase_until + slap_limit(g))
    elif g.phase_until > g.time:
        t = min(t, g.phase_until)
    return int(max(t, g.time + 1))


@kernel
def is_asked(g: Game, p: int, deciding: bool) -> bool:
    """Whether seat p may choose now."""
    if g.phase == PICK or g.phase == SOLO:
        return bool(g.chooser == p)
    return bool(g.hand[p] == OPEN and (not deciding or g.ask_at[p] <= g.time))


@kernel
def any_asked(g: Game) -> bool:
    """Whether decision stepping must stop here."""
    for p in range(g.hand.shape[0]):
        if is_asked(g, p, True):
            return True
    return False


@kernel
def choose(g: Game, v: Game, p: int, action: int) -> None:
    """A legal choice of a player who is asked and sees the table v. Takes effect now; settling follows when time moves
    on."""
    g.choice_n[p] += 1
    if g.phase == PICK or g.phase == SOLO:
        verbs.choose_outside(g, p, action)
    elif action == NOOP:
        g.declined[p] = 1
        g.ask_at[p] = g.time + g.wait_ms
    else:
        kind = verbs.launch(g, v, p, action)
        start_travel(g, p, action, kind)
        touch(g, DIRTY_TABLE)


@kernel
def snapshot(g: Game, past: Any) -> None:
    """Perception: keep the table as it is after a visible change."""
    if past.shape[0] > 1:
        if g.looks == 0 or past[(g.looks - 1) % past.shape[0]].changed_at < g.changed_at:
            g.looks += 1
        past[(g.looks - 1) % past.shape[0]] = g


@kernel
def advance(g: Game, past: Any, until: int, deciding: bool, single: bool) -> None:
    """Let time pass up to ``until``; stop early if (deciding) a player is asked, or (single) after one event."""
    while g.paused == 0:
        settle(g, past)
        snapshot(g, past)
        if g.phase >= PICK or g.phase == SOLO or (deciding and any_asked(g)):
            return
        t = next_time(g, past, deciding)
        if t > until:
            g.time = until
            return
        g.time = t
        happen(g, past)
        if single:
            settle(g, past)
            snapshot(g, past)
            return
