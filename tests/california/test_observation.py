"""What a seat sees: named fields on given boards, and nothing that cannot be known."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from spit_env import conformance, parallel_env
from spit_env.batch import Batch
from spit_env.california.check import check_state
from spit_env.california.game import CALIFORNIA_SPEED
from spit_env.california.rules import PRESETS
from spit_env.california.unknown import shuffle_unknown, turned_up
from spit_env.cards import RANK_SYMBOLS
from spit_env.games import parse_board
from spit_env.state import OVER, TRAVEL
from tests.random_games import DELAYED, HASTY, SEEDS, choices_of, played

BOARD = """Y: 7c | 2d | 9s3h | 4s   p[Tc (5c) 6c]
E: 7d | 8s | Th | Js   p[(Kc) Qc (Ac) 2h]"""


def start(recall: Any = "perfect", board: str = BOARD, rules: str = "california") -> Batch:
    """A batch with one game on a board, at its beginning."""
    batch = Batch(1, rules, HASTY, tick_ms=1, recall=recall)
    batch.reset([1], boards=np.array([parse_board(board, rules)]))
    return batch


def ranks(values: Any) -> str:
    """Ranks as the observation tells them; - is none or not known."""
    return "".join("-" if value == 0 else RANK_SYMBOLS[value - 1] for value in values)


@pytest.mark.plain
def test_the_rows_and_packs_from_either_side() -> None:
    batch = start()
    for seat in (0, 1):
        o, own, other = batch.observations[0, seat], seat, 1 - seat
        assert (o.phase, o.rounds, o.action) == (1, 0, 0)
        assert [ranks(row) for row in o.top[[own, other]]] == ["7234", "78TJ"]
        assert o.coverable[[own, other]].tolist() == [[1, 0, 0, 0], [1, 0, 0, 0]]
        assert o.height[[own, other]].tolist() == [[1, 1, 2, 1], [1, 1, 1, 1]]
        assert ranks(o.stack_card[own, 2, :4]) == "39--"
        assert o.pack_count[[own, other]].tolist() == [3, 4]
        assert ranks(o.pack_card[own, :5]) == "T-6--", "the top card first"
        assert ranks(o.pack_card[other, :5]) == "-Q-2-"
        assert o.unseen.tolist() == [4, 2, 3, 3, 4, 3, 2, 3, 3, 2, 3, 3, 4]


@pytest.mark.plain
def test_without_recall_only_what_lies_open() -> None:
    batch = start("none")
    o = batch.observations[0, 0]
    assert [ranks(row) for row in o.top] == ["7234", "78TJ"]
    assert ranks(o.stack_card[0, 2, :4]) == "3---"
    assert o.height.tolist() == [[1, 1, 2, 1], [1, 1, 1, 1]]
    assert o.pack_count.tolist() == [3, 4]
    assert not o.pack_card.any()
    assert o.unseen.tolist() == [4, 3, 3, 3, 4, 4, 2, 3, 4, 3, 3, 4, 4]


@pytest.mark.plain
@pytest.mark.parametrize("recall", ["perfect", "none"])
def test_a_card_in_flight_is_seen_by_both(recall: Any) -> None:
    batch = start(recall)
    before = int(batch.observations[0, 1].unseen[9])
    while batch.games[0].hand[0] != TRAVEL:
        batch.step(np.array([[5 * batch.masks[0, 0, 5], 0]]))  # C1E
    own, other = batch.observations[0]
    assert (own.hand[0], own.action, other.hand[1]) == (TRAVEL, 5, TRAVEL)
    assert ranks([own.flight_card[0], other.flight_card[1]]) == "TT"
    assert (own.flight_row[0], own.flight_stack[0]) == (2, 1)
    assert (other.flight_row[1], other.flight_stack[1]) == (1, 1)
    assert own.flight_left[0] == other.flight_left[1] == own.left > 0
    assert other.left == 0 or other.hand[0] == 1
    assert own.pack_count[0] == other.pack_count[1] == 2
    assert before - own.unseen[9] == before - other.unseen[9] == (recall == "none"), "with recall the ten was known"


@pytest.mark.plain
def test_long_stacks_and_packs_are_shown_from_the_top() -> None:
    board = "Y: x2cA | 2d   p[3c 4c (5c)]\nE: " + "".join(f"{rank}h" for rank in "23456789TJQKA") + " | 3s   p[Kd]"
    o = start(board=board).observations[0, 0]
    assert ranks(o.stack_card[1, 0]) == "AKQJT9876543"
    assert o.height[1, 0] == 13


@pytest.mark.plain
def test_with_delay_the_rows_and_the_other_pack_are_seen_late() -> None:
    late = HASTY | {"perception_ms": 400}
    batch = Batch(1, "california", [late, HASTY], tick_ms=1)
    batch.reset([1], boards=np.array([parse_board(BOARD, "california")]))
    o, g = batch.observations[0, 0], batch.games[0]
    while not g.landings[1]:
        batch.step(np.array([[0, 5 * batch.masks[0, 1, 5]]]))  # C1Y
    landed = int(g.time)
    while g.time < landed + 400:
        assert (ranks(o.top[0]), o.height[0, 0], o.coverable[0, 0]) == ("7234", 1, 1)
        assert o.pack_count.tolist() == [3, 4 if g.time < landed - g.travel_ms[1] + 400 else 3]
        batch.step(np.zeros((1, 2), np.int64))
    assert (ranks(o.top[0]), o.height[0, 0], o.coverable[0, 0]) == ("K234", 2, 0)
    assert (o.perception.tolist(), batch.observations[0, 1].perception.tolist()) == ([40, 0], [0, 40])


def test_what_is_written_at_each_step_is_what_would_be_written_anew() -> None:
    """Only stale parts are written: none is forgotten."""
    for seed, recall in enumerate(("perfect", "none") * 3):
        for latencies in (HASTY, DELAYED):
            batch = Batch(1, "california_doubles", latencies, recall=recall, tick_ms=(None, 10)[seed % 2])
            batch.reset([seed])
            rng = np.random.default_rng(seed)
            for _ in range(300):
                batch.step(choices_of(batch, rng), everyone=True)
                told, masks = batch.flat.copy(), batch.masks.copy()
                batch.write()
                assert np.array_equal(told, batch.flat)
                assert np.array_equal(masks, batch.masks)


@pytest.mark.parametrize("recall", ["perfect", "none"])
@pytest.mark.parametrize("latency", ["emma:hard", DELAYED], ids=["now", "late"])
@pytest.mark.parametrize("preset", PRESETS)
def test_nothing_is_told_of_hidden_cards(preset: str, latency: Any, recall: Any) -> None:
    make_env = partial(parallel_env, rules=preset, stepping="decision", latency=latency, recall=recall)
    conformance.check_no_leak(make_env, seeds=(5, 6), steps=200)


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_what_is_shuffled_is_what_cannot_be_known(seed: int) -> None:
    batch = played(seed, 60, "california", HASTY)
    before, after = batch.games[0].copy(), batch.games[0]
    rng = np.random.default_rng(seed)
    moved = set[int]()
    for _ in range(40):
        shuffle_unknown(batch, 0, rng)
        check_state(after)
        for p, s in np.ndindex(2, 4):
            height = before.height[p, s]
            assert np.array_equal(before.stack[p, s, :height], after.stack[p, s, :height])
        assert turned_up(before) == turned_up(after)
        for p in (0, 1):
            n = before.pack_n[p]
            moved |= set(before.pack[p, :n][before.pack[p, :n] != after.pack[p, :n]].tolist())
    unseen = {card for p in (0, 1) for card in before.pack[p, : before.pack_n[p]].tolist() if not before.seen[card]}
    assert moved == (unseen if len(unseen) > 1 else set())


# The game's numbers


@pytest.mark.plain
def test_cards_held_are_those_in_pack_and_hand() -> None:
    batch = start()
    while batch.games[0].hand[0] != TRAVEL:
        batch.step(np.array([[5 * batch.masks[0, 0, 5], 0]]))
    assert batch.games[0].pack_n.tolist() == [2, 4]
    assert CALIFORNIA_SPEED.cards_held(batch.state).tolist() == [[3, 4]]
    assert CALIFORNIA_SPEED.standing(batch.state).tolist() == [[3, 4]]


@pytest.mark.plain
def test_the_potential_is_the_lead_in_cards_and_nothing_once_it_is_over() -> None:
    batch = start()
    ahead, behind = CALIFORNIA_SPEED.potential(batch.state)[0]
    assert ahead == -behind == pytest.approx(np.tanh(2 / 52))
    batch.games["phase"] = OVER
    assert CALIFORNIA_SPEED.potential(batch.state).tolist() == [[0.0, 0.0]]
