"""Games of Speed on given boards, played by the engine. Seats Y, E, F, G have the piles R, L, M, N in front of them."""

from collections.abc import Sequence
from typing import Any

from spit_env.cards import card_name
from spit_env.games import format_board, parse_board
from spit_env.latency import Latency
from spit_env.rules import make_rules
from spit_env.speed.text import SEAT_LETTERS
from tests.engine import Engine
from tests.oracle_boards import steady

STEADY = steady()


def board(
    *lines: str, rules: Any = "speed", seed: int = 1, latencies: Latency | Sequence[Latency] = STEADY,
    labels: Sequence[int] | None = None, **changes: Any,
) -> Engine:  # fmt: skip
    """A game on this board: a line for each seat, without its letter, and one for the piles. ``changes`` are to the
    rules."""
    values = make_rules(rules, **changes)
    text = "\n".join([*(f"{letter}: {line}" for letter, line in zip(SEAT_LETTERS, lines[:-1])), lines[-1]])
    times = [latencies] * values.seats if isinstance(latencies, Latency) else latencies
    return Engine(values, times, seed, labels, board=parse_board(text, values, seed))


def deal(
    rules: Any = "speed", seed: int = 1, labels: Sequence[int] | None = None, latency: Latency = STEADY,
    **changes: Any,
) -> Engine:  # fmt: skip
    """A game with a fresh deal."""
    values = make_rules(rules, **changes)
    return Engine(values, [latency] * values.seats, seed, labels)


def hand(game: Engine, seat: int = 0) -> str:
    """The hand by slot, ``-`` for an empty one."""
    return " ".join("-" if card < 0 else card_name(int(card)) for card in game.game.held[seat])


def pile(game: Engine, letter: str) -> str:
    """The pile with this letter as boards have it: its top and its size."""
    line = format_board(game.game).splitlines()[-1]
    heaps = dict(heap.split("=", 1) for heap in line.split("   "))
    return heaps[letter].partition(" r")[0]


def cards(game: Engine, name: str, seat: int) -> list[int]:
    """The cards of the stock, reserve or pile of a seat, bottom to top."""
    found: list[int] = game.game[name][seat, : game.game[f"{name}_n"][seat]].tolist()
    return found
