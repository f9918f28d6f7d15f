"""Bots against each other: a cohort of games fixed beforehand, the seats rotated on each deal, all played out."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spit_agents.base import Player, informed
from spit_env.batch import Batch, Recall, make_seeds
from spit_env.reward import ranks
from spit_env.ruleset import Rules
from spit_env.state import NOOP

Ints = npt.NDArray[np.int64]
# Columns with a number for each player.
PER_PLAYER = ("rank", "decisions", "landings", "bounces", "illegal", "round1_cards", "thinks", "think_ms", "travels",
              "travel_ms")  # fmt: skip


class GameResults(NamedTuple):
    """One row for each game. With n players n rows in a row are the same deal: game ``n * k + r`` is deal k with
    player 0 in seat r and the others in the seats after it."""

    seed: Ints
    first_seat: Ints  # of player 0
    winner: Ints  # a player's number, -1: nobody, the game was cut off
    end_reason: Ints  # index into `spit_env.state.END_REASONS`
    time_ms: Ints
    rounds: Ints  # completed
    rank: Ints  # (games, players): places, 1 for the winner; equal players share the better one; 0 without a winner
    decisions: Ints  # (games, players): choices
    landings: Ints  # (games, players): cards played
    bounces: Ints  # (games, players): cards that came too late
    illegal: Ints  # (games, players): illegal actions, which the engine replaced
    round1_cards: Ints  # (games, players): cards held after the first round, when next somebody chooses; 0 without one
    thinks: Ints  # (games, players): how often the player began to think
    think_ms: Ints  # (games, players): spent thinking in all, until the hand opened or the phase cut it off
    travels: Ints  # (games, players): how often the hand set out
    travel_ms: Ints  # (games, players): spent under way in all, ways back left out

    @property
    def win_rate(self) -> float:
        """The share of games that player 0 has won; one that was cut off is won by nobody."""
        return float(np.mean(self.winner == 0))


def play_match(
    players: Sequence[Player],
    deals: int,
    seed: int,
    *,
    rules: str | Rules | Mapping[str, Any] = "emma",
    recall: Recall = "perfect",
    batch_size: int = 1024,
    wait_ms: int = 100,
    first: int = 0,
    one_round: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> GameResults:
    """Play each of ``deals`` deals once for each player, the seats rotated from one to the next.

    The results are the same for every ``batch_size``, and when the deals are played in parts: the games share nothing.

    Args:
        players: as many as there are seats.
        seed: of the run; `spit_env.batch.make_seeds` turns it into the seeds of the deals.
        recall: what all bots' observations tell of cards seen earlier.
        batch_size: how many games are in progress at a time.
        first: the number of the first of these deals in the run.
        one_round: leave each game after its first round; what counts then is ``round1_cards``, and nobody wins unless
            the round has ended the game.
        progress: called with (games ended, games in all) whenever some have ended.

    Raises:
        ValueError: if there is no deal to play, or the number of players is not that of the seats.
    """
    if deals < 1:
        raise ValueError(f"deals={deals!r} must be 1 or more")
    games = deals * len(players)
    batch = Batch(min(batch_size, games), rules, [player.latency for player in players], recall=recall, wait_ms=wait_ms)
    match = Match(batch, players, make_seeds(seed, deals, first), one_round)
    while match.ended < games:
        match.step()
        if match.collect() and progress:
            progress(match.ended, games)
    return match.results


class Match:
    """The games of a match, in order; each takes a row of the batch in turn."""

    def __init__(self, batch: Batch, players: Sequence[Player], seeds: Ints, one_round: bool = False) -> None:
        n, games = len(players), len(players) * len(seeds)
        self.batch, self.one_round = batch, one_round
        told = {id(player.agent): informed(player.agent, batch.rules) for player in players}
        agents = [told[id(player.agent)] for player in players]
        self.agents = list({id(agent): agent for agent in agents}.values())
        # [r, s]: in a game with player 0 in seat r, who sits in seat s, and with which agent.
        self.player_at = (np.arange(n) - np.arange(n)[:, None]) % n
        self._agent_of = np.array([self.agents.index(agent) for agent in agents])[self.player_at]
        self._latencies = np.stack([player.latency.table() for player in players])[self.player_at]
        self._perceptions = np.array([player.latency.perception_ms for player in players])[self.player_at]
        columns = {
            name: np.zeros((games, n) if name in PER_PLAYER else games, np.int64) for name in GameResults._fields
        }
        self.results = GameResults(
            **columns | {"seed": np.repeat(seeds, n), "first_seat": np.tile(np.arange(n), len(seeds))}
        )
        self.begun = self.ended = 0
        self.game = np.full(batch.size, -1)  # which game each row plays, -1 if none
        self.in_round1 = np.zeros(batch.size, np.bool_)
        self._brains = np.zeros((batch.size, n), np.int64)  # index into agents
        self._views, self._masks = batch.observations.reshape(-1), batch.masks.reshape(n * batch.size, -1)
        self._actions = np.zeros((batch.size, n), np.int64)
        self.begin(np.arange(batch.size))

    def begin(self, rows: Ints) -> None:
        """Start the next games in these rows, as far as there are any."""
        self.game[rows] = -1
        rows = rows[: len(self.results.seed) - self.begun]
        if not len(rows):
            return
        self.game[rows] = games = np.arange(self.begun, self.begun + len(rows))
        self.begun += len(rows)
        self.in_round1[rows] = True
        first = self.results.first_seat[games]
        self._brains[rows] = self._agent_of[first]
        self.batch.reset(
            self.results.seed[games], rows, latencies=self._latencies[first], perceptions=self._perceptions[first]
        )

    def step(self) -> None:
        """Let all who are asked choose, and time pass."""
        self._actions.fill(NOOP)
        asked = np.flatnonzero(self.batch.asked)  # seats * row + seat
        rows, seats = np.divmod(asked, self._actions.shape[1])
        draws = self.batch.draws(rows, seats)
        if len(self.agents) == 1:
            self.ask(0, asked, draws)
        else:
            brains = self._brains.reshape(-1)[asked]
            for k in range(len(self.agents)):
                theirs = np.flatnonzero(brains == k)
                self.ask(k, asked[theirs], draws[theirs])
        self.batch.step(self._actions, rows=rows[np.diff(rows, prepend=-1) > 0])
        self.note_round1()

    def ask(self, brain: int, places: Ints, draws: npt.NDArray[np.uint32]) -> None:
        """Let one agent choose at these places: seats * row + seat."""
        if len(places):
            views, masks = self._views.take(places), self._masks.take(places, axis=0)
            self._actions.reshape(-1)[places] = self.agents[brain].act(views, masks, draws)

    def collect(self) -> int:
        """Take down the games that have ended and start others, once it pays; returns how many have ended."""
        live = self.batch.asked.any(axis=1)  # decision stepping stops only where somebody is asked, or at the end
        if self.one_round:
            live &= self.in_round1
        done = np.flatnonzero((self.game >= 0) & ~live)
        if len(done) < max(1, self.batch.size // 16) and live.any():
            return 0
        state, games, to = self.batch.state[done], self.game[done], self.results
        at = self.seats_of_players(games)
        to.winner[games] = np.where(
            state["winner"] < 0, -1, self.player_at[to.first_seat[games], np.maximum(0, state["winner"])]
        )
        for column, name in (("end_reason", "end_reason"), ("time_ms", "time"), ("rounds", "rounds")):
            getattr(to, column)[games] = state[name]
        to.rank[games] = np.take_along_axis(ranks(self.batch.game, state), at, axis=1)
        for column, name in (
            ("decisions", "choice_n"), ("landings", "landings"), ("bounces", "bounces"), ("illegal", "illegal"),
            ("thinks", "think_n"), ("think_ms", "thought_ms"), ("travels", "travel_n"), ("travel_ms", "moved_ms"),
        ):  # fmt: skip
            getattr(to, column)[games] = np.take_along_axis(state[name], at, axis=1)
        self.ended += len(done)
        self.begin(done)
        return len(done)

    def seats_of_players(self, games: Ints) -> Ints:
        """Where each player sits in these games, shape (games, players)."""
        n = len(self.player_at)
        return (np.arange(n) + self.results.first_seat[games][:, None]) % n

    def note_round1(self) -> None:
        """Count the cards of the games that have just come out of their first round."""
        rows = np.flatnonzero(self.in_round1)
        rows = rows[self.batch.state["rounds"][rows] > 0]
        if len(rows):
            state, games = self.batch.state[rows], self.game[rows]
            cards = self.batch.game.cards_held(state)
            self.results.round1_cards[games] = np.take_along_axis(cards, self.seats_of_players(games), axis=1)
            self.in_round1[rows] = False
