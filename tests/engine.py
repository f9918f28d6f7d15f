"""The compiled engine in the oracle's terms: one game, driven from outside, and its state as plain data."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from spit_env import race, verbs
from spit_env.batch import Batch
from spit_env.jit import entry
from spit_env.latency import Latency
from spit_env.spit.rules import SpitRules
from spit_env.spit.state import ACTIONS
from spit_env.state import END_REASONS, IDLE, LOCKED, NEVER, OPEN, PAUSE


@entry
def advance_game(games: Any, past: Any, until: int, deciding: bool, single: bool) -> None:
    race.advance(games[0], past[0], until, deciding, single)


@entry
def choose_action(games: Any, past: Any, p: int, action: int) -> None:
    race.choose(games[0], race.table_seen(games[0], past[0], p), p, action)


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
        rules: SpitRules,
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
        advance_game(self.batch.state, self.batch._past, NEVER if until is None else until, stop_at_choice, single)

    def asked(self, deciding: bool = True) -> list[int]:
        asked = np.zeros(2, np.bool_)
        asked_seats(self.batch.state, deciding, asked)
        return [p for p in (0, 1) if asked[p]]

    def legal(self, seat: int) -> list[int]:
        if seat not in self.asked(deciding=False):
            return [0]
        mask = np.zeros(ACTIONS, np.int8)
        legal_mask(self.batch.state, self.batch._past, seat, mask)
        return [int(a) for a in np.flatnonzero(mask)]

    def choose(self, seat: int, action: int) -> None:
        choose_action(self.batch.state, self.batch._past, seat, action)

    def snapshot(self) -> dict[str, object]:
        return snapshot(self.game)


def snapshot(g: Any) -> dict[str, object]:
    """A state record as the oracle tells it."""
    v: dict[str, Any] = dict(zip(g.dtype.names, (x.tolist() if hasattr(x, "tolist") else x for x in g.item())))
    seats, stacks = range(2), range(5)
    busy = [hand not in (IDLE, OPEN) for hand in v["hand"]]
    same = ("time", "phase", "chooser", "winner", "progress_at", "stuck", "hand", "action", "card", "declined", "down",
            "think_n", "travel_n", "ties_n", "deal_n", "shuffle_n", "budget", "consent", "landings",
            "bounces")  # fmt: skip
    return {name: v[name] for name in same} | {
        "round": v["rounds"], "end_reason": END_REASONS[v["end_reason"]],
        "phase_until": v["phase_until"] if v["phase"] in (LOCKED, PAUSE) else 0,
        "until": [v["until"][p] if busy[p] else 0 for p in seats],
        "ask_at": [v["ask_at"][p] if v["hand"][p] == OPEN else 0 for p in seats],
        "stacks": [[v["stack"][p][s][: v["height"][p][s]] for s in stacks] for p in seats],
        "decks": [v["deck"][p][: v["deck_n"][p]] for p in seats],
        "piles": [v["pile"][p][: v["pile_n"][p]] for p in seats],
        "known": [card for card, rank in enumerate(v["known"]) if rank],
        "seen": [card for card, seen in enumerate(v["seen"]) if seen],
    }  # fmt: skip
