"""What a player of Spit with a worse memory sees.

What can be forgotten are the cards that lie face down, those that got lost in a shuffle, and those of the piles under
their tops. The piles are then known by eye only, unless the rules let them be counted.
"""

from typing import Any

from spit_agents.memory import counted, remembered, remembers, salt_of
from spit_agents.packed import rank_at
from spit_env.cards import RANKS
from spit_env.jit import entry, kernel
from spit_env.spit.observation import DECK_SHOWN
from spit_env.spit.state import CARDS, DEPTH, SEATS, STACKS

SUITS = CARDS // RANKS
# Places, each number once.
FIRST_IN_DECK = SEATS * STACKS * DEPTH
FIRST_LOST = FIRST_IN_DECK + SEATS * CARDS
FIRST_IN_PILE = FIRST_LOST + SEATS * SUITS


@entry
def forget_rows(views: Any, keep: int, exact: bool) -> None:
    """Forget all but a share of ``keep`` / 2**32; ``exact``: the rules let piles be counted."""
    for row in range(views.shape[0]):
        forget(views[row], keep, exact)


@kernel
def forget(view: Any, keep: int, exact: bool) -> None:
    """Forget in one view."""
    salt = salt_of(int(view.rounds))
    lie_open = open_cards(view)
    known, kept = 0, 0  # face-down cards, by rank
    for k in range(SEATS):
        if not exact:
            view.pile_count[k] = -1
        for s in range(STACKS):
            height = int(view.stack_count[k, s])
            for d in range(height - int(view.stack_down[k, s]), height):
                rank = int(view.stack_card[k, s, d])
                if rank > 0:
                    known = counted(known, rank)
                    if remembers((k * STACKS + s) * DEPTH + height - 1 - d, rank, salt, keep):
                        kept = counted(kept, rank)
                    else:
                        view.stack_card[k, s, d] = 0
        height = int(view.deck_count[k])
        for d in range(min(height, DECK_SHOWN)):
            rank = int(view.deck_card[k, d])
            if rank > 0:
                known = counted(known, rank)
                if remembers(FIRST_IN_DECK + k * CARDS + height - 1 - d, rank, salt, keep):
                    kept = counted(kept, rank)
                else:
                    view.deck_card[k, d] = 0
    for rank in range(1, RANKS + 1):
        count_unseen(view, rank, rank_at(lie_open, rank), rank_at(known, rank), rank_at(kept, rank), salt, keep)


@kernel
def open_cards(view: Any) -> int:
    """How many cards of each rank lie open: in stacks, on piles, in flight."""
    counts = 0
    for k in range(SEATS):
        for s in range(STACKS):
            for d in range(int(view.stack_count[k, s]) - int(view.stack_down[k, s])):
                counts = counted(counts, int(view.stack_card[k, s, d]))
        counts = counted(counts, int(view.pile_top[k]))
        counts = counted(counts, int(view.flight_card[k]))
    return counts


@kernel
def count_unseen(view: Any, rank: int, lie_open: int, known: int, kept: int, salt: int, keep: int) -> None:
    """Count the cards of a rank that the player knows nothing of: all that do not lie open and are not remembered.

    Args:
        known: how many lie face down where the view has told of them; ``kept``: and are remembered.
    """
    r = rank - 1
    in_piles = SUITS - lie_open - int(view.unseen[r]) - known
    for k in range(SEATS):
        lost = int(view.lost[k, r])
        in_piles -= lost
        view.lost[k, r] = remembered(FIRST_LOST + k * SUITS, lost, rank, salt, keep)
        kept += int(view.lost[k, r])
    kept += remembered(FIRST_IN_PILE, in_piles, rank, salt, keep)
    view.unseen[r] = max(0, SUITS - lie_open - kept)
