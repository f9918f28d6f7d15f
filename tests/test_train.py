"""A small training run from the command line, and what it leaves behind."""

from pathlib import Path

import numpy as np
import pytest

from spit_agents.catalogue import make_player
from spit_agents.errors import BadPlayer
from spit_agents.match import play_match
from spit_agents.policy import load_policy, save_policy
from spit_env.games import SPIT
from spit_env.latency import make_latency
from spit_train import cli
from spit_train.config import Speeds, parse_config
from spit_train.levels import score_levels
from spit_train.train import draw_speeds, new_folder, train

SMALL = {
    "name": "small",
    "steps": 4096,
    "opponents": {"self": 1, "emma": 1},
    "ppo": {"envs": 8, "n_steps": 128, "batch_size": 256, "net": [16]},
    "evaluate": {"every": 2048, "games": 10},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    train(parse_config(SMALL), folder)
    return folder


def test_the_run_folder_holds_everything(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    assert {"config.yaml", "policy.npz", "curve.csv", "curve.png", "progress.csv"} <= names
    assert any(name.startswith("events.out.tfevents") for name in names)
    header = (folder / "progress.csv").read_text().splitlines()[0].split(",")
    for metric in ("train/approx_kl", "train/clip_fraction", "train/explained_variance", "train/entropy_loss",
                   "spit/decisions_per_second", "spit/illegal_actions", "spit/share_self", "spit/share_emma",
                   "spit/win_rate_emma", "spit/game_seconds", "spit/truncated"):  # fmt: skip
        assert metric in header
    assert "spit/win_rate_self" not in header
    curve = (folder / "curve.csv").read_text().splitlines()
    first, second, last = (int(row.split(",")[0]) for row in curve[1::5])
    assert first == 0
    assert 2048 <= second < 2048 + 64  # an update may be made of some choices more than asked for
    assert 4096 <= last < 4096 + 64


def test_the_policy_plays_by_name_and_without_illegal_actions(folder: Path) -> None:
    player = make_player(f"policy:{folder / 'policy.npz'}")
    results = play_match((player, make_player("random")), deals=10, seed=1)
    assert results.illegal.sum() == 0
    assert (results.winner >= 0).all()


def test_the_same_seed_trains_the_same_policy(tmp_path: Path, folder: Path) -> None:
    train(parse_config(SMALL), tmp_path)
    one, two = load_policy(folder / "policy.npz"), load_policy(tmp_path / "policy.npz")
    assert one.weights.keys() == two.weights.keys()
    for name, weight in one.weights.items():
        assert np.array_equal(weight, two.weights[name]), name


def test_sampling_is_within_the_mask(folder: Path) -> None:
    agent = load_policy(folder / "policy.npz", temperature=1.0)
    views = SPIT.observation.zeros((5000,))
    masks = np.zeros((5000, SPIT.actions), np.int8)
    masks[:, [0, 7, 11]] = 1
    draws = np.random.default_rng(0).integers(0, 2**32, 5000, dtype=np.uint32)
    assert set(agent.act(views, masks, draws).tolist()) == {7, 11}


@pytest.mark.parametrize("damage", ["cut", "pickle", "text", "array", "trunk", "logit", "described", "missing"])
def test_a_policy_file_that_is_not_one_is_refused(tmp_path: Path, folder: Path, damage: str) -> None:
    path = tmp_path / "p.npz"
    if damage == "cut":
        path.write_bytes((folder / "policy.npz").read_bytes()[:2000])
    elif damage == "pickle":
        with path.open("wb") as file:
            np.savez(file, manifest=np.array([{"a": 1}], object))
    elif damage == "array":
        with path.open("wb") as file:
            np.save(file, np.zeros(3))
    elif damage in ("trunk", "logit", "described"):
        agent = load_policy(folder / "policy.npz")
        agent.weights = {name: weight for name, weight in agent.weights.items() if damage not in name}
        save_policy(path, agent, {})
    elif damage == "text":
        path.write_text("hello")
    with pytest.raises(BadPlayer, match=r"cannot be read as a policy file|do not fit together"):
        make_player(f"policy:{path}")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"version": 1}, "it is not a spit-policy of version 2"),
        ({"game": "chess"}, "plays chess with 2 players; this version of Spit has no such game"),
        ({"seats": 5}, "plays spit with 5 players; this version of Spit has no such game"),
        ({"features": 7}, "has features 7; this version of Spit wants"),
        ({"candidates": 7}, "has candidates 7; this version of Spit wants"),
        ({"actions": 7}, "has actions 7; this version of Spit wants"),
    ],
)
def test_a_policy_file_for_something_else_is_refused(
    tmp_path: Path, folder: Path, change: dict[str, object], says: str
) -> None:
    save_policy(tmp_path / "p.npz", load_policy(folder / "policy.npz"), change)
    with pytest.raises(BadPlayer, match=says):
        make_player(f"policy:{tmp_path / 'p.npz'}")


def test_a_policy_plays_no_other_game(folder: Path) -> None:
    views, masks = np.zeros(3, [("hand", "i1", (4,))]).view(np.recarray), np.ones((3, 5), np.int8)
    with pytest.raises(BadPlayer, match="plays spit with 2 players, not what it was shown: choose rules of its game"):
        load_policy(folder / "policy.npz").act(views, masks, np.zeros(3, np.uint32))


def test_speeds_are_within_their_bounds_and_fair() -> None:
    speeds = Speeds(think_ms=(300, 1200), travel_ms=(150, 500), edge=0.25)
    tables = draw_speeds(speeds)(np.zeros(4000, np.int64), np.random.default_rng(0))
    assert tables.shape == (4000, 2, 5, 4)
    ratio = np.log(tables[:, 0, 0, 1] / tables[:, 1, 0, 1])
    assert np.abs(ratio).max() <= 0.25
    assert abs(ratio.mean()) < 0.01
    assert np.allclose(ratio, np.log(tables[:, 0, 1, 1] / tables[:, 1, 1, 1]))
    assert (tables[..., 2] == make_latency().table()[:, 2]).all()


def test_run_folders_never_collide(tmp_path: Path) -> None:
    assert [new_folder(tmp_path, "a").name for _ in range(3)] == ["a", "a-2", "a-3"]


def test_the_command_line_trains(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spit_train.train.FINAL_GAMES", 100)
    config = tmp_path / "c.yaml"
    config.write_text("name: tiny\nsteps: 1024\nppo: {envs: 32, n_steps: 32, batch_size: 256, net: [8]}\n"
                      "evaluate: {every: 100000, games: 4}\n")  # fmt: skip
    assert cli.main(["train", str(config), "--out", str(tmp_path), "--seed", "5"]) == 0
    out = capsys.readouterr().out
    assert "easy" in out
    assert "policy.npz" in out
    assert (tmp_path / "tiny" / "policy.npz").exists()


def test_a_wrong_key_ends_with_exit_code_2_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "c.yaml"
    config.write_text("stepps: 10\n")
    assert cli.main(["train", str(config), "--out", str(tmp_path / "runs")]) == 2
    assert "did you mean 'steps'?" in capsys.readouterr().err
    assert not (tmp_path / "runs").exists()


def test_scores_of_levels() -> None:
    scores = score_levels(make_player("greedy").agent, make_latency("emma:hard"), 20, parse_config(SMALL), seed=1)
    assert [s.games for s in scores] == [20] * 5
    assert scores[0].rate > scores[-1].rate
    assert all(s.illegal == 0 for s in scores)


@pytest.mark.slow
def test_a_minute_of_training_beats_random_play(tmp_path: Path) -> None:
    agent = train(parse_config({"minutes": 1.0, "steps": 10**8, "evaluate": {"every": 10**8, "games": 20}}), tmp_path)
    players = (make_player("random")._replace(agent=agent), make_player("random"))
    results = play_match(players, deals=500, seed=1)
    assert (results.winner == 0).mean() > 0.8
