"""`spit train CONFIG`: masked PPO against bots, with progress, TensorBoard and evaluation against every Emma level."""

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import yaml

from spit_agents.arena import Speeds as SpeedDraw
from spit_agents.catalogue import make_player
from spit_agents.match import play_match
from spit_agents.policy import PolicyAgent, save_policy
from spit_env.latency import Latency, make_latency
from spit_env.rules import make_rules
from spit_train.config import SELF, Speeds, TrainConfig, load_config
from spit_train.levels import print_levels, score_levels, whole_deals

if TYPE_CHECKING:
    from spit_train.selfplay import SelfPlay

FINAL_GAMES = 2000
FINAL_SEED = 2_000_000  # deals that no training and no evaluation on the way has seen


def draw_speeds(speeds: Speeds) -> SpeedDraw:
    """Latency tables of new games: (learner, each opponent) equally fast but for a ratio around 1."""
    unit = Latency.of(1.0, 1.0).table()
    think, travel = unit.copy(), unit.copy()
    think[1:, 1] = 0.0
    travel[0, 1] = 0.0

    def draw(opponents: npt.NDArray[np.int64], generator: np.random.Generator) -> npt.NDArray[np.float64]:
        count = len(opponents)
        base = [
            np.exp(generator.uniform(np.log(low), np.log(high), count))
            for low, high in (speeds.think_ms, speeds.travel_ms)
        ]
        half = np.exp(generator.uniform(-speeds.edge, speeds.edge, count) / 2)
        ratio = np.stack([half, 1 / half], axis=1)[:, :, None, None]
        tables = (base[0][:, None, None] * think + base[1][:, None, None] * travel)[:, None] * ratio
        tables[..., 2] = unit[:, 2]
        return np.asarray(tables)

    return draw


def make_games(config: TrainConfig) -> "SelfPlay":
    """The games of a run."""
    from spit_train.selfplay import SelfPlay

    return SelfPlay(
        config.ppo.envs,
        [None if name == SELF else make_player(name).agent for name in config.opponents],
        list(config.opponents.values()),
        draw_speeds(config.speeds),
        rules=config.rules,
        recall=config.recall,  # type: ignore[arg-type]
        waits=config.waits,
        shaping=config.shaping,
        tau_s=config.tau_s,
        seed=config.seed,
    )


def new_folder(parent: Path, name: str) -> Path:
    """A run folder that did not exist: NAME, NAME-2, NAME-3, ..."""
    for number in range(1, 10_000):
        folder = parent / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return folder
    raise ValueError(f"{parent}: too many runs are called {name!r}; give another --name")


def train(config: TrainConfig, folder: Path) -> PolicyAgent:
    """Run one experiment; everything it makes lies in ``folder``. Returns the trained bot."""
    import torch
    from stable_baselines3.common.logger import configure

    from spit_train.learner import make_learner, policy_agent
    from spit_train.monitor import Monitor

    torch.set_num_threads(1)
    (folder / "config.yaml").write_text(yaml.safe_dump(_plain(config.to_dict()), sort_keys=False))
    env = make_games(config)
    learner = make_learner(config, env)
    compile_first(config)
    learner.set_logger(configure(str(folder), ["csv", "tensorboard"]))
    with Monitor(config, folder) as monitor:
        learner.learn(config.steps, callback=monitor)
    agent = policy_agent(learner, config.waits)
    manifest = {"config": _plain(config.to_dict()), "decisions": learner.num_timesteps, "date": time.strftime("%F")}
    save_policy(folder / "policy.npz", agent, manifest)
    return agent


def compile_first(config: TrainConfig) -> None:
    """Have everything compiled before the run's clock starts, on games of its own."""
    from spit_train.learner import make_learner

    small = replace(config, ppo=replace(config.ppo, envs=2, n_steps=4, batch_size=8, n_epochs=1), minutes=None)
    make_learner(small, make_games(small)).learn(8, log_interval=10)
    rules = make_rules(config.rules)
    play_match([make_player("emma")] * rules.seats, 1, 0, rules=rules)


def levels_title(config: TrainConfig, games: int) -> str:
    """What the table of win rates says above itself."""
    seats = make_rules(config.rules).seats
    emmas, played = "Emma" if seats == 2 else f"{seats - 1} Emmas", seats * whole_deals(games, seats)
    return (
        f"Games won (%) against {emmas} at each level, 95 % interval; {played} games each, seats rotated,\n"
        f"rules {config.rules}, the bot always at the speed of {config.evaluate.latency}, argmax, seed {FINAL_SEED}"
    )


def measure_command(folder: Path, config: TrainConfig) -> str:
    """The command line that plays a run's policy against Emma."""
    emmas = " emma:hard" * (make_rules(config.rules).seats - 1)
    return f"spit eval policy:{folder / 'policy.npz'}{emmas} --rules {config.rules}"


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `spit train`."""
    parser.add_argument("config", help="a YAML file, such as configs/quickstart.yaml")
    parser.add_argument("--out", default="runs", help="where the run's folder is made (default: runs)")
    parser.add_argument("--seed", type=int, help="instead of the config's seed")
    parser.add_argument("--steps", type=int, help="learner decisions in all, instead of the config's")
    parser.add_argument("--minutes", type=float, help="stop earlier after so many minutes")
    parser.add_argument("--name", help="instead of the config's name")


def run(args: argparse.Namespace) -> int:
    """Train as the arguments say; the exit code."""
    config = load_config(args.config)
    changes = {
        key: getattr(args, key) for key in ("seed", "steps", "minutes", "name") if getattr(args, key) is not None
    }
    config = replace(config, **changes)
    folder = new_folder(Path(args.out), config.name)
    agent = train(config, folder)
    latency = make_latency(config.evaluate.latency)
    scores = {config.name: score_levels(agent, latency, FINAL_GAMES, config, FINAL_SEED)}
    print_levels(scores, levels_title(config, FINAL_GAMES))
    print(f"Run folder: {folder} (policy.npz, config.yaml, curve.csv, progress.csv, TensorBoard events)")
    print(f"Measure it: {measure_command(folder, config)}")
    return 0
