"""The named rules of all games, and making rules from a name or from plain values."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from spit_env.california.rules import PRESETS as CALIFORNIA_PRESETS
from spit_env.california.rules import CaliforniaRules
from spit_env.errors import BadRules
from spit_env.ruleset import Rules, nearest
from spit_env.speed.rules import PRESETS as SPEED_PRESETS
from spit_env.speed.rules import SpeedRules
from spit_env.spit.rules import PRESETS as SPIT_PRESETS
from spit_env.spit.rules import SpitRules

KINDS: Mapping[str, type[Rules]] = {kind.GAME: kind for kind in (SpitRules, SpeedRules, CaliforniaRules)}  # by game
PRESETS: Mapping[str, Rules] = {**SPIT_PRESETS, **SPEED_PRESETS, **CALIFORNIA_PRESETS}


def make_rules(rules: str | Rules | Mapping[str, Any] = "emma", /, **changes: Any) -> Rules:
    """Rules from a preset's name, a record or a mapping of values, with ``changes`` on top.

    A mapping may name a ``preset`` to start from; without one it starts from ``emma``.

    >>> make_rules("classic_s1", doubles=True).doubles
    True

    Raises:
        BadRules: for an unknown preset, key or value; the message names the nearest known one.
    """
    if isinstance(rules, Rules):
        base = rules
    elif isinstance(rules, str):
        if rules not in PRESETS:
            raise BadRules(f"unknown rules {rules!r}{nearest(rules, PRESETS)}; known: {', '.join(PRESETS)}")
        base = PRESETS[rules]
    else:
        values = dict(rules)
        base = make_rules(values.pop("preset", "emma"))
        changes = values | changes
    kinds = base.kinds()
    for key in changes:
        if key not in kinds:
            others = [game for game, kind in KINDS.items() if key in kind.kinds()]
            if others:
                raise BadRules(f"{key!r} is a rule of {' and '.join(others)}, not of {base.GAME}{nearest(key, kinds)}")
            raise BadRules(f"unknown rule {key!r}{nearest(key, kinds)}; known: {', '.join(kinds)}")
    return replace(base, **changes)
