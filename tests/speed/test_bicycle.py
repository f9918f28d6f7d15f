"""Bicycle's row of four (S2-19): a pack each, an open row, starters from the deck, playing on without one."""

import numpy as np
import pytest

from spit_env.batch import Batch
from spit_env.speed.check import cards_of
from spit_env.state import BLOCKED, FINISHED, LOCKED, OVER, PAUSE, RACE
from tests.driving import act, launch, moves, until
from tests.oracle_boards import steady
from tests.speed.boards import board, cards, deal, hand


@pytest.mark.plain
@pytest.mark.parametrize("labels", [(0, 1), (1, 0)])
def test_t80_s2_19_the_deal(labels: tuple[int, int]) -> None:
    """T-80, S2-19: 52 cards each, four in a row, 48 in the deck; the first spit takes one from each deck: 47."""
    game = deal("bicycle", labels=labels)
    g = game.game
    assert (g.phase, g.held_n.tolist(), g.stock_n.tolist()) == (LOCKED, [4, 4], [48, 48])
    for p, label in enumerate(labels):
        own = cards(game, "stock", p) + g.held[p, :4].tolist()
        assert sorted(own) == list(range(52 * label, 52 * label + 52))
        assert g.held[p, 4] == -1
        assert all(g.seen[card] for card in g.held[p, :4])
    assert g.seen.sum() == 8
    tops = [cards(game, "stock", p)[-1] for p in (0, 1)]
    until(game, RACE)
    assert [cards(game, "pile", p) for p in (0, 1)] == [[tops[0]], [tops[1]]]
    assert g.stock_n.tolist() == [47, 47]


@pytest.mark.plain
@pytest.mark.parametrize("layout", ["row4", "hand5"])
def test_t80_s2_19_never_five(layout: str) -> None:
    """T-80, S2-19, S2-10: a row is filled to four from the deck, a hand to five."""
    if layout == "row4":
        game = board("7 8 K K   s9", "x x x x   s9", "L=6   R=J", rules="bicycle", layout=layout)
        act(game, 0, "P1L")
        assert (game.game.held_n[0], game.game.stock_n[0], game.game.held[0, 4]) == (4, 8, -1)
        assert game.game.seen[game.game.held[0, 0]] == 1
    else:
        game = board("7 8 K K 2   s9", "x x x x x   s9", "L=6 r5   R=J r5", layout=layout)
        act(game, 0, "P1L")
        assert (game.game.held_n[0], game.game.stock_n[0]) == (5, 8)
        assert game.game.seen[game.game.held[0, 0]] == 0
    batch = Batch(20, "bicycle" if layout == "row4" else "speed", "emma:hard")
    batch.reset(np.arange(20))
    most = 0
    rng = np.random.default_rng(1)
    for _ in range(60):
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=2))
        most = max(most, int(batch.games.held_n.max()))
    assert most == (4 if layout == "row4" else 5)


@pytest.mark.plain
def test_t80_s2_19_all_stuck() -> None:
    """T-80, S2-19: all stuck: each with a deck turns its top onto the own pile."""
    game = board("A A K K   s3", "A A K K   s[2 3]", "L=4   R=4", rules="bicycle")
    tops = [cards(game, "stock", p)[-1] for p in (0, 1)]
    until(game, PAUSE)
    until(game, RACE)
    assert [cards(game, "pile", p)[1:] for p in (0, 1)] == [[tops[0]], [tops[1]]]
    assert game.game.stock_n.tolist() == [2, 1]


@pytest.mark.plain
def test_t80_s2_19_an_empty_deck_has_no_card_to_turn() -> None:
    """T-80, S2-19: a player without a deck plays on; only the other turns; without any the deal is blocked."""
    game = board("A A K K   s0", "A A K K   s[2 3]", "L=4   R=4", rules="bicycle")
    until(game, PAUSE)
    until(game, RACE)
    assert (game.game.pile_n.tolist(), game.game.stock_n.tolist()) == ([1, 2], [0, 1])
    game = board("A A K   s0", "A A K K   s0", "L=4   R=4", rules="bicycle")
    game.advance(0)
    assert (game.game.end_reason, game.game.winner, game.game.score.tolist()) == (BLOCKED, 0, [4, 0])


@pytest.mark.plain
def test_t80_s2_19_the_first_without_cards_wins() -> None:
    """T-80, S2-19, S2-15: deck and row empty."""
    game = board("5   s0", "A A K K   s7", "L=4   R=4", rules="bicycle")
    act(game, 0, "P1L")
    assert (game.game.phase, game.game.winner, game.game.score.tolist()) == (OVER, 0, [11, 0])


@pytest.mark.plain
@pytest.mark.parametrize("announce", [False, True])
def test_s2_15_the_last_card_is_turned(announce: bool) -> None:
    """S2-15, S2-19: who lets the last card lie in the deck until it is turned is out; if both are, a coin."""
    winners = set()
    for seed in range(12 if not announce else 1):
        game = board("- - - -   s1", "- - - -   s1", "L=4   R=4", rules="bicycle", refill="manual", stall_ms=700,
                     announce=announce, seed=seed)  # fmt: skip
        for p in (0, 1):
            assert moves(game, p) == {"DRAW"}
            launch(game, p, "-")
        until(game, PAUSE)
        until(game, OVER, RACE)
        if announce:
            assert [moves(game, p) for p in (0, 1)] == [{"CALL"}, {"CALL"}]
        else:
            assert (game.game.phase, game.game.end_reason, game.game.ties_n) == (OVER, FINISHED, 1)
            winners.add(int(game.game.winner))
    assert winners == (set() if announce else {0, 1})


@pytest.mark.plain
def test_s2_19_a_row_lies_open() -> None:
    """S2-19, A-48: all cards of a row are known to both, and stay so when they come back."""
    game = board("7 8 K K   s9", "5 Q Q Q   s9", "L=6   R=J", rules="bicycle", latencies=(steady(), steady(travel=15)))
    launch(game, 0, "P1L")
    launch(game, 1, "P1L")
    game.advance(40)
    batch = game.batch
    batch.write()
    assert batch.observations.held_card[0, 0, 1].tolist() == [5, 12, 12, 12, 0]
    assert hand(game, 1) == "5c Qc Qd Qh -"
    assert len(cards_of(game.game)) == 28
