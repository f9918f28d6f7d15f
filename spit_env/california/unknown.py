"""Which cards nobody can know: for the check that no output tells of them."""

from typing import Any

import numpy as np

from spit_env.california.state import CARDS, SEATS, STACKS
from spit_env.cards import swap_cards
from spit_env.state import LOCKED


def turned_up(game: Any) -> tuple[int, ...]:
    """Numbers that change whenever a card is turned face up: rows are laid, or a card sets out."""
    return int(game["rounds"]), int(game["phase"] == LOCKED), int(game["travel_n"].sum())


def shuffle_unknown(batch: Any, seat: int, rng: np.random.Generator) -> None:
    """Give the places of cards that a player cannot know other cards. In California Speed nobody knows more than
    another. With recall "none" all that is covered is unknown, in stacks too."""
    game = batch.games[0]
    packs = [game["pack"][p, : game["pack_n"][p]] for p in range(SEATS)]
    if batch.recall == "none" and batch.past.shape[1] == 1:
        covered = [game["stack"][p, s, : max(0, game["height"][p, s] - 1)] for p in range(SEATS) for s in range(STACKS)]
        pool = np.concatenate([*packs, *covered]).astype(np.int64)
    else:  # with delayed perception a card covered now may lie open in an earlier snapshot
        pool = np.concatenate(packs).astype(np.int64)
        pool = pool[game["seen"][pool] == 0]
    new = swap_cards(np.arange(CARDS), pool, rng)
    for records in (batch.games, batch.past):
        for name in ("stack", "pack"):
            records[name] = new[records[name]]
