"""Promises that every environment of ours keeps, as checks that users can run on their own variant too.

Each check takes a function that makes an environment, parallel (`pettingzoo.ParallelEnv`) or for one agent
(`gymnasium.Env`), plays games with random legal choices, and raises `ConformanceError` with one line that says the
seed, the step, the agent and what is wrong. ``python -m spit_env.conformance`` runs them all on the shipped
environments, ``python -m spit_env.conformance mymodule:make_env`` on another.

>>> from functools import partial
>>> import spit_env
>>> from spit_env import conformance
>>> conformance.check_masks(partial(spit_env.parallel_env, stepping="decision"), seeds=(1,), steps=30)
"""

from spit_env.conformance.checks import (
    CHECKS,
    check_all,
    check_bounds,
    check_copies,
    check_determinism,
    check_episode,
    check_masks,
    check_no_aliasing,
)
from spit_env.conformance.hidden import check_no_leak
from spit_env.conformance.play import ConformanceError, fingerprint

__all__ = [
    "CHECKS",
    "ConformanceError",
    "check_all",
    "check_bounds",
    "check_copies",
    "check_determinism",
    "check_episode",
    "check_masks",
    "check_no_aliasing",
    "check_no_leak",
    "fingerprint",
]
