"""Emma, the scripted opponent: one planning brain for all levels, which differ in speed only (S0-38).

She looks one action ahead: each legal action is worth what it does at once, plus what she and the others could do on
the table that it leads to. What counts how much is a table of weights, one for each game. All arithmetic is on whole
numbers: a port to another language plays the same.
"""

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spit_agents import emma_california, emma_speed, emma_spit
from spit_agents.base import Actions, brain_for
from spit_agents.emma_california import CaliforniaWeights
from spit_agents.emma_speed import SpeedWeights
from spit_agents.emma_spit import SpitWeights
from spit_agents.fits import COMMON, rule_of
from spit_env.california.observation import OBSERVATION as CALIFORNIA
from spit_env.ruleset import Rules
from spit_env.speed.observation import observation as speed_observation
from spit_env.spit.observation import OBSERVATION as SPIT

Weights = SpitWeights | SpeedWeights | CaliforniaWeights


class Brain(NamedTuple):
    """How she plays a game."""

    choose: Callable[[Any, Any, Any, Any, int, Any], None]  # (views, masks, draws, weights, rule, actions)
    weights: Weights


# For the names in each game's observation: how she plays.
BRAINS: Mapping[tuple[str, ...], Brain] = {
    SPIT.names: Brain(emma_spit.choose_best, SpitWeights()),
    speed_observation(2).names: Brain(emma_speed.choose_best, SpeedWeights()),  # for any number of seats
    CALIFORNIA.names: Brain(emma_california.choose_best, CaliforniaWeights()),
}


class Emma:
    """Plans one action ahead; equal actions are chosen among by the draw.

    Args:
        weights: a table for one of the games, to be used in that game; None: each game's own table.
    """

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights, self.rule = weights, COMMON

    def for_rules(self, rules: Rules) -> "Emma":
        """The same bot, told which ranks fit (`spit_agents.fits`)."""
        told = copy(self)
        told.rule = rule_of(rules)
        return told

    def act(self, views: Any, masks: npt.NDArray[np.int8], draws: npt.NDArray[np.uint32]) -> Actions:
        """See `spit_agents.base.Agent`; shapes (rows,), (rows, actions), (rows,) to (rows,).

        Raises:
            BadPlayer: for views of a game that she does not play.
        """
        brain = brain_for(BRAINS, views)
        weights = self.weights if isinstance(self.weights, type(brain.weights)) else brain.weights
        actions = np.empty(len(masks), np.int64)
        brain.choose(views, masks, draws, weights, self.rule, actions)
        return actions
