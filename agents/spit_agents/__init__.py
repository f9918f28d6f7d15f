"""Bots, and the runner of exported policies. Needs no torch."""

from spit_agents.base import Actions, Agent, Player
from spit_agents.catalogue import AGENTS, make_player
from spit_agents.emma import Emma
from spit_agents.emma_california import CaliforniaWeights
from spit_agents.emma_file import load_emma, save_emma
from spit_agents.emma_speed import SpeedWeights
from spit_agents.emma_spit import SpitWeights
from spit_agents.errors import BadPlayer
from spit_agents.fallible import Fallible
from spit_agents.greedy import Greedy
from spit_agents.match import GameResults, play_match
from spit_agents.search import Search
from spit_agents.uniform import Uniform

__all__ = [
    "AGENTS",
    "Actions",
    "Agent",
    "BadPlayer",
    "CaliforniaWeights",
    "Emma",
    "Fallible",
    "GameResults",
    "Greedy",
    "Player",
    "Search",
    "SpeedWeights",
    "SpitWeights",
    "Uniform",
    "load_emma",
    "make_player",
    "play_match",
    "save_emma",
]
