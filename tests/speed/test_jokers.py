"""Jokers: what they may be named, what goes on them, and that none is a last card (S2-20, A-38, A-39)."""

import numpy as np
import pytest

from spit_env.batch import Batch
from spit_env.latency import Latency, LogNormal
from spit_env.state import NOOP, OPEN, OVER, PAUSE, RACE, RETURN
from tests.driving import act, land, launch, moves, until, wait
from tests.oracle_boards import steady
from tests.speed.boards import board, hand, pile


@pytest.mark.plain
def test_s2_20_a_joker_goes_on_anything() -> None:
    """S2-20, A-38: as the rank below the top or the one above; it then counts as that rank."""
    game = board("* 7 2 J 3   s0", "x   s15", "L=6 r5   R=Q r5", rules="speed_jokers")
    assert moves(game) == {"P1L", "P1L+", "P1R", "P1R+", "P2L", "P4R"}
    act(game, 0, "P1R+")
    assert pile(game, "R") == "*c=K(2)"
    assert moves(game) == {"P2L"}
    assert game.game.accepts[0] == 1 << 11 | 1 << 0


@pytest.mark.plain
@pytest.mark.parametrize(("ace_wrap", "below", "above"), [(True, "*c=K(2)", "*c=A(2)"), (False, None, None)])
def test_a_38_the_ends_of_the_row(ace_wrap: bool, below: str | None, above: str | None) -> None:
    """A-38, S2-02: king and ace are neighbours; if they are not, there is no rank below an ace or above a king."""
    board_lines = ("* 7   s0", "x   s15", "L=A r5   R=K r5")
    game = board(*board_lines, rules="speed_jokers", ace_wrap=ace_wrap)
    assert moves(game) == ({"P1L", "P1L+", "P1R", "P1R+"} if ace_wrap else {"P1L+", "P1R"})
    for move, letter, shown in (("P1L", "L", below), ("P1R+", "R", above)):
        if shown:
            game = board(*board_lines, rules="speed_jokers", ace_wrap=ace_wrap)
            act(game, 0, move)
            assert pile(game, letter) == shown


@pytest.mark.plain
def test_a_38_doubles_name_no_joker_as_the_top() -> None:
    """A-38, S2-21: with doubles a joker is still the rank below or above, but equal ranks go on its name."""
    game = board("* 7 9   s0", "x   s15", "L=6 r5   R=2 r5", rules="speed_jokers", doubles=True)
    assert moves(game) == {"P1L", "P1L+", "P1R", "P1R+", "P2L"}
    act(game, 0, "P1L+")
    assert moves(game) == {"P2L"}


@pytest.mark.plain
def test_a_38_a_turned_joker_has_no_name() -> None:
    """A-38: anything goes on a joker turned from a reserve, also a joker, which then has no name either."""
    game = board("9 4   s0", "9 4   s0", "L=6 r[2 2]   R=Q r[* 2]", rules="speed_jokers")
    until(game, PAUSE)
    until(game, RACE)
    assert pile(game, "R") == "*c(2)"
    assert game.game.top[0] == 13
    assert moves(game) == {"P1R", "P2R"}
    game = board("9 3 *d   s0", "9 4   s0", "L=6 r5   R=*c r5", rules="speed_jokers")
    assert moves(game) == {"P1R", "P2R", "P3L", "P3L+", "P3R"}
    act(game, 0, "P3R")
    assert pile(game, "R") == "*d(2)"
    assert moves(game) == {"P1R", "P2R"}


@pytest.mark.plain
def test_a_38_nothing_but_a_nameless_joker_follows_no_name() -> None:
    """A-38, S2-13: a joker without a name that flies to a joker that has been covered comes back, and a named one may
    fit."""
    slow, quick = steady(travel=50), steady(travel=10)
    for move, lands in (("P1R", False), ("P2R", True)):
        game = board("*d 8 K   s0", "9 4 4   s0", "L=6 r5   R=*c r5", rules="speed_jokers", latencies=(slow, quick))
        launch(game, 0, move)
        launch(game, 1, "P1R")
        land(game, 0)
        assert (game.game.landings[0] == 1) == lands
        if not lands:
            assert (hand(game), game.game.hand[0] != RETURN) == ("*d 8c Kc - -", True)


@pytest.mark.plain
def test_t74_s2_20_never_the_last_card() -> None:
    """T-74, S2-20: hand {joker}, no stock: no legal play; with a stock it may go."""
    game = board("*   s0", "4   s0", "L=6 r1   R=Q r1", rules="speed_jokers", refill="manual")
    assert moves(game) == set()
    game = board("*   s1", "4   s0", "L=6 r1   R=Q r1", rules="speed_jokers", refill="manual")
    assert moves(game) == {"P1L", "P1L+", "P1R", "P1R+", "DRAW"}


@pytest.mark.plain
def test_t74_a_39_the_joker_goes_first() -> None:
    """T-74, A-39: {7, joker} must play the joker first, which it always can; then the seven wins."""
    game = board("7 *   s0", "4   s0", "L=6 r1   R=8 r1", rules="speed_jokers")
    assert moves(game) == {"P2L", "P2L+", "P2R", "P2R+"}
    act(game, 0, "P2R")
    assert moves(game) == {"P1L"}
    act(game, 0, "P1L")
    assert (game.game.phase, game.game.winner) == (OVER, 0)


@pytest.mark.plain
def test_t74_a_39_not_the_only_natural_card_with_a_stock() -> None:
    """T-74, A-39: nor may it go while the stock has cards, which could all be jokers."""
    lines = ("7   s[*]", "4   s0", "L=6 r1   R=8 r1")
    game = board(*lines, rules="speed_jokers", refill="manual")
    assert moves(game) == {"DRAW"}
    assert moves(board("7 9   s[*]", *lines[1:], rules="speed_jokers", refill="manual")) >= {"P1L", "P2R"}
    assert moves(board("7   s[2]", *lines[1:], refill="manual")) == {"P1L", "P1R", "DRAW"}


@pytest.mark.plain
def test_a_38_the_name_is_given_by_what_its_player_sees() -> None:
    """A-38, A-46: with delayed sight a joker is named after the top that is seen; it need not fit what lies there."""
    late = Latency(think=LogNormal(1), play=LogNormal(50), rearrange=LogNormal(5), perception_ms=300)
    game = board("* 2 K   s0", "7 8   s3", "L=6 r5   R=J r5", rules="speed_jokers", latencies=(late, steady()))
    act(game, 1, "P1L")
    wait(game, 10)
    assert pile(game, "L") == "7c(2)"
    launch(game, 0, "P1L")
    assert game.game.named[0] == 4
    land(game, 0)
    assert game.game.bounces[0] == 1


def test_a_39_nobody_is_ever_left_with_jokers_alone() -> None:
    """A-39, S2-20: in 300 games of random play each hand with cards has a natural one, but while that flies."""
    batch = Batch(300, {"preset": "speed_jokers", "decks": 2, "jokers": 4, "stock": 43}, steady(20, 30), tick_ms=10)
    batch.reset(np.arange(300))
    rng = np.random.default_rng(0)
    g = batch.games
    for _ in range(3000):
        naturals = ((g.held >= 0) & (g.held < 104)).sum(axis=2)
        flies = (g.card >= 0) & (g.card < 104)
        assert ((naturals > 0) | flies | (g.held_n == 0)).all()
        noise = rng.random(batch.masks.shape)
        noise[..., NOOP] = 0.01
        batch.step((noise * batch.masks).argmax(axis=2))
    assert batch.over.mean() > 0.9
    assert set(g.end_reason[batch.over].tolist()) == {1}
    assert (g.hand != OPEN)[batch.over].all()
