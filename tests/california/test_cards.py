"""CS-01, CS-02, CS-07 to CS-09, CS-11: the cards from the deal to the end."""

import numpy as np
import pytest

from spit_env.california.check import cards_of, face_up
from spit_env.cards import parse_card
from spit_env.draws import DEAL, TIES, word
from spit_env.state import (
    END_REASONS,
    FINISHED,
    IDLE,
    LOCKED,
    MAX_IDLE_MS,
    MAX_ROUND_MS,
    MAX_ROUNDS,
    OVER,
    PAUSE,
    RACE,
    RETURN,
    TRAVEL,
)
from tests.california.boards import board, coverable, deal, names, pack, row, stacks, steady
from tests.driving import act, land, launch, moves, until, wait

pytestmark = pytest.mark.plain


def shuffled(seed: int) -> list[int]:
    """The pack as the deal shuffles it."""
    cards = list(range(52))
    for draw, i in enumerate(range(51, 0, -1)):
        j = word(seed, DEAL, draw) * (i + 1) >> 32
        cards[i], cards[j] = cards[j], cards[i]
    return cards


@pytest.mark.parametrize("labels", [(0, 1), (1, 0)])
def test_cs_01_each_player_has_half_of_the_pack(labels: tuple[int, int]) -> None:
    game, cards = deal(seed=6, labels=labels), shuffled(6)
    for seat, label in enumerate(labels):
        assert pack(game, seat) == names(cards[26 * label : 26 * label + 26][::-1])
    assert not game.game.seen.any(), "no pack may be looked at"
    assert game.game.unseen.tolist() == [4] * 13
    assert (game.game.phase, game.game.phase_until, game.game.deal_n) == (LOCKED, 1500, 51)


def test_cs_02_at_one_instant_each_lays_a_row_of_four_from_the_top() -> None:
    game, cards = deal(seed=6), shuffled(6)
    wait(game, 1499)
    assert game.game.phase == LOCKED
    assert game.game.hand.tolist() == [IDLE, IDLE], "nothing can be done before"
    wait(game, 1)
    for seat in (0, 1):
        half = cards[26 * seat : 26 * seat + 26]
        assert stacks(game, seat) == [[card] for card in half[:-5:-1]]
        assert pack(game, seat) == names(half[:-4][::-1])
    assert np.flatnonzero(game.game.seen).tolist() == sorted(face_up(game.game))
    assert (game.game.phase, game.game.race_from, game.game.progress_at, game.game.rounds) == (RACE, 1500, 1500, 0)


def test_cs_02_the_pause_before_it_is_a_rule() -> None:
    game = deal(seed=6, spit_pause_ms=40)
    wait(game, 40)
    assert game.game.phase == RACE


def test_cs_07_without_a_coverable_card_the_rows_go_under_the_packs() -> None:
    game = board("2c8c | 3d | 4h9h | 5s   p[6c (7d)]", "Tc | Jd | Qh | Ks   p[(Ac) (9d) (5c)]")
    assert (game.game.phase, game.game.phase_until) == (PAUSE, 1500)
    wait(game, 1499)
    assert row(game) == "2c8c | 3d | 4h9h | 5s", "the rows lie until the pause is over"
    wait(game, 1)
    assert (game.game.rounds, game.game.phase, game.game.time) == (1, PAUSE, 1500), "laid, and stuck again at once"
    assert row(game) == "6c | 7d | 2c | 8c"


def test_cs_07_what_was_left_first_then_stack_1_to_4_each_oldest_card_first() -> None:
    game = board("2c8c | 2d | 4h9h3s | 5s   p[6c (7d)]", "Tc | Jd | Qh | Ks   p[(Ac) (Ad) (7c) (7h) 8d]")
    wait(game, 1500)
    assert row(game) == "6c | 7d | 2c | 8c"
    assert pack(game) == "2d 4h 9h 3s 5s"
    assert row(game, 1) == "Ac | Ad | 7c | 7h"
    assert pack(game, 1) == "8d Tc Jd Qh Ks"
    assert coverable(game) == {"C2Y", "C1E", "C2E", "C3E", "C4E"}
    assert (game.game.rounds, game.game.phase) == (1, RACE)
    seen = {names([card]) for card in np.flatnonzero(game.game.seen)}
    assert {"2d", "4h", "8d", "Ks", "7d", "Ac"} <= seen, "nothing is forgotten, and what was laid is known"


def test_cs_07_not_while_a_card_is_in_flight_or_on_its_way_back() -> None:
    slow = steady(1, 500)
    game = board("7c | 2d | 3h | 4s   p[8c 6c 5c]", "7d | 9d | Th | Js   p[Kc Qc]", latencies=(steady(), slow))
    launch(game, 1, "C1Y")
    act(game, 0, "C1Y")
    act(game, 0, "C1E")
    assert not coverable(game)
    for hand in (TRAVEL, RETURN):
        assert (game.game.phase, game.game.hand[1]) == (RACE, hand)
        game.advance(int(game.game.until[1]))
    assert game.game.phase == PAUSE


def test_cs_07_a_player_without_a_pack_does_not_hold_it_up() -> None:
    game = board("7c | 2d | 3h | 4s   p0", "7d | 9d | Th | Js   p2")
    assert moves(game, 0) == set()
    assert moves(game, 1) == {"C1Y", "C1E"}
    assert game.game.phase == RACE
    assert board("7c | 2d | 3h | 4s   p0", "7d | 9d   p0").game.phase == PAUSE


def test_cs_08_the_last_card_of_the_pack_wins_when_it_lands() -> None:
    game = board("7c | 2d | 3h | 4s   p[8c]", "7d | 9d | Th | Js   p5")
    launch(game, 0, "C1E")
    assert game.game.pack_n[0] == 0
    assert game.game.phase == RACE, "it is still in the hand"
    land(game, 0)
    g = game.game
    assert (g.phase, g.winner, END_REASONS[g.end_reason]) == (OVER, 0, "finished")
    assert row(game, 1).startswith("7d8c")


def test_cs_08_a_last_card_that_bounces_has_not_won() -> None:
    slow = steady(1, 50)
    game = board("7c | 2d | 3h | 4s   p[8c]", "7d | 9d | Th | Js   p[Kc x x]", latencies=(slow, steady(2, 10)))
    launch(game, 0, "C1E")
    act(game, 1, "C1E")
    wait(game, 40)
    assert game.game.phase == RACE
    land(game, 0)
    assert pack(game) == "8c"


def test_cs_08_the_other_players_card_in_flight_goes_back_when_the_game_ends() -> None:
    game = board("7c | 2d | 3h | 4s   p[8c]", "7d | 9d | Th | Js   p[Kc Qc]", latencies=(steady(), steady(1, 50)))
    launch(game, 1, "C1Y")
    act(game, 0, "C1E")
    assert (game.game.phase, game.game.winner) == (OVER, 0)
    assert pack(game, 1) == "Kc Qc"
    assert game.game.card.tolist() == [-1, -1]


def test_cs_08_fewer_than_four_cards_lay_what_there_is_which_is_no_win() -> None:
    game = board("-   p[2c 3c]", "-   p[2d 9d Td Jd Qd]")
    assert game.game.phase == LOCKED
    wait(game, 1500)
    assert row(game) == "2c | 3c | - | -"
    assert (game.game.phase, game.game.pack_n.tolist()) == (RACE, [0, 1])
    assert coverable(game) == {"C1Y", "C1E"}, "a place without cards is no place to cover"


def test_cs_09_an_empty_pack_wins_when_the_other_has_to_lay_again() -> None:
    game = board("2c | 3c | 4c | 5c   p0", "9d | Td | Jd | Qd   p[Kd (Ks) (8h)]")
    wait(game, 1499)
    assert game.game.phase == PAUSE
    wait(game, 1)
    g = game.game
    assert (g.phase, g.winner, g.end_reason, g.rounds) == (OVER, 0, FINISHED, 0)
    assert row(game, 1) == "9d | Td | Jd | Qd", "nobody lays any more"


def test_cs_09_unless_the_other_empties_the_pack_first() -> None:
    game = board("2c | 3c | 4c | 5c   p0", "2d | Td | Jd | Qd   p[Kd]")
    act(game, 1, "C1E")
    assert (game.game.phase, game.game.winner) == (OVER, 1)


def test_cs_09_wins_at_once_wins_after_laying() -> None:
    game = board("-   p[2c 3c 4c 5c]", "-   p[2d 9d Td Jd Qd]", empty_pack="wins_at_once")
    wait(game, 1500)
    g = game.game
    assert (g.phase, g.winner, g.end_reason, g.progress_at) == (OVER, 0, FINISHED, 1500)
    assert row(game) == "2c | 3c | 4c | 5c"
    other = board("-   p[2c 3c 4c 5c]", "-   p[2d 9d Td Jd Qd]")
    wait(other, 1500)
    assert other.game.phase == RACE, "with wins_at_next_deal the race goes on"


def test_cs_09_wins_at_once_does_not_look_before_taking_up() -> None:
    game = board("2c6c | 3c | 4c | 5c   p0", "9d | Td | Jd | Qd   p[Kd (Ks) (8h)]", empty_pack="wins_at_once")
    wait(game, 1500)
    assert row(game) == "2c | 6c | 3c | 4c"
    assert (game.game.rounds, pack(game)) == (1, "5c")


@pytest.mark.parametrize("labels", [(0, 1), (1, 0)])
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
@pytest.mark.parametrize("empty_pack", ["wins_at_next_deal", "wins_at_once"])
def test_cs_09_two_empty_packs_toss_a_coin(empty_pack: str, seed: int, labels: tuple[int, int]) -> None:
    game = board("2c | 3c", "9d | Td", seed=seed, labels=labels, empty_pack=empty_pack)
    until(game, OVER)
    assert game.game.winner == labels.index(word(seed, TIES, 0) * 2 >> 32)
    assert game.game.ties_n == 1
    assert (game.game.time, game.game.rounds) == (1500, int(empty_pack == "wins_at_once"))


def test_cs_11_endless_play_is_cut_off() -> None:
    y, e = "2c | 3c | 4c | 5c   p[2d 3d 4d 5d]", "9d | Td | Jd | Qd   p[9h Th Jh Qh]"
    game = board(y, e, max_rounds=3)
    until(game, OVER)
    g = game.game
    assert (g.rounds, g.end_reason, g.winner, g.time) == (3, MAX_ROUNDS, -1, 3 * 1500)
    assert not g.height.any(), "taken up, but not laid"
    assert sorted(cards_of(g)) == sorted(
        map(
            parse_card, ["2c", "3c", "4c", "5c", "2d", "3d", "4d", "5d", "9d", "Td", "Jd", "Qd", "9h", "Th", "Jh", "Qh"]
        )
    )


def test_cs_11_a_round_without_end_is_cut_off() -> None:
    y, e = "7c | 3c | 4c | 5c   p9", "7d | Td | Jd | Qd   p9"
    game = board(y, e, stall_ms=0, max_round_ms=4000)
    until(game, OVER)
    assert (game.game.end_reason, game.game.time) == (MAX_ROUND_MS, 4000)
    game = board(y, e, stall_ms=0, max_idle_ms=3000)
    until(game, OVER)
    assert (game.game.end_reason, game.game.time) == (MAX_IDLE_MS, 3000)


def test_cs_11_the_clock_of_a_round_starts_anew_at_each_laying() -> None:
    game = board("7c | 3c | 4c | 5c   p[9c 8c 2c 6c]", "7d | Td | Jd | Qd   p[9d 8d 2d 6d]", max_round_ms=4000)
    wait(game, 3000)
    act(game, 0, "C1Y")
    act(game, 0, "C1E")
    until(game, PAUSE)
    until(game, RACE)
    assert game.game.raced == 0
    assert game.game.race_from == game.game.time
