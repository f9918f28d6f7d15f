"""The example game of the German page (S3-16): played move by move, and its count argument."""

from itertools import product

import pytest

from tests.engine import Engine
from tests.rules.boards import act, board, moves, text, tops


def start(rules: str = "de_s3") -> Engine:
    """Both layouts, both spits: an 8 on Y's pile, a J on Ada's."""
    return board("7c | (Jc)Qd | xx3s | x(5c)(Ts)9h | xxxx2d", "Ks | x5h | x(6c)Tc | xx(2s)8d | xxxx4c", "L=Jh R=8s",
                 (10, 10), rules=rules)  # fmt: skip


@pytest.mark.plain
def test_t90_s3_16_the_example_game() -> None:
    """T-90, S3-16 (with S3-06 to S3-08): steps 1 to 12, with the full legal sets of both at steps 3, 7 and 9."""
    game = start()
    assert moves(game, 0) == {"P1R", "P4R", "P2L"}  # step 3
    assert moves(game, 1) == {"P3L"}
    act(game, 0, "P1R")  # 4
    assert (text(game)[0], tops(game)) == ("-", "L=J(1) R=7(2)")
    act(game, 1, "P4R")  # 5
    assert tops(game) == "L=J(1) R=8(3)"
    act(game, 0, "P4R")  # 6
    assert (text(game)[3], tops(game)) == ("xxT", "L=J(1) R=9(4)")
    act(game, 1, "P3L")  # 7
    fills = {f"G{stack}>1" for stack in (2, 3, 4, 5)}
    assert moves(game, 0) == {"P4R"} | fills, "the queen fits nowhere"
    assert moves(game, 1) == set()
    act(game, 0, "P4R")  # 8
    assert (text(game)[3], tops(game)) == ("x5", "L=T(2) R=T(5)")
    assert moves(game, 0) == fills  # 9
    assert moves(game, 1) == set()
    act(game, 0, "G2>1")  # 10
    assert text(game)[:2] == ["Q", "J"]
    assert moves(game, 0) == {"P2L", "P2R"}, "either ten takes the jack"
    act(game, 0, "P2R")  # 11
    assert text(game)[1] == "-"
    act(game, 0, "P1R")  # 12
    assert (text(game)[:2], tops(game)) == (["-", "-"], "L=T(2) R=Q(7)")
    assert moves(game, 0) == {f"G{stack}>{gap}" for stack in (3, 4, 5) for gap in (1, 2)}
    assert "P1R" in moves(game, 1), "O-9: the king fits"
    assert game.game.landings.tolist() == [5, 2]
    assert game.game.think_n.tolist()[0] >= 6


@pytest.mark.plain
def test_t90_s3_16_step_14() -> None:
    """T-90, S3-16: after a spit of 6 and 4 the 3 goes on the 4, the 5 on either."""
    game = board("9 | J | xx3 | x5 | xxxx2", "K | x9", "L=4(3) R=6(8)", (9, 9), rules="de_s3")
    assert moves(game, 0) == {"P3L", "P4L", "P4R"}
    act(game, 0, "P3L")
    act(game, 0, "P4R")
    assert tops(game) == "L=3(4) R=5(9)"


@pytest.mark.plain
def test_t91_s3_16_the_counts_have_one_solution() -> None:
    """T-91, S3-16: 4 spits each, and Ada has played just the 8 and the 10; the smaller pile is hers."""
    after_12, smaller = {"Y": 7, "Ada": 2}, 6  # 8 7 8 9 T J Q on Y's pile, J T on Ada's; Y has played 5, Ada 2
    solutions = []
    for spits, hers, on_hers in product(range(1, 12), range(2, 16), range(26)):
        deck = 11 - spits
        adas = after_12["Ada"] + (spits - 1) + on_hers
        ys = 2 * spits + 15 + hers - adas  # all of Y's 15 cards have been played
        fits = sorted((ys, adas)) == [6, 19] and deck + smaller == 13 and deck + 19 + (15 - hers) == 39
        if fits and ys >= after_12["Y"] + (spits - 1):
            solutions.append((spits, hers, adas, on_hers))
    assert solutions == [(4, 2, 6, 1)]
