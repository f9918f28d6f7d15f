"""Plays, drawing, clashes and calling (S2-02, S2-08..10, S2-13..16, S2-21, S2-24, S2-25, A-08..12, A-35)."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from spit_env.batch import Batch
from spit_env.speed.state import draw_action
from spit_env.state import IDLE, NOOP, OPEN, OVER, RACE, RETURN, THINK, TRAVEL
from tests.driving import act, land, launch, moves, think, until, wait
from tests.oracle_boards import steady
from tests.speed.boards import board, cards, hand, pile

RANKS = "A23456789TJQK"


@pytest.mark.plain
def test_t70_s2_08_hand() -> None:
    """T-70, S2-08: of 7 K 3 9 2 on a six and an ace, seven, king and two may be played, each on one pile."""
    game = board("7 K 3 9 2   s15", "x x x x x   s15", "L=6 r5   R=A r5")
    assert moves(game) == {"P1L", "P2R", "P5R"}
    act(game, 0, "P1L")
    assert (pile(game, "L"), pile(game, "R")) == ("7c(2)", "Ac")
    assert game.game.landings.tolist() == [1, 0]


@pytest.mark.plain
def test_s2_24_a_card_may_be_held_back() -> None:
    """S2-24: who can play may wait, the hand stays open."""
    game = board("7 K 3 9 2   s15", "x x x x x   s15", "L=6 r5   R=A r5")
    launch(game, 0, "-")
    wait(game, 500)
    assert game.game.hand[0] == OPEN
    assert moves(game) == {"P1L", "P2R", "P5R"}


@pytest.mark.plain
@pytest.mark.parametrize(
    ("ace_wrap", "doubles", "count"), [(True, False, 26), (False, False, 24), (True, True, 39), (False, True, 37)]
)
def test_t77_s2_21_rank_pairs(ace_wrap: bool, doubles: bool, count: int) -> None:
    """T-77, S2-02, S2-08, S2-21: of all 169 pairs 26 fit, with doubles 39; two fewer if ace and king are no
    neighbours."""
    legal = 0
    for (a, card), (b, top) in product(enumerate(RANKS), repeat=2):
        game = board(f"{card} - - - -   s0", "x - - - -   s0", f"L=- r5   R={top} r5", ace_wrap=ace_wrap,
                     doubles=doubles)  # fmt: skip
        fits = abs(a - b) == 1 or (ace_wrap and abs(a - b) == 12) or (doubles and a == b)
        assert moves(game) == ({"P1R"} if fits else set()), (card, top)
        legal += fits
    assert legal == count


@pytest.mark.plain
def test_s2_02_suits_do_not_matter() -> None:
    """S2-02: a seven of any suit on a six of any suit."""
    for mine, theirs in product("cdhs", repeat=2):
        assert moves(board(f"7{mine} 9c   s0", "x   s0", f"L=6{theirs}   R=4c")) == {"P1L"}


@pytest.mark.plain
def test_a_37_any_pile_for_all() -> None:
    """A-37, S2-22: all piles are open to all; the nearest is number 0 for each."""
    game = board("5", "5", "5", "M=4 r1   L=6 r1   R=Q r1", rules="speed_3p")
    assert [moves(game, p) for p in range(3)] == [{"P1L", "P1M"}] * 3
    parse = game.batch.game.parse_move
    assert [[parse(f"P1{letter}", p) for letter in "RLM"] for p in range(3)] == [[1, 2, 3], [3, 1, 2], [2, 3, 1]]
    act(game, 2, "P1L")
    assert (pile(game, "L"), pile(game, "M")) == ("5h(2)", "4c")


@pytest.mark.plain
@pytest.mark.parametrize("refill", ["auto", "manual"])
def test_t71_s2_10_refill(refill: str) -> None:
    """T-71, S2-10, A-35: after a play the hand draws, by itself or by choice: 5 again, stock 14."""
    times = steady(think=30, travel=10)
    game = board("7 K 3 9 2   s15", "x x x x x   s15", "L=6 r5   R=9 r5", refill=refill, latencies=times)
    top = cards(game, "stock", 0)[-1]
    assert "DRAW" not in moves(game)
    launch(game, 0, "P1L")
    at = int(game.game.time) + 10
    game.advance(at)
    assert hand(game) == "- Kc 3c 9c 2c"
    if refill == "auto":
        assert (game.game.hand[0], game.game.action[0], game.game.until[0]) == (TRAVEL, draw_action(2), at + 10)
        land(game, 0)
    else:
        assert (game.game.hand[0], game.game.until[0]) == (THINK, at + 30)
        assert "DRAW" in moves(game)
        act(game, 0, "DRAW")
    assert (game.game.held[0, 0], game.game.stock_n[0], game.game.held_n[0]) == (top, 14, 5)


@pytest.mark.plain
def test_t71_a_35_a_short_hand_draws_card_by_card() -> None:
    """T-71, A-35: one card after the other until the hand has five, into the lowest empty slots."""
    game = board("7 - 3 - 2   s[K 4 5]", "x   s15", "L=6 r5   R=J r5")
    act(game, 0, "P1L")
    assert (hand(game), game.game.stock_n[0]) == ("Kc 4c 3c 5c 2c", 0)
    assert game.game.travel_n[0] == 4


@pytest.mark.plain
def test_t71_s2_14_no_refill_without_a_stock() -> None:
    """T-71, S2-14: stock 0, hand 4: play on, hand 3."""
    game = board("7 K 3 9   s0", "x x x x x   s15", "L=6 r5   R=J r5")
    act(game, 0, "P1L")
    assert (hand(game), game.game.held_n[0]) == ("- Kc 3c 9c -", 3)
    assert "DRAW" not in moves(game)


@pytest.mark.plain
def test_s2_10_a_hand_of_five_does_not_draw() -> None:
    """S2-10: DRAW needs room; with manual drawing a shorter hand may go on playing."""
    game = board("7 8 3 9 2   s15", "x x x x x   s15", "L=6 r5   R=K r5", refill="manual")
    assert moves(game) == {"P1L"}
    act(game, 0, "P1L")
    assert moves(game) == {"P2L", "DRAW"}
    act(game, 0, "P2L")
    assert moves(game) == {"P4L", "DRAW"}
    act(game, 0, "DRAW")
    assert game.game.held_n[0] == 4


@pytest.mark.plain
def test_t75_s2_15_the_last_card_wins() -> None:
    """T-75, S2-15: the last of five slots is emptied with no stock: won at once, whatever flies."""
    game = board("- - - - 7   s0", "7 9 K   s3", "L=6 r5   R=J r5", latencies=(steady(), steady(travel=15)))
    launch(game, 0, "P5L")
    launch(game, 1, "P1L")
    land(game, 0)
    g = game.game
    assert (g.phase, g.winner, g.score.tolist()) == (OVER, 0, [6, 0])
    assert g.hand.tolist() == [IDLE, IDLE]
    assert hand(game, 1) == "7d 9c Kc - -"


@pytest.mark.plain
def test_s2_09_one_hand() -> None:
    """S2-09, A-12: while a card is under way nothing else may be done; an action is refused and counted."""
    batch = Batch(1, "speed", steady(travel=200), tick_ms=50)
    batch.reset(np.array([1]), boards=np.array([board("7 5 3 9 2   s15", "x   s15", "L=6 r5   R=6 r5").game]))
    batch.step(np.array([[0, 0]]))
    batch.step(np.array([[1, 0]]))
    game = batch.games[0]
    card = int(game.card[0])
    assert (game.hand[0], card // 4) == (TRAVEL, 6)
    assert np.flatnonzero(batch.masks[0, 0]).tolist() == [NOOP]
    batch.step(np.array([[4, 0]]))
    assert (game.illegal[0], game.card[0], game.held_n[0]) == (1, card, 4)


@pytest.mark.plain
def test_s2_13_the_first_to_touch_stays() -> None:
    """S2-13, A-11: a seven at 100 ms, a five at 101 ms onto a six: the five goes back to its slot, for as long."""
    game = board("7 K   s3", "K 5   s3", "L=6 r5   R=2 r5", latencies=(steady(travel=99), steady(travel=100)))
    launch(game, 0, "P1L")
    launch(game, 1, "P2L")
    game.advance(101)
    assert (pile(game, "L"), game.game.hand[1], game.game.until[1]) == ("7c(2)", RETURN, 201)
    assert hand(game, 1) == "Kd - - - -"
    land(game, 1)
    assert (hand(game, 1), game.game.bounces.tolist()) == ("Kd 5c - - -", [0, 1])


@pytest.mark.plain
@pytest.mark.parametrize(("return_ms", "takes"), [(-1, 20), (0, 0), (7, 7)])
def test_s2_13_how_long_a_card_goes_back(return_ms: int, takes: int) -> None:
    """S2-13, A-11: as long as it flew (-1), or a time that the rules set, even none."""
    game = board("7 K   s3", "K 5   s3", "L=6 r5   R=2 r5", return_ms=return_ms,
                 latencies=(steady(travel=10), steady(travel=20)))  # fmt: skip
    launch(game, 0, "P1L")
    launch(game, 1, "P2L")
    game.advance(21)
    game.advance(21 + takes)
    assert hand(game, 1) == "Kd 5c - - -"
    assert game.game.hand[1] != RETURN


@pytest.mark.plain
@pytest.mark.parametrize(("tie_break", "landed"), [("random", 1), ("both_return", 0), ("alternate", 1)])
def test_s2_25_clashes(tie_break: str, landed: int) -> None:
    """S2-25, A-08: a seven and a five in one millisecond onto a six: one of them stays, or none."""
    winners = []
    for seed in range(12):
        game = board("7 K   s3", "K 5   s3", "L=6 r5   R=2 r5", tie_break=tie_break, seed=seed)
        for p, move in ((0, "P1L"), (1, "P2L")):
            think(game, p)
            game.choose(p, game.batch.game.parse_move(move, p))
        game.advance(11)
        assert game.game.landings.sum() == landed
        assert game.game.bounces.sum() == 2 - landed
        winners.append(int(game.game.landings.argmax()) if landed else -1)
    expected = {"random": {0, 1}, "both_return": {-1}, "alternate": {0}}
    assert set(winners) == expected[tie_break]


@pytest.mark.plain
@pytest.mark.parametrize("labels", [(0, 1, 2), (1, 2, 0)])
def test_s2_25_three_in_one_millisecond(labels: tuple[int, int, int]) -> None:
    """S2-25, A-08: taking turns, the first in label order goes first, of the others then the last."""
    game = board("7", "5", "7", "R=6 r1   L=Q r1   M=Q r1", rules="speed_3p", tie_break="alternate", labels=labels,
                 announce=True)  # fmt: skip
    for p in range(3):
        think(game, p)
        game.choose(p, game.batch.game.parse_move("P1R", p))
    first = int(np.argmin(labels))
    game.advance(11)
    assert game.game.landings.tolist() == [int(p == first) for p in range(3)]
    assert game.game.tie_turn == 0


@pytest.mark.plain
@pytest.mark.parametrize(("land_check", "lands"), [("at_landing", True), ("strict", False)])
def test_a_09_landing_on_the_same_rank(land_check: str, lands: bool) -> None:
    """A-09: a five flies to a six; seven and six come between: it lands if the top counts alone."""
    game = board("5 K   s0", "7 6s K   s0", "L=6h r5   R=2 r5", land_check=land_check,
                 latencies=(steady(travel=100), steady(think=2, travel=10)))  # fmt: skip
    launch(game, 0, "P1L")
    act(game, 1, "P1L")
    act(game, 1, "P2L")
    land(game, 0)
    assert (game.game.landings[0] == 1) == lands


@pytest.mark.plain
@pytest.mark.parametrize("announce", [False, True])
def test_s2_16_calling(announce: bool) -> None:
    """S2-16: off, the last card wins; on, who is out must still call, and the first call to end wins."""
    changes: dict[str, Any] = {"announce": announce}
    game = board("7   s0", "8 K   s0", "L=6 r5   R=Q r5", latencies=steady(think=5, travel=20), **changes)
    act(game, 0, "P1L")
    if not announce:
        assert (game.game.phase, game.game.winner) == (OVER, 0)
        return
    assert game.game.phase == RACE
    assert moves(game, 0) == {"CALL"}
    assert "CALL" not in moves(game, 1)
    act(game, 1, "P1L")
    act(game, 1, "P2R")
    launch(game, 1, "CALL")
    launch(game, 0, "CALL")
    until(game, OVER)
    assert (game.game.winner, game.game.score.tolist()) == (1, [0, 0])


@pytest.mark.plain
def test_s2_16_nobody_calls_with_a_stock() -> None:
    """S2-16, S2-15: a hand that is empty while its stock has cards is not out."""
    game = board("7   s2", "x x   s3", "L=6 r5   R=Q r5", announce=True, refill="manual")
    act(game, 0, "P1L")
    assert moves(game) == {"DRAW"}


@pytest.mark.plain
@pytest.mark.parametrize("must_play", [False, True])
def test_a_13_having_to_play(must_play: bool) -> None:
    """A-13: with must_play waiting ends after stall_ms, for who has a play."""
    game = board("7 K   s3", "T T   s3", "L=6 r5   R=2 r5", must_play=must_play, stall_ms=700, refill="manual")
    launch(game, 0, "-")
    game.advance(699)
    assert NOOP in game.legal(0)
    game.advance(701)
    if must_play:
        assert NOOP not in game.legal(0)
        assert moves(game, 1) == {"DRAW"}
        assert NOOP in game.legal(1)
    else:
        assert NOOP in game.legal(0)
