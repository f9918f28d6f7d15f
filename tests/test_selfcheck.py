"""The statistics on real games: a bot against itself, and screening by first rounds."""

from typing import Any

import numpy as np
import pytest

from spit_agents.base import Actions, Agent, Player
from spit_agents.catalogue import make_player
from spit_agents.match import GameResults, play_match
from spit_train.screen import screen
from spit_train.sequential import sequential_test
from spit_train.stats import clopper_pearson, deal_correlation, deal_interval, game_scores


class OtherDraws:
    """A bot that makes the opposite of its random choices: as strong as itself, but no mirror image."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def act(self, views: Any, masks: Any, draws: Any) -> Actions:
        return self.agent.act(views, masks, ~draws)


def against_itself(name: str, deals: int, seed: int, seats: int = 2, rules: str = "emma") -> GameResults:
    """A bot against bots like it that choose otherwise by chance."""
    player = make_player(name)
    others = [Player(f"{name}'", OtherDraws(player.agent), player.latency)] * (seats - 1)
    return play_match([player, *others], deals, seed, rules=rules)


@pytest.mark.parametrize(("rules", "seats"), [("emma", 2), ("speed_3p", 3)])
def test_a_bot_against_its_double_wins_one_game_of_each_deal(rules: str, seats: int) -> None:
    rows = play_match([make_player("greedy")] * seats, 60, seed=1, rules=rules)
    scores = game_scores(rows.winner, seats)
    assert scores.sum(axis=1) == pytest.approx(np.ones(60))
    share, low, high = deal_interval(scores)
    assert share == pytest.approx(1 / seats)
    assert high - low < 0.07
    found = deal_correlation(scores)
    assert found.r == pytest.approx(-1 / (seats - 1), abs=0.02)
    assert found.alarm


@pytest.mark.slow
def test_a_bot_against_its_like_wins_half_of_40000_games() -> None:
    scores = game_scores(against_itself("greedy", 20_000, seed=2).winner, 2)
    share, low, high = deal_interval(scores)
    print(f"\nwins {share:.2%} [{low:.2%}, {high:.2%}], correlation {deal_correlation(scores).r:.3f}")
    assert low <= 0.5 <= high
    assert abs(share - 0.5) < 0.005
    assert not deal_correlation(scores).alarm


@pytest.mark.slow
def test_tests_of_a_bot_against_its_like_on_resampled_deals_say_better_in_5_percent() -> None:
    """400 tests on deals drawn from 4,000, of which the second half is the first one with the players exchanged: in the
    deals that are drawn from, both are exactly equal."""
    half = game_scores(against_itself("greedy", 2_000, seed=3).winner, 2)
    population = np.concatenate([half, 1 - half])
    rng = np.random.default_rng(4)
    found = [sequential_test(population[rng.integers(0, 4_000, 6_000)], 0, 20).decision for _ in range(400)]
    print(f"\nsaid better in {found.count('H1')} of 400 tests")
    assert "undecided" not in found
    assert clopper_pearson(found.count("H1"), 400)[0] <= 0.05
    assert found.count("H1") <= 0.07 * 400


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), [("greedy", "greedy*1.05"), ("emma", "greedy")])
def test_first_rounds_say_more_than_games_of_as_many_rounds(one: str, other: str) -> None:
    found = screen(play_match([make_player(one), make_player(other)], 5_000, seed=5))
    print(f"\n{one} v {other}: {found}")
    assert found.information is not None
    assert 1.2 < found.information < 5
