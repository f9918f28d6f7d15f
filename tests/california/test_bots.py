"""Bots at California Speed: whole games of every preset, and single decisions on made-up tables."""

from typing import Any

import numpy as np
import pytest

from spit_agents import Agent, CaliforniaWeights, Emma, Greedy, make_player, play_match
from spit_env.california.rules import PRESETS
from spit_env.california.text import ACTION_NAMES
from spit_env.games import CALIFORNIA_SPEED
from spit_env.rules import make_rules
from spit_env.state import FINISHED, NOOP, OPEN, TRAVEL

BOTS = ("random", "greedy", "emma")


@pytest.mark.parametrize("recall", ["perfect", "none"])
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_plays_only_legal_actions_and_ends_its_games(bot: str, preset: str, recall: Any) -> None:
    players = make_player(bot), make_player("emma")
    for rules in (make_rules(preset), make_rules(preset, empty_pack="wins_at_once", must_play=True)):
        played = play_match(players, 12, seed=3, rules=rules, recall=recall)
        assert played.illegal.sum() == 0
        assert (played.decisions > 10).all()
        assert set(played.end_reason) == {FINISHED}


def test_results_do_not_depend_on_the_batch() -> None:
    players = make_player("emma"), make_player("greedy")
    one, other = (play_match(players, 12, seed=3, rules="california", batch_size=size) for size in (24, 5))
    for x, y in zip(one, other, strict=True):
        assert np.array_equal(x, y)


@pytest.mark.parametrize("preset", PRESETS)
def test_emma_beats_greedy(preset: str) -> None:
    played = play_match((make_player("emma"), make_player("greedy")), 250, seed=9, rules=preset)
    assert played.win_rate > 0.7


def decide(rows: str, *, draw: int = 0, agent: Agent | None = None, **fields: Any) -> str:
    """What a bot (Emma) does with such rows, the own one first: ranks, with * where the place may be covered."""
    view = CALIFORNIA_SPEED.observation.zeros((1,))
    mask = np.zeros((1, CALIFORNIA_SPEED.actions), np.int8)
    mask[0, NOOP] = 1
    view.phase, view.pack_count, view.height, view.unseen = 1, 20, 1, 3
    view.pace, view.spread = 77, 10  # 450 ms, sigma 0.2
    for row, stacks in enumerate(rows.split("/")):
        for stack, token in enumerate(stacks.split()):
            view.top[0, row, stack] = int(token.strip("*"))
            view.coverable[0, row, stack] = mask[0, 1 + 4 * row + stack] = token.endswith("*")
    for name, value in fields.items():
        view[name][0] = value
    chosen = (agent or Emma()).act(view, mask, np.array([draw], np.uint32))
    return ACTION_NAMES[chosen[0]]


def packs(own: tuple[int, ...]) -> Any:
    """What is known of the own pack, from the top down; nothing of the other."""
    cards = np.zeros((2, 48), np.int8)
    cards[0, : len(own)] = own
    return cards


@pytest.mark.plain
def test_emma_gives_her_cards_to_the_other_player() -> None:
    assert decide("1 2 3 9* / 4 5 9* 8") == "cover 3 other"
    assert decide("1 9* 3 9* / 4 5 6 8") in ("cover 2 own", "cover 4 own")
    assert decide("1 2 3 9* / 4 5 9* 8", agent=Emma(CaliforniaWeights()._replace(home=900))) == "cover 4 own"
    assert decide("1 2 3 9* / 4 5 9* 8", agent=Emma(CaliforniaWeights()._replace(wait=900))) == "noop"


@pytest.mark.plain
def test_greedy_covers_anything() -> None:
    seen = {decide("1 9* 3 9* / 4 9* 6 8", agent=Greedy(), draw=draw << 24) for draw in range(256)}
    assert seen == {"cover 2 own", "cover 4 own", "cover 2 other"}


@pytest.mark.plain
def test_emma_leaves_a_place_to_the_card_that_comes_before_hers() -> None:
    flight: dict[str, Any] = {"hand": (OPEN, TRAVEL), "flight_card": (0, 7), "flight_left": (0, 2)}
    flight |= {"flight_row": (0, 2), "flight_stack": (0, 3)}
    assert decide("1 2 3 4 / 9* 5 9* 8", **flight) == "cover 1 other"
    flight["flight_stack"] = (0, 1)
    assert decide("1 2 3 4 / 9* 5 9* 8", **flight) == "cover 3 other"


@pytest.mark.plain
def test_emma_sees_what_a_known_card_will_match() -> None:
    """An eight on the eight matches nothing; on the nine it matches the eight, and both are open."""
    rows = "1 2 3 4 / 9* 8* 10 12"
    assert decide(rows, pack_card=packs(own=(8,))) == "cover 1 other"
    assert decide(rows, pack_card=packs(own=(9,))) == "cover 2 other"
