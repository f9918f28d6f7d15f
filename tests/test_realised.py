"""The times that players really spend in games: what is counted, and that they are those that are configured."""

from math import exp

import pytest

from spit_agents.base import Player
from spit_agents.greedy import Greedy
from spit_agents.match import play_match
from spit_env.latency import Latency, LogNormal
from spit_env.state import OPEN, OVER, RETURN, THINK, TRAVEL
from spit_train.evaluation import mean_time
from tests.oracle_boards import steady
from tests.rules.boards import act, board, launch, wait


def mean(time: LogNormal) -> float:
    """Of a shifted log-normal."""
    return time.shift + time.median * exp(time.sigma**2 / 2)


def test_the_times_of_games_are_those_that_are_configured() -> None:
    """Within 1 %: some times to think are cut off by the end of a round, after which less than half of one is left."""
    shifted = Latency.of(500, 200, 200, sigma=(0.5, 0.3)).to_dict() | {"think": [200, 0.45, 150]}
    speeds = (Latency.of(400, 300, 300), Latency.from_dict(shifted))
    rows = play_match([Player("greedy", Greedy(), speed) for speed in speeds], 150, 5)
    for who, speed in enumerate(speeds):
        assert rows.thinks[:, who].sum() > 20_000
        thought = mean_time(rows.think_ms[:, who], rows.thinks[:, who])
        moved = mean_time(rows.travel_ms[:, who], rows.travels[:, who])
        assert thought == pytest.approx(mean(speed.think), rel=0.01)
        assert moved == pytest.approx(mean(speed.play), rel=0.01)


def test_more_choice_means_longer_thinking() -> None:
    speed = Latency.of(200, 300)
    slower = Latency.from_dict(speed.to_dict() | {"hick": 100})
    rows = play_match([Player("greedy", Greedy(), each) for each in (speed, slower)], 20, 5)
    extra = rows.think_ms.sum(axis=0) / rows.thinks.sum(axis=0)
    assert 100 < extra[1] - extra[0] < 300  # one to seven things to do


@pytest.mark.plain
def test_thinking_ends_when_the_hand_opens_and_a_way_back_is_none() -> None:
    game = board("T | J", "8 | x5", "L=9 R=2", latencies=[steady(think=50, travel=40), steady(think=1, travel=5)])
    g = game.game
    assert g.thought_ms.tolist() == [50, 1], "what is under way counts whole"
    wait(game, 300)
    assert (g.hand.tolist(), g.thought_ms.tolist()) == ([OPEN, OPEN], [50, 1]), "an open hand that waits does not think"
    launch(game, 0, "P1L")
    wait(game, 10)
    act(game, 1, "P1L")  # the ten in flight comes too late
    while g.hand[0] != RETURN:
        wait(game, 1)
    wait(game, 39)
    assert g.moved_ms.tolist()[0] == 40
    assert g.travel_n.tolist()[0] == 1


@pytest.mark.plain
def test_what_a_change_of_phase_cuts_off_is_not_spent() -> None:
    game = board("8", "T | 5 | x", "L=9 R=2", latencies=[steady(think=20, travel=100), steady(think=50_000)])
    g = game.game
    assert g.hand.tolist() == [THINK, THINK]
    launch(game, 0, "P1L")
    assert g.hand[0] == TRAVEL
    while g.hand[1] == THINK and g.phase != OVER:
        wait(game, 1)
    assert g.thought_ms.tolist() == [20, int(g.time)]
    assert g.moved_ms.tolist() == [100, 0]
    assert g.think_n.tolist() == [1, 1]
