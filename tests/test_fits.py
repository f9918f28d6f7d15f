"""What Emma knows of the rules: which ranks fit each other."""

from typing import Any

import numpy as np
import pytest

from spit_agents import CaliforniaWeights, Emma, Player, SpeedWeights, play_match
from spit_agents.fits import near, rule_of
from spit_agents.outlook_speed import NEAR, WILD
from spit_env.games import CALIFORNIA_SPEED, SPIT, game_named
from spit_env.latency import make_latency
from spit_env.rules import make_rules
from spit_env.speed.state import accept_bits as speed_bits
from spit_env.spit.state import accept_bits as spit_bits
from spit_env.state import NOOP

RULES = [{"ace_wrap": wrap, "doubles": doubles} for wrap in (True, False) for doubles in (True, False)]


@pytest.mark.plain
@pytest.mark.parametrize("changes", RULES)
def test_the_ranks_that_fit_are_those_of_the_engine(changes: dict[str, bool]) -> None:
    spit: Any = make_rules("emma", **changes)
    speed: Any = make_rules("speed_jokers", **changes)
    assert rule_of(spit) == rule_of(speed)
    bits: Any = spit_bits(spit)  # those of ranks 0 to 12
    assert near()[rule_of(spit)].tolist() == [0, *(bits.astype(int) << 1).tolist()]
    bits = speed_bits(speed)  # and 13, a joker; one with a name fits whatever top has a rank
    plain = NEAR[rule_of(speed)] & ~(1 << WILD)
    assert plain[1:WILD].tolist() == (bits[:-1].astype(int) << 1).tolist()


@pytest.mark.plain
def test_emma_is_the_same_for_the_same_ranks() -> None:
    emma = Emma()
    assert emma.for_rules(make_rules("pagat")).rule == emma.rule
    told = emma.for_rules(make_rules("speed_doubles"))
    assert told is not emma
    assert told.rule == emma.for_rules(make_rules("california_doubles")).rule != emma.rule


def choice(emma: Emma, view: Any, legal: tuple[int, ...], actions: int, draw: int = 0) -> int:
    mask = np.zeros((1, actions), np.int8)
    mask[0, [0, *legal]] = 1
    view.phase, view.pace, view.spread = 1, 77, 10
    return int(emma.act(view, mask, np.array([draw], np.uint32))[0])


@pytest.mark.plain
def test_at_spit_a_king_invites_an_ace_only_if_they_are_neighbours() -> None:
    view: Any = SPIT.observation.zeros((1,))
    view.pile_top[0], view.stack_count[0, :, 0] = (12, 6), 1
    view.stack_card[0, :, 0, 0] = 13, 1  # the opponent's is an ace
    view.stack_count[0, 0, 1], view.stack_card[0, 0, 1, 0] = 1, 5
    king, five = 1, 4
    emma = Emma()
    assert choice(emma, view, (king, five), SPIT.actions) == five
    told = emma.for_rules(make_rules("emma", ace_wrap=False))
    assert choice(told, view, (king, five), SPIT.actions) == king  # the five that stays has two neighbours


@pytest.mark.plain
def test_at_speed_equal_cards_make_a_run_with_doubles_only() -> None:
    game = game_named("speed", 2)
    assert game is not None
    view: Any = game.observation.zeros((1,))
    view.pile_top[0], view.held_count[0], view.stock_count[0] = (5, 11), (3, 5), 9
    view.held_card[0, 0, :3] = 6, 6, 4
    emma = Emma(SpeedWeights()._replace(own_reach=0, opp_play=0))
    six, four = 1, 5
    draws = range(0, 2**32, 2**28)
    assert {choice(emma, view, (six, four), game.actions, draw) for draw in draws} == {six, four}
    told = emma.for_rules(make_rules("speed_doubles"))
    assert {choice(told, view, (six, four), game.actions, draw) for draw in draws} == {six}


@pytest.mark.plain
def test_at_california_speed_a_card_on_its_like_may_be_covered_again_with_doubles() -> None:
    view: Any = CALIFORNIA_SPEED.observation.zeros((1,))
    view.top[0] = (5, 2, 3, 4), (9, 11, 12, 13)
    view.coverable[0, 0, 0] = 1
    view.pack_count, view.height = 20, 1
    view.pack_card[0, 0, 0] = 5
    emma = Emma(CaliforniaWeights(away=0, home=0, open_away=0, open_home=10, wait=-5))
    assert choice(emma, view, (1,), CALIFORNIA_SPEED.actions) == NOOP  # which leaves the place open
    told = emma.for_rules(make_rules("california_doubles"))
    assert choice(told, view, (1,), CALIFORNIA_SPEED.actions) == 1


def test_to_know_the_rules_wins_games() -> None:
    class Untold:
        act = Emma().act

    speed = make_latency()
    players = Player("told", Emma(), speed), Player("untold", Untold(), speed)
    played = play_match(players, 500, seed=41, rules={"ace_wrap": False})
    assert played.win_rate > 0.5 + 3 * 0.5 / 1000**0.5
