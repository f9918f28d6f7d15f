"""Games as plain data: the hash of a state, and saving a game in mid-flight."""

import json
import math
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from spit_env.batch import PAST
from spit_env.errors import BadReplay
from spit_env.games import GameType, game_named, game_of_record
from spit_env.rules import KINDS

FORMAT, VERSION = "spit-save", 1
# Fields that the first files did not have. They are 0 there, and a hash leaves them out.
LATER = ("hick", "thought_ms", "moved_ms")
# What a hash leaves out: what depends on how a game was stepped, and not on the game.
BOOKKEEPING = ("dirty", "looks", "look", "ask_at", "choice_n", "illegal", "paused", *LATER)


@cache
def _hashed(dtype: np.dtype[Any]) -> tuple[np.dtype[Any], npt.NDArray[np.int64]]:
    """The layout that is hashed, the same on every machine, and which of its bytes."""
    little = dtype.newbyteorder("<")
    fields = [
        np.arange(offset, offset + kind.itemsize)
        for name, (kind, offset, *_) in (little.fields or {}).items()
        if name not in BOOKKEEPING
    ]
    return little, np.concatenate(fields)


def digest(data: bytes) -> str:
    """16 hexadecimal digits that stand for these bytes."""
    return blake2b(data, digest_size=8).hexdigest()


def state_hash(record: Any) -> str:
    """16 hexadecimal digits that stand for a state record, `BOOKKEEPING` and the gaps between fields left out."""
    little, places = _hashed(record.dtype)
    return digest(np.array([record], little).view(np.uint8)[places].tobytes())


def save_game(record: Any, past: Any) -> str:
    """A game as JSON: its state record and the snapshots for delayed perception (shape (n,)), every field by name."""
    names = record.dtype.names
    body = {
        "format": FORMAT, "version": VERSION, "game": game_of_record(record).name, "state": _plain(record),
        "past": [_plain(shot) if any(np.any(shot[name]) for name in names) else None for shot in past],
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
    game = _game(body["game"], body["state"])
    record = _read_record(game, body["state"], "state")
    shots = body["past"]
    size = PAST if record["perception"].any() else 1
    if not isinstance(shots, list) or len(shots) != size:
        raise BadReplay(f"past: must be a list of {size} snapshots, as the players' perception asks")
    past = np.zeros(size, game.state)
    for i, shot in enumerate(shots):
        if shot is not None:
            past[i] = _read_record(game, shot, f"past[{i}]")
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


def _plain(record: Any) -> dict[str, Any]:
    return {name: record[name].tolist() for name in record.dtype.names}


def _game(name: object, state: object) -> GameType:
    """The game that was saved, for as many players as have a hand in it."""
    if name not in KINDS:
        raise BadReplay(f"a game of {name!r}; this program can take up {', '.join(map(repr, KINDS))}")
    hands = state.get("hand") if isinstance(state, dict) else None
    game = game_named(str(name), len(hands)) if isinstance(hands, list) else None
    if game is None:
        raise BadReplay(f"state.hand: must be a list with as many hands as {name!r} can have players")
    return game


def _read_record(game: GameType, fields: Any, where: str) -> np.void:
    if not isinstance(fields, dict):
        raise BadReplay(f"{where}: must be a JSON object")
    names = game.state.names or ()
    fields = {name: np.zeros(game.state[name].shape, int).tolist() for name in LATER} | fields
    check_keys(fields, names, where)
    record: np.void = np.zeros(1, game.state)[0]
    for name in names:
        kind = game.state[name]
        leaves = list(_leaves(fields[name], kind.shape, kind.base, f"{where}.{name}"))
        record[name] = np.array(leaves, kind.base).reshape(kind.shape)
    try:
        game.check(record)
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
