"""`spit quickstart`: train a bot for three minutes and see how it does against Emma, next to two scripted bots."""

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path

from spit_agents.base import Agent
from spit_agents.catalogue import make_player
from spit_env.jit import is_compiled
from spit_env.latency import make_latency
from spit_train.config import PPO, TrainConfig, load_config
from spit_train.levels import LevelScore, print_levels, score_levels
from spit_train.report import write_atomically
from spit_train.train import FINAL_GAMES, FINAL_SEED, levels_title, measure_command, new_folder, train

# The same as configs/quickstart.yaml, for those who have installed the package without it.
QUICKSTART = TrainConfig(
    name="quickstart", seed=1, steps=20_000_000, minutes=3.0,
    ppo=PPO(envs=512, n_steps=32, batch_size=2048, n_epochs=3, learning_rate=1e-3),
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `spit quickstart`."""
    parser.add_argument("--minutes", type=float, help="how long to train (default: the config's 3)")
    parser.add_argument("--games", type=int, default=FINAL_GAMES, help=f"for each cell of the table ({FINAL_GAMES})")
    parser.add_argument("--out", default="runs", help="where the run's folder is made (default: runs)")
    parser.add_argument("--config", help="another experiment (default: what configs/quickstart.yaml says)")


def run(args: argparse.Namespace) -> int:
    """Train, measure, print; the exit code."""
    config = load_config(args.config) if args.config else QUICKSTART
    if args.minutes is not None:
        config = replace(config, minutes=args.minutes)
    folder = new_folder(Path(args.out), config.name)
    minutes = "as long as it takes" if config.minutes is None else f"{config.minutes:g} minutes"
    if not is_compiled("spit_agents"):
        print("First start on this machine: compiling takes about half a minute, once.", flush=True)
    print(f"Training against {', '.join(config.opponents)} for {minutes}; everything goes to {folder}", flush=True)
    began = time.monotonic()
    agent = train(config, folder)
    print(f"Trained in {time.monotonic() - began:.0f} s. Measuring ...", flush=True)
    scores = measure(config, {"random": make_player("random").agent, "greedy": make_player("greedy").agent,
                              config.name: agent}, args.games)  # fmt: skip
    print_levels(scores, levels_title(config, args.games))
    rows = {name: [dict(s._asdict(), interval=s.interval) for s in row] for name, row in scores.items()}
    record = {"seed": FINAL_SEED, "games": args.games, "levels": rows}
    write_atomically(folder / "levels.json", json.dumps(record, indent=1))
    print(f"\nThe learning curve: {folder / 'curve.png'}")
    print(f"The bot:            {measure_command(folder, config)}")
    print(f"In TensorBoard:     tensorboard --logdir {folder}")
    return 0


def measure(config: TrainConfig, bots: dict[str, Agent], games: int) -> dict[str, list[LevelScore]]:
    """Scores of each bot against each level."""
    latency = make_latency(config.evaluate.latency)
    return {name: score_levels(agent, latency, games, config, FINAL_SEED) for name, agent in bots.items()}
