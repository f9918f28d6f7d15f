"""RULES 6.2: what holds after every event (I-1 to I-10), masks as legality, and nothing told that cannot be known."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spit_env.batch import Batch, start_games
from spit_env.cards import rank_of
from spit_env.latency import Latency
from spit_env.spit.check import cards_of, check_state
from spit_env.spit.moves import target_of
from spit_env.spit.rules import PRESETS, SpitRules
from spit_env.spit.state import ACTIONS, DEPTH, FIRST_FLIP, FIRST_PICK, SPIT, STATE
from spit_env.state import (
    FINISHED,
    IDLE,
    LOCKED,
    MAX_ROUNDS,
    NEVER,
    NO_CARDS_LEFT,
    NOOP,
    OPEN,
    OVER,
    PAUSE,
    PICK,
    RACE,
    RETURN,
    SOLO,
    THINK,
    TRAVEL,
)  # fmt: skip
from tests.engine import Engine
from tests.oracle_table import FLIPS, PLAYS, REARRANGES, fits
from tests.random_games import SEEDS
from tests.rules.any_game import ANY_RULES, DELAYED, LABELS, RULES, TABLES, play, player


class Watch:
    """Looks at a game after every event."""

    def __init__(self, batch: Batch) -> None:
        assert isinstance(batch.rules, SpitRules)
        self.batch, self.rules = batch, batch.rules
        self.spat = set[int]()
        self.was: Any = None
        self.looks = 0
        self.expected = [False, False]  # who starts a pile this round

    def __call__(self) -> None:
        g = self.batch.games[0]
        self.looks += 1
        if self.looks % 4 == 0:
            check_state(g)  # what follows from other fields
        assert sorted(cards_of(g)) == list(range(52)), "I-1"
        self.hands(g)
        for p in (0, 1):
            for s in range(5):
                up = g.stack[p, s, g.down[p, s] : g.height[p, s]]
                assert len({rank_of(int(card)) for card in up}) <= 1, "I-3"
            assert g.height[p].max() <= DEPTH, "I-4"
            assert 0 <= g.budget[p] <= self.rules.rearrange_budget
        self.piles(g)
        assert (g.phase == OVER) == (g.end_reason > 0)
        if g.end_reason in (FINISHED, NO_CARDS_LEFT):
            assert g.height[g.winner].sum() + g.deck_n[g.winner] == 0, "T-62"
        self.was = g.copy()

    def hands(self, g: Any) -> None:
        """I-2: one hand, and at most one card in it."""
        for p in (0, 1):
            carries = g.hand[p] in (TRAVEL, RETURN) and g.action[p] in (*PLAYS, *REARRANGES)
            assert (g.card[p] >= 0) == carries, "I-2"
            assert (g.hand[p] in (TRAVEL, RETURN)) == (g.action[p] != NOOP), "I-2"
            if g.hand[p] in (THINK, TRAVEL, RETURN):
                assert g.until[p] > g.time, "nothing is left undone"
            if g.phase in (PAUSE, SOLO, PICK, OVER):
                assert g.hand[p] == IDLE, "T-53"
            if g.phase == LOCKED:
                assert g.hand[p] == IDLE or self.rules.prespit_combine, "T-11"
        assert (g.chooser >= 0) == (g.phase in (SOLO, PICK))

    def piles(self, g: Any) -> None:
        """I-5 to I-8."""
        was = self.was
        if g.phase == LOCKED:
            assert g.pile_n.tolist() == [0, 0], "I-6"
        if was is None or g.rounds != was.rounds or g.end_reason in (NO_CARDS_LEFT, MAX_ROUNDS):
            self.spat = set()
            self.expected = [bool(n) for n in g.deck_n]
            return
        assert g.time >= was.time
        for p in (0, 1):
            old = was.pile[p, : was.pile_n[p]].tolist()
            assert g.pile[p, : was.pile_n[p]].tolist() == old, "I-7"
            self.spat |= set(was.deck[p, g.deck_n[p] : was.deck_n[p]].tolist())
        if g.pile_n.any():
            assert [bool(n) for n in g.pile_n] == self.expected, "I-8"
        for p in (0, 1):
            for lower, upper in pairwise(g.pile[p, : g.pile_n[p]].tolist()):
                assert upper in self.spat or fits(upper, lower, self.rules), "I-5"


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=4, deadline=None)
@given(seed=SEEDS, table=TABLES, labels=LABELS)
def test_t01_i_1_to_i_8_presets(
    preset: str, seed: int, table: tuple[Latency, Latency], labels: tuple[int, int]
) -> None:
    """T-01, I-1 to I-8, S0-31: after every event of a game of each preset."""
    game = Engine(PRESETS[preset], table, seed, labels)
    play(game, seed, 250, Watch(game.batch))


@settings(max_examples=25, deadline=None)
@given(RULES, SEEDS, st.one_of(TABLES, DELAYED), LABELS)
def test_t01_i_1_to_i_8_any_rules(
    rules: SpitRules, seed: int, table: tuple[Latency, Latency], labels: tuple[int, int]
) -> None:
    """T-01, I-1 to I-8: after every event of games of any rules."""
    game = Engine(rules, table, seed, labels)
    play(game, seed, 250, Watch(game.batch))


@settings(max_examples=8, deadline=None)
@given(ANY_RULES, SEEDS, TABLES)
def test_t01_i_1_to_i_8_hostile_play(rules: SpitRules, seed: int, table: tuple[Latency, Latency]) -> None:
    """T-01, I-1 to I-8: whatever whole numbers are handed in as actions."""
    batch = Batch(1, replace(rules, spit_pause_ms=1), list(table), tick_ms=1)
    batch.reset([seed])
    rng = np.random.default_rng(seed)
    watch = Watch(batch)
    for _ in range(400):
        watch()
        batch.step(rng.choice([*range(-3, ACTIONS + 3), -(2**62), 2**62], (1, 2)))
    assert batch.games.illegal.sum() > 100


@pytest.mark.plain
@pytest.mark.parametrize("preset", PRESETS)
def test_t01_a_slice_without_the_jit(preset: str) -> None:
    """T-01, I-1 to I-8: a few events of each preset."""
    game = Engine(PRESETS[preset], (player(3, 0.3), player(40, 0.3)), 5)
    play(game, 5, 60, Watch(game.batch))


# Masks


def lands(game: Engine, scratch: Engine, seat: int, action: int) -> bool:
    """Whether the action succeeds if nothing else happens before it lands."""
    scratch.batch.games[0], scratch.batch.past[0] = game.game, game.batch.past[0]
    before, g = game.game.copy(), scratch.game
    g.max_idle_ms = g.max_round_ms = 10**8
    scratch.choose(seat, action)
    g.until[1 - seat] += 10**6
    g.phase_until += 10**6
    if g.hand[seat] == TRAVEL:
        g.until[seat] = g.time + 1
    scratch.advance(int(g.time) + 1)
    if action >= FIRST_PICK:
        return bool(g.rounds > before.rounds or g.phase == OVER or before.phase == SOLO)
    if action == SPIT:
        return bool(g.phase == PAUSE or g.consent[seat] or g.progress_at > before.progress_at or g.phase != RACE)
    if action in PLAYS:
        return bool(g.landings[seat] == before.landings[seat] + 1)
    if action in FLIPS:
        return bool(g.down[seat, action - FIRST_FLIP] == before.down[seat, action - FIRST_FLIP] - 1)
    to = target_of(action)
    return bool(g.height[seat, to] == before.height[seat, to] + 1)


@settings(max_examples=40, deadline=None)
@given(ANY_RULES, SEEDS, TABLES)
def test_i_9_what_is_legal_succeeds(rules: SpitRules, seed: int, table: tuple[Latency, Latency]) -> None:
    """I-9, B-20: each action in a mask succeeds if it lands now."""
    game, scratch = Engine(rules, table, seed), Engine(rules, table, seed)

    def look() -> None:
        for seat in game.asked(False):
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
@given(ANY_RULES, SEEDS, TABLES, st.sampled_from([None, 5, 50]))
def test_what_is_not_legal_is_replaced_and_counted(
    rules: SpitRules, seed: int, table: tuple[Latency, Latency], tick_ms: int | None
) -> None:
    """T-21, T-28, T-57, I-9: an action outside the mask does what the lowest legal one does, and is counted."""
    batch, scratch = (Batch(1, rules, list(table), tick_ms=tick_ms) for _ in range(2))
    batch.reset([seed])
    rng = np.random.default_rng(seed)
    for _ in range(12):
        for seat in (0, 1):
            legal = np.flatnonzero(batch.masks[0, seat])
            plain = [NOOP if batch.masks[0, p, NOOP] else int(batch.masks[0, p].argmax()) for p in (0, 1)]
            meant = after(batch, scratch, plain)
            for action in {-(2**40), -1, *range(ACTIONS), ACTIONS, 2**40} - set(legal.tolist()):
                got = after(batch, scratch, [action if p == seat else plain[p] for p in (0, 1)])
                assert got.illegal.tolist() == [meant.illegal[p] + (p == seat) for p in (0, 1)]
                got.illegal = meant.illegal
                assert got == meant, (seat, action)
        for _ in range(9):
            batch.step(np.array([[rng.choice(np.flatnonzero(batch.masks[0, p])) for p in (0, 1)]]))
        if batch.over[0]:
            break


# What a seat is shown


def shown(batch: Batch, record: Any, past: Any) -> list[tuple[bytes, bytes]]:
    """Each seat's observation and mask, written afresh from these records, no time passing."""
    games, shots = np.array([record]).view(np.recarray), np.array([past]).view(np.recarray)
    games.paused = 1
    batch.flat[:], batch.masks[:], batch.asked[:] = 99, 0, False
    batch.masks[..., NOOP] = 1
    start_games(games, shots, np.arange(1), False, False, batch.observations, batch.masks, batch.asked,
                batch.recall == "perfect")  # fmt: skip
    return [(batch.observations[0, p].tobytes(), batch.masks[0, p].tobytes()) for p in (0, 1)]


def shuffled(record: Any, rng: np.random.Generator) -> Any:
    """A copy in which all that nobody can know is otherwise: face-down cards, and what lies beyond an array's count.

    Cards never seen change places with one another, then each player's unknown cards do: those that were seen before
    a shuffle stay that player's.
    """
    other = record.copy()
    places = [
        [("stack", p, s, k) for s in range(5) for k in range(record.down[p, s])]
        + [("deck", p, k) for k in range(record.deck_n[p])]
        for p in (0, 1)
    ]
    unknown = [[at for at in side if not record.known[record[at[0]][at[1:]]]] for side in places]
    never = [at for side in unknown for at in side if not record.seen[record[at[0]][at[1:]]]]
    for group in (never, *unknown):
        cards = [other[at[0]][at[1:]] for at in group]
        for at, card in zip(group, rng.permutation(cards)):
            other[at[0]][at[1:]] = card
    for p in (0, 1):
        for s in range(5):
            other.stack[p, s, other.height[p, s] :] = rng.integers(0, 52)
        other.deck[p, other.deck_n[p] :] = rng.integers(0, 52)
        other.pile[p, other.pile_n[p] :] = rng.integers(0, 52)
    return other


def secret(record: Any, seat: int, rng: np.random.Generator) -> Any:
    """A copy in which what only the other seat knows is otherwise: its free hand, its clocks, all chance to come."""
    other, q = record.copy(), 1 - seat
    if other.hand[q] in (IDLE, THINK, OPEN):
        other.hand[q] = rng.choice((IDLE, THINK, OPEN))
        other.until[q], other.ask_at[q], other.declined[q] = other.time + rng.integers(1, 999), 0, rng.integers(2)
    other.think_n[q] += 1
    other.travel_n[q] += 1
    other.choice_n[q] += 1
    if other.pile_count_visibility != 1:
        other.seed = int(rng.integers(2**62))
    return other


def watch_what_is_told(rules: SpitRules, seed: int, table: tuple[Latency, Latency], events: int) -> None:
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
        otherwise = past.copy()
        for seen in {max(0, int(g.look[p])) % len(past) for p in (0, 1)}:
            otherwise[seen] = shuffled(past[seen], rng)
        for batch in batches:
            told = shown(batch, g, past)
            hidden = shown(batch, shuffled(g, rng), otherwise)
            assert told == hidden, f"a hidden card is told, recall {batch.recall}"
            for seat in (0, 1):
                assert told[seat] == shown(batch, secret(g, seat, rng), past)[seat], "the other's mind is read"

    play(game, seed, events, look)


@settings(max_examples=25, deadline=None)
@given(ANY_RULES, SEEDS, st.one_of(TABLES, DELAYED))
def test_nothing_hidden_is_told(rules: SpitRules, seed: int, table: tuple[Latency, Latency]) -> None:
    """A-48, S1-17, S4-04: observations and masks do not change if what cannot be known is otherwise."""
    watch_what_is_told(rules, seed, table, 300)


@pytest.mark.plain
def test_nothing_hidden_is_told_in_a_slice_without_the_jit() -> None:
    """A-48: the same for a few events."""
    watch_what_is_told(PRESETS["wikipedia"], 4, (player(40, 0.3), player(30, 0.3)), 60)


# The mirrored game


# All that changes, but for flags by seat number, what a closed hand leaves behind, and the last round's piles.
MIRRORED = [
    name
    for name in STATE.names or ()
    if name not in {*SpitRules.kinds(), "accept_bits", "latency", "perception", "dirty", "ask_at", "takes"}
]


def mirrored(record: Any) -> dict[str, Any]:
    """The fields of the same game with the seats swapped."""
    fields = {}
    for name in MIRRORED:
        value = np.asarray(record[name])
        if name in ("winner", "chooser", "round_winner", "spit_to"):
            value = np.where(value < 0, value, 1 - value)
        if value.ndim and name not in ("known", "seen", "unseen"):
            value = value[::-1]
        fields[name] = value.tolist()
    return fields


def mirror(rules: SpitRules, seed: int, table: tuple[Latency, Latency], events: int) -> None:
    """Play a game and its mirror image, with mirrored choices, and compare them after every event."""
    one = Engine(rules, table, seed)
    two = Engine(rules, table[::-1], seed, labels=(1, 0))
    batches = [Batch(1, rules, list(pair), tick_ms=1) for pair in (table, table[::-1])]
    rng = np.random.default_rng(seed)
    for number in range(events):
        assert {name: one.game[name].tolist() for name in MIRRORED} == mirrored(two.game)
        for p in (0, 1):
            assert one.game.hand[p] != OPEN or one.game.ask_at[p] == two.game.ask_at[1 - p]
        if number % 10 == 0:
            told = [shown(b, e.game, e.batch.past[0]) for b, e in zip(batches, (one, two))]
            assert told[0] == told[1][::-1]
        if one.game.phase == OVER:
            return
        assert one.asked(False) == sorted(1 - seat for seat in two.asked(False))
        choices = []
        for seat in one.asked(False):
            legal = one.legal(seat)
            assert legal == two.legal(1 - seat)
            if rng.random() > 0.2:
                choices.append((seat, int(rng.choice(legal))))
        for seat, action in sorted(choices, key=lambda choice: choice[1] != NOOP):
            one.choose(seat, action)
        choices.reverse()
        for seat, action in sorted(choices, key=lambda choice: choice[1] != NOOP):
            two.choose(1 - seat, action)
        until = NEVER if rng.random() < 0.9 else int(one.game.time + rng.integers(1, 60))
        one.advance(until, single=True)
        two.advance(until, single=True)


@settings(max_examples=25, deadline=None)
@given(ANY_RULES, SEEDS, st.one_of(TABLES, DELAYED))
def test_t59_i_10_the_mirrored_game(rules: SpitRules, seed: int, table: tuple[Latency, Latency]) -> None:
    """T-59, I-10, A-34: swapped labels, latencies and choices give the seat-mirrored state at every event."""
    mirror(rules, seed, table, 250)


@pytest.mark.plain
def test_t59_i_10_a_slice_without_the_jit() -> None:
    """T-59, I-10: the same for a few events."""
    mirror(PRESETS["pagat"], 6, (player(3, 0.3), player(40, 0.0)), 80)
