"""Two bots against each other: a cohort of games fixed beforehand, seats swapped on each deal, all played to the end."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spit_agents.base import Agent, Player
from spit_env.batch import Batch, Recall, make_seeds
from spit_env.rules import Rules
from spit_env.state import NOOP, OVER

Ints = npt.NDArray[np.int64]


class GameResults(NamedTuple):
    """One row for each game. Rows 2k and 2k + 1 are the same deal: a sits in seat 0, then in seat 1."""

    seed: Ints
    seat_of_a: Ints
    winner: Ints  # 0: a, 1: b, -1: nobody, the game was cut off
    end_reason: Ints  # index into `spit_env.state.END_REASONS`
    time_ms: Ints
    rounds: Ints  # completed
    decisions: Ints  # (games, 2): choices of a and b
    landings: Ints  # (games, 2): cards played
    bounces: Ints  # (games, 2): cards that came too late
    illegal: Ints  # (games, 2): illegal actions, which the engine replaced
    round1_margin: Ints  # b's cards less a's after the first round; 0 if the game ended in it

    @property
    def win_rate(self) -> float:
        """The share of games that a has won; one without a winner counts half."""
        return float(np.mean(np.where(self.winner < 0, 0.5, self.winner == 0)))


def play_match(
    a: Player,
    b: Player,
    deals: int,
    seed: int,
    *,
    rules: str | Rules | Mapping[str, Any] = "emma",
    recall: Recall = "perfect",
    batch_size: int = 1024,
    wait_ms: int = 100,
    progress: Callable[[int, int], None] | None = None,
) -> GameResults:
    """Play each of ``deals`` deals twice, with the seats swapped.

    The results are the same for every ``batch_size``: the games share nothing.

    Args:
        seed: of the run; `spit_env.batch.make_seeds` turns it into the seeds of the deals.
        recall: what both bots' observations tell of cards seen earlier.
        batch_size: how many games are in progress at a time.
        progress: called with (games ended, games in all) whenever some have ended.

    Raises:
        ValueError: if there is no deal to play.
    """
    if deals < 1:
        raise ValueError(f"deals={deals!r} must be 1 or more")
    games = 2 * deals
    batch = Batch(min(batch_size, games), rules, (a.latency, b.latency), recall=recall, wait_ms=wait_ms)
    match = Match(batch, (a, b), make_seeds(seed, deals))
    while match.ended < games:
        match.step()
        if match.collect() and progress:
            progress(match.ended, games)
    return match.results


class Match:
    """The games of a match, each taking a row of the batch in turn."""

    def __init__(self, batch: Batch, players: tuple[Player, Player], seeds: Ints) -> None:
        games = 2 * len(seeds)
        self.batch, self.players = batch, players
        single = (np.zeros(games, np.int64) for _ in range(4))
        pairs = (np.zeros((games, 2), np.int64) for _ in range(4))
        self.results = GameResults(np.repeat(seeds, 2), np.arange(games) % 2, *single, *pairs, np.zeros(games, np.int64))
        self.begun = self.ended = 0
        self.game = np.zeros(batch.size, np.int64)  # which game each row plays
        self.in_round1 = np.zeros(batch.size, np.bool_)
        self.player = np.zeros((batch.size, 2), np.int64)  # who sits where: 0 for a, 1 for b
        self.playing = np.zeros(batch.size, np.bool_)  # which rows have a game, ended or not
        self._actions = np.zeros((batch.size, 2), np.int64)
        self.begin(np.arange(batch.size))

    def begin(self, rows: Ints) -> None:
        """Start the next games in these rows, as far as there are any."""
        rows = rows[: len(self.results.seed) - self.begun]
        self.game[rows] = games = np.arange(self.begun, self.begun + len(rows))
        self.begun += len(rows)
        self.in_round1[rows] = True
        latencies = self.players[0].latency, self.players[1].latency
        for seat in range(2):
            seated = self.results.seat_of_a[games] == seat
            self.player[rows[seated]] = (seat, 1 - seat)
            self.batch.latencies = latencies if seat == 0 else latencies[::-1]
            self.batch.reset(self.results.seed[games[seated]], rows[seated])
        self.playing[rows] = True

    def step(self) -> None:
        """Let all who are asked choose, and time pass."""
        self._actions.fill(NOOP)
        asked = np.flatnonzero(self.batch.asked)
        a, b = self.players[0].agent, self.players[1].agent
        if a is b:
            self.ask(a, asked)
        else:
            who = self.player.reshape(-1)[asked]
            self.ask(a, asked[who == 0])
            self.ask(b, asked[who == 1])
        self.batch.step(self._actions, rows=np.flatnonzero(self.live))
        self.note_margins()

    @property
    def live(self) -> npt.NDArray[np.bool_]:
        """Which rows have a game that goes on: decision stepping stops only where somebody is asked, or at the end."""
        return self.batch.asked.any(axis=1)

    def ask(self, agent: Agent, places: Ints) -> None:
        """Let one bot choose at these places: 2 * row + seat."""
        if len(places):
            batch = self.batch
            views = batch.flat.reshape(-1, batch.flat.shape[-1]).take(places, axis=0)
            masks = batch.masks.reshape(-1, batch.masks.shape[-1]).take(places, axis=0)
            records = views.view(batch.game.observation.dtype)[:, 0].view(np.recarray)
            draws = batch.draws(places // 2, places % 2)
            self._actions.reshape(-1)[places] = agent.act(records, masks, draws)

    def collect(self) -> int:
        """Take down the games that have ended and start others, once it pays; returns how many have ended."""
        live = self.live
        done = np.flatnonzero(self.playing & ~live)
        if len(done) < max(1, self.batch.size // 16) and live.any():
            return 0
        state, games, seats = self.batch.games[done], self.game[done], self.player[done]
        to = self.results
        to.winner[games] = np.where(state.winner < 0, -1, seats[np.arange(len(done)), state.winner])
        to.end_reason[games], to.time_ms[games], to.rounds[games] = state.end_reason, state.time, state.rounds
        for total, of_seats in (
            (to.decisions, state.choice_n), (to.landings, state.landings),
            (to.bounces, state.bounces), (to.illegal, state.illegal),
        ):  # fmt: skip
            total[games] = np.take_along_axis(of_seats, seats, axis=1)
        self.ended += len(done)
        self.playing[done] = False
        self.begin(done)
        return len(done)

    def note_margins(self) -> None:
        """Count the cards of the games that have just come out of their first round."""
        rows = np.flatnonzero(self.in_round1)
        rows = rows[self.batch.games.rounds[rows] > 0]
        if len(rows):
            state = self.batch.games[rows]
            cards = state.deck_n + state.height.sum(axis=2) + np.where(state.phase == OVER, 0, state.pile_n.T).T
            of_b = cards[np.arange(len(rows)), self.player[rows, 0] ^ 1]
            self.results.round1_margin[self.game[rows]] = 2 * of_b.astype(np.int64) - cards.sum(axis=1)
            self.in_round1[rows] = False
