"""Any game: strategies over rules and players, and a driver that makes random choices event by event."""

from collections.abc import Callable
from typing import Any, get_args, get_origin

import numpy as np
from hypothesis import strategies as st

from spit_env.latency import Latency, LogNormal
from spit_env.spit.rules import PRESETS, SpitRules
from spit_env.state import NOOP, OVER
from tests.engine import Engine
from tests.spit_rules import make_rules

RULE_VALUES = {
    "return_ms": (-1, 0, 40), "stall_ms": (0, 700, 5000), "spit_pause_ms": (1, 300), "rearrange_budget": (0, 2, 12),
    "max_rounds": (2, 100), "max_round_ms": (9000, 1_800_000), "max_idle_ms": (5000, 30_000),
}  # fmt: skip


def possible(values: dict[str, Any]) -> SpitRules:
    """A record of these values, contradictions among them resolved."""
    values["stall_ms"] = 700 if values["must_play"] and not values["stall_ms"] else values["stall_ms"]
    values["prespit_combine"] &= values["combine"] != "off"
    if values["blocked"] not in ("fewest_stack_cards", "fewest_wins_game"):
        values["blocked_tie"] = "coin"
    if values["pickup_shuffle"]:
        values["pickup_orientation"] = "oldest_first"
    return make_rules(values)


RULES = st.fixed_dictionaries(
    {
        name: st.sampled_from(get_args(kind) if get_origin(kind) else RULE_VALUES.get(name, (False, True)))
        for name, kind in SpitRules.kinds().items()
    }
).map(possible)
ANY_RULES = st.one_of(st.sampled_from(list(PRESETS.values())), RULES)


def player(ms: float, sigma: float, perception_ms: int = 0) -> Latency:
    """Everything about as fast."""
    time = LogNormal(ms, sigma)
    return Latency(think=time, play=time, rearrange=time, flip=time, call=time, perception_ms=perception_ms)


# Machines, whose cards meet in one millisecond, and people.
SPEEDS = st.sampled_from([player(3, 0.3), player(40, 0.0), player(250, 0.4)])
TABLES = st.tuples(SPEEDS, SPEEDS)
DELAYED = st.tuples(SPEEDS, st.sampled_from([player(150, 0.3, 130), player(90, 0.3, 400)]))
LABELS = st.sampled_from([(0, 1), (1, 0)])


def play(game: Engine, seed: int, events: int, look: Callable[[], None], patience: float = 0.15) -> Engine:
    """So many events with random choices, some of them late; ``look`` after each event and choice."""
    rng = np.random.default_rng(seed)
    look()
    for _ in range(events):
        for seat in game.asked(False):
            legal = game.legal(seat)
            if seat in game.asked(False) and (game.game.chooser == seat or rng.random() > patience):
                busy = [action for action in legal if action != NOOP]
                game.choose(seat, int(rng.choice(busy if busy and rng.random() > patience else legal)))
                game.advance(int(game.game.time))
                look()
        game.advance(single=True)
        look()
        if game.game.phase == OVER:
            break
    return game
