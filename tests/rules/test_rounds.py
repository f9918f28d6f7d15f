"""One pile, the end of a round and picking (S0-21..29, S0-33, S0-36, S0-42, A-24..33, C-03, C-12, C-13)."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from spit_env.batch import Batch
from spit_env.cards import parse_card
from spit_env.spit.rules import PRESETS
from spit_env.spit.text import parse_move
from spit_env.state import IDLE, LOCKED, NOOP, OPEN, OVER, PICK, RACE, RETURN, SLAP, THINK, TRAVEL
from tests.oracle_boards import steady
from tests.rules.boards import act, board, held, launch, moves, pile_sizes, sizes, text, think, tops, until

JACK = parse_card("Jc")
WON = ("8", "x5 | 3", "L=9(5) R=J(19)", (7, 17))  # Y plays the 8 and has finished


@pytest.mark.plain
def test_t40_the_missing_pile_accepts_nothing() -> None:
    """T-40, B-07: no rank, of neither player, goes onto a pile that does not exist."""
    for rank, top in product("A23456789TJQK", "9A"):
        for doubles in (False, True):
            game = board(f"{rank} | x", f"{rank} | x", f"L={top}", doubles=doubles)
            assert not any("R" in move for move in moves(game, 0) | moves(game, 1))
            game = board(f"{rank} | x", f"{rank} | x", f"R={top}", doubles=doubles)
            assert not any("L" in move for move in moves(game, 0) | moves(game, 1))


@pytest.mark.plain
@pytest.mark.parametrize("solo_spit", ["own_pile", "both_piles", "either_then_fixed"])
def test_t41_s0_42_every_spit_goes_to_the_one_pile(solo_spit: str) -> None:
    """T-41, S0-41, S0-42, S4-20, C-11: who has a deck starts the only pile, and all spits go there."""
    game = board("8", "x5 | 3", "L=9(5) R=J(13)", (0, 24), solo_spit=solo_spit)
    act(game, 0, "P1L")
    launch(game, 0, "PICK R")
    assert (sizes(game), game.game.deck_n.tolist()) == ([13, 33], [0, 18])
    until(game, RACE)
    assert (pile_sizes(game), game.game.deck_n.tolist()) == ([0, 1], [0, 17])
    game = board("5", "3", "L=J", (0, "[J J 6]"), solo_spit=solo_spit)
    game.advance(4500)
    assert (pile_sizes(game), sizes(game)) == ([0, 4], [1, 1])


@pytest.mark.plain
def test_t42_s0_29_a_deckless_finisher_wins() -> None:
    """T-42, S0-29, S1-21: stacks and deck empty and one pile: the game is won at once, nobody picks."""
    game = board("8", "x5 | 3", "L=9(6)", (0, 20))
    act(game, 0, "P1L")
    g = game.game
    assert (g.phase, g.winner, g.end_reason, g.chooser) == (OVER, 0, 1, -1)
    assert g.time == 11, "at the instant of the landing"


@pytest.mark.plain
@pytest.mark.parametrize(("one_pile_finish", "choice", "held"), [
    ("other_takes_pile", None, [10, 9]),
    ("pick_pile_or_nothing", "PICK L", [3, 16]), ("pick_pile_or_nothing", "PICK R", [10, 9]),
])  # fmt: skip
def test_t43_a_29_the_deck_owner_finishes_first(one_pile_finish: str, choice: str | None, held: list[int]) -> None:
    """T-43, A-29, S4-21, C-12: one_pile_finish: the finisher keeps the deck and takes nothing, or picks."""
    game = board("x5 | 3", "8", "L=9(6)", (0, 9), one_pile_finish=one_pile_finish)
    act(game, 1, "P1L")
    if choice:
        assert (game.game.phase, game.game.chooser, moves(game, 1)) == (PICK, 1, {"PICK L", "PICK R"})
        launch(game, 1, choice)
    assert (game.game.phase, game.game.winner, sizes(game)) == (LOCKED, -1, held)


@pytest.mark.plain
def test_t44_a_24_a_deck_emptied_mid_round_is_no_win_with_two_piles() -> None:
    """T-44, A-24, S0-29: with two piles on the table the finisher must pick."""
    game = board("8", "x5 | 3", "L=9(6) R=4", (0, 20))
    act(game, 0, "P1L")
    assert (game.game.phase, game.game.chooser, game.game.winner) == (PICK, 0, -1)
    launch(game, 0, "PICK R")
    assert (sizes(game), game.game.phase) == ([1, 7 + 3 + 20], LOCKED)


@pytest.mark.plain
@pytest.mark.parametrize(("win", "piles", "won"), [
    ("one_pile", "L=9", True), ("one_pile", "L=9 R=2", False), ("no_cards_held", "L=9", True),
    ("no_cards_held", "L=9 R=2", True), ("after_pick", "L=9", True), ("after_pick", "L=9 R=2", False),
])  # fmt: skip
def test_t45_c_13_win(win: str, piles: str, won: bool) -> None:
    """T-45, C-13, A-30, S3-15, S4-22: what is won by whom has no deck and plays the last stack card."""
    game = board("8", "x5 | 3", piles, (0, 17), win=win)
    act(game, 0, "P1L")
    g = game.game
    reason = 0 if not won else 2 if win == "after_pick" else 1
    assert (g.phase, g.winner, g.end_reason) == (OVER if won else PICK, 0 if won else -1, reason)
    game = board("8", "x5 | 3", piles, (1, 17), win=win)
    act(game, 0, "P1L")
    assert game.game.winner == -1, "not with a deck"


@pytest.mark.plain
@pytest.mark.parametrize(("think_ms", "hand"), [(1, TRAVEL), (60, THINK), (3, OPEN)])
def test_t46_a_26_the_round_ends_at_the_landing(think_ms: int, hand: int) -> None:
    """T-46, A-26, S0-24: at that instant the opponent's card returns and is a leftover; intentions are dropped."""
    game = board("8", "8 | x3", "L=9 R=4", (2, 9), latencies=[steady(think=30), steady(think_ms, travel=90)])
    if hand == TRAVEL:
        launch(game, 1, "P1L")
    launch(game, 0, "P1L")
    game.advance(39)
    assert game.game.hand[1] == hand
    game.advance(40)
    g = game.game
    assert (g.phase, g.time, text(game, 1)[:2], g.hand.tolist()) == (PICK, 40, ["8", "x3"], [IDLE, IDLE])
    assert (g.card.tolist(), g.action.tolist(), sizes(game)) == ([-1, -1], [0, 0], [2, 12])
    launch(game, 0, "PICK R")
    assert sizes(game) == [3, 9 + 3 + 2]
    game.advance(1530)
    assert game.game.landings.tolist() == [1, 0], "nothing of the old round lands in the new one"


@pytest.mark.plain
def test_t46_a_27_a_last_card_that_bounces() -> None:
    """T-46, A-27: a last card that does not land has not finished; a card on its way back counts as a leftover."""
    game = board("8", "8 | x3", "L=9 R=4", (2, 9), latencies=[steady(travel=30), steady(travel=10)])
    launch(game, 0, "P1L")
    act(game, 1, "P1L")
    game.advance(31)
    assert (game.game.phase, game.game.hand[0], sizes(game)) == (RACE, RETURN, [3, 11])
    game.advance(61)
    assert (text(game)[0], game.game.hand[0]) == ("8", IDLE)


@pytest.mark.plain
def test_t47_a_25_the_earlier_last_card_wins() -> None:
    """T-47, A-25: of two last cards a millisecond apart the first ends the round; the other returns."""
    for seat in (0, 1):
        latencies = [steady(travel=10 + (p != seat)) for p in (0, 1)]
        game = board("8", "T", "L=9 R=4", (3, 3), latencies=latencies)
        launch(game, 0, "P1L")
        launch(game, 1, "P1L")
        game.advance(11)
        assert (game.game.phase, game.game.chooser, text(game, 1 - seat)[0]) == (PICK, seat, "T8"[seat])


@pytest.mark.plain
def test_t47_a_25_equal_times_are_a_fair_coin() -> None:
    """T-47, A-25, A-40: in one millisecond a coin decides, mirrored with the labels."""
    firsts = Counter[tuple[int, int]]()
    for seed in range(200):
        for labels in ((0, 1), (1, 0)):
            game = board("8", "T", "L=9 R=4", (3, 3), seed=seed, labels=labels)
            launch(game, 0, "P1L")
            launch(game, 1, "P1L")
            game.advance(11)
            assert (game.game.phase, game.game.ties_n) == (PICK, 1)
            firsts[int(game.game.chooser), labels[0]] += 1
    assert firsts[0, 0] == firsts[1, 1]
    assert 79 < firsts[0, 0] < 121  # 3 sigma


@pytest.mark.plain
@pytest.mark.parametrize(("choice", "held"), [("PICK L", [13, 39]), ("PICK R", [26, 26])])
def test_t48_t49_s0_26_pick(choice: str, held: list[int]) -> None:
    """T-48, T-49, S0-24 to S0-26, S0-36, S3-11, S3-12, S4-16, S4-17: the finisher alone picks, also the larger pile."""
    game = board(*WON)
    act(game, 0, "P1L")
    g = game.game
    assert (g.phase, g.chooser, game.asked(), game.legal(1)) == (PICK, 0, [0], [NOOP])
    assert moves(game, 0) == {"PICK L", "PICK R"}, "the picker has nothing else"
    assert NOOP not in game.legal(0)
    game.advance(99_999)
    assert g.time == 11, "no clock (S0-43)"
    launch(game, 0, choice)
    assert (sizes(game), g.phase, g.rounds, tops(game)) == (held, LOCKED, 1, "L=-(0) R=-(0)")


@pytest.mark.plain
@pytest.mark.parametrize(
    ("round_end", "phase"), [("winner_picks", PICK), ("smaller_pile", LOCKED), ("slap_race", SLAP)]
)
def test_c_03_round_end(round_end: str, phase: int) -> None:
    """C-03, S2-18: round_end: the finisher picks, gets the smaller pile, or both may slap."""
    for y, e, piles, decks in (WON, ("8", "x5 | 3", "L=9(18) R=J(6)", (7, 17))):
        game = board(y, e, piles, decks, round_end=round_end)
        act(game, 0, "P1L")
        assert game.game.phase == phase
        if phase == LOCKED:
            assert sizes(game) == [13, 39]


@pytest.mark.plain
def test_c_03_equal_piles_are_a_coin() -> None:
    """C-03, A-33: round_end="smaller_pile" with equal piles: a coin, mirrored with the labels."""
    own = Counter[int]()
    for seed in range(200):
        took = set()
        for winner, piles in ((0, "L=9c(5) R=Jc(6)"), (1, "L=Jc(6) R=9c(5)")):
            sides = ["8" if seat == winner else "x5 | 3" for seat in (0, 1)]
            game = board(sides[0], sides[1], piles, seed=seed, labels=(winner, 1 - winner), round_end="smaller_pile")
            act(game, winner, f"P1{'LR'[winner]}")
            assert (game.game.ties_n, sizes(game)[winner]) == (1, 11)
            took.add(JACK in held(game, winner))
        own[took.pop()] += 1
        assert not took, "the mirrored game"
    assert 79 < own[0] < 121  # 3 sigma


@pytest.mark.plain
def test_c_03_slap_race() -> None:
    """C-03: both may slap, also the loser; the first hand down takes that pile, the other player the other."""
    game = board(*WON, rules="pagat")
    act(game, 0, "P1L")
    assert game.game.phase == SLAP
    assert moves(game, 0) == moves(game, 1) == {"PICK L", "PICK R"}
    assert NOOP in game.legal(1)
    act(game, 1, "PICK L")
    assert (game.game.phase, sizes(game)) == (LOCKED, [7 + 19, 6 + 3 + 17])
    game = board(*WON, rules="pagat", latencies=[steady(travel=20), steady(travel=10)])
    act(game, 0, "P1L")
    launch(game, 0, "PICK L")
    launch(game, 1, "PICK L")
    until(game, LOCKED)
    assert sizes(game) == [26, 26], "E's hand was faster; Y's slap is void"


@pytest.mark.plain
@pytest.mark.parametrize(("stall_ms", "waits"), [(5000, 5000), (700, 700), (0, 30_000)])
def test_c_03_nobody_slaps(stall_ms: int, waits: int) -> None:
    """C-03, A-13: after stall_ms, or without it max_idle_ms, the winner of the round picks in peace."""
    game = board(*WON, rules="pagat", stall_ms=stall_ms)
    act(game, 0, "P1L")
    game.advance(11 + waits - 1)
    assert game.game.phase == SLAP
    game.advance(11 + waits)
    assert (game.game.phase, game.game.chooser) == (PICK, 0)
    game = board("5|5|5", "3|3", "L=J(3) R=J(4)", (0, 0), rules="pagat", stall_ms=stall_ms)
    assert game.game.phase == SLAP
    game.advance(waits)
    assert (game.game.phase, game.game.chooser) == (PICK, 1), "blocked: whoever has fewest stack cards"


@pytest.mark.plain
@pytest.mark.parametrize("preset", PRESETS)
def test_s0_25_s0_31_both_take_all_there_is(preset: str) -> None:
    """S0-25, S0-31, S1-16: the finisher has deck and pile; the other has the rest of the pack."""
    game = board("8", "x5 | 3", "L=9(5) R=J(19)", (7, 17), rules=preset)
    act(game, 0, "P1L")
    if game.game.phase != LOCKED:
        think(game, 0)
        act(game, 0, "PICK L")
    assert (sizes(game), game.game.phase) == ([13, 39], LOCKED)


@pytest.mark.plain
@pytest.mark.parametrize(("visible", "shown"), [("hidden", {-1}), ("exact", {6}), ("noisy", None)])
def test_a_32_pile_count_visibility(visible: str, shown: set[int] | None) -> None:
    """A-32, S0-33, S1-17: pile_count_visibility: what a player without recall is told of the piles' sizes."""
    told = set()
    for seed in range(20):
        game = board(*WON, seed=seed, pile_count_visibility=visible)
        act(game, 0, "P1L")
        for recall, counts in (("none", told), ("perfect", set[int]())):
            batch = Batch(1, game.batch.rules, steady(), recall=recall)  # type: ignore[arg-type]
            batch.reset([seed], boards=np.array([game.game]))
            counts.add(int(batch.observations[0, 0].pile_count[1]))
            assert batch.observations[0, 0].pile_eye == 1, "6 and 19 are told apart by eye"
            if recall == "perfect":
                assert counts == {6}
    assert told == shown or (shown is None and len(told) > 2 and min(told) >= 3 and max(told) <= 9)


@pytest.mark.plain
def test_s0_36_no_slapping() -> None:
    """S0-36: in the pick phase the loser's choice is replaced by waiting, and counted."""
    game = board(*WON)
    act(game, 0, "P1L")
    batch = Batch(1, latencies=steady(), tick_ms=10)
    batch.reset([1], boards=np.array([game.game]))
    batch.step(np.array([[parse_move("PICK L", 0), parse_move("PICK R", 1)]]))
    assert (batch.games[0].illegal.tolist(), batch.games[0].deck_n.tolist()) == ([0, 1], [0, 24])
