"""Bots that other distributions bring: the entry points of the group ``spit.bots``, a name and a class each."""

from collections.abc import Callable, Collection, Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple

from spit_agents.errors import BadPlayer

GROUP = "spit.bots"
BARRED = set(",@*= ")  # what names of players are made up with


class Plugin(NamedTuple):
    """A bot of another distribution."""

    name: str
    distribution: str  # name and version
    point: EntryPoint
    problem: str  # why the name cannot be used, "" if it can


def plugins(taken: Collection[str]) -> Iterator[Plugin]:
    """All that are installed; ``taken`` are the words before the colon that are names of our own."""
    found = sorted(entry_points(group=GROUP), key=lambda point: (point.name, _distribution(point)))
    names = [point.name for point in found]
    for point in found:
        problem = ""
        if point.name.partition(":")[0] in taken:
            problem = "the name is taken by a stock bot"
        elif BARRED & set(point.name):
            problem = "a name must not hold any of , @ * = or blanks"
        elif names.count(point.name) > 1:
            problem = "several distributions have a bot of this name"
        yield Plugin(point.name, _distribution(point), point, problem)


def load_plugin(name: str, taken: Collection[str]) -> Callable[..., Any] | None:
    """The class, or the function that makes the bot, None if nobody has a bot of this name.

    Raises:
        BadPlayer: if its name cannot be used or it cannot be imported.
    """
    for plugin in plugins(taken):
        if plugin.name == name:
            if plugin.problem:
                raise BadPlayer(f"bot {name!r} of {plugin.distribution}: {plugin.problem}")
            try:
                return plugin.point.load()  # type: ignore[no-any-return]
            except Exception as error:  # whatever importing other people's code raises
                raise BadPlayer(f"bot {name!r} of {plugin.distribution}: {type(error).__name__}: {error}") from error
    return None


def _distribution(point: EntryPoint) -> str:
    """Whose it is."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else "an unknown distribution"
