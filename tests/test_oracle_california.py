"""The oracle of California Speed against rules CS-01 to CS-11, by examples."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from spit_env.california.rules import CaliforniaRules
from spit_env.cards import RANK_SYMBOLS, rank_of
from spit_env.draws import DEAL, TIES
from spit_env.latency import Latency
from tests.oracle_boards import Pack, steady
from tests.oracle_california import PLACES, CaliforniaOracle
from tests.oracle_race import LOCKED, NOOP, OPEN, OVER, PAUSE, RETURN, TRAVEL

RULES = CaliforniaRules()
DOUBLES = CaliforniaRules(doubles=True)
AT_ONCE = CaliforniaRules(empty_pack="wins_at_once")


def board(
    own: str, other: str, packs: tuple[str, str], rules: CaliforniaRules = RULES, seed: int = 1,
    latencies: Sequence[Latency] = (steady(), steady()),
) -> CaliforniaOracle:  # fmt: skip
    """Rows such as ``"7 K 3 79"`` of seats 0 and 1, stacks and packs bottom to top; a hyphen for no card."""
    pack = Pack()
    rows = [[[pack.take(rank) for rank in stack.strip("-")] for stack in row.split()] for row in (own, other)]
    laid = [card for row in rows for stack in row for card in stack]
    game = CaliforniaOracle(rules, latencies, seed)
    held = [[pack.take(rank) for rank in ranks] for ranks in packs]
    game.set_up({"stacks": rows, "packs": held, "seen": laid, "deal_n": 0})
    return game


def text(cards: Sequence[int]) -> str:
    return "".join(RANK_SYMBOLS[rank_of(card)] for card in cards)


def places(game: CaliforniaOracle) -> list[int]:
    """The places that may be covered."""
    return [place for place in PLACES if game.coverable[place]]


def launch(game: CaliforniaOracle, seat: int, place: int) -> None:
    """Wait until the hand is open, then cover."""
    while game.players[seat].hand != OPEN:
        game.advance(game.time + 1)
    game.choose(seat, game.cover(seat, place))


def act(game: CaliforniaOracle, seat: int, place: int) -> None:
    """Cover as soon as the hand is open, and wait for the end of it."""
    launch(game, seat, place)
    while game.players[seat].hand in (TRAVEL, RETURN):
        game.advance(game.time + 1)


def test_cs_01_cs_02_deal_and_rows() -> None:
    game = CaliforniaOracle(RULES, [steady(), steady()], 1, labels=(1, 0))
    other = CaliforniaOracle(RULES, [steady(), steady()], 1)
    assert game.players[0].pack == other.players[1].pack
    assert [len(player.pack) for player in game.players] == [26, 26]
    assert (game.phase, game.drawn[DEAL], game.seen) == (LOCKED, 51, set())
    first = [player.pack[:-5:-1] for player in game.players]
    game.advance(1500)
    assert game.stacks == [[card] for row in first for card in row]
    assert (game.progress_at, game.seen) == (1500, {*first[0], *first[1]})


def test_cs_03_matches_in_either_row() -> None:
    assert places(board("7 K 3 9", "7 2 4 5", ("5", "6"))) == [0, 4]
    assert places(board("7 7 3 9", "7 2 3 5", ("5", "6"))) == [0, 1, 2, 4, 6]
    assert places(board("7 8 3 9", "J 2 4 5", ("5", "6"))) == []


def test_actions_count_the_own_row_first() -> None:
    game = board("7 K 3 9", "2 7 4 5", ("5", "6"))
    assert [game.moves(seat) for seat in (0, 1)] == [[1, 6], [2, 5]]


def test_cs_04_each_card_of_a_match_stays_coverable() -> None:
    game = board("7 K 3 9", "7 2 7 5", ("5QQ", "6JT"))
    act(game, 0, 0)
    assert (text(game.stacks[0]), places(game)) == ("7Q", [4, 6])
    act(game, 1, 6)
    assert places(game) == [4]
    act(game, 1, 4)
    assert (places(game), [player.landings for player in game.players]) == ([], [1, 2])


def test_cs_05_a_covering_card_makes_a_new_match() -> None:
    game = board("7 K 3 9", "7 2 4 5", ("5K", "6J"))
    act(game, 0, 0)
    assert places(game) == [0, 1, 4]


def test_cs_06_the_slower_card_goes_back_to_the_top_of_its_pack() -> None:
    game = board("7 K 3 9", "7 2 4 5", ("5Q", "6J"), latencies=[steady(travel=99), steady(travel=100)])
    game.advance(1)
    launch(game, 0, 0)
    launch(game, 1, 0)
    game.advance(101)
    assert (text(game.stacks[0]), game.players[1].hand, text(game.players[1].pack)) == ("7Q", RETURN, "6")
    game.advance(201)
    assert (text(game.players[1].pack), game.players[1].bounces) == ("6J", 1)
    assert game.players[1].pack[-1] in game.seen


def test_cs_06_the_second_card_stays_on_a_new_match() -> None:
    game = board("7 K 3 9", "7 2 4 5", ("5K", "6J"), latencies=[steady(travel=99), steady(travel=100)])
    game.advance(1)
    launch(game, 0, 0)
    launch(game, 1, 0)
    game.advance(101)
    assert (text(game.stacks[0]), places(game)) == ("7KJ", [1, 4])


def test_cs_07_rows_are_taken_up_under_the_packs() -> None:
    game = board("72 K 3 9", "8Q 5 4 T", ("6A", "6J"))
    game.advance(0)
    assert (game.phase, game.phase_until) == (PAUSE, 1500)
    game.advance(1499)
    assert text(game.stacks[0]) == "72"
    game.advance(1500)
    # top to bottom: A 6, then 7 2, K, 3, 9; and J 6, then 8 Q, 5, 4, T
    assert [text(stack) for stack in game.stacks] == ["A", "6", "7", "2", "J", "6", "8", "Q"]
    assert [text(player.pack) for player in game.players] == ["93K", "T45"]
    assert (game.round, places(game), game.counted, game.drawn[DEAL]) == (1, [1, 5], 0, 0)


def test_cs_08_the_last_card_onto_a_match_wins() -> None:
    game = board("7 K 3 9", "7 2 4 5", ("5", "6J"))
    act(game, 0, 0)
    assert (game.phase, game.winner, game.end_reason) == (OVER, 0, "finished")


def test_cs_08_short_rows_and_cs_09_an_empty_pack_wins_at_the_next_deal() -> None:
    game = board("A - - -", "8 5 4 T", ("K", "6J"))
    game.advance(1500)
    assert [text(stack) for stack in game.stacks[:4]] == ["K", "A", "", ""]
    assert (game.players[0].pack, game.phase, game.is_stuck(0)) == ([], PAUSE, True)
    game.advance(3000)
    assert (game.phase, game.winner, game.end_reason, game.round) == (OVER, 0, "finished", 1)


def test_cs_09_the_other_may_still_empty_the_pack_first() -> None:
    game = board("A 7 - -", "8 7 4 T", ("", "6"))
    assert [game.legal(0), game.moves(1)] == [[NOOP], [2, 6]]
    act(game, 1, 1)
    assert (game.phase, game.winner) == (OVER, 1)


def test_cs_09_wins_at_once_after_laying() -> None:
    game = board("A - - -", "8 5 4 T", ("K", "6J"), rules=AT_ONCE)
    game.advance(1500)
    assert (game.phase, game.winner, game.end_reason, game.drawn[TIES]) == (OVER, 0, "finished", 0)


@pytest.mark.parametrize("rules", [RULES, AT_ONCE])
def test_both_packs_empty_is_a_coin(rules: CaliforniaRules) -> None:
    wins = [0, 0]
    for seed in range(100):
        game = board("A - - -", "8 - - -", ("", ""), rules=rules, seed=seed)
        game.advance(1500)
        assert (game.phase, game.drawn[TIES]) == (OVER, 1)
        wins[game.winner] += 1
    assert 30 < wins[0] < 70


def test_cs_10_doubles() -> None:
    for rules, coverable in ((RULES, [4]), (DOUBLES, [0, 4])):
        game = board("7 K 3 9", "7 2 4 5", ("57", "6J"), rules=rules)
        game.stacks[4].append(game.players[1].pack.pop())  # so that the landing 7 has no equal but the one under it
        act(game, 0, 0)
        assert places(game) == coverable


def test_cs_11_max_rounds_with_the_rows_taken_up() -> None:
    game = board("72 K 3 9", "8Q 5 4 T", ("6A", "6J"), rules=replace(RULES, max_rounds=1))
    game.advance(1500)
    assert (game.phase, game.end_reason, game.winner, game.round) == (OVER, "max_rounds", -1, 1)
    assert [len(player.pack) for player in game.players] == [7, 7]
    assert (places(game), game.snapshot()["top"]) == ([], [[-1] * 4] * 2)


def test_a_match_that_is_let_lie_is_taken_up() -> None:
    game = board("7 K 3 9", "7 2 4 5", ("5", "6J"))
    game.advance(1)
    for seat in (0, 1):
        game.choose(seat, NOOP)
    game.advance(5000)
    assert (game.phase, places(game)) == (PAUSE, [0, 4])


def test_c_18_must_play() -> None:
    game = board("7 K 3 9", "7 2 4 5", ("5", ""), rules=replace(RULES, must_play=True))
    game.advance(5000)
    assert (game.legal(0), game.legal(1)) == ([1, 5], [NOOP])


def test_a_46_both_rows_are_seen_late() -> None:
    eyes = [steady(perception_ms=200), steady()]
    game = board("7 K 3 9", "7 2 4 5", ("5Q", "6J"), latencies=eyes)
    act(game, 1, 0)
    assert (game.time, places(game), game.moves(0)) == (11, [4], [1, 5])
    launch(game, 0, 0)
    game.advance(21)
    assert game.players[0].hand == RETURN
    game.advance(211)
    assert game.moves(0) == [5]


@pytest.mark.parametrize(("tie_break", "landed"), [("both_return", [0, 0]), ("alternate", [1, 0])])
def test_a_08_covers_of_one_place(tie_break: str, landed: list[int]) -> None:
    game = board("7 K 3 9", "7 2 4 5", ("5Q", "6J"), rules=replace(RULES, tie_break=tie_break))
    launch(game, 0, 0)
    launch(game, 1, 0)
    game.advance(11)
    assert ([player.landings for player in game.players], game.drawn[TIES]) == (landed, 0)
