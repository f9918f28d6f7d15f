"""Emma's weights as a file: written and read she is the same player, and what is wrong in one is said in a line."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spit_agents import (
    BadPlayer,
    CaliforniaWeights,
    Emma,
    Fallible,
    Greedy,
    SpeedWeights,
    SpitWeights,
    load_emma,
    make_player,
    play_match,
    save_emma,
)
from spit_agents.base import informed
from spit_env.batch import Batch, make_seeds
from spit_env.latency import PROFILES
from spit_env.rules import make_rules

OTHERS = {
    "emma": ("spit", SpitWeights()._replace(flip=200, opp_play=0)),
    "speed_3p": ("speed", SpeedWeights()._replace(own_run=-40)),
    "california": ("california_speed", CaliforniaWeights()._replace(open_home=90)),
}


@pytest.mark.parametrize("rules", OTHERS)
def test_the_player_of_a_file_makes_the_same_choices(rules: str, tmp_path: Path) -> None:
    game, weights = OTHERS[rules]
    bot = Fallible(Emma(weights), 0.6, 0.1)
    save_emma(tmp_path / "me.json", bot, game, PROFILES["emma:easy"])
    read = make_player(f"policy:{tmp_path}/me.json")
    assert read.latency == PROFILES["emma:easy"]
    assert [file.name for file in tmp_path.iterdir()] == ["me.json"]
    batch = Batch(30, rules)
    batch.reset(make_seeds(5, 30))
    differs = 0
    for _ in range(30):
        rows, seats = np.nonzero(batch.asked)
        seen = *batch.seen(rows, seats), batch.draws(rows, seats)
        chosen, again, stock = (
            informed(agent, make_rules(rules)).act(*seen) for agent in (bot, read.agent, Fallible(Emma(), 0.6, 0.1))
        )
        assert (chosen == again).all()
        differs += int((chosen != stock).sum())
        actions = np.zeros((30, batch.game.seats), np.int64)
        actions[rows, seats] = chosen
        batch.step(actions)
    assert differs > 0


def test_a_file_with_weights_alone_is_as_fast_as_the_others_and_can_be_given_knobs_and_a_speed(tmp_path: Path) -> None:
    file = tmp_path / "me.json"
    save_emma(file, make_player("emma:easy").agent, "spit")
    assert set(json.loads(file.read_text())) == {"format", "version", "game", "weights"}
    assert load_emma(file).latency is None
    assert make_player(f"policy:{file}", PROFILES["emma:easy"]).latency == PROFILES["emma:easy"]
    assert make_player(f"policy:{file}@emma:medium").latency == PROFILES["emma:medium"]
    agent = make_player(f"policy:{file},recall=0.5").agent
    assert isinstance(agent, Fallible)
    assert isinstance(agent.agent, Emma)
    save_emma(tmp_path / "worse.json", agent, "spit")
    again = make_player(f"policy:{tmp_path}/worse.json,slips=0.25").agent
    assert isinstance(again, Fallible)
    assert isinstance(again.agent, Emma)
    assert (again.recall, again.slips) == (0.5, 0.25)
    both = make_player(f"policy:{file}"), make_player("emma")
    assert play_match(both, 10, seed=1).win_rate == 0.5  # the same bot: the seats decide


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"weights": {"play": 1}}, r"weight 'flip' is missing; needed: play, flip, rearrange"),
        ({"play": 1.5}, r"weight play=1\.5 must be a whole number from -1000000 to 1000000"),
        ({"play": "many"}, r"weight play='many' must be a whole number"),
        ({"play": True}, r"weight play=True must be a whole number"),
        ({"play": 10**9}, r"weight play=1000000000 must be a whole number"),
        ({"plya": 1}, r"unknown weight 'plya' \(did you mean 'play'\?\)"),
        ({"game": "sped"}, r"unknown game 'sped' \(did you mean 'speed'\?\); known: spit, speed, california_speed"),
        ({"game": "speed"}, r"unknown weight 'flip'"),
        ({"version": 2}, r"it is not a spit-emma of version 1"),
        ({"recal": 1}, r"unknown key 'recal' \(did you mean 'recall'\?\); known: format, version"),
        ({"recall": 2}, r"recall=2\.0 must be a number from 0 to 1"),
        ({"slips": "often"}, r"slips='often' must be a number from 0 to 1"),
        ({"weights": 3}, r"weights=3 must be the weights by their names"),
        ({"latency": "fast"}, r"latency='fast' must be times by their kinds"),
        ({"latency": {"thnk": [1, 2, 3]}}, r"unknown latency key 'thnk'"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_in_a_line(change: dict[str, Any], says: str, tmp_path: Path) -> None:
    file = tmp_path / "me.json"
    save_emma(file, Emma(), "spit")
    data = json.loads(file.read_text())
    for key, value in change.items():
        (data["weights"] if key in ("play", "plya") else data)[key] = value
    file.write_text(json.dumps(data))
    with pytest.raises(BadPlayer, match=rf"^policy:.*me\.json cannot be read as weights of Emma: {says}") as caught:
        make_player(f"policy:{file}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "{", "\xff", '{"format": "spit-emma", "version": 1}'])
def test_a_file_that_is_something_else_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "me.json"
    file.write_bytes(text.encode("latin1"))
    with pytest.raises(BadPlayer, match="cannot be read as weights of Emma"):
        make_player(f"policy:{file}")
    with pytest.raises(BadPlayer, match="No such file"):
        make_player(f"policy:{tmp_path}/none.json")


def test_the_player_of_a_file_plays_its_game_only(tmp_path: Path) -> None:
    save_emma(tmp_path / "me.json", Emma(), "speed")
    player = make_player(f"policy:{tmp_path}/me.json")
    assert (play_match((player, player), 1, seed=1, rules="speed").winner >= 0).all()
    with pytest.raises(BadPlayer, match="weights for speed only"):
        play_match((player, player), 1, seed=1)


def test_only_emma_has_weights_and_only_for_games_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(BadPlayer, match="only Emma has weights to write, not Greedy"):
        save_emma(tmp_path / "me.json", Greedy(), "spit")
    with pytest.raises(BadPlayer, match="unknown game 'chess'"):
        save_emma(tmp_path / "me.json", Emma(), "chess")
    assert not list(tmp_path.iterdir())
