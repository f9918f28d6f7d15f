"""What a bot can be told behind its name: ``,key=value`` for each, read by what the bot takes."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from math import inf, isfinite
from typing import Any, NamedTuple

from spit_agents.errors import BadPlayer
from spit_env.ruleset import nearest

KINDS: Mapping[type, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}


class Option(NamedTuple):
    """One thing that a bot can be told."""

    kind: type  # one of `KINDS`
    low: float | None = None  # the least value of a number, None: any
    high: float | None = None
    meaning: str = ""

    @property
    def wanted(self) -> str:
        """What a value must be, in words."""
        span = "" if self.low is None else f" from {self.low:g}" + ("" if self.high is None else f" to {self.high:g}")
        return KINDS[self.kind] + span

    def read(self, text: str) -> Any:
        """The value that a text stands for.

        Raises:
            ValueError: if it stands for none, or is out of range.
        """
        if self.kind is bool:
            return bool(["false", "true"].index(text.lower()))
        value = self.kind(text)
        if isinstance(value, int | float):
            low, high = (-inf if self.low is None else self.low), (inf if self.high is None else self.high)
            if not (low <= value <= high and isfinite(value)):
                raise ValueError(f"{text} is out of range")
        return value


def options_of(make: Callable[..., Any]) -> Mapping[str, Option]:
    """What a bot's class, or a function that makes one, takes.

    That is its ``OPTIONS`` if it has some, else those arguments with a default that are annotated as one of `KINDS`.
    """
    declared: Mapping[str, Option] | None = getattr(make, "OPTIONS", None)
    if declared is not None:
        return declared
    try:
        arguments = inspect.signature(make, eval_str=True).parameters.values()
    except (ValueError, TypeError, NameError):  # built in, or annotated with names that are not to be had
        return {}
    named = (a for a in arguments if a.kind in (a.POSITIONAL_OR_KEYWORD, a.KEYWORD_ONLY) and a.default is not a.empty)
    return {a.name: Option(a.annotation) for a in named if a.annotation in KINDS}


def read_options(texts: Iterable[str], known: Mapping[str, Option]) -> dict[str, Any]:
    """The values of options that are written as ``key=value``.

    >>> read_options(["rollouts=8"], {"rollouts": Option(int, 1, 1000)})
    {'rollouts': 8}

    Raises:
        BadPlayer: for an option that is unknown, given twice or has an impossible value.
    """
    values: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if key not in known:
            listed = "; ".join(f"{name}, {option.wanted}" for name, option in known.items())
            raise BadPlayer(f"unknown option {key!r}{nearest(key, known)}; known: {listed}")
        if not equals or key in values:
            raise BadPlayer(f"option {key!r}: write {key}=VALUE, once")
        try:
            values[key] = known[key].read(value)
        except ValueError:
            raise BadPlayer(f"{key}={value!r} must be {known[key].wanted}") from None
    return values
