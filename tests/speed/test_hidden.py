"""A-48 for Speed: observations and masks do not change if what a seat cannot know is otherwise."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spit_env.batch import Batch, Recall, make_seeds, start_games
from spit_env.latency import Latency
from spit_env.speed.rules import PRESETS, SpeedRules
from spit_env.state import IDLE, NOOP, OPEN, THINK
from tests.engine import Engine
from tests.random_games import SEEDS
from tests.rules.any_game import play, player
from tests.speed.any_game import ANY_RULES, FOUR, FOUR_LATE, seated


def shown(batch: Batch, record: Any, past: Any) -> list[tuple[bytes, bytes]]:
    """Each seat's observation and mask, written afresh from these records, no time passing."""
    games, shots = np.array([record]).view(np.recarray), np.array([past]).view(np.recarray)
    games.paused = 1
    batch.flat[:], batch.masks[:], batch.asked[:] = 99, 0, False
    batch.masks[..., NOOP] = 1
    start_games(games, shots, np.arange(1), False, False, batch.observations, batch.masks, batch.asked,
                batch.recall == "perfect")  # fmt: skip
    return [(batch.observations[0, p].tobytes(), batch.masks[0, p].tobytes()) for p in range(batch.game.seats)]


def permuted(record: Any, seat: int, unseen: Any, rng: np.random.Generator) -> Any:
    """A copy in which all that this seat cannot know is otherwise: cards never seen that are not its own, the order of
    reserves, and what lies beyond an array's count."""
    other = record.copy()
    seats = range(len(record.hand))
    reserves = [("reserve", (i, k)) for i in seats for k in range(record.reserve_n[i])]
    hidden = [*reserves, *(("stock", (p, k)) for p in seats for k in range(record.stock_n[p]))]
    hidden += [("starter", (i,)) for i in seats if record.starter[i] >= 0]
    hidden += [("held", (p, s)) for p in seats if p != seat for s in range(5) if record.held[p, s] >= 0]
    for group in (reserves, [(name, at) for name, at in hidden if unseen[other[name][at]]]):
        cards = [other[name][at] for name, at in group]
        for (name, at), card in zip(group, rng.permutation(cards)):
            other[name][at] = card
    for name in ("stock", "reserve", "pile"):
        for i in seats:
            other[name][i, other[f"{name}_n"][i] :] = rng.integers(0, 52)
    return other


def secret(record: Any, seat: int, rng: np.random.Generator) -> Any:
    """A copy in which what only the other seats know is otherwise: their free hands, clocks, all chance to come."""
    other = record.copy()
    for q in range(len(record.hand)):
        if q != seat:
            if other.hand[q] in (IDLE, THINK, OPEN):
                other.hand[q] = rng.choice((IDLE, THINK, OPEN))
                other.until[q], other.ask_at[q] = other.time + rng.integers(1, 999), 0
                other.declined[q] = rng.integers(2)
            other.think_n[q] += 1
            other.travel_n[q] += 1
            other.choice_n[q] += 1
    other.seed = int(rng.integers(2**62))
    return other


def watch_what_is_told(rules: SpeedRules, seed: int, table: tuple[Latency, ...], events: int) -> None:
    """Permute what is hidden at every sixth event of a game and compare what the seats are shown."""
    game = Engine(rules, table, seed)
    batches = [Batch(1, rules, list(table), recall=recall, tick_ms=1) for recall in ("perfect", "none")]  # type: ignore[arg-type]
    rng = np.random.default_rng(seed)
    count = 0

    def look() -> None:
        nonlocal count
        count += 1
        if count % 6:
            return
        g, past = game.game, game.batch.past[0]
        told = [shown(batch, g, past) for batch in batches]
        for seat in range(rules.seats):
            view = past[max(0, int(g.look[seat])) % len(past)] if g.perception[seat] else g
            own = {*g.held[seat].tolist(), int(g.card[seat])}
            unseen = [not view.seen[card] and card not in own for card in range(108)]
            hidden = permuted(g, seat, unseen, rng)
            otherwise = past.copy()
            if g.perception[seat]:
                at = max(0, int(g.look[seat])) % len(past)
                otherwise[at] = permuted(past[at], seat, unseen, rng)
                hidden = g  # the seat looks at the snapshot; what lies on the table since then is below
                assert shown(batches[0], later(g, seat, rng), past)[seat] == told[0][seat], "seen too early"
            for batch, before in zip(batches, told):
                assert before[seat] == shown(batch, hidden, otherwise)[seat], f"hidden cards, recall {batch.recall}"
                assert before[seat] == shown(batch, secret(g, seat, rng), past)[seat], "another's mind is read"

    play(game, seed, events, look)


def later(record: Any, seat: int, rng: np.random.Generator) -> Any:
    """A copy in which the piles and the other seats' stocks and hands are otherwise now."""
    other = record.copy()
    if record.phase != 1:
        return other
    others = np.arange(len(record.hand)) != seat
    other.top = rng.integers(-1, 14, len(record.hand))
    other.accepts = rng.integers(0, 2**14, len(record.hand))
    other.pile_n = rng.integers(1, 9, len(record.hand))
    other.held[others], other.held_n[others], other.stock_n[others] = -1, 0, 3
    other.unseen, other.mixed = rng.integers(0, 4, 14), rng.integers(0, 4, 14)
    return other


@settings(max_examples=30, deadline=None)
@given(ANY_RULES, SEEDS, st.one_of(FOUR, FOUR_LATE))
def test_a_48_nothing_hidden_is_told(rules: SpeedRules, seed: int, four: tuple[Latency, ...]) -> None:
    """A-48, S2-29, T-79: hands, stocks, starters, reserves, minds and chance stay hidden, with and without recall."""
    watch_what_is_told(rules, seed, seated(four, rules), 300)


@pytest.mark.plain
@pytest.mark.parametrize("preset", ["speed_wikipedia", "speed_3p", "bicycle"])
def test_a_48_a_slice_without_the_jit(preset: str) -> None:
    """A-48, S2-29: the same for a few events, seen late by one."""
    table = (player(40, 0.3), player(30, 0.3, 100), player(20, 0.3))[: PRESETS[preset].seats]
    watch_what_is_told(PRESETS[preset], 4, table, 60)


@settings(max_examples=20, deadline=None)
@given(ANY_RULES, SEEDS, st.one_of(FOUR, FOUR_LATE), st.sampled_from(["perfect", "none"]), st.sampled_from([1, 20, 50]))
def test_a_48_what_is_kept_is_what_would_be_written(
    rules: SpeedRules, seed: int, four: tuple[Latency, ...], recall: Recall, tick_ms: int
) -> None:
    """A-48: only stale parts of outputs are written; after each tick all is as if it were written anew."""
    batch = Batch(2, rules, list(seated(four, rules)), recall=recall, tick_ms=tick_ms)
    batch.reset(make_seeds(seed, 2))
    rng = np.random.default_rng(seed)
    for _ in range(150):
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=2))
        kept = batch.flat.copy(), batch.masks.copy()
        batch.write()
        assert (kept[0] == batch.flat).all()
        assert (kept[1] == batch.masks).all()
