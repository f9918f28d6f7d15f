"""The record of Speed's rules: what is refused and why, and the presets."""

from typing import Any

import pytest

from spit_env import games
from spit_env.errors import BadRules
from spit_env.rules import make_rules
from spit_env.speed.rules import PRESETS, SpeedRules

HINTS = SpeedRules.kinds()


@pytest.mark.plain
@pytest.mark.parametrize(("changes", "why"), [
    ({"must_play": True, "stall_ms": 0}, "must_play needs a stall limit: set stall_ms above 0"),
    ({"stall_ms": 5000, "max_idle_ms": 4999}, r"stall_ms \(5000\) above max_idle_ms \(4999\) never acts"),
    ({"layout": "row4"}, "layout='row4' is for two with a pack each, without jokers: n_players=2, decks=2, jokers=0"),
    ({"layout": "row4", "decks": 2}, "layout='row4' deals a pack each: stock=48, reserve=0, starters=0"),
    ({"layout": "row4", "decks": 2, "stock": 48, "reserve": 0, "starters": 0, "jokers": 2}, "without jokers"),
    ({"layout": "row4", "decks": 2, "stock": 48, "reserve": 0, "starters": 0, "n_players": 3}, "is for two"),
    ({"jokers": 3, "stock": 16}, "jokers=3 of 1 packs: a pack has 2"),
    ({"reserve": 0, "starters": 0, "stock": 21}, "reserve=0 with starters=0 leaves nothing to start the piles with"),
    ({"stock": 14}, r"must come out even: 2 \* \(stock 14 \+ hand 5 \+ reserve 5 \+ starters 1\) = 50 of 52 cards"),
])  # fmt: skip
def test_contradictory_values_are_refused(changes: dict[str, Any], why: str) -> None:
    """S2-05, S2-06, S2-19, S2-20, A-13: values that contradict each other are refused, with the reason in one line."""
    with pytest.raises(BadRules, match=why) as caught:
        make_rules("speed", **changes)
    assert "\n" not in str(caught.value)


@pytest.mark.plain
@pytest.mark.parametrize("n_players", [1, 5])
def test_s2_01_how_many_players(n_players: int) -> None:
    """S2-01, S2-22: Speed is for two to four."""
    with pytest.raises(BadRules, match=f"n_players={n_players} must be a whole number from 2 to 4"):
        SpeedRules(n_players=n_players)
    assert games.game_named("speed", n_players) is None


@pytest.mark.plain
@pytest.mark.parametrize(("preset", "values"), [
    ("speed", {}),
    ("speed_wikipedia", {"reserve": 6, "starters": 0, "doubles": True}),
    ("speed_pagat", {"stock": 10, "reserve": 10, "match_score": 25}),
    ("speed_jokers", {"stock": 16, "jokers": 2}),
    ("speed_doubles", {"doubles": True}),
    ("speed_3p", {"n_players": 3, "stock": 6}),
    ("speed_4p", {"n_players": 4, "decks": 2}),
    ("bicycle", {"layout": "row4", "decks": 2, "stock": 48, "reserve": 0, "starters": 0}),
])  # fmt: skip
def test_presets(preset: str, values: dict[str, Any]) -> None:
    """S2-03..06, S2-17, S2-19..22: how each preset differs from the game of the rule text; a game of its own seats."""
    rules = make_rules(preset)
    assert rules == SpeedRules(**values)
    game = games.game_of(preset)
    assert (game.name, game.seats, game.actions) == ("speed", rules.seats, 10 * rules.seats + 3)
    assert games.game_of_record(game.blank(rules)) is game


@pytest.mark.plain
def test_every_preset_is_here() -> None:
    """S2-05: the test above is about all of them."""
    assert set(PRESETS) == {
        "speed", "speed_wikipedia", "speed_pagat", "speed_jokers", "speed_doubles", "speed_3p", "speed_4p", "bicycle",
    }  # fmt: skip
