"""Contention, hands, timers, ticks and speed (S0-15, S0-34, S0-38, A-08..12, A-26, A-43..47)."""

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

from spit_env.batch import Batch, make_seeds
from spit_env.games import parse_board
from spit_env.latency import PROFILES, Latency, LogNormal
from spit_env.replay import load_game, save_game, state_hash
from spit_env.spit.state import FIRST_FLIP, FIRST_MOVE
from spit_env.state import IDLE, LOCKED, NOOP, OPEN, OVER, PAUSE, PICK, RACE, RETURN, SLAP, THINK, TRAVEL
from tests.engine import Engine
from tests.oracle_boards import steady
from tests.random_games import HASTY, choices_of
from tests.rules.boards import act, board, launch, moves, new_game, pile_sizes, text, think, tops, until
from tests.spit_rules import make_rules

RANKS = "A23456789TJQK"


def both_play(rules: Any = "emma", *, seed: int = 1, travel: tuple[int, int] = (10, 10), **changes: Any) -> Engine:
    """Y's ten and E's eight set out for the nine at 1 ms."""
    latencies = [steady(travel=ms) for ms in travel]
    game = board("T | x5", "8 | x5", "L=9 R=2", rules=rules, seed=seed, latencies=latencies, **changes)
    launch(game, 0, "P1L")
    launch(game, 1, "P1L")
    return game


@pytest.mark.plain
@pytest.mark.parametrize(("return_ms", "back"), [(-1, 201), (0, 101), (300, 401)])
def test_t50_s0_15_first_to_land_wins(return_ms: int, back: int) -> None:
    """T-50, S0-15, S2-13, A-11, B-16: the first stays; the second goes back, for return_ms or as long as it flew."""
    game = both_play(travel=(99, 100), return_ms=return_ms)
    game.advance(100)
    assert tops(game) == "L=T(2) R=2(1)"
    g = game.game
    for time in range(101, back, 33):
        game.advance(time)
        assert (g.hand[1], g.until[1], text(game, 1)[0], game.legal(1)) == (RETURN, back, "-", [NOOP])
    game.advance(back)
    assert (g.hand[1], text(game, 1)[0], tops(game)) == (THINK, "8", "L=T(2) R=2(1)")
    assert (g.landings.tolist(), g.bounces.tolist()) == ([1, 0], [0, 1])


@pytest.mark.plain
@pytest.mark.parametrize("tie_break", ["random", "both_return", "alternate"])
def test_t50_a_08_ties_of_landing(tie_break: str) -> None:
    """T-50, A-08, S2-25: tie_break: two cards on one pile in one millisecond: a coin, both return, or in turn."""
    wins = Counter[int]()
    for seed in range(40):
        game = both_play(seed=seed, tie_break=tie_break)
        game.advance(11)
        g = game.game
        wins[int(g.landings[0])] += 1
        assert g.ties_n == (tie_break == "random")
        assert g.landings.sum() == (0 if tie_break == "both_return" else 1)
        assert sorted(g.hand.tolist()) == ([RETURN] * 2 if tie_break == "both_return" else [THINK, RETURN])
    assert {"random": wins[0] > 8 and wins[1] > 8, "both_return": wins[0] == 40, "alternate": wins[1] == 40}[tie_break]


@pytest.mark.plain
def test_a_08_alternate_takes_turns() -> None:
    """A-08: tie_break="alternate": the second time the other goes first; ties of other kinds use the coin."""
    game = both_play(tie_break="alternate")
    game.advance(21)
    assert game.game.landings.tolist() == [1, 0]
    game = board("T | T | x5", "Q | Q | x5", "L=J R=J", tie_break="alternate")
    for pile, landings in (("L", [1, 0]), ("R", [1, 1])):
        think(game, 0)
        think(game, 1)
        launch(game, 0, f"P{1 if pile == 'L' else 2}{pile}")
        launch(game, 1, f"P1{pile}")
        game.advance(int(game.game.time) + 10)
        assert game.game.landings.tolist() == landings
        game.advance(int(game.game.time) + 11)
    assert game.game.ties_n == 0
    game = board("T | x5", "A | x5", "L=9 R=2", tie_break="alternate")
    launch(game, 0, "P1L")
    launch(game, 1, "P1R")
    game.advance(11)
    assert (game.game.landings.tolist(), game.game.ties_n) == ([1, 1], 1)


def card(rank: int) -> str:
    return RANKS[rank % 13]


@pytest.mark.plain
def test_t51_one_other_play_kills_a_flying_card() -> None:
    """T-51: without doubles, after exactly one other play on its pile a flying card never lands (52 cases)."""
    for top, mine, theirs in product(range(13), (1, -1), (1, -1)):
        game = board(f"{card(top + mine)} | x", f"{card(top + theirs)} | x", f"L={card(top)}",
                     latencies=[steady(travel=100), steady()])  # fmt: skip
        launch(game, 0, "P1L")
        act(game, 1, "P1L")
        game.advance(101)
        assert (game.game.landings.tolist(), game.game.bounces.tolist()) == ([0, 1], [1, 0])


def test_t51_two_other_plays_or_doubles_do_not_always() -> None:
    """T-51, A-09: after two plays it lands in 78 of 104 cases; with doubles after one in 7 of 9."""
    landed = [0, 0]
    for top, mine, first, second in product(range(13), (1, -1), (1, -1), (1, -1)):
        game = board(f"{card(top + mine)} | x", f"{card(top + first)} | {card(top + first + second)} | x",
                     f"L={card(top)}", latencies=[steady(travel=100), steady()])  # fmt: skip
        launch(game, 0, "P1L")
        act(game, 1, "P1L")
        act(game, 1, "P2L")
        game.advance(101)
        landed[0] += game.game.landings[0]
    for mine, theirs in product((1, 0, -1), repeat=2):
        game = board(f"{card(5 + mine)} | x", f"{card(5 + theirs)} | x", f"L={card(5)}",
                     latencies=[steady(travel=100), steady()], doubles=True)  # fmt: skip
        launch(game, 0, "P1L")
        act(game, 1, "P1L")
        game.advance(101)
        landed[1] += game.game.landings[0]
    assert landed == [78, 7]


@pytest.mark.plain
@pytest.mark.parametrize(("land_check", "landed"), [("at_landing", 1), ("strict", 0)])
def test_t52_a_09_two_changes_back_to_the_same_rank(land_check: str, landed: int) -> None:
    """T-52, A-09: land_check: judged on the top as it then is, or returned by any change since the launch."""
    game = board("T | x5", "8 | 9 | x5", "L=9 R=2", latencies=[steady(travel=100), steady()], land_check=land_check)
    launch(game, 0, "P1L")
    act(game, 1, "P1L")
    act(game, 1, "P2L")
    game.advance(101)
    assert (game.game.landings[0], game.game.bounces[0]) == (landed, 1 - landed)
    game = board("T | x5", "A | x5", "L=9 R=2", latencies=[steady(travel=100), steady()], land_check=land_check)
    launch(game, 0, "P1L")
    act(game, 1, "P1R")
    game.advance(101)
    assert game.game.landings.tolist() == [1, 1], "the other pile does not matter"


@pytest.mark.plain
@pytest.mark.parametrize("state", [THINK, OPEN])
def test_t53_b_11_intentions_are_cancelled(state: int) -> None:
    """T-53, A-20, A-26, B-11: what is being thought of at a spit, a pick or a round's end never happens."""
    slow = [steady(), steady(think=60 if state == THINK else 3)]
    game = board("8", "8 | x3", "L=9 R=4", (2, 9), latencies=slow)  # round end, pick
    if state == OPEN:
        think(game, 1)
    act(game, 0, "P1L")
    assert (game.game.phase, game.game.hand.tolist(), game.legal(1)) == (PICK, [IDLE, IDLE], [NOOP])
    game = board("8 | 5", "8 | x3", "L=9 R=4", latencies=[steady(), steady()], spit_trigger="mutual_consent")
    act(game, 1, "SPIT")  # spit
    think(game, 1)
    act(game, 0, "SPIT")
    g = game.game
    assert (g.phase, g.hand.tolist(), g.declined.tolist(), game.asked(False)) == (PAUSE, [IDLE, IDLE], [0, 0], [])
    thought = g.think_n.tolist()
    until(game, RACE)
    assert (g.landings.tolist(), g.think_n.tolist()) == ([0, 0], [n + 1 for n in thought])


@pytest.mark.plain
def test_t54_b_10_an_action_is_of_a_card() -> None:
    """T-54, B-10: what lands, or comes back, is the very card that was taken, whatever has happened meanwhile."""
    game = board("x8 | x8 | 8", "9 | T | x", "L=9 R=7", latencies=[steady(travel=100), steady()])
    eight = int(game.game.stack[0, 1, 1])
    launch(game, 0, "P2R")
    assert (game.game.card[0], text(game)[1]) == (eight, "x")
    act(game, 1, "P2L")
    game.advance(101)
    assert game.game.pile[0, 1] == eight
    game = board("x8 | x8 | 8", "T | x", "L=9", latencies=[steady(travel=100), steady()])
    eight = int(game.game.stack[0, 1, 1])
    launch(game, 0, "P2L")
    act(game, 1, "P1L")
    game.advance(201)
    assert (game.game.stack[0, 1, 1], text(game)) == (eight, ["x8", "x8", "8", "-", "-"])


@pytest.mark.plain
def test_t55_b_12_a_stale_target_is_thought_over_once() -> None:
    """T-55, B-12: after a bounce the hand thinks once and is asked about the table as it now is."""
    game = board("T | x5 | 3 | Q | K", "8 | x5", "L=9 R=2", latencies=[steady(think=40, travel=100), steady(travel=50)])
    launch(game, 0, "P1L")
    launch(game, 1, "P1L")
    game.advance(140)
    assert (game.game.hand[0], game.game.until[0]) == (RETURN, 240)
    game.advance(240)
    assert (game.game.hand[0], game.game.until[0]) == (THINK, 280)
    game.advance(280)
    assert (game.game.hand[0], moves(game)) == (OPEN, {"P3R"})


@pytest.mark.plain
@pytest.mark.parametrize(("move", "ms"), [("P1L", 11), ("F2", 17), ("C3>4", 13), ("G3>5", 13), ("SPIT", 19)])
def test_t56_b_18_total_time(move: str, ms: int) -> None:
    """T-56, B-18, B-21: thinking and travel of the action's kind, and nothing else; a bounce adds its way back."""
    times = Latency(
        think=LogNormal(7), play=LogNormal(11), rearrange=LogNormal(13), flip=LogNormal(17), call=LogNormal(19)
    )
    game = board("8 | xx | xK | K", "8 | x", "L=9 R=J", latencies=[times, times], spit_trigger="mutual_consent")
    launch(game, 0, move)
    assert (game.game.time, game.game.until[0], game.game.travel_ms[0]) == (7, 7 + ms, ms)
    game.advance(7 + ms)
    assert (game.game.hand[0], game.game.until[0]) == (THINK, 7 + ms + 7)


@pytest.mark.plain
def test_t56_a_11_a_bounce_adds_its_way_back() -> None:
    """T-56, A-11: thinking, the way there, the way back, and only then thinking again."""
    game = board("T | x", "8 | x", "L=9", latencies=[steady(think=7, travel=40), steady(think=7, travel=31)])
    launch(game, 0, "P1L")
    launch(game, 1, "P1L")
    game.advance(7 + 40 + 40)
    assert (game.game.bounces[0], game.game.hand[0], game.game.until[0]) == (1, THINK, 7 + 40 + 40 + 7)


@pytest.mark.plain
@pytest.mark.parametrize("tick_ms", [1, 25, 50])
def test_t56_ticks_delay_a_choice_to_the_next_one(tick_ms: int) -> None:
    """T-56, A-43: in ticks the choice starts at the next tick boundary; landings are exact."""
    batch = Batch(1, latencies=steady(think=30, travel=110), tick_ms=tick_ms)
    batch.reset([1], boards=np.array([parse_board("Y: 8 | x\nE: x | x\nL=9 R=J")]))
    while batch.games[0].landings[0] == 0:
        batch.step(np.array([[2 * int(batch.masks[0, 0, 2]), 0]]))
    assert batch.games[0].progress_at == -(-30 // tick_ms) * tick_ms + 110


def test_t57_a_busy_mask_is_noop_only() -> None:
    """T-57, A-43: who is thinking, under way or not to choose has NOOP only; whoever is asked has more."""
    for preset in ("emma", "pagat", "wikipedia", "de_s3"):
        batch = Batch(1, preset, HASTY, tick_ms=20)
        batch.reset([5])
        rng = np.random.default_rng(5)
        seen = Counter[int]()
        for _ in range(1500):
            g = batch.games[0]
            for seat in (0, 1):
                free = g.hand[seat] == OPEN or g.chooser == seat
                legal = np.flatnonzero(batch.masks[0, seat]).tolist()
                assert batch.asked[0, seat] == free
                assert (legal == [NOOP]) == (not free), (g.phase, g.hand[seat], legal)
                seen[int(g.hand[seat])] += 1
            batch.step(choices_of(batch, rng))
        assert set(seen) == {IDLE, THINK, OPEN, TRAVEL, RETURN}


@pytest.mark.plain
def test_t58_s0_34_pause_and_restore() -> None:
    """T-58, S0-34, A-47: a game saved in mid-flight opens paused, and goes on as it would have (see test_replay.py)."""
    game = both_play(travel=(40, 90))
    game.advance(20)
    record, past = load_game(save_game(game.game, game.batch.past[0]))
    other = both_play(travel=(40, 90))
    other.batch.games[0], other.batch.past[0] = record, past
    other.advance(5000)
    assert (other.game.time, other.game.paused) == (20, 1)
    other.game.paused = 0
    for engine in (game, other):
        engine.advance(41)
        assert (tops(engine), engine.game.hand[1], engine.game.until[1]) == ("L=T(2) R=2(1)", TRAVEL, 91)
        engine.advance(181)
    assert state_hash(game.game) == state_hash(other.game)


@pytest.mark.plain
def test_t59_ticks_agree_on_the_landing_order() -> None:
    """T-59, A-44: ticks of 25, 50 and 100 ms and decisions agree on who lands first if the gap exceeds 100 ms."""
    wide = 0
    latency = Latency.of(400, 300, sigma=(0.5, 0.5))
    for seed in range(50):
        game = board("8 | x", "T | x", "L=9", seed=seed, latencies=[latency, latency])
        for seat in sorted((0, 1), key=lambda p: int(game.game.until[p])):
            if "P1L" in moves(game, seat):
                launch(game, seat, "P1L")
        due = game.game.until.tolist()
        if game.game.hand.tolist() != [TRAVEL, TRAVEL] or abs(due[0] - due[1]) <= 100:
            continue
        wide += 1
        for tick_ms in (None, 25, 50, 100):
            batch = Batch(1, latencies=latency, tick_ms=tick_ms)
            batch.reset([seed], boards=np.array([parse_board("Y: 8 | x\nE: T | x\nL=9 R=-", seed=seed)]))
            while batch.games[0].landings.sum() == 0:
                batch.step(np.array([[2 * int(batch.masks[0, 0, 2]), int(batch.masks[0, 1, 1])]]))
            assert batch.games[0].landings.argmax() == np.argmin(due)
    assert wide > 15


def prefers(masks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A bot without chance: flip first, else play from the highest stack number, else rearrange, else wait."""
    order = np.concatenate([np.arange(FIRST_FLIP, FIRST_MOVE), np.arange(1, FIRST_FLIP)[::-1], np.arange(37, 39),
                            np.arange(FIRST_MOVE, 37), [0]])  # fmt: skip
    return order[masks[..., order].argmax(-1)]  # type: ignore[no-any-return]


@pytest.mark.parametrize("tie_break", ["random", "both_return", "alternate"])
def test_t60_identical_bots_win_half(tie_break: str) -> None:
    """T-60, A-08: 600 games of equal bots whose cards often meet: within 3 sigma of half, whatever tie_break."""
    games = 600
    batch = Batch(games, make_rules(tie_break=tie_break), Latency.of(10, 10))
    batch.reset(make_seeds(60, games))
    while not batch.over.all():
        batch.step(prefers(batch.masks))
    winner = batch.games.winner
    assert batch.games.bounces.sum() > games / 10
    decided = winner >= 0
    assert decided.mean() > 0.9
    assert abs((winner[decided] == 0).mean() - 0.5) < 1.5 / decided.sum() ** 0.5


@pytest.mark.plain
def test_t61_s0_38_latency_changes_no_legality() -> None:
    """T-61, S0-38: players of every speed find the same moves legal along one sequence of landings."""
    told = []
    for latency in PROFILES.values():
        game = board("8 | x7 | T | A | x", "3 | xQ", "L=9 R=K", latencies=[latency, latency], seed=8)
        log = [moves(game, 0)]
        for move in ("P1L", "P2L", "F2", "P4R", "F5"):
            act(game, 0, move)
            log.append(moves(game, 0))
        told.append((log, tops(game), text(game), pile_sizes(game)))
    assert all(one == told[0] for one in told)


@pytest.mark.plain
def test_a_46_perception() -> None:
    """A-46: with perception_ms the mask follows the table as it was; landings follow the table as it is."""
    game = board("T | J | x5", "8 | 5", "L=9 R=2", latencies=[steady(perception_ms=200), steady()])
    act(game, 1, "P1L")
    assert (game.game.time, tops(game)) == (11, "L=8(2) R=2(1)")
    launch(game, 0, "P1L")
    game.advance(21)
    assert game.game.hand[0] == RETURN
    game.advance(210)
    assert "P1L" in moves(game, 0)
    game.advance(211)
    assert "P1L" not in moves(game, 0)


@pytest.mark.plain
def test_a_46_a_board_to_begin_with_is_seen_at_once() -> None:
    """A-46: while nothing has happened yet, the table as it was is the table as it is."""
    game = board("T | 5", "8 | 5", "L=9 R=2", latencies=[steady(perception_ms=200), steady()])
    assert list(game.game.hand) == [THINK, THINK]


@pytest.mark.plain
def test_a_12_thinking_goes_on_when_its_reason_has_gone() -> None:
    """A-12, A-43: a think goes on to its end, then the hand is idle; a choice once made cannot be recalled."""
    game = board("T", "8 | x5", "L=9 R=2", latencies=[steady(think=50), steady(think=1, travel=10)])
    launch(game, 1, "P1L")
    game.advance(49)
    assert (game.game.hand[0], game.game.until[0]) == (THINK, 50)
    game.advance(50)
    assert (game.game.hand[0], game.legal(0)) == (IDLE, [NOOP])
    game = board("T | x", "5", "L=9")
    launch(game, 0, "P1L")
    assert (game.asked(False), game.legal(0)) == ([], [NOOP])


@pytest.mark.plain
def test_b_11_no_slap_crosses_a_phase() -> None:
    """B-11, A-26: a slap under way at the deal is void; the new round begins locked with idle hands."""
    game = board("8", "x5 | 3", "L=9(5) R=J(19)", (7, 17), rules="pagat", latencies=[steady(travel=50), steady()])
    act(game, 0, "P1L")
    assert game.game.phase == SLAP
    launch(game, 0, "PICK R")
    act(game, 1, "PICK R")
    assert (game.game.phase, game.game.hand.tolist(), game.game.rounds) == (LOCKED, [IDLE, IDLE], 1)
    until(game, RACE)
    assert game.game.rounds == 1
    assert new_game("pagat").game.phase != OVER
