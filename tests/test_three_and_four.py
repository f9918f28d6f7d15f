"""What drives games, at tables of three and four: matches, arenas, environments, evaluation, training."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from spit_agents import BadPlayer, Player, make_player, play_match
from spit_agents.arena import Arena
from spit_agents.features import encoder_of
from spit_agents.match import GameResults
from spit_agents.solo import SpitSoloEnv
from spit_env.conformance.play import Subject, walk
from spit_env.env import parallel_env
from spit_env.games import game_of
from spit_env.latency import PROFILES, Latency, LogNormal
from spit_env.vector import SpitVectorEnv
from spit_train.bridge import SpitVecEnv
from spit_train.cli import main
from spit_train.evaluate import evaluate, make_players

TABLES = {3: "speed_3p", 4: "speed_4p"}
FAST = Latency.of(200, 250, 120)
many = pytest.mark.parametrize("seats", TABLES)


def some_players(seats: int) -> list[Player]:
    """Bots of different brains and speeds."""
    return [make_player(name) for name in ("greedy", "random@emma:expert", "greedy@emma:easy", "random")[:seats]]


def some_match(seats: int, **arguments: Any) -> GameResults:
    """A short match between them."""
    return play_match(some_players(seats), 8, seed=5, rules=TABLES[seats], **arguments)


@many
def test_every_player_plays_every_deal_from_every_seat(seats: int) -> None:
    played = some_match(seats)
    assert played.first_seat.tolist() == [*range(seats)] * 8
    assert len(np.unique(played.seed)) == 8
    assert (played.seed.reshape(8, seats) == played.seed[::seats, None]).all()
    assert (played.illegal == 0).all()
    assert (played.decisions >= played.landings).all()
    assert (played.landings.sum(axis=1) > 5 * seats).all()
    for one, other in zip(played, some_match(seats, batch_size=5), strict=True):
        assert np.array_equal(one, other)


@many
def test_places_are_those_of_the_cards_left(seats: int) -> None:
    played = some_match(seats)
    assert (played.winner >= 0).all()
    assert (np.take_along_axis(played.rank, played.winner[:, None], axis=1) == 1).all()
    assert ((played.rank == 1).sum(axis=1) == 1).all()
    assert played.rank.max() == seats
    # Competition ranking: a place is one more than the number of better ones.
    better = (played.rank[:, None, :] < played.rank[:, :, None]).sum(axis=2)
    assert (played.rank == 1 + better).all()


@many
def test_nobody_has_a_place_in_a_game_that_was_cut_off(seats: int) -> None:
    played = play_match(some_players(seats), 2, seed=5, rules={"preset": TABLES[seats], "max_round_ms": 2000})
    assert (played.winner == -1).all()
    assert (played.rank == 0).all()


@many
def test_the_order_of_the_players_is_only_a_numbering(seats: int) -> None:
    """Whoever is named first: the same games, in another order."""
    players = some_players(seats)
    one, other = (
        play_match(line_up, 4, seed=9, rules=TABLES[seats]) for line_up in (players, players[1:] + players[:1])
    )
    rows = np.arange(4 * seats)
    there = rows // seats * seats + (rows + 1) % seats  # player 1 of one match is player 0 of the other
    assert (one.winner == (other.winner[there] + 1) % seats).all()
    assert (one.rank == np.roll(other.rank[there], 1, axis=1)).all()
    assert (one.decisions == np.roll(other.decisions[there], 1, axis=1)).all()
    assert (one.time_ms == other.time_ms[there]).all()


@many
def test_the_learner_goes_round_the_table_and_one_bot_has_all_other_seats(seats: int) -> None:
    mine = Latency(think=LogNormal(333.0), perception_ms=120)
    rules = TABLES[seats]
    arena = Arena(12, [make_player("random"), make_player("random@emma:easy")], rules=rules, latency=mine)
    arena.reset(9)
    games = arena.batch.games
    times = [PROFILES[level].think.median for level in ("emma:hard", "emma:easy")]
    assert arena.seats.tolist() == [k % seats for k in range(12)]
    assert set(arena.opponent) == {0, 1}
    for k in range(12):
        think, sight = [times[arena.opponent[k]]] * seats, [0] * seats
        think[arena.seats[k]], sight[arena.seats[k]] = 333.0, 120
        assert games[k].latency[:, 0, 1].tolist() == think
        assert games[k].perception.tolist() == sight

    def drawn(opponents: np.ndarray, generator: np.random.Generator) -> np.ndarray:
        tables = np.zeros((len(opponents), 2, 5, 4))
        tables[:, 0, :, 1], tables[:, 1, :, 1] = 100.0, generator.integers(200, 300, (len(opponents), 1))
        return tables

    arena = Arena(12, [make_player("random")], rules=rules, speeds=drawn)
    arena.reset(9)
    medians = arena.batch.games.latency[:, :, 0, 1]
    own = np.arange(seats) == arena.seats[:, None]
    assert (medians[own] == 100).all()
    others = medians[~own].reshape(12, seats - 1)
    assert (others == others[:, :1]).all()
    assert ((others >= 200) & (others < 300)).all()


@many
def test_rewards_and_places_of_the_learner(seats: int) -> None:
    """In every seat: 1 for a win, else its part of the loss; at one brain and speed it wins its share of the games."""
    size = 128
    greedy = make_player("greedy").agent
    arena = Arena(size, [make_player("greedy")], rules=TABLES[seats])
    arena.reset(3)
    rows, games, wins, places = np.arange(size), 0, 0, np.zeros(seats + 1, int)
    returns, by_seat = np.zeros(size), np.zeros(seats, int)
    while games < 1200:
        rewards, _, ended = arena.step(greedy.act(arena.views, arena.masks, arena.batch.draws(rows, arena.seats)))
        returns += rewards
        expected = np.where(ended.truncated, 0.0, np.where(ended.won, 1.0, -1.0 / (seats - 1)))
        assert np.array_equal(returns[ended.rows], expected)
        assert np.array_equal(ended.rank == 1, ended.won)
        assert np.array_equal(ended.rank == 0, ended.truncated)
        returns[ended.rows] = 0
        games, wins = games + len(ended.rows), wins + int(ended.won.sum())
        places += np.bincount(ended.rank, minlength=seats + 1)
        by_seat += np.bincount(ended.seat, minlength=seats)
    assert abs(wins / games - 1 / seats) < 0.05
    assert places[-1] > 0
    assert by_seat.min() > 0.8 * games / seats
    assert arena.batch.games.illegal.sum() == 0


@many
def test_a_row_for_each_seat(seats: int) -> None:
    vector = SpitVectorEnv(6, TABLES[seats], FAST, stepping="decision")
    assert vector.num_envs == 6 * seats
    observations, _ = vector.reset(seed=2)
    ended = 0
    while ended < 10:
        actions = observations["action_mask"][:, ::-1].argmax(axis=1)  # the last legal action
        observations, rewards, terminations, _, infos = vector.step(observations["action_mask"].shape[1] - 1 - actions)
        assert np.abs(rewards.reshape(6, seats).sum(axis=1)).max() < 1e-12
        for game in np.flatnonzero(terminations[::seats]):
            place = infos["rank"].reshape(6, seats)[game]
            assert place.min() == 1
            assert np.array_equal(place == 1, rewards.reshape(6, seats)[game] == 1.0)
            ended += 1


@many
def test_the_solo_environment(seats: int) -> None:
    check_env(gymnasium.make("spit/SpeedSolo-v0", opponent="greedy", rules=TABLES[seats]).unwrapped)
    env, rng = SpitSoloEnv("greedy", TABLES[seats]), np.random.default_rng(0)
    for game in range(seats + 1):
        _, info = env.reset(seed=4 if game == 0 else None)
        reward, over = 0.0, False
        while not over:
            assert info["rank"] == 0
            _, reward, over, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        assert info["seat"] == game % seats
        assert 1 <= info["rank"] <= seats
        assert reward == (1.0 if info["rank"] == 1 else -1.0 / (seats - 1))


@many
def test_places_are_in_the_parallel_environment_too(seats: int) -> None:
    *_, (_, _, outputs) = walk(Subject(parallel_env(rules=TABLES[seats], stepping="decision")), 1)
    rewards, infos = outputs[1], outputs[4]
    assert min(info["rank"] for info in infos.values()) == 1
    for agent, info in infos.items():
        assert rewards[agent] == (1.0 if info["rank"] == 1 else -1.0 / (seats - 1))


@many
def test_an_evaluation(seats: int) -> None:
    names = ["greedy", "random", "greedy*1.5", "random*1.5"][:seats]
    match = evaluate(names, 40 * seats, 3, rules=TABLES[seats])
    assert match.setup.players == tuple(names)
    assert (match.setup.game, match.setup.rules) == ("speed", TABLES[seats])
    assert sum(side.wins for side in match.sides) + match.none == 40 * seats
    places = [side.place for side in match.sides]
    assert sum(place.mean for place in places if place) <= seats * (seats + 1) / 2  # shared places are the better ones
    assert all(rate.games == 40 for side in match.sides for rate in side.by_seat)
    slow = match.sides[2]
    assert slow.rate.share < match.sides[0].rate.share
    with pytest.raises(BadPlayer, match=f"rules {TABLES[seats]} are for {seats} players: name {seats} bots, not 2"):
        evaluate(names[:2], 40 * seats, 3, rules=TABLES[seats])
    with pytest.raises(ValueError, match=f"games=7 must be a multiple of {seats}: each deal is played from every seat"):
        evaluate(names, 7, 3, rules=TABLES[seats])


@many
def test_a_bot_without_a_speed_plays_at_the_first_that_is_named(seats: int) -> None:
    names = ["random", "greedy@emma:expert", "greedy*2", "emma:easy"][:seats]
    expert = PROFILES["emma:expert"]
    speeds = [expert, expert, expert.scaled(2), PROFILES["emma:easy"]][:seats]
    assert [player.latency for player in make_players(names, TABLES[seats])] == speeds


@many
def test_the_command_line(seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    bots = ["greedy"] * (seats - 1) + ["random"]
    assert main(["eval", *bots, "--rules", TABLES[seats], "--games", "7"]) == 0
    out, err = capsys.readouterr()
    games = 9 if seats == 3 else 8
    assert f"--games 7 is no multiple of {seats}; playing {games}, each deal from every seat" in err
    assert f"{games}: {games // seats} deals, each from all {seats} seats" in out
    assert "A: greedy" in out
    assert main(["eval", *bots, "--rules", "speed"]) == 2
    assert capsys.readouterr().err == f"spit eval: rules speed are for 2 players: name 2 bots, not {seats}\n"


def some_choices(env: SpitVecEnv, rng: np.random.Generator) -> np.ndarray:
    """A random legal action in each game."""
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in env.action_masks()])


@many
def test_the_bridge(seats: int) -> None:
    env = SpitVecEnv(Arena(16, [make_player("greedy"), make_player("random")], rules=TABLES[seats]), 3)
    space, rng = env.observation_space, np.random.default_rng(0)
    assert space.shape == (encoder_of(game_of(TABLES[seats])).size,)
    env.reset()
    total, games, won = 0.0, 0, 0
    for _ in range(150):
        observations, rewards, dones, _ = env.step(some_choices(env, rng))
        assert all(map(space.contains, observations))
        total, games = total + float(rewards.sum()), games + int(dones.sum())
    for ended in env.ended:
        won += int(ended.won.sum())
        assert not ended.truncated.any()
    assert games > 20
    assert total == pytest.approx(won - (games - won) / (seats - 1), abs=1e-5)
    assert set(np.concatenate([ended.seat for ended in env.ended])) == set(range(seats))


def test_training_at_a_table_of_three(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "c.yaml").write_text(
        "name: three\nrules: speed_3p\nsteps: 512\nppo: {envs: 16, n_steps: 16, batch_size: 128, net: [8]}\n"
        "evaluate: {every: 100000, games: 7}\n"
    )
    assert main(["train", str(tmp_path / "c.yaml"), "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    policy = f"policy:{tmp_path}/three/policy.npz"
    assert "against 2 Emmas at each level, 95 % interval; 1998 games each" in out
    assert f"spit eval {policy} emma:hard emma:hard --rules speed_3p" in out
    curve = (tmp_path / "three" / "curve.csv").read_text().splitlines()
    assert [row.split(",")[4] for row in curve[1:]] == ["6"] * 10  # two deals from three seats, at five levels, twice
    assert main(["eval", policy, "greedy", "random", "--rules", "speed_3p", "--games", "6"]) == 0
    capsys.readouterr()
    assert main(["eval", policy, "greedy", "--rules", "speed", "--games", "6"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        "spit eval: this policy plays speed with 3 players, not what it was shown: choose rules of its game"
    )
