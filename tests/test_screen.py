"""Margins after the first round by hand, and what they say beside whole games."""

import numpy as np
import pytest

from spit_agents.match import GameResults
from spit_train.screen import margins, screen
from spit_train.stats import grouped_mean

pytestmark = pytest.mark.plain


def results(winner: list[int], cards: list[list[int]], rounds: int = 8) -> GameResults:
    """Games with these winners and these cards after the first round."""
    games, players = len(winner), len(cards[0])
    columns = {name: np.zeros(games, np.int64) for name in GameResults._fields}
    columns |= {"winner": np.array(winner), "round1_cards": np.array(cards).reshape(games, players)}
    return GameResults(**columns | {"rounds": np.full(games, rounds)})


def test_margins_are_the_others_mean_less_ones_own() -> None:
    values, there = margins(results([0, 1, 2, 0, 0, 0], [[20, 26, 30], [10, 40, 2]] * 3))
    assert values.tolist() == [[8, 11, 8], [11, 8, 11]]
    assert there.all()
    assert margins(results([0, 1], [[20, 30], [26, 24]]), who=1)[0].tolist() == [[-10, 2]]


def test_games_of_one_round_have_no_margin() -> None:
    values, there = margins(results([0, 1, 0, 1], [[20, 30], [0, 0], [0, 50], [30, 20]]))
    assert (values.tolist(), there.tolist()) == ([[10, 0], [50, -10]], [[1, 0], [1, 1]])


def test_a_screen_by_hand() -> None:
    rows = results(
        [0, 0, 0, 1, 1, 1, 0, 0], [[20, 30], [22, 28], [26, 24], [20, 30], [24, 26], [25, 25], [20, 30], [0, 0]]
    )
    found = screen(rows)
    assert found.margin[:3] == grouped_mean([16, 8, 2, 10], [2, 2, 2, 1])
    margin = found.margin
    assert margin.z == pytest.approx(margin.mean * 2 * 1.959964 / (margin.high - margin.low))
    assert (margin.games, found.win_rate, found.rounds) == (7, 0.625, 8)
    assert found.information is None  # 5 of 8 wins do not differ from chance


def test_the_other_player_is_the_mirror_image() -> None:
    rng = np.random.default_rng(1)
    cards = rng.integers(10, 40, 400)
    rows = results(rng.integers(-1, 2, 400).tolist(), np.stack([cards, 50 - cards], axis=1).tolist())
    one, other = screen(rows), screen(rows, who=1)
    assert (other.margin.mean, other.margin.z) == pytest.approx((-one.margin.mean, -one.margin.z))
    assert other.win_z == pytest.approx(-one.win_z)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_information_of_games_with_a_known_answer(players: int) -> None:
    """Margins that are off 0 by a tenth of their spread, shares of wins off chance by as much: a round is worth a game,
    that is as much as all of its rounds."""
    rng, deals = np.random.default_rng(2), 20_000
    chance = 1 / players
    share = chance + 0.1 * (chance * (1 - chance)) ** 0.5
    games = deals * players
    lead = rng.normal(0.1, 1, games) * 1000
    cards = np.stack([10_000 - lead, *[np.full(games, 10_000)] * (players - 1)], axis=1)
    found = screen(results(np.where(rng.random(games) < share, 0, 1).tolist(), cards.tolist()))
    assert found.information == pytest.approx(8, rel=0.2)


def test_a_player_against_its_double() -> None:
    found = screen(results([0, 1] * 50, [[20, 30], [30, 20]] * 50))
    assert (found.margin.mean, found.margin.z, found.win_z, found.information) == (0, 0, 0, None)


def test_what_cannot_be_screened() -> None:
    for rows in (results([0, 1], [[20, 30]] * 2), results([0] * 4, [[0, 0]] * 4)):
        with pytest.raises(ValueError, match="two or more deals"):
            screen(rows)
