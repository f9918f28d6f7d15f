"""Boards in the notation of the rules catalogue (section 0), played by the engine.

Seat 0 is Y, whose own pile is R; seat 1 is E, whose own pile is L.
"""

import re
from collections.abc import Sequence
from typing import Any

from spit_env.cards import RANK_SYMBOLS, rank_of
from spit_env.games import parse_board
from spit_env.latency import Latency
from spit_env.spit.moves import target_of
from spit_env.spit.rules import SpitRules
from spit_env.spit.state import FIRST_MOVE, SPIT
from spit_env.spit.text import move_name, parse_move
from spit_env.state import NOOP, PICK, RETURN, THINK, TRAVEL
from tests.engine import Engine
from tests.oracle_boards import steady
from tests.spit_rules import make_rules

SLOW = 10_000_000  # think times that outlast any test


def new_game(
    rules: Any = "emma", seed: int = 1, labels: Sequence[int] = (0, 1), latency: Latency | None = None
) -> Engine:
    """A game with a fresh deal."""
    return Engine(make_rules(rules), [latency or steady()] * 2, seed, labels)


def board(
    y: str, e: str, piles: str, decks: tuple[int | str, int | str] = (5, 5), rules: str | SpitRules = "emma",
    seed: int = 1, latencies: Sequence[Latency] = (steady(), steady()), labels: Sequence[int] = (0, 1),
    wait_ms: int = 100, **changes: Any,
) -> Engine:  # fmt: skip
    """A game on this board; in ``piles`` one may be left out, ``changes`` are to the rules."""
    both = dict.fromkeys("LR", "-") | dict(re.findall(r"([LR])=(\[[^]]*\]|\S+)", piles))
    text = f"Y: {y}   d{decks[0]}\nE: {e}   d{decks[1]}\nL={both['L']} R={both['R']}"
    values = make_rules(rules, **changes)
    return Engine(values, latencies, seed, labels, wait_ms, parse_board(text, values, seed))


def name(game: Engine, seat: int, action: int) -> str:
    """A move as the catalogue writes it: combining and filling have letters of their own."""
    text = move_name(action, seat)
    if FIRST_MOVE <= action < SPIT:
        return ("C" if game.game.height[seat, target_of(action)] else "G") + text[1:]
    return text


def think(game: Engine, seat: int) -> None:
    """Let the seat's hand come to the end of its thinking."""
    while game.game.hand[seat] == THINK:
        game.advance(int(game.game.until[seat]))


def moves(game: Engine, seat: int = 0) -> set[str]:
    """All that is legal for the seat once it has thought, waiting apart."""
    think(game, seat)
    assert game.game.hand[seat] not in (TRAVEL, RETURN), "the hand is busy"
    return {name(game, seat, action) for action in game.legal(seat) if action != NOOP}


def launch(game: Engine, seat: int, move: str) -> None:
    """Choose as soon as the hand is open; ``-`` waits."""
    think(game, seat)
    action = parse_move(move, seat)
    assert action in game.legal(seat), f"{move} is not legal for seat {seat}: {sorted(moves(game, seat))}"
    game.choose(seat, action)
    if game.game.phase == PICK:
        wait(game, 0)  # the next round is dealt when the choice is settled


def act(game: Engine, seat: int, move: str) -> None:
    """Choose as soon as the hand is open, and wait for the end of it."""
    launch(game, seat, move)
    game.advance(int(game.game.time))
    while game.game.hand[seat] in (TRAVEL, RETURN):
        game.advance(int(game.game.until[seat]))


def wait(game: Engine, ms: int) -> None:
    """Let so much time pass, nobody choosing."""
    game.advance(int(game.game.time) + ms)


def until(game: Engine, *phases: int) -> None:
    """Let time pass, nobody choosing, until one of these phases."""
    for _ in range(10_000):
        if game.game.phase in phases:
            return
        game.advance(single=True)
    raise AssertionError(f"no phase of {phases}")


def text(game: Engine, seat: int = 0) -> list[str]:
    """The stacks: face-down cards as x, others by rank."""
    g = game.game
    return [
        "x" * g.down[seat, s] + ranks(g.stack[seat, s, g.down[seat, s] : g.height[seat, s]]) or "-" for s in range(5)
    ]


def ranks(cards: Any) -> str:
    """Cards by rank."""
    return "".join(RANK_SYMBOLS[rank_of(int(card))] for card in cards)


def tops(game: Engine) -> str:
    """The tops and sizes of the piles, L first."""
    g = game.game
    shown = [f"{ranks(g.pile[p, n - 1 : n])}({n})" if (n := int(g.pile_n[p])) else "-(0)" for p in (1, 0)]
    return f"L={shown[0]} R={shown[1]}"


def sizes(game: Engine) -> list[int]:
    """How many cards each seat holds in stacks, hand and deck."""
    g = game.game
    return [int(g.height[p].sum() + g.deck_n[p] + (g.card[p] >= 0)) for p in (0, 1)]


def held(game: Engine, seat: int) -> list[int]:
    """The cards of a seat after a deal by stack, in the order in which they were drawn: the deck before the deal."""
    g = game.game
    laid = [int(card) for s in range(5) for card in g.stack[seat, s, : g.height[seat, s]]]
    return laid + g.deck[seat, : g.deck_n[seat]].tolist()[::-1]


def heights(game: Engine, seat: int = 0) -> list[int]:
    """The stacks' sizes, gaps left out."""
    return [int(h) for h in game.game.height[seat] if h]


def pile_sizes(game: Engine) -> list[int]:
    """The piles' sizes, Y's first."""
    return [int(n) for n in game.game.pile_n]
