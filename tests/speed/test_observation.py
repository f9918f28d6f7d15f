"""What a seat is shown: hidden hands, what is known of the rest, delayed sight (S2-29, A-46, A-48)."""

from typing import Any

import numpy as np
import pytest

from spit_env.batch import Batch, Recall
from spit_env.cards import rank_or_joker
from spit_env.latency import Latency, LogNormal
from spit_env.speed.rules import PRESETS
from spit_env.state import RACE
from tests.driving import act, land, launch, moves, until, wait
from tests.engine import Engine
from tests.oracle_boards import steady
from tests.speed.boards import board, deal


def shown(game: Engine, seat: int = 0, recall: Recall = "perfect") -> Any:
    """What the seat sees now."""
    batch = Batch(1, game.batch.rules, list(game.batch.latencies), recall=recall, tick_ms=1)
    batch.games[0] = game.game
    batch.past[0] = game.batch.past[0]
    batch.write()
    return batch.observations[0, seat]


def ranks(o: Any, field: str = "unseen") -> dict[str, int]:
    """The counts that are not 0, by rank; ``*`` for jokers."""
    return {symbol: int(n) for symbol, n in zip("A23456789TJQK*", o[field]) if n}


@pytest.mark.plain
@pytest.mark.parametrize("recall", ["perfect", "none"])
def test_t79_s2_29_the_other_hand_is_hidden(recall: Recall) -> None:
    """T-79, S2-29: the other's hand is not in the observation, its size is; the own hand is."""
    game = board("7 K - 9 2   s11", "Q 5 5   s7", "L=6(3) r5   R=A(2) r4")
    o = shown(game, 0, recall)
    assert o.held_card.tolist() == [[7, 13, 0, 9, 2], [0, 0, 0, 0, 0]]
    assert o.held_count.tolist() == [4, 3]
    assert o.stock_count.tolist() == [11, 7]
    assert o.reserve_count.tolist() == [4, 5]
    assert o.pile_top.tolist() == [1, 6]
    assert o.pile_count.tolist() == ([2, 3] if recall == "perfect" else [-1, -1])
    o = shown(game, 1, recall)
    assert o.held_card.tolist() == [[12, 5, 5, 0, 0], [0, 0, 0, 0, 0]]
    assert (o.held_count.tolist(), o.pile_top.tolist()) == ([3, 4], [6, 1])


@pytest.mark.plain
def test_t79_a_48_what_came_back_is_known() -> None:
    """T-79, A-48: a card that bounced is known by its slot to who remembers, and so is not unseen."""
    game = board("7 K K   s11", "Q 5 5   s7", "L=6(3) r5   R=A(2) r4", latencies=(steady(), steady(travel=30)))
    launch(game, 1, "P2L")
    o = shown(game)
    assert (o.hand.tolist(), o.flight_kind[1], o.flight_card[1], o.flight_name[1]) == ([2, 3], 1, 5, 5)
    assert (o.flight_pile[1], o.flight_left[1], o.held_count[1]) == (2, 2, 2)
    act(game, 0, "P1L")
    land(game, 1)
    assert game.game.bounces[1] == 1
    assert shown(game).held_card[1].tolist() == [0, 5, 0, 0, 0]
    assert shown(game).unseen[4] == 3
    assert shown(game, 0, "none").held_card[1].tolist() == [0] * 5
    assert shown(game, 0, "none").unseen[4] == 4
    assert shown(game, 1).unseen[4] == 2


@pytest.mark.plain
def test_a_48_unseen_and_mixed() -> None:
    """A-48, A-36: own cards, piles and bounced cards are known; of new reserves which ranks are among them."""
    game = board("A A   s0", "A   s0", "L=[2 6 3] r0   R=[2 6 3] r0")
    o = shown(game)
    assert ranks(o) == {"A": 2, "2": 2, "3": 2, "6": 2} | dict.fromkeys("45789TJQK", 4)
    assert ranks(o, "mixed") == {}
    game.advance(1500)
    o = shown(game)
    assert sum(ranks(o, "mixed").values()) == 2
    assert set(ranks(o, "mixed")) <= {"2", "6"}
    assert ranks(o) == {"A": 2, "2": 2, "3": 2, "6": 2} | dict.fromkeys("45789TJQK", 4)
    assert ranks(shown(game, 0, "none"), "mixed") == {}


@pytest.mark.plain
def test_a_48_recall_none_sees_what_lies_open() -> None:
    """A-48: without memory all is unseen but the own hand, tops and cards in flight."""
    game = board("7 K * 9 2   s11", "8 5 K   s7", "L=[2 4 6] r5   R=*=A r4", rules="speed_jokers")
    o = shown(game, 0, "none")
    assert o.pile_top.tolist() == [1, 6]
    assert ranks(o) == dict.fromkeys("A3458TJQ", 4) | dict.fromkeys("2679K", 3)
    launch(game, 1, "P2L")
    assert shown(game, 0, "none").unseen[4] == 3


@pytest.mark.plain
def test_a_38_jokers_are_shown_by_their_name() -> None:
    """A-38: a joker in flight and on a pile shows what it counts as; without a name 14."""
    game = board("* 2 3   s11", "8 8   s7", "L=6 r5   R=9 r4", rules="speed_jokers")
    launch(game, 0, "P1R+")
    for p, pile in ((0, 1), (1, 2)):
        o = shown(game, p)
        assert (o.flight_card[p], o.flight_name[p], o.flight_pile[p]) == (14, 10, pile)
    land(game, 0)
    assert shown(game).pile_top.tolist() == [10, 6]
    assert shown(board("2 3   s1", "8   s1", "L=6 r5   R=* r4", rules="speed_jokers")).pile_top.tolist() == [14, 6]


@pytest.mark.plain
def test_s2_22_seats_are_counted_from_the_observer() -> None:
    """S2-22, A-37: with four players everything begins with the own side and goes round."""
    game = board("7 7 7", "8 8", "6", "T T T T", "R=2 r1   L=3 r2   M=4 r3   N=5 r4", rules="speed_4p", match_score=50)
    game.game.score[:] = 1, 2, 3, 4
    for p in range(4):
        o = shown(game, p)
        assert o.held_count.tolist() == np.roll([3, 2, 1, 4], -p).tolist()
        assert o.reserve_count.tolist() == np.roll([1, 2, 3, 4], -p).tolist()
        assert o.pile_top.tolist() == np.roll([2, 3, 4, 5], -p).tolist()
        assert o.score.tolist() == np.roll([1, 2, 3, 4], -p).tolist()
        assert (o.goal, o.rounds, o.phase) == (50, 0, 1)


@pytest.mark.plain
def test_a_46_delayed_sight() -> None:
    """A-46: who sees late sees piles, flights and the other hands as they were; the own side is current."""
    late = Latency(think=LogNormal(1), play=LogNormal(10), rearrange=LogNormal(10), perception_ms=100)
    game = board("8 Q Q Q Q   s5", "7 2 3 3 3   s5", "L=6 r5   R=K r5", latencies=(late, steady()))
    act(game, 1, "P1L")
    assert game.game.top.tolist() == [12, 6]
    o = shown(game)
    assert (o.pile_top.tolist(), o.pile_count.tolist(), o.held_count.tolist()) == ([13, 6], [1, 1], [5, 5])
    assert (o.stock_count.tolist(), o.unseen[6], o.perception.tolist()) == ([5, 5], 4, [10, 0])
    assert "P1L" not in moves(game)
    wait(game, 120)
    o = shown(game)
    assert (o.pile_top.tolist(), o.pile_count.tolist(), o.stock_count.tolist()) == ([13, 7], [1, 2], [5, 4])
    assert "P1L" in moves(game)
    launch(game, 0, "P1L")
    o = shown(game)
    assert (o.held_count[0], o.flight_card[0], o.unseen[7]) == (4, 8, 3)
    land(game, 0)
    o = shown(game)
    assert (o.pile_top[1], o.flight_card[0], o.unseen[7]) == (7, 0, 3), "the own card is known before it is seen to lie"


@pytest.mark.plain
@pytest.mark.parametrize("preset", PRESETS)
def test_a_48_what_is_unseen_is_counted_anew(preset: str) -> None:
    """A-48: at each moment of a game `unseen` holds what the seat has not seen, within the table's bounds."""
    game = deal(preset, seed=4, latency=steady(30, 20))
    rng = np.random.default_rng(4)
    until(game, RACE)
    low, high = game.batch.game.observation.bounds()
    for turn in range(60):
        for p in game.asked(False):
            legal = game.legal(p)
            game.choose(p, int(rng.choice(legal[1:] or legal)))
        game.advance(single=True)
        g, p = game.game, turn % game.batch.game.seats
        o = shown(game, p)
        hidden = {card for card in range(108) if not g.seen[card]} - set(g.held[p].tolist())
        pack = {*range(52 * g.decks), *range(104, 104 + g.jokers)}
        counts = np.bincount([rank_or_joker(card) for card in hidden & pack], minlength=14)
        assert o.unseen.tolist() == counts.tolist()
        for recall in ("perfect", "none"):
            flat = np.frombuffer(shown(game, p, recall).tobytes(), np.int8)
            assert ((low <= flat) & (flat <= high)).all()
