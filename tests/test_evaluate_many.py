"""What an evaluation says of three and four bots."""

import numpy as np
import pytest

from spit_train import match_text
from spit_train.evaluation import Evaluation, Place
from tests.made_matches import DEALS, NAMES, made_match

pytestmark = pytest.mark.plain


def outcome(players: int) -> Evaluation:
    """An evaluation of so many bots."""
    return made_match(NAMES[:players], seed=3)


@pytest.mark.parametrize("players", [3, 4])
def test_every_game_is_counted_once_for_each_bot_and_seat(players: int) -> None:
    match = outcome(players)
    rows = match.rows
    assert sum(side.wins for side in match.sides) + match.none == players * DEALS
    for who, side in enumerate(match.sides):
        assert [rate.games for rate in side.by_seat] == [DEALS] * players
        assert sum(rate.wins for rate in side.by_seat) == side.wins == (rows.winner == who).sum()
        for seat, rate in enumerate(side.by_seat):
            assert rate.wins == sum((rows.winner == who) & ((rows.first_seat + who) % players == seat))
        ranked = rows.rank[:, who] > 0
        assert side.place is not None
        assert side.place.mean == rows.rank[ranked, who].mean()
        assert 1 <= side.place.low < side.place.mean < side.place.high <= players
        assert side.decisions == rows.decisions[:, who].mean()


def test_the_interval_of_a_place_is_over_deals() -> None:
    """Three games of one deal that go the same way say no more than one of them."""
    once = np.random.default_rng(0).integers(1, 4, 200)
    thrice = Place.of(np.repeat(once, 3), 3)
    alone = Place.of(np.stack([once, np.zeros_like(once), np.zeros_like(once)], axis=1).reshape(-1), 3)
    assert thrice == pytest.approx(alone)
    assert Place.of(np.array([2, 2, 3]), 3) == pytest.approx((7 / 3, 1.0, 3.0))  # of one deal nothing is known
    assert Place.of(np.zeros(6, np.int64), 3) is None


@pytest.mark.parametrize("players", [3, 4])
def test_json_round_trip(players: int) -> None:
    match = outcome(players)
    text = match.to_json()
    again = Evaluation.from_json(text)
    assert again == match
    assert again.to_json() == text
    for mine, others in zip(match.rows, again.rows, strict=True):
        assert np.array_equal(mine, others)


@pytest.mark.parametrize("players", [3, 4])
def test_the_table_has_a_row_for_each_bot(players: int) -> None:
    match = outcome(players)
    places, play, times = match_text.result_tables(match)
    assert places.head == ("speed", "first places", "mean place", *(f"seat {seat}" for seat in range(players)))
    for row, side in zip(places.rows, match.sides, strict=True):
        assert row[:3] == (side.name, match_text.rate_text(side.rate), match_text.mean_text(side.place))
        assert row[3:] == tuple(f"{rate.share:.3f}" for rate in side.by_seat)
    assert [row[0] for row in play.rows] == [row[0] for row in times.rows] == [side.name for side in match.sides]
    assert match_text.games_text(match) == f"{players * DEALS}: {DEALS} deals, each from all {players} seats"


def test_bots_of_one_name_are_told_apart_by_letters() -> None:
    assert match_text.labelled(["greedy", "emma", "greedy"]) == ["A: greedy", "B: emma", "C: greedy"]
    assert match_text.labelled(["greedy", "emma"]) == ["greedy", "emma"]
    assert match_text.mean_text(None) == "-"
