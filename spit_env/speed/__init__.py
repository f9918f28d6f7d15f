"""The game of Speed: its verbs for the race core. docs/speed.md says the same in prose."""

from spit_env.speed import moves, observation, rounds, state, table  # noqa: F401  (importing them registers the verbs)
