"""CS-03 to CS-06, CS-10: matches and covering; and the rules of the race that all games share."""

from typing import Any

import pytest

from spit_env.cards import parse_card
from spit_env.state import OPEN, OVER, PAUSE, RACE, RETURN, THINK, TRAVEL
from tests.california.boards import SLOW, board, coverable, pack, row, steady
from tests.driving import act, land, launch, moves, think, wait
from tests.engine import Engine

pytestmark = pytest.mark.plain
PLAIN = "2d | 3h | 4s"  # matches nothing below
OTHERS = "9d | Th | Js"


@pytest.mark.parametrize(
    ("y", "e", "places"),
    [
        ("7c | 2d | 3h | 4s", "8d | 9d | Th | Js", ""),
        ("7c | 2d | 3h | 4s", "7d | 9d | Th | Js", "C1Y C1E"),
        ("7c | 2d | 7h | 4s", "8d | 9d | Th | Js", "C1Y C3Y"),
        ("7c | 2d | 3h | 4s", "8d | 9d | Th | 8s", "C1E C4E"),
        ("7c | 2d | 7h | 4s", "7d | 9d | 4h | 7s", "C1Y C3Y C1E C4E C4Y C3E"),
        ("7c2c | 9s | - | 4s", "7d | 9d3s | - | -", ""),
    ],
)
def test_cs_03_equal_tops_in_either_row_are_a_match(y: str, e: str, places: str) -> None:
    game = board(f"{y}   p9", f"{e}   p9")
    assert coverable(game) == set(places.split())
    if places:
        assert moves(game, 0) == moves(game, 1) == set(places.split()), "open to both, in both rows"
    else:
        assert game.game.phase == PAUSE


def test_cs_04_all_cards_of_a_match_stay_coverable_until_covered() -> None:
    game = board("7c | 2d | 3h | 4s   p[8c (5c) 6c]", "7d | 9d | Th | 7s   p[Kc Qc Ac]")
    assert coverable(game) == {"C1Y", "C1E", "C4E"}
    act(game, 0, "C1Y")
    assert row(game) == "7c8c | 2d | 3h | 4s"
    assert coverable(game) == {"C1E", "C4E"}
    act(game, 1, "C1E")
    assert row(game, 1) == "7dKc | 9d | Th | 7s*"
    assert coverable(game) == {"C4E"}, "though no other seven is left"
    assert moves(game, 0) == moves(game, 1) == {"C4E"}
    act(game, 0, "C4E")
    assert row(game, 1) == "7dKc | 9d | Th | 7s5c"
    assert game.game.phase == PAUSE
    assert game.game.landings.tolist() == [2, 1]


def test_cs_04_the_card_comes_from_the_top_of_the_own_pack_face_up() -> None:
    game = board("7c | 2d | 3h | 4s   p[(8c) (5c) (6c)]", "7d | 9d | Th | Js   p9")
    assert game.game.unseen[7] == 4
    launch(game, 0, "C1E")
    assert game.game.unseen[7] == 3, "it is seen while it flies"
    assert pack(game) == "5c 6c"
    land(game, 0)
    assert row(game, 1).startswith("7d8c")


def test_cs_05_a_covering_card_makes_a_match_at_once() -> None:
    game = board("7c | 2d | 3h | 4s   p[9c (5c) 6c]", "7d | 9d | Th | Js   p9")
    act(game, 0, "C1Y")
    assert coverable(game) == {"C1Y", "C2E", "C1E"}
    game = board("7c | 2d | 3h | 4s   p[7h (5c) 6c]", "7d | 9d | Th | Js   p9")
    act(game, 0, "C1Y")
    assert coverable(game) == {"C1Y", "C1E"}, "the cover itself makes the match anew"
    game = board("7c | 2d | 3h | 4s   p[4c (5c) 6c]", "7d | 9d | Th | 4h   p9")
    act(game, 0, "C1Y")
    assert coverable(game) == {"C1Y", "C4Y", "C4E", "C1E"}


def race_for(top: str, pack_y: str, **changes: Any) -> Engine:
    """Both cover E's first place: E gets there first, Y 20 ms later."""
    game = board(f"7c | {PLAIN}   p[{pack_y}]", f"7d | {OTHERS}   p[{top} Ac Kc]",
                 latencies=(steady(1, 50), steady(1, 30)), **changes)  # fmt: skip
    launch(game, 0, "C1E")
    launch(game, 1, "C1E")
    land(game, 1)
    return game


def test_cs_06_the_first_card_stays_and_the_second_goes_back_known_to_both() -> None:
    game = race_for("Kd", "(8c) 5c")
    wait(game, 20)
    assert game.game.hand[0] == RETURN
    assert row(game, 1).startswith("7dKd | ")
    assert game.game.until[0] - game.game.time == 50, "it travels back as long as it flew"
    assert pack(game) == "5c"
    land(game, 0)
    assert pack(game) == "8c 5c"
    assert game.game.seen[parse_card("8c")] == 1
    assert (game.game.bounces.tolist(), game.game.landings.tolist()) == ([1, 0], [0, 1])


def test_cs_06_the_second_stays_if_the_first_made_a_new_match() -> None:
    game = race_for("4d", "(8c) 5c")
    assert coverable(game) == {"C1Y", "C1E", "C4Y"}
    land(game, 0)
    assert row(game, 1).startswith("7d4d8c | ")
    assert game.game.bounces.sum() == 0


@pytest.mark.parametrize(("return_ms", "back"), [(-1, 50), (0, 0), (7, 7)])
def test_return_ms(return_ms: int, back: int) -> None:
    game = race_for("Kd", "(8c) 5c", return_ms=return_ms)
    wait(game, 20)
    landed = game.game.time
    land(game, 0)
    assert game.game.time - landed == back
    assert pack(game) == "8c 5c"


@pytest.mark.parametrize(
    ("rules", "top", "places"),
    [
        ("california", "7h", ""),
        ("california_doubles", "7h", "C1E"),
        ("california_doubles", "Qh", ""),
    ],
)
def test_cs_10_doubles(rules: str, top: str, places: str) -> None:
    """Two equal cards on top of one stack, and no other such top: it may be covered with doubles only."""
    game = board(f"7c | {PLAIN}   p[8c 6s (5c) 5d]", f"7d | {OTHERS}   p[{top} Ac Kc]", rules)
    act(game, 0, "C1Y")
    act(game, 1, "C1E")
    assert coverable(game) == set(places.split())
    if places:
        act(game, 0, "C1E")
        assert coverable(game) == set(), "a six on two sevens is no double"


def test_cs_10_doubles_are_a_match_with_others_too() -> None:
    game = board(f"7c | {PLAIN}   p[7h 6s (5c) 5d]", f"7d | {OTHERS}   p[Ac Kc]", "california_doubles")
    act(game, 0, "C1E")
    assert coverable(game) == {"C1Y", "C1E"}
    act(game, 0, "C1Y")
    assert coverable(game) == {"C1E"}


# The race


def together(**changes: Any) -> Engine:
    """Both cover E's first place, and get there in one millisecond; neither card makes a match."""
    game = board(f"7c | {PLAIN}   p[8c 5c]", f"7d | {OTHERS}   p[Kd Ac]", **changes)
    launch(game, 0, "C1E")
    launch(game, 1, "C1E")
    assert game.game.until[0] == game.game.until[1]
    return game


def first(game: Engine) -> str:
    return row(game, 1).partition(" ")[0]


@pytest.mark.parametrize("labels", [(0, 1), (1, 0)])
def test_tie_break(labels: tuple[int, int]) -> None:
    by_coin = set()
    for seed in range(8):
        game = together(seed=seed, labels=labels)
        wait(game, 10)
        by_coin.add(first(game))
        assert game.game.bounces.sum() == 1
        assert game.game.ties_n == 1
    assert by_coin == {"7d8c", "7dKd"}
    game = together(tie_break="both_return", labels=labels)
    wait(game, 10)
    assert (first(game), game.game.bounces.tolist(), game.game.ties_n) == ("7d", [1, 1], 0)
    game = together(tie_break="alternate", labels=labels)
    wait(game, 10)
    assert (first(game), game.game.ties_n, game.game.tie_turn) == (("7d8c", "7dKd")[labels[1] == 0], 0, 1)


def test_only_one_place_is_contested_by_two_cards_for_it() -> None:
    game = board(f"7c | {PLAIN}   p[8c 5c]", f"7d | {OTHERS}   p[Kd Ac]", tie_break="both_return")
    launch(game, 0, "C1E")
    launch(game, 1, "C1Y")
    wait(game, 10)
    assert (row(game, 0)[:4], row(game, 1)[:4]) == ("7cKd", "7d8c")


@pytest.mark.parametrize("seat", [0, 1])
def test_stall_ms_takes_the_rows_up_when_all_let_a_match_lie(seat: int) -> None:
    game = board(f"7c | {PLAIN}   p9", f"7d | {OTHERS}   p9", stall_ms=700)
    launch(game, seat, "-")
    wait(game, 1000)
    assert game.game.phase == RACE, "the other may still think about it"
    launch(game, 1 - seat, "-")
    assert game.game.phase == PAUSE
    assert coverable(game) == {"C1Y", "C1E"}
    wait(game, 1500)
    assert (game.game.rounds, game.game.phase) == (1, game.game.phase)
    assert row(game) != f"7c | {PLAIN}"
    game = board(f"7c | {PLAIN}   p9", f"7d | {OTHERS}   p9", stall_ms=0)
    launch(game, 0, "-")
    launch(game, 1, "-")
    wait(game, 29_000)
    assert game.game.phase == RACE, "0: for ever"


def test_only_a_landing_is_progress() -> None:
    game = race_for("Kd", "(8c) 5c")
    landed = int(game.game.time)
    assert game.game.progress_at == landed
    land(game, 0)
    assert game.game.time > landed
    assert game.game.progress_at == landed, "a card that bounces is none"


@pytest.mark.parametrize("must_play", [False, True])
def test_must_play(must_play: bool) -> None:
    game = board(f"7c | {PLAIN}   p9", f"7d | {OTHERS}   p9", stall_ms=700, must_play=must_play)
    think(game, 0)
    assert 0 in game.legal(0)
    wait(game, 700)
    assert (0 in game.legal(0)) == (not must_play)
    assert moves(game, 0) == {"C1Y", "C1E"}


def test_a_hand_thinks_only_about_what_can_be_covered() -> None:
    game = board(f"7c | {PLAIN}   p[8c 5c 6d]", f"7d | {OTHERS}   p9", latencies=(steady(5), steady(SLOW)))
    assert game.game.hand.tolist() == [THINK, THINK]
    launch(game, 0, "C1Y")
    assert game.game.hand[0] == TRAVEL
    land(game, 0)
    act(game, 0, "C1E")
    assert game.game.phase == PAUSE


def test_with_delay_both_rows_are_seen_late_and_a_landing_is_judged_on_the_table() -> None:
    game = board(f"7c | {PLAIN}   p[8c 5c 6d]", f"7d | {OTHERS}   p[Kd Ac]",
                 latencies=(steady(1, 10, perception_ms=100), steady(1, 10)))  # fmt: skip
    launch(game, 1, "C1Y")
    wait(game, 20)
    assert coverable(game) == {"C1E"}
    assert game.game.hand[0] == OPEN
    assert moves(game, 0) == {"C1Y", "C1E"}, "the own row's old state too"
    launch(game, 0, "C1Y")
    wait(game, 10)
    assert game.game.hand[0] == RETURN
    wait(game, 200)
    assert moves(game, 0) == {"C1E"}
    act(game, 0, "C1E")
    assert game.game.phase != OVER
