"""Bots at Speed: whole games of every preset, and single decisions on made-up tables."""

from typing import Any

import numpy as np
import pytest

from spit_agents import Agent, BadPlayer, Emma, Greedy, SpeedWeights, make_player, play_match
from spit_env.games import game_of
from spit_env.rules import make_rules
from spit_env.speed.rules import PRESETS
from spit_env.state import END_REASONS, NOOP, OPEN, TRAVEL

BOTS = ("random", "greedy", "emma")
CUT_OFF = {END_REASONS.index(reason) for reason in ("max_rounds", "max_round_ms", "max_idle_ms")}
VARIANTS = {
    "announce": {"announce": True}, "manual": {"refill": "manual"}, "no wrap": {"ace_wrap": False},
    "strict": {"land_check": "strict"}, "jokers": {"jokers": 2, "stock": 16, "doubles": True, "refill": "manual"},
}  # fmt: skip


def table(a: str, b: str, rules: Any, deals: int = 12, **options: Any) -> Any:
    """A match of one player of the first kind among players of the second."""
    others = [make_player(b)] * (make_rules(rules).seats - 1)
    return play_match([make_player(a), *others], deals, seed=3, rules=rules, **options)


@pytest.mark.parametrize("recall", ["perfect", "none"])
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_plays_only_legal_actions_and_ends_its_games(bot: str, preset: str, recall: Any) -> None:
    played = table(bot, "greedy", preset, recall=recall)
    assert played.illegal.sum() == 0
    assert (played.decisions > 3).all()
    assert not set(played.end_reason) & CUT_OFF


@pytest.mark.parametrize("changes", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("bot", BOTS)
def test_so_it_does_under_other_rules(bot: str, changes: dict[str, Any]) -> None:
    played = table(bot, "greedy", make_rules("speed", **changes))
    assert played.illegal.sum() == 0
    assert not set(played.end_reason) & CUT_OFF


@pytest.mark.parametrize("preset", ["speed_jokers", "speed_4p"])
def test_results_do_not_depend_on_the_batch(preset: str) -> None:
    for x, y in zip(table("emma", "greedy", preset), table("emma", "greedy", preset, batch_size=5), strict=True):
        assert np.array_equal(x, y)


@pytest.mark.parametrize("preset", ["speed", "bicycle"])
def test_emma_beats_greedy(preset: str) -> None:
    played = table("emma", "greedy", preset, deals=1000)
    assert played.win_rate > 0.5 + 3 * 0.5 / 2000**0.5
    assert (played.winner >= 0).all()


def decide(
    legal: str, *, agent: Agent | None = None, seats: int = 2, cards: tuple[int, ...] = (), draw: int = 0, **fields: Any
) -> str:
    """What a bot (Emma) does on a made-up table; ``fields`` of the observation, ``legal`` actions besides NOOP."""
    game = game_of({"preset": f"speed_{seats}p" if seats > 2 else "speed"})
    view: Any = game.observation.zeros((1,))
    view.phase = 1
    view.pace[:], view.spread[:] = 77, 10  # 450 ms, sigma 0.2
    view.unseen = 3
    view.stock_count[:], view.held_count[:] = 9, 5
    view.held_card[0, 0, : len(cards)] = cards
    view.held_count[0, 0] = len(cards)
    for name, value in fields.items():
        view[name][0] = value
    mask = np.zeros((1, game.actions), np.int8)
    mask[0, [NOOP, *(game.action_names.index(name) for name in legal.split(", "))]] = 1
    chosen = (agent or Emma()).act(view, mask, np.array([draw], np.uint32))
    return game.action_names[chosen[0]]


def choices(legal: str, agent: Agent, **fields: Any) -> set[str]:
    """All that a bot does with one draw or another."""
    words = np.random.default_rng(2).integers(0, 2**32, 60)
    return {decide(legal, agent=agent, draw=int(word), **fields) for word in words}


@pytest.mark.plain
@pytest.mark.parametrize("agent", [Emma(), Greedy()], ids=["emma", "greedy"])
def test_drawing_and_calling_come_first(agent: Agent) -> None:
    assert decide("play 1 own, draw", agent=agent, cards=(5, 7), pile_top=(6, 9)) == "draw"
    assert decide("call", agent=agent, pile_top=(6, 9), stock_count=(0, 3)) == "call"


@pytest.mark.plain
def test_greedy_plays_anything_but_jokers_last() -> None:
    table: dict[str, Any] = {"cards": (14, 5, 7), "pile_top": (6, 6)}
    jokers = "play 1 own, play 1 other, play 1 own high, play 1 other high"
    naturals = "play 2 own, play 2 other, play 3 own, play 3 other"
    assert choices(f"{jokers}, {naturals}", Greedy(), **table) == set(naturals.split(", "))
    assert choices(jokers, Greedy(), **table) == set(jokers.split(", "))


@pytest.mark.plain
def test_emma_keeps_a_joker_while_she_has_another_card_to_play() -> None:
    assert decide("play 1 own, play 1 own high, play 2 own", cards=(14, 5, 11), pile_top=(6, 2)) == "play 2 own"


@pytest.mark.plain
def test_emma_plays_the_card_that_others_of_hers_can_follow() -> None:
    table: dict[str, Any] = {"cards": (5, 7, 8, 9), "pile_top": (6, 1), "stock_count": (0, 0)}
    assert decide("play 1 own, play 2 own", **table) == "play 2 own"  # then the eight and the nine
    table["cards"] = (5, 7, 4, 3)
    assert decide("play 1 own, play 2 own", **table) == "play 1 own"


@pytest.mark.plain
def test_emma_does_not_open_what_another_player_can_use() -> None:
    """An open row: the card that the other player cannot follow is played."""
    row: dict[str, Any] = {"held_count": (2, 4), "held_card": ((5, 7, 0, 0, 0), (8, 8, 12, 12, 0))}
    assert decide("play 1 own, play 2 own", **row, pile_top=(6, 2)) == "play 1 own"
    row["held_card"] = ((5, 7, 0, 0, 0), (4, 4, 12, 12, 0))
    assert decide("play 1 own, play 2 own", **row, pile_top=(6, 2)) == "play 2 own"


@pytest.mark.plain
def test_emma_knows_which_cards_are_gone() -> None:
    """The other hand is hidden: what has been seen cannot be in it."""
    unseen = np.full(14, 3, np.int8)
    unseen[[7, 13]] = 0  # eights and jokers
    unseen[3] = 4
    table: dict[str, Any] = {"cards": (5, 7, 13), "pile_top": (6, 1)}
    assert decide("play 1 own, play 2 own", **table, unseen=unseen) == "play 2 own"
    assert decide("play 1 own, play 2 own", **table, unseen=np.roll(unseen[:13], -4).tolist() + [0]) == "play 1 own"


@pytest.mark.plain
@pytest.mark.parametrize("other", [1, 2])
def test_emma_does_not_run_into_a_card_in_flight(other: int) -> None:
    busy, pile, name, left = np.zeros((4, 3), np.int8)
    busy[0], busy[other], pile[other], name[other], left[other] = OPEN, TRAVEL, 1, 5, 2
    flight: dict[str, Any] = {"hand": busy, "flight_pile": pile, "flight_name": name, "flight_left": left}
    table: dict[str, Any] = {"seats": 3, "cards": (7,), "pile_top": (6, 8, 2)}
    assert decide("play 1 own, play 1 next", **table, **flight) == "play 1 next"
    pile[other], name[other] = 2, 9
    assert decide("play 1 own, play 1 next", **table, **flight) == "play 1 own"


@pytest.mark.plain
def test_emma_weighs_jokers_doubles_and_waiting() -> None:
    table: dict[str, Any] = {"cards": (14, 5, 11), "pile_top": (6, 2)}
    legal = "play 1 own, play 2 own"
    assert decide(legal, agent=Emma(SpeedWeights()._replace(joker=3000)), **table) == "play 1 own"
    assert decide(legal, agent=Emma(SpeedWeights()._replace(wait=9000)), **table) == "noop"


def test_views_of_an_unknown_game_are_refused() -> None:
    for agent in (Emma(), Greedy()):
        with pytest.raises(BadPlayer, match="does not play the game whose observations have the fields depth"):
            agent.act(np.zeros(1, [("depth", "i1")]), np.ones((1, 1), np.int8), np.zeros(1, np.uint32))
