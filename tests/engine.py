"""The compiled engine in the oracle's terms: one game, driven from outside, and its state as plain data."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from spit_env import race, verbs
from spit_env.batch import Batch
from spit_env.jit import entry
from spit_env.latency import Latency
from spit_env.rules import Rules
from spit_env.spit.state import ACTIONS
from spit_env.state import END_REASONS, IDLE, LOCKED, NEVER, OPEN, PAUSE


@entry
def advance_game(games: Any, past: Any, until: int, deciding: bool, single: bool) -> None:
    race.advance(games[0], past[0], until, deciding, single)


@entry
def choose_action(games: Any, p: int, action: int) -> None:
    race.choose(games[0], p, action)


@entry
def asked_seats(games: Any, deciding: bool, asked: Any) -> None:
    for p in range(asked.shape[0]):
        asked[p] = race.is_asked(games[0], p, deciding)


@entry
def legal_mask(games: Any, past: Any, p: int, mask: Any) -> None:
    verbs.write_mask(games[0], race.table_seen(games[0], past[0], p), p, mask)


class Engine:
    """One game of Spit, stepped by choices and times."""

    def __init__(
        self,
        rules: Rules,
        latencies: Sequence[Latency],
        seed: int,
        labels: Sequence[int] = (0, 1),
        wait_ms: int = 100,
        board: Any = None,
    ) -> None:
        self.batch = Batch(1, rules, list(latencies), wait_ms=wait_ms, tick_ms=1)
        boards = None if board is None else np.array([board])
        self.batch.reset([seed], labels=labels, boards=boards)

    @property
    def game(self) -> Any:
        return self.batch.games[0]

    def advance(self, until: int | None = None, stop_at_choice: bool = False, single: bool = False) -> None:
        advance_game(self.batch.games, self.batch.past, NEVER if until is None else until, stop_at_choice, single)

    def asked(self, deciding: bool = True) -> list[int]:
        asked = np.zeros(2, np.bool_)
        asked_seats(self.batch.games, deciding, asked)
        return [int(p) for p in np.flatnonzero(asked)]

    def legal(self, seat: int) -> list[int]:
        if seat not in self.asked(deciding=False):
            return [0]
        mask = np.zeros(ACTIONS, np.int8)
        legal_mask(self.batch.games, self.batch.past, seat, mask)
        return [int(a) for a in np.flatnonzero(mask)]

    def choose(self, seat: int, action: int) -> None:
        choose_action(self.batch.games, seat, action)

    def snapshot(self) -> dict[str, object]:
        return snapshot(self.game)


def snapshot(g: Any) -> dict[str, object]:
    """A state record as the oracle tells it."""
    seats, stacks = range(2), range(5)
    return {
        "time": int(g.time), "phase": int(g.phase), "round": int(g.rounds), "chooser": int(g.chooser),
        "winner": int(g.winner), "end_reason": END_REASONS[g.end_reason], "progress_at": int(g.progress_at),
        "phase_until": int(g.phase_until) if g.phase in (LOCKED, PAUSE) else 0, "stuck": int(g.stuck),
        "hand": g.hand.tolist(),
        "until": [0 if g.hand[p] in (IDLE, OPEN) else int(g.until[p]) for p in seats],
        "action": g.action.tolist(), "card": g.card.tolist(), "declined": g.declined.tolist(),
        "ask_at": [int(g.ask_at[p]) if g.hand[p] == OPEN else 0 for p in seats],
        "stacks": [[g.stack[p, s, : g.height[p, s]].tolist() for s in stacks] for p in seats],
        "down": g.down.tolist(),
        "decks": [g.deck[p, : g.deck_n[p]].tolist() for p in seats],
        "piles": [g.pile[p, : g.pile_n[p]].tolist() for p in seats],
        "think_n": g.think_n.tolist(), "travel_n": g.travel_n.tolist(),
        "ties_n": int(g.ties_n), "deal_n": int(g.deal_n), "shuffle_n": int(g.shuffle_n),
        "budget": g.budget.tolist(), "consent": g.consent.tolist(),
        "known": np.flatnonzero(g.known).tolist(), "seen": np.flatnonzero(g.seen).tolist(),
        "landings": g.landings.tolist(), "bounces": g.bounces.tolist(),
    }  # fmt: skip
