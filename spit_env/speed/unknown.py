"""Which cards nobody can know, and which a player cannot: for the check that no output tells of them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spit_env.cards import NO_CARD, swap_cards
from spit_env.speed.check import derive
from spit_env.speed.state import CARDS, HAND5


def turned_up(game: Any) -> tuple[int, ...]:
    """Numbers that change whenever a card is dealt, drawn or turned: each start or turn begins a race."""
    return int(game["rounds"]), int(game["race_from"]), int(game["stock_n"].sum())


def shuffle_unknown(batch: Any, seat: int, rng: np.random.Generator) -> None:
    """Give the places of cards that a player cannot know other cards; with seat -1 of those that no player knows.

    Cards never seen may lie anywhere, and those of the reserves in any reserve at any depth. With recall "none" all
    that is covered is unknown, in piles too.
    """
    game = batch.games[0]
    delayed = batch.past.shape[1] > 1  # a card hidden now may lie open in an earlier snapshot
    forgetful = batch.recall == "none" and not delayed
    new = np.arange(CARDS)
    if forgetful:
        new = swap_cards(new, hidden_cards(game, seat, under=True), rng)
        batch.games["seen"][0, new] = game["seen"].copy()  # a place keeps what is said of its card
    else:
        seen = game["seen"] > 0
        if delayed:
            seen |= batch.past["seen"].any(axis=(0, 1))
        else:
            new = swap_cards(new, _cards(game, "reserve"), rng)
        hidden = hidden_cards(game, seat, under=False)
        new = swap_cards(new, hidden[~seen[hidden]], rng)
    with_none = np.append(new, NO_CARD)  # at index -1: an empty place stays empty
    for records in (batch.games, batch.past):
        for name in ("held", "stock", "reserve", "starter", "pile"):
            records[name] = with_none[records[name]]
    derive(game)


def hidden_cards(game: Any, seat: int, under: bool) -> npt.NDArray[np.int64]:
    """The cards that do not lie open for this player (-1: for any), those of piles only if ``under``."""
    places = [_cards(game, "stock"), _cards(game, "reserve"), game["starter"]]
    if seat >= 0 and game["layout"] == HAND5:
        places.append(np.delete(game["held"], seat, axis=0).reshape(-1))
    if under:
        places += [pile[: max(0, n - 1)] for pile, n in zip(game["pile"], game["pile_n"])]
    cards: npt.NDArray[np.int64] = np.concatenate(places).astype(np.int64)
    return cards[cards >= 0]


def _cards(game: Any, name: str) -> npt.NDArray[np.int64]:
    """All cards of the stocks or reserves."""
    heaps = zip(game[name], game[f"{name}_n"])
    cards: npt.NDArray[np.int64] = np.concatenate([heap[:n] for heap, n in heaps]).astype(np.int64)
    return cards
