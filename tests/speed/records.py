"""Records of Speed that no game has led to: cards dealt out at random over the places where they can lie."""

import random
from typing import Any

import numpy as np
from hypothesis import strategies as st

from spit_env.cards import JOKER, card_name
from spit_env.speed.board import parse_board
from spit_env.speed.check import derive, pack_of
from spit_env.speed.rules import SpeedRules
from spit_env.speed.state import blank, first_high
from spit_env.state import LOCKED, RACE, TRAVEL
from tests.sampled_rules import speed_rules

HEAPS = ("stock", "reserve", "pile")
NUMBERS = st.integers(0, 2**32 - 1)
JOKERS = SpeedRules(stock=16, jokers=2, match_score=40)
BOARD = "Y: 7c K 3 [9d] -   s3\nE: 8c 4h * 2d 6s   s[2h x 5]   +12\nL=[2s 6h] r3   R=* r[2c {7d} x]"


def random_rules(number: int) -> SpeedRules:
    """Rules with values at random."""
    return next(speed_rules(1, seed=number))


def random_record(rules: SpeedRules, number: int) -> Any:
    """A game at time 0, all hands idle; some cards of the pack may be missing."""
    rng = random.Random(number)
    record = blank(rules)
    cards = pack_of(rules.decks, rules.jokers)
    rng.shuffle(cards)
    seats, row, started = range(rules.n_players), rules.layout == "row4", rng.random() < 0.8
    for p in seats:
        record["score"][p] = rng.randrange(max(1, rules.match_score))
        for slot in range(int(record["hand_size"])):
            if slot == 0 or rng.random() < 0.8:
                record["held"][p, slot] = cards.pop()
                record["seen"][record["held"][p, slot]] = row or rng.random() < 0.3
        if started:
            lay(record, "pile", p, cards.pop())
            record["top"][p] = rng.randint(0, JOKER)  # the name of a joker, should one come to lie on top
        elif rules.starters:
            record["starter"][p] = cards.pop()
    places = [("stock", p) for p in seats] + [("pile", p) for p in seats if started]
    places += [("reserve", p) for p in seats if not row]
    for _ in range(rng.choice((0, 5, len(cards)))):
        name, i = rng.choice(places)
        lay(record, name, i, cards.pop())
        if name == "reserve":
            record["seen"][record[name][i, record[f"{name}_n"][i] - 1]] = rng.random() < 0.5
    derive(record)
    record["phase"] = RACE if started else LOCKED
    record["phase_until"] = 0 if started else rules.spit_pause_ms
    return record


def lay(record: Any, name: str, i: int, card: int) -> None:
    """A card on top of a stock, a pile or a reserve."""
    record[name][i, record[f"{name}_n"][i]] = card
    record[f"{name}_n"][i] += 1
    record["seen"][card] = name == "pile"


def in_flight(slot: int, pile: int, high: bool = False, board: str = BOARD, rules: SpeedRules = JOKERS) -> Any:
    """A game of two in which Y has just played the card of a slot (from 0 on) as the pile's number says."""
    record = parse_board(board, rules, 1)
    card = int(record["held"][0, slot])
    record["hand"][0], record["until"][0], record["card"][0] = TRAVEL, 100, card
    record["action"][0] = (first_high(2) if high else 1) + 2 * slot + pile
    record["held"][0, slot] = -1
    record["seen"][card] = 1
    record["named"][0] = (card % 52) >> 2
    derive(record)
    return record


def by_name(record: Any) -> dict[str, Any]:
    """All that a board tells: the cards in their places by name, each with whether it was seen."""

    def told(cards: Any) -> list[tuple[str, bool]]:
        return [(card_name(card), bool(record["seen"][card])) if card >= 0 else ("-", False) for card in cards.tolist()]

    heaps = {name: [told(heap[:n]) for heap, n in zip(record[name], record[f"{name}_n"])] for name in HEAPS}
    singles = {name: told(np.ravel(record[name])) for name in ("held", "starter")}
    same = {name: record[name].tolist() for name in ("top", "unseen", "mixed", "score", "phase", "phase_until")}
    return heaps | singles | same
