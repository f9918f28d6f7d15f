"""Who wins, and games that are cut off (S0-29, S0-30, A-22, A-28, A-30, B-01)."""

from typing import Any

import numpy as np
import pytest

from spit_env.batch import Batch, make_seeds
from spit_env.spit.check import cards_of
from spit_env.spit.rules import PRESETS
from spit_env.state import BLOCKED, FINISHED, MAX_IDLE_MS, MAX_ROUND_MS, MAX_ROUNDS, NO_CARDS_LEFT, OVER, RACE
from tests.random_games import HASTY
from tests.rules.boards import act, board, heights, launch, sizes, until
from tests.spit_rules import make_rules


def first_moves(masks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The first action besides NOOP, else NOOP."""
    return np.where(masks[..., 1:].any(-1), 1 + masks[..., 1:].argmax(-1), 0)  # type: ignore[no-any-return]


@pytest.mark.parametrize("preset", PRESETS)
def test_t62_s1_01_whoever_is_out_of_cards_is_the_winner(preset: str) -> None:
    """T-62, S1-01, S4-01, B-01: whole games: the winner holds no stack card and no deck, the loser does."""
    batch = Batch(40, preset, HASTY)
    batch.reset(make_seeds(62, 40))
    for _ in range(30_000):
        if batch.over.all():
            break
        batch.step(first_moves(batch.masks))
    reasons = set()
    for g in batch.games:
        assert g.phase == OVER
        reasons.add(int(g.end_reason))
        assert sorted(cards_of(g)) == list(range(52))
        if g.end_reason in (FINISHED, NO_CARDS_LEFT):
            kept = [int(g.height[p].sum() + g.deck_n[p]) for p in (0, 1)]
            assert kept[g.winner] == 0 < kept[1 - g.winner]
            one_pile = (g.pile_n > 0).sum() == 1
            assert one_pile or make_rules(preset).win == "no_cards_held" or g.end_reason == NO_CARDS_LEFT
        else:
            assert (g.winner >= 0) == (g.end_reason == BLOCKED)
    assert reasons & {FINISHED, NO_CARDS_LEFT}


@pytest.mark.plain
@pytest.mark.parametrize("seat", [0, 1])
def test_t62_either_seat_wins_alike(seat: int) -> None:
    """T-62, B-01: the winner is the one whose last card landed, in either seat."""
    sides, decks = ["x5 | 3", "x5 | 3"], [20, 20]
    sides[seat], decks[seat] = "8", 0
    game = board(sides[0], sides[1], "L=9(3)" if seat == 0 else "R=9(3)", (decks[0], decks[1]))
    act(game, seat, f"P1{'LR'[seat]}")
    assert (game.game.phase, game.game.winner, game.game.end_reason) == (OVER, seat, FINISHED)


@pytest.mark.plain
@pytest.mark.parametrize("seat", [0, 1])
def test_t63_s0_30_no_cards_after_a_pick(seat: int) -> None:
    """T-63, S0-30, A-28: after a pick somebody without a card has won, also when the other one picked."""
    sides, decks = ["x5 | 3", "x5 | 3"], [9, 9]
    sides[seat], decks[seat] = "8", 0
    piles = "L=9(6)" if seat == 0 else "R=9(6)"
    game = board(
        sides[0], sides[1], piles, (decks[0], decks[1]), win="after_pick", one_pile_finish="pick_pile_or_nothing"
    )
    act(game, seat, f"P1{'LR'[seat]}")
    launch(game, seat, f"PICK {'RL'[seat]}")
    assert (game.game.phase, game.game.winner, game.game.end_reason) == (OVER, seat, NO_CARDS_LEFT)
    assert (sizes(game)[seat], heights(game, seat)) == (0, [])


@pytest.mark.plain
@pytest.mark.parametrize(("changes", "time", "reason"), [
    ({"stall_ms": 0}, 30_000, MAX_IDLE_MS),
    ({"stall_ms": 0, "max_idle_ms": 900}, 900, MAX_IDLE_MS),
    ({"max_round_ms": 700}, 700, MAX_ROUND_MS),
    ({"stall_ms": 0, "max_round_ms": 30_000, "max_idle_ms": 30_000}, 30_000, MAX_ROUND_MS),
])  # fmt: skip
def test_t64_a_22_truncation_has_no_winner(changes: dict[str, Any], time: int, reason: int) -> None:
    """T-64, A-22: max_round_ms and max_idle_ms cut the game off, with no winner; of two the round's comes first."""
    game = board("8 | x5", "3", "L=9 R=J", **changes)
    game.advance()
    g = game.game
    assert (g.time, g.phase, g.winner, g.end_reason) == (time, OVER, -1, reason)
    before = g.copy()
    game.advance(99_999)
    assert g == before, "it stays as it is"


@pytest.mark.plain
@pytest.mark.parametrize("max_rounds", [1, 2])
def test_t64_a_22_max_rounds(max_rounds: int) -> None:
    """T-64, A-22: max_rounds cuts off before another deal; the cards have been taken up."""
    game = board("8", "x5 | 3", "L=9(5) R=J(19)", (7, 17), max_rounds=max_rounds)
    act(game, 0, "P1L")
    launch(game, 0, "PICK L")
    g = game.game
    assert (g.phase == OVER, g.rounds, g.winner) == (max_rounds == 1, 1, -1)
    assert g.end_reason == (MAX_ROUNDS if max_rounds == 1 else 0)
    assert sizes(game) == [13, 39]


@pytest.mark.plain
def test_t64_the_rounds_clock_counts_the_race_only() -> None:
    """T-64, S0-43, A-47: the pause between two spits is not counted in max_round_ms."""
    game = board("5 | x", "3", "L=J R=J", ("[J]", "[Q]"), max_round_ms=5000, spit_pause_ms=4000, stall_ms=1000)
    launch(game, 0, "-")
    game.advance(1000)
    until(game, RACE)
    assert (game.game.time, game.game.raced) == (5000, 1000)
    game.advance()
    assert (game.game.time, game.game.end_reason) == (9000, MAX_ROUND_MS)


@pytest.mark.plain
def test_t64_each_round_has_its_own_clock() -> None:
    """T-64, A-22: max_round_ms counts from the first spit of the round."""
    game = board("8", "x5 | 3", "L=9(5) R=J(19)", (7, 17), max_round_ms=5000, stall_ms=0)
    game.advance(4000)
    act(game, 0, "P1L")
    launch(game, 0, "PICK L")
    until(game, RACE)
    assert (game.game.time, game.game.raced) == (4010 + 1500, 0)
    game.advance()
    assert (game.game.time, game.game.end_reason) == (4010 + 1500 + 5000, MAX_ROUND_MS)


def idle(rules: Any, labels: tuple[int, int] = (0, 1)) -> Any:
    """A game whose players choose only when they must; its last state."""
    batch = Batch(1, rules, HASTY)
    batch.reset([65], labels=labels)
    for _ in range(200_000):
        if batch.over[0]:
            break
        must = batch.masks[0, :, 0] == 0
        batch.step(np.where(must, batch.masks[0].argmax(-1), 0)[None])
    return batch.games[0]


@pytest.mark.plain
@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "base_s4"])
def test_t65_idle_players_end_by_max_idle_ms(preset: str) -> None:
    """T-65, A-22: if nobody acts and nothing counts that as stuck (stall_ms=0), max_idle_ms ends the game."""
    g = idle(make_rules(preset, stall_ms=0))
    assert (g.phase, g.end_reason, g.winner) == (OVER, MAX_IDLE_MS, -1)
    assert g.time == g.progress_at + 30_000


@pytest.mark.plain
def test_t65_idle_means_that_nothing_visible_happens() -> None:
    """T-65, A-22: a rearrangement is no progress, yet max_idle_ms counts from its landing."""
    game = board("x5 | - | 9", "3 | x", "L=J R=J", stall_ms=0, max_idle_ms=900)
    game.advance(500)
    act(game, 0, "G1>2")
    game.advance()
    assert (game.game.time, game.game.progress_at, game.game.end_reason) == (510 + 900, 0, MAX_IDLE_MS)


@pytest.mark.parametrize("preset", PRESETS)
def test_t65_idle_players_end_with_a_stall_limit_too(preset: str) -> None:
    """T-65, A-13, A-22: with the stall rule the rounds go on without them; the game still ends."""
    g = idle(make_rules(preset, max_rounds=20))
    assert g.phase == OVER
    assert g.end_reason != 0
