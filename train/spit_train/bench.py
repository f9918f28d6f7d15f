"""The benchmark: how fast the engine, the bots and the environment are on this machine, beside peers in the same run.

Rates are per CPU-second of one core, which other jobs on the machine disturb less than the clock; each is the median
of a few repeats. Compare ratios within a run rather than figures of two runs.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from spit_agents.base import Actions, Agent, Player, informed
from spit_agents.catalogue import make_player
from spit_agents.match import play_match
from spit_env.rules import make_rules
from spit_train.bench_loops import ALL, ENGINE, MASKS, OBSERVATIONS, PARTS, TICK_MS, RandomPlay, Stretch
from spit_train.bench_peers import ONE, PEERS, TICK, Peer, pettingzoo_steps
from spit_train.evaluate import versions

FORMAT, FORMAT_VERSION = "spit-bench", 1
START = """
import json, time
begin = time.process_time()
from spit_env.batch import Batch, make_seeds
imported = time.process_time()
batch = Batch(1, tick_ms=50)
batch.reset(make_seeds(1, 1))
batch.step(batch.asked.astype("int64") * 0)
print(json.dumps([imported - begin, time.process_time() - begin]))
"""
START_LIMIT_S = 600
SPIT = "emma"  # the rules that all but `all_games` time
OTHERS = ("speed", "speed_3p", "speed_4p", "bicycle", "california")


class Measure(NamedTuple):
    """Repeats of one measurement; of a peer or another game also how Spit compares with it in this run."""

    name: str
    unit: str
    values: tuple[float, ...]
    ratio: float | None = None  # Spit's median over this one, of a peer or another game

    @property
    def median(self) -> float:
        """The middle value."""
        return median(self.values)

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the median and the ends, and the repeats in the order taken."""
        ends = {"median": self.median, "min": min(self.values), "max": max(self.values)}
        return {"name": self.name, "unit": self.unit} | ends | {"ratio": self.ratio, "values": list(self.values)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much to time."""

    repeats: int = 5
    games: int = 1024  # in progress at a time
    warm_up: int = 4000  # ticks before timing, so that the games are not all at their beginning
    ticks: int = 1500  # per repeat
    decisions: int = 600  # decision steps per repeat
    deals: int = 2000  # per repeat of the bots' match; two games each
    searched_deals: int = 20  # per repeat of the search against Emma
    env_steps: int = 10_000  # per repeat, one game
    fresh_starts: int = 5  # each compiles the engine: some 20 seconds


QUICK = Sizes(
    repeats=3, warm_up=1000, ticks=400, decisions=200, deals=500, searched_deals=4, env_steps=2_000, fresh_starts=1
)


class Bench(NamedTuple):
    """All that was measured. ``missing`` says which peers could not be run, and why."""

    machine: dict[str, Any]
    sizes: Sizes
    measures: list[Measure]
    missing: dict[str, str]

    def to_json(self) -> str:
        """As JSON text."""
        sizes = {name: getattr(self.sizes, name) for name in Sizes.__slots__}
        values = {"machine": self.machine, "sizes": sizes, "measures": [m.to_dict() for m in self.measures]}
        return json.dumps({"format": FORMAT, "version": FORMAT_VERSION} | values | {"missing": self.missing}, indent=1)


def bench(sizes: Sizes, announce: Callable[[str], None] = lambda what: None) -> Bench:
    """Time everything, each peer right after the measure that it is set beside; ``announce`` is told what is next."""
    facts = machine()  # first: the load should be the others'
    found: list[Measure] = []
    missing: dict[str, str] = {}
    for what, group in (
        ("tick stepping", tick_stepping),
        ("decision stepping", decision_stepping),
        ("bots", bot_match),
        ("search", searching),
        ("one environment", one_environment),
        ("training", training),
        ("all games", all_games),  # late: several games in one process slow each other down
        ("starts", starting),
    ):
        announce(f"timing {what}")
        measures = list(group(sizes))
        medians = {measure.name: measure.median for measure in measures}
        found += measures
        for peer in PEERS:
            if peer.beside in medians:
                try:
                    found.append(time_peer(peer, medians[peer.beside], sizes))
                except ImportError as error:
                    missing[peer.name] = str(error)
    return Bench(facts, sizes, found, missing)


def tick_stepping(sizes: Sizes) -> Iterator[Measure]:
    """Random legal play tick by tick: everything, and the same games again with parts of the work left out."""
    play = RandomPlay(sizes.games, TICK_MS)
    play.run(sizes.warm_up)
    stretch = Stretch(play, sizes.ticks)
    stretch.replay(ENGINE)  # compile
    counts = [[stretch.replay(parts) for parts in range(len(PARTS))] for _ in range(sizes.repeats)]
    for parts in (ALL, ENGINE, MASKS, OBSERVATIONS):
        name = TICK if parts == ALL else f"  {PARTS[parts]}"
        yield Measure(name, "agent-steps/s", tuple(row[parts].agent_steps / row[parts].cpu_s for row in counts))


def all_games(sizes: Sizes) -> Iterator[Measure]:
    """The same for the other games of the family, in turn with Spit, beside which their rates are set."""
    plays = {rules: RandomPlay(sizes.games, TICK_MS, rules) for rules in (SPIT, *OTHERS)}
    for play in plays.values():
        play.run(sizes.warm_up // 4)
    rates: dict[str, list[float]] = {rules: [] for rules in plays}
    for _ in range(sizes.repeats):
        for rules, play in plays.items():
            count = play.run(sizes.ticks // 2)
            rates[rules].append(count.agent_steps / count.cpu_s)
    spit = median(rates[SPIT])
    for rules in OTHERS:
        yield Measure(f"tick stepping: {rules}", "agent-steps/s", tuple(rates[rules]), spit / median(rates[rules]))


def decision_stepping(sizes: Sizes) -> Iterator[Measure]:
    """Random legal play from choice to choice, the outputs of the seat that chooses written."""
    play = RandomPlay(sizes.games, None)
    play.run(sizes.warm_up // 4)
    counts = [play.run(sizes.decisions) for _ in range(sizes.repeats)]
    rates = tuple(count.decisions / count.cpu_s for count in counts)
    yield Measure("decision stepping: all in", "decisions/s", rates)


def bot_match(sizes: Sizes) -> Iterator[Measure]:
    """Whole games of the scripted bot against itself."""
    emma = make_player("emma:hard")
    play_match((emma, emma), 1, 0)  # compile
    games, choices = [], []
    for seed in range(sizes.repeats):
        start = time.process_time()
        results = play_match((emma, emma), sizes.deals, seed)
        cpu = time.process_time() - start
        games.append(2 * sizes.deals / cpu)
        choices.append(results.decisions.sum() / cpu)
    yield Measure("emma:hard v emma:hard", "games/s", tuple(games))
    yield Measure("  its decisions", "decisions/s", tuple(map(float, choices)))


def searching(sizes: Sizes) -> Iterator[Measure]:
    """The choices of the searching bot in games against Emma, what time passes between them left out."""
    emma, rates = make_player("emma:hard"), []
    for seed in range(-1, sizes.repeats):  # the first compiles
        clock = Clocked(informed(make_player("search").agent, make_rules(SPIT)))
        play_match((Player("search", clock, emma.latency), emma), 1 if seed < 0 else sizes.searched_deals, max(0, seed))
        rates.append(clock.decisions / clock.cpu_s)
    yield Measure("search v emma:hard: its decisions", "decisions/s", tuple(rates[1:]))


class Clocked:
    """A bot that is timed."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.decisions, self.cpu_s = agent, 0, 0.0

    def act(self, views: Any, masks: Any, draws: Any) -> Actions:
        """What the bot does."""
        began = time.process_time()
        actions = self.agent.act(views, masks, draws)
        self.cpu_s += time.process_time() - began
        self.decisions += len(masks)
        return actions


def one_environment(sizes: Sizes) -> Iterator[Measure]:
    """The PettingZoo environment, one game at a time, from Python."""
    from spit_env.env import parallel_env

    for name, rules in ((ONE, SPIT), ("PettingZoo environment: one game of Speed", "speed")):
        environment = parallel_env(rules=rules)
        rates = tuple(pettingzoo_steps(environment, sizes.env_steps) for _ in range(sizes.repeats))
        yield Measure(name, "agent-steps/s", rates)


def training(sizes: Sizes) -> Iterator[Measure]:
    """Masked PPO with the default settings: the whole, then its parts by themselves."""
    from spit_train.bench_training import Training

    run = Training()
    rows = [(run.end_to_end(), run.rollout(), run.environment(), run.update()) for _ in range(sizes.repeats)]
    names = ("training end to end", "  rollout", "  games and features", "  update")
    for name, values in zip(names, zip(*rows, strict=True), strict=True):
        yield Measure(name, "decisions/s", values)


def starting(sizes: Sizes) -> Iterator[Measure]:
    """New processes up to the first step: the first ever, which compiles, and later ones."""
    with tempfile.TemporaryDirectory(prefix="spit-bench-") as folder:
        first = [start_process(f"{folder}/{k}")[1] for k in range(sizes.fresh_starts)]
        later = [start_process(f"{folder}/0") for _ in range(sizes.repeats)]
    yield Measure("import", "CPU s", tuple(imported for imported, _ in later))
    yield Measure("first start ever: import, compile, first step", "CPU s", tuple(first))
    yield Measure("later starts: import, load, first step", "CPU s", tuple(ready for _, ready in later))


def start_process(cache: str) -> tuple[float, float]:
    """CPU seconds of a new process for the import, and up to the first step; compiled code is kept in ``cache``."""
    environment = os.environ | {"SPIT_CACHE_DIR": cache, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", START], env=environment, capture_output=True, text=True, timeout=START_LIMIT_S
    )
    if done.returncode:
        raise RuntimeError(f"a new process could not start the engine:\n{done.stderr}")
    imported, ready = json.loads(done.stdout)
    return imported, ready


def time_peer(peer: Peer, spit: float, sizes: Sizes) -> Measure:
    """A peer's rate, and Spit's in proportion.

    Raises:
        ImportError: if it is not installed.
    """
    run = peer.prepare()
    steps = sizes.env_steps // peer.share
    run(steps // 10)
    rates = tuple(run(steps) for _ in range(sizes.repeats))
    return Measure(f"  peer: {peer.name}", "agent-steps/s", rates, spit / median(rates))


def machine() -> dict[str, Any]:
    """What the figures depend on."""
    return {"cpu": cpu_model(), "cores": os.cpu_count(), "system": platform.system(), "machine": platform.machine()} | {
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "versions": versions(),
    }


def cpu_model() -> str:
    """The processor's name, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or "unknown")
