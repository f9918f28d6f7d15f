"""Whole games of the oracles of Speed and California Speed: no card is lost, seats are equal, time in any steps."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from spit_env.latency import Latency
from tests.oracle_california import CaliforniaOracle
from tests.oracle_race import OVER, RETURN, TRAVEL, Race
from tests.oracle_speed import SpeedOracle
from tests.sampled_rules import california_rules, speed_rules
from tests.side_by_side import random_latencies

Snapshot = dict[str, Any]


class WatchedSpeed(SpeedOracle):
    """Looks for every card, and at what a pile may hold, after every millisecond with events."""

    def _settle(self) -> None:
        super()._settle()
        cards = [card for heap in (*self.piles, *self.reserves) for card in heap]
        cards += [card for card in self.starters if card is not None]
        for player in self.players:
            cards += [*player.cards(), *player.stock] + [player.card] * (player.card >= 0)
            assert len(player.slots) == self.size
            assert player.card < 0 or player.hand in (TRAVEL, RETURN)
        assert sorted(cards) == self.pack()
        assert self.seen >= {card for pile in self.piles for card in pile}
        assert [top is None for top in self.tops] == [not pile for pile in self.piles]


class WatchedCalifornia(CaliforniaOracle):
    """Looks for every card, and at what may be covered, after every millisecond with events."""

    def _settle(self) -> None:
        super()._settle()
        cards = [card for stack in self.stacks for card in stack]
        cards += [card for player in self.players for card in player.pack]
        cards += [player.card for player in self.players if player.card >= 0]
        assert sorted(cards) == list(range(52))
        assert not any(can and not stack for can, stack in zip(self.coverable, self.stacks))


GAMES: dict[str, tuple[Callable[..., Race[Any, Any]], Callable[[int], Any]]] = {
    "speed": (WatchedSpeed, speed_rules), "california": (WatchedCalifornia, california_rules),
}  # fmt: skip
GAME = pytest.mark.parametrize(("make", "sample"), GAMES.values(), ids=GAMES)


def choose_for(game: Race[Any, Any], rng: random.Random) -> None:
    """Random choices of all who are asked, who mostly do something."""
    for seat in game.asked():
        legal = game.legal(seat)
        busy = [action for action in legal if action] if rng.random() < 0.9 else legal
        game.choose(seat, rng.choice(busy or legal))


@GAME
def test_no_card_is_lost(make: Callable[..., Race[Any, Any]], sample: Callable[[int], Any]) -> None:
    reasons = Counter[str]()
    for seed, rules in enumerate(sample(40)):
        rng = random.Random(seed)
        game = make(rules, random_latencies(rng, rules.seats), seed, rng.sample(range(rules.seats), rules.seats))
        for _ in range(1500):
            game.advance(stop_at_choice=True)
            choose_for(game, rng)
        reasons[game.end_reason] += 1
        assert (game.winner >= 0) == (game.end_reason in ("finished", "blocked"))
    assert reasons["finished"] > 10
    assert len(reasons) > 2


def moved(snapshot: Snapshot, order: Sequence[int]) -> Snapshot:
    """A snapshot as it is when seat i sits at order[i]."""
    places = {seat: place for place, seat in enumerate(order)} | {-1: -1}
    seats = len(order)
    by_seat = {key for key, value in snapshot.items() if isinstance(value, list) and len(value) == seats}
    return {
        key: [value[seat] for seat in order] if key in by_seat - {"seen"} else value for key, value in snapshot.items()
    } | {key: places[snapshot[key]] for key in ("winner", "chooser")}


def test_seats_are_equal_in_california_speed() -> None:
    """With labels, speeds and choices swapped, the same game the other way round."""
    fast, slow = Latency.of(200, 150), Latency.of(300, 120)
    for seed, rules in enumerate(california_rules(10)):
        one = CaliforniaOracle(rules, [fast, slow], seed)
        two = CaliforniaOracle(rules, [slow, fast], seed, labels=(1, 0))
        rng = random.Random(seed)
        for _ in range(300):
            one.advance(stop_at_choice=True)
            two.advance(stop_at_choice=True)
            for seat in one.asked():
                assert one.legal(seat) == two.legal(1 - seat)
                action = rng.choice(one.legal(seat))
                one.choose(seat, action)
                two.choose(1 - seat, action)
            assert moved(one.snapshot(), (1, 0)) == two.snapshot()


def test_seats_are_equal_in_speed() -> None:
    """With labels, speeds and choices passed on by one seat around the table, the same game."""
    for seed, rules in enumerate(speed_rules(15)):
        seats = rules.n_players
        order = [*range(1, seats), 0]
        speeds = random_latencies(random.Random(seed), seats)
        one = SpeedOracle(rules, speeds, seed)
        two = SpeedOracle(rules, [speeds[seat] for seat in order], seed, labels=order)
        rng = random.Random(seed)
        for _ in range(300):
            one.advance(stop_at_choice=True)
            two.advance(stop_at_choice=True)
            for seat in one.asked():
                other = order.index(seat)
                assert one.legal(seat) == two.legal(other)
                action = rng.choice(one.legal(seat))
                one.choose(seat, action)
                two.choose(other, action)
            assert moved(one.snapshot(), order) == two.snapshot()


@GAME
def test_time_may_pass_in_any_steps(make: Callable[..., Race[Any, Any]], sample: Callable[[int], Any]) -> None:
    for seed, rules in enumerate(sample(12)):
        speeds = random_latencies(random.Random(seed), rules.seats)
        one, two = (make(rules, speeds, seed, range(rules.seats)) for _ in range(2))
        rng = random.Random(seed)
        for tick in range(50, 12_000, 50):
            one.advance(tick)
            while two.time < one.time:
                two.advance(min(one.time, two.time + rng.choice((1, 3, 17))))
            assert one.snapshot() == two.snapshot()
            for seat in range(rules.seats):
                action = rng.choice(one.legal(seat))
                one.choose(seat, action)
                two.choose(seat, action)
            if one.phase == OVER:
                break
