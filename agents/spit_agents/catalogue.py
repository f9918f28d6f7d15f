"""Players by name: ``emma:hard``, ``greedy@emma:medium``, ``emma:hard*1.10``, ``mymodule:MyBot``.

A name is a bot, perhaps ``@`` and a latency profile, perhaps ``*`` and a factor by which the player is slower.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module

from spit_agents.base import Agent, Player
from spit_agents.emma import Emma
from spit_agents.errors import BadPlayer
from spit_agents.greedy import Greedy
from spit_agents.policy import load_policy
from spit_agents.uniform import Uniform
from spit_env.errors import BadLatency
from spit_env.latency import LEVELS, Latency, make_latency
from spit_env.ruleset import nearest

# Every name that is known, and what it says in a help text.
AGENTS: Mapping[str, str] = {
    "random": "any legal action, each as likely as the other",
    "greedy": "does whatever can be done at once, at random; never looks ahead",
    "emma": "plans one action ahead; at another player's speed",
    **{f"emma:{level}": f"emma at the speed of level {level}" for level in LEVELS},
    "policy:FILE": "a trained net, from the file that `spit train` writes",
}
_BOTS: Mapping[str, Callable[[], Agent]] = {"random": Uniform, "greedy": Greedy, "emma": Emma}
_NAME = re.compile(r"(?P<bot>[^@*\s]+)(?:@(?P<profile>[^@*\s]+))?(?:\*(?P<factor>[0-9.]+))?")
_FACTORS = 0.05, 20.0


def make_player(name: str, versus: Latency | None = None) -> Player:
    """The player that ``name`` describes; one without a speed of its own is as fast as ``versus``, or ``emma:hard``.

    >>> make_player("greedy@emma:easy*1.5").latency.play.median
    1350.0

    Raises:
        BadPlayer: for a name that is unknown or cannot be read.
    """
    match = _NAME.fullmatch(name)
    if not match:
        raise BadPlayer(f"cannot read player {name!r}; write BOT, BOT@PROFILE, BOT*FACTOR or BOT@PROFILE*FACTOR")
    bot, profile, factor = match["bot"], match["profile"], match["factor"]
    agent = _agent(bot.partition(":")[0] if bot in AGENTS else bot)
    if profile is None and bot in AGENTS and ":" in bot:
        profile = bot
    try:
        latency = make_latency(profile) if profile else versus or make_latency()
        if factor:
            latency = latency.scaled(_factor(factor))
    except BadLatency as error:
        raise BadPlayer(f"player {name!r}: {error}") from error
    return Player(name, agent, latency)


def _factor(text: str) -> float:
    """How many times slower.

    Raises:
        BadLatency: if it is no number in the range.
    """
    try:
        factor = float(text)
    except ValueError:
        factor = 0.0
    if not _FACTORS[0] <= factor <= _FACTORS[1]:
        raise BadLatency(f"the factor {text!r} must be a number from {_FACTORS[0]} to {_FACTORS[1]}")
    return factor


@cache
def _agent(name: str) -> Agent:
    """One bot of each name for the whole process: bots hold no state, and one call then serves both seats."""
    if name in _BOTS:
        return _BOTS[name]()
    module, _, attribute = name.partition(":")
    if module == "policy":
        return load_policy(attribute)
    if not attribute or module in _BOTS:
        raise BadPlayer(
            f"unknown player {name!r}{nearest(name, AGENTS)}; known: {', '.join(AGENTS)}, or module:Class for your own"
        )
    try:
        made = getattr(import_module(module), attribute)()
    except (ImportError, AttributeError) as error:
        raise BadPlayer(f"player {name!r}: {error}") from error
    if not callable(getattr(made, "act", None)):
        raise BadPlayer(f"player {name!r} has no method act(views, masks, draws)")
    return made  # type: ignore[no-any-return]
