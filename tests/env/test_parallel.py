"""The PettingZoo faces: what the API promises, arguments, boards, seeds, pictures, errors."""

import copy
import pickle
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test

import spit_env
from spit_env.batch import make_seeds
from spit_env.conformance.play import RESET, STEP, compare, walk
from spit_env.conformance.play import Subject as Face
from spit_env.env import SpitEnv, board_option, env, parallel_env
from spit_env.errors import BadBoard, BadLatency, BadRules, BadText, GameOver
from spit_env.registry import register_envs
from spit_env.spit.board import format_board
from spit_env.state import OPEN, OVER

BOARD = """
Y: 7 | x9 | xx3 | [2c](5d)xQs | -   d11
E: 4h | xJ | xx8 | xxx8 | xxxxT   d[2h x (5c)]
L=9(6) R=Kd
"""
STEPPINGS = ["tick", "decision"]
NOBODY = {"player_0": 0, "player_1": 0}


def played(steps: int, seed: int = 1, **kwargs: Any) -> SpitEnv:
    """A game after so many steps of random choices."""
    made = parallel_env(**kwargs)
    for _ in walk(Face(made), seed, steps):
        pass
    return made


class Counting(SpitEnv):
    """Counts the rejected actions of all its games."""

    rejected = 0

    def step(self, actions: Any) -> Any:
        results = super().step(actions)
        self.rejected += sum(info["action_rejected"] for info in results[4].values())
        return results


@pytest.mark.filterwarnings("ignore:Observation")  # that it is a dict, which PettingZoo wants for masks
@pytest.mark.parametrize("stepping", STEPPINGS)
def test_pettingzoos_own_tests(stepping: Any, capsys: pytest.CaptureFixture[str]) -> None:
    counting = Counting(stepping=stepping, rules={"max_rounds": 2})
    parallel_api_test(counting, num_cycles=1000)
    assert counting.rejected == 0
    parallel_seed_test(partial(parallel_env, stepping=stepping))
    api_test(env(stepping=stepping, rules={"max_rounds": 2}), num_cycles=1000)


def test_the_ids_are_registered_once() -> None:
    register_envs()
    if not hasattr(pettingzoo, "make"):
        pytest.skip("the registry is new in PettingZoo 1.27")
    made: Any = pettingzoo.make("parallel", "spit/Spit-v0", rules="pagat", stepping="decision")
    assert made.unwrapped.batch.rules == spit_env.PRESETS["pagat"]
    made.reset(seed=1)


@pytest.mark.parametrize("stepping", STEPPINGS)
@pytest.mark.parametrize("render_mode", [None, "rgb_array"])
def test_copies_in_mid_game_go_on_alike(render_mode: str | None, stepping: str) -> None:
    made = played(300 if stepping == "tick" else 60, stepping=stepping, render_mode=render_mode)
    ours = Face(made)
    others = [Face(pickle.loads(pickle.dumps(made))), Face(copy.deepcopy(made))]
    observations = {a: {"action_mask": made.batch.masks[0, p]} for p, a in enumerate(made.agents)}
    rng = np.random.default_rng(0)
    for step in range(100):
        actions = {a: int(rng.choice(np.flatnonzero(o["action_mask"]))) for a, o in observations.items()}
        outputs = ours.step(actions)
        for other in others:
            compare(1, step, outputs, other.step(actions), "copy")
            if render_mode and step % 25 == 0:
                assert np.array_equal(np.asarray(other.env.render()), np.asarray(made.render()))
        observations = outputs[0]
    assert made.agents


@pytest.mark.plain
def test_options_survive_every_reset() -> None:
    made = parallel_env(
        rules={"preset": "wikipedia", "doubles": True, "stall_ms": 700}, latency=("emma:easy", "emma:expert"),
        recall="none", stepping="decision", wait_ms=250, shaping="cards", tau_s=5.0,
    )  # fmt: skip
    held = []
    for n in range(20):
        made.reset(seed=n if n % 2 else None)
        game = made.game
        held.append(
            (made.batch.rules, game.latency.tolist(), int(game.wait_ms), game.accept_bits.tolist(), int(game.stall_ms),
             made.batch.recall, made.stepping, made.shaping.name, made.shaping.tau_s)
        )  # fmt: skip
    assert all(options == held[0] for options in held)
    assert held[0][2] == 250
    assert held[0][4] == 700


@pytest.mark.plain
def test_a_run_is_a_sequence_of_games_with_known_seeds() -> None:
    made = parallel_env()
    made.reset(seed=9)
    seeds = [int(made.game.seed)]
    for _ in range(4):
        made.reset()
        seeds.append(int(made.game.seed))
    assert seeds == make_seeds(9, 5).tolist()
    assert len(set(seeds)) == 5
    made.reset(seed=np.int64(9))  # type: ignore[arg-type]
    assert made.game.seed == seeds[0]
    unseeded = [parallel_env() for _ in range(3)]
    for other in unseeded:
        other.reset()
    assert len({int(other.game.seed) for other in unseeded}) == 3


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "1", True])
def test_a_bad_seed_is_refused(seed: Any) -> None:
    with pytest.raises(ValueError, match=r"seed=.* must be a whole number from 0 to 2\*\*63 - 1"):
        parallel_env().reset(seed=seed)


@pytest.mark.plain
@pytest.mark.parametrize("stepping", STEPPINGS)
def test_a_game_begins_from_a_board(stepping: Any) -> None:
    made = parallel_env(stepping=stepping)
    made.reset(seed=3, options={"board": BOARD})
    first = format_board(made.game, reveal=True)
    assert format_board(made.game).split() == format_board(spit_env.parse_board(BOARD)).split()
    seen = made.table.named(made.state()[: made.table.size])
    assert seen["pile_top"].tolist() == [13, 9]  # the own pile of player_0 is R, a king
    assert seen["stack_count"].tolist() == [[1, 2, 3, 4, 0], [1, 2, 3, 4, 5]]
    made.reset(seed=4, options={"board": BOARD})
    assert format_board(made.game, reveal=True) != first  # the open cards are drawn with the game's seed
    made.reset(seed=3, options={"board": BOARD})
    assert format_board(made.game, reveal=True) == first
    made.reset()
    assert made.game.height.sum() == 30  # only that one game


def test_reset_options_of_others_pass_and_slips_do_not() -> None:
    assert board_option(None) is None
    assert board_option({"options": 1}) is None  # PettingZoo's kit passes such a key
    with pytest.raises(ValueError, match="unknown reset option 'bord'; known: 'board'"):
        parallel_env().reset(options={"bord": BOARD})
    with pytest.raises(BadText):
        parallel_env().reset(options={"board": "nonsense"})
    with pytest.raises(BadBoard, match="Kd"):
        parallel_env().reset(options={"board": BOARD.replace("4h", "Kd")})


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"rules": "ema"}, BadRules, "'ema' .*did you mean 'emma'.*known: emma, classic_s1"),
        ({"rules": {"dubles": True}}, BadRules, "unknown rule 'dubles' .*did you mean 'doubles'"),
        ({"rules": {"flip": "often"}}, BadRules, "flip='often' is unknown; one of 'manual', 'auto'"),
        ({"rules": {"max_rounds": 0}}, BadRules, "max_rounds=0 must be a whole number from 1"),
        ({"latency": "emma:hrd"}, BadLatency, "did you mean 'emma:hard'.*known: emma:easy"),
        ({"latency": ("emma:hard",) * 3}, ValueError, "one for all, or 2"),
        ({"latency": {"thinc": [1, 0]}}, BadLatency, "unknown latency key 'thinc'"),
        ({"latency": {"think": [-1, 0]}}, BadLatency, "think=.* must be 0 to 60000"),
        ({"recall": "some"}, ValueError, "recall='some' is unknown; one of 'perfect', 'none'"),
        ({"stepping": "turn"}, ValueError, "stepping='turn' is unknown; one of 'tick', 'decision'"),
        ({"tick_ms": 0}, ValueError, "tick_ms=0 must be .*1 to 10000"),
        ({"wait_ms": 0}, ValueError, "wait_ms=0 must be 1 to 60000"),
        ({"shaping": "luck"}, ValueError, "shaping='luck' is unknown; one of 'cards', or None"),
        ({"tau_s": 0}, ValueError, "tau_s=0 must be above 0"),
        ({"render_mode": "human"}, ValueError, "render_mode='human' is unknown; one of ansi, rgb_array, or None"),
    ],
)
def test_bad_arguments_name_the_allowed_values_in_one_line(
    arguments: dict[str, Any], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says) as caught:
        parallel_env(**arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.plain
def test_steps_at_the_wrong_time_or_without_an_action_are_errors() -> None:
    made = parallel_env(rules={"max_rounds": 1}, stepping="decision")
    with pytest.raises(GameOver, match="call reset"):
        made.step(NOBODY)
    made.reset(seed=1)
    with pytest.raises(ValueError, match=r"no action for player_1; .*0 .NOOP"):
        made.step({"player_0": 0})
    for _ in walk(Face(made), 1):
        pass
    assert made.agents == []
    for _ in range(2):
        with pytest.raises(GameOver, match=r"the game is over .*: call reset"):
            made.step(NOBODY)
    made.reset()
    assert made.agents == made.possible_agents
    made.close()


@pytest.mark.plain
@pytest.mark.parametrize("illegal", [39, -1, 10**6, np.int64(38)])
def test_an_illegal_action_is_replaced_flagged_and_counted(illegal: int) -> None:
    made, other = (parallel_env(stepping="decision") for _ in range(2))
    for e in (made, other):
        observations, _ = e.reset(seed=2)
    asked = [a for p, a in enumerate(made.agents) if made.batch.asked[0, p]]
    busy = [a for a in made.agents if a not in asked]
    assert observations[asked[0]]["action_mask"][0] == 1
    results = made.step(dict.fromkeys(made.agents, illegal))
    assert [results[4][a]["action_rejected"] for a in made.agents] == [True, True]
    other.step(NOBODY)
    assert made.game.illegal.tolist() == [1, 1]
    assert (made.batch.flat == other.batch.flat).all()
    results = made.step(NOBODY)
    assert not any(results[4][a]["action_rejected"] for a in made.agents)
    assert len(busy) <= 1


def test_where_one_must_choose_the_lowest_legal_stands_in_for_nothing() -> None:
    made = parallel_env(stepping="decision")
    face = Face(made)
    for _, _, (observations, *_, infos) in walk(face, 5):
        for agent, observation in observations.items():
            if infos[agent]["asked"] and observation["action_mask"][0] == 0:
                legal = np.flatnonzero(observation["action_mask"]).tolist()
                assert legal == [37, 38]
                results = made.step(NOBODY)
                assert results[4][agent]["action_rejected"] is True
                return
    pytest.fail("nobody had to pick a pile")


def test_the_order_of_the_actions_changes_nothing() -> None:
    backwards = Face(parallel_env(latency="emma:impossible", stepping="decision"))
    for step, actions, outputs in walk(Face(parallel_env(latency="emma:impossible", stepping="decision")), 6):
        swapped = {agent: np.int64(actions[agent]) for agent in reversed(actions)}
        compare(6, step, outputs, backwards.step(swapped) if actions else backwards.reset(6), "order")  # type: ignore[arg-type]
    assert backwards.agents == []


@pytest.mark.plain
def test_spaces_state_and_infos() -> None:
    made = played(20, stepping="decision")
    assert made.unwrapped is made
    assert (made.num_agents, made.max_num_agents) == (2, 2)
    for agent in made.possible_agents:
        assert made.observation_space(agent) is made.observation_space(agent)
        assert made.action_space(agent) is made.action_space(agent)
        assert made.action_space(agent) == gymnasium.spaces.Discrete(39)
        assert len(made.action_names) == 39
    results = made.step(NOBODY)
    whole = np.concatenate([results[0][a]["observation"] for a in made.possible_agents])
    assert np.array_equal(made.state(), whole)
    for p, agent in enumerate(made.possible_agents):
        info = results[4][agent]
        assert list(info) == ["action_mask", "action_rejected", "asked", "time_ms", "elapsed_ms", "end_reason", "rank"]
        assert info["asked"] == (made.game.hand[p] == OPEN and made.game.ask_at[p] <= made.game.time)
        sampled = made.action_space(agent).sample(mask=results[0][agent]["action_mask"])
        assert results[0][agent]["action_mask"][sampled] == 1
    assert results[4]["player_0"]["time_ms"] == made.game.time
    assert len(RESET) + len(STEP) == 7


@pytest.mark.parametrize("stepping", STEPPINGS)
def test_time_adds_up(stepping: str) -> None:
    total = 0
    made = parallel_env(stepping=stepping, tick_ms=70, latency="emma:impossible", rules={"max_rounds": 2})
    for step, _, outputs in walk(Face(made), 8):
        info = outputs[-1]["player_0"]
        total += info["elapsed_ms"] if step else info["time_ms"]  # a reset may lead to the first choice
        assert info["time_ms"] == total
        assert 0 <= info["elapsed_ms"] <= 70 or stepping == "decision"


def test_pictures_need_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    picture = played(100, render_mode="rgb_array").render()
    assert isinstance(picture, np.ndarray)
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    assert picture.shape[2] == 3
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 10
    over = played(10**6, render_mode="ansi", stepping="decision", rules={"max_rounds": 1})
    assert over.game.phase == OVER
    text = over.render()
    assert isinstance(text, str)
    assert text.count("\n") >= 3
    assert parallel_env().metadata["render_modes"] == ["ansi", "rgb_array"]
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert played(1).render() is None


def test_agent_by_agent_neither_sees_the_others_choice() -> None:
    made: Any = env(stepping="decision", latency={"think": [200, 0], "play": [300, 0]})
    made.reset(seed=4, options={"board": BOARD})
    rng = np.random.default_rng(0)
    for _ in range(200):
        first, second = "player_0", "player_1"
        if made.agents != [first, second]:
            break
        before = made.observe(second)["observation"].tobytes()
        for agent in (first, second):
            assert made.agent_selection == agent
            observation = made.observe(agent)
            if agent == second:
                assert observation["observation"].tobytes() == before
            made.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
