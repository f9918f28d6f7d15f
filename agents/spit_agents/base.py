"""What a bot is.

A bot decides for many games at once and sees what a player sees: `views` are observation records
(`Batch.game.observation`), one row for each decision. Its speed is not its own business: a `Player` is a bot
at a latency profile, and the engine keeps the times.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from spit_agents.errors import BadPlayer
from spit_env.latency import Latency
from spit_env.ruleset import Rules

Brain = TypeVar("Brain")
Actions = npt.NDArray[np.int64]


class Agent(Protocol):
    """Chooses actions. Stateless between calls, so that rows may come in any order and number.

    A bot that must know the rules has a second method, ``for_rules(rules: Rules) -> Agent``: the bot that plays by
    them; it leaves the bot itself as it is. Whoever runs bots calls `informed` once for each.
    """

    def act(self, views: Any, masks: npt.NDArray[np.int8], draws: npt.NDArray[np.uint32]) -> Actions:
        """One legal action for each row.

        Args:
            views: observation records, shape (rows,); the named fields of the observation table.
            masks: shape (rows, actions), 1 where an action is legal; at least one in each row.
            draws: shape (rows,), a random 32-bit word for each decision, from the game's own stream. A bot that
                needs chance takes it from here, so that a game replays the same in any batch.

        Returns:
            Shape (rows,).
        """
        ...


def informed(agent: Agent, rules: Rules) -> Agent:
    """The bot that plays by these rules: what its ``for_rules`` gives, if it has one, else itself."""
    for_rules: Callable[[Rules], Agent] | None = getattr(agent, "for_rules", None)
    return for_rules(rules) if for_rules else agent


class Player(NamedTuple):
    """A bot at a speed."""

    name: str
    agent: Agent
    latency: Latency


def brain_for(brains: Mapping[tuple[str, ...], Brain], views: Any) -> Brain:
    """The brain for the game that the views are of; games differ in the names of what is seen.

    Raises:
        BadPlayer: if there is none.
    """
    names = views.dtype.names
    if names not in brains:
        raise BadPlayer(f"this bot does not play the game whose observations have the fields {', '.join(names or ())}")
    return brains[names]
