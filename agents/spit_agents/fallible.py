"""Knobs that every bot has: how much it remembers, and how often its hand slips."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from spit_agents import memory_california, memory_speed, memory_spit
from spit_agents.base import Actions, Agent, informed
from spit_agents.chance import random_legal
from spit_agents.errors import BadPlayer
from spit_agents.memory import ALL
from spit_env.draws import philox
from spit_env.jit import entry
from spit_env.ruleset import Rules
from spit_env.state import NOOP

SLIPS = 66  # the stream of slips, for the decision's own word


class Fallible:
    """A bot with a worse memory and a hand that slips.

    Args:
        agent: the bot that decides.
        recall: from 0 to 1, the share that it remembers of the cards that its views tell of though they do not lie
            open. The others are blanked and counted as unseen, just as a player sees it who never knew them. Which
            ones stays the same as long as they lie where they lie. Below 1 piles are not counted, but where the rules
            let all count them.
        slips: from 0 to 1, how likely another legal action, or by chance the same, is done in place of the one that
            was chosen; it is NOOP only if nothing else is legal.
        rules: what is played; None: not told yet (see `for_rules`).

    Raises:
        BadPlayer: for a share that is not from 0 to 1.
    """

    def __init__(self, agent: Agent, recall: float = 1.0, slips: float = 0.0, rules: Rules | None = None) -> None:
        for name, value in (("recall", recall), ("slips", slips)):
            if not 0 <= value <= 1:
                raise BadPlayer(f"{name}={value!r} must be a number from 0 to 1")
        self.agent, self.recall, self.slips, self.rules = agent, recall, slips, rules

    def for_rules(self, rules: Rules) -> "Fallible":
        """The same bot, told the rules."""
        return Fallible(informed(self.agent, rules), self.recall, self.slips, rules)

    def act(self, views: Any, masks: npt.NDArray[np.int8], draws: npt.NDArray[np.uint32]) -> Actions:
        """See `spit_agents.base.Agent`; shapes (rows,), (rows, actions), (rows,) to (rows,).

        Raises:
            BadPlayer: if it forgets and has not been told the rules.
        """
        if self.recall < 1:
            views = views.copy()
            self.forget(views)
        actions = np.array(self.agent.act(views, masks, draws), np.int64)
        if self.slips > 0:
            slip(masks, draws, int(self.slips * ALL), actions)
        return actions

    def forget(self, views: Any) -> None:
        """Blank in views, shape (rows,), what is not remembered.

        Raises:
            BadPlayer: before it has been told the rules.
        """
        if self.rules is None:
            raise BadPlayer("a bot that forgets must know the rules: take what its for_rules(rules) gives")
        FORGET[self.rules.GAME](views, int(self.recall * ALL), self.rules)


def with_knobs(agent: Agent, recall: float | None, slips: float | None) -> Agent:
    """A bot with its knobs turned; what is None stays as it is.

    Raises:
        BadPlayer: for a share that is not from 0 to 1.
    """
    if recall is None and slips is None:
        return agent
    now = agent if isinstance(agent, Fallible) else Fallible(agent)
    return Fallible(now.agent, now.recall if recall is None else recall, now.slips if slips is None else slips)


def _forget_speed(views: Any, keep: int, rules: Any) -> None:
    memory_speed.forget_rows(views, keep, rules.decks, rules.jokers, rules.layout == "row4")


# For each game's name: forgets all but a share of keep / 2**32 in views, under its rules.
FORGET: Mapping[str, Callable[[Any, int, Any], None]] = {
    "spit": lambda views, keep, rules: memory_spit.forget_rows(views, keep, rules.pile_count_visibility == "exact"),
    "speed": _forget_speed,
    "california_speed": lambda views, keep, rules: memory_california.forget_rows(views, keep),
}


@entry
def slip(masks: Any, draws: Any, chance: int, actions: Any) -> None:
    """Replace some actions, with a chance of ``chance`` / 2**32 each, by random legal ones."""
    for row in range(actions.shape[0]):
        first, second, _, _ = philox(int(draws[row]), SLIPS, 0)
        if first < chance:
            actions[row] = random_legal(masks[row], second, NOOP + 1, masks.shape[1])
