"""The oracle of Speed against the worked examples of the rules catalogue: the deal, moves and jokers."""

from dataclasses import replace

import pytest

from spit_env.speed.rules import PRESETS, SpeedRules
from tests.oracle_boards import steady
from tests.oracle_race import LOCKED, OVER, RACE, RETURN, TRAVEL
from tests.oracle_speed import SpeedOracle
from tests.oracle_speed_boards import DEAD, MANUAL, ROW, THREE, act, board, hand, launch, moves, tops
from tests.oracle_speed_table import fits

JOKERS = SpeedRules(stock=16, jokers=2, refill="manual")


def new_game(preset: str, seed: int = 1) -> SpeedOracle:
    rules = PRESETS[preset]
    return SpeedOracle(rules, [steady()] * rules.n_players, seed)


# The deal and the start


@pytest.mark.parametrize(("preset", "stocks", "hand_size", "reserve", "starters"), [
    ("speed", [15, 15], 5, 5, 1), ("speed_wikipedia", [15, 15], 5, 6, 0), ("speed_pagat", [10, 10], 5, 10, 1),
    ("speed_jokers", [16, 16], 5, 5, 1), ("speed_3p", [7, 6, 6], 5, 5, 1), ("speed_4p", [15] * 4, 5, 5, 1),
    ("bicycle", [48, 48], 4, 0, 0),
])  # fmt: skip
def test_s2_03_to_06_s2_19_s2_22_deals(
    preset: str, stocks: list[int], hand_size: int, reserve: int, starters: int
) -> None:
    game = new_game(preset)
    assert [len(player.stock) for player in game.players] == stocks
    assert [len(player.cards()) for player in game.players] == [hand_size] * len(stocks)
    assert [len(heap) for heap in game.reserves] == [reserve] * len(stocks)
    assert [card is not None for card in game.starters] == [bool(starters)] * len(stocks)
    cards = [card for player in game.players for card in (*player.stock, *player.cards())]
    cards += [card for heap in game.reserves for card in heap] + [card for card in game.starters if card is not None]
    assert sorted(cards) == game.pack()


def test_the_pack_is_dealt_out_in_the_order_of_labels() -> None:
    rules, labels = PRESETS["speed_3p"], (2, 0, 1)
    plain = SpeedOracle(rules, [steady()] * 3, 5)
    moved = SpeedOracle(rules, [steady()] * 3, 5, labels)
    for seat, label in enumerate(labels):
        assert moved.players[seat].stock == plain.players[label].stock
        assert moved.players[seat].slots == plain.players[label].slots
        assert (moved.reserves[seat], moved.starters[seat]) == (plain.reserves[label], plain.starters[label])


def test_s2_07_start() -> None:
    game = new_game("speed")
    starters = [card for card in game.starters if card is not None]
    game.advance(1499)
    assert (game.phase, moves(game, 0), moves(game, 1), game.seen) == (LOCKED, set(), set(), set())
    game.advance(1500)
    assert (game.phase, game.piles, game.counted) == (RACE, [[card] for card in starters], 1500)
    assert (game.seen, game.starters) == (set(starters), [None, None])


def test_s2_05_without_starters_the_reserves_start() -> None:
    game = new_game("speed_wikipedia")
    own = [heap[-1] for heap in game.reserves]
    game.advance(1500)
    assert game.piles == [[card] for card in own]
    assert [len(heap) for heap in game.reserves] == [5, 5]


def test_s2_19_the_first_turn_of_a_row_of_four() -> None:
    game = new_game("bicycle")
    assert len(game.seen) == 8
    assert [card // 52 for player in game.players for card in player.cards()] == [0] * 4 + [1] * 4
    game.advance(1500)
    assert [len(player.stock) for player in game.players] == [47, 47]
    assert [[card // 52 for card in pile] for pile in game.piles] == [[0], [1]]


# Moves


def test_s2_08_play() -> None:
    game = board("7K392 3", "6 A", stocks=(5, 5))
    assert moves(game) == {"7>0", "K>1", "2>1"}
    assert moves(game, 1) == {"draw"}


def test_action_numbers_count_piles_from_the_own_one() -> None:
    game = board("7K392 2 2", "6 A K", rules=THREE)
    assert [game.moves(seat) for seat in range(3)] == [[1, 5, 14], [1], [3]]
    assert (game.draw, game.call) == (31, 32)


@pytest.mark.parametrize(("changes", "legal"), [({}, 26), ({"ace_wrap": False}, 24), ({"doubles": True}, 39)])
def test_s2_02_s2_21_t_77_rank_pairs(changes: dict[str, bool], legal: int) -> None:
    rules = replace(MANUAL, **changes)  # type: ignore[arg-type]
    assert sum(fits(a, b, rules) for a in range(13) for b in range(13)) == legal


def test_s2_10_a_35_drawing_follows_by_itself_card_by_card() -> None:
    game = board("7K392 3", "6 A", stocks=(15, 5), rules=SpeedRules())
    launch(game, 0, "7>0")
    game.advance(11)
    assert (hand(game), game.players[0].hand, game.players[0].action) == ("-K392", TRAVEL, game.draw)
    game.advance(21)
    assert (len(game.players[0].cards()), len(game.players[0].stock)) == (5, 14)
    act(game, 1, "draw")
    assert (len(game.players[1].cards()), len(game.players[1].stock)) == (5, 1)


def test_s2_10_manual_drawing() -> None:
    game = board("7K392 3", "6 A", stocks=(15, 5))
    act(game, 0, "7>0")
    assert (hand(game), "draw" in moves(game)) == ("-K392", True)
    drawn = game.players[0].stock[-1]
    act(game, 0, "draw")
    assert (game.players[0].slots[0], len(game.players[0].stock), "draw" in moves(game)) == (drawn, 14, False)
    assert drawn not in game.seen


def test_a_card_drawn_to_an_open_row_is_seen() -> None:
    game = board("7K3 3", "6 A", stocks=(15, 5), reserves=(0, 0), rules=ROW)
    act(game, 0, "draw")
    assert game.players[0].slots[3] in game.seen


def test_s2_13_the_slower_card_comes_back() -> None:
    game = board("7K 5K", "6 9", latencies=[steady(travel=99), steady(travel=100)])
    game.advance(1)
    launch(game, 0, "7>0")
    launch(game, 1, "5>0")
    game.advance(101)
    assert (tops(game), game.players[1].hand, game.players[1].until) == ("7(2) 9(1)", RETURN, 201)
    assert hand(game, 1) == "-K---"
    game.advance(201)
    assert hand(game, 1) == "5K---"
    assert [player.bounces for player in game.players] == [0, 1]


def test_s2_14_empty_stock_no_refill() -> None:
    game = board("7K39 K", "6 9", rules=SpeedRules())
    act(game, 0, "7>0")
    assert (hand(game), game.players[0].hand in (TRAVEL, RETURN)) == ("-K39-", False)


def test_a_09_strict_landing_after_two_changes_back() -> None:
    for check, landed in (("at_landing", 1), ("strict", 0)):
        rules = replace(MANUAL, land_check=check)
        game = board("7K 76K", "6 9", rules=rules, latencies=[steady(travel=100), steady()])
        launch(game, 0, "7>0")
        act(game, 1, "7>0")
        act(game, 1, "6>0")
        game.advance(101)
        assert game.players[0].landings == landed


# Jokers


def test_s2_20_a_39_a_joker_is_never_last_and_never_left_alone() -> None:
    assert moves(board("* K", "6 9", rules=JOKERS)) == set()
    assert moves(board("** K", "6 9", rules=JOKERS)) == set()
    assert moves(board("* K", "6 9", stocks=(1, 0), rules=JOKERS)) == {f"*>{p}{h}" for p in "01" for h in "+-"} | {
        "draw"
    }
    assert moves(board("7 K", "6 9", stocks=(1, 0), rules=JOKERS)) == {"draw"}


def test_t_74_a_hand_of_seven_and_joker_plays_the_joker_first() -> None:
    game = board("7* K", "6 9", rules=JOKERS)
    assert moves(game) == {f"*>{pile}{how}" for pile in "01" for how in "+-"}
    act(game, 0, "*>1-")
    assert tops(game) == "6(1) 8(2)"
    assert moves(game) == {"7>0", "7>1"}
    act(game, 0, "7>1")
    assert (game.phase, game.winner) == (OVER, 0)


def test_a_38_the_neighbours_of_ace_and_king() -> None:
    assert moves(board("*5 9", "A K", rules=JOKERS)) == {"*>0-", "*>0+", "*>1-", "*>1+"}
    no_wrap = replace(JOKERS, ace_wrap=False)
    assert moves(board("*5 9", "A K", rules=no_wrap)) == {"*>0+", "*>1-"}
    game = board("*5 9", "A K", rules=JOKERS)
    act(game, 0, "*>0-")
    assert tops(game) == "K(2) K(1)"


def test_a_38_anything_fits_a_joker_without_a_name() -> None:
    game = board("9TJQ* K2", "* 6", rules=JOKERS)
    assert moves(game) == {"9>0", "T>0", "J>0", "Q>0", "*>0-", "*>1-", "*>1+"}
    assert moves(game, 1) == {"K>0", "2>0"}
    act(game, 0, "*>0-")
    assert tops(game) == "*(2) 6(1)"
    game = board("9TJQ* K2", "* 6", rules=JOKERS, latencies=[steady(travel=20), steady()])
    launch(game, 0, "*>0-")
    act(game, 1, "K>0")
    game.advance(21)
    assert (game.players[0].hand, game.players[0].name) == (RETURN, 13)


def test_a_joker_keeps_its_name_in_flight() -> None:
    game = board("9TJQ* K7", "6 3", rules=JOKERS, latencies=[steady(travel=20), steady()])
    launch(game, 0, "*>0+")
    act(game, 1, "7>0")
    game.advance(21)
    assert (game.players[0].hand, tops(game)) == (RETURN, "7(2) 3(1)")


def test_a_joker_turned_up_has_no_name() -> None:
    game = board(f"{DEAD} {DEAD}", "6 6", rules=JOKERS)
    game.reserves[1][-1] = 104
    game.advance(1500)
    assert (game.phase, game.tops[1], game.count_ranks(game.seen)[13]) == (RACE, 13, 1)
    assert {f"{rank}>1" for rank in DEAD} <= moves(game)


def test_a_46_a_joker_is_named_by_the_pile_as_its_player_sees_it() -> None:
    eyes = [steady(think=50, perception_ms=200), steady()]
    game = board("9TJQ* K7", "6 3", rules=JOKERS, latencies=eyes)
    act(game, 1, "7>0")
    launch(game, 0, "*>0+")
    assert (game.time, game.tops[0], game.players[0].name) == (50, 6, 6)
    game.advance(60)
    assert game.players[0].hand == RETURN
