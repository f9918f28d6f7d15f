"""Rewards: +1 for the winner, -1 for the others together, 0 otherwise; zero-sum in every step.

A game that a guard cuts off has no winner: the step's reward is 0 and it is *truncated*, so that a learner bootstraps
the value of the position it was in and gains nothing by being cut off.

Shaping is separate, off by default, and potential-based in event time (Ng, Harada and Russell 1999; Lu, Schwartz and
Givigi 2011): r + gamma(dt) * Phi(s') - Phi(s) with gamma(dt) = exp(-dt / tau), Phi = 0 at the end of a game.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

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


def cards_potential(games: Any) -> npt.NDArray[np.float64]:
    """How far ahead a player is in cards: 0.8 tanh(2 d / 52) + 0.25 s / 15 with d the lead in all cards held, s in the
    stacks alone. Shape (games, seats); antisymmetric between two seats; 0 once a game is over.
    """
    stack = games["height"].sum(axis=2, dtype=np.int64) + (games["card"] >= 0)
    held = stack + games["deck_n"]
    seats = held.shape[1]
    lead = (held.sum(axis=1, keepdims=True) - seats * held) / (seats - 1)
    ahead = (stack.sum(axis=1, keepdims=True) - seats * stack) / (seats - 1)
    phi = 0.8 * np.tanh(2.0 * lead / 52.0) + 0.25 * ahead / 15.0
    return np.asarray(np.where((games["phase"] == OVER)[:, None], 0.0, phi))


POTENTIALS: Mapping[str, Callable[[Any], npt.NDArray[np.float64]]] = {"cards": cards_potential}


class Shaping:
    """A potential to add to the rewards of a batch.

    Args:
        name: one of `POTENTIALS`, or None for no shaping.
        tau_s: the time constant of the discount, in seconds.

    Raises:
        ValueError: for an unknown name.
    """

    def __init__(self, name: str | None, tau_s: float = TAU_S) -> None:
        if name is not None and name not in POTENTIALS:
            raise ValueError(f"shaping={name!r} is unknown; one of {', '.join(map(repr, POTENTIALS))}, or None")
        if not tau_s > 0:
            raise ValueError(f"tau_s={tau_s!r} must be above 0 seconds")
        self.name, self.tau_s = name, tau_s

    def potential(self, games: Any) -> npt.NDArray[np.float64]:
        """Phi for each seat, shape (games, seats); zeros without shaping."""
        if self.name is None:
            return np.zeros(games["hand"].shape)
        return POTENTIALS[self.name](games)

    def reward(
        self, games: Any, before: npt.NDArray[np.float64], elapsed_ms: npt.NDArray[np.integer[Any]]
    ) -> npt.NDArray[np.float64]:
        """Outcome plus shaping of the steps that led from potentials ``before`` to ``games``; shape (games, seats)."""
        rewards = outcome(games)
        if self.name is None:
            return rewards
        return rewards + discount(elapsed_ms, self.tau_s)[:, None] * self.potential(games) - before
