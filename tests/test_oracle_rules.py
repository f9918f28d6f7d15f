"""The oracle under other values of the rules: the conflicts C-.. and the rulings A-.. of the catalogue."""

import pytest

from spit_env.spit.rules import PRESETS, SpitRules
from tests.oracle import Oracle
from tests.oracle_boards import EMMA, act, board, launch, moves, sizes, steady, text, tops, until
from tests.oracle_race import LOCKED, NOOP, OVER, PAUSE, PICK, RACE, RETURN, SLAP, SOLO, THINK, TRAVEL
from tests.oracle_table import FLIPS
from tests.spit_rules import make_rules

# Cards


def test_c_01_a_shuffled_pick_up_is_a_permutation_and_hides_places() -> None:
    game = board("8", "x5 | 3", "L=9(5) R=J(19)", decks=(7, 17), rules=make_rules(pickup_shuffle=True))
    held = {card for player in game.players for card in player.deck}
    act(game, 0, "P1L")
    game.choose(0, 38)
    assert sizes(game) == [13, 39]
    assert game.drawn[4] == 12 + 38
    assert held <= {c for p in game.players for c in (*p.deck, *(c for stack in p.stacks for c in stack))}
    ups = {stack[-1] for player in game.players for stack in player.stacks if stack}
    assert game.known == ups
    assert ups <= game.seen


def test_c_22_deal_order_by_row() -> None:
    game = Oracle(make_rules(deal_order="by_row"), [steady(), steady()], 1)
    other = Oracle(EMMA, [steady(), steady()], 1)
    top_down = [c for stack in other.players[0].stacks for c in stack]
    places = [0, 1, 2, 3, 4, 1, 2, 3, 4, 2, 3, 4, 3, 4, 4]
    for stack in range(5):
        expected = [card for card, place in zip(top_down, places, strict=True) if place == stack]
        assert game.players[0].stacks[stack] == expected


# Moves


def test_c_07_no_combining() -> None:
    game = board("x5 | x5 | 9 | K | K", "3", "L=J R=J", rules=make_rules(combine="off"))
    assert moves(game) == set()


def test_c_08_t_25_rearranging_without_face_down_cards() -> None:
    loose = make_rules(rearrange_needs_facedown=False)
    game = board("5 | 5 | - | K | KK", "3", "L=9 R=2", rules=loose)
    assert moves(game) == {"C1>2", "C2>1", "C4>5", "C5>4", "G5>3"}
    assert game.is_stuck(0)  # legal, but it uncovers nothing


def with_a_pair(travel: float) -> Oracle:
    """A fresh deal in which seat 0 can combine before the first spit."""
    games = (Oracle(PRESETS["wikipedia"], [steady(travel=travel), steady()], seed) for seed in range(30))
    return next(game for game in games if game.moves(0))


def test_c_09_t_12_prespit_combine_only() -> None:
    game = with_a_pair(10)
    assert all(move.startswith("C") for move in moves(game))
    launch(game, 0, min(moves(game)))
    assert game.phase == LOCKED
    game.advance(game.time + 10)
    assert any(game.players[0].face_down(i) or not game.players[0].stacks[i] for i in range(5))
    assert all(move.startswith("C") for move in moves(game))
    until(game, RACE)
    assert game.time == 1500


def test_c_09_the_first_spit_waits_for_a_card_in_flight() -> None:
    game = with_a_pair(4000)
    launch(game, 0, min(moves(game)))
    until(game, RACE)
    assert game.time == game.players[0].flight_ms + 1 == 4001


@pytest.mark.parametrize("move", ["P1L", "C1>2"])
def test_c_15_flip_auto_goes_on_by_the_same_hand(move: str) -> None:
    game = board("x8 | x8", "3", "L=9 R=2", rules=make_rules(flip="auto"))
    launch(game, 0, move)
    game.advance(game.time + 10)
    assert (game.players[0].hand, game.players[0].action in FLIPS) == (TRAVEL, True)
    game.advance(game.time + 10)
    assert game.players[0].down[0] == 0
    assert (game.drawn[16], game.drawn[32]) == (2, 2)  # the second think is for what comes next


def test_c_18_must_play_masks_noop_after_the_stall_limit() -> None:
    game = board("8 | x5", "5", "L=9 R=2", rules=make_rules(must_play=True))
    launch(game, 0, "NOOP")
    game.advance(4999)
    assert NOOP in game.legal(0)
    game.advance(5000)
    assert game.legal(0)[0] == 2
    assert game.phase == RACE
    game.advance(None, stop_at_choice=True)
    assert (game.time, game.asked()) == (5000, [0])


def test_c_23_doubles() -> None:
    assert moves(board("9", "3", "L=9 R=2", rules=make_rules(doubles=True))) == {"P1L"}


# Time


def test_a_08_ties_of_landing() -> None:
    def both(rules: SpitRules, seed: int = 1) -> Oracle:
        game = board("T | x5", "8 | x5", "L=9 R=2", rules=rules, seed=seed)
        launch(game, 0, "P1L")
        launch(game, 1, "P1L")
        game.advance(11)
        return game

    firsts = [both(EMMA, seed).players[0].landings for seed in range(200)]
    assert 70 < sum(firsts) < 130
    game = both(make_rules(tie_break="both_return"))
    assert ([p.hand for p in game.players], game.drawn[2]) == ([RETURN, RETURN], 0)
    game = both(make_rules(tie_break="alternate"))
    assert ([p.landings for p in game.players], game.drawn[2]) == ([1, 0], 0)
    assert (tops(game), game.clashes) == ("L=T(2) R=2(1)", 1)


def test_a_08_alternate_takes_turns_and_other_ties_use_the_coin() -> None:
    game = board("T | x5", "8 | x5 | T", "L=9 R=2", rules=make_rules(tie_break="alternate"))
    game.clashes = 1
    launch(game, 0, "P1L")
    launch(game, 1, "P1L")
    game.advance(11)
    assert [p.landings for p in game.players] == [0, 1]
    game = board("T | x5", "A | x5", "L=9 R=2", rules=make_rules(tie_break="alternate"))
    launch(game, 0, "P1L")
    launch(game, 1, "P1R")
    game.advance(11)
    assert ([p.landings for p in game.players], game.drawn[2]) == ([1, 1], 1)


@pytest.mark.parametrize(("check", "landed"), [("at_landing", 1), ("strict", 0)])
def test_a_09_t_52_two_changes_back_to_the_same_rank(check: str, landed: int) -> None:
    game = board("T | x5", "8 | 9 | x5", "L=9 R=2", rules=make_rules(land_check=check),
                 latencies=[steady(travel=100), steady()])  # fmt: skip
    launch(game, 0, "P1L")
    act(game, 1, "P1L")
    act(game, 1, "P2L")
    game.advance(101)
    assert game.players[0].landings == landed
    assert game.players[0].bounces == 1 - landed


@pytest.mark.parametrize(("return_ms", "until_ms"), [(-1, 21), (300, 311), (0, 12)])
def test_a_11_return_ms_or_as_long_as_it_flew_or_thinking_at_once(return_ms: int, until_ms: int) -> None:
    game = board("T | x5", "8 | x5", "L=9 R=2", rules=make_rules(return_ms=return_ms, tie_break="both_return"))
    launch(game, 0, "P1L")
    launch(game, 1, "P1L")
    game.advance(11)
    assert [p.until for p in game.players] == [until_ms, until_ms]


def test_a_46_delayed_perception_in_masks_not_in_landings() -> None:
    game = board("T | J | x5", "8 | 5", "L=9 R=2", latencies=[steady(perception_ms=200), steady()])
    act(game, 1, "P1L")
    assert (game.time, tops(game)) == (11, "L=8(2) R=2(1)")
    assert "P1L" in moves(game, 0)
    launch(game, 0, "P1L")
    game.advance(21)
    assert game.players[0].hand == RETURN
    game.advance(210)
    assert "P1L" in moves(game, 0)
    game.advance(211)
    assert "P1L" not in moves(game, 0)
    assert game.players[1].landings == 1


def test_a_46_a_change_reopens_the_question_when_it_is_seen() -> None:
    eyes = [steady(perception_ms=200), steady(think=5)]
    game = board("T | x5", "8 | 5", "L=9 R=2", latencies=eyes, wait_ms=9000)
    launch(game, 0, "NOOP")
    game.advance(stop_at_choice=True)
    game.choose(1, 1)  # 8 on 9 at 5, lands at 15
    times = []
    while game.time < 215:
        game.advance(stop_at_choice=True)
        times.append(game.time)
        for seat in game.asked():
            game.choose(seat, NOOP)
    assert times[:3] == [200, 205, 215]  # the spit at 0, the launch and the landing


# Stuck and spit


def test_c_06_t_33_solo_spit() -> None:
    def stuck(solo: str, deck: int) -> Oracle:
        game = board("5", "3", "L=J R=J", decks=(0, deck), rules=make_rules(solo_spit=solo))
        game.advance(1500)
        return game

    assert [len(pile) for pile in stuck("own_pile", 5).piles] == [1, 2]
    assert [len(pile) for pile in stuck("both_piles", 5).piles] == [2, 2]
    assert [len(pile) for pile in stuck("both_piles", 1).piles] == [1, 2]
    game = stuck("either_then_fixed", 5)
    assert (game.phase, game.chooser, game.legal(0), game.legal(1)) == (SOLO, 1, [NOOP], [37, 38])
    game.advance(9000)
    assert game.time == 1500
    game.choose(1, 38)
    assert (game.phase, [len(pile) for pile in game.piles]) == (RACE, [2, 1])
    game.players[0].stacks[0] = []  # so that all are stuck again whatever was turned up
    game.players[1].stacks[0] = []
    game.advance(game.time)
    game.advance(3000)
    assert (game.phase, [len(pile) for pile in game.piles]) == (PAUSE, [3, 1])


def test_c_16_t_39_centre_only_spits_too_early() -> None:
    for stuck_test, phase in (("productive", RACE), ("centre_only", PAUSE)):
        game = board("x5 | -", "3", "L=J R=J", rules=make_rules(stuck_test=stuck_test))
        game.advance(0)
        assert game.phase == phase


def test_c_17_request_when_stuck() -> None:
    game = board("5", "3", "L=J R=J", rules=make_rules(spit_trigger="request_when_stuck"))
    assert moves(game) == set()
    game.advance(0)
    assert (game.phase, game.stuck_mark, moves(game)) == (RACE, True, {"SPIT"})
    act(game, 1, "SPIT")
    assert (game.phase, game.time) == (PAUSE, 11)
    game.advance(1511)
    assert (game.phase, game.progress_at) == (RACE, 1511)


def test_c_17_request_stalled_spits_and_blocked_needs_no_request() -> None:
    game = board("5", "3", "L=J R=J", rules=make_rules(spit_trigger="request_when_stuck"))
    launch(game, 0, "NOOP")
    launch(game, 1, "NOOP")
    game.advance(4999)
    assert game.phase == RACE
    game.advance(5000)
    assert game.phase == PAUSE
    game = board("5", "3|3", "L=J R=J", decks=(0, 0), rules=make_rules(spit_trigger="request_when_stuck"))
    game.advance(0)
    assert (game.phase, game.chooser) == (PICK, 0)


def test_c_17_mutual_consent() -> None:
    game = board("8 | x5", "3 | x7", "L=9 R=J", rules=make_rules(spit_trigger="mutual_consent"))
    act(game, 0, "SPIT")
    assert (game.players[0].consent, "SPIT" in moves(game, 0), "SPIT" in moves(game, 1)) == (True, False, True)
    act(game, 0, "P1L")
    assert game.players[0].consent is False
    act(game, 0, "SPIT")
    act(game, 1, "SPIT")
    game.advance(game.time)
    assert game.phase == PAUSE


def test_c_17_one_consent_is_enough_when_the_other_is_stuck_and_a_23_a_flight_lands_first() -> None:
    rules = make_rules(spit_trigger="mutual_consent")
    game = board("8 | 8", "3", "L=9 R=J", rules=rules, latencies=[steady(), steady(travel=300)])
    act(game, 0, "SPIT")
    assert game.phase == PAUSE
    game = board("8 | 8", "8 | 5", "L=9 R=J", rules=rules, latencies=[steady(), steady(travel=300)])
    launch(game, 1, "SPIT")
    act(game, 0, "SPIT")
    game.advance(300)
    assert (game.phase, game.is_stuck(0)) == (RACE, True)
    game.advance(301)
    assert game.phase == PAUSE


def test_c_17_a_request_is_void_when_the_table_is_no_longer_stuck() -> None:
    rules = make_rules(spit_trigger="request_when_stuck", stuck_test="centre_only")
    game = board("5 | x", "3", "L=J R=J", rules=rules, latencies=[steady(), steady(travel=300)])
    launch(game, 1, "SPIT")
    act(game, 0, "F2")
    assert game.stuck_mark is False
    game.advance(301)
    assert (game.players[1].hand, game.phase, game.stuck_mark) == (THINK, RACE, True)


def test_a_13_a_stall_counts_as_stuck_once_all_who_can_act_have_declined() -> None:
    game = board("8 | x5", "3", "L=9 R=J")
    launch(game, 0, "NOOP")
    game.advance(5000)
    assert game.phase == PAUSE
    game = board("8 | x5", "3", "L=9 R=J")
    game.advance(20_000)  # an open hand that was never asked holds the table up
    assert game.phase == RACE
    launch(game, 0, "NOOP")
    game.advance(20_000)
    assert game.phase == PAUSE


@pytest.mark.parametrize(("changes", "time", "reason"), [
    ({"stall_ms": 0}, 30_000, "max_idle_ms"),
    ({"stall_ms": 0, "max_round_ms": 700}, 700, "max_round_ms"),
    ({"stall_ms": 0, "max_round_ms": 30_000}, 30_000, "max_round_ms"),
])  # fmt: skip
def test_a_22_t_64_t_65_guards(changes: dict[str, int], time: int, reason: str) -> None:
    game = board("8 | x5", "3", "L=9 R=J", rules=make_rules("emma", **changes))
    game.advance()
    assert (game.time, game.phase, game.end_reason, game.winner) == (time, OVER, reason, -1)


def test_a_22_max_rounds() -> None:
    game = board("8", "x5 | 3", "L=9(5) R=J(19)", decks=(7, 17), rules=make_rules(max_rounds=1))
    act(game, 0, "P1L")
    game.choose(0, 38)
    assert (game.phase, game.end_reason, game.round) == (OVER, "max_rounds", 1)
    assert [len(player.deck) for player in game.players] == [13, 39]


# Ends


def test_c_03_slap_race_and_smaller_pile() -> None:
    game = board("8", "x5 | 3", "L=9(5) R=J(19)", decks=(7, 17), rules=make_rules(round_end="smaller_pile"))
    act(game, 0, "P1L")
    assert (game.phase, sizes(game)) == (LOCKED, [13, 39])
    game = board("8", "x5 | 3", "L=9(5) R=J(19)", decks=(7, 17), rules=make_rules(round_end="slap_race"))
    act(game, 0, "P1L")
    assert (game.phase, moves(game, 1)) == (SLAP, {"PICK L", "PICK R"})
    act(game, 1, "PICK L")
    assert (game.phase, sizes(game)) == (LOCKED, [26, 6 + 3 + 17])


def test_c_03_nobody_slaps_and_the_winner_picks() -> None:
    game = board("8", "x5 | 3", "L=9(5) R=J(19)", decks=(7, 17), rules=make_rules(round_end="slap_race"))
    act(game, 0, "P1L")
    game.advance()
    assert (game.time, game.phase, game.chooser) == (11 + 5000, PICK, 0)


@pytest.mark.parametrize(("blocked", "phase", "held"), [
    ("fewest_stack_cards", PICK, [1, 2]), ("slap_race", SLAP, [1, 2]), ("draw_round", LOCKED, [5, 5]),
    ("fewest_wins_game", OVER, [1, 2]),
])  # fmt: skip
def test_c_04_blocked(blocked: str, phase: int, held: list[int]) -> None:
    game = board("5", "3|3", "L=J(3) R=J(4)", decks=(0, 0), rules=make_rules(blocked=blocked))
    game.advance(0)
    assert (game.phase, sizes(game)) == (phase, held)
    assert (game.winner, game.end_reason) == ((0, "blocked") if phase == OVER else (-1, ""))


@pytest.mark.parametrize("blocked", ["fewest_stack_cards", "fewest_wins_game"])
def test_c_05_void_round(blocked: str) -> None:
    rules = make_rules(blocked=blocked, blocked_tie="void_round")
    game = board("5|5", "3|3", "L=J(3) R=J(4)", decks=(0, 0), rules=rules)
    game.advance(0)
    assert (game.phase, game.round, sizes(game), game.drawn[2]) == (LOCKED, 1, [6, 5], 0)


def test_c_12_pick_pile_or_nothing() -> None:
    for choice, held in ((37, [9, 3]), (38, [3, 9])):
        rules = make_rules(one_pile_finish="pick_pile_or_nothing")
        game = board("8", "x5 | 3", "R=9(5)", decks=(3, 0), rules=rules)
        act(game, 0, "P1R")
        assert (game.phase, game.legal(0)) == (PICK, [37, 38])
        game.choose(0, choice)
        assert sizes(game) == held


@pytest.mark.parametrize(("win", "piles", "over"), [
    ("one_pile", "L=9", True), ("one_pile", "L=9 R=2", False), ("no_cards_held", "L=9 R=2", True),
    ("after_pick", "L=9 R=2", False),
])  # fmt: skip
def test_c_13_t_45_win(win: str, piles: str, over: bool) -> None:
    game = board("8", "x5 | 3", piles, decks=(0, 17), rules=make_rules(win=win))
    act(game, 0, "P1L")
    assert (game.phase == OVER, game.winner) == (over, 0 if over else -1)


def test_a_25_t_47_both_last_cards_in_one_millisecond() -> None:
    wins = [0, 0]
    for seed in range(100):
        game = board("8", "T", "L=9", decks=(0, 9), seed=seed)
        launch(game, 0, "P1L")
        launch(game, 1, "P1L")
        game.advance(11)
        wins[0] += game.winner == 0
        wins[1] += game.winner == -1
        assert text(game, 1)[0] in ("T", "-") or game.phase == LOCKED
    assert 30 < wins[0] < 70
    assert sum(wins) == 100
