"""``python -m spit_env.conformance [module:make_env]``: a line for each check, exit status 1 if one fails."""

import sys
import time
from functools import partial
from importlib import import_module

import gymnasium

from spit_env.conformance import CHECKS, ConformanceError
from spit_env.conformance.play import MakeEnv
from spit_env.env import parallel_env

SHIPPED: dict[str, MakeEnv] = {
    "Spit, tick": partial(parallel_env, latency="emma:impossible", tick_ms=100),
    "Spit, decision": partial(parallel_env, latency=("emma:hard", "emma:easy"), stepping="decision"),
    "Spit, solo": partial(gymnasium.make, "spit/SpitSolo-v0", opponent="emma:hard"),
    "Speed": partial(parallel_env, rules="speed_jokers", stepping="decision"),
    "Speed for four": partial(parallel_env, rules="speed_4p", stepping="decision"),
    "Speed, solo": partial(gymnasium.make, "spit/SpeedSolo-v0", opponent="emma:hard"),
    "California Speed": partial(parallel_env, rules="california", stepping="decision"),
}


def main(arguments: list[str]) -> int:
    """Run all checks; the number of failed ones as an exit status of at most 1."""
    subjects = SHIPPED
    if arguments:
        module, _, attribute = arguments[0].partition(":")
        subjects = {arguments[0]: getattr(import_module(module), attribute or "make_env")}
    failed = 0
    for name, make_env in subjects.items():
        for check in CHECKS:
            since = time.perf_counter()
            try:
                check(make_env)
                verdict = "ok"
            except ConformanceError as error:
                verdict, failed = f"FAILED: {error}", failed + 1
            print(f"{name}: {check.__name__} ({time.perf_counter() - since:.1f} s): {verdict}", flush=True)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
