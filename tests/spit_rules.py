"""Rules of Spit for tests that look into its fields."""

from typing import Any

from spit_env import rules
from spit_env.spit.rules import SpitRules


def make_rules(base: Any = "emma", /, **changes: Any) -> SpitRules:
    """`spit_env.make_rules`, which must give rules of Spit."""
    made = rules.make_rules(base, **changes)
    assert isinstance(made, SpitRules)
    return made
