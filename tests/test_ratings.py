"""Ratings against closed forms and simulated tables; nothing depends on the order of the rows or of the players."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spit_train.ratings import ELO, BadTable, Meeting, Rating, Ratings, rate
from spit_train.sequential import elo_of, share_of

pytestmark = pytest.mark.plain

NAMES = "abcde"
TRUE = {"a": 0.0, "b": 60.0, "c": 150.0, "d": -100.0}


@st.composite
def tables(draw: Any) -> list[Meeting]:
    """Two or three players at a table, all linked through ``a``, all with wins."""
    wins = st.integers(1, 50)
    rows = [Meeting(("a", name), (draw(wins), draw(wins)), draw(st.integers(0, 3))) for name in NAMES[1:]]
    for _ in range(draw(st.integers(0, 4))):
        players = tuple(draw(st.permutations(NAMES))[: draw(st.integers(2, 3))])
        rows.append(Meeting(players, tuple(draw(wins) for _ in players), 0, draw(st.sampled_from([0.5, 1.0]))))
    return rows


def by_name(ratings: Ratings) -> dict[str, Rating]:
    return {rating.name: rating for rating in ratings.players}


def test_75_percent_are_191_elo() -> None:
    winner, anchor = rate([Meeting(("loser", "winner"), (25, 75))], "loser").players
    assert (winner.name, winner.games, winner.corrected) == ("winner", 100, False)
    assert winner.elo == pytest.approx(190.85, abs=0.005)
    half = 1.959964 * ELO / math.sqrt(100 * 0.75 * 0.25)  # the standard error of log odds is 1 / sqrt(n p q)
    assert (winner.low, winner.high) == pytest.approx((190.85 - half, 190.85 + half), abs=0.01)
    assert anchor == Rating("loser", 0, 0, 0, 100, False)


def test_at_a_single_table_weights_are_in_the_ratio_of_the_wins() -> None:
    ratings = by_name(rate([Meeting(("x", "y", "z", "w"), (300, 100, 100, 50), 4)], "y"))
    for name, wins in (("x", 301), ("z", 101), ("w", 51)):
        assert ratings[name].elo == pytest.approx(400 * math.log10(wins / 101), abs=1e-9)
    even = by_name(rate([Meeting(("x", "y", "z", "w"), (300, 100, 100, 100))], "y"))
    assert even["x"].elo == pytest.approx(elo_of(0.5, players=4), abs=1e-9)


def test_games_that_nobody_won_are_shared() -> None:
    one, other = rate([Meeting(("a", "b"), (10, 20), 30)], "a"), rate([Meeting(("a", "b"), (25, 35))], "a")
    assert one.players == other.players


def test_a_players_copies_at_one_table_have_one_rating() -> None:
    ratings = by_name(rate([Meeting(("a", "b", "b", "b"), (40, 20, 25, 15))], "b"))
    assert ratings["a"].elo == pytest.approx(elo_of(0.4, players=4), abs=1e-9)
    assert ratings["a"].games == ratings["b"].games == 100
    assert rate([Meeting(("a", "a"), (5, 5))], "a").players == (Rating("a", 0, 0, 0, 10, False),)


@given(tables(), st.randoms())
def test_rows_and_players_have_no_order(table: list[Meeting], rng: Any) -> None:
    mixed = []
    for meeting in table:
        order = rng.sample(range(len(meeting.players)), len(meeting.players))
        players, wins = zip(*((meeting.players[k], meeting.wins[k]) for k in order), strict=True)
        mixed.append(meeting._replace(players=players, wins=wins))
    rng.shuffle(mixed)
    one, other = rate(table, "a"), rate(mixed, "a")
    assert one.players == other.players  # exactly
    assert np.array_equal(one.cov, other.cov)


@given(tables())
def test_a_table_may_be_split_into_more_rows(table: list[Meeting]) -> None:
    twice = rate(table + table, "a")
    once = rate([m._replace(wins=tuple(2 * w for w in m.wins), none=2 * m.none) for m in table], "a")
    assert twice.players == once.players


@given(tables())
def test_all_wins_are_as_expected_in_sum(table: list[Meeting]) -> None:
    """That is where the likelihood is largest: for each player the expected wins are those seen."""
    ratings = rate(table, "a")
    for name in NAMES:
        seen = expected = 0.0
        for meeting in table:
            for k, player in enumerate(meeting.players):
                if player == name:
                    weights = [math.exp(ratings.theta[other]) for other in meeting.players]
                    seen += meeting.scores[k]
                    expected += meeting.games * weights[k] / sum(weights)
        assert expected == pytest.approx(seen, abs=1e-8)


@given(tables())
def test_another_anchor_only_shifts(table: list[Meeting]) -> None:
    one, other = rate(table, "a"), rate(table, "c")
    shift = by_name(one)["c"].elo
    for name in NAMES:
        assert by_name(one)[name].elo - shift == pytest.approx(by_name(other)[name].elo, abs=1e-6)
    assert other.difference("b", "a") == pytest.approx(one.difference("b", "a"), abs=1e-6)
    assert by_name(other)["b"][1:4] == pytest.approx(one.difference("b", "c"), abs=1e-6)
    elo, low, high = one.difference("a", "b")
    assert one.difference("b", "a") == pytest.approx((-elo, -high, -low))


def test_the_variance_of_mirrored_games_is_that_which_was_seen() -> None:
    """Pairs of games of which one is nearly always won by each: intervals as narrow as the truth is sure."""
    rng, found = np.random.default_rng(2), []
    for _ in range(500):
        winner = np.tile([0, 1], 1000)
        both = rng.random(1000) < 0.05
        winner.reshape(-1, 2)[both] = rng.integers(0, 2, (both.sum(), 1))
        found.append(by_name(rate([Meeting.of(("a", "b"), winner)], "b"))["a"])
    assert 0.93 <= np.mean([rating.low <= 0 <= rating.high for rating in found]) <= 0.99
    assert np.std([rating.elo for rating in found]) * 3.5 < np.mean([rating.high - rating.low for rating in found]) < 10


def test_a_meeting_of_results() -> None:
    meeting = Meeting.of(("x", "y", "z"), [0, 1, -1, 2, 0, 0])
    assert meeting[:3] == (("x", "y", "z"), (3, 1, 1), 1)
    assert meeting.games == 6
    assert meeting.scores == pytest.approx((10 / 3, 4 / 3, 4 / 3))


def test_who_never_won_gets_a_finite_rating_and_a_mark() -> None:
    table = [Meeting(("a", "b"), (60, 40)), Meeting(("b", "c"), (50, 0)), Meeting(("a", "c"), (50, 0))]
    ratings = by_name(rate(table, "a"))
    assert [ratings[name].corrected for name in "abc"] == [False, False, True]
    assert -1200 < ratings["c"].elo < -600
    assert ratings["b"].elo == pytest.approx(-400 * math.log10(1.5), abs=3)
    # Half a win in 51 games against each of two.
    other = rate([Meeting(("a", "b"), (60, 40)), *(Meeting((x, "c"), (50.5, 0.5)) for x in "ab")], "a")
    assert other.players[-1].elo == pytest.approx(ratings["c"].elo)
    # From below all others are above by more than can be said.
    assert [rating.corrected for rating in rate(table, "c").players] == [True, True, False]


def test_a_group_that_never_lost_is_marked_whole() -> None:
    table = [Meeting(("a", "b"), (5, 5)), Meeting(("c", "d"), (5, 5)), Meeting(("a", "c"), (10, 0))]
    assert {rating.name for rating in rate(table, "a").players if rating.corrected} == {"c", "d"}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([], "the anchor 'a' has played no game; players are none"),
        ([Meeting(("x", "y"), (1, 2))], "has played no game; players are x, y"),
        ([Meeting(("a", "b"), (0, 0))], "has played no game"),
        ([Meeting(("a", "b"), (1, 1)), Meeting(("c", "d"), (1, 0))], "no games link c, d with the anchor 'a'"),
        ([Meeting(("a", "b"), (1, -1))], "0 or more"),
        ([Meeting(("a", "b"), (1,))], "for each player"),
        ([Meeting(("a", "b"), (1, 1), 0, 0)], "effect above 0"),
    ],
)
def test_tables_that_cannot_be_rated(table: list[Meeting], message: str) -> None:
    with pytest.raises(BadTable, match=message):
        rate(table, "a")


@given(st.floats(-600, 600))
def test_ratings_and_shares_agree_with_the_sequential_test(elo: float) -> None:
    wins = 1000 * share_of(elo)
    assert by_name(rate([Meeting(("a", "b"), (wins, 1000 - wins))], "b"))["a"].elo == pytest.approx(elo, abs=1e-6)
