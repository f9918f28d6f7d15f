"""The bot that searches: it plays each choice out in imagined worlds, and takes the one that went best."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spit_agents import imagine_spit, playout_spit
from spit_agents.base import Actions, Agent
from spit_agents.errors import BadPlayer
from spit_agents.imagine import NOW, imagine
from spit_agents.playout import play_on, worth
from spit_env import race
from spit_env.draws import philox
from spit_env.games import game_of
from spit_env.jit import entry, kernel
from spit_env.ruleset import Rules
from spit_env.state import DIRTY_ALL, NEVER, NOOP

WORLDS = 64  # the stream from which worlds are drawn


@entry
def search_rows(
    views: Any, masks: Any, draws: Any, blank: Any, scratch: Any, past: Any, seen: Any, rollouts: int, wait: bool, horizon: int, halve: bool, margin: float, patience: int, actions: Any
) -> None:
    """One action for each row. ``scratch``: room for two records."""
    values = np.empty(masks.shape[1])
    candidates = np.empty(masks.shape[1], np.int64)
    for row in range(actions.shape[0]):
        n = 0
        for a in range(masks.shape[1]):
            if masks[row, a] != 0 and (a != NOOP or wait):
                candidates[n] = a
                n += 1
        if n == 0:
            actions[row] = NOOP
        elif n == 1 or (n == 2 and candidates[0] == NOOP and not wait):
            actions[row] = candidates[0]
        else:
            actions[row] = best_of(views[row], int(draws[row]), blank[0], scratch, past, seen, rollouts, horizon, halve, margin, patience, candidates[:n], values)


@kernel
def best_of(view: Any, draw: int, blank: Any, scratch: Any, past: Any, seen: Any, rollouts: int, horizon: int, halve: bool, margin: float, patience: int, left: Any, values: Any) -> int:
    """Successive halving."""
    n = left.shape[0]
    budget = rollouts * n
    stages = 1
    if halve:
        stages = 0
        while (1 << stages) < n:
            stages += 1
    worlds = 0
    mask = np.empty(39, np.int8)
    for i in range(n):
        values[left[i]] = 0.0
    for stage in range(stages):
        for _ in range(max(1, budget // (stages * n))):
            w = philox(draw, WORLDS, worlds)
            worlds += 1
            scratch[0] = blank
            scratch[0].dirty[:] = DIRTY_ALL
            imagine(scratch[0], view, ((w[0] & 0x7FFFFFFF) << 32) | w[1])
            for i in range(n):
                g = scratch[1]
                scratch[1] = scratch[0]
                if left[i] == NOOP:
                    values[left[i]] += margin
                values[left[i]] += try_out(g, past, seen, mask, left[i], horizon, patience, w[2])
        # keep the better half
        keep = (n + 1) // 2
        for i in range(keep if stage < stages - 1 else 1):
            for j in range(i + 1, n):
                if values[left[j]] > values[left[i]]:
                    left[i], left[j] = left[j], left[i]
        n = keep
    return int(left[0])


@kernel
def try_out(g: Any, past: Any, seen: Any, mask: Any, action: int, horizon: int, patience: int, word: int) -> float:
    """What became of a choice in a world."""
    g.wait_ms = patience
    race.choose(g, g, 0, action)
    g.wait_ms = 60_000
    play_on(g, past, seen, mask, NOW + horizon if horizon > 0 else NEVER, word)
    return worth(g, 0)


class Search:
    def __init__(self, rollouts: int = 16, wait: bool = False, horizon: int = 0, halve: bool = True, margin: float = 0.0, patience: int = 60_000, rules: Rules | None = None) -> None:
        self.rollouts, self.wait, self.horizon, self.halve, self.margin, self.patience = rollouts, wait, horizon, halve, margin, patience
        self.rules = rules
        self._informed: dict[Rules, Search] = {}
        if rules is not None:
            game = game_of(rules)
            self.blank = np.zeros(1, game.state).view(np.recarray).view(np.ndarray)
            self.blank[0] = game.blank(rules)
            self.scratch = np.zeros(2, game.state).view(np.recarray).view(np.ndarray)
            self.seen = game.observation.zeros((game.seats,)).view(np.ndarray)
            self.past = np.zeros(1, game.state).view(np.recarray).view(np.ndarray)
        self.calls = self.cpu = 0

    def for_rules(self, rules: Rules) -> Agent:
        if rules not in self._informed:
            self._informed[rules] = Search(self.rollouts, self.wait, self.horizon, self.halve, self.margin, self.patience, rules)
        return self._informed[rules]

    def act(self, views: Any, masks: npt.NDArray[np.int8], draws: npt.NDArray[np.uint32]) -> Actions:
        if self.rules is None:
            raise BadPlayer("search must know the rules")
        import time
        t = time.thread_time()
        actions = np.empty(len(masks), np.int64)
        search_rows(
            views.view(np.ndarray), masks, draws, self.blank, self.scratch, self.past, self.seen, self.rollouts, self.wait, self.horizon, self.halve, self.margin, self.patience, actions
        )
        self.cpu += time.thread_time() - t
        self.calls += len(masks)
        self.searched = getattr(self, "searched", 0) + int((masks[:, 1:].sum(1) > 1).sum())
        self.cand = getattr(self, "cand", 0) + int((masks[:, 1:].sum(1) * (masks[:, 1:].sum(1) > 1)).sum())
        return actions
