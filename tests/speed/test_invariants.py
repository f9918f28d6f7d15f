"""RULES 6.2 for Speed: what holds after every event (I-1 to I-10), and masks as legality."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spit_env.batch import Batch, make_seeds
from spit_env.latency import Latency
from spit_env.speed.rules import PRESETS, SpeedRules
from spit_env.speed.state import action_count, call_action, draw_action
from spit_env.state import BLOCKED, END_REASONS, FINISHED, NEVER, NOOP, OPEN, OVER, RACE, TRAVEL
from tests.engine import Engine
from tests.random_games import SEEDS
from tests.rules.any_game import play, player
from tests.speed.any_game import ANY_RULES, FOUR, FOUR_LATE, ORDERS, RULES, Watch, labelled, seated


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=4, deadline=None)
@given(seed=SEEDS, four=FOUR, order=ORDERS)
def test_t01_i_1_to_i_7_presets(preset: str, seed: int, four: tuple[Latency, ...], order: list[int]) -> None:
    """T-01, I-1 to I-7: after every event of a game of each preset."""
    rules = PRESETS[preset]
    game = Engine(rules, seated(four, rules), seed, labelled(order, rules))
    play(game, seed, 300, Watch(game.batch))


@settings(max_examples=30, deadline=None)
@given(RULES, SEEDS, st.one_of(FOUR, FOUR_LATE), ORDERS)
def test_t01_i_1_to_i_7_any_rules(rules: SpeedRules, seed: int, four: tuple[Latency, ...], order: list[int]) -> None:
    """T-01, I-1 to I-7: after every event of games of any rules."""
    game = Engine(rules, seated(four, rules), seed, labelled(order, rules))
    play(game, seed, 300, Watch(game.batch))


@settings(max_examples=10, deadline=None)
@given(ANY_RULES, SEEDS, FOUR)
def test_t01_i_1_to_i_7_hostile_play(rules: SpeedRules, seed: int, four: tuple[Latency, ...]) -> None:
    """T-01, I-1 to I-7: whatever whole numbers are handed in as actions."""
    batch = Batch(1, replace(rules, spit_pause_ms=1), list(seated(four, rules)), tick_ms=1)
    batch.reset([seed])
    rng = np.random.default_rng(seed)
    watch = Watch(batch)
    wild = [*range(-3, action_count(rules.seats) + 3), -(2**62), 2**62]
    for _ in range(400):
        watch()
        batch.step(rng.choice(wild, (1, rules.seats)))
    assert batch.games.illegal.sum() > 100 or batch.over[0]


@pytest.mark.plain
@pytest.mark.parametrize("preset", PRESETS)
def test_t01_a_slice_without_the_jit(preset: str) -> None:
    """T-01, I-1 to I-7: a few events of each preset."""
    four = (player(3, 0.3), player(40, 0.3), player(3, 0.3), player(40, 0.0))
    game = Engine(PRESETS[preset], seated(four, PRESETS[preset]), 5)
    play(game, 5, 80, Watch(game.batch))


# Games to the end


@pytest.mark.parametrize("preset", PRESETS)
def test_s2_15_games_of_random_play_end(preset: str) -> None:
    """S2-15, S2-11, A-22: a hundred games of random play are all won, none is cut off; every seat wins some."""
    batch = Batch(100, preset, "emma:hard")
    batch.reset(make_seeds(5, 100))
    rng = np.random.default_rng(5)
    while not batch.over.all():
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=2))
    reasons = {END_REASONS[reason] for reason in batch.games.end_reason}
    assert reasons <= {"finished", "blocked"}
    # Only a row of four has no reserves to make anew.
    assert ("blocked" in reasons) == (preset == "bicycle")
    assert np.bincount(batch.games.winner, minlength=batch.game.seats).min() > 10


@settings(max_examples=10, deadline=None)
@given(RULES, SEEDS)
def test_a_22_games_of_any_rules_end(rules: SpeedRules, seed: int) -> None:
    """A-22, A-42: games of any rules end, won or cut off by a guard that names itself."""
    batch = Batch(4, rules, player(200, 0.3))
    batch.reset(make_seeds(seed, 4))
    rng = np.random.default_rng(seed)
    for _ in range(100_000):
        if batch.over.all():
            break
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=2))
    assert batch.over.all()
    won = np.isin(batch.games.end_reason, (FINISHED, BLOCKED))
    assert (won == (batch.games.winner >= 0)).all()


# Masks


def lands(game: Engine, scratch: Engine, seat: int, action: int) -> bool:
    """Whether the action succeeds if nothing else happens before it lands."""
    scratch.batch.games[0], scratch.batch.past[0] = game.game, game.batch.past[0]
    before, g = game.game.copy(), scratch.game
    seats = len(g.hand)
    g.max_idle_ms = g.max_round_ms = 10**8
    scratch.choose(seat, action)
    g.until[np.arange(seats) != seat] += 10**6
    assert g.hand[seat] == TRAVEL
    g.until[seat] = g.time + 1
    scratch.advance(int(g.time) + 1)
    if action == call_action(seats):
        return bool(g.rounds > before.rounds or g.phase == OVER)
    if action == draw_action(seats):
        return bool(g.stock_n[seat] == before.stock_n[seat] - 1 and g.held_n[seat] == before.held_n[seat] + 1)
    return bool(g.landings[seat] == before.landings[seat] + 1)


@settings(max_examples=40, deadline=None)
@given(ANY_RULES, SEEDS, FOUR)
def test_i_9_what_is_legal_succeeds(rules: SpeedRules, seed: int, four: tuple[Latency, ...]) -> None:
    """I-9, S2-08, A-38, A-39: each action in a mask succeeds if it lands now; a hand is open only if there is one."""
    game, scratch = (Engine(rules, seated(four, rules), seed) for _ in range(2))

    def look() -> None:
        for seat in game.asked(False):
            assert len(game.legal(seat)) > (NOOP in game.legal(seat))
            for action in game.legal(seat):
                assert action == NOOP or lands(game, scratch, seat, action), (seat, action)

    play(game, seed, 120, look)


def after(batch: Batch, scratch: Batch, actions: list[int]) -> Any:
    """The record after these actions, the batch left alone."""
    for name in ("games", "past", "asked", "masks", "observations"):
        getattr(scratch, name)[:] = getattr(batch, name)
    scratch.step(np.array([actions]))
    return scratch.games[0].copy()


@settings(max_examples=8, deadline=None)
@given(ANY_RULES, SEEDS, FOUR, st.sampled_from([None, 5, 50]))
def test_what_is_not_legal_is_replaced_and_counted(
    rules: SpeedRules, seed: int, four: tuple[Latency, ...], tick_ms: int | None
) -> None:
    """S2-09, T-57, I-9: an action outside the mask does what the lowest legal one does, and is counted."""
    batch, scratch = (Batch(1, rules, list(seated(four, rules)), tick_ms=tick_ms) for _ in range(2))
    batch.reset([seed])
    rng = np.random.default_rng(seed)
    every = range(rules.seats)
    for _ in range(10):
        plain = [int(batch.masks[0, p].argmax()) for p in every]
        meant = after(batch, scratch, plain)
        for seat in every:
            wrong = {-(2**40), -1, batch.game.actions, 2**40} | set(np.flatnonzero(batch.masks[0, seat] == 0).tolist())
            for action in wrong:
                got = after(batch, scratch, [action if p == seat else plain[p] for p in every])
                assert got.illegal.tolist() == [meant.illegal[p] + (p == seat) for p in every]
                got.illegal = meant.illegal
                assert got == meant, (seat, action)
        for _ in range(9):
            batch.step(np.array([[rng.choice(np.flatnonzero(batch.masks[0, p])) for p in every]]))
        if batch.over[0]:
            break


# The mirrored game

SAME = ("seed", "time", "phase", "phase_until", "progress_at", "changed_at", "race_from", "raced", "rounds",
        "end_reason", "ties_n", "deal_n", "shuffle_n", "tie_turn", "looks", "unseen", "mixed", "seen")  # fmt: skip
ROLLED = ("hand", "declined", "label", "action", "card", "until", "travel_ms", "look", "think_n", "travel_n",
          "thought_ms", "moved_ms", "landings", "bounces", "held", "held_n", "stock", "stock_n", "reserve",
          "reserve_n", "starter", "pile", "pile_n", "top", "accepts", "named", "pile_at_launch", "score")  # fmt: skip


def rolled(record: Any, shift: int) -> dict[str, Any]:
    """The fields of the same game with everybody so many seats further."""
    winner = int(record.winner) if record.winner < 0 else (int(record.winner) + shift) % len(record.hand)
    fields = {name: np.roll(record[name], shift, axis=0).tolist() for name in ROLLED}
    return fields | {name: record[name].tolist() for name in SAME} | {"winner": winner}


def mirror(rules: SpeedRules, seed: int, four: tuple[Latency, ...], shift: int, events: int) -> None:
    """Play a game twice, the second time all so many seats further, and compare after every event."""
    seats = rules.seats
    table = seated(four, rules)
    one = Engine(rules, table, seed)
    further = [(p - shift) % seats for p in range(seats)]  # who sat in the seat p before
    two = Engine(rules, [table[p] for p in further], seed, further)
    rng = np.random.default_rng(seed)
    for _ in range(events):
        assert rolled(one.game, shift) == rolled(two.game, 0)
        for p in range(seats):
            q = (p + shift) % seats
            assert one.game.hand[p] != OPEN or one.game.ask_at[p] == two.game.ask_at[q]
        if one.game.phase == OVER:
            return
        choices = []
        for p in one.asked(False):
            assert one.legal(p) == two.legal((p + shift) % seats)
            if rng.random() > 0.2:
                choices.append((p, int(rng.choice(one.legal(p)))))
        for p, action in sorted(choices, key=lambda choice: choice[1] != NOOP):
            one.choose(p, action)
        choices.reverse()
        for p, action in sorted(choices, key=lambda choice: choice[1] != NOOP):
            two.choose((p + shift) % seats, action)
        until = NEVER if rng.random() < 0.9 else int(one.game.time + rng.integers(1, 60))
        one.advance(until, single=True)
        two.advance(until, single=True)


@settings(max_examples=30, deadline=None)
@given(ANY_RULES, SEEDS, st.one_of(FOUR, FOUR_LATE), st.integers(1, 3))
def test_t59_i_10_the_mirrored_game(rules: SpeedRules, seed: int, four: tuple[Latency, ...], shift: int) -> None:
    """T-59, I-10, A-34: labels, latencies and choices moved round the table give the same game, moved round."""
    mirror(rules, seed, four, shift % rules.seats, 300)


@pytest.mark.plain
@pytest.mark.parametrize("preset", ["speed", "speed_4p"])
def test_t59_i_10_a_slice_without_the_jit(preset: str) -> None:
    """T-59, I-10: the same for a few events."""
    four = (player(3, 0.3), player(40, 0.0), player(3, 0.3), player(40, 0.0))
    mirror(PRESETS[preset], 6, four, 1, 80)


@pytest.mark.plain
def test_s2_09_nothing_moves_but_in_the_race() -> None:
    """S2-09, S2-07: outside the race nobody is asked."""
    game = Engine(PRESETS["speed"], (player(40, 0.3), player(40, 0.3)), 3)

    def look() -> None:
        assert game.game.phase == RACE or game.asked(False) == []

    play(game, 3, 60, look)
