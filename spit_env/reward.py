"""Rewards: +1 for the winner, -1 for the others together, 0 otherwise; zero-sum in every step.

A game that a guard cuts off has no winner: the step's reward is 0 and it is *truncated*, so that a learner bootstraps
the value of the position it was in and gains nothing by being cut off.

Shaping is separate, off by default, and potential-based in event time (Ng, Harada and Russell 1999; Lu, Schwartz and
Givigi 2011): r + gamma(dt) * Phi(s') - Phi(s) with gamma(dt) = exp(-dt / tau), Phi = 0 at the end of a game.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from spit_env.game_type import GameType
from spit_env.state import OVER

TAU_S = 60.0  # discount per elapsed time: one round lasts about half a minute


def discount(elapsed_ms: npt.ArrayLike, tau_s: float = TAU_S) -> npt.NDArray[np.float64]:
    """gamma(dt) = exp(-dt / tau) for elapsed milliseconds."""
    return np.asarray(np.exp(np.asarray(elapsed_ms, np.float64) / (-1000.0 * tau_s)))


def outcome(games: Any) -> npt.NDArray[np.float64]:
    """The reward of the step that ended the games: shape (games, seats), rows of 0 for those not won."""
    seats = games["hand"].shape[1]
    won = (games["phase"] == OVER) & (games["winner"] >= 0)
    rewards = np.where(np.arange(seats) == games["winner"][:, None], 1.0, -1.0 / (seats - 1))
    return np.asarray(np.where(won[:, None], rewards, 0.0))


def ranks(game: GameType, games: Any) -> npt.NDArray[np.int64]:
    """The players' places in games that were won, shape (games, seats); 0 in all others.

    The winner is first, the others follow by `GameType.standing`. Equal ones share the better place: 1, 2, 2, 4.
    """
    winner = games["winner"][:, None]
    standing = np.asarray(game.standing(games), np.int64)
    won = (games["phase"][:, None] == OVER) & (winner >= 0)
    order = np.where(np.arange(game.seats) == winner, standing.min(axis=1, keepdims=True) - 1, standing)
    better = (order[:, None, :] < order[:, :, None]).sum(axis=2)
    return np.asarray(np.where(won, 1 + better, 0))


POTENTIALS = ("cards",)  # each game has its own: `GameType.potential`


class Shaping:
    """A potential to add to the rewards of a batch.

    Args:
        name: one of `POTENTIALS`, or None for no shaping.
        game: the batch's.
        tau_s: the time constant of the discount, in seconds.

    Raises:
        ValueError: for an unknown name.
    """

    def __init__(self, name: str | None, game: GameType, tau_s: float = TAU_S) -> None:
        if name is not None and name not in POTENTIALS:
            raise ValueError(f"shaping={name!r} is unknown; one of {', '.join(map(repr, POTENTIALS))}, or None")
        if not tau_s > 0:
            raise ValueError(f"tau_s={tau_s!r} must be above 0 seconds")
        self.name, self.game, self.tau_s = name, game, tau_s

    def potential(self, games: Any) -> npt.NDArray[np.float64]:
        """Phi for each seat, shape (games, seats); zeros without shaping."""
        if self.name is None:
            return np.zeros(games["hand"].shape)
        return self.game.potential(games)

    def reward(
        self, games: Any, before: npt.NDArray[np.float64], elapsed_ms: npt.NDArray[np.integer[Any]]
    ) -> npt.NDArray[np.float64]:
        """Outcome plus shaping of the steps that led from potentials ``before`` to ``games``; shape (games, seats)."""
        rewards = outcome(games)
        if self.name is None:
            return rewards
        return rewards + discount(elapsed_ms, self.tau_s)[:, None] * self.potential(games) - before
