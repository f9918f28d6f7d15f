"""What a player may do, and what it does when it lands. docs/spit.md, "Moves"."""

from typing import Any

from spit_env import phases, verbs
from spit_env.cards import rank_of
from spit_env.jit import entry, implement, kernel
from spit_env.latency import CALL, FLIP, PLAY, REARRANGE
from spit_env.spit.layout import (
    accepted,
    face_down_cards,
    pile_of,
    put_on_pile,
    put_on_stack,
    refill_budgets,
    reveal,
    set_top,
    stack_cards,
)
from spit_env.spit.rounds import begin_spit, round_won, take_piles
from spit_env.spit.state import (
    ACTIONS,
    FACE_DOWN,
    FIRST_FLIP,
    FIRST_MOVE,
    FIRST_PICK,
    FIRST_PLAY,
    GAP,
    SEATS,
    SPIT,
    STACKS,
    STATE,
)
from spit_env.state import DIRTY_TABLE, LOCKED, NOOP, PICK, RACE, SLAP, SOLO, Game


@kernel
def may_rearrange(g: Game, p: int) -> bool:
    """Whether combining and filling count as moves at all (S0-16, A-22)."""
    return g.budget[p] > 0 and (g.rearrange_needs_facedown == 0 or face_down_cards(g, p) > 0)


@kernel
def fits_move(g: Game, p: int, i: int, j: int) -> bool:
    """Whether the face-up top of stack i may go onto stack j (S0-13, S0-14, A-16)."""
    if g.top[p, j] == GAP:
        return bool(g.height[p, i] > 1 and g.phase == RACE)
    return bool(g.combine == 0 and g.top[p, i] == g.top[p, j])


@kernel
def can_rearrange(g: Game, p: int) -> bool:
    """Whether there is a legal combine or fill."""
    gap = loose = False
    ranks = 0
    for s in range(STACKS):
        t = int(g.top[p, s])  # a wide integer, also without the JIT: it is shifted by
        if t >= 0:
            if g.combine == 0 and (ranks >> t) & 1:
                return may_rearrange(g, p)
            ranks |= 1 << t
            loose |= g.height[p, s] > 1
        elif t == GAP:
            gap = True
    return bool(gap and loose and g.phase == RACE and may_rearrange(g, p))


@kernel
def may_spit(g: Game, p: int) -> bool:
    """Whether the player may call for a spit (C-17)."""
    return bool((g.spit_trigger == 1 and g.stuck != 0) or (g.spit_trigger == 2 and g.consent[p] == 0))


@implement(verbs.can_act, STATE)
def can_act(g: Game, v: Game, p: int) -> bool:
    """See the verb; a call for a spit is an action too."""
    if g.phase == SLAP:
        return True
    if g.phase == LOCKED:
        return g.prespit_combine != 0 and can_rearrange(g, p)
    bits = accepted(v)
    for s in range(STACKS):
        t = g.top[p, s]
        if t == FACE_DOWN or (t >= 0 and (bits >> t) & 1):
            return True
    return can_rearrange(g, p) or may_spit(g, p)


@implement(verbs.write_mask, STATE)
def write_mask(g: Game, v: Game, p: int, mask: Any) -> None:
    """See the verb; docs/spit.md has the table of actions."""
    for a in range(ACTIONS):
        mask[a] = 0
    mask[NOOP] = 1
    if g.phase == SOLO or g.phase == PICK or g.phase == SLAP:
        mask[NOOP] = 1 if g.phase == SLAP else 0
        for relative in range(SEATS):
            if g.pile_n[pile_of(p, relative)] > 0 or (g.phase == PICK and g.one_pile_finish == 1):
                mask[FIRST_PICK + relative] = 1
        return
    may_play = False
    if g.phase == RACE:
        for s in range(STACKS):
            t = g.top[p, s]
            if t == FACE_DOWN:
                mask[FIRST_FLIP + s] = 1
            elif t >= 0:
                for relative in range(SEATS):
                    if (v.accepts[pile_of(p, relative)] >> t) & 1:
                        mask[FIRST_PLAY + SEATS * s + relative] = 1
                        may_play = True
        if may_spit(g, p):
            mask[SPIT] = 1
    if can_rearrange(g, p):
        for i in range(STACKS):
            if g.top[p, i] >= 0:
                for j in range(STACKS):
                    if i != j and fits_move(g, p, i, j):
                        mask[FIRST_MOVE + (STACKS - 1) * i + (j if j < i else j - 1)] = 1
    if may_play and g.must_play != 0 and g.time - g.progress_at >= g.stall_ms:
        mask[NOOP] = 0


@entry
def source_of(action: int) -> int:
    """The stack that a PLAY, FLIP, COMBINE or FILL takes from or turns."""
    if action < FIRST_FLIP:
        return (action - FIRST_PLAY) // SEATS
    if action < FIRST_MOVE:
        return action - FIRST_FLIP
    return (action - FIRST_MOVE) // (STACKS - 1)


@entry
def target_of(action: int) -> int:
    """The stack that a COMBINE or FILL goes to."""
    i, j = source_of(action), (action - FIRST_MOVE) % (STACKS - 1)
    return j if j < i else j + 1


@entry
def kind_of(action: int) -> int:
    """The kind of latency of an action that takes time."""
    if action >= SPIT:
        return CALL
    if action >= FIRST_MOVE:
        return REARRANGE
    return FLIP if action >= FIRST_FLIP else PLAY


@implement(verbs.contested_pile, STATE)
def contested_pile(g: Game, p: int) -> int:
    """The pile of a PLAY."""
    a = g.action[p]
    return pile_of(p, (a - FIRST_PLAY) % SEATS) if FIRST_PLAY <= a < FIRST_FLIP else -1


@implement(verbs.launch, STATE)
def launch(g: Game, v: Game, p: int, action: int) -> int:
    """Take the card of a PLAY, COMBINE or FILL into the hand."""
    kind = kind_of(action)
    if kind in (CALL, FLIP):
        return kind
    s = source_of(action)
    g.height[p, s] -= 1
    g.card[p] = g.stack[p, s, g.height[p, s]]
    set_top(g, p, s)
    if kind == PLAY:
        g.pile_at_launch[p] = g.pile_n[pile_of(p, (action - FIRST_PLAY) % SEATS)]
    else:
        g.budget[p] -= 1
    return kind


@implement(verbs.put_back, STATE)
def put_back(g: Game, p: int) -> None:
    """The card in flight is again the top of its stack (A-11)."""
    if g.card[p] >= 0:
        s = source_of(g.action[p])
        put_on_stack(g, p, s, g.card[p])
        set_top(g, p, s)
        g.card[p] = -1


@implement(verbs.arrive, STATE)
def arrive(g: Game, p: int, bounce: bool) -> int:
    """Land, bounce, turn, move, call or slap (docs/spit.md, "End of travel")."""
    a = g.action[p]
    if a >= FIRST_PICK:
        take_piles(g, p, pile_of(p, a - FIRST_PICK))
        return 0
    if a == SPIT:
        if g.spit_trigger == 2:
            g.consent[p] = 1
        elif g.stuck != 0:
            begin_spit(g)
        return 0
    s = source_of(a)
    if a < FIRST_FLIP:
        pile = contested_pile(g, p)
        rank = rank_of(g.card[p])
        changed = g.land_check == 1 and g.pile_n[pile] != g.pile_at_launch[p]
        if bounce or changed or not (g.accepts[pile] >> rank) & 1:
            return -1
        put_on_pile(g, pile, g.card[p])
        g.card[p] = -1
        g.landings[p] += 1
        progress(g)
        if stack_cards(g, p) == 0:
            round_won(g, p, True)
            return 0
    elif a < FIRST_MOVE:
        g.down[p, s] -= 1
        reveal(g, g.stack[p, s, g.height[p, s] - 1], p)
        set_top(g, p, s)
        progress(g)
        return 0
    else:
        to = target_of(a)
        put_on_stack(g, p, to, g.card[p])
        g.card[p] = -1
        set_top(g, p, to)
    if g.flip == 1 and g.top[p, s] == FACE_DOWN:
        return FIRST_FLIP + s
    return 0


@kernel
def progress(g: Game) -> None:
    """A card has landed on a pile, or a card was flipped."""
    g.progress_at = g.time
    refill_budgets(g)
    phases.touch(g, DIRTY_TABLE)
