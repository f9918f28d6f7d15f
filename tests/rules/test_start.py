"""The first spit and what is locked before it (S0-04..06, S0-28, C-09)."""

import pytest

from spit_env.spit.rules import PRESETS
from spit_env.state import LOCKED, OPEN, PAUSE, RACE, TRAVEL
from tests.engine import Engine
from tests.oracle_boards import steady
from tests.rules.boards import act, board, launch, moves, new_game, pile_sizes, text, until
from tests.spit_rules import make_rules

PAIR = ("5 | x5 | 9 | K | xx2", "x5 | 6", "")


@pytest.mark.plain
@pytest.mark.parametrize("spit_pause_ms", [1, 300, 1500])
@pytest.mark.parametrize("labels", [(0, 1), (1, 0)])
def test_t10_s0_05_first_spit(spit_pause_ms: int, labels: tuple[int, int]) -> None:
    """T-10, S0-05, S1-05, B-05, A-49: after spit_pause_ms each deck gives its top card to the own pile, at once."""
    game = new_game(make_rules(spit_pause_ms=spit_pause_ms), 3, labels)
    own = game.game.deck[:, 10].tolist()
    game.advance(spit_pause_ms - 1)
    assert (game.game.phase, pile_sizes(game)) == (LOCKED, [0, 0])
    game.advance(spit_pause_ms)
    g = game.game
    assert (g.phase, g.time, pile_sizes(game)) == (RACE, spit_pause_ms, [1, 1])
    assert g.pile[:, 0].tolist() == own
    assert g.deck_n.tolist() == [10, 10]
    assert (g.progress_at, g.race_from, g.raced) == (spit_pause_ms, spit_pause_ms, 0)


@pytest.mark.plain
@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "wikipedia"])
def test_t11_s0_06_locked_board(preset: str) -> None:
    """T-11, S0-06: before the first spit nobody may do anything, at any moment."""
    for rules, start in ((preset, None), (preset, PAIR)):
        game = board(*start, rules=rules) if start else new_game(rules)
        assert game.game.phase == LOCKED
        while game.game.phase == LOCKED:
            assert (game.legal(0), game.legal(1), game.asked(False)) == ([0], [0], [])
            assert game.game.hand.tolist() == [0, 0]
            game.advance(single=True)
        assert game.game.time == 1500
    if PRESETS[preset].combine == "equal_rank":
        assert {"C1>2", "C2>1"} <= moves(game)


@pytest.mark.plain
@pytest.mark.parametrize(("prespit_combine", "legal"), [(False, set[str]()), (True, {"C1>2", "C2>1"})])
def test_t12_c_09_prespit_combine_only(prespit_combine: bool, legal: set[str]) -> None:
    """T-12, C-09: prespit_combine allows combining before the first spit, and neither flips nor fills."""
    game = board("5 | x5 | xx | - | xx2", "x5 | 6", "", prespit_combine=prespit_combine)
    assert moves(game) == legal
    assert moves(game, 1) == set()
    if not legal:
        return
    act(game, 0, "C1>2")
    assert (game.game.phase, text(game)[:2]) == (LOCKED, ["-", "x55"])
    assert moves(game) == set(), "no fill of the new gap, no flip"
    until(game, RACE)
    assert game.game.time == 1500
    assert {"F3", "G2>1", "G5>4"} <= moves(game)


@pytest.mark.plain
def test_t12_the_first_spit_waits_for_a_card_in_flight() -> None:
    """T-12, C-09: a combination under way lands before the first spit; then the spit frees all hands."""

    def started() -> Engine:
        game = board(*PAIR, rules="wikipedia", latencies=[steady(travel=4000), steady()])
        launch(game, 0, "C1>2")
        return game

    game = started()
    game.advance(4000)
    assert (game.game.phase, game.game.hand[0]) == (LOCKED, TRAVEL)
    game.advance(4001)
    assert (game.game.phase, text(game)[0]) == (RACE, "-")
    game = board(*PAIR, rules="wikipedia")
    moves(game)
    assert game.game.hand[0] == OPEN
    game.advance(1500)
    assert (game.game.phase, game.game.hand[0] == OPEN) == (RACE, False)


@pytest.mark.plain
def test_s0_43_two_synchronised_moments() -> None:
    """S0-43, A-20: in the pause before another spit nobody may act either; the race goes on after spit_pause_ms."""
    game = board("5", "3", "L=J R=J", ("[6]", "[9]"), spit_pause_ms=700)
    assert (game.game.phase, game.game.time, game.game.phase_until) == (PAUSE, 0, 700)
    while game.game.phase == PAUSE:
        assert (game.legal(0), game.legal(1)) == ([0], [0])
        game.advance(single=True)
    assert (game.game.phase, game.game.time) == (RACE, 700)
