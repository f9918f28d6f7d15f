"""Changes that everybody sees: phases, hands set free or set out, coins. Shared by the core and the games."""

import numpy as np

from spit_env import verbs
from spit_env.draws import BITS, TIES, below, log_normal_ms, word
from spit_env.draws import THINK as THINK_STREAM
from spit_env.draws import TRAVEL as TRAVEL_STREAM
from spit_env.jit import kernel
from spit_env.latency import THINK as THINK_TIME
from spit_env.state import (
    DIRTY_ALL,
    DIRTY_MASK,
    IDLE,
    NOOP,
    OPEN,
    OVER,
    RACE,
    RETURN,
    THINK,
    TRAVEL,
    Game,
)

MOST_ACTIONS = 128  # no game has more


@kernel
def mark(g: Game, bits: int) -> None:
    """These parts of every observation are stale."""
    for p in range(g.hand.shape[0]):
        g.dirty[p] |= bits


@kernel
def touch(g: Game, bits: int) -> None:
    """A visible event: these parts of every observation are stale, and waiting players are asked again."""
    g.changed_at = g.time
    for p in range(g.hand.shape[0]):
        g.dirty[p] |= bits
        if g.hand[p] == OPEN and (g.perception[p] == 0 or g.phase != RACE):
            g.ask_at[p] = g.time


@kernel
def enter_phase(g: Game, phase: int, pause_ms: int) -> None:
    """Change the phase, free all hands and, for LOCKED and PAUSE, set the end of the pause."""
    if g.phase == RACE:
        g.raced += g.time - g.race_from
    g.phase = phase
    g.chooser = -1
    g.phase_until = g.time + pause_ms
    for p in range(g.hand.shape[0]):
        # What is left of a time that is cut off has not been spent; a game from an older file has not counted it.
        if g.hand[p] == THINK:
            g.thought_ms[p] = max(0, g.thought_ms[p] - (g.until[p] - g.time))
        elif g.hand[p] == TRAVEL:
            g.moved_ms[p] = max(0, g.moved_ms[p] - (g.until[p] - g.time))
        if g.hand[p] == TRAVEL or g.hand[p] == RETURN:
            verbs.put_back(g, p)
        free_hand(g, p)
    touch(g, DIRTY_ALL)


@kernel
def free_hand(g: Game, p: int) -> None:
    """The hand is idle, with nothing in it."""
    g.hand[p] = IDLE
    g.action[p] = NOOP
    g.card[p] = -1
    g.until[p] = 0
    g.ask_at[p] = 0
    g.declined[p] = 0
    g.dirty[p] |= DIRTY_MASK


@kernel
def enter_race(g: Game) -> None:
    """Start the race after a spit: the counted clock runs."""
    enter_phase(g, RACE, 0)
    g.race_from = g.time
    g.progress_at = g.time


@kernel
def end_game(g: Game, winner: int, reason: int) -> None:
    """The game is over; winner is -1 if it was cut off."""
    enter_phase(g, OVER, 0)
    g.winner = winner
    g.end_reason = reason


@kernel
def coin(g: Game, candidates: int) -> int:
    """A fair choice among this many candidates."""
    g.ties_n += 1
    return below(word(g.seed, TIES, g.ties_n - 1), candidates)


@kernel
def seat_of(g: Game, label: int) -> int:
    """The seat that has this label."""
    for p in range(g.label.shape[0]):
        if g.label[p] == label:
            return p
    return 0


@kernel
def coin_among(g: Game, candidates: int) -> int:
    """One of the seats whose bits are set, by a coin if they are several; -1 if there is none."""
    seats = g.label.shape[0]
    n = 0
    for p in range(seats):
        n += (candidates >> p) & 1
    index = coin(g, n) if n > 1 else 0
    for label in range(seats):
        p = seat_of(g, label)
        if (candidates >> p) & 1:
            if index == 0:
                return p
            index -= 1
    return -1


@kernel
def seat_after(g: Game, p: int, k: int) -> int:
    """The seat that is number k as seat p counts: 0 is p itself, 1 the next one."""
    q = p + k
    return q if q < g.hand.shape[0] else q - g.hand.shape[0]


@kernel
def legal_actions(g: Game, v: Game, p: int) -> int:
    """How many actions besides NOOP are legal for seat p, looking at the table v."""
    mask = np.zeros(MOST_ACTIONS, np.int8)
    verbs.write_mask(g, v, p, mask)
    n = 0
    for a in range(NOOP + 1, mask.shape[0]):
        n += mask[a]
    return n


@kernel
def start_think(g: Game, v: Game, p: int) -> None:
    """Seat p, looking at the table v, begins to think: draw how long it takes."""
    shift = g.latency[p, THINK_TIME, 0]
    if g.hick[p] > 0.0:
        shift += g.hick[p] * BITS[legal_actions(g, v, p) + 1]
    stream = THINK_STREAM + g.label[p]
    ms = log_normal_ms(
        word(g.seed, stream, g.think_n[p]), shift, g.latency[p, THINK_TIME, 1], g.latency[p, THINK_TIME, 2]
    )
    g.think_n[p] += 1
    g.thought_ms[p] += ms
    g.hand[p] = THINK
    g.until[p] = g.time + ms
    g.dirty[p] |= DIRTY_MASK


@kernel
def start_travel(g: Game, p: int, action: int, kind: int) -> None:
    """The hand sets out: draw how long it takes."""
    stream = TRAVEL_STREAM + g.label[p]
    ms = log_normal_ms(
        word(g.seed, stream, g.travel_n[p]), g.latency[p, kind, 0], g.latency[p, kind, 1], g.latency[p, kind, 2]
    )
    g.travel_n[p] += 1
    g.moved_ms[p] += ms
    g.hand[p] = TRAVEL
    g.declined[p] = 0
    g.action[p] = action
    g.travel_ms[p] = ms
    g.until[p] = g.time + ms
    g.dirty[p] |= DIRTY_MASK
