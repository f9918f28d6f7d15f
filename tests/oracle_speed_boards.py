"""Boards of Speed for tests of the oracle.

Cards are written as ranks, ``*`` for a joker; piles and seats by number. A move is a rank and the pile that it goes
to, ``7>0``; a joker says whether it is the rank below or above, ``*>0-``; else ``draw`` or ``call``.
"""

from collections.abc import Sequence

from spit_env.cards import RANK_SYMBOLS
from spit_env.latency import Latency
from spit_env.speed.rules import SpeedRules
from tests.oracle_boards import steady
from tests.oracle_race import NOOP, OPEN, RETURN, TRAVEL
from tests.oracle_speed import SpeedOracle
from tests.oracle_speed_table import is_joker, rank

SYMBOLS = RANK_SYMBOLS + "*"
MANUAL = SpeedRules(refill="manual")
THREE = SpeedRules(n_players=3, stock=6, refill="manual")
ROW = SpeedRules(layout="row4", decks=2, stock=48, reserve=0, starters=0, refill="manual")
DEAD = "9TJQK"  # a hand with nothing for piles of 2 to 7


class Pack:
    """Hands out cards of given ranks, each once, and then any others but jokers."""

    def __init__(self, decks: int) -> None:
        self.left = [*range(52 * decks), *range(104, 108)]

    def take(self, ranks: str) -> list[int]:
        cards = []
        for symbol in ranks:
            cards.append(next(card for card in self.left if SYMBOLS[rank(card)] == symbol))
            self.left.remove(cards[-1])
        return cards

    def any(self, count: int) -> list[int]:
        taken = [card for card in self.left if not is_joker(card)][:count]
        self.left = [card for card in self.left if card not in taken]
        return taken


def board(
    hands: str, piles: str, stocks: Sequence[int] | None = None, reserves: Sequence[int] | None = None,
    rules: SpeedRules = MANUAL, seed: int = 1, latencies: Sequence[Latency] | None = None, under: Sequence[int] = (),
    wait_ms: int = 100,
) -> SpeedOracle:  # fmt: skip
    """A game on this board; ``hands`` such as ``"7K392 34"``, ``piles`` such as ``"6 A"``, ``under`` so many cards
    under the top of each."""
    pack = Pack(rules.decks)
    held = [pack.take("" if hand == "-" else hand) for hand in hands.split()]
    tops = [pack.take(top) for top in piles.split()]
    seats = range(len(held))
    stock = [pack.any(stocks[i]) if stocks else [] for i in seats]
    pile = [(pack.any(under[i]) if under else []) + tops[i] for i in seats]
    game = SpeedOracle(rules, latencies or [steady() for _ in seats], seed, wait_ms=wait_ms)
    game.set_up({
        "held": [cards + [-1] * (5 - len(cards)) for cards in held], "stocks": stock, "piles": pile,
        "reserves": [pack.any(reserves[i] if reserves else 5) for i in seats],
        "seen": [card for heap in pile for card in heap], "deal_n": 0,
    })  # fmt: skip
    return game


def name(game: SpeedOracle, seat: int, action: int) -> str:
    if not game.is_play(action):
        return {NOOP: "noop", game.draw: "draw", game.call: "call"}[action]
    slot, pile, above = game.play_of(seat, action)
    card = game.players[seat].slots[slot]
    assert card is not None
    how = "+" if above else "-"
    return f"{SYMBOLS[rank(card)]}>{pile}" + (how if is_joker(card) else "")


def moves(game: SpeedOracle, seat: int = 0) -> set[str]:
    """All that is legal for a free hand of this seat, NOOP apart."""
    return {name(game, seat, action) for action in game.moves(seat)}


def launch(game: SpeedOracle, seat: int, move: str) -> None:
    """Wait until the hand is open, then choose."""
    for _ in range(10_000):
        if game.players[seat].hand == OPEN:
            break
        game.advance(game.time + 1)
    names = {name(game, seat, action): action for action in game.legal(seat)}
    game.choose(seat, names[move])


def act(game: SpeedOracle, seat: int, move: str) -> None:
    """Choose as soon as the hand is open, and wait for the end of it."""
    launch(game, seat, move)
    game.advance(game.time)
    while game.players[seat].hand in (TRAVEL, RETURN):
        game.advance(game.time + 1)


def hand(game: SpeedOracle, seat: int = 0) -> str:
    """The hand by slots, a hyphen for an empty one."""
    return "".join("-" if card is None else SYMBOLS[rank(card)] for card in game.players[seat].slots)


def tops(game: SpeedOracle) -> str:
    """What the piles show, and how many cards they have."""
    shown = [f"{'-' if top is None else SYMBOLS[top]}({len(pile)})" for top, pile in zip(game.tops, game.piles)]
    return " ".join(shown)
