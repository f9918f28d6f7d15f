"""Latency profiles in files: one player's times, or those of several levels.

    {"format": "spit-latency", "version": 1, "latency": {"think": [300, 0.45, 150], ..., "hick": 80}}
    {"format": "spit-levels", "version": 1, "levels": {"easy": {"latency": {...}}, "hard": {"latency": {...}}}}

``latency`` is what `Latency.to_dict` gives: for each kind [median, sigma, shift], ``hick`` and ``perception_ms``; what
is missing has its default. Beside ``latency`` may stand anything that tells where the numbers come from. A file is
named by its path, which ends in ``.json``; a level in it by ``FILE.json:LEVEL``. The stock levels are such a file too,
``spit_env/levels.json``.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spit_env.errors import BadLatency
from spit_env.ruleset import nearest

PROFILE_FORMAT, LEVELS_FORMAT, VERSION = "spit-latency", "spit-levels", 1
SUFFIX = ".json"


def is_file(name: str) -> bool:
    """Whether a profile's name is a file's, or that of a level in one."""
    return name.endswith(SUFFIX) or f"{SUFFIX}:" in name


def read_file(name: str) -> Mapping[str, Any]:
    """The ``latency`` that ``FILE.json`` or ``FILE.json:LEVEL`` names.

    Raises:
        BadLatency: if there is no such file or level, or it is something else.
    """
    path, colon, level = name, "", ""
    if not name.endswith(SUFFIX):
        stem, colon, level = name.rpartition(f"{SUFFIX}:")
        path = stem + SUFFIX
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise BadLatency(f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadLatency("not a text in UTF-8") from None
    body = read_body(text)
    if body["format"] == PROFILE_FORMAT:
        if colon:
            raise BadLatency(f"the file holds one profile and no levels; write {path}")
        return latency_of(body, "the file")
    levels = levels_of(body)
    if not colon:
        raise BadLatency(f"which level? write {path}:LEVEL, one of {', '.join(levels)}")
    if level not in levels:
        raise BadLatency(f"unknown level {level!r}{nearest(level, levels)}; the file has {', '.join(levels)}")
    return levels[level]


def read_levels(text: str, what: str) -> dict[str, Mapping[str, Any]]:
    """The ``latency`` of each level in the text of a file of levels, by name.

    Raises:
        BadLatency: if it is something else; the message begins with ``what``.
    """
    try:
        return levels_of(read_body(text))
    except BadLatency as error:
        raise BadLatency(f"{what}: {error}") from None


def read_body(text: str) -> dict[str, Any]:
    """The JSON object of either format.

    Raises:
        BadLatency: if it is something else.
    """
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadLatency(f"not JSON: {error}") from None
    told = body.get("format") if isinstance(body, dict) else None
    if told not in (PROFILE_FORMAT, LEVELS_FORMAT):
        raise BadLatency(f"not a latency file: format={told!r}, not {PROFILE_FORMAT!r} or {LEVELS_FORMAT!r}")
    if body.get("version") != VERSION:
        raise BadLatency(f"version {body.get('version')!r} of the format; this program reads version {VERSION}")
    return body  # type: ignore[no-any-return]


def levels_of(body: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The ``latency`` of each level, by name.

    Raises:
        BadLatency: if there is none, or one holds something else.
    """
    levels = body.get("levels")
    if body["format"] != LEVELS_FORMAT or not isinstance(levels, dict) or not levels:
        raise BadLatency("a file of levels must have an object 'levels', from each level's name to its 'latency'")
    return {name: latency_of(level, f"level {name!r}") for name, level in levels.items()}


def latency_of(holder: Any, what: str) -> Mapping[str, Any]:
    """The object ``latency`` that a profile or a level holds.

    Raises:
        BadLatency: if it does not; the message begins with ``what``.
    """
    latency = holder.get("latency") if isinstance(holder, dict) else None
    if not isinstance(latency, dict):
        raise BadLatency(f"{what} must have an object 'latency'")
    return latency
