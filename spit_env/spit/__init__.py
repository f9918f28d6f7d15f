"""The game of Spit: its verbs for the race core. docs/spit.md says the same in prose."""

from spit_env.spit import layout, moves, observation, rounds, state  # noqa: F401  (importing them registers the verbs)
