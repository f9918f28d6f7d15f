"""Whole games of the oracle: the invariants I-1 to I-10, the stuck formula against search, and time in any steps."""

import random
from collections import Counter
from itertools import pairwise

import pytest

from spit_env.cards import rank_of
from spit_env.latency import Latency
from spit_env.spit.rules import PRESETS, SpitRules
from tests import oracle_table as table
from tests.oracle import Oracle
from tests.oracle_race import LOCKED, OVER, RACE, RETURN, THINK, TRAVEL
from tests.sampled_rules import spit_rules
from tests.spit_rules import make_rules

FAST = (Latency.of(200, 250, 120), Latency.of(450, 350, 200))


class Watched(Oracle):
    """Looks at the invariants after every millisecond with events."""

    spat: set[int]
    heights: list[int]
    pile_count: int

    def _pause_over(self) -> None:
        before = [list(player.deck) for player in self.players]
        if self.phase == LOCKED:
            self.heights, self.spat = [0, 0], set()
            assert self.piles == [[], []], "I-6"
            self.pile_count = sum(map(bool, before))
        super()._pause_over()
        self.spat |= set(before[0] + before[1]) - {card for player in self.players for card in player.deck}
        if self.phase == RACE:
            assert all(self.piles[seat] for seat in (0, 1) if before[seat]), "I-8"

    def _settle(self) -> None:
        super()._settle()
        places = [card for pile in self.piles for card in pile]
        for player in self.players:
            places += player.deck + [card for stack in player.stacks for card in stack]
            places += [player.card] * (player.card >= 0)
            moving = player.hand in (TRAVEL, RETURN)
            carries = moving and player.action in (*table.PLAYS, *table.REARRANGES)
            assert carries == (player.card >= 0), "I-2"
            assert (moving or player.hand == THINK) == (player.until > 0)
            assert len(player.stacks) == 5, "I-4"
            for stack, down in zip(player.stacks, player.down, strict=True):
                assert 0 <= down <= len(stack), "I-3"
                assert len({rank_of(card) for card in stack[down:]}) <= 1, "I-3"
        assert sorted(places) == list(range(52)), "I-1"
        assert set(self.known) <= set(self.seen)
        if self.phase == LOCKED:
            assert self.piles == [[], []], "I-6"
        elif self.piles != [[], []]:
            assert sum(map(bool, self.piles)) == self.pile_count, "I-8"
            heights = [len(pile) for pile in self.piles]
            assert all(new >= old for new, old in zip(heights, self.heights, strict=True)), "I-7"
            self.heights = heights
            for pile in self.piles:
                for lower, upper in pairwise(pile):
                    assert upper in self.spat or table.fits(upper, lower, self.rules), "I-5"


def play_on(game: Oracle, seed: int, choices: int = 10_000) -> Oracle:
    """Random choices of players who mostly do something."""
    rng = random.Random(seed)
    for _ in range(choices):
        game.advance(stop_at_choice=True)
        for seat in game.asked():
            legal = game.legal(seat)
            busy = [action for action in legal if action] if rng.random() < 0.9 else legal
            game.choose(seat, rng.choice(busy or legal))
        if game.phase == OVER:
            break
    return game


@pytest.mark.parametrize("preset", PRESETS)
def test_i_1_to_i_8_random_games_of_every_preset(preset: str) -> None:
    for seed in range(2):
        game = play_on(Watched(PRESETS[preset], FAST, seed), seed)
        assert game.phase == OVER
        assert (game.winner >= 0) == (game.end_reason in ("finished", "no_cards_left", "blocked"))


def test_i_1_to_i_8_random_games_of_random_rules() -> None:
    reasons = Counter[str]()
    ahead = Latency.of(100, 50, sigma=(0.5, 0.5), perception_ms=150)
    for seed, rules in enumerate(spit_rules(30)):
        game = play_on(Watched(rules, (FAST[0], ahead), seed, labels=(1, 0) if seed % 2 else (0, 1)), seed, 1500)
        reasons[game.end_reason] += 1
    assert reasons["finished"] > 3
    assert len(reasons) > 2


def test_i_10_t_59_swapped_labels_give_the_mirrored_game() -> None:
    one = Oracle(PRESETS["wikipedia"], [FAST[0], FAST[1]], 7)
    two = Oracle(PRESETS["wikipedia"], [FAST[1], FAST[0]], 7, labels=(1, 0))
    rng = random.Random(7)
    for _ in range(2000):
        one.advance(stop_at_choice=True)
        two.advance(stop_at_choice=True)
        assert one.asked() == [1 - seat for seat in two.asked()]
        for seat in one.asked():
            assert one.legal(seat) == two.legal(1 - seat)
            action = rng.choice(one.legal(seat))
            one.choose(seat, action)
            two.choose(1 - seat, action)
        mine, theirs = one.snapshot(), two.snapshot()
        for key, value in mine.items():
            other = theirs[key]
            if key in ("winner", "chooser"):
                assert (value, other) in ((-1, -1), (0, 1), (1, 0))
            elif isinstance(value, list) and isinstance(other, list) and key not in ("known", "seen"):
                assert value == other[::-1], key
            else:
                assert value == other, key
        if one.phase == OVER:
            return


@pytest.mark.parametrize("perception_ms", [0, 130])
def test_time_may_pass_in_any_steps(perception_ms: int) -> None:
    """Settling where nothing happens changes nothing, so ticks and decisions see one game."""
    slow_eye = Latency.of(200, 120, perception_ms=perception_ms)
    for number, rules in enumerate(spit_rules(8)):
        one, two = (Oracle(rules, (FAST[0], slow_eye), number) for _ in range(2))
        rng = random.Random(number)
        for tick in range(50, 15_000, 50):
            one.advance(tick)
            while two.time < one.time:
                two.advance(min(one.time, two.time + rng.choice((1, 3, 17))))
            assert one.snapshot() == two.snapshot()
            for seat in (0, 1):
                action = rng.choice(one.legal(seat))
                one.choose(seat, action)
                two.choose(seat, action)
            if one.phase == OVER:
                break


def digs(stacks: tuple[tuple[int, ...], ...], combining: bool) -> bool:
    """Whether any sequence of own fills and combines turns up another card. Stacks: cards down, then ranks up."""
    frontier, met = [stacks], {stacks}
    while frontier:
        now = frontier.pop()
        if any(stack[0] > 0 and len(stack) == 1 for stack in now):
            return True
        for i, source in enumerate(now):
            for j, target in enumerate(now):
                if i == j or len(source) == 1:
                    continue
                gap = target == (0,)
                fill = gap and source[0] + len(source) > 2
                if fill or (combining and len(target) > 1 and target[-1] == source[-1]):
                    after = list(now)
                    after[i], after[j] = source[:-1], (*target, source[-1])
                    if (key := tuple(after)) not in met:
                        met.add(key)
                        frontier.append(key)
    return False


@pytest.mark.parametrize("combine", ["equal_rank", "off"])
def test_t_31_a_18_the_stuck_formula_is_search(combine: str) -> None:
    rng = random.Random(31)
    rules = make_rules(combine=combine)
    nothing: list[list[list[int]]] = [[[]] * 5] * 2
    game = Oracle.from_position(rules, FAST, 1, nothing, [[0] * 5] * 2, [[], []], [[0], [0]])
    found = Counter[bool]()
    player = game.players[0]
    for _ in range(3000):
        ranks = rng.sample(range(13), rng.randint(2, 6))
        player.stacks, player.down = [], []
        for _ in range(5):
            down, up = rng.choice((0, 0, 1, 3)), rng.choice((0, 1, 1, 1, 2 if combine == "equal_rank" else 1))
            player.down.append(down if up or rng.random() < 0.1 else 0)
            player.stacks.append([51] * player.down[-1] + [4 * rng.choice(ranks)] * up)
        game.piles = [[4 * rng.randrange(13)], [4 * rng.randrange(13)]]
        stacks = tuple(
            (down, *(rank_of(card) for card in stack[down:]))
            for stack, down in zip(player.stacks, player.down, strict=True)
        )
        plays = any(action in table.PLAYS for action in game.moves(0))
        assert game.is_stuck(0) == (not plays and not digs(stacks, combine == "equal_rank"))
        found[game.is_stuck(0)] += 1
    assert min(found.values()) > 50


def test_same_seed_same_game() -> None:
    one, two = (play_on(Oracle(SpitRules(), FAST, 3), 3, 500).snapshot() for _ in range(2))
    assert one == two
