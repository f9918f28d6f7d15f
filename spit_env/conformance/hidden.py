"""The check that no player learns of cards that nobody can have seen."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from spit_env.conformance.play import ConformanceError, MakeEnv, Subject, compare, walk
from spit_env.spit.state import CARDS, SEATS, STACKS
from spit_env.state import DIRTY_ALL


def check_no_leak(make_env: MakeEnv, seeds: Iterable[int] = (0, 1), steps: int | None = 500) -> None:
    """Permuting the cards that nobody knows changes no output, until one of them is turned up.

    For an environment of ours, or a wrapper around one: it reaches into the state. A twin of the game, its unknown
    cards permuted, makes the same steps; after each step in which a card is turned up, a new twin.
    """
    compared = 0
    for seed in seeds:
        subject = Subject(make_env())
        if subject.batch is None:
            raise ConformanceError("check_no_leak looks into the state of Spit environments only; this is another")
        rng = np.random.default_rng(seed)
        twin: Subject | None = None
        before: tuple[int, ...] = ()
        for step, actions, outputs in walk(subject, seed, steps):
            if twin is not None:
                theirs = twin.step(actions)
                if turned_up(subject.batch.games[0]) == before:
                    compare(seed, step, outputs, theirs, "tells of cards that nobody has seen")
                    compared += 1
                else:
                    twin = None
            if twin is None and subject.agents:
                twin = subject.copies()()
                permute_unknown(twin.batch, rng)
            before = turned_up(subject.batch.games[0])
    if not compared:
        raise ConformanceError("check_no_leak compared nothing: a card was turned up in every step")


def turned_up(game: Any) -> tuple[int, ...]:
    """Numbers that change whenever a card is turned face up."""
    return int(game.rounds), int(game.down.sum()), int(game.deck_n.sum())


def permute_unknown(batch: Any, rng: np.random.Generator) -> None:
    """Give the places of unknown cards other cards, and have everything that is shown written anew."""
    game = batch.games[0]
    delayed = batch.past.shape[1] > 1  # a card hidden now may lie open in an earlier snapshot
    new = np.arange(CARDS)
    for p in range(SEATS):
        new = swapped(new, hidden_cards(game, p, game["seen"] == 0 if delayed else game["known"] == 0), rng)
    # Cards never seen may lie anywhere. With recall "none" all that is covered is unknown; piles too.
    free = game["seen"] == 0
    if batch.recall == "none" and not delayed:
        free = np.ones(CARDS, np.bool_)
    pool = np.concatenate([hidden_cards(game, p, free) for p in range(SEATS)])
    if batch.recall == "none" and not delayed:
        piles = [game["pile"][i, : max(0, game["pile_n"][i] - 1)] for i in range(SEATS)]
        pool = np.concatenate([pool, *piles])
    new = swapped(new, pool, rng)
    for records in (batch.games, batch.past):
        for name in ("stack", "deck", "pile"):
            records[name] = new[records[name]]
    batch.games["dirty"] = DIRTY_ALL


def hidden_cards(game: Any, p: int, which: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """The player's face-down cards, in stacks and deck, that are among these."""
    places = [game["stack"][p, s, : game["down"][p, s]] for s in range(STACKS)]
    cards = np.concatenate([*places, game["deck"][p, : game["deck_n"][p]]]).astype(np.int64)
    return cards[which[cards]]


def swapped(
    new: npt.NDArray[np.int64], cards: npt.NDArray[np.int64], rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """The permutation ``new``, followed by a random one of these cards."""
    then = np.arange(CARDS)
    then[cards] = rng.permutation(cards)
    return then[new]
