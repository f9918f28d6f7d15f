"""The checks that no player learns of cards that they cannot have seen."""

from collections.abc import Iterable

import numpy as np

from spit_env.conformance.play import ConformanceError, MakeEnv, Subject, compare, difference, fail, walk
from spit_env.state import DIRTY_ALL

NOBODY = -1


def check_no_leak(make_env: MakeEnv, seeds: Iterable[int] = (0, 1), steps: int | None = 500) -> None:
    """Permuting the cards that nobody knows changes no output, until one of them is turned up; permuting those that a
    player does not know changes nothing of what that player sees.

    For an environment of ours, or a wrapper around one: it reaches into the state. A twin of the game, its unknown
    cards permuted, makes the same steps; after each step in which a card is turned up, a new twin. Players often wait,
    so that there are steps in which none is.
    """
    compared = 0
    for seed in seeds:
        subject = Subject(make_env())
        if subject.batch is None:
            raise ConformanceError("check_no_leak looks into the state of Spit environments only; this is another")
        game = subject.batch.game
        rng = np.random.default_rng(seed)
        twin: Subject | None = None
        before: tuple[int, ...] = ()
        for step, actions, outputs in walk(subject, seed, steps, patience=0.5):
            if twin is not None:
                theirs = twin.step(actions)
                if game.turned_up(subject.batch.games[0]) == before:
                    compare(seed, step, outputs, theirs, "tells of cards that nobody has seen")
                    compared += 1
                else:
                    twin = None
            if twin is None and subject.agents:
                twin = subject.copies()()
                game.shuffle_unknown(twin.batch, NOBODY, rng)
                twin.batch.games["dirty"] = DIRTY_ALL
            before = game.turned_up(subject.batch.games[0])
            check_views(subject, seed, step, rng)
    if not compared:
        raise ConformanceError("check_no_leak compared nothing: a card was turned up in every step")


def check_views(subject: Subject, seed: int, step: int, rng: np.random.Generator) -> None:
    """Permute what one seat does not know, write its observation and mask anew, and compare; for each seat."""
    copies = subject.copies()
    for seat in range(subject.batch.game.seats):
        batch = copies().batch
        batch.write()
        before = batch.flat[0, seat].copy(), batch.masks[0, seat].copy()
        batch.game.shuffle_unknown(batch, seat, rng)
        batch.write()
        for what, ours, theirs in zip(("observation", "mask"), before, (batch.flat[0, seat], batch.masks[0, seat])):
            found = difference(ours, theirs.copy())
            if found:
                fail(seed, step, f"seat {seat}", f"the {what} tells of cards that the player has not seen{found}")
