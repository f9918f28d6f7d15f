"""What ratings leave unexplained, and cycles: rock, paper and scissors are found, chance alone is not."""

import numpy as np
import pytest

from spit_train.consistency import (
    Edge,
    cycle_sentence,
    holm,
    residuals,
    shortest_cycles,
    sure_wins,
)
from spit_train.ratings import Meeting, rate
from tests.simulated import round_robin

pytestmark = pytest.mark.plain

TRUE = {"a": 0.0, "b": 60.0, "c": 150.0, "d": -100.0}
ROCK_PAPER_SCISSORS = [
    Meeting(("paper", "rock"), (75, 25)),
    Meeting(("rock", "scissors"), (75, 25)),
    Meeting(("scissors", "paper"), (75, 25)),
]


def edges(*pairs: str) -> list[Edge]:
    return [Edge(pair[0], pair[1], 0.7, 0.6, 0.8) for pair in pairs]


def test_rock_paper_scissors() -> None:
    ratings = rate(ROCK_PAPER_SCISSORS, "rock")
    assert [rating.elo for rating in ratings.players] == pytest.approx([0, 0, 0], abs=1e-9)
    found = residuals(ratings)
    assert all(residual.flagged and residual.expected == pytest.approx(50) for residual in found)
    # There is one degree of freedom: 25 wins too many or too few in each of three pairs, of variance 25 each.
    assert [abs(residual.z) for residual in found] == pytest.approx([75 / np.sqrt(3 * 25)] * 3)
    assert cycle_sentence(ROCK_PAPER_SCISSORS) == (
        "A cycle: paper beats rock (75.0%), rock beats scissors (75.0%), scissors beats paper (75.0%); "
        "no ratings can say so."
    )


def test_residuals_are_standard_normal_and_rarely_flagged() -> None:
    rng, flagged, values = np.random.default_rng(1), 0, []
    for _ in range(1000):
        found = residuals(rate(round_robin(rng, TRUE, 200), "a"))
        assert len(found) == 6
        flagged += any(residual.flagged for residual in found)
        values += [residual.z for residual in found]
    assert flagged / 1000 <= 0.07
    assert np.std(values) == pytest.approx(1, abs=0.04)
    assert np.mean(values) == pytest.approx(0, abs=0.04)


def test_residuals_know_how_the_games_of_a_deal_go_together() -> None:
    """Meetings of mirrored games vary less, and their residuals are judged by that."""
    rng, values = np.random.default_rng(2), []
    for _ in range(1000):
        table = round_robin(rng, {"a": 0, "b": 0, "c": 0}, 1000)
        mirrored = Meeting(("a", "b"), tuple(500 + x for x in (np.array([1, -1]) * rng.normal(0, 5)).tolist()), 0, 0.1)
        values += [residual.z for residual in residuals(rate([mirrored, *table[1:]], "a"))]
    assert np.std(values) == pytest.approx(1, abs=0.04)


def test_residuals_of_three_at_a_table() -> None:
    table = round_robin(np.random.default_rng(3), TRUE, 300, seats=3)
    found = residuals(rate(table, "a"))
    assert len(found) == 12
    assert [abs(residual.z) for residual in found] == sorted((abs(residual.z) for residual in found), reverse=True)
    assert sum(residual.wins for residual in found) == pytest.approx(sum(residual.expected for residual in found))


def test_a_single_pair_fits_perfectly() -> None:
    assert residuals(rate([Meeting(("a", "b"), (30, 10))], "a")) == []


def test_holms_procedure() -> None:
    assert holm([2.0], 0.05) == [True]
    assert holm([2.0, 2.0], 0.05) == [False, False]
    assert holm([3.0, -2.3, 1.0], 0.05) == [True, True, False]  # p-values 0.0027, 0.021, 0.32
    assert holm([], 0.05) == []


def test_sure_wins_exclude_one_half() -> None:
    table = [Meeting(("a", "b"), (60, 40)), Meeting(("b", "c"), (59, 41)), Meeting(("d", "c"), (0, 0), 5)]
    assert [(edge.winner, edge.loser, edge.share) for edge in sure_wins(table)] == [("a", "b", 0.6)]
    again = [*table, Meeting(("c", "b"), (31, 69)), Meeting(("c", "a"), (100, 0))]
    assert [(edge.winner, edge.loser) for edge in sure_wins(again)] == [("a", "b"), ("c", "a"), ("b", "c")]
    assert all(0.5 < edge.low < edge.share <= edge.high <= 1 for edge in sure_wins(again))


def test_of_two_who_never_won_neither_wins_for_sure() -> None:
    found = sure_wins([Meeting(("a", "b", "c"), (5, 0, 0))])
    assert [(edge.winner, edge.loser) for edge in found] == [("a", "b"), ("a", "c")]


def test_sure_wins_know_how_the_games_of_a_deal_go_together() -> None:
    assert sure_wins([Meeting(("a", "b"), (510, 490), 0, 0.01)])
    assert not sure_wins([Meeting(("a", "b"), (540, 460), 0, 2)])


def test_the_shortest_cycles_are_found() -> None:
    assert shortest_cycles(edges("ab", "bc", "ac")) == []
    assert shortest_cycles(edges("ab", "bc", "cd", "da", "ac")) == [("a", "c", "d")]
    assert shortest_cycles(edges("cd", "bc", "ab", "da")) == [("a", "b", "c", "d")]
    assert shortest_cycles(edges("ab", "bc", "ca", "xy", "yz", "zx")) == [("a", "b", "c"), ("x", "y", "z")]
    assert shortest_cycles(edges("xa", "ab", "bc", "ca")) == [("a", "b", "c")]
    assert shortest_cycles([]) == []


def test_many_players_in_order_are_no_cycle() -> None:
    names = [chr(ord("a") + k) for k in range(26)]
    assert shortest_cycles(edges(*(one + other for one in names for other in names if one < other))) == []


def test_sentences_about_cycles() -> None:
    assert cycle_sentence([Meeting(("a", "b"), (60, 40))]).startswith("No cycle:")
    twice = ROCK_PAPER_SCISSORS + [
        meeting._replace(players=tuple("x" + name for name in meeting.players)) for meeting in ROCK_PAPER_SCISSORS
    ]
    assert cycle_sentence(twice).startswith("A cycle, and 1 more as short: paper beats rock")
