"""Boards, checks, saves, replays and unknown cards on games of Speed that are played."""

import contextlib
import copy
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spit_env import conformance
from spit_env.batch import Batch
from spit_env.env import parallel_env
from spit_env.errors import BadBoard
from spit_env.replay import Recorder, load_game, replay, save_game, state_hash
from spit_env.speed.board import format_board, parse_board
from spit_env.speed.check import cards_of, check_state, pack_of, rules_of
from spit_env.state import OVER
from tests.random_games import HASTY, SEEDS, choices_of, play_on, played
from tests.speed.records import by_name, random_rules

NOBODY = -1
LATE = HASTY | {"perception_ms": 90}
TICKS = st.sampled_from((None, 10, 50))


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(0, 300), TICKS, st.booleans())
def test_states_of_play_are_possible_and_keep_their_cards_as_text(
    seed: int, steps: int, tick_ms: int | None, late: bool
) -> None:
    rules = random_rules(seed % 2**32)
    record = played(seed, steps, rules, LATE if late else HASTY, tick_ms).games[0]
    check_state(record)
    assert rules_of(record) == rules
    assert sorted(cards_of(record)) == pack_of(rules.decks, rules.jokers)
    text = format_board(record, reveal=True)
    if record["phase"] == OVER:
        with contextlib.suppress(BadBoard):  # somebody is out, or has the score of the match
            parse_board(text, rules)
        return
    again = parse_board(text, rules)
    check_state(again)
    assert format_board(again, reveal=True) == text
    told, read = by_name(record), by_name(again)
    for name in ("stock", "reserve", "pile", "starter", "top", "unseen", "mixed", "score"):
        assert read[name] == told[name], name


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.integers(0, 300), TICKS, st.booleans())
def test_saved_games_and_replays_go_as_the_game_went(seed: int, steps: int, tick_ms: int | None, late: bool) -> None:
    rules, latency = random_rules(seed % 2**32), LATE if late else HASTY
    batch = Batch(1, rules, latency, tick_ms=tick_ms)
    batch.reset([seed])
    recorder = Recorder(batch)
    play_on(batch, np.random.default_rng(seed), steps, recorder.step)
    assert state_hash(replay(recorder.lines())) == state_hash(batch.games[0])
    record, past = load_game(save_game(batch.games[0], batch.past[0]))
    record["paused"] = 0
    other = Batch(1, rules, latency, tick_ms=tick_ms)
    other.games[0], other.past[0] = record, past
    other.masks[:], other.asked[:] = batch.masks, batch.asked
    for each in (batch, other):
        play_on(each, np.random.default_rng(seed), 100)
    assert state_hash(other.games[0]) == state_hash(batch.games[0])


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(0, 200), st.sampled_from(["perfect", "none"]), st.booleans())
def test_nobody_sees_what_changes_places(seed: int, steps: int, recall: Any, late: bool) -> None:
    """Each seat's output is the same when written anew, and all outputs while no card comes to light."""
    batch = Batch(1, random_rules(seed % 2**32), LATE if late else HASTY, recall=recall)
    batch.reset([seed])
    rng = np.random.default_rng(seed)
    play_on(batch, rng, steps)
    batch.write()
    for seat in range(batch.game.seats):
        other = copy.deepcopy(batch)
        batch.game.shuffle_unknown(other, seat, rng)
        check_state(other.games[0])
        other.write()
        assert np.array_equal(other.flat[0, seat], batch.flat[0, seat])
        assert np.array_equal(other.masks[0, seat], batch.masks[0, seat])
    other = copy.deepcopy(batch)
    batch.game.shuffle_unknown(other, NOBODY, rng)
    before = batch.game.turned_up(batch.games[0])
    while not batch.over[0]:
        actions = choices_of(batch, rng)
        for each in (batch, other):
            each.step(actions, everyone=True)
        if batch.game.turned_up(batch.games[0]) != before:
            break
        assert np.array_equal(other.flat, batch.flat)
        assert np.array_equal(other.masks, batch.masks)


@pytest.mark.parametrize("preset", ["speed_wikipedia", "speed_jokers", "speed_3p", "bicycle"])
def test_environments_keep_their_promises(preset: str) -> None:
    for recall in ("perfect", "none"):
        make_env = partial(parallel_env, rules=preset, latency="emma:impossible", stepping="decision", recall=recall)
        conformance.check_no_leak(make_env, seeds=(3,), steps=200)
