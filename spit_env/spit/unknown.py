"""Which cards nobody can know: for the check that no output tells of them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spit_env.cards import swap_cards
from spit_env.spit.state import CARDS, SEATS, STACKS


def turned_up(game: Any) -> tuple[int, ...]:
    """Numbers that change whenever a card is turned face up."""
    return int(game["rounds"]), int(game["down"].sum()), int(game["deck_n"].sum())


def shuffle_unknown(batch: Any, seat: int, rng: np.random.Generator) -> None:
    """Give the places of cards that a player cannot know other cards. In Spit nobody knows more than another."""
    game = batch.games[0]
    delayed = batch.past.shape[1] > 1  # a card hidden now may lie open in an earlier snapshot
    new = np.arange(CARDS)
    for p in range(SEATS):
        new = swap_cards(new, hidden_cards(game, p, game["seen"] == 0 if delayed else game["known"] == 0), rng)
    # Cards never seen may lie anywhere. With recall "none" all that is covered is unknown; piles too.
    free = game["seen"] == 0
    if batch.recall == "none" and not delayed:
        free = np.ones(CARDS, np.bool_)
    pool = np.concatenate([hidden_cards(game, p, free) for p in range(SEATS)])
    if batch.recall == "none" and not delayed:
        piles = [game["pile"][i, : max(0, game["pile_n"][i] - 1)] for i in range(SEATS)]
        pool = np.concatenate([pool, *piles])
    new = swap_cards(new, pool, rng)
    for records in (batch.games, batch.past):
        for name in ("stack", "deck", "pile"):
            records[name] = new[records[name]]


def hidden_cards(game: Any, p: int, which: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """The player's face-down cards, in stacks and deck, that are among these."""
    places = [game["stack"][p, s, : game["down"][p, s]] for s in range(STACKS)]
    cards = np.concatenate([*places, game["deck"][p, : game["deck_n"][p]]]).astype(np.int64)
    return cards[which[cards]]
