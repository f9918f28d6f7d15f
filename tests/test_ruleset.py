"""What holds for the rules of every game: values that a parameter does not have are refused."""

from typing import Any, get_args, get_origin

import pytest

from spit_env.errors import BadRules
from spit_env.rules import KINDS, make_rules

FIELDS = [(kind, field) for kind in KINDS.values() for field in kind.kinds()]


@pytest.mark.plain
@pytest.mark.parametrize(("kind", "field"), FIELDS, ids=lambda value: getattr(value, "GAME", value))
def test_wrong_values_are_refused(kind: Any, field: str) -> None:
    """RULES 2, S2-01: a value that a parameter does not have is refused with its name and what it may be."""
    values = kind.kinds()[field]
    wrong: tuple[Any, ...] = (-2, 10**9, 1.5, "1", True, None)
    says = "must be a whole number from"
    if get_origin(values):
        wrong, says = ("no such value", 0, True, None), f"is unknown; one of {get_args(values)[0]!r}"
    elif values is bool:
        wrong, says = (0, 1, "True", None), "must be True or False"
    for value in wrong:
        with pytest.raises(BadRules, match=f"{field}=") as caught:
            make_rules(kind(), **{field: value})
        assert says in str(caught.value)
