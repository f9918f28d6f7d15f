"""Two bots against each other: a cohort of games fixed beforehand, the seats swapped on each deal, all played out."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spit_agents.base import Agent, Player
from spit_env.batch import Batch, Recall, make_seeds
from spit_env.rules import Rules
from spit_env.state import NOOP, OVER

Ints = npt.NDArray[np.int64]
PAIRS = ("decisions", "landings", "bounces", "illegal")  # columns of two: for a and for b


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
        """The share of games that a has won; one that was cut off is won by nobody."""
        return float(np.mean(self.winner == 0))


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
    seeds = make_seeds(seed, deals)
    halves = []
    for seat_of_a in range(2):
        seated = (a, b) if seat_of_a == 0 else (b, a)
        batch = Batch(
            min(batch_size, deals), rules, [player.latency for player in seated], recall=recall, wait_ms=wait_ms
        )
        half = Half(batch, (seated[0].agent, seated[1].agent), seeds, seat_of_a)
        while half.ended < deals:
            half.step()
            if half.collect() and progress:
                progress(seat_of_a * deals + half.ended, 2 * deals)
        halves.append(half.results)
    return GameResults(*(np.stack(columns, axis=1).reshape(-1, *columns[0].shape[1:]) for columns in zip(*halves)))


def blank_results(seeds: Ints, seat_of_a: int) -> GameResults:
    """Results to be filled in, one row for each seed."""
    columns = {
        name: np.zeros((len(seeds), 2) if name in PAIRS else len(seeds), np.int64) for name in GameResults._fields
    }
    return GameResults(**columns | {"seed": seeds, "seat_of_a": np.full(len(seeds), seat_of_a)})


class Half:
    """One half of a match: every deal once, with the same bot in seat 0. Each game takes a row of the batch in turn."""

    def __init__(self, batch: Batch, agents: tuple[Agent, Agent], seeds: Ints, seat_of_a: int) -> None:
        self.batch, self.agents = batch, agents
        self.order = [seat_of_a, 1 - seat_of_a]  # the seats of a and b
        self.results = blank_results(seeds, seat_of_a)
        self.begun = self.ended = 0
        self.game = np.full(batch.size, -1)  # which game each row plays, -1 if none
        self.in_round1 = np.zeros(batch.size, np.bool_)
        self._views, self._masks = batch.observations.reshape(-1), batch.masks.reshape(2 * batch.size, -1)
        self._actions = np.zeros((batch.size, 2), np.int64)
        self.begin(np.arange(batch.size))

    def begin(self, rows: Ints) -> None:
        """Start the next games in these rows, as far as there are any."""
        self.game[rows] = -1
        rows = rows[: len(self.results.seed) - self.begun]
        self.game[rows] = games = np.arange(self.begun, self.begun + len(rows))
        self.begun += len(rows)
        self.in_round1[rows] = True
        self.batch.reset(self.results.seed[games], rows)

    @property
    def live(self) -> npt.NDArray[np.bool_]:
        """Which rows have a game that goes on: decision stepping stops only where somebody is asked, or at the end."""
        return self.batch.asked[:, 0] | self.batch.asked[:, 1]

    def step(self) -> None:
        """Let all who are asked choose, and time pass."""
        self._actions.fill(NOOP)
        asked = self.batch.asked
        if self.agents[0] is self.agents[1]:
            self.ask(self.agents[0], np.flatnonzero(asked))
        else:
            for seat, agent in enumerate(self.agents):
                self.ask(agent, 2 * np.flatnonzero(asked[:, seat]) + seat)
        self.batch.step(self._actions, rows=np.flatnonzero(self.live))
        self.note_margins()

    def ask(self, agent: Agent, places: Ints) -> None:
        """Let one bot choose at these places: 2 * row + seat."""
        if len(places):
            views, masks = self._views.take(places), self._masks.take(places, axis=0)
            draws = self.batch.draws(places // 2, places % 2)
            self._actions.reshape(-1)[places] = agent.act(views, masks, draws)

    def collect(self) -> int:
        """Take down the games that have ended and start others, once it pays; returns how many have ended."""
        live = self.live
        done = np.flatnonzero((self.game >= 0) & ~live)
        if len(done) < max(1, self.batch.size // 16) and live.any():
            return 0
        state, games, to = self.batch.games[done], self.game[done], self.results
        to.winner[games] = np.where(state.winner < 0, -1, state.winner ^ self.order[0])
        to.end_reason[games], to.time_ms[games], to.rounds[games] = state.end_reason, state.time, state.rounds
        to.decisions[games], to.landings[games] = state.choice_n[:, self.order], state.landings[:, self.order]
        to.bounces[games], to.illegal[games] = state.bounces[:, self.order], state.illegal[:, self.order]
        self.ended += len(done)
        self.begin(done)
        return len(done)

    def note_margins(self) -> None:
        """Count the cards of the games that have just come out of their first round."""
        rows = np.flatnonzero(self.in_round1)
        rows = rows[self.batch.games.rounds[rows] > 0]
        if len(rows):
            state = self.batch.games[rows]
            cards = state.deck_n + state.height.sum(axis=2) + np.where(state.phase == OVER, 0, state.pile_n.T).T
            self.results.round1_margin[self.game[rows]] = cards[:, self.order[1]] - cards[:, self.order[0]]
            self.in_round1[rows] = False
