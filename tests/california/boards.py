"""Games of California Speed on given boards, played by the engine. Seat 0 is Y, seat 1 is E."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from spit_env.california.check import pack_of, stack_of
from spit_env.cards import card_name
from spit_env.games import format_board, parse_board
from spit_env.latency import Latency, LogNormal
from spit_env.rules import make_rules
from tests.engine import Engine

SLOW = 60_000  # a time that outlasts any test


def steady(think: float = 1, travel: float = 10, perception_ms: int = 0) -> Latency:
    """A player whose times never vary."""
    return Latency(think=LogNormal(think), play=LogNormal(travel), perception_ms=perception_ms)


def board(
    y: str, e: str, rules: Any = "california", *, seed: int = 1, latencies: Sequence[Latency] = (steady(), steady()),
    labels: Sequence[int] = (0, 1), **changes: Any,
) -> Engine:  # fmt: skip
    """A game on this board; ``changes`` are to the rules."""
    values = make_rules(rules, **changes)
    return Engine(values, latencies, seed, labels, board=parse_board(f"Y: {y}\nE: {e}", values, seed))


def deal(rules: Any = "california", seed: int = 1, labels: Sequence[int] = (0, 1), **changes: Any) -> Engine:
    """A game with a fresh deal."""
    return Engine(make_rules(rules, **changes), (steady(), steady()), seed, labels)


def row(game: Engine, seat: int = 0) -> str:
    """The row of a seat as text, every card of it."""
    line = format_board(game.game, reveal=True).splitlines()[seat]
    return line[3:].partition("   p")[0]


def pack(game: Engine, seat: int = 0) -> str:
    """The pack of a seat, the top card first."""
    return names(pack_of(game.game, seat)[::-1])


def names(cards: Any) -> str:
    return " ".join(card_name(int(card)) for card in cards)


def coverable(game: Engine) -> set[str]:
    """The places that may be covered, as moves."""
    return {f"C{s + 1}{'YE'[q]}" for q, s in np.argwhere(game.game.coverable)}


def stacks(game: Engine, seat: int) -> list[list[int]]:
    """The cards of a row, each stack bottom to top."""
    return [stack_of(game.game, seat, s) for s in range(4)]
