"""What holds after every event of any game: cards, matches, hands, masks; and the mirrored game."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from spit_env.california.check import cards_of, check_state, face_up, pack_of
from spit_env.california.rules import PRESETS, CaliforniaRules
from spit_env.california.state import ACTIONS, STATE
from spit_env.latency import Latency
from spit_env.state import FINISHED, IDLE, LOCKED, NEVER, NOOP, OVER, RACE, RETURN, THINK, TRAVEL
from tests.california.any_game import ANY_RULES, PLACES, RULES, after, coverable_of
from tests.engine import Engine
from tests.random_games import SEEDS
from tests.rules.any_game import DELAYED, LABELS, TABLES, play, player

Speeds = tuple[Latency, Latency]


class Watch:
    """Looks at a game after every event and choice."""

    def __init__(self, game: Engine) -> None:
        self.game = game
        self.was: Any = None
        self.looks = self.races = 0

    def __call__(self) -> None:
        g = self.game.game
        self.looks += 1
        if self.looks % 4 == 0:
            check_state(g)
        assert sorted(cards_of(g)) == list(range(52)), "every card is in exactly one place"
        self.hands(g)
        if self.was is not None:
            self.packs(g)
            self.matches(g)
        if not self.game.batch.past.shape[1] > 1:
            self.masks(g)
        assert (g.phase == OVER) == (g.end_reason > 0)
        if g.end_reason == FINISHED:
            assert g.pack_n[g.winner] == 0, "CS-08"
        self.was = g.copy()

    def hands(self, g: Any) -> None:
        """One hand each, with a card in it while it is under way."""
        for p in (0, 1):
            busy = g.hand[p] in (TRAVEL, RETURN)
            assert (g.card[p] >= 0) == busy
            assert (g.action[p] != NOOP) == busy
            if g.hand[p] in (THINK, TRAVEL, RETURN):
                assert g.until[p] > g.time, "nothing is left undone"
            if g.phase != RACE:
                assert g.hand[p] == IDLE

    def packs(self, g: Any) -> None:
        """Packs are never shuffled: a card leaves or comes back on top, or a row comes below (CS-07)."""
        seen = set(np.flatnonzero(self.was.seen).tolist())
        assert set(np.flatnonzero(g.seen).tolist()) == seen | set(face_up(g))
        for p in (0, 1):
            old, new = pack_of(self.was, p), pack_of(g, p)
            if g.rounds == self.was.rounds and self.was.phase != LOCKED:
                low, high = sorted((old, new), key=len)
                assert high[: len(low)] == low, "the rest lies as it lay"
                assert len(high) - len(low) <= 1

    def matches(self, g: Any) -> None:
        """CS-03, CS-04, CS-10: the coverable places, counted anew."""
        if g.height.any():
            assert coverable_of(g) in after(self.was, g)
        else:
            assert not g.coverable.any()

    def masks(self, g: Any) -> None:
        """What is open to a player: every coverable place, and nothing else."""
        for p in self.game.asked(False):
            assert g.pack_n[p] > 0
            legal = self.game.legal(p)
            places = {(q, s) for q, s in PLACES if 1 + 4 * ((q - p) % 2) + s in legal}
            assert places == coverable_of(g) != set()
            assert (NOOP in legal) == (not g.must_play or g.time - g.progress_at < g.stall_ms)
        if g.phase == RACE and self.was is not None and self.was.phase != RACE:
            self.races += 1


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=8, deadline=None)
@given(seed=SEEDS, table=TABLES, labels=LABELS)
def test_what_holds_after_every_event_of_the_presets(
    preset: str, seed: int, table: Speeds, labels: tuple[int, int]
) -> None:
    game = Engine(PRESETS[preset], table, seed, labels)
    watch = Watch(game)
    play(game, seed, 250, watch)
    assert watch.races > 0


@settings(max_examples=30, deadline=None)
@given(RULES, SEEDS, TABLES | DELAYED, LABELS)
def test_what_holds_after_every_event_of_any_rules(
    rules: CaliforniaRules, seed: int, table: Speeds, labels: tuple[int, int]
) -> None:
    game = Engine(rules, table, seed, labels)
    play(game, seed, 250, Watch(game))


@pytest.mark.plain
def test_what_holds_after_every_event_of_a_slice_without_the_jit() -> None:
    game = Engine(PRESETS["california_doubles"], (player(40, 0.3), player(40, 0.0)), 3)
    play(game, 3, 60, Watch(game))


@settings(max_examples=8, deadline=None)
@given(ANY_RULES, SEEDS, TABLES)
def test_any_whole_number_is_taken_for_an_action(rules: CaliforniaRules, seed: int, table: Speeds) -> None:
    game = Engine(rules, table, seed)
    rng = np.random.default_rng(seed)
    watch = Watch(game)
    for _ in range(400):
        game.batch.step(rng.choice([*range(-3, ACTIONS + 3), -(2**62), 2**62], (1, 2)))
        check_state(game.game)
        watch.hands(game.game)
    assert game.game.illegal.sum() > 100


# The mirrored game: all that changes, but for what a closed hand leaves behind.
MIRRORED = [
    name
    for name in STATE.names or ()
    if name not in {*CaliforniaRules.kinds(), "latency", "perception", "dirty", "ask_at"}
]


def mirrored(record: Any) -> dict[str, Any]:
    """The fields of the same game with the seats swapped."""
    fields = {}
    for name in MIRRORED:
        value = np.asarray(record[name])
        if name == "winner":
            value = np.where(value < 0, value, 1 - value)
        fields[name] = (value if value.ndim == 0 or name in ("seen", "unseen") else value[::-1]).tolist()
    return fields


def shown(game: Engine) -> list[tuple[bytes, bytes]]:
    """What each seat sees."""
    game.batch.write()
    return [(game.batch.flat[0, p].tobytes(), game.batch.masks[0, p].tobytes()) for p in (0, 1)]


def mirror(rules: CaliforniaRules, seed: int, table: Speeds, events: int) -> None:
    """Play a game and its mirror image, with mirrored choices, and compare them after every event."""
    one, two = Engine(rules, table, seed), Engine(rules, table[::-1], seed, labels=(1, 0))
    rng = np.random.default_rng(seed)
    for _ in range(events):
        assert {name: one.game[name].tolist() for name in MIRRORED} == mirrored(two.game)
        assert shown(one) == shown(two)[::-1]
        if one.game.phase == OVER:
            return
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
@given(ANY_RULES, SEEDS, TABLES | DELAYED)
def test_the_mirrored_game_mirrors(rules: CaliforniaRules, seed: int, table: Speeds) -> None:
    mirror(rules, seed, table, 250)


@pytest.mark.plain
def test_the_mirrored_game_mirrors_in_a_slice_without_the_jit() -> None:
    mirror(PRESETS["california"], 6, (player(3, 0.3), player(40, 0.0)), 80)
