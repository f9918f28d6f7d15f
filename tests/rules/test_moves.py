"""Plays, flips, combining and filling (S0-07..19, S0-32, S0-37, A-10..17, C-07, C-08, C-10, C-15, C-23)."""

from itertools import product

import numpy as np
import pytest

from spit_env.batch import Batch
from spit_env.games import parse_board
from spit_env.spit.rules import PRESETS
from spit_env.spit.text import ACTION_NAMES, parse_move
from spit_env.state import IDLE, NOOP, OPEN, THINK, TRAVEL
from tests.oracle_boards import steady
from tests.rules.boards import act, board, launch, moves, name, pile_sizes, text, think, tops
from tests.spit_rules import make_rules

RANKS = "A23456789TJQK"
S0_17 = ("8 | T | T | A | x", "3 | xQ", "L=9 R=K")


@pytest.mark.plain
def test_t13_s0_08_board() -> None:
    """T-13, S0-08: a card plays on either pile if it is one rank apart; it is then the top, its stack one shorter."""
    game = board("7 | x9 | xx3 | xxxQ | xxxx5", "2 | 2", "L=8 R=J")
    assert moves(game) == {"P1L", "P2L", "P4R"}
    nine = game.game.stack[0, 1, 1]
    act(game, 0, "P2L")
    assert (tops(game), text(game)) == ("L=9(2) R=J(1)", ["7", "x", "xx3", "xxxQ", "xxxx5"])
    assert game.game.pile[1, 1] == nine
    assert game.game.landings.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("ace_wrap", "doubles", "count"), [(True, False, 26), (False, False, 24), (True, True, 39), (False, True, 37)]
)
def test_t14_s0_10_all_169_rank_pairs(ace_wrap: bool, doubles: bool, count: int) -> None:
    """T-14, S0-08, S0-10, S1-07, S4-09, C-10, C-23: ace_wrap joins king and ace, doubles allow equal ranks."""
    legal = 0
    for (a, card), (b, top) in product(enumerate(RANKS), repeat=2):
        game = board(card, "x", f"L={top}", ace_wrap=ace_wrap, doubles=doubles)
        apart = abs(a - b)
        fits = apart == 1 or (ace_wrap and apart == 12) or (doubles and apart == 0)
        assert moves(game) == ({"P1L"} if fits else set()), (card, top)
        legal += fits
    assert legal == count


@pytest.mark.plain
def test_t14_s0_10_s1_08_the_row_has_no_ends() -> None:
    """T-14, S0-10, S1-08: K, 2 on an ace; from Q on: K A 2 3 2 A K, seven landings."""
    assert moves(board("K | 2 | Q | A | 7", "5 | 5", "L=A R=6")) == {"P1L", "P2L", "P5R"}
    game = board("K | A | 2 | 3 | x", "2 | A | K | x", "L=Q")
    for seat, move in ((0, "P1L"), (0, "P2L"), (0, "P3L"), (0, "P4L"), (1, "P1L"), (1, "P2L"), (1, "P3L")):
        act(game, seat, move)
    assert (tops(game), game.game.landings.tolist()) == ("L=K(8) R=-(0)", [4, 3])


def test_t15_s0_09_suits_are_irrelevant() -> None:
    """T-15, S0-09, S4-08: 7 on 6 or 8 of any suits is legal, 7 on 9 of any suits is not."""
    for mine, theirs in product("cdhs", repeat=2):
        assert moves(board(f"7{mine} | x", "x", f"L=6{theirs} R=8{theirs}")) == {"P1L", "P1R", "F2"}
        assert moves(board(f"7{mine} | x", "x", f"L=9{theirs} R=5{theirs}")) == {"F2"}


@pytest.mark.plain
def test_t16_s0_11_either_pile_for_both_players() -> None:
    """T-16, S0-11, S0-39, S1-06: both piles are open to both players; action pile 0 is the own one."""
    game = board("5 | x", "5 | x", "L=4 R=6")
    assert moves(game, 0) == moves(game, 1) == {"P1L", "P1R", "F2"}
    assert [parse_move("P1R", seat) for seat in (0, 1)] == [1, 2]
    act(game, 1, "P1R")
    assert tops(game) == "L=4(1) R=5(2)"


@pytest.mark.plain
def test_t17_s0_17_exactly_seven_moves() -> None:
    """T-17, S0-17: four plays, two combinations, one flip."""
    assert moves(board(*S0_17)) == {"P1L", "P2L", "P3L", "P4R", "C2>3", "C3>2", "F5"}


@pytest.mark.plain
def test_t18_s0_18_chain() -> None:
    """T-18, S0-18: after 8 on 9 the tens are dead, the ace is not; after it a 2 fits."""
    game = board("8 | T | T | A | [2]", *S0_17[1:])
    act(game, 0, "P1L")
    assert moves(game) == {"P4R", "C2>3", "C3>2", "F5"}
    act(game, 0, "P4R")
    assert tops(game) == "L=8(2) R=A(2)"
    act(game, 0, "F5")
    assert moves(game) == {"P5R"}, "nothing is face down any more, so the tens cannot be combined (S0-16)"


@pytest.mark.plain
def test_t19_s0_19_chains_can_be_cut() -> None:
    """T-19, S0-19: once a queen lies on the king, the ace fits no longer."""
    game = board(*S0_17)
    assert "P4R" in moves(game)
    act(game, 1, "P2R")
    assert tops(game) == "L=9(1) R=Q(2)"
    assert moves(game) == {"P1L", "P2L", "P3L", "C2>3", "C3>2", "F5"}


@pytest.mark.plain
def test_t20_s0_12_a_face_down_top_can_only_be_flipped() -> None:
    """T-20, S0-12, A-14, A-19, B-06: nothing goes from or onto it; the flip turns it up and changes nothing else."""
    game = board("[9][9]9 | 9 | - | x5 | 8", "x", "L=T R=T", flip="manual")
    act(game, 0, "P1L")
    assert moves(game) == {"F1", "P2R", "G4>3", "P5L"}
    before = game.game.copy()
    act(game, 0, "F1")
    g = game.game
    assert (g.down[0].tolist(), g.stack[0].tolist()) == ([1, 0, 0, 1, 0], before.stack[0].tolist())
    assert (g.pile_n.tolist(), g.deck_n.tolist()) == (before.pile_n.tolist(), before.deck_n.tolist())
    assert moves(game) == {"P1R", "C1>2", "C2>1", "G1>3", "P2R", "G4>3", "P5L"}


@pytest.mark.plain
def test_t21_flip_of_an_empty_or_face_up_stack() -> None:
    """T-21, B-06: only a face-down top can be flipped; other flips are replaced and counted."""
    assert {move for move in moves(board("xx | x5 | - | 5 | x", "x", "L=J R=J")) if move[0] == "F"} == {"F1", "F5"}
    batch = Batch(1, latencies=steady(), tick_ms=1)
    batch.reset([1], boards=np.array([parse_board("Y: xx | x5 | - | 5 | x\nE: x\nL=J R=J")]))
    while batch.games[0].hand[0] != OPEN:
        batch.step(np.zeros((1, 2), np.int64))
    for count, stack in enumerate((1, 2, 3), 1):
        batch.step(np.array([[11 + stack, 0]]))
        g = batch.games[0]
        assert (g.hand[0], g.illegal[0], g.down[0].tolist()) == (OPEN, count, [2, 1, 0, 0, 1])


@pytest.mark.plain
@pytest.mark.parametrize(("move", "after"), [("C1>2", ["x", "xx55"]), ("C2>1", ["x55", "xx"])])
def test_t22_s0_13_combine_in_both_directions(move: str, after: list[str]) -> None:
    """T-22, S0-13, S1-11: a face-up top goes onto an equal one; what lay under it can then be flipped."""
    game = board("x5 | xx5 | 9 | xK | xx2", "x", "L=7 R=7")
    assert moves(game) == {"C1>2", "C2>1"}
    act(game, 0, move)
    assert text(game) == [*after, "9", "xK", "xx2"]
    assert moves(game) == {f"F{move[1]}"}
    assert game.game.landings.tolist() == [0, 0], "no landing on a pile"


@pytest.mark.plain
def test_t22_s0_14_fill() -> None:
    """T-22, S0-14, S1-12, S3-08, S4-11: any face-up card with others under it may go to a gap."""
    for rules in ("emma", "classic_s1", "de_s3"):
        game = board("- | xQ | xx3 | x5 | xxxx2", "x", "L=8 R=8", rules=rules)
        assert moves(game) == {"G2>1", "G3>1", "G4>1", "G5>1"}
        act(game, 0, "G2>1")
        assert (text(game)[0], text(game)[2:]) == ("Q", ["xx3", "x5", "xxxx2"])
        assert game.game.down[0, 1] == (0 if rules == "de_s3" else 1), "flipped at once in S3"
        if rules != "de_s3":
            assert (text(game)[1], moves(game)) == ("x", {"F2"})


@pytest.mark.plain
def test_t23_a_15_combining_a_lone_card_leaves_a_gap() -> None:
    """T-23, A-15: the gap may be filled at once; cards that were combined may be taken apart again."""
    game = board("5 | x5 | K", "x", "L=9 R=9")
    act(game, 0, "C1>2")
    assert text(game) == ["-", "x55", "K", "-", "-"]
    assert moves(game) == {"G2>1", "G2>4", "G2>5"}


@pytest.mark.plain
@pytest.mark.parametrize("preset", PRESETS)
def test_t24_a_16_no_fill_from_a_one_card_stack(preset: str) -> None:
    """T-24, A-16, B-09: it would only move the gap."""
    assert moves(board("5 | - | K | x9", "x", "L=7 R=7", rules=preset)) == {"G4>2", "G4>5"}


@pytest.mark.plain
@pytest.mark.parametrize(("rearrange_needs_facedown", "legal"), [
    (True, set[str]()), (False, {"C1>2", "C2>1", "C4>5", "C5>4", "G5>3"}),
])  # fmt: skip
def test_t25_s0_16_all_face_up(rearrange_needs_facedown: bool, legal: set[str]) -> None:
    """T-25, S0-16, S0-32, C-08, A-17: with rearrange_needs_facedown nothing is rearranged once all is face up."""
    game = board("5 | 5 | - | K | KK", "x", "L=9 R=2", rearrange_needs_facedown=rearrange_needs_facedown)
    assert moves(game) == legal
    for preset, allowed in (("emma", False), ("classic_s1", True), ("wikipedia", True)):
        game = board("5 | 5 | - | K | KK", "x", "L=9 R=2", rules=preset)
        assert bool(moves(game)) == allowed
    game = board("5 | x5 | - | K | KK", "x", "L=9 R=2", rearrange_needs_facedown=rearrange_needs_facedown)
    assert {"C1>2", "C2>1", "C4>5", "C5>4", "G2>3", "G5>3"} == moves(game)


@pytest.mark.plain
@pytest.mark.parametrize(("combine", "legal"), [("equal_rank", {"C1>2", "C2>1", "C4>5", "C5>4"}), ("off", set[str]())])
def test_t26_c_07_no_combining(combine: str, legal: set[str]) -> None:
    """T-26, C-07, S3-08, S4-11: with combine="off", as in S2, S3, S4 and pagat, equal cards do not go together."""
    stacks = ("x5 | x5 | 9 | K | K", "x", "L=J R=J")
    assert moves(board(*stacks, combine=combine)) == legal
    for preset, rules in PRESETS.items():
        assert (rules.combine == "off") == (preset in ("de_s3", "base_s4", "pagat", "spit_s2"))
        assert bool(moves(board(*stacks, rules=preset))) == (rules.combine == "equal_rank")


@pytest.mark.plain
def test_t27_s4_12_never_a_sixth_slot() -> None:
    """T-27, S4-12, I-4: no action names one, and without a gap nothing can be filled."""
    assert {word for action in ACTION_NAMES for word in action.split() if word.isdigit()} == set("12345")
    assert moves(board("x2 | x4 | x6 | x8 | xT", "x", "L=K R=K", rearrange_needs_facedown=False)) == set()


@pytest.mark.plain
@pytest.mark.parametrize("preset", ["emma", "classic_s1"])
def test_t28_s4_13_no_action_takes_a_card_off_a_pile(preset: str) -> None:
    """T-28, S4-13, I-7: whatever is done, what lay on the piles lies there still, in its order."""
    done = set()
    stacks = ("8 | T | T | x7 | x", "3 | xQ | 9 | -", "L=9(3) R=K(2)")
    for seat in (0, 1):
        for move in moves(board(*stacks, rules=preset), seat):
            game = board(*stacks, rules=preset)
            before = game.game.copy()
            done.add(move[0])
            act(game, seat, move)
            for pile in (0, 1):
                n = before.pile_n[pile]
                assert game.game.pile[pile, :n].tolist() == before.pile[pile, :n].tolist()
            assert sum(pile_sizes(game)) - 5 == game.game.landings.sum() == (move[0] == "P")
    assert done == set("PFCG")


@pytest.mark.plain
def test_t29_a_18_a_two_move_dig() -> None:
    """T-29, A-18: x55 and one gap: fill, then combine, and the card underneath can be turned."""
    game = board("x55 | - | K | K | 9", "3", "L=7 R=J")
    assert moves(game) == {"G1>2", "C3>4", "C4>3"}
    act(game, 0, "G1>2")
    assert moves(game) == {"C1>2", "C2>1", "C3>4", "C4>3"}
    act(game, 0, "C1>2")
    assert (text(game)[:2], "F1" in moves(game)) == (["x", "55"], True)


@pytest.mark.plain
@pytest.mark.parametrize("move", ["P1L", "C1>2", "G1>3"])
@pytest.mark.parametrize("flip", ["manual", "auto"])
def test_c_15_flip(flip: str, move: str) -> None:
    """C-15, A-14, S1-10, S3-07: by flip="auto" the hand that uncovered a card turns it, without thinking again."""
    game = board("x8 | x8 | -", "x", "L=9 R=2", flip=flip)
    launch(game, 0, move)
    game.advance(11)
    g = game.game
    if flip == "manual":
        assert (g.hand[0], g.down[0].tolist()) == (THINK, [1, 1, 0, 0, 0])
        assert "F1" in moves(game)
        return
    assert (g.hand[0], name(game, 0, int(g.action[0])), g.until[0], g.think_n[0]) == (TRAVEL, "F1", 21, 1)
    assert game.legal(0) == [NOOP]
    game.advance(21)
    assert (g.down[0].tolist(), g.travel_n[0], g.think_n[0]) == ([0, 1, 0, 0, 0], 2, 2)


@pytest.mark.plain
def test_s0_37_s3_09_one_card_at_a_time() -> None:
    """S0-07, S0-37, S2-09, S3-09, S4-07: no turns; each card is an action of its own, a busy hand takes no other."""
    game = board("6 | 7 | 8 | x", "x", "L=5")
    for number, move in enumerate(("P1L", "P2L", "P3L"), 1):
        launch(game, 0, move)
        game.advance(int(game.game.time) + 9)
        assert (game.legal(0), game.game.landings[0], game.game.hand[0]) == ([NOOP], number - 1, TRAVEL)
        game.advance(int(game.game.time) + 1)
        assert game.game.landings.tolist() == [number, 0]


@pytest.mark.plain
def test_s0_32_a_gap_and_cards_without_a_move() -> None:
    """S0-32: cards and gaps on the table, and nothing is legal: the hand stays idle."""
    game = board("5 | 5 | - | K | -", "x", "L=9 R=2")
    assert (moves(game), game.game.hand[0]) == (set(), IDLE)


@pytest.mark.plain
def test_a_10_no_premove() -> None:
    """A-10: a play towards a pile that the card does not fit now cannot be launched."""
    game = board("8 | x", "x", "L=T R=T")
    think(game, 0)
    assert game.legal(0) == [NOOP, parse_move("F2", 0)]


@pytest.mark.plain
def test_preset_moves_are_those_of_their_rules() -> None:
    """RULES 6: a preset is its values; the same values under another name play alike."""
    for preset, rules in PRESETS.items():
        assert moves(board(*S0_17, rules=preset)) == moves(board(*S0_17, rules=make_rules(rules.to_dict())))
