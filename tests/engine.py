"""The compiled engine in the oracle's terms: one game, driven from outside, and its state as plain data."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from spit_env import race, verbs
from spit_env.batch import Batch
from spit_env.games import game_of_record
from spit_env.jit import entry
from spit_env.latency import Latency
from spit_env.ruleset import Rules
from spit_env.state import END_REASONS, IDLE, LOCKED, NEVER, NOOP, OPEN, PAUSE, RETURN, TRAVEL


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
    """One game, stepped by choices and times."""

    def __init__(
        self,
        rules: Rules,
        latencies: Sequence[Latency],
        seed: int,
        labels: Sequence[int] | None = None,
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
        asked = np.zeros(self.batch.game.seats, np.bool_)
        asked_seats(self.batch.state, deciding, asked)
        return [int(p) for p in np.flatnonzero(asked)]

    def legal(self, seat: int) -> list[int]:
        if seat not in self.asked(deciding=False):
            return [NOOP]
        mask = np.zeros(self.batch.game.actions, np.int8)
        legal_mask(self.batch.state, self.batch._past, seat, mask)
        return [int(a) for a in np.flatnonzero(mask)]

    def choose(self, seat: int, action: int) -> None:
        choose_action(self.batch.state, self.batch._past, seat, action)

    def snapshot(self) -> dict[str, object]:
        return snapshot(self.game)


def snapshot(g: Any) -> dict[str, object]:
    """A state record as the oracle tells it."""
    v: dict[str, Any] = dict(zip(g.dtype.names, (x.tolist() if hasattr(x, "tolist") else x for x in g.item())))
    return race_part(v) | GAME_PARTS[game_of_record(g).name](v)


def race_part(v: Mapping[str, Any]) -> dict[str, object]:
    """What all games have."""
    hands = list(enumerate(v["hand"]))
    same = ("time", "phase", "chooser", "winner", "progress_at", "changed_at", "raced", "tie_turn", "hand", "action",
            "card", "declined", "landings", "bounces", "think_n", "travel_n", "thought_ms", "moved_ms",
            "ties_n", "deal_n", "shuffle_n")  # fmt: skip
    return {name: v[name] for name in same} | {
        "round": v["rounds"], "end_reason": END_REASONS[v["end_reason"]],
        "phase_until": v["phase_until"] if v["phase"] in (LOCKED, PAUSE) else 0,
        "until": [0 if hand in (IDLE, OPEN) else v["until"][p] for p, hand in hands],
        "ask_at": [v["ask_at"][p] if hand == OPEN else 0 for p, hand in hands],
        "seen": marked(v["seen"]),
    }  # fmt: skip


def spit_part(v: Mapping[str, Any]) -> dict[str, object]:
    return {name: v[name] for name in ("stuck", "down", "budget", "consent")} | {
        "stacks": [piled(stacks, heights) for stacks, heights in zip(v["stack"], v["height"])],
        "decks": piled(v["deck"], v["deck_n"]), "piles": piled(v["pile"], v["pile_n"]), "known": marked(v["known"]),
    }  # fmt: skip


def speed_part(v: Mapping[str, Any]) -> dict[str, object]:
    flies = [hand in (TRAVEL, RETURN) and card >= 0 for hand, card in zip(v["hand"], v["card"])]
    same = ("held", "held_n", "starter", "top", "accepts", "unseen", "mixed", "score")
    return {name: v[name] for name in same} | {
        "stocks": piled(v["stock"], v["stock_n"]), "reserves": piled(v["reserve"], v["reserve_n"]),
        "piles": piled(v["pile"], v["pile_n"]),
        "named": [name if fly else -1 for name, fly in zip(v["named"], flies)],
    }  # fmt: skip


def california_part(v: Mapping[str, Any]) -> dict[str, object]:
    return {name: v[name] for name in ("top", "coverable", "unseen")} | {
        "stacks": [piled(stacks, heights) for stacks, heights in zip(v["stack"], v["height"])],
        "packs": piled(v["pack"], v["pack_n"]),
    }  # fmt: skip


def piled(cards: Sequence[list[int]], counts: Sequence[int]) -> list[list[int]]:
    return [heap[:count] for heap, count in zip(cards, counts)]


def marked(flags: Sequence[int]) -> list[int]:
    return [number for number, flag in enumerate(flags) if flag]


GAME_PARTS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, object]]] = {
    "spit": spit_part, "speed": speed_part, "california_speed": california_part,
}  # fmt: skip
