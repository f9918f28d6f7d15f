"""The card game Spit as a real-time multi-agent environment.

>>> import spit_env
>>> env = spit_env.parallel_env(rules="emma", latency=("emma:hard", "emma:easy"))
>>> observations, infos = env.reset(seed=1)
>>> env.agents
['player_0', 'player_1']
"""

from spit_env.batch import Batch, make_seeds
from spit_env.california.rules import CaliforniaRules
from spit_env.env import SpitEnv, env, parallel_env
from spit_env.errors import BadBoard, BadLatency, BadReplay, BadRules, BadText, GameOver, GamePaused
from spit_env.games import CALIFORNIA_SPEED, SPIT, GameType, format_board, game_of, parse_board
from spit_env.latency import LEVELS, PROFILES, Latency, LogNormal, make_latency
from spit_env.registry import register_envs
from spit_env.replay import Recorder, replay
from spit_env.rules import PRESETS, make_rules
from spit_env.ruleset import Rules
from spit_env.saves import load_game, save_game
from spit_env.speed.rules import SpeedRules
from spit_env.spit.rules import SpitRules
from spit_env.state import END_REASONS
from spit_env.vector import SpitVectorEnv

__version__ = "0.1.0"

__all__ = [
    "CALIFORNIA_SPEED",
    "END_REASONS",
    "LEVELS",
    "PRESETS",
    "PROFILES",
    "SPIT",
    "BadBoard",
    "BadLatency",
    "BadReplay",
    "BadRules",
    "BadText",
    "Batch",
    "CaliforniaRules",
    "GameOver",
    "GamePaused",
    "GameType",
    "Latency",
    "LogNormal",
    "Recorder",
    "Rules",
    "SpeedRules",
    "SpitEnv",
    "SpitRules",
    "SpitVectorEnv",
    "env",
    "format_board",
    "game_of",
    "load_game",
    "make_latency",
    "make_rules",
    "make_seeds",
    "parallel_env",
    "parse_board",
    "register_envs",
    "replay",
    "save_game",
]  # fmt: skip

register_envs()
