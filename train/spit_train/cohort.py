"""What is to be played, said in full: a cohort of games, fixed before the first of them begins."""

import hashlib
import inspect
import os
import pickle
import sys
from dataclasses import dataclass, replace
from typing import Any

from spit_agents.base import Player
from spit_agents.match import GameResults, play_match
from spit_env.batch import MAX_SEED, Recall
from spit_env.jit import hash_sources
from spit_env.ruleset import Rules

OURS = ("spit_env", "spit_agents")
PROCESS = os.urandom(16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cohort:
    """So many deals of a run, each played once for each player, the seats rotated.

    The games of a cohort share nothing, so they can be played in any parts, in any order and by any number of
    processes with the same results. A cohort with more deals begins with the games of the one with fewer.
    """

    players: tuple[Player, ...]
    deals: int
    seed: int
    rules: Rules
    recall: Recall = "perfect"
    wait_ms: int = 100
    one_round: bool = False  # leave each game after its first round

    @property
    def games(self) -> int:
        """How many games these are."""
        return self.deals * len(self.players)

    @property
    def title(self) -> str:
        """The players' names."""
        return " v ".join(player.name for player in self.players)

    def with_deals(self, deals: int) -> "Cohort":
        """The same with more or fewer deals."""
        return replace(self, deals=deals)

    def play(self, first: int, deals: int, batch_size: int) -> GameResults:
        """Play a part: so many deals from number ``first`` on."""
        return play_match(
            self.players, deals, self.seed, rules=self.rules, recall=self.recall, batch_size=batch_size,
            wait_ms=self.wait_ms, first=first, one_round=self.one_round,
        )  # fmt: skip

    def key(self) -> str:
        """Sixteen hexadecimal digits that change with whatever could change a game, the bots' code included.

        The number of deals is left out: with more of them a cohort goes on.
        """
        values = (
            [(player.name, player.latency.to_dict(), fingerprint(player.agent)) for player in self.players],
            self.seed, self.rules.GAME, self.rules.to_dict(), self.recall, self.wait_ms, self.one_round,
        )  # fmt: skip
        return hashlib.sha256(repr(values).encode()).hexdigest()[:16]


def fingerprint(agent: Any) -> str:
    """A hash of what a bot is: the engine's and our bots' sources, the bot's own, and what it holds (weights, say).

    A bot that cannot be pickled has another one in every process.
    """
    digest = hashlib.sha256()
    for package in (*OURS, type(agent).__module__.partition(".")[0]):
        hash_sources(digest, package)
    try:
        digest.update(inspect.getsource(sys.modules[type(agent).__module__]).encode())
        digest.update(pickle.dumps(agent))
    except (OSError, TypeError, AttributeError, pickle.PicklingError):
        digest.update(PROCESS)
    return digest.hexdigest()


def sub_seed(seed: int, purpose: str) -> int:
    """A seed for one part of a run, so that its parts share no deal: from the run's seed and what the part is for."""
    words = hashlib.sha256(f"{seed}/{purpose}".encode()).digest()
    return int.from_bytes(words[:8], "big") & MAX_SEED
