"""Imagining a world: a whole state record that agrees with what one player sees; what is hidden is made up.

In an imagined world the observer sits in seat 0. Cards that the view tells lie where it tells; the others are a random
permutation of those that are left. Times that the view rounds, and the others' think times, which it hides, are drawn
anew. Everybody sees without delay.
"""

from typing import Any

from spit_agents.chance import below, next_word, usual_ms
from spit_env import verbs
from spit_env.draws import exponential, log_normal_ms
from spit_env.jit import kernel, verb
from spit_env.latency import THINK as THINK_KIND
from spit_env.scales import IDLE_UNIT_MS, SPREAD_UNIT, TIME_UNIT_MS
from spit_env.state import IDLE, LOCKED, PAUSE, PICK, RACE, SLAP, SOLO, THINK, Game

HIDDEN = -1  # the card of a place that the view does not tell
NOW = 1_000_000  # the time in every imagined world
_LONG_MS = 5_000


@verb
def imagine(w: Game, view: Any, seed: int) -> None:
    """Make a state record that holds the rules and nothing else a world that agrees with the view of a player who is
    asked. ``seed``: a 63-bit number, from which everything that the view does not tell is drawn."""


@kernel
def imagine_clock(w: Game, view: Any, seed: int) -> None:
    """The seed, the phase, times and speeds."""
    w.seed = seed
    w.time = NOW
    w.wait_ms = w.stall_ms if w.stall_ms > 0 else _LONG_MS
    w.phase = view.phase
    w.rounds = view.rounds
    w.progress_at = w.changed_at = w.race_from = NOW - IDLE_UNIT_MS * int(view.idle)
    w.phase_until = NOW
    if w.phase == LOCKED or w.phase == PAUSE:
        w.phase_until += 1 + below(int(seed) & 0xFFFFFFFF, w.spit_pause_ms)
    for k in range(w.hand.shape[0]):
        for kind in range(w.latency.shape[1]):
            w.latency[k, kind, 1] = usual_ms(view, k, kind)
            w.latency[k, kind, 2] = SPREAD_UNIT * view.spread[k, kind]
    w.hand[0] = view.hand[0]
    w.ask_at[0] = NOW
    if w.phase == PICK or w.phase == SOLO:
        w.chooser = 0


@kernel
def imagine_flight(w: Game, view: Any, k: int, action: int, kind: int, word: int) -> None:
    """The hand of player k is seen to be under way with this action, or returning from it."""
    w.hand[k] = view.hand[k]
    w.action[k] = action
    left = max(1, TIME_UNIT_MS * int(view.flight_left[k]) - below(word, TIME_UNIT_MS))
    w.until[k] = NOW + left
    word = next_word(word)
    w.travel_ms[k] = max(left, log_normal_ms(word, 0.0, w.latency[k, kind, 1], w.latency[k, kind, 2]))


@kernel
def imagine_thoughts(w: Game, word: int) -> None:
    """The others, if their hands rest and they could act, are thinking. For how much longer is drawn as for somebody
    who is met at any time: long thoughts are met more often, and any moment of one is as likely as another."""
    if w.phase != RACE and w.phase != SLAP and w.phase != LOCKED:
        return
    for k in range(1, w.hand.shape[0]):
        if w.hand[k] == IDLE and verbs.can_act(w, w, k):
            median, sigma = w.latency[k, THINK_KIND, 1], w.latency[k, THINK_KIND, 2]
            word = next_word(word)
            ms = log_normal_ms(word, 0.0, median * exponential(sigma * sigma), sigma)
            word = next_word(word)
            w.hand[k] = THINK
            w.until[k] = NOW + 1 + below(word, ms)


@kernel
def shuffle_part(cards: Any, first: int, end: int, word: int) -> int:
    """Shuffle the cards from index ``first`` up to ``end``; returns the next word."""
    for i in range(end - 1, first, -1):
        word = next_word(word)
        j = first + below(word, i + 1 - first)
        cards[i], cards[j] = cards[j], cards[i]
    return word
