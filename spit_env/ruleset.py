"""Variants as values: what the rules of every game of the family have in common.

A game's rules are a frozen record, a subclass of `Rules` with fields of its own. Unknown values are refused, and so
are values that contradict each other, with the reason.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any, ClassVar, Literal, get_args, get_origin

from spit_env.errors import BadRules

TieBreak = Literal["random", "both_return", "alternate"]
LandCheck = Literal["at_landing", "strict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of a game. Equal values play equal games.

    Raises:
        BadRules: for an unknown value or values that contradict each other.
    """

    GAME: ClassVar[str]  # its name

    # The race
    must_play: bool = False  # C-18, A-13: after `stall_ms` a player with a legal play may no longer wait
    tie_break: TieBreak = "random"  # two cards on one pile at the same millisecond
    return_ms: int = -1  # how long a bounced card travels back; -1: as long as it flew
    spit_pause_ms: int = 1500
    stall_ms: int = 5000  # how long those who could act may let it lie before the table counts as stuck; 0: for ever
    # Guards of last resort: they truncate
    max_rounds: int = 100
    max_round_ms: int = 1_800_000  # of racing in one round
    max_idle_ms: int = 30_000  # without a visible event

    # The least and the greatest value of each number.
    LIMITS: ClassVar[dict[str, tuple[int, int]]] = {
        "return_ms": (-1, 10**8), "spit_pause_ms": (1, 10**8), "stall_ms": (0, 10**8),
        "max_rounds": (1, 10_000), "max_round_ms": (1, 10**8), "max_idle_ms": (1, 10**8),
    }  # fmt: skip

    def __post_init__(self) -> None:
        for name, kind in self.kinds().items():
            _check_value(name, getattr(self, name), kind, self.LIMITS)
        for why in self.contradictions():
            raise BadRules(why)

    @property
    def seats(self) -> int:
        """How many players."""
        return 2

    def contradictions(self) -> Iterator[str]:
        """What values that are each allowed cannot be together, and why."""
        if self.must_play and self.stall_ms == 0:
            yield "must_play needs a stall limit: set stall_ms above 0"
        if self.stall_ms > self.max_idle_ms:
            yield f"stall_ms ({self.stall_ms}) above max_idle_ms ({self.max_idle_ms}) never acts"

    @classmethod
    def kinds(cls) -> Mapping[str, Any]:
        """The type of each field by its name: the game's own fields first, then those of all games."""
        shared = Rules.__dataclass_fields__
        own_first = sorted(fields(cls), key=lambda field: field.name in shared)
        return {field.name: field.type for field in own_first}

    def to_dict(self) -> dict[str, Any]:
        """The values as plain data, in the order of `kinds`."""
        return {name: getattr(self, name) for name in self.kinds()}

    def code(self) -> dict[str, int]:
        """The values as the integers that the state record holds: a name's place in its list, a flag as 0 or 1."""
        return {name: encode_value(kind, getattr(self, name)) for name, kind in self.kinds().items()}


def _check_value(name: str, value: object, kind: Any, limits: Mapping[str, tuple[int, int]]) -> None:
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise BadRules(f"{name}={value!r} is unknown; one of {', '.join(map(repr, get_args(kind)))}")
    elif kind is bool:
        if not isinstance(value, bool):
            raise BadRules(f"{name}={value!r} must be True or False")
    else:
        low, high = limits[name]
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise BadRules(f"{name}={value!r} must be a whole number from {low} to {high}")


def encode_value(kind: Any, value: Any) -> int:
    """A value of a field of this type as an integer."""
    return get_args(kind).index(value) if get_origin(kind) is Literal else int(value)


def decode_value(kind: Any, code: int) -> Any:
    """The value that `encode_value` writes so.

    Raises:
        ValueError: if there is none.
    """
    if get_origin(kind) is None and kind is not bool:
        return code
    names = get_args(kind) or (False, True)
    if not 0 <= code < len(names):
        raise ValueError(f"{code} must be 0 to {len(names) - 1}")
    return names[code]


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint for a message: the known word nearest to a wrong one, or nothing."""
    close = get_close_matches(word, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
