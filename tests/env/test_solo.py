"""The Gymnasium faces: one seat against bots, one game or many."""

import re
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from spit_agents import AGENTS, BadPlayer, make_player
from spit_agents.base import informed
from spit_agents.solo import SpitSoloEnv, SpitSoloVectorEnv
from spit_env.batch import make_seeds
from spit_env.conformance.play import Subject, walk
from spit_env.env import parallel_env
from spit_env.errors import GameOver
from spit_env.jit import JIT_DISABLED
from spit_env.latency import PROFILES, Latency
from spit_env.spit.board import format_board
from spit_env.state import END_REASONS, NOOP, OVER

SHORT = {"max_rounds": 1}
BOARD = "Y: 7 | x9 | xx3 | xQs | -   d11\nE: 4h | xJ | xx8 | xxx8 | xxxxT   d8\nL=9(6) R=Kd"


def choices_of(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("opponent", ["random", "emma:hard"])
def test_gymnasiums_own_test(opponent: str) -> None:
    check_env(gymnasium.make("spit/SpitSolo-v0", opponent=opponent, rules=SHORT, render_mode="ansi").unwrapped)


@pytest.mark.plain
@pytest.mark.parametrize("opponent", [name for name in AGENTS if "FILE" not in name])
def test_every_bot_is_met_by_its_name(opponent: str) -> None:
    env = gymnasium.make("spit/SpitSolo-v0", opponent=opponent, rules=SHORT)
    steps = 2 if JIT_DISABLED and opponent == "search" else 15  # a search takes seconds without the JIT
    for _ in walk(Subject(env), 1, steps):
        pass
    arena = env.unwrapped.arena  # type: ignore[attr-defined]
    (player,) = arena.opponents
    assert type(player) is type(informed(make_player(opponent).agent, arena.batch.rules))


@pytest.mark.parametrize("make", [gymnasium.make, gymnasium.make_vec])
def test_a_wrong_name_or_argument_is_refused_in_one_line(make: Any) -> None:
    for arguments, says in (
        ({"opponent": "emma:hrd"}, "did you mean 'emma:hard'.*known: random, greedy"),
        ({"rules": "ema"}, "did you mean 'emma'"),
        ({"latency": "fast"}, "unknown latency 'fast'.*known: emma:easy"),
        ({"shaping": "luck"}, "one of 'cards', or None"),
        ({"recall": "some"}, "one of 'perfect', 'none'"),
    ):
        with pytest.raises(ValueError, match=says) as caught:
            make("spit/SpitSolo-v0", **arguments)
        assert "\n" not in str(caught.value)
    with pytest.raises(BadPlayer):
        make("spit/SpitSolo-v0", opponent="nobody")
    with pytest.raises(ValueError, match=re.escape("one of ansi, rgb_array, or None")):
        SpitSoloEnv(render_mode="human")


def test_the_seat_alternates_from_game_to_game() -> None:
    env = SpitSoloEnv("random", SHORT)
    seats, seeds = [], []
    for n in range(5):
        _, info = env.reset(seed=4 if n == 0 else None)
        seats.append(info["seat"])
        seeds.append(int(env.arena.batch.games[0].seed))
        rng, over = np.random.default_rng(n), False
        while not over:
            _, _, terminated, truncated, info = env.step(choices_of(info["action_mask"][None], rng)[0])
            over = terminated or truncated
            assert info["seat"] == seats[-1]
    assert seats == [0, 1, 0, 1, 0]
    assert seeds == make_seeds(4, 5).tolist()
    assert env.reset(seed=4)[1]["seat"] == 0


@pytest.mark.plain
def test_who_is_how_fast() -> None:
    easy, hard = PROFILES["emma:easy"], PROFILES["emma:hard"]
    own = Latency.of(300, 200, perception_ms=150)
    for latency, opponent, mine, theirs in (
        (None, "emma:easy", easy, easy),  # as fast as the opponent
        ("emma:hard", "emma:easy", hard, easy),
        ("emma:easy", "greedy", easy, easy),  # a bot without a speed of its own is as fast as you
        (own, "greedy@emma:hard", own, hard),
    ):
        env = SpitSoloEnv(opponent, latency=latency)  # type: ignore[arg-type]
        for n in range(2):
            _, info = env.reset(seed=1 if n == 0 else None)
            game, seat = env.arena.batch.games[0], info["seat"]
            assert seat == n
            assert np.array_equal(game.latency[seat], mine.table()[:, :3])
            assert np.array_equal(game.latency[1 - seat], theirs.table()[:, :3])
            assert (game.perception[seat], game.perception[1 - seat]) == (mine.perception_ms, theirs.perception_ms)


@pytest.mark.plain
def test_a_board_is_the_same_in_both_faces() -> None:
    env, pair = SpitSoloEnv("random"), parallel_env(stepping="decision")
    env.reset(seed=5, options={"board": BOARD})
    pair.reset(seed=5, options={"board": BOARD})
    first = format_board(env.arena.batch.games[0], reveal=True)
    assert first == format_board(pair.game, reveal=True)
    _, info = env.reset(options={"board": BOARD})
    assert info["seat"] == 1
    assert format_board(env.arena.batch.games[0], reveal=True) != first
    with pytest.raises(ValueError, match="unknown reset option 'bored'"):
        env.reset(options={"bored": BOARD})
    for seed in (-1, 1.5):
        with pytest.raises(ValueError, match="must be a whole number"):
            env.reset(seed=seed)  # type: ignore[arg-type]


def test_steps_at_the_wrong_time_are_errors_and_the_last_table_stays() -> None:
    env = SpitSoloEnv("random", SHORT, render_mode="ansi")
    with pytest.raises(GameOver, match=r"call reset"):
        env.step(0)
    *_, (_, _, outputs) = walk(Subject(env), 1)
    assert env.arena.batch.games[0].phase == OVER
    assert outputs[4]["player"]["end_reason"] == "max_rounds"
    assert outputs[3]["player"] is True
    before = env.render()
    assert "cut off" in str(before)
    with pytest.raises(GameOver, match=r"call reset"):
        env.step(0)
    env.reset()
    assert env.render() != before
    silent = SpitSoloEnv()
    silent.reset(seed=1)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert silent.render() is None


@pytest.mark.plain
@pytest.mark.parametrize("forced", [False, True])
def test_illegal_actions_are_flagged_and_the_lowest_legal_one_taken(forced: bool) -> None:
    envs = [SpitSoloEnv("random", forced=forced) for _ in range(2)]
    masks = [env.reset(seed=3)[0]["action_mask"] for env in envs]
    for illegal in (-5, 38, 39, 1000):
        lowest = int(masks[0].argmax())
        assert (lowest == NOOP) != forced
        results = envs[0].step(illegal), envs[1].step(lowest)
        assert [result[4]["action_rejected"] for result in results] == [True, False]
        assert np.array_equal(results[0][0]["observation"], results[1][0]["observation"])
        masks = [result[0]["action_mask"] for result in results]


def test_forced_moves_are_played() -> None:
    env = SpitSoloEnv("greedy", forced=True)
    for _, _, outputs in walk(Subject(env), 2):
        mask = outputs[0]["player"]["action_mask"]
        if not (len(outputs) == 5 and (outputs[2]["player"] or outputs[3]["player"])):
            assert mask.sum() > 1 or mask[NOOP] == 1
            assert mask[NOOP] == (mask.sum() == 1)


def test_gymnasiums_wrappers_fit() -> None:
    env: Any = gymnasium.make("spit/SpitSolo-v0", opponent="random", max_episode_steps=10)
    env = gymnasium.wrappers.RecordEpisodeStatistics(env)
    *_, (step, _, outputs) = walk(Subject(env), 1)
    assert step == 10
    assert outputs[3]["player"] is True
    assert outputs[4]["player"]["end_reason"] == ""  # the wrapper's time-out, not the game's
    assert outputs[4]["player"]["episode"]["l"] == 10


def test_many_games_are_the_single_ones_row_by_row() -> None:
    rows, steps = 6, 120
    many: Any = gymnasium.make_vec("spit/SpitSolo-v0", num_envs=rows, opponent="emma:hard", rules=SHORT)
    assert isinstance(many, SpitSoloVectorEnv)
    assert many.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    singles = [SpitSoloEnv("emma:hard", SHORT) for _ in range(rows)]
    for k, env in enumerate(singles):  # game k of the run is the first of row k
        env.reset(seed=11)
        for _ in range(k):
            env.reset()
    observations, _ = many.reset(seed=11)
    rng = np.random.default_rng(0)
    alive = [True] * rows
    for _ in range(steps):
        assert many.observation_space.contains(observations)
        actions = choices_of(observations["action_mask"], rng)
        results = many.step(actions)
        over = results[2] | results[3]
        for k in np.flatnonzero(alive):
            one = singles[k].step(actions[k])
            place = results[4]["final_obs"][k] if over[k] else {key: a[k] for key, a in results[0].items()}
            for key, array in one[0].items():
                assert np.array_equal(array, place[key])
                assert array.dtype == place[key].dtype
            assert one[1:4] == (results[1][k], results[2][k], results[3][k])
            assert one[4]["elapsed_ms"] == results[4]["elapsed_ms"][k]
            if over[k]:
                alive[k] = False
                assert one[4]["end_reason"] == END_REASONS[results[4]["end_reason"][k]]
                assert results[4]["_final_obs"][k]
                assert one[4]["rank"] == results[4]["rank"][k]
                assert results[4]["_rank"][k]
        observations = results[0]
    assert not any(alive)
    assert many.arena._begun > rows


def test_several_opponents_are_met_equally_often() -> None:
    many = SpitSoloVectorEnv(3000, ["random", "greedy", "emma:easy"])
    many.reset(seed=1)
    shares = np.bincount(many.arena.opponent) / 3000
    assert np.abs(shares - 1 / 3).max() < 0.03
    table = PROFILES["emma:easy"].table()[:, :3]
    seat = many.arena.seats
    games = np.arange(3000)
    slow = (many.arena.batch.games.latency[games, 1 - seat] == table).all(axis=(1, 2))
    assert np.array_equal(slow, many.arena.opponent == 2)
    first = many.arena.opponent.copy()
    many.reset()
    assert (many.arena.opponent != first).any()
