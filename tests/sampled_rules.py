"""Rules of every game with values at random, the same each time for the same seed."""

import random
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, get_args

from spit_env.california.rules import CaliforniaRules
from spit_env.ruleset import Rules
from spit_env.speed.rules import SpeedRules
from spit_env.spit.rules import SpitRules

R = TypeVar("R", bound=Rules)
Values = dict[str, Any]


def spit_rules(number: int, seed: int = 20) -> Iterator[SpitRules]:
    """So many records."""
    return sampled(SpitRules, lambda rng: {"rearrange_budget": rng.choice((0, 2, 12))}, number, seed)


def speed_rules(number: int, seed: int = 20) -> Iterator[SpeedRules]:
    """So many records, most of them with other deals than the presets have."""
    return sampled(SpeedRules, speed_cards, number, seed)


def california_rules(number: int, seed: int = 20) -> Iterator[CaliforniaRules]:
    """So many records."""
    return sampled(CaliforniaRules, lambda rng: {}, number, seed)


def sampled(kind: type[R], numbers: Callable[[random.Random], Values], number: int, seed: int) -> Iterator[R]:
    """So many records of a game; ``numbers`` gives values that only this game has."""
    choices = {key: get_args(field) for key, field in kind.kinds().items()}
    flags = [key for key, field in kind.kinds().items() if field is bool]
    rng = random.Random(seed)
    while number:
        values: Values = {key: rng.choice(names) for key, names in choices.items() if names and rng.random() < 0.5}
        values |= {key: rng.random() < 0.5 for key in flags}
        values |= {
            "return_ms": rng.choice((-1, 0, 40)), "stall_ms": rng.choice((0, 700, 5000)),
            "spit_pause_ms": rng.choice((1, 300, 1500)), "max_rounds": rng.choice((2, 100)),
            "max_round_ms": rng.choice((9000, 1_800_000, 1_800_000)), "max_idle_ms": rng.choice((5000, 30_000)),
        }  # fmt: skip
        values |= numbers(rng)
        try:
            yield kind(**values)
        except ValueError:
            continue
        number -= 1


def speed_cards(rng: random.Random) -> Values:
    """Who plays with how many cards, and how long."""
    values: Values = {"match_score": rng.choice((0, 0, 5, 40))}
    # Jokers that may not be played can keep a table turning until the guard.
    values |= {"spit_pause_ms": rng.choice((40, 300, 1500)), "max_round_ms": rng.choice((9000, 120_000, 120_000))}
    if rng.random() < 0.15:
        return values | {"layout": "row4", "decks": 2, "stock": 48, "reserve": 0, "starters": 0}
    players, decks, starters = rng.randint(2, 4), rng.randint(1, 2), rng.randint(0, 1)
    jokers = rng.choice((0, 0, rng.randint(1, 2 * decks)))
    each = (52 * decks + jokers) // players - 5 - starters  # left for stock and reserve
    most = rng.choice((2, 50))  # small reserves are soon made anew
    reserve = rng.randint(1 - starters, min(each, most))
    return values | {
        "layout": "hand5", "n_players": players, "decks": decks, "jokers": jokers,
        "starters": starters, "reserve": reserve, "stock": each - reserve,
    }  # fmt: skip
