"""California Speed: cover equal cards in two rows of four."""

from spit_env.california import moves, observation, rounds, table  # noqa: F401  (importing them registers the verbs)
