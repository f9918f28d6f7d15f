"""Does a bot keep the protocol? ``python -m spit_agents.check NAME [RULES ...]`` plays games and says.

The bot, named as for `spit_agents.make_player`, plays all seats, some choices being made at random for variety. In each
step its actions must be whole numbers, one for each row and legal; it must write into nothing that it is given; and it
must choose the same again, and the same whatever the order and the number of the rows. The exit code is 1 if it does
not under some rules, or plays under none, 2 if there is no such bot or rules.
"""

import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from spit_agents.base import Agent, informed
from spit_agents.catalogue import make_player
from spit_agents.errors import BadPlayer
from spit_agents.uniform import Uniform
from spit_env.batch import Batch, make_seeds
from spit_env.errors import BadRules
from spit_env.rules import PRESETS, make_rules

GAMES, STEPS, SEED = 24, 150, 1
RANDOM = 0.2  # how many of the choices are made at random


class Checked(NamedTuple):
    """What came of it under some rules."""

    rules: str
    decisions: int
    seconds: float  # of CPU time, for them
    problem: str  # what is wrong, "" if nothing
    plays: bool = True  # False: it does not play this game, and says so

    @property
    def kept(self) -> bool:
        """Whether the bot keeps the protocol there."""
        return self.plays and not self.problem


def check_bot(agent: Agent, rules: str) -> Checked:
    """Play `GAMES` games for `STEPS` steps, or to the first problem."""
    batch, rng = Batch(GAMES, rules), np.random.default_rng(SEED)
    batch.reset(make_seeds(SEED, GAMES))
    step, decisions, seconds = 0, 0, 0.0
    try:
        agent = informed(agent, make_rules(rules))
        for step in range(STEPS):
            rows, seats = np.nonzero(batch.asked)
            if not len(rows):
                break
            views, masks = batch.seen(rows, seats)
            seen = views, masks, batch.draws(rows, seats)
            if step == 1:
                decisions, seconds = 0, 0.0  # the first call may have compiled something
            began = time.process_time()
            chosen = agent.act(views.copy(), masks.copy(), seen[2].copy())
            seconds, decisions = seconds + time.process_time() - began, decisions + len(rows)
            problem = problem_in(agent, chosen, seen, rng)
            if problem:
                return Checked(rules, decisions, seconds, f"step {step}: {problem}")
            actions = np.zeros((GAMES, batch.game.seats), np.int64)
            random = rng.random(len(rows)) < RANDOM
            actions[rows, seats] = np.where(random, Uniform().act(*seen), chosen)
            batch.step(actions)
    except BadPlayer as error:
        return Checked(rules, decisions, seconds, str(error), plays=step > 0)
    except Exception as error:  # whatever the bot raises
        at = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(at.filename).name}:{at.lineno}"
        return Checked(rules, decisions, seconds, f"{where} raised {type(error).__name__}: {error}")
    return Checked(rules, decisions, seconds, "")


def problem_in(agent: Agent, chosen: Any, seen: tuple[Any, ...], rng: np.random.Generator) -> str:
    """What is wrong with the actions that a bot chose for what it saw, "" if nothing."""
    views, masks, draws = seen
    rows = np.arange(len(masks))
    if not isinstance(chosen, np.ndarray) or chosen.shape != rows.shape or chosen.dtype.kind not in "iu":
        got = f"{chosen.dtype} of shape {chosen.shape}" if isinstance(chosen, np.ndarray) else type(chosen).__name__
        return f"act must return whole numbers as an array of shape {rows.shape}, not {got}"
    outside = (chosen < 0) | (chosen >= masks.shape[1])
    illegal = np.flatnonzero(outside | (masks[rows, np.where(outside, 0, chosen)] == 0))
    if len(illegal):
        return f"{len(illegal)} of {len(rows)} actions are illegal, such as {chosen[illegal[0]]} in row {illegal[0]}"
    again = tuple(part.copy() for part in seen)
    repeated = agent.act(*again)
    for name, given, left in zip(("views", "masks", "draws"), seen, again):
        if given.tobytes() != left.tobytes():
            return f"act writes into {name}: it must work on a copy"
    if (repeated != chosen).any():
        return "the same rows again give other actions: all chance must come from draws, and nothing be remembered"
    some = rng.permutation(len(rows))[: 1 + len(rows) // 2]
    for part, how in ((some, "in another order and number"), (some[:1], "alone")):
        if (np.asarray(agent.act(views[part], masks[part], draws[part])) != chosen[part]).any():
            return f"rows {how} give other actions: each row must be decided by itself"
    return ""


def main(argv: Sequence[str] | None = None) -> int:
    """Check the bot that the arguments name, print a line for each of the rules; the exit code."""
    name, *names = (sys.argv[1:] if argv is None else argv) or ("",)
    try:
        agent = make_player(name).agent
        for rules in names:
            make_rules(rules)
    except (BadPlayer, BadRules) as error:
        print(f"python -m spit_agents.check NAME [RULES ...]: {error}", file=sys.stderr)
        return 2
    results = [check_bot(agent, rules) for rules in names or PRESETS]
    print(f"{'rules':<20}{'decisions':>10}{'per CPU-second':>16}  {name}")
    for result in results:
        speed = f"{result.decisions / result.seconds:,.0f}" if result.kept and result.seconds else "-"
        what = "kept" if result.kept else f"{'FAILED' if result.plays else 'does not play'}: {result.problem}"
        print(f"{result.rules:<20}{result.decisions:>10}{speed:>16}  {what}")
    return int(any(result.plays and result.problem for result in results) or not any(r.plays for r in results))


if __name__ == "__main__":
    sys.exit(main())
