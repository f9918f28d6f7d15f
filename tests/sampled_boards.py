"""Boards with few cards as text, for ends that dealt games seldom come to; the cards that are not named are drawn."""

import random

from spit_env.cards import RANK_SYMBOLS, SUIT_SYMBOLS
from spit_env.speed.rules import SpeedRules

PILES = {2: "RL", 3: "RLM", 4: "RLMN"}  # in front of each seat


def california_board(rng: random.Random) -> str:
    """Rows with gaps and short packs."""
    pack = [rank + suit for rank in RANK_SYMBOLS for suit in SUIT_SYMBOLS]
    rng.shuffle(pack)
    rows = []
    for seat in "YE":
        stacks = ["".join(pack.pop() for _ in range(rng.choice((0, 1, 1, 1, 2, 3)))) or "-" for _ in range(4)]
        rows.append(f"{seat}: {' | '.join(stacks)}   p{rng.choice((0, 1, 1, 2, 3, 5))}")
    return "\n".join(rows)


def speed_board(rng: random.Random, rules: SpeedRules) -> str:
    """Short hands and stocks, low piles and reserves, now and then a joker in a hand or on a pile."""
    seats = rules.n_players
    named = [rank + suit for rank in RANK_SYMBOLS for suit in SUIT_SYMBOLS]
    rng.shuffle(named)
    jokers = ["*c", "*d"][: rules.jokers]
    lines = []
    for letter in "YEFG"[:seats]:
        if rules.layout == "row4":
            hand = rng.choice((["-"] * 4, [named.pop(), "-", named.pop(), "-"]))
        else:
            hand = [rng.choice(("x", "-", "-")) for _ in range(5)]
            if jokers and rng.random() < 0.3:
                hand[0] = jokers.pop()
        out = set(hand) == {"-"} and not rules.announce
        lines.append(f"{letter}: {' '.join(hand)}   s{rng.choice((1, 1, 2) if out else (0, 0, 1, 2))}")
    piles = []
    for letter in sorted(PILES[seats]):
        top = jokers.pop() if jokers and rng.random() < 0.3 else named.pop()
        reserve = "" if rules.layout == "row4" else f" r{rng.choice((0, 0, 1, 2))}"
        piles.append(f"{letter}={top}({rng.randint(1, 3)}){reserve}")
    return "\n".join([*lines, "   ".join(piles)])
