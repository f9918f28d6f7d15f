"""Cards that a player cannot know change places; all else stays."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spit_env.cards import rank_or_joker
from spit_env.speed.board import parse_board
from spit_env.speed.check import cards_of, check_state
from spit_env.speed.rules import PRESETS
from spit_env.speed.unknown import shuffle_unknown, turned_up
from tests.speed.records import BOARD, JOKERS, NUMBERS, random_record, random_rules

NOBODY = -1


def batch_of(record: Any, recall: str = "perfect", past: Any = None) -> Any:
    """As much of a batch of one game as there must be."""
    games = np.array([record]).view(np.recarray)
    shots = np.zeros((1, 1), games.dtype) if past is None else np.array([past])
    return SimpleNamespace(games=games, past=shots.view(np.recarray), recall=recall)


def shuffled(record: Any, seat: int, recall: str = "perfect", number: int = 0) -> Any:
    """A copy in which what the seat cannot know lies elsewhere."""
    batch = batch_of(record, recall)
    shuffle_unknown(batch, seat, np.random.default_rng(number))
    return batch.games[0]


def ranks(cards: Any) -> list[int]:
    """Cards by rank, an empty place as -1."""
    return [rank_or_joker(int(card)) if card >= 0 else -1 for card in np.ravel(cards)]


@pytest.mark.plain
@settings(max_examples=150, deadline=None)
@given(NUMBERS, st.integers(NOBODY, 3), st.sampled_from(["perfect", "none"]))
def test_all_that_a_player_sees_stays(number: int, seat: int, recall: str) -> None:
    record = random_record(random_rules(number), number)
    seats = len(record["hand"])
    seat = min(seat, seats - 1)
    other = shuffled(record, seat, recall, number)
    check_state(other)
    assert sorted(cards_of(other)) == sorted(cards_of(record))
    for name in ("held_n", "stock_n", "reserve_n", "pile_n", "top", "accepts"):
        assert np.array_equal(other[name], record[name]), name
    assert np.array_equal(other["held"] >= 0, record["held"] >= 0)
    own = range(seats) if seat == NOBODY or record["layout"] == 1 else [seat]
    assert all(np.array_equal(other["held"][p], record["held"][p]) for p in own)
    tops = [(i, n - 1) for i, n in enumerate(record["pile_n"].tolist()) if n]
    assert all(other["pile"][place] == record["pile"][place] for place in tops)
    if recall == "perfect":
        assert np.array_equal(other["seen"], record["seen"])
        assert np.array_equal(other["unseen"], record["unseen"])
        assert np.array_equal(other["mixed"], record["mixed"])
        known = (record["held"] >= 0) & (record["seen"][record["held"]] > 0)
        assert np.array_equal(other["held"][known], record["held"][known])
        assert all(np.array_equal(a[:n], b[:n]) for a, b, n in zip(other["pile"], record["pile"], record["pile_n"]))


@pytest.mark.plain
def test_all_that_cannot_be_known_moves() -> None:
    record = parse_board(BOARD.replace("s3", "s12"), JOKERS, 1)
    others = [shuffled(record, NOBODY, number=number) for number in range(20)]
    assert len({other["reserve"][0, 1] for other in others}) > 5, "a seen card among the reserves"
    assert len({other["stock"][0, 0] for other in others}) > 5
    assert {other["held"][1, 0] for other in others} == {record["held"][1, 0]}
    others = [shuffled(record, 0, number=number) for number in range(20)]
    assert len({other["held"][1, 0] for other in others}) > 5, "another's hand"
    assert {other["pile"][1, 0] for other in others} == {record["pile"][1, 0]}
    others = [shuffled(record, 0, "none", number) for number in range(20)]
    assert len({other["pile"][1, 0] for other in others}) > 5, "a pile under its top"
    assert len({tuple(other["unseen"]) for other in others}) > 5


@pytest.mark.plain
def test_an_open_row_does_not_move() -> None:
    record = parse_board("Y: 7 8 9 T   s9\nE: 2 3 4 5   s9\nL=K R=K", PRESETS["bicycle"])
    others = [shuffled(record, 0, recall, number) for number in range(9) for recall in ("perfect", "none")]
    assert all(np.array_equal(other["held"], record["held"]) for other in others)
    assert len({other["stock"][1, 0] for other in others}) > 2


@pytest.mark.plain
@pytest.mark.parametrize("recall", ["perfect", "none"])
def test_what_a_delayed_player_still_sees_does_not_move(recall: str) -> None:
    earlier = parse_board("Y: 7c\nE: 8c s9\nL=[2c 3c 4c] r1 R=6c r1", JOKERS, 1)
    now = earlier.copy()
    now["pile_n"][1], now["pile"][1, 0] = 1, earlier["pile"][1, 2]
    now["reserve_n"][1], now["reserve"][1, 1:3] = 3, earlier["pile"][1, :2]
    for number in range(9):
        batch = batch_of(now, recall, [earlier, np.zeros_like(earlier)])
        shuffle_unknown(batch, 0, np.random.default_rng(number))
        shot = batch.past[0, 0]
        assert np.array_equal(shot["pile"][1, :3], earlier["pile"][1, :3])
        assert np.array_equal(shot["stock"][1, :9], batch.games[0]["stock"][1, :9]), "the past has the same cards"
        assert sorted(ranks(shot["reserve"][0, :1])) == sorted(ranks(batch.games[0]["reserve"][0, :1]))


@pytest.mark.plain
def test_a_card_of_an_earlier_deal_that_a_delayed_player_still_sees_does_not_move() -> None:
    earlier = parse_board("Y: 7c\nE: 8c\nL=[2c 3c 4c] R=6c", JOKERS, 1)
    now = parse_board("Y: 7c\nE: 8c s[2c 3c 4c 6c Kc Qc]\nL=(x) R=(x)", JOKERS, 1)
    for number in range(9):
        batch = batch_of(now, past=[earlier, earlier])
        shuffle_unknown(batch, 0, np.random.default_rng(number))
        assert np.array_equal(batch.past[0, 0]["pile"], earlier["pile"])
        assert np.array_equal(batch.games[0]["stock"][1, 2:6], now["stock"][1, 2:6])


@pytest.mark.plain
def test_turned_up_tells_of_every_card_that_comes_to_light() -> None:
    record = parse_board(BOARD, JOKERS, 1)
    before = turned_up(record)
    for name in ("rounds", "race_from", "stock_n"):
        other = record.copy()
        other[name] = record[name] + 1
        assert turned_up(other) != before
