"""The record of rules: what is refused and why, and the presets of the rulebook."""

from typing import Any, get_args, get_origin

import pytest

from spit_env.errors import BadRules
from spit_env.spit.rules import PRESETS, SpitRules
from tests.spit_rules import make_rules

HINTS = SpitRules.kinds()


@pytest.mark.plain
@pytest.mark.parametrize(("changes", "why"), [
    ({"must_play": True, "stall_ms": 0}, "must_play needs a stall limit: set stall_ms above 0"),
    ({"prespit_combine": True, "combine": "off"}, "prespit_combine has nothing to allow with combine='off'"),
    ({"blocked": "slap_race", "blocked_tie": "void_round"}, "blocked_tie='void_round' cannot occur"),
    ({"blocked": "draw_round", "blocked_tie": "void_round"}, "cannot occur with blocked='draw_round'"),
    ({"pickup_shuffle": True, "pickup_orientation": "newest_first"}, "pickup_orientation means nothing with"),
    ({"stall_ms": 5000, "max_idle_ms": 4999}, r"stall_ms \(5000\) above max_idle_ms \(4999\) never acts"),
])  # fmt: skip
def test_contradictory_values_are_refused(changes: dict[str, Any], why: str) -> None:
    """RULES 2: the constructor rejects values that contradict each other, and says why."""
    with pytest.raises(BadRules, match=why) as caught:
        make_rules("emma", **changes)
    assert "\n" not in str(caught.value)
    for key in set(changes) - {"max_idle_ms"}:
        make_rules("emma", **{key: changes[key]})  # by itself it is possible


@pytest.mark.plain
def test_unknown_names_are_refused_with_the_nearest() -> None:
    """RULES 2: a mistyped parameter or preset is no silent default."""
    for call, says in (
        (lambda: make_rules("ema"), "did you mean 'emma'"),
        (lambda: make_rules("emma", ace_wrp=True), "did you mean 'ace_wrap'"),
        (lambda: make_rules({"preset": "pagat", "flipp": "auto"}), "did you mean 'flip'"),
        (lambda: make_rules("emma", n_players=3), "'n_players' is a rule of speed, not of spit"),
    ):
        with pytest.raises(BadRules, match=says):
            call()


TABLE: dict[str, dict[str, Any]] = {
    "emma": {},
    "classic_s1": {"rearrange_needs_facedown": False, "spit_trigger": "request_when_stuck"},
    "de_s3": {
        "combine": "off", "rearrange_needs_facedown": False, "flip": "auto", "pickup_shuffle": True,
        "short_layout": "whole_stacks", "win": "no_cards_held", "spit_trigger": "request_when_stuck",
    },
    "base_s4": {
        "combine": "off", "rearrange_needs_facedown": False, "flip": "auto", "pickup_shuffle": True, "must_play": True,
    },
    "pagat": {
        "combine": "off", "rearrange_needs_facedown": False, "pickup_shuffle": True, "round_end": "slap_race",
        "blocked": "slap_race", "solo_spit": "either_then_fixed",
    },
    "wikipedia": {
        "prespit_combine": True, "rearrange_needs_facedown": False, "pickup_shuffle": True, "round_end": "slap_race",
        "blocked": "slap_race",
    },
    "spit_s2": {
        "combine": "off", "rearrange_needs_facedown": False, "pickup_shuffle": True, "round_end": "smaller_pile",
        "win": "no_cards_held",
    },
}  # fmt: skip


@pytest.mark.plain
def test_presets_are_those_of_section_6() -> None:
    """RULES 6: each column's differences from the default record, and the shared constants."""
    assert {name: make_rules("emma", **changes) for name, changes in TABLE.items()} == dict(PRESETS)
    shared = SpitRules()
    assert (shared.spit_pause_ms, shared.return_ms, shared.rearrange_budget) == (1500, -1, 12)
    assert (shared.max_rounds, shared.max_round_ms, shared.max_idle_ms) == (100, 1_800_000, 30_000)  # slow players too
    assert (shared.tie_break, shared.land_check, shared.pile_count_visibility) == ("random", "at_landing", "hidden")


@pytest.mark.plain
@pytest.mark.parametrize("field", HINTS)
def test_the_default_is_the_first_value(field: str) -> None:
    """RULES 2: "values (default first)"; the record holds a name's place in the list, so the default's code is 0."""
    if get_origin(HINTS[field]):
        assert getattr(SpitRules(), field) == get_args(HINTS[field])[0]
        assert SpitRules().code()[field] == 0
        for place, value in enumerate(get_args(HINTS[field])):
            fitting = {"blocked": "fewest_stack_cards", "pickup_shuffle": False, field: value}
            assert make_rules("emma", **fitting).code()[field] == place
