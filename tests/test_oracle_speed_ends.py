"""The oracle of Speed against the worked examples of the rules catalogue: stuck tables, turns, ends and equal times."""

from dataclasses import replace

import pytest

from spit_env.draws import DEAL, SHUFFLE, TIES
from spit_env.latency import LogNormal
from spit_env.speed.rules import SpeedRules
from tests.oracle_boards import steady
from tests.oracle_race import IDLE, LOCKED, NOOP, OVER, PAUSE, RACE, RETURN
from tests.oracle_speed import SpeedOracle
from tests.oracle_speed_boards import DEAD, MANUAL, ROW, THREE, act, board, hand, launch, moves

ANNOUNCE = SpeedRules(announce=True)


# Stuck and turning


def test_s2_11_both_stuck_each_reserve_gives_a_card() -> None:
    game = board(f"{DEAD} {DEAD}", "6 6", stocks=(3, 3))
    game.advance(0)
    assert (game.phase, game.phase_until) == (PAUSE, 1500)
    game.advance(1500)
    assert [len(heap) for heap in game.reserves] == [4, 4]
    assert [len(pile) for pile in game.piles] == [2, 2]
    assert (game.progress_at, game.counted) == (1500, 1500)


def test_a_35_t_72_who_can_draw_is_not_stuck() -> None:
    game = board("9TJQ 9TJQ", "6 6", stocks=(1, 0))
    game.advance(1000)
    assert (game.phase, game.is_stuck(0), game.is_stuck(1)) == (RACE, False, True)


def test_a_41_all_of_three_must_be_stuck() -> None:
    game = board(f"{DEAD} {DEAD} 5TJQK", "6 6 4", rules=THREE)
    game.advance(100)
    assert game.phase == RACE
    game = board(f"{DEAD} {DEAD} {DEAD}", "6 6 4", rules=THREE)
    game.advance(1500)
    assert [len(pile) for pile in game.piles] == [2, 2, 2]


def test_s2_12_t_73_reserves_made_anew_keep_the_tops() -> None:
    game = board(f"{DEAD} {DEAD}", "6 6", reserves=(0, 0), under=(8, 10))
    tops_before = [pile[-1] for pile in game.piles]
    game.advance(1500)
    assert [pile[0] for pile in game.piles] == tops_before
    assert [len(pile) for pile in game.piles] == [2, 2]
    assert [len(heap) for heap in game.reserves] == [8, 8]
    assert (game.drawn[SHUFFLE], game.drawn[TIES]) == (17, 0)
    assert sum(game.snapshot()["mixed"]) == 16  # type: ignore[call-overload]


def test_a_36_what_is_left_of_a_reserve_is_mixed_in_and_odd_cards_go_anywhere() -> None:
    sizes = set()
    for seed in range(40):
        game = board(f"{DEAD} {DEAD} {DEAD}", "6 6 4", rules=THREE, reserves=(2, 0, 3), under=(3, 3, 0), seed=seed)
        game.advance(1500)
        assert game.drawn[TIES] == 2  # 11 cards: two of three piles get one more
        sizes.add(tuple(len(heap) for heap in game.reserves))
    assert sizes == {(3, 3, 2), (3, 2, 3), (2, 3, 3)}


def test_s2_19_an_empty_deck_turns_nothing() -> None:
    game = board("9TJQ 9TJQ", "6 6", stocks=(0, 3), reserves=(0, 0), rules=ROW)
    game.advance(1500)
    assert [len(pile) for pile in game.piles] == [1, 2]


def test_a_turn_may_take_the_last_card() -> None:
    game = board("- 9TJQ", "6 6", stocks=(1, 3), reserves=(0, 0), rules=ROW)
    launch(game, 0, "noop")
    game.advance(5000)
    assert (game.phase, game.time) == (PAUSE, 5000)
    game.advance(6500)
    assert (game.phase, game.winner, game.end_reason, game.players[0].score) == (OVER, 0, "finished", 6)


def test_a_13_let_lie_and_c_18_must_play() -> None:
    game = board("7K 9T", "6 6")
    launch(game, 0, "noop")
    game.advance(5000)
    assert game.phase == PAUSE
    game = board("7K 9T", "6 6", stocks=(0, 2), rules=replace(MANUAL, must_play=True))
    game.advance(5000)
    assert NOOP not in game.legal(0)
    assert game.legal(1) == [NOOP, game.draw]


def test_blocked_fewest_cards_win_and_equal_ones_toss() -> None:
    game = board("9T 9TJ", "6 6", reserves=(0, 0))
    game.advance(0)
    assert (game.phase, game.winner, game.end_reason, game.players[0].score) == (OVER, 0, "blocked", 3)
    wins = [0, 0]
    for seed in range(200):
        game = board("9T 9T", "6 6", reserves=(0, 0), seed=seed)
        game.advance(0)
        assert game.drawn[TIES] == 1
        wins[game.winner] += 1
    assert 70 < wins[0] < 130


# Ends


def test_s2_15_the_last_card_wins() -> None:
    game = board("7 K3", "6 9")
    act(game, 0, "7>0")
    assert (game.phase, game.winner, game.end_reason) == (OVER, 0, "finished")
    assert [player.score for player in game.players] == [2, 0]


def test_a_card_in_flight_when_the_deal_ends_is_the_losers() -> None:
    game = board("7 8K", "6 9", latencies=[steady(), steady(travel=500)])
    launch(game, 1, "8>1")
    act(game, 0, "7>0")
    assert (game.players[0].score, hand(game, 1), game.players[1].hand) == (2, "8K---", IDLE)


def test_s2_16_who_is_out_must_call_and_another_may_be_first() -> None:
    game = board("7 K3", "6 9", rules=ANNOUNCE)
    act(game, 0, "7>0")
    assert (game.phase, moves(game)) == (RACE, {"call"})
    act(game, 0, "call")
    assert (game.phase, game.winner) == (OVER, 0)
    slow_voice = replace(steady(), call=LogNormal(500))
    game = board("7 8", "6 9", rules=ANNOUNCE, latencies=[slow_voice, steady()])
    act(game, 0, "7>0")
    launch(game, 0, "call")
    act(game, 1, "8>1")
    act(game, 1, "call")
    assert (game.phase, game.winner) == (OVER, 1)


@pytest.mark.parametrize(("before", "after", "over"), [(20, 27, True), (18, 25, True), (10, 17, False)])
def test_s2_17_a_42_t_76_match(before: int, after: int, over: bool) -> None:
    game = board("7 K39", "6 9", stocks=(0, 4), rules=replace(MANUAL, match_score=25))
    game.players[0].score = before
    act(game, 0, "7>0")
    assert [player.score for player in game.players] == [after, 0]
    assert (game.phase, game.winner, game.round) == ((OVER, 0, 0) if over else (LOCKED, -1, 1))
    if not over:
        assert [len(player.stock) for player in game.players] == [15, 15]
        assert (game.seen, game.counted, game.drawn[DEAL]) == (set(), 0, 51)


def test_a_22_after_max_rounds_deals_the_match_is_cut_off() -> None:
    game = board("7 K39", "6 9", rules=replace(MANUAL, match_score=25, max_rounds=1))
    act(game, 0, "7>0")
    assert (game.phase, game.winner, game.end_reason, game.round) == (OVER, -1, "max_rounds", 1)


# Equal times


def test_a_40_both_last_cards_in_one_millisecond() -> None:
    wins = [0, 0]
    for seed in range(200):
        game = board("7 5", "6 6", seed=seed)
        launch(game, 0, "7>0")
        launch(game, 1, "5>1")
        game.advance(11)
        wins[game.winner] += 1
        assert sorted(player.score for player in game.players) == [0, 1]
    assert 70 < wins[0] < 130


def three_at_once(tie_break: str, plays: tuple[str, str, str]) -> SpeedOracle:
    game = board("7K 5K 7K", "6 8 J", rules=replace(THREE, tie_break=tie_break))
    for seat, play in enumerate(plays):
        launch(game, seat, play)
    game.advance(11)
    return game


def test_a_08_both_return_concerns_those_who_meet_on_one_pile() -> None:
    game = three_at_once("both_return", ("7>0", "5>0", "7>1"))
    assert ([player.landings for player in game.players], game.drawn[TIES]) == ([0, 0, 1], 0)
    assert [player.hand for player in game.players][:2] == [RETURN, RETURN]


def test_a_08_alternate_takes_turns_on_one_pile_only() -> None:
    game = three_at_once("alternate", ("7>0", "5>0", "7>0"))
    assert ([player.landings for player in game.players], game.drawn[TIES], game.clashes) == ([1, 0, 0], 0, 2)
    game = three_at_once("alternate", ("7>0", "5>0", "7>1"))
    assert sum(player.landings for player in game.players) == 2
    assert game.drawn[TIES] >= 1
