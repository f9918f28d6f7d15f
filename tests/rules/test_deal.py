"""Deal, layout and picking up (S0-01..03, S0-27..28, A-01..07, C-01, C-02, C-22)."""

from typing import Any

import pytest

from spit_env.cards import rank_of
from spit_env.draws import DEAL, SHUFFLE, below, word
from spit_env.errors import BadRules
from spit_env.spit.check import cards_of
from spit_env.spit.rules import PRESETS
from spit_env.state import LOCKED, OVER, RACE
from tests.engine import Engine
from tests.rules.boards import act, board, heights, held, launch, new_game, pile_sizes, ranks, sizes, tops, until
from tests.spit_rules import make_rules


def shuffled(cards: list[int], seed: int, stream: int, first: int = 0) -> list[int]:
    """A list after a shuffle as docs/race.md has it, ``first`` being the stream's counter before it."""
    cards = list(cards)
    for n, i in enumerate(range(len(cards) - 1, 0, -1)):
        j = below(word(seed, stream, first + n), i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


@pytest.mark.plain
@pytest.mark.parametrize("preset", PRESETS)
def test_t02_s0_01_to_04_halves_staircase_and_deck(preset: str) -> None:
    """T-02, S0-01 to S0-04: 26 cards each, stacks of 1 to 5 with their tops up, a deck of 11, no pile."""
    for seed in (1, 2, 2**63 - 1):
        game = new_game(preset, seed)
        g = game.game
        assert g.height.tolist() == [[1, 2, 3, 4, 5]] * 2
        assert g.down.tolist() == [[0, 1, 2, 3, 4]] * 2
        assert g.deck_n.tolist() == [11, 11]
        assert (tops(game), g.phase, sizes(game)) == ("L=-(0) R=-(0)", LOCKED, [26, 26])
        assert sorted(cards_of(g)) == list(range(52))
        assert sorted(g.known.nonzero()[0]) == sorted(g.stack[p, s, s] for p in (0, 1) for s in range(5))


# the stacks for so many cards by stack, by row, and in whole stacks.
A_05 = """
1: 1 / 1 / 1
2: 1,1 / 1,1 / 1
3: 1,2 / 1,1,1 / 1,2
4: 1,2,1 / 1,1,1,1 / 1,2
5: 1,2,2 / 1,1,1,1,1 / 1,2
6: 1,2,3 / 1,2,1,1,1 / 1,2,3
7: 1,2,3,1 / 1,2,2,1,1 / 1,2,3
8: 1,2,3,2 / 1,2,2,2,1 / 1,2,3
9: 1,2,3,3 / 1,2,2,2,2 / 1,2,3
10: 1,2,3,4 / 1,2,3,2,2 / 1,2,3,4
11: 1,2,3,4,1 / 1,2,3,3,2 / 1,2,3,4
12: 1,2,3,4,2 / 1,2,3,3,3 / 1,2,3,4
13: 1,2,3,4,3 / 1,2,3,4,3 / 1,2,3,4
14: 1,2,3,4,4 / 1,2,3,4,4 / 1,2,3,4
15: 1,2,3,4,5 / 1,2,3,4,5 / 1,2,3,4,5
16: 1,2,3,4,5 / 1,2,3,4,5 / 1,2,3,4,5
"""


def dealt(cards: int, **changes: Any) -> Engine:
    """Y has won a round and taken up a pile of so many cards, and holds no others."""
    game = board("8", "x5 | 3", f"L=9(2) R=J({cards})", (0, 17), **changes)
    act(game, 0, "P1L")
    launch(game, 0, "PICK R")
    return game


@pytest.mark.plain
@pytest.mark.parametrize(("column", "changes"), [
    (0, {"short_layout": "all", "deal_order": "by_stack"}), (1, {"short_layout": "all", "deal_order": "by_row"}),
    (2, {"short_layout": "whole_stacks", "deal_order": "by_stack"}),
])  # fmt: skip
@pytest.mark.parametrize("line", A_05.split("\n")[1:-1])
def test_t03_a_05_short_layouts(line: str, column: int, changes: dict[str, str]) -> None:
    """T-03, A-05, A-07, C-02, S0-41, S1-20, S3-14, S4-19: how fewer than 15 cards are laid out; the rest is deck."""
    cards, columns = line.split(":")
    game = dealt(int(cards), **changes)
    laid = [int(part) for part in columns.split("/")[column].split(",")]
    assert game.game.height[0].tolist() == laid + [0] * (5 - len(laid))
    assert game.game.down[0].tolist() == [max(0, n - 1) for n in game.game.height[0]]
    assert game.game.deck_n[0] == int(cards) - sum(laid)


@pytest.mark.plain
def test_t03_no_cards_no_layout() -> None:
    """T-03, S0-30: somebody without a card at a deal has won, so that nothing is laid out."""
    game = board("8", "x5 | 3", "L=9", (0, 17), win="after_pick")
    act(game, 0, "P1L")
    assert (game.game.phase, game.game.winner, heights(game)) == (OVER, 0, [])


@pytest.mark.plain
def test_t04_a_06_exactly_15() -> None:
    """T-04, A-06, C-14: 15 cards give a whole staircase and no deck, hence a one-pile round."""
    game = dealt(15)
    assert (heights(game), game.game.deck_n[0]) == ([1, 2, 3, 4, 5], 0)
    until(game, RACE)
    assert pile_sizes(game) == [0, 1]


@pytest.mark.plain
def test_t05_s3_14_13_and_39() -> None:
    """T-05, S3-14, S3-16: 39 cards leave a deck of 24; 13 make four whole stacks and a deck of 3."""
    game = board("8", "x5 | 3", "L=9(5) R=J(19)", (7, 17), rules="de_s3")
    act(game, 0, "P1L")
    launch(game, 0, "PICK L")
    assert sizes(game) == [13, 39]
    assert (heights(game, 0), game.game.deck_n[0]) == ([1, 2, 3, 4], 3)
    assert (heights(game, 1), game.game.deck_n[1]) == ([1, 2, 3, 4, 5], 24)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("order", "places"),
    [
        ("by_stack", [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4]),
        ("by_row", [0, 1, 2, 3, 4, 1, 2, 3, 4, 2, 3, 4, 3, 4, 4]),
    ],
)
@pytest.mark.parametrize("labels", [(0, 1), (1, 0)])
def test_t06_a_04_dealing_order(order: str, places: list[int], labels: tuple[int, int]) -> None:
    """T-06, A-04, C-22: deal_order: the pack halved as the seed says, then stack by stack or row by row."""
    game = new_game(make_rules(deal_order=order), 6, labels)
    pack = shuffled(list(range(52)), 6, DEAL)
    for seat, label in enumerate(labels):
        top_down = pack[26 * label : 26 * label + 26][::-1]
        for stack in range(5):
            expected = [card for card, place in zip(top_down, places) if place == stack]
            assert game.game.stack[seat, stack, : stack + 1].tolist() == expected
        if order == "by_stack":
            assert (game.game.stack[seat, 4, 4], game.game.stack[seat, 4, 0]) == (top_down[14], top_down[10])
        assert game.game.deck[seat, :11].tolist() == top_down[15:][::-1]
    assert (game.game.deal_n, game.game.ties_n, game.game.shuffle_n) == (51, 0, 0)


@pytest.mark.plain
@pytest.mark.parametrize("key", ["speed_deal", "jokers", "match_score", "n_players", "layout"])
def test_t07_s2_05_other_games_deals_are_refused(key: str) -> None:
    """T-07, S2-01, S2-05, S2-06: what belongs to Speed cannot be asked of Spit; its one deal sums to the pack."""
    assert 2 * (15 + 11) == 52
    with pytest.raises(BadRules, match=f"unknown rule '{key}'|'{key}' is a rule of speed, not of spit"):
        make_rules("emma", **{key: 5})


@pytest.mark.plain
@pytest.mark.parametrize("labels", [(0, 1), (1, 0)])
@pytest.mark.parametrize("shuffles", [False, True])
def test_t08_c_01_shuffled_or_in_order(shuffles: bool, labels: tuple[int, int]) -> None:
    """T-08, C-01, S0-27, S1-19, S3-13, S4-18: pickup_shuffle draws a permutation, without it nothing is drawn."""
    game = board("8", "x5 | 3", "L=9(5) R=J(19)", (7, 17), labels=labels, pickup_shuffle=shuffles)
    g = game.game
    before = g.copy()
    act(game, 0, "P1L")
    eight = g.pile[1, 5]
    ours = before.deck[0, :7].tolist()[::-1] + before.pile[1, :5].tolist() + [eight]
    theirs = before.deck[1, :17].tolist()[::-1] + before.pile[0, :19].tolist()
    theirs += before.stack[1, 0, :2].tolist()[::-1] + [int(before.stack[1, 1, 0])]
    launch(game, 0, "PICK L")
    assert (g.deal_n, g.ties_n) == (before.deal_n, 0)
    if not shuffles:
        assert (held(game, 0), held(game, 1), g.shuffle_n) == (ours, theirs, 0)
        return
    assert g.shuffle_n == 12 + 38
    first = (0, 12) if labels == (0, 1) else (38, 0)  # the player with label 0 first
    assert held(game, 0) == shuffled(ours[::-1], 1, SHUFFLE, first[0])[::-1]
    assert held(game, 1) == shuffled(theirs[::-1], 1, SHUFFLE, first[1])[::-1]
    ups = {int(g.stack[p, s, h - 1]) for p in (0, 1) for s in range(5) if (h := g.height[p, s])}
    assert set(g.known.nonzero()[0]) == ups, "after a shuffle only what is turned up is known"
    for seat, cards in enumerate((ours, theirs)):
        hidden = [card for card in cards if g.seen[card] and not g.known[card]]
        assert g.lost[seat].tolist() == [sum(rank_of(c) == r for c in hidden) for r in range(13)]


@pytest.mark.plain
@pytest.mark.parametrize(("orientation", "order"), [("oldest_first", "8789"), ("newest_first", "9878")])
def test_t09_a_01_to_03_order_of_the_new_deck(orientation: str, order: str) -> None:
    """T-09, A-01 to A-03, S0-24, S0-25: the deck, the pile (pickup_orientation), then leftovers from the top down."""
    game = board("J", "[A][2]5 | 3", "L=T R=[8c 7c 8d 9c]", (1, "[6c 6d]"), pickup_orientation=orientation)
    act(game, 0, "P1L")
    launch(game, 0, "PICK L")
    assert ranks(held(game, 1)) == f"66{order}52A3"
    assert held(game, 1)[:2] == [20, 21], "the deck's top stays on top"


@pytest.mark.plain
def test_s0_28_s0_31_the_next_round() -> None:
    """S0-28, S0-31, S1-18: a new staircase and a new lock; what the winner has not, the other has."""
    game = board("8", "xxxx5 | xxxx3", "L=9(5) R=J(9)", (15, 12))
    act(game, 0, "P1L")
    launch(game, 0, "PICK R")
    assert sizes(game) == [24, 28]
    assert (heights(game, 0), heights(game, 1)) == ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5])
    assert (game.game.phase, game.game.rounds, tops(game)) == (LOCKED, 1, "L=-(0) R=-(0)")
    until(game, RACE)
    assert (pile_sizes(game), game.game.deck_n.tolist()) == ([1, 1], [8, 12])
