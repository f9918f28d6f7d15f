"""Players by name: ``emma:hard``, ``emma,recall=0.5``, ``greedy@emma:medium``, ``emma:hard*1.10``, ``mymodule:MyBot``.

A name is a bot, perhaps options, perhaps ``@`` and a latency profile, perhaps ``*`` and a factor by which the player is
slower: ``BOT[,key=value...][@PROFILE][*FACTOR]``. The bot ends at the first comma, ``@`` or ``*``, so a file's path has
none of these; the profile is all between the first ``@`` and the factor.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from typing import Any, NamedTuple

from spit_agents.base import Agent, Player
from spit_agents.emma import Emma
from spit_agents.emma_file import load_emma
from spit_agents.errors import BadPlayer
from spit_agents.fallible import with_knobs
from spit_agents.greedy import Greedy
from spit_agents.options import Option, options_of, read_options
from spit_agents.plugins import load_plugin, plugins
from spit_agents.policy import load_policy
from spit_agents.search import Search
from spit_agents.uniform import Uniform
from spit_env.errors import BadLatency
from spit_env.latency import PROFILES, Latency, make_latency
from spit_env.ruleset import nearest

# The bots, each by the class that makes it.
BOTS: Mapping[str, Callable[..., Agent]] = {"random": Uniform, "greedy": Greedy, "emma": Emma, "search": Search}
# Which of them plays under the name of a latency profile, by the word before the colon.
BRAIN_OF: Mapping[str, str] = {"emma": "emma", "human": "greedy"}
# What the profiles' players are, with the level put in.
LEVEL_TEXT: Mapping[str, str] = {
    "emma": "emma at the speed of level {}",
    "human": "greedy at that speed: constructed from the literature, not an observed player",
}
# Every name that is known, and what it says in a help text.
AGENTS: Mapping[str, str] = {
    "random": "any legal action, each as likely as the other",
    "greedy": "does whatever can be done at once, at random; never looks ahead",
    "emma": "plans one action ahead; at another player's speed",
    **{name: LEVEL_TEXT[name.partition(":")[0]].format(name.partition(":")[2]) for name in PROFILES},
    "search": "plays its choices out in imagined worlds, many times each",
    "policy:FILE": "a trained net, from the file that `spit train` writes; FILE.json: Emma's weights",
}
KNOBS: Mapping[str, Option] = {
    "recall": Option(float, 0, 1, "the share of the cards seen earlier that it remembers"),
    "slips": Option(float, 0, 1, "how often it does a random legal action instead"),
}
TEMPERATURE = Option(float, 0, 100, "0: a net's best action; else drawn from softmax(logits / temperature)")
TAKEN = {name.partition(":")[0] for name in AGENTS}  # words that no plugin may have for a name
_NAME = re.compile(r"(?P<bot>[^,@*]+)(?P<options>,[^@*]*)?(?:@(?P<profile>[^*]+))?(?:\*(?P<factor>[0-9.]+))?")
_FACTORS = 0.05, 20.0


class Source(NamedTuple):
    """Where a bot comes from."""

    make: Callable[..., Agent]
    options: Mapping[str, Option]  # what ``make`` takes
    latency: Latency | None = None  # its own speed


def make_player(name: str, versus: Latency | None = None) -> Player:
    """The player that ``name`` describes; one without a speed of its own is as fast as ``versus``, or ``emma:hard``.

    >>> make_player("greedy@human:casual*1.5").latency.play.median
    823.5

    Raises:
        BadPlayer: for a name that is unknown or cannot be read.
    """
    match = _NAME.fullmatch(name)
    if not match:
        raise BadPlayer(f"cannot read player {name!r}; write BOT[,key=value...][@PROFILE][*FACTOR]")
    profile, factor = match["profile"], match["factor"]
    agent, own = _bot(match["bot"], tuple((match["options"] or "").split(",")[1:]))
    try:
        latency = make_latency(profile) if profile else own or versus or make_latency()
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
def _bot(name: str, options: tuple[str, ...]) -> tuple[Agent, Latency | None]:
    """A bot, and its own speed if it has one.

    Raises:
        BadPlayer: for a name or an option that is unknown or cannot be read.
    """
    source = _source(name)
    try:
        values = read_options(options, {**source.options, **KNOBS})
        own = {key: value for key, value in values.items() if key not in KNOBS}
        agent = _made(source.make, tuple(sorted(own.items())))
        return with_knobs(agent, values.get("recall"), values.get("slips")), source.latency
    except BadPlayer as error:
        raise BadPlayer(f"player {','.join((name, *options))!r}: {error}") from error


@cache
def _made(make: Callable[..., Agent], options: tuple[tuple[str, Any], ...]) -> Agent:
    """One bot of each kind for the whole process: bots hold no state, and one call then serves all seats.

    Raises:
        BadPlayer: if it cannot be made, or is no bot.
    """
    try:
        agent = make(**dict(options))
    except (TypeError, ValueError) as error:
        raise BadPlayer(str(error)) from error
    if not callable(getattr(agent, "act", None)):
        raise BadPlayer("it has no method act(views, masks, draws)")
    return agent


@cache
def _source(name: str) -> Source:
    """Where the bot of this name comes from.

    Raises:
        BadPlayer: if there is none, or it cannot be read.
    """
    word, _, rest = name.partition(":")
    if name in PROFILES or name in BOTS:
        make = BOTS[BRAIN_OF[word] if rest else word]
        return Source(make, options_of(make), PROFILES.get(name))
    if word == "policy" and rest.endswith(".json"):
        emma, latency = load_emma(rest)
        return Source(lambda: emma, {}, latency)
    if word == "policy" and rest:
        return Source(partial(load_policy, rest), {"temperature": TEMPERATURE})
    if (make_other := load_plugin(name, TAKEN)) is None and rest and word not in TAKEN:
        make_other = _imported(name)
    if make_other is None:
        known = [*AGENTS, *(plugin.name for plugin in plugins(TAKEN) if not plugin.problem)]
        raise BadPlayer(
            f"unknown player {name!r}{nearest(name, known)}; known: {', '.join(known)}, or module:Class for your own"
        )
    if not callable(make_other):
        raise BadPlayer(f"player {name!r}: a {type(make_other).__name__}, where a class with a method act is wanted")
    return Source(make_other, options_of(make_other))


def _imported(name: str) -> Callable[..., Agent]:
    """The class ``module:Class``.

    Raises:
        BadPlayer: if there is none.
    """
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)  # type: ignore[no-any-return]
    except (ImportError, AttributeError) as error:
        raise BadPlayer(f"player {name!r}: {error}{nearest(name, AGENTS)}") from error
