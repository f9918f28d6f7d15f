"""Games as plain data: the hash of a state, and saving a game in mid-flight."""

import json
import math
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import numpy as np

from spit_env.batch import PAST
from spit_env.errors import BadReplay
from spit_env.games import SPIT
from spit_env.spit.check import check_state

FORMAT, VERSION = "spit-save", 1
# What a hash leaves out: what depends on how a game was stepped, and not on the game.
BOOKKEEPING = ("dirty", "looks", "look", "ask_at", "choice_n", "illegal", "paused")

_LITTLE = SPIT.state.newbyteorder("<")
_HASHED = np.concatenate(
    [
        np.arange(offset, offset + kind.itemsize)
        for name, (kind, offset, *_) in (_LITTLE.fields or {}).items()
        if name not in BOOKKEEPING
    ]
)


def digest(data: bytes) -> str:
    """16 hexadecimal digits that stand for these bytes."""
    return blake2b(data, digest_size=8).hexdigest()


def state_hash(record: Any) -> str:
    """16 hexadecimal digits that stand for a state record, `BOOKKEEPING` and the gaps between fields left out."""
    return digest(np.array([record], _LITTLE).view(np.uint8)[_HASHED].tobytes())


def save_game(record: Any, past: Any) -> str:
    """A game as JSON: its state record and the snapshots for delayed perception (shape (n,)), every field by name."""
    body = {
        "format": FORMAT, "version": VERSION, "game": SPIT.name, "state": _plain(record),
        "past": [_plain(shot) if any(np.any(shot[name]) for name in _names()) else None for shot in past],
    }  # fmt: skip
    return dumps(body | {"sum": digest(dumps(body).encode())})


def load_game(text: str) -> tuple[np.void, np.ndarray[Any, Any]]:
    """The record and the snapshots that `save_game` wrote; ``paused`` is set: clear it to go on.

    Raises:
        BadReplay: for another version, an unknown or missing field, a wrong shape, a value out of range, or a game
            that cannot be.
    """
    body = read_object(text, "the saved game")
    if body.get("format") != FORMAT:
        raise BadReplay(f"not a saved game: format={body.get('format')!r}, not {FORMAT!r}")
    check_version(body, VERSION)
    check_keys(body, ("format", "version", "game", "state", "past", "sum"), "the saved game")
    if body.pop("sum") != digest(dumps(body).encode()):
        raise BadReplay("the saved game is damaged: its sum is another")
    if body["game"] != SPIT.name:
        raise BadReplay(f"a game of {body['game']!r}; this program can take up {SPIT.name!r}")
    record = _read_record(body["state"], "state")
    shots = body["past"]
    size = PAST if record["perception"].any() else 1
    if not isinstance(shots, list) or len(shots) != size:
        raise BadReplay(f"past: must be a list of {size} snapshots, as the players' perception asks")
    past = np.zeros(size, SPIT.state)
    for i, shot in enumerate(shots):
        if shot is not None:
            past[i] = _read_record(shot, f"past[{i}]")
        elif i < record["looks"]:
            raise BadReplay(f"past[{i}]: null, but {record['looks']} snapshots were taken")
    record["paused"] = 1
    return record, past


def dumps(value: Any) -> str:
    """JSON on one line, without spaces."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def read_object(text: str, what: str) -> dict[str, Any]:
    """A JSON object.

    Raises:
        BadReplay: if the text is none; the message begins with ``what``.
    """

    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is no number of JSON")

    try:
        value = json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise BadReplay(f"{what}: not JSON: {error}") from None
    if not isinstance(value, dict):
        raise BadReplay(f"{what}: must be a JSON object")
    return value


def check_keys(value: dict[str, Any], keys: tuple[str, ...], what: str) -> None:
    """Make sure that an object has these keys and no others.

    Raises:
        BadReplay: if it has not; the message begins with ``what``.
    """
    for wrong, problem in ((set(keys) - set(value), "missing"), (set(value) - set(keys), "unknown")):
        if wrong:
            raise BadReplay(f"{what}: {problem}: {', '.join(sorted(wrong)[:5])[:80]}")


def check_version(value: dict[str, Any], version: int) -> None:
    """Make sure that a file is of the version that this program reads.

    Raises:
        BadReplay: if it is not.
    """
    if value.get("version") != version or isinstance(value["version"], bool):
        raise BadReplay(f"version {value.get('version')!r} of the format; this program reads version {version}")


def _names() -> tuple[str, ...]:
    return SPIT.state.names or ()


def _plain(record: Any) -> dict[str, Any]:
    return {name: record[name].tolist() for name in _names()}


def _read_record(fields: Any, where: str) -> np.void:
    if not isinstance(fields, dict):
        raise BadReplay(f"{where}: must be a JSON object")
    check_keys(fields, _names(), where)
    record: np.void = np.zeros(1, SPIT.state)[0]
    for name in _names():
        kind = SPIT.state[name]
        leaves = list(_leaves(fields[name], kind.shape, kind.base, f"{where}.{name}"))
        record[name] = np.array(leaves, kind.base).reshape(kind.shape)
    try:
        check_state(record)
    except ValueError as error:
        raise BadReplay(f"{where}: {error}") from None
    return record


def _leaves(value: Any, shape: tuple[int, ...], kind: np.dtype[Any], where: str) -> Iterator[float]:
    if shape:
        if not isinstance(value, list) or len(value) != shape[0]:
            raise BadReplay(f"{where}: must be a list of {shape[0]}")
        for part in value:
            yield from _leaves(part, shape[1:], kind, where)
    elif kind.kind == "f":
        if type(value) not in (int, float) or not math.isfinite(value):
            raise BadReplay(f"{where}: {str(value)[:20]!r} must be a number")
        yield value
    else:
        low, high = np.iinfo(kind).min, np.iinfo(kind).max
        if type(value) is not int or not low <= value <= high:
            raise BadReplay(f"{where}: {str(value)[:20]!r} must be a whole number from {low} to {high}")
        yield value
