"""Boards in the notation of the rules catalogue (section 0), for tests of the oracle.

Seat 0 is Y, whose own pile is R; seat 1 is E, whose own pile is L. In a stack ``x`` is a face-down card, ``(J)`` a
face-down card whose rank matters, everything else is face up. ``"9(6)"`` is a pile of six with a nine on top.
"""

import re
from collections.abc import Sequence

from spit_env.cards import RANK_SYMBOLS, rank_of
from spit_env.latency import Latency, LogNormal
from spit_env.spit.rules import SpitRules
from tests import oracle_table as table
from tests.oracle import Oracle
from tests.oracle_race import NOOP, OPEN, RETURN, TRAVEL

EMMA = SpitRules()
PILES = "RL"  # by owner


def steady(think: float = 1, travel: float = 10, perception_ms: int = 0) -> Latency:
    """A player whose times never vary."""
    move = LogNormal(travel)
    return Latency(think=LogNormal(think), play=move, rearrange=move, flip=move, call=move, perception_ms=perception_ms)


class Pack:
    """Hands out cards of given ranks, each once, and then any others."""

    def __init__(self) -> None:
        self.left = list(range(52))

    def take(self, rank: str) -> int:
        card = next(c for c in self.left if RANK_SYMBOLS[rank_of(c)] == rank)
        self.left.remove(card)
        return card

    def fill(self, cards: Sequence[int | None]) -> list[int]:
        return [self.left.pop() if card is None else card for card in cards]


def board(
    y: str, e: str, piles: str, decks: tuple[int, int] = (5, 5), rules: SpitRules = EMMA, seed: int = 1,
    latencies: Sequence[Latency] = (steady(), steady()), wait_ms: int = 100,
) -> Oracle:  # fmt: skip
    """A game on this board; ``piles`` such as ``"L=9 R=K(3)"``, in which a pile may be left out."""
    pack = Pack()
    drawn: list[list[list[int | None]]] = []
    down = []
    for text in (y, e):
        slots = [re.findall(r"\(.\)|[^ -]", slot) for slot in text.split("|")]
        slots += [[] for _ in range(5 - len(slots))]
        down.append([sum(card in "x" or "(" in card for card in slot) for slot in slots])
        drawn.append([[None if c == "x" else pack.take(c.strip("()")) for c in slot] for slot in slots])
    heaps: list[list[int | None]] = [[], []]
    for name, rank, count in re.findall(r"([LR])=(.)(?:\((\d+)\))?", piles):
        heaps[PILES.index(name)] = [*[None] * (int(count or 1) - 1), pack.take(rank)]
    return Oracle.from_position(
        rules, latencies, seed,
        [[pack.fill(stack) for stack in stacks] for stacks in drawn], down,
        [pack.fill([None] * count) for count in decks],
        [pack.fill(heap) for heap in heaps], wait_ms=wait_ms,
    )  # fmt: skip


def name(game: Oracle, seat: int, action: int) -> str:
    if action in table.PLAYS:
        stack, pile = divmod(action - 1, 2)
        return f"P{stack + 1}{PILES[seat ^ pile]}"
    if action in table.FLIPS:
        return f"F{action - 10}"
    if action in table.REARRANGES:
        source, target = table.source_and_target(action)
        return f"{'C' if game.players[seat].stacks[target] else 'G'}{source + 1}>{target + 1}"
    if action >= table.PICKS:
        return "PICK " + PILES[seat ^ (action - table.PICKS)]
    return {NOOP: "NOOP", table.SPIT: "SPIT"}[action]


def moves(game: Oracle, seat: int = 0) -> set[str]:
    """All that is legal for a free hand of this seat, NOOP apart."""
    return {name(game, seat, action) for action in game.moves(seat)}


def launch(game: Oracle, seat: int, move: str) -> None:
    """Wait until the hand is open, then choose."""
    player = game.players[seat]
    for _ in range(10_000):
        if player.hand == OPEN or game.chooser == seat:
            break
        game.advance(game.time + 1)
    names = {name(game, seat, action): action for action in game.legal(seat)}
    game.choose(seat, names[move])


def act(game: Oracle, seat: int, move: str) -> None:
    """Choose as soon as the hand is open, and wait for the end of it."""
    launch(game, seat, move)
    game.advance(game.time)
    while game.players[seat].hand in (TRAVEL, RETURN):
        game.advance(game.time + 1)


def until(game: Oracle, *phases: int) -> None:
    """Let time pass, nobody choosing, until one of these phases."""
    for _ in range(200_000):
        if game.phase in phases:
            return
        game.advance(game.time + 1)
    raise AssertionError(f"no phase of {phases}")


def text(game: Oracle, seat: int) -> list[str]:
    """The stacks: face-down cards as x, others by rank."""
    player = game.players[seat]
    return [
        "x" * hidden + "".join(RANK_SYMBOLS[rank_of(card)] for card in stack[hidden:]) or "-"
        for stack, hidden in zip(player.stacks, player.down)
    ]


def tops(game: Oracle) -> str:
    """The tops and sizes of the piles, L first."""
    shown = [f"{RANK_SYMBOLS[rank_of(p[-1])]}({len(p)})" if p else "-(0)" for p in game.piles]
    return f"L={shown[1]} R={shown[0]}"


def sizes(game: Oracle) -> list[int]:
    """How many cards each seat holds in stacks, hand and deck."""
    return [sum(map(len, player.stacks)) + len(player.deck) + (player.card >= 0) for player in game.players]
