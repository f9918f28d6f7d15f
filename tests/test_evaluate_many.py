"""What an evaluation says of three and four bots."""

import numpy as np
import pytest

from spit_agents.match import PER_PLAYER, GameResults
from spit_env.latency import PROFILES
from spit_train import report
from spit_train.evaluate import versions
from spit_train.evaluation import Evaluation, Place, Setup, summarise

DEALS = 30
WIDTH = 100
pytestmark = pytest.mark.plain


def results(players: int, seed: int = 0) -> GameResults:
    """Games whose places are drawn, player 0 the strongest; a tenth of them cut off."""
    rng, games = np.random.default_rng(seed), players * DEALS
    table = {
        name: rng.integers(1, 60, (games, players) if name in PER_PLAYER else games) for name in GameResults._fields
    }
    strength = rng.random((games, players)) + 0.3 * np.arange(players)
    rank = 1 + strength.argsort(axis=1).argsort(axis=1)
    cut = rng.random(games) < 0.1
    rank[(rank == players) & (rng.random(games) < 0.5)[:, None]] = players - 1  # some share a place
    rank[cut] = 0
    return GameResults(
        **table
        | {
            "seed": np.repeat(np.arange(DEALS), players),
            "first_seat": np.tile(np.arange(players), DEALS),
            "winner": np.where(cut, -1, (rank == 1).argmax(axis=1)),
            "end_reason": np.where(cut, 4, 1),
            "rank": rank,
            "illegal": np.zeros((games, players), np.int64),
        }
    )


def outcome(players: int) -> Evaluation:
    """An evaluation of so many bots."""
    names, latency = (
        ("emma:hard", "emma:hard*1.10", "greedy", "random@emma:impossible"),
        PROFILES["emma:hard"].to_dict(),
    )
    setup = Setup(
        players=names[:players], latencies=(latency,) * players, games=players * DEALS, seed=3, game="speed",
        rules="speed_3p", rules_hash="0123456789ab", rule_values={"n_players": players}, recall="perfect", wait_ms=100,
        versions=versions(),
    )  # fmt: skip
    return summarise(setup, results(players), 1.0, 1.0)


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
def test_the_table_has_a_row_for_each_bot(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    match = outcome(players)
    report.print_evaluation(match)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= WIDTH
    head = ["speed", "first", "places", "mean", "place", *(word for k in range(players) for word in ("seat", str(k)))]
    assert lines[0].split() == head
    for line, side in zip(lines[1:], match.sides):
        assert line.startswith(f"{side.name} ")
        assert report.rate_text(side.rate) in line
        assert report.place_text(side.place) in line
        assert line.split()[-players:] == [f"{rate.share:.3f}" for rate in side.by_seat]
    assert any(line.endswith(f"{players * DEALS}: {DEALS} deals, each from all {players} seats") for line in lines)


def test_bots_of_one_name_are_told_apart_by_letters() -> None:
    assert report.labelled(["greedy", "emma", "greedy"]) == ["A: greedy", "B: emma", "C: greedy"]
    assert report.labelled(["greedy", "emma"]) == ["greedy", "emma"]
    assert report.place_text(None) == "-"
