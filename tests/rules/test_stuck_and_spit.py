"""Being stuck, spitting and stalling (S0-20..23, A-13, A-17..23, A-31, C-04..06, C-16..18)."""

import random
from collections import Counter
from typing import Any

import pytest

from spit_env.cards import RANK_SYMBOLS
from spit_env.spit.rules import PRESETS
from spit_env.state import IDLE, LOCKED, NOOP, OPEN, OVER, PAUSE, PICK, RACE, RETURN, SLAP, SOLO, THINK
from tests.engine import Engine
from tests.oracle_boards import steady
from tests.rules.boards import act, board, launch, moves, pile_sizes, sizes, text, think, tops, until, wait
from tests.test_oracle_games import digs

DEAD = ("5", "3", "L=J R=J")  # nobody can do anything


@pytest.mark.plain
def test_t30_s0_20_both_stuck_spit_again() -> None:
    """T-30, S0-20, S1-13, S3-10, S4-15, C-20: a pause, then one card from each deck; stacks and rules unchanged."""
    game = board(*DEAD, ("[6 x x x x x x]", 5))
    assert (game.game.phase, game.game.phase_until) == (PAUSE, 1500)
    game.advance(1500)
    assert (game.game.deck_n.tolist(), pile_sizes(game)) == ([6, 4], [2, 2])
    assert (sizes(game), game.game.phase, game.game.progress_at) == ([7, 5], RACE, 1500)
    assert (text(game, 0)[0], text(game, 1)[0]) == ("5", "3")


@pytest.mark.plain
@pytest.mark.parametrize(("y", "e"), [("T", "3"), ("5", "T"), ("T", "T"), ("x", "3")])
def test_t30_neither_or_one_stuck(y: str, e: str) -> None:
    """T-30, B-20: as long as one can act, nobody may spit, under no trigger but mutual_consent."""
    for trigger in ("auto", "request_when_stuck"):
        game = board(y, e, "L=J R=J", spit_trigger=trigger, stall_ms=0)
        for seat in (0, 1):
            assert "SPIT" not in moves(game, seat)
        wait(game, 20_000)
        assert (game.game.phase, pile_sizes(game)) == (RACE, [1, 1])


@pytest.mark.plain
@pytest.mark.parametrize(("spit_trigger", "first"), [
    ("auto", set[str]()), ("request_when_stuck", {"SPIT"}), ("mutual_consent", set[str]()),
])  # fmt: skip
def test_t30_c_17_who_starts_a_spit(spit_trigger: str, first: set[str]) -> None:
    """T-30, C-17, S1-13: spit_trigger says whether a stuck table spits by itself or waits for a call."""
    game = board(*DEAD, ("[6 x x]", "[9 x]"), spit_trigger=spit_trigger)
    assert (moves(game, 0), moves(game, 1)) == (first, first)
    assert game.game.phase == (RACE if first else PAUSE)
    assert game.game.stuck == bool(first)
    if first:
        act(game, 1, "SPIT")
        assert (game.game.phase, game.game.time, game.game.phase_until) == (PAUSE, 11, 1511)
        until(game, RACE)
        assert (game.game.time, game.game.stuck) == (1511, 0)


@pytest.mark.plain
def test_c_17_a_call_is_void_when_the_table_is_no_longer_stuck() -> None:
    """C-17: with the table let go by a flip, a call under way does nothing."""
    game = board("5 | x", "3", "L=J R=J", latencies=[steady(), steady(travel=300)],
                 spit_trigger="request_when_stuck", stuck_test="centre_only")  # fmt: skip
    launch(game, 1, "SPIT")
    act(game, 0, "F2")
    assert game.game.stuck == 0
    game.advance(301)
    assert (game.game.phase, game.game.hand[1], game.game.stuck) == (RACE, THINK, 1)


@pytest.mark.plain
def test_c_17_mutual_consent() -> None:
    """C-17: spit_trigger="mutual_consent": both must call since the last progress, or one while the other is stuck."""
    game = board("8 | x5", "3 | x7", "L=9 R=J", spit_trigger="mutual_consent")
    act(game, 0, "SPIT")
    assert (game.game.consent.tolist(), "SPIT" in moves(game, 0), "SPIT" in moves(game, 1)) == ([1, 0], False, True)
    act(game, 0, "P1L")
    assert game.game.consent.tolist() == [0, 0], "progress clears it"
    act(game, 0, "SPIT")
    act(game, 1, "SPIT")
    assert game.game.phase == PAUSE
    game = board("8 | 8", "3", "L=9 R=J", spit_trigger="mutual_consent")
    act(game, 0, "SPIT")
    assert game.game.phase == PAUSE


@pytest.mark.plain
def test_a_23_a_flight_lands_before_the_agreed_spit() -> None:
    """A-23: mutual_consent is complete while a call is still under way; the spit waits for it."""
    game = board("8 | 8", "8 | 5", "L=9 R=J", latencies=[steady(), steady(travel=300)], spit_trigger="mutual_consent")
    launch(game, 1, "SPIT")
    act(game, 0, "SPIT")
    game.advance(300)
    assert (game.game.phase, game.game.consent.tolist()) == (RACE, [1, 0])
    game.advance(301)
    assert game.game.phase == PAUSE


@pytest.mark.plain
@pytest.mark.parametrize(("y", "stuck"), [
    ("x5 | -", False), ("x5 | x5 | 7 | 9 | 9", False), ("5 | 5 | - | K | -", True), ("5 | x | 9 | 9 | 9", False),
    ("x5 | x4 | 7 | 9 | 2", True), ("x55 | - | K | K | 9", False), ("5", True),
])  # fmt: skip
def test_t31_s0_32_a_18_stuck_or_not(y: str, stuck: bool) -> None:
    """T-31, A-18, S0-32, B-08, B-17: a gap or a pair with a card face down is a way on; only face-up cards are none."""
    assert (board(y, "3", "L=J R=J").game.phase == PAUSE) == stuck


@pytest.mark.parametrize("combine", ["equal_rank", "off"])
def test_t31_a_18_the_stuck_formula_is_search(combine: str) -> None:
    """T-31, A-18: on random boards a player is stuck just if no play fits and no rearranging turns up a card."""
    rng = random.Random(31)
    found = Counter[bool]()
    for seed in range(400):
        left = [RANK_SYMBOLS.index(rank) for rank in rng.sample("A35679QK8", rng.randint(3, 7))] * 3
        stacks: list[tuple[int, ...]] = [(0,)] * 5  # how many cards are face down, then the ranks face up
        for s in rng.sample(range(5), rng.randint(1, 5)):
            up = rng.choice((0, 1, 1, 1, 1, 1, 2 if combine == "equal_rank" else 1))
            rank = rng.choice(left)
            if left.count(rank) > up:
                left.remove(rank)
                stacks[s] = (rng.choice((0, 0, 0, 1, 3)), *[rank] * up)
        slots = ["x" * down + "".join(RANK_SYMBOLS[r] for r in up) or "-" for down, *up in stacks]
        if slots == ["-"] * 5:
            continue
        game = board(" | ".join(slots), "J", "L=3 R=9", (1, 1), seed=seed, combine=combine)
        stuck = not any(slot[-1] in "248T" for slot in slots) and not digs(tuple(stacks), combine == "equal_rank")
        assert (game.game.phase == PAUSE) == stuck, slots
        found[stuck] += 1
    assert min(found.values()) > 60, found


@pytest.mark.plain
@pytest.mark.parametrize(("solo_spit", "deck", "after"), [
    ("own_pile", 5, [1, 2]), ("own_pile", 1, [1, 2]), ("both_piles", 5, [2, 2]), ("both_piles", 1, [1, 2]),
])  # fmt: skip
def test_t32_s0_21_solo_spit(solo_spit: str, deck: int, after: list[int]) -> None:
    """T-32, T-33, S0-21, S0-40, C-06, B-03, B-04: the one deck left spits alone; the other player gives nothing."""
    game = board(*DEAD, (0, deck), solo_spit=solo_spit)
    game.advance(1500)
    assert (pile_sizes(game), sizes(game)) == (after, [1, 1 + deck - sum(after) + 2])


@pytest.mark.plain
@pytest.mark.parametrize(("choice", "after"), [("PICK L", [1, 3]), ("PICK R", [3, 1])])
def test_t32_c_06_either_then_fixed(choice: str, after: list[int]) -> None:
    """T-32, C-06: solo_spit="either_then_fixed": the owner names a pile, with the clock standing, and stays with it."""
    game = board(*DEAD, (0, "[9 9 x x]"), solo_spit="either_then_fixed")
    until(game, SOLO)
    g = game.game
    assert (g.time, g.chooser, game.legal(0), moves(game, 1)) == (1500, 1, [NOOP], {"PICK L", "PICK R"})
    game.advance(9000)
    assert (g.time, g.phase) == (1500, SOLO), "the clock stands still"
    launch(game, 1, choice)
    wait(game, 0)
    assert (g.phase, g.time, sum(pile_sizes(game))) == (PAUSE, 1500, 3)
    game.advance(3000)
    assert (pile_sizes(game), g.chooser) == (after, -1)


@pytest.mark.plain
def test_t33_the_last_deck_card_is_spat_and_then_none() -> None:
    """T-33, B-03, B-15: a deck of one is spat like any other; then the round is blocked."""
    game = board(*DEAD, (0, "[J]"))
    until(game, PICK)
    assert (pile_sizes(game), game.game.deck_n.tolist(), game.game.time) == ([1, 2], [0, 0], 1500)


@pytest.mark.plain
@pytest.mark.parametrize("budget", [0, 2, 12])
def test_t34_a_22_rearranging_for_ever(budget: int) -> None:
    """T-34, A-22, B-13: after rearrange_budget rearrangements the player counts as stuck; progress refills it."""
    game = board("5 | x5 | K | K | K", "3", "L=9 R=9", rearrange_budget=budget)
    for spent in range(budget):
        assert (game.game.budget[0], game.game.phase) == (budget - spent, RACE)
        act(game, 0, "G2>1" if spent % 2 else "C1>2")
    assert (game.game.budget[0], game.game.phase) == (0, PAUSE)
    game.advance(int(game.game.time) + 1500)
    assert game.game.budget.tolist() == [budget, budget]


@pytest.mark.plain
def test_t35_a_20_no_spit_while_a_card_is_in_flight_or_returning() -> None:
    """T-35, A-20: all are stuck, but the table waits for the hand that is under way."""
    game = board("T | 5", "8 | 5", "L=9 R=2", latencies=[steady(travel=50), steady(travel=100)])
    launch(game, 0, "P1L")
    launch(game, 1, "P1L")
    for time, hand in ((100, 3), (101, RETURN), (200, RETURN)):
        game.advance(time)
        assert (game.game.phase, game.game.hand[1]) == (RACE, hand)
    game.advance(201)
    assert game.game.phase == PAUSE


@pytest.mark.plain
def test_t36_a_21_a_spit_without_effect() -> None:
    """T-36, A-21, S1-14: if a spit helps nobody, the next follows, until one does or no deck is left."""
    game = board(*DEAD, ("[J T x]", "[Q 8 6]"))
    times = []
    while game.game.phase == PAUSE:
        times.append(int(game.game.time))
        game.advance(single=True)
    assert times == [0, 1500, 3000]
    assert (tops(game)[:6], moves(game)) == ("L=6(4)", {"P1L"})
    game = board(*DEAD, ("[J T]", "[Q 8]"))
    until(game, PICK)
    assert (game.game.time, game.game.deck_n.tolist()) == (3000, [0, 0])


@pytest.mark.plain
@pytest.mark.parametrize(("blocked", "phase", "held"), [
    ("fewest_stack_cards", PICK, [3, 5]), ("slap_race", SLAP, [3, 5]), ("draw_round", LOCKED, [7, 8]),
    ("fewest_wins_game", OVER, [3, 5]),
])  # fmt: skip
def test_t37_s0_22_c_04_blocked(blocked: str, phase: int, held: list[int]) -> None:
    """T-37, S0-22, C-04: both stuck and no deck: blocked says who wins what. Here Y has 3 stack cards, E has 5."""
    game = board("5|5|5", "3|3|7|7|7", "L=J(3) R=J(4)", (0, 0), blocked=blocked)
    g = game.game
    assert (g.phase, sizes(game)) == (phase, held)
    assert g.chooser == (0 if phase == PICK else -1)
    assert (g.winner, g.end_reason) == ((0, 3) if phase == OVER else (-1, 0))
    assert g.ties_n == 0


@pytest.mark.plain
@pytest.mark.parametrize(("blocked", "winner"), [("fewest_stack_cards", "chooser"), ("fewest_wins_game", "winner")])
def test_t37_s0_23_dead_even_is_a_fair_coin(blocked: str, winner: str) -> None:
    """T-37, S0-23, C-05: blocked_tie="coin": 4 and 4: each wins about half, by one coin, whatever the labels."""
    wins = Counter[tuple[int, int]]()
    for seed in range(200):
        for labels in ((0, 1), (1, 0)):
            game = board("5|5|5|5", "3|3|3|3", "L=J R=J", (0, 0), seed=seed, labels=labels, blocked=blocked,
                         blocked_tie="coin")  # fmt: skip
            assert game.game.ties_n == 1
            wins[int(game.game[winner]), labels[0]] += 1
    assert wins[0, 0] == wins[1, 1], "the mirrored game"
    assert 79 < wins[0, 0] < 121  # 3 sigma


@pytest.mark.plain
@pytest.mark.parametrize("blocked", ["fewest_stack_cards", "fewest_wins_game"])
def test_t37_c_05_void_round(blocked: str) -> None:
    """T-37, C-05: blocked_tie="void_round": nobody wins; each takes up the own pile and the next round is dealt."""
    game = board("5|5", "3|3", "L=J(3) R=J(4)", (0, 0), blocked=blocked, blocked_tie="void_round")
    g = game.game
    assert (g.phase, g.rounds, sizes(game), g.ties_n, g.winner) == (LOCKED, 1, [6, 5], 0, -1)
    game = board("5|5", "3|3|3", "L=J(3) R=J(4)", (0, 0), blocked=blocked, blocked_tie="void_round")
    assert game.game.phase == (PICK if blocked == "fewest_stack_cards" else OVER), "no tie, no void round"


@pytest.mark.plain
def test_t38_a_31_a_leftover_owner_picks_and_keeps_leftovers() -> None:
    """T-38, A-31, S0-26: the winner of a blocked round picks, even the larger pile; both keep their leftovers."""
    game = board("5|5|5", "3|3|7|7|7", "L=J(6) R=J(19)", (0, 0))
    launch(game, 0, "PICK R")
    assert (sizes(game), game.game.phase, game.game.winner) == ([19 + 3, 6 + 5], LOCKED, -1)


@pytest.mark.plain
def test_t38_a_31_a_blocked_one_pile_round_wins_no_game() -> None:
    """T-38, A-31, A-29: in a blocked one-pile round the one with fewer cards leaves the pile to the other."""
    game = board("5|5|5", "3|3|7|7|7", "L=J(6)", (0, 0))
    assert (sizes(game), game.game.winner, game.game.rounds) == ([3, 6 + 5], -1, 1)
    game = board("5|5|5", "3|3|7|7|7", "L=J(6)", (0, 0), blocked="slap_race")
    assert (sizes(game), game.game.rounds) == ([3, 6 + 5], 1), "one pile: no slap race"


@pytest.mark.plain
@pytest.mark.parametrize(("stuck_test", "phase"), [("productive", RACE), ("centre_only", PAUSE)])
@pytest.mark.parametrize("y", ["x5 | -", "5 | x", "x5 | x5 | 9"])
def test_t39_c_16_centre_only_spits_too_early(stuck_test: str, phase: int, y: str) -> None:
    """T-39, C-16: stuck_test="centre_only" looks at plays only, and spits where T-31 does not."""
    assert board(y, "3", "L=J R=J", stuck_test=stuck_test).game.phase == phase


# Letting it lie


def lie(game: Engine, seat: int) -> None:
    """The seat's hand opens and it waits."""
    launch(game, seat, "-")


@pytest.mark.plain
@pytest.mark.parametrize("stall_ms", [700, 5000])
def test_a_13_stall(stall_ms: int) -> None:
    """A-13: once all who can act have let it lie for stall_ms, the table counts as stuck."""
    game = board("8 | x5", "3", "L=9 R=J", stall_ms=stall_ms)
    lie(game, 0)
    game.advance(stall_ms - 1)
    assert game.game.phase == RACE
    game.advance(stall_ms)
    assert game.game.phase == PAUSE
    game = board("8 | x5", "3", "L=9 R=J", stall_ms=stall_ms)
    wait(game, 20_000)
    assert game.game.phase == RACE, "an open hand that was never asked holds the table up"
    lie(game, 0)
    wait(game, 0)
    assert game.game.phase == PAUSE
    game = board("8 | x5", "3 | x", "L=9 R=J", stall_ms=stall_ms)
    lie(game, 0)
    wait(game, 20_000)
    assert game.game.phase == RACE, "E has not declined"


@pytest.mark.plain
def test_a_13_no_stall_limit() -> None:
    """A-13: stall_ms=0: it may lie until max_idle_ms ends the game."""
    game = board("8 | x5", "3", "L=9 R=J", stall_ms=0)
    lie(game, 0)
    game.advance(29_999)
    assert game.game.phase == RACE
    game.advance()
    assert (game.game.phase, game.game.time) == (OVER, 30_000)


@pytest.mark.plain
@pytest.mark.parametrize("must_play", [False, True])
def test_a_13_s4_14_must_play(must_play: bool) -> None:
    """A-13, C-18, S4-14: must_play: after stall_ms waiting is no longer legal for who has a play; else it always is."""
    game = board("8 | 5", "5", "L=9 R=2", must_play=must_play, stall_ms=3000)
    think(game, 0)
    game.advance(2999)
    assert game.legal(0) == [NOOP, 2]
    game.advance(3000)
    assert (game.legal(0), game.game.phase) == ([2] if must_play else [NOOP, 2], RACE)
    game.advance(None, stop_at_choice=True)
    assert (game.game.time, game.asked()) == (3000, [0])
    game = board("x5 | -", "3", "L=J R=J", must_play=must_play, stall_ms=3000)
    think(game, 0)
    game.advance(9000)
    assert game.legal(0)[0] == NOOP, "only a play is demanded, no rearranging"


@pytest.mark.plain
def test_c_17_a_stalled_request_spits_and_a_blocked_table_needs_none() -> None:
    """C-17, A-13: spit_trigger="request_when_stuck": nobody calls for stall_ms: the table spits by itself."""
    game = board(*DEAD, spit_trigger="request_when_stuck")
    lie(game, 0)
    lie(game, 1)
    game.advance(4999)
    assert (game.game.phase, game.game.stuck) == (RACE, 1)
    game.advance(5000)
    assert game.game.phase == PAUSE
    game = board("5", "3|3", "L=J R=J", (0, 0), spit_trigger="request_when_stuck")
    assert (game.game.phase, game.game.chooser) == (PICK, 0)


@pytest.mark.plain
@pytest.mark.parametrize("preset", PRESETS)
def test_stuck_hands_are_idle(preset: str) -> None:
    """A-20: who has nothing legal does not think; a spit frees both hands and they start afresh."""
    game = board("5", "T | x", "L=J R=J", rules=preset)
    assert (game.game.hand[0], game.game.hand[1]) == (IDLE, THINK)
    values: dict[str, Any] = {"stall_ms": 700} if not PRESETS[preset].must_play else {}
    game = board("8 | x5", "3", "L=9 R=J", ("[7]", "[J]"), rules=preset, **values)
    if values:
        lie(game, 0)
        until(game, PAUSE)
        assert (game.game.hand.tolist(), game.game.declined.tolist()) == ([IDLE, IDLE], [0, 0])
        until(game, RACE)
        assert (game.game.hand[0], game.game.think_n[0]) == (THINK, 2)
        think(game, 0)
        assert game.game.hand[0] == OPEN
