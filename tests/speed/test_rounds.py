"""Stuck, turning, new reserves, the end of a deal and of a match (S2-11, S2-12, S2-15, S2-17, A-35, A-36, A-40..42)."""

import numpy as np
import pytest

from spit_env.batch import Batch
from spit_env.speed.check import cards_of
from spit_env.state import BLOCKED, FINISHED, LOCKED, MAX_IDLE_MS, MAX_ROUND_MS, MAX_ROUNDS, OVER, PAUSE, RACE
from tests.driving import act, launch, moves, think, until, wait
from tests.engine import Engine
from tests.oracle_boards import steady
from tests.speed.boards import board, cards, deal, pile

STUCK = "L=6 r5   R=6 r5"


@pytest.mark.plain
def test_t72_s2_11_both_must_be_stuck() -> None:
    """T-72, S2-11: while one can play nothing is turned; then each pile gets one card, together."""
    game = board("7 K K K K   s9", "J J J J 9   s9", STUCK, stall_ms=0)
    wait(game, 3000)
    assert game.game.phase == RACE
    tops = [cards(game, "reserve", p)[-1] for p in (0, 1)]
    game = board("A K K K K   s9", "J J J J 9   s9", STUCK, stall_ms=0)
    tops = [cards(game, "reserve", p)[-1] for p in (0, 1)]
    game.advance(0)
    assert (game.game.phase, game.game.phase_until) == (PAUSE, 1500)
    game.advance(1499)
    assert game.game.pile_n.tolist() == [1, 1]
    game.advance(1500)
    assert (game.game.phase, game.game.progress_at) in ((RACE, 1500), (PAUSE, 1500))
    assert [cards(game, "pile", p)[1:] for p in (0, 1)] == [[tops[0]], [tops[1]]]
    assert game.game.reserve_n.tolist() == [4, 4]


@pytest.mark.plain
@pytest.mark.parametrize("refill", ["auto", "manual"])
def test_t72_a_35_a_short_hand_is_not_stuck(refill: str) -> None:
    """T-72, A-35: who can draw is not stuck, by hand or by itself; only full hands are."""
    game = board("A K K K   s[Ad]", "J J J J 9   s9", STUCK, refill=refill)
    assert moves(game) == {"DRAW"}
    wait(game, 1000)
    assert game.game.phase == RACE
    act(game, 0, "DRAW")
    assert game.game.phase == PAUSE


@pytest.mark.plain
def test_t72_a_20_not_while_a_card_is_under_way() -> None:
    """T-72, A-20: a card in flight, or on its way back, is waited for."""
    game = board("7 7 9   s0", "7 9   s0", "L=6 r5   R=2 r5", latencies=(steady(travel=10), steady(travel=40)))
    launch(game, 0, "P1L")
    launch(game, 1, "P1L")
    game.advance(60)
    assert (game.game.landings.tolist(), game.game.phase) == ([1, 0], RACE)
    game.advance(81)
    assert game.game.phase == PAUSE


@pytest.mark.plain
def test_a_41_all_of_three_must_be_stuck() -> None:
    """A-41: with three players all must be stuck, and every pile gets a card."""
    lines = ("A", "A", "L=4 r2   M=4 r2   R=4 r2")
    game = board(*lines[:2], "5", lines[2], rules="speed_3p")
    wait(game, 100)
    assert game.game.phase == RACE
    game = board(*lines[:2], "A", lines[2], rules="speed_3p")
    game.advance(0)
    assert game.game.phase == PAUSE
    game.advance(1500)
    assert (game.game.pile_n.tolist(), game.game.reserve_n.tolist()) == ([2, 2, 2], [1, 1, 1])


@pytest.mark.plain
def test_t73_s2_12_new_reserves() -> None:
    """T-73, S2-12, A-36: piles of 9 and 11: the tops stay, 18 cards are shuffled into two reserves of 9; each turns."""
    game = board("A   s0", "A   s0", "L=4(9) r0   R=4(11) r0")
    tops = [cards(game, "pile", p)[-1] for p in (0, 1)]
    under = [card for p in (0, 1) for card in cards(game, "pile", p)[:-1]]
    game.advance(1500)
    assert [cards(game, "pile", p)[0] for p in (0, 1)] == tops
    assert (game.game.pile_n.tolist(), game.game.reserve_n.tolist()) == ([2, 2], [8, 8])
    again = [card for p in (0, 1) for card in (*cards(game, "reserve", p), *cards(game, "pile", p)[1:])]
    assert sorted(again) == sorted(under)
    assert again != under
    assert game.game.shuffle_n == 17
    assert game.game.mixed.sum() == 16


@pytest.mark.plain
@pytest.mark.parametrize(("piles", "sizes", "coins"), [
    ("L=4(9) r0   R=4(10) r0", {8, 9}, 1), ("L=4(3) r2   R=4(2) r0", {2, 3}, 1), ("L=4 r1   R=4 r0", {0, 1}, 1),
    ("L=4(2) r1   R=4 r0", {1}, 0),
])  # fmt: skip
def test_t73_a_36_an_odd_card(piles: str, sizes: set[int], coins: int) -> None:
    """T-73, A-36: what is left of a reserve is shuffled in; the odd card goes to either side, by a coin."""
    sides = set()
    for seed in range(12):
        game = board("A   s0", "A   s0", piles, seed=seed)
        game.advance(1500)
        got = (game.game.reserve_n + (game.game.pile_n == 2)).tolist()
        assert set(got) == sizes
        assert game.game.ties_n == coins
        sides.add(tuple(got))
    assert len(sides) == 1 + coins


@pytest.mark.plain
def test_t73_a_36_two_odd_cards_of_three_piles() -> None:
    """T-73, A-36: with three piles two odd cards go to two of them, each pair as likely."""
    sides = set()
    for seed in range(40):
        game = board("A", "A", "A", "L=4(2) r0   M=4(2) r0   R=4(4) r0", rules="speed_3p", seed=seed)
        game.advance(1500)
        got = game.game.reserve_n + (game.game.pile_n == 2)
        sides.add(tuple(got.tolist()))
        assert game.game.ties_n == 2
    assert sides == {(1, 2, 2), (2, 1, 2), (2, 2, 1)}


@pytest.mark.plain
def test_s2_04_no_reserves() -> None:
    """S2-04, A-36: with reserve=0 the first cards to turn are those under the tops."""
    game = board("A   s0", "A   s0", "L=4 r0   R=4(3) r0", rules="speed", stock=20, reserve=0)
    game.advance(1500)
    assert (game.game.pile_n.tolist(), game.game.reserve_n.tolist()) == ([2, 2], [0, 0])


@pytest.mark.plain
def test_a_41_blocked() -> None:
    """A-41, S2-11: no card to turn: who holds fewest wins, equal by a coin, and gets a point for each other card."""
    game = board("A A A   s0", "A J   s0", "L=4 r0   R=4 r0")
    game.advance(0)
    g = game.game
    assert (g.phase, g.end_reason, g.winner, g.score.tolist()) == (OVER, BLOCKED, 1, [0, 3])
    winners = set()
    for seed in range(12):
        game = board("A A", "A J", "J J J", "L=4 r0   R=4 r0   M=4 r0", rules="speed_3p", seed=seed)
        game.advance(0)
        winners.add(int(game.game.winner))
        assert game.game.ties_n == 1
    assert winners == {0, 1}


def win(game: Engine, seat: int, *plays: str) -> None:
    for move in plays:
        act(game, seat, move)


@pytest.mark.plain
def test_t76_s2_17_points() -> None:
    """T-76, S2-17: the loser holds 3 in the hand and 4 in the stock: 7 points; from 20 that is 27 of 25: won."""
    lines = ("7   s0   +20", "K K K   s4   +24", "L=6 r5   R=J r5")
    game = board(*lines, match_score=25, refill="manual")
    win(game, 0, "P1L")
    assert (game.game.phase, game.game.winner, game.game.score.tolist()) == (OVER, 0, [27, 24])
    assert game.game.end_reason == FINISHED


@pytest.mark.plain
@pytest.mark.parametrize(("match_score", "over"), [(7, True), (8, False), (0, True)])
def test_t76_a_42_the_match_goes_on(match_score: int, over: bool) -> None:
    """T-76, A-42: the match is over when a score reaches the total, a single deal (0) at once."""
    game = board("7   s0", "K K K   s4", "L=6 r5   R=J r5", match_score=match_score, refill="manual")
    win(game, 0, "P1L")
    g = game.game
    assert g.score.tolist() == [7, 0]
    assert (g.phase == OVER) == over
    if not over:
        assert (g.phase, g.rounds, g.winner, g.phase_until) == (LOCKED, 1, -1, g.time + 1500)
        assert (g.stock_n.tolist(), g.held_n.tolist(), g.pile_n.tolist()) == ([15, 15], [5, 5], [0, 0])
        assert sorted(cards_of(g)) == list(range(52))
        assert (g.seen.sum(), g.mixed.sum(), g.unseen.tolist()) == (0, 0, [4] * 13 + [0])
        assert g.raced == 0


@pytest.mark.plain
def test_s2_17_a_card_in_flight_counts() -> None:
    """S2-17, A-42: a card that flies when the deal is won is still a card of its player."""
    game = board("7   s0", "Q K   s4", "L=6 r5   R=J r5", match_score=99,
                 latencies=(steady(travel=10), steady(travel=40)), refill="manual")  # fmt: skip
    launch(game, 1, "P1R")
    win(game, 0, "P1L")
    assert game.game.score.tolist() == [6, 0]


@pytest.mark.plain
def test_s2_17_three_players() -> None:
    """S2-17, A-42, S2-22: the winner of a deal gets the cards of both others."""
    game = board("K", "7", "K K", "L=6 r5   R=J r5   M=J r1", rules="speed_3p", match_score=9)
    win(game, 1, "P1L")
    assert game.game.score.tolist() == [0, 3, 0]


@pytest.mark.plain
@pytest.mark.parametrize(("max_rounds", "phase"), [(1, OVER), (2, LOCKED)])
def test_a_42_the_deals_are_counted(max_rounds: int, phase: int) -> None:
    """A-42, A-22: after max_rounds deals without a winner the match is cut off."""
    game = board("7   s0", "K K K   s4", "L=6 r5   R=J r5", match_score=99, max_rounds=max_rounds, refill="manual")
    win(game, 0, "P1L")
    assert game.game.phase == phase
    if phase == OVER:
        assert (game.game.end_reason, game.game.winner) == (MAX_ROUNDS, -1)


@pytest.mark.plain
def test_a_40_last_cards_in_one_millisecond() -> None:
    """A-40: two last cards land in one millisecond: a coin; the other card was still held."""
    winners = set()
    for seed in range(12):
        game = board("7   s0", "Q   s0", "L=6 r5   R=J r5", seed=seed)
        for p, move in ((0, "P1L"), (1, "P1R")):
            think(game, p)
            game.choose(p, game.batch.game.parse_move(move, p))
        game.advance(11)
        assert game.game.phase == OVER
        winner = int(game.game.winner)
        assert game.game.score[winner] == 1
        winners.add(winner)
    assert winners == {0, 1}


@pytest.mark.plain
@pytest.mark.parametrize("stall_ms", [0, 700])
def test_a_22_letting_it_lie(stall_ms: int) -> None:
    """A-22, A-41: if all who can play decline for stall_ms (0: for ever), cards are turned as if all were stuck."""
    game = board("7 K K K K   s9", "J J J J 9   s9", STUCK, stall_ms=stall_ms)
    launch(game, 0, "-")
    game.advance(29_000)
    assert (game.game.pile_n.sum() > 2) == (stall_ms > 0)


@pytest.mark.plain
def test_a_22_letting_it_lie_with_nothing_to_turn() -> None:
    """A-22, A-41: then the deal is blocked."""
    game = board("7 K K K K   s0", "J J J   s0", "L=6 r0   R=6 r0", stall_ms=700)
    launch(game, 0, "-")
    game.advance(700)
    assert (game.game.end_reason, game.game.winner) == (BLOCKED, 1)


@pytest.mark.plain
def test_a_22_max_idle_ms() -> None:
    """A-22: without a visible event for max_idle_ms the game is cut off."""
    game = board("7 K K K K   s9", "J J J J 9   s9", STUCK, stall_ms=0, max_idle_ms=4000)
    game.advance(5000)
    assert (game.game.end_reason, game.game.winner, game.game.time) == (MAX_IDLE_MS, -1, 4000)


@pytest.mark.plain
def test_a_22_turning_for_ever_ends() -> None:
    """A-22: pauses count against max_round_ms, so a table on which turning helps nobody is cut off."""
    game = board("A   s0", "A   s0", "L=4(2) r0   R=4(2) r0", max_round_ms=9000)
    g = game.game
    g.pile[:, 0] = 16, 17  # fives under the fours: an ace fits none of them
    g.seen[:] = 0
    until(game, OVER)
    assert (g.end_reason, g.raced >= 9000) == (MAX_ROUND_MS, True)
    assert g.time == 9000


@pytest.mark.plain
def test_s2_17_a_match_of_many_deals() -> None:
    """S2-17, A-42: a match to 25 ends with a score of at least 25, the winner's, and the others below it."""
    batch = Batch(4, "speed_pagat", steady(20, 30))
    batch.reset(np.arange(4))
    rng = np.random.default_rng(1)
    while not batch.over.all():
        batch.step((rng.random(batch.masks.shape) * batch.masks * [0.1, *[1.0] * 22]).argmax(axis=2))
    for g in batch.games:
        assert g.end_reason in (FINISHED, BLOCKED)
        assert g.score[g.winner] >= 25 > g.score[1 - g.winner]
        assert g.rounds > 0


@pytest.mark.plain
def test_s2_11_turned_cards_are_seen() -> None:
    """S2-11, S2-29: a turned card is seen by all, and no longer among the mixed ones."""
    game = board("A   s0", "A   s0", "L=4(3) r0   R=4(3) r0", seed=5)
    game.advance(1500)
    g = game.game
    assert g.mixed.sum() == 2
    assert g.seen.sum() == 6
    assert pile(game, "L").endswith("(2)")
    assert deal("speed").game.mixed.sum() == 0
