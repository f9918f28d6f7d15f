"""What a player may do, and what it does when it lands. docs/california.md, "Covering"."""

from typing import Any

from spit_env import phases, verbs
from spit_env.california.state import ACTIONS, FIRST_COVER, SEATS, STACKS, STATE
from spit_env.california.table import any_coverable, draw, make_coverable, match_place, put_on_pack, put_on_stack
from spit_env.jit import entry, implement, kernel
from spit_env.latency import PLAY
from spit_env.state import FINISHED, NOOP, RACE, Game


@entry
def place_of(p: int, action: int) -> int:
    """The place that seat p covers: STACKS * the row's seat + stack."""
    at = action - FIRST_COVER
    return (STACKS * p + at) % (SEATS * STACKS)


@kernel
def may_cover(g: Game, v: Game, p: int) -> bool:
    """Whether seat p, looking at the table v, has a card and a place for it."""
    return bool(g.pack_n[p] > 0 and any_coverable(v))


@implement(verbs.can_act, STATE)
def can_act(g: Game, v: Game, p: int) -> bool:
    """See the verb."""
    return g.phase == RACE and may_cover(g, v, p)


@implement(verbs.write_mask, STATE)
def write_mask(g: Game, v: Game, p: int, mask: Any) -> None:
    """See the verb; docs/california.md has the table of actions."""
    for a in range(ACTIONS):
        mask[a] = 0
    mask[NOOP] = 1
    if not may_cover(g, v, p):
        return
    for a in range(FIRST_COVER, ACTIONS):
        place = place_of(p, a)
        mask[a] = v.coverable[place // STACKS, place % STACKS]
    if g.must_play != 0 and g.time - g.progress_at >= g.stall_ms:
        mask[NOOP] = 0


def kind_of(action: int) -> int:
    """The kind of latency of an action: there is one."""
    return PLAY


@implement(verbs.contested_pile, STATE)
def contested_pile(g: Game, p: int) -> int:
    """The place that is to be covered."""
    return place_of(p, g.action[p])


@implement(verbs.launch, STATE)
def launch(g: Game, v: Game, p: int, action: int) -> int:
    """Take the top of the pack into the hand, face up, wherever it is to go."""
    g.card[p] = draw(g, p)
    return PLAY


@implement(verbs.put_back, STATE)
def put_back(g: Game, p: int) -> None:
    """The card in flight is again the top of the pack (CS-06)."""
    if g.card[p] >= 0:
        put_on_pack(g, p, g.card[p])
        g.card[p] = -1


@implement(verbs.arrive, STATE)
def arrive(g: Game, p: int, bounce: bool) -> int:
    """Cover the place, if it is still coverable (CS-04 to CS-06); the last card of a pack wins (CS-08)."""
    place = place_of(p, g.action[p])
    q, s = place // STACKS, place % STACKS
    if bounce or g.coverable[q, s] == 0:
        return -1
    before = g.top[q, s]
    put_on_stack(g, q, s, g.card[p])
    match_place(g, q, s)
    if g.doubles != 0 and g.top[q, s] == before:
        make_coverable(g, q, s)  # CS-10
    g.card[p] = -1
    g.landings[p] += 1
    g.progress_at = g.time
    if g.pack_n[p] == 0:
        phases.end_game(g, p, FINISHED)
    return 0
