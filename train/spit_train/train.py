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

from spit_agents.arena import Arena
from spit_agents.arena import Speeds as SpeedDraw
from spit_agents.catalogue import make_player
from spit_agents.match import play_match
from spit_agents.policy import PolicyAgent, save_policy
from spit_env.latency import Latency, make_latency
from spit_env.rules import make_rules
from spit_train.config import Speeds, TrainConfig, load_config
from spit_train.levels import print_levels, score_levels, whole_deals

if TYPE_CHECKING:
    from spit_train.bridge import SpitVecEnv

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


def make_arena(config: TrainConfig) -> Arena:
    """The games of a run."""
    return Arena(
        config.ppo.envs,
        [make_player(name) for name in config.opponents],
        weights=list(config.opponents.values()),
        rules=config.rules,
        speeds=draw_speeds(config.speeds),
        recall=config.recall,  # type: ignore[arg-type]
        forced=not config.waits,
        shaping=config.shaping,
        tau_s=config.tau_s,
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

    from spit_train.bridge import SpitVecEnv
    from spit_train.learner import make_learner, policy_agent
    from spit_train.monitor import Monitor

    torch.set_num_threads(1)
    (folder / "config.yaml").write_text(yaml.safe_dump(_plain(config.to_dict()), sort_keys=False))
    env = SpitVecEnv(make_arena(config), config.seed)
    learner = make_learner(config, env)
    compile_first(env)
    learner.set_logger(configure(str(folder), ["csv", "tensorboard"]))
    with Monitor(config, folder) as monitor:
        learner.learn(config.steps, callback=monitor)
    agent = policy_agent(learner, config.waits)
    manifest = {"config": _plain(config.to_dict()), "decisions": learner.num_timesteps, "date": time.strftime("%F")}
    save_policy(folder / "policy.npz", agent, manifest)
    return agent


def compile_first(env: "SpitVecEnv") -> None:
    """Have everything compiled before the run's clock starts; the run then begins its games anew."""
    env.reset()
    env.step(env.action_masks().argmax(axis=1))
    env.ended = []
    rules = env.arena.batch.rules
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
