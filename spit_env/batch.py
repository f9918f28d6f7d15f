"""Many games at once: the primitive that every environment, evaluation and training run steps.

A `Batch` owns its arrays and writes them in place; whoever hands them to users copies.
"""

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from spit_env import race, verbs
from spit_env.draws import CHOICES, philox, word
from spit_env.games import game_of
from spit_env.jit import entry, is_ready, kernel, note_ready
from spit_env.latency import THINK, Latency, make_latency
from spit_env.rules import make_rules
from spit_env.ruleset import Rules
from spit_env.state import DIRTY_ALL, DIRTY_MASK, DIRTY_TABLE, NEVER, NOOP, OVER, Game

Recall = Literal["perfect", "none"]
LatencySpec = str | Latency | Mapping[str, Any]
PAST = 64  # snapshots kept for delayed perception
GAME_SEEDS = 64  # the stream from which a batch draws its games' seeds
MAX_SEED = 2**63 - 1


@kernel
def write_outputs(g: Game, past: Any, p: int, o: Any, mask: Any, asked: bool, was_asked: bool, perfect: bool) -> None:
    """Bring one seat's observation and mask up to date."""
    v = race.table_seen(g, past, p)
    dirty = g.dirty[p]
    if dirty != 0:
        verbs.observe(g, v, p, o, perfect, dirty)
        g.dirty[p] = 0
    verbs.observe_time(g, v, p, o)
    if asked:
        if not was_asked or dirty & (DIRTY_MASK | DIRTY_TABLE):
            verbs.write_mask(g, v, p, mask)
    elif was_asked:
        for a in range(mask.shape[0]):
            mask[a] = 0
        mask[NOOP] = 1


@kernel
def legal_action(mask: Any, action: int) -> int:
    """The action, or the lowest-numbered legal one in place of an illegal one."""
    if 0 <= action < mask.shape[0] and mask[action] != 0:
        return action
    for a in range(mask.shape[0]):
        if mask[a] != 0:
            return a
    return NOOP


@kernel
def choose_all(g: Game, past: Any, masks: Any, actions: Any, asked: Any) -> None:
    """The choices of one moment. NOOPs come first, so that no seat's launch is news to one and not to the other."""
    launching = False
    for p in range(g.hand.shape[0]):
        if asked[p]:
            if legal_action(masks[p], actions[p]) != actions[p]:
                g.illegal[p] += 1
            if legal_action(masks[p], actions[p]) == NOOP:
                race.choose(g, g, p, NOOP)
            else:
                launching = True
        elif actions[p] != NOOP:
            g.illegal[p] += 1
    if launching:
        for p in range(g.hand.shape[0]):
            if asked[p]:
                action = legal_action(masks[p], actions[p])
                if action != NOOP:
                    race.choose(g, race.table_seen(g, past, p), p, action)


@entry
def step_games(
    games: Any, past: Any, rows: Any, actions: Any, tick_ms: int, observations: Any, masks: Any, asked: Any,
    everyone: bool, perfect: bool,
) -> None:  # fmt: skip
    """Apply the actions of the seats that were asked, let time pass, write what the seats see.

    ``tick_ms`` 0: decision stepping, to the next moment at which a seat is asked; then with ``everyone`` False only
    the seats asked are written, until the game ends: its last observation is everybody's.
    """
    deciding = tick_ms == 0
    for i in rows:
        g = games[i]
        seats = g.hand.shape[0]
        if g.phase == OVER:
            continue
        choose_all(g, past[i], masks[i], actions[i], asked[i])
        race.advance(g, past[i], NEVER if deciding else g.time + tick_ms, deciding, False)
        for p in range(seats):
            asks = race.is_asked(g, p, deciding)
            if asks or everyone or not deciding or g.phase == OVER:
                write_outputs(g, past[i], p, observations[i, p], masks[i, p], asks, asked[i, p], perfect)
            elif asked[i, p]:
                for a in range(masks.shape[2]):
                    masks[i, p, a] = 0
                masks[i, p, NOOP] = 1
            asked[i, p] = asks


@entry
def write_games(games: Any, past: Any, rows: Any, observations: Any, masks: Any, asked: Any, perfect: bool) -> None:
    """Write everything that the seats see, whatever was there before."""
    for i in rows:
        g = games[i]
        for p in range(g.hand.shape[0]):
            g.dirty[p] = DIRTY_ALL
            write_outputs(g, past[i], p, observations[i, p], masks[i, p], asked[i, p], not asked[i, p], perfect)


@entry
def start_games(
    games: Any, past: Any, rows: Any, deal: bool, deciding: bool, observations: Any, masks: Any, asked: Any,
    perfect: bool,
) -> None:  # fmt: skip
    """Deal (or take up a given board), run to the first moment that is shown, and write everything."""
    for i in rows:
        g = games[i]
        if deal:
            verbs.deal_game(g)
        if g.looks == 0:
            race.snapshot(g, past[i])  # what delayed players see as long as nothing has happened
        race.advance(g, past[i], NEVER if deciding else g.time, deciding, False)
        for p in range(g.hand.shape[0]):
            asked[i, p] = race.is_asked(g, p, deciding)
    write_games(games, past, rows, observations, masks, asked, perfect)


@entry
def choice_draws(games: Any, rows: Any, seats: Any, draws: Any) -> None:
    """A 32-bit word for each asked (row, seat), from the game's own stream of choices."""
    for k in range(rows.shape[0]):
        g = games[rows[k]]
        p = seats[k]
        draws[k] = word(g.seed, CHOICES + g.label[p], g.choice_n[p])


@entry
def game_seeds(seed: int, first: int, seeds: Any) -> None:
    """The seeds of games number first, first + 1, ... of a batch: 63-bit numbers from one stream."""
    for k in range(seeds.shape[0]):
        w = philox(seed, GAME_SEEDS, first + k)
        seeds[k] = ((w[0] & 0x7FFFFFFF) << 32) | w[1]


def make_seeds(seed: int, count: int, first: int = 0) -> npt.NDArray[np.int64]:
    """The seeds of ``count`` games: game k of a run with ``seed`` always has the same one, whatever the batch size."""
    seeds = np.empty(count, np.int64)
    game_seeds(check_seed(seed), first, seeds)
    return seeds


def check_seed(seed: object) -> int:
    """A seed as a plain integer.

    Raises:
        ValueError: if it is not a whole number from 0 to 2**63 - 1.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed={seed!r} must be a whole number from 0 to 2**63 - 1")
    return int(seed)


class Batch:
    """``size`` games of one kind, stepped together. The rules say which game.

    Args:
        size: number of games.
        rules: a preset's name, a `Rules` record or a mapping.
        latencies: one for all seats, or one for each seat.
        recall: ``"perfect"`` or ``"none"``: what observations tell of cards that were seen earlier.
        tick_ms: length of a tick, or None for decision stepping.
        wait_ms: in decision stepping, how long a NOOP waits if nothing visible happens.

    Attributes:
        games: state records, shape (size,); `state` is the same memory as a plain structured array, and `phase`,
            `time`, `illegal` are its columns.
        observations: records of ``game.observation``, shape (size, seats); `flat` is the same memory as int8.
        masks: int8, shape (size, seats, actions).
        asked: bool, shape (size, seats): who may choose now.
    """

    def __init__(
        self,
        size: int,
        rules: str | Rules | Mapping[str, Any] = "emma",
        latencies: LatencySpec | Sequence[LatencySpec] = "emma:hard",
        *,
        recall: Recall = "perfect",
        tick_ms: int | None = None,
        wait_ms: int = 100,
    ) -> None:
        if size < 1:
            raise ValueError(f"size={size!r} must be 1 or more")
        if recall not in ("perfect", "none"):
            raise ValueError(f"recall={recall!r} is unknown; one of 'perfect', 'none'")
        if tick_ms is not None and not 1 <= tick_ms <= 10_000:
            raise ValueError(f"tick_ms={tick_ms!r} must be None (decision stepping) or 1 to 10000")
        if not 1 <= wait_ms <= 60_000:
            raise ValueError(f"wait_ms={wait_ms!r} must be 1 to 60000")
        self.rules = make_rules(rules)
        self.game = game = game_of(self.rules)
        self.size = size
        self.recall, self.tick_ms, self.wait_ms = recall, tick_ms, wait_ms
        self.latencies = seat_latencies(latencies, game.seats)
        self._latency_tables = np.stack([latency.table() for latency in self.latencies])
        self._blank = game.blank(self.rules)
        past = PAST if any(latency.perception_ms for latency in self.latencies) else 1
        self.games: Any = np.zeros(size, game.state).view(np.recarray)
        self.past: Any = np.zeros((size, past), game.state).view(np.recarray)
        self.observations: Any = game.observation.zeros((size, game.seats))
        self._share()
        self.masks = np.zeros((size, game.seats, game.actions), np.int8)
        self.asked = np.zeros((size, game.seats), np.bool_)
        self._rows = np.arange(size)
        self._ready = is_ready(self._records_name)
        if not self._ready:
            announce_compiling(self._records_name)

    def _share(self) -> None:
        # The same memory without the record arrays' slow attribute look-up: for kernels and for hot Python.
        self.state, self._past, self._records = (a.view(np.ndarray) for a in (self.games, self.past, self.observations))
        self.phase, self.time, self.illegal = (self.state[name] for name in ("phase", "time", "illegal"))
        self.flat = self.game.observation.flat(self.observations)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._share()  # pickle and deepcopy make arrays of their own from views

    def reset(
        self,
        seeds: npt.ArrayLike,
        rows: npt.ArrayLike | None = None,
        *,
        labels: Sequence[int] | None = None,
        latencies: npt.NDArray[np.float64] | None = None,
        perceptions: npt.NDArray[np.integer[Any]] | None = None,
        boards: npt.NDArray[Any] | None = None,
    ) -> None:
        """Begin new games in ``rows`` (default: all), one for each seed.

        ``labels`` (default 0, 1, ...) says whose chance each seat has: (1, 0) mirrors the game. ``latencies``, shape
        (rows, seats, 5, 4) of `Latency.table`, and ``perceptions``, shape (rows, seats), replace those of the batch;
        one that was made without delayed perception has no room for it. ``boards`` are state records, one for each
        row, from which to begin instead of a deal.
        """
        index = self._rows if rows is None else np.asarray(rows, np.int64).reshape(-1)
        fresh = np.empty(len(index), self.game.state)
        fresh[:] = self._blank if boards is None else boards
        fresh["seed"] = seeds
        fresh["wait_ms"] = self.wait_ms
        tables = self._latency_tables if latencies is None else latencies
        fresh["latency"], fresh["hick"] = tables[..., :3], tables[..., THINK, 3]
        seen_ms = [latency.perception_ms for latency in self.latencies]
        fresh["perception"] = seen_ms if perceptions is None else perceptions
        if labels is not None:
            fresh["label"] = list(labels)
        self.state[index] = fresh
        if self._past.shape[1] > 1:
            self._past[index] = np.zeros((), self.game.state)
        start_games(
            self.state, self._past, index, boards is None, self.tick_ms is None, self._records, self.masks, self.asked,
            self.recall == "perfect",
        )  # fmt: skip

    def step(self, actions: npt.NDArray[np.integer[Any]], rows: npt.NDArray[np.int64] | None = None,
             *, everyone: bool = False) -> None:  # fmt: skip
        """Apply actions, shape (size, seats), of the seats that are asked in ``rows``; ended games stay as they are."""
        step_games(
            self.state, self._past, self._rows if rows is None else rows, actions, self.tick_ms or 0, self._records,
            self.masks, self.asked, everyone, self.recall == "perfect",
        )  # fmt: skip
        if not self._ready:
            self._ready = True
            note_ready(self._records_name)

    def restore(self, record: np.void, past: npt.NDArray[Any], row: int = 0) -> None:
        """Take up a game that was saved mid-flight (`spit_env.load_game`) in this row, as it was, timers and all.

        Raises:
            ValueError: if it is of another game, or sees with a delay and this batch has no room for what it has seen.
        """
        if record.dtype != self.game.state:
            raise ValueError(f"the saved game is not one of {self.game.name} for {self.game.seats}, as this batch is")
        if len(past) > self._past.shape[1]:
            raise ValueError("the saved game has players with perception_ms: make the batch with such latencies")
        self.state[row], self._past[row, : len(past)] = record, past
        start_games(
            self.state, self._past, np.array([row]), False, self.tick_ms is None, self._records, self.masks, self.asked,
            self.recall == "perfect",
        )  # fmt: skip

    def write(self) -> None:
        """Write all observations and masks anew, for those who have changed a state by hand."""
        write_games(
            self.state, self._past, self._rows, self._records, self.masks, self.asked, self.recall == "perfect"
        )  # fmt: skip

    def draws(self, rows: npt.NDArray[np.int64], seats: npt.NDArray[np.int64]) -> npt.NDArray[np.uint32]:
        """A random 32-bit word for each choice to be made, from the game's own stream."""
        words = np.empty(len(rows), np.uint32)
        choice_draws(self.state, rows, seats, words)
        return words

    def seen(self, rows: npt.NDArray[np.int64], seats: npt.NDArray[np.int64]) -> tuple[Any, npt.NDArray[np.int8]]:
        """Observations and masks of some seats, by copy: records of shape (k,) and masks of shape (k, actions)."""
        places = rows * self.game.seats + seats
        views = self._records.reshape(-1).take(places).view(np.recarray)
        return views, self.masks.reshape(-1, self.game.actions).take(places, axis=0)

    @property
    def _records_name(self) -> str:
        # What the entries are compiled for.
        return f"{self.game.name}-{self.game.seats}"

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which games have ended, shape (size,)."""
        return np.asarray(self.phase == OVER)


def seat_latencies(latencies: LatencySpec | Sequence[LatencySpec], seats: int) -> tuple[Latency, ...]:
    """One `Latency` for each seat.

    Raises:
        ValueError: if a list has another length than there are seats.
    """
    if isinstance(latencies, str | Latency | Mapping):
        return (make_latency(latencies),) * seats
    if len(latencies) != seats:
        raise ValueError(f"latencies: one for all, or {seats} (one for each seat); got {len(latencies)}")
    return tuple(make_latency(latency) for latency in latencies)


_announced: set[str] = set()


def announce_compiling(what: str) -> None:
    """Say once per process and game, on the error stream, why the first start takes a while."""
    if what not in _announced:
        _announced.add(what)
        print("spit: compiling the engine for this machine, once (about 15 seconds) ...", file=sys.stderr, flush=True)
