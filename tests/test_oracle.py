"""The oracle against the worked examples of the rules catalogue: what S0 and S3 say and what the rulings add."""

import pytest

from spit_env.latency import PROFILES
from spit_env.spit.rules import PRESETS
from tests.oracle import Oracle
from tests.oracle_boards import act, board, launch, moves, name, sizes, steady, text, tops, until
from tests.oracle_race import IDLE, LOCKED, NOOP, OVER, PAUSE, PICK, RACE, RETURN, THINK, TRAVEL
from tests.oracle_table import fits, layout
from tests.spit_rules import make_rules

SLOW = (steady(), steady(think=60_000))


def new_game(seed: int = 1, rules: str = "emma") -> Oracle:
    return Oracle(PRESETS[rules], [steady(), steady()], seed)


# Deal and first spit


def test_s0_01_to_04_halves_staircase_deck_and_no_piles() -> None:
    game = new_game()
    assert [[len(stack) for stack in player.stacks] for player in game.players] == [[1, 2, 3, 4, 5]] * 2
    assert [player.down for player in game.players] == [[0, 1, 2, 3, 4]] * 2
    assert [len(player.deck) for player in game.players] == [11, 11]
    cards = [c for p in game.players for pile in (*p.stacks, p.deck) for c in pile]
    assert sorted(cards) == list(range(52))
    assert game.piles == [[], []]
    assert game.drawn == {1: 51}


def test_t_06_dealing_order_by_stack() -> None:
    game = new_game()
    deck = game.players[0].deck + [c for stack in reversed(game.players[0].stacks) for c in reversed(stack)]
    top_down = deck[::-1]
    assert game.players[0].stacks[4][-1] == top_down[14]
    assert game.players[0].stacks[4][0] == top_down[10]


def test_s0_05_first_spit_after_the_pause_and_s0_06_locked_before() -> None:
    game = new_game()
    own = [player.deck[-1] for player in game.players]
    game.advance(1499)
    assert (game.phase, moves(game, 0), moves(game, 1)) == (LOCKED, set(), set())
    game.advance(1500)
    assert game.phase == RACE
    assert game.piles == [[own[0]], [own[1]]]
    assert [len(player.deck) for player in game.players] == [10, 10]


# Moves


def test_s0_08_play_by_one_rank() -> None:
    game = board("7 | x9 | xx3 | xxxQ | xxxx5", "2|2", "L=8 R=J")
    assert moves(game) == {"P1L", "P2L", "P4R"}
    act(game, 0, "P2L")
    assert tops(game) == "L=9(2) R=J(1)"
    assert text(game, 0) == ["7", "x", "xx3", "xxxQ", "xxxx5"]


@pytest.mark.parametrize(("changes", "legal"), [({}, 26), ({"ace_wrap": False}, 24), ({"doubles": True}, 39)])
def test_s0_10_c_10_c_23_all_169_rank_pairs(changes: dict[str, bool], legal: int) -> None:
    rules = make_rules("emma", **changes)
    assert sum(fits(4 * a, 4 * b + 3, rules) for a in range(13) for b in range(13)) == legal


def test_s0_10_aces_wrap_both_ways() -> None:
    game = board("K | 2 | Q | A | 7", "5|5", "L=A R=6")
    assert moves(game) == {"P1L", "P2L", "P5R"}


def test_s0_11_either_pile_for_both_players() -> None:
    game = board("5", "5", "L=4 R=6")
    assert moves(game, 0) == {"P1L", "P1R"}
    assert moves(game, 1) == {"P1L", "P1R"}


def test_s0_12_flip_and_t_20_nothing_from_or_onto_a_face_down_top() -> None:
    game = board("xx9 | 3", "3", "L=T R=T")
    act(game, 0, "P1L")
    assert moves(game) == {"F1"}
    act(game, 0, "F1")
    assert game.players[0].down[0] == 1
    assert "F1" not in moves(game)  # T-21


def test_s0_13_combine_in_both_directions() -> None:
    stacks = "x5 | xx5 | 9 | xK | xx2"
    for move, after in (("C1>2", ["x", "xx55"]), ("C2>1", ["x55", "xx"])):
        game = board(stacks, "3|3", "L=7 R=7")
        assert moves(game) == {"C1>2", "C2>1"}
        act(game, 0, move)
        assert text(game, 0)[:2] == after
        assert f"F{move[1]}" in moves(game)


def test_s0_14_fill() -> None:
    game = board("- | xQ | xx3 | x5 | xxxx2", "3|3", "L=8 R=8")
    assert moves(game) == {"G2>1", "G3>1", "G4>1", "G5>1"}
    act(game, 0, "G2>1")
    assert text(game, 0) == ["Q", "x", "xx3", "x5", "xxxx2"]
    assert moves(game) == {"F2"}


def test_s0_15_the_slower_card_comes_back_and_a_11_takes_as_long_as_it_flew() -> None:
    game = board("T | x5", "8 | x5", "L=9 R=2", latencies=[steady(travel=99), steady(travel=100)])
    game.advance(1)
    game.choose(0, game.legal(0)[1])
    game.choose(1, game.legal(1)[1])
    assert [name(game, player.seat, player.action) for player in game.players] == ["P1L", "P1L"]
    game.advance(100)
    assert tops(game) == "L=T(2) R=2(1)"
    game.advance(101)
    assert (game.players[1].hand, game.players[1].until, text(game, 1)[0]) == (RETURN, 201, "-")
    game.advance(201)
    assert (game.players[1].hand, text(game, 1)[0]) == (THINK, "8")
    assert [player.bounces for player in game.players] == [0, 1]
    assert [player.landings for player in game.players] == [1, 0]


def test_s0_16_s0_32_rearranging_needs_a_face_down_card() -> None:
    assert moves(board("5 | 5 | - | K | -", "3|3", "L=9 R=2")) == set()
    assert board("5 | 5 | - | K | -", "3|3", "L=9 R=2").is_stuck(0)
    assert moves(board("5 | x5 | - | K | -", "3|3", "L=9 R=2")) == {"C1>2", "C2>1", "G2>3", "G2>5"}


def test_s0_17_exactly_7_moves_then_s0_18_chain() -> None:
    game = board("8 | T | T | A | x", "3|3", "L=9 R=K")
    assert moves(game) == {"P1L", "P2L", "P3L", "P4R", "C2>3", "C3>2", "F5"}
    act(game, 0, "P1L")
    assert moves(game) == {"P4R", "C2>3", "C3>2", "F5"}
    act(game, 0, "P4R")
    assert tops(game) == "L=8(2) R=A(2)"
    assert moves(game) == {"C2>3", "C3>2", "F5"}


def test_s0_19_chains_can_be_cut() -> None:
    game = board("8 | T | T | A | x", "Q | 3", "L=9 R=K")
    act(game, 1, "P1R")
    assert "P4R" not in moves(game)


def test_a_15_combining_a_lone_card_leaves_a_gap_and_a_16_no_fill_from_one_card() -> None:
    game = board("5 | x5 | K", "3|3", "L=9 R=9")
    act(game, 0, "C1>2")
    assert text(game, 0)[0] == "-"
    assert moves(game) == {f"G2>{gap}" for gap in (1, 4, 5)}


# Stuck and spit


def test_s0_20_both_stuck_spit_again() -> None:
    game = board("5", "3", "L=J R=J", decks=(7, 5))
    game.advance(0)
    assert (game.phase, game.phase_until) == (PAUSE, 1500)
    game.advance(1500)
    assert [len(player.deck) for player in game.players] == [6, 4]
    assert [len(pile) for pile in game.piles] == [2, 2]
    assert sizes(game) == [7, 5]


def test_s0_21_s0_40_one_deck_left_solo_spit() -> None:
    game = board("5", "3", "L=J R=J", decks=(0, 5))
    game.advance(1500)
    assert [len(pile) for pile in game.piles] == [1, 2]
    assert [len(player.deck) for player in game.players] == [0, 4]
    assert sizes(game) == [1, 5]


def test_s0_22_a_31_blocked_fewest_stack_cards_wins_the_round_and_picks() -> None:
    game = board("5|5|5", "3|3|7|7|7", "L=J(6) R=J(19)", decks=(0, 0))
    game.advance(0)
    assert (game.phase, game.chooser, game.winner) == (PICK, 0, -1)
    game.choose(0, 37)  # S0-26: the larger one may be picked; leftovers come along
    assert sizes(game) == [19 + 3, 6 + 5]
    assert game.phase == LOCKED


def test_s0_23_dead_even_is_a_fair_coin() -> None:
    wins = [0, 0]
    for seed in range(400):
        game = board("5|5|5|5", "3|3|3|3", "L=J R=J", decks=(0, 0), seed=seed)
        game.advance(0)
        assert game.drawn[2] == 1
        wins[game.chooser] += 1
    assert 150 < wins[0] < 250


def test_a_20_nobody_spits_while_a_hand_moves() -> None:
    game = board("T | 5", "8 | 5", "L=9 R=2", latencies=[steady(travel=50), steady(travel=100)])
    launch(game, 0, "P1L")
    launch(game, 1, "P1L")
    game.advance(200)  # seat 0 has landed; seat 1's card is on its way back until 201
    assert (game.phase, game.players[1].hand) == (RACE, RETURN)
    game.advance(201)
    assert game.phase == PAUSE


def test_a_22_the_budget_ends_endless_rearranging() -> None:
    game = board("5 | x5 | K | K | K", "3", "L=9 R=9", rules=make_rules(rearrange_budget=2))
    act(game, 0, "C1>2")
    act(game, 0, "G2>1")
    assert (game.players[0].budget, text(game, 0)[:2]) == (0, ["5", "x5"])
    assert game.phase == PAUSE
    game.advance(game.time + 1500)
    assert game.players[0].budget == 2


# Ends


def test_s0_24_25_finisher_picks_and_the_other_takes_the_rest() -> None:
    game = board("8", "x5 | 3", "L=9(5) R=J(19)", decks=(7, 17))
    act(game, 0, "P1L")
    assert (game.phase, game.chooser) == (PICK, 0)
    assert (game.legal(1), game.asked()) == ([NOOP], [0])
    game.choose(0, 38)
    assert sizes(game) == [13, 19 + 3 + 17]
    assert (game.phase, game.round, game.piles) == (LOCKED, 1, [[], []])
    assert [len(player.deck) for player in game.players] == [0, 24]


def test_s0_27_a_01_to_a_03_t_09_order_of_the_new_deck() -> None:
    for orientation, pile in (("oldest_first", "8789"), ("newest_first", "9878")):
        game = board("J", "xx5 | 3", "L=T R=K", decks=(1, 2), rules=make_rules(pickup_orientation=orientation))
        u, v, five = game.players[1].stacks[0]
        three, (b, a) = game.players[1].stacks[1][0], game.players[1].deck
        game.piles[0] = [29, 24, 30, 33]  # 8 7 8 9, bottom to top
        drawn = game.drawn.copy()
        act(game, 0, "P1L")
        game.choose(0, 38)
        dealt = [c for stack in game.players[1].stacks for c in stack] + game.players[1].deck[::-1]
        taken = [29, 24, 30, 33] if pile == "8789" else [33, 30, 24, 29]
        assert dealt == [a, b, *taken, five, v, u, three]
        assert game.drawn[1] == drawn[1]
        assert game.drawn[4] == 0


def test_s0_29_win_with_no_deck_and_one_pile() -> None:
    game = board("8", "x5 | 3", "L=9(6)", decks=(0, 20))
    act(game, 0, "P1L")
    assert (game.phase, game.winner, game.end_reason) == (OVER, 0, "finished")
    game = board("8", "x5 | 3", "L=9(6) R=4", decks=(0, 20))
    act(game, 0, "P1L")
    assert (game.phase, game.chooser, game.winner) == (PICK, 0, -1)


def test_a_29_the_deck_owner_who_finishes_one_pile_keeps_the_deck() -> None:
    game = board("x5 | 3", "8", "L=9(6)", decks=(0, 9))
    act(game, 1, "P1L")
    assert (game.phase, sizes(game)) == (LOCKED, [7 + 3, 9])


def test_s0_30_no_cards_after_a_pick_wins() -> None:
    game = board("8", "x5", "L=9(6)", decks=(0, 9), rules=make_rules(win="after_pick"))
    act(game, 0, "P1L")
    assert (game.phase, game.winner, game.end_reason) == (OVER, 0, "no_cards_left")


def test_a_26_the_others_card_in_flight_comes_back_first() -> None:
    game = board("8", "8 | x3", "L=9", decks=(0, 9), latencies=[steady(travel=10), steady(travel=90)])
    launch(game, 1, "P1L")
    act(game, 0, "P1L")
    assert (game.phase, game.winner, text(game, 1)) == (OVER, 0, ["8", "x3", "-", "-", "-"])
    assert [player.hand for player in game.players] == [IDLE, IDLE]


def test_s0_41_s0_42_short_layout_and_its_one_pile_round() -> None:
    game = board("8", "x5 | 3", "L=9(5) R=J(19)", decks=(7, 17))
    act(game, 0, "P1L")
    game.choose(0, 38)
    assert [len(stack) for stack in game.players[0].stacks] == [1, 2, 3, 4, 3]
    until(game, RACE)
    assert [len(pile) for pile in game.piles] == [0, 1]
    assert [len(player.deck) for player in game.players] == [0, 23]
    assert not any("R" in move for move in moves(game, 0) | moves(game, 1))  # T-40


A_05 = """
1: 1 / 1 / 1
2: 1,1 / 1,1 / 1
3: 1,2 / 1,1,1 / 1,2
4: 1,2,1 / 1,1,1,1 / 1,2
5: 1,2,2 / 1,1,1,1,1 / 1,2
6: 1,2,3 / 1,2,1,1,1 / 1,2,3
7: 1,2,3,1 / 1,2,2,1,1 / 1,2,3
8: 1,2,3,2 / 1,2,2,2,1 / 1,2,3
9: 1,2,3,3 / 1,2,2,2,2 / 1,2,3
10: 1,2,3,4 / 1,2,3,2,2 / 1,2,3,4
11: 1,2,3,4,1 / 1,2,3,3,2 / 1,2,3,4
12: 1,2,3,4,2 / 1,2,3,3,3 / 1,2,3,4
13: 1,2,3,4,3 / 1,2,3,4,3 / 1,2,3,4
14: 1,2,3,4,4 / 1,2,3,4,4 / 1,2,3,4
15: 1,2,3,4,5 / 1,2,3,4,5 / 1,2,3,4,5
"""


@pytest.mark.parametrize("line", A_05.split("\n")[1:-1])
def test_a_05_a_06_c_02_c_14_short_layouts(line: str) -> None:
    cards, columns = line.split(":")
    values: tuple[dict[str, str], ...] = ({}, {"deal_order": "by_row"}, {"short_layout": "whole_stacks"})
    for column, changes in zip(columns.split("/"), values, strict=True):
        places = layout(int(cards), make_rules("emma", **changes))
        heights = [places.count(stack) for stack in range(5)]
        assert [height for height in heights if height] == [int(part) for part in column.split(",")]


def test_s0_38_latency_changes_no_legality() -> None:
    stacks = ("8 | T | T | A | x", "3|3", "L=9 R=K")
    assert all(len(moves(board(*stacks, latencies=[lat, lat]))) == 7 for lat in PROFILES.values())


# The German example game


def test_t_90_s3_16_steps_1_to_12() -> None:
    game = board("7 | (J)Q | xx3 | x(5)(T)9 | xxxx2", "K | x5 | x(6)T | xx(2)8 | xxxx4", "R=8 L=J",
                 decks=(10, 10), rules=PRESETS["de_s3"])  # fmt: skip
    assert moves(game, 0) == {"P1R", "P4R", "P2L"}  # 3
    assert moves(game, 1) == {"P3L"}
    act(game, 0, "P1R")  # 4
    assert text(game, 0)[0] == "-"
    act(game, 1, "P4R")  # 5
    act(game, 0, "P4R")  # 6
    assert text(game, 0)[3] == "xxT"
    assert tops(game) == "L=J(1) R=9(4)"
    act(game, 1, "P3L")  # 7
    fills = {f"G{stack}>1" for stack in (2, 3, 4, 5)}
    assert moves(game, 0) == {"P4R"} | fills  # the queen fits nowhere
    act(game, 0, "P4R")  # 8
    assert text(game, 0)[3] == "x5"
    assert tops(game) == "L=T(2) R=T(5)"
    assert moves(game, 0) == fills  # 9
    assert moves(game, 1) == set()
    act(game, 0, "G2>1")  # 10
    assert text(game, 0)[:2] == ["Q", "J"]
    assert moves(game, 0) == {"P2R", "P2L"}
    act(game, 0, "P2R")  # 11
    assert text(game, 0)[1] == "-"
    act(game, 0, "P1R")  # 12
    assert text(game, 0)[0] == "-"
    assert tops(game) == "L=T(2) R=Q(7)"
    assert "P1R" in moves(game, 1)  # O-9: the king fits
    assert (game.phase, [player.landings for player in game.players]) == (RACE, [5, 2])


# Hands


def test_thinking_goes_on_when_its_reason_vanishes_and_then_idles() -> None:
    game = board("T", "8 | x5", "L=9 R=2", latencies=[steady(think=50), steady(think=1, travel=10)])
    launch(game, 1, "P1L")
    game.advance(49)
    assert (game.players[0].hand, game.moves(0), game.players[0].until) == (THINK, [], 50)
    game.advance(50)
    assert game.players[0].hand == IDLE


def test_t_57_busy_hands_have_noop_only_and_declined_hands_are_asked_again() -> None:
    game = board("T", "8 | x5", "L=9 R=2", latencies=SLOW, wait_ms=70)
    game.advance(stop_at_choice=True)
    assert (game.time, game.asked(), game.legal(1)) == (1, [0], [NOOP])
    game.choose(0, NOOP)
    assert game.asked() == []
    game.advance(stop_at_choice=True)
    assert (game.time, game.asked(), game.players[0].declined) == (71, [0], True)
    game.choose(0, 2)
    assert (game.players[0].hand, game.legal(0)) == (TRAVEL, [NOOP])
