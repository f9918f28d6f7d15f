"""The pack, the deal and the start (S2-01..07, S2-20, S2-22, A-36, A-37)."""

from typing import Any

import pytest

from spit_env.cards import FIRST_JOKER, PACK, rank_or_joker
from spit_env.draws import DEAL, below, word
from spit_env.errors import BadRules
from spit_env.speed.check import cards_of, pack_of
from spit_env.speed.rules import PRESETS, SpeedRules
from spit_env.state import LOCKED, NOOP, RACE
from tests.driving import until
from tests.engine import Engine
from tests.speed.boards import board, cards, deal, hand


def counts(game: Engine) -> dict[str, list[int]]:
    """How many cards lie where."""
    g = game.game
    return {name: g[f"{name}_n"].tolist() for name in ("held", "stock", "reserve", "pile")} | {
        "starter": [int(card >= 0) for card in g.starter]
    }


@pytest.mark.plain
@pytest.mark.parametrize("values", [
    {}, {"stock": 15, "reserve": 6, "starters": 0}, {"stock": 10, "reserve": 10, "starters": 1},
    {"stock": 16, "jokers": 2}, {"stock": 20, "reserve": 0}, {"stock": 0, "reserve": 20},
    {"decks": 2, "stock": 40, "reserve": 6}, {"decks": 2, "jokers": 4, "stock": 43, "reserve": 5},
    {"decks": 1, "jokers": 0, "stock": 15}, {"n_players": 2}, {"n_players": 3, "stock": 6},
    {"n_players": 3, "stock": 7, "jokers": 2}, {"n_players": 4, "decks": 2, "stock": 15},
])  # fmt: skip
def test_t07_s2_05_deals_that_come_out_even(values: dict[str, Any]) -> None:
    """T-07, S2-03..06, S2-20, S2-22: a deal that uses up the pack is accepted; each card lies in one place."""
    rules = SpeedRules(**values)
    game = deal(rules)
    assert game.game.phase == LOCKED
    n, spare = rules.n_players, PACK * rules.decks + rules.jokers
    spare -= rules.n_players * (rules.stock + 5 + rules.reserve + rules.starters)
    assert counts(game) == {
        "held": [5] * n, "stock": [rules.stock + (p < spare) for p in range(n)], "reserve": [rules.reserve] * n,
        "starter": [rules.starters] * n, "pile": [0] * n,
    }  # fmt: skip
    assert sorted(cards_of(game.game)) == pack_of(rules.decks, rules.jokers)


@pytest.mark.plain
@pytest.mark.parametrize("values", [
    {"stock": 20, "reserve": 6, "starters": 0},  # as printed in S2-05
    {"stock": 15, "reserve": 10, "starters": 1},  # as printed in S2-06
    {"stock": 14}, {"stock": 16}, {"jokers": 2}, {"n_players": 3}, {"n_players": 3, "stock": 5}, {"decks": 2},
])  # fmt: skip
def test_t07_s2_05_s2_06_deals_that_do_not(values: dict[str, Any]) -> None:
    """T-07, S2-05, S2-06: 62 cards of 52, or cards left over, are refused with the sum."""
    with pytest.raises(BadRules, match=r"the deal must come out even: . \* .* of \d+ cards"):
        SpeedRules(**values)


@pytest.mark.plain
@pytest.mark.parametrize(("preset", "stock", "reserve", "starters", "pack"), [
    ("speed", 15, 5, 1, 52), ("speed_wikipedia", 15, 6, 0, 52), ("speed_pagat", 10, 10, 1, 52),
    ("speed_jokers", 16, 5, 1, 54), ("speed_doubles", 15, 5, 1, 52), ("speed_4p", 15, 5, 1, 104),
])  # fmt: skip
def test_t07_s2_03_s2_04_presets(preset: str, stock: int, reserve: int, starters: int, pack: int) -> None:
    """T-07, S2-03, S2-04, S2-20, S2-22: what each preset deals."""
    game = deal(preset)
    n = PRESETS[preset].n_players
    assert counts(game) == {
        "held": [5] * n, "stock": [stock] * n, "reserve": [reserve] * n, "starter": [starters] * n, "pile": [0] * n,
    }  # fmt: skip
    assert len(cards_of(game.game)) == pack == n * (stock + 5 + reserve + starters)


@pytest.mark.plain
@pytest.mark.parametrize("labels", [(0, 1, 2), (2, 0, 1)])
def test_t78_s2_22_three_players(labels: tuple[int, int, int]) -> None:
    """T-78, S2-22, A-41: 34 cards over three are 12, 11 and 11 in hand and stock, by label; three piles."""
    game = deal("speed_3p", labels=labels)
    held = (game.game.held_n + game.game.stock_n).tolist()
    assert [held[labels.index(label)] for label in range(3)] == [12, 11, 11]
    assert counts(game)["reserve"] == [5, 5, 5]
    assert counts(game)["starter"] == [1, 1, 1]
    until(game, RACE)
    assert counts(game)["pile"] == [1, 1, 1]


@pytest.mark.plain
@pytest.mark.parametrize("labels", [(0, 1), (1, 0)])
def test_s2_03_the_order_of_the_deal(labels: tuple[int, int]) -> None:
    """S2-03, S2-04, A-37: stock, hand, stock, hand, then reserve, starter, reserve, starter of the shuffled pack."""
    game = deal("speed_jokers", seed=9, labels=labels)
    pack = pack_of(1, 2)
    for draw, i in enumerate(range(53, 0, -1)):
        j = below(word(9, DEAL, draw), i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    order = [labels.index(label) for label in (0, 1)]
    dealt = [card for p in order for card in (*cards(game, "stock", p), *game.game.held[p].tolist())]
    dealt += [card for p in order for card in (*cards(game, "reserve", p), int(game.game.starter[p]))]
    assert dealt == pack
    assert game.game.deal_n == 53


@pytest.mark.plain
def test_s2_20_jokers_have_numbers_of_their_own() -> None:
    """S2-20: two jokers in one pack are the cards 104 and 105, whose rank is none of the thirteen."""
    found = sorted(card for card in cards_of(deal("speed_jokers").game) if card >= FIRST_JOKER)
    assert found == [104, 105]
    assert {rank_or_joker(card) for card in found} == {13}


@pytest.mark.plain
@pytest.mark.parametrize("spit_pause_ms", [1, 1500])
def test_s2_07_the_start(spit_pause_ms: int) -> None:
    """S2-07, A-20: before it nobody can act; then both starters are turned at once, and nobody waits for a turn."""
    game = deal("speed", spit_pause_ms=spit_pause_ms, seed=3)
    starters = game.game.starter.tolist()
    for at in {0, spit_pause_ms // 2, spit_pause_ms - 1}:
        game.advance(at)
        assert game.game.phase == LOCKED
        assert game.asked(False) == []
        assert [game.legal(p) for p in (0, 1)] == [[NOOP], [NOOP]]
    game.advance(spit_pause_ms)
    assert game.game.phase == RACE
    assert [cards(game, "pile", p) for p in (0, 1)] == [[starters[0]], [starters[1]]]
    assert game.game.starter.tolist() == [-1, -1]
    assert counts(game)["reserve"] == [5, 5]
    assert game.game.progress_at == spit_pause_ms


@pytest.mark.plain
def test_s2_05_without_starters_the_reserves_start_the_piles() -> None:
    """S2-05: with starters=0 each reserve turns its top."""
    game = deal("speed_wikipedia", seed=3)
    tops = [cards(game, "reserve", p)[-1] for p in (0, 1)]
    until(game, RACE)
    assert [cards(game, "pile", p) for p in (0, 1)] == [[tops[0]], [tops[1]]]
    assert counts(game)["reserve"] == [5, 5]


@pytest.mark.plain
def test_s2_04_a_board_before_the_start() -> None:
    """S2-04, S2-07: starters lie face down on a board until the start."""
    game = board("7 K 3 9 2   s15", "x x x x x   s15", "L=(6) r5   R=(A) r5")
    assert game.game.phase == LOCKED
    until(game, RACE)
    assert (hand(game), game.game.top.tolist()) == ("7c Kc 3c 9c 2c", [0, 5])
