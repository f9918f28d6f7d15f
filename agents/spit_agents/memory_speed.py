"""What a player of Speed with a worse memory sees.

What can be forgotten are cards in hands of others that all know since they came back, the seen cards among the
reserves, and those of the piles under their tops. The piles are then known by eye only.

A joker on a pile shows its name only, not itself. A top is taken for a joker if the player knows where all cards of
that rank are.
"""

from typing import Any

from spit_agents.memory import counted, remembered, remembers, salt_of
from spit_agents.packed import rank_at
from spit_env.cards import SUITS
from spit_env.jit import entry, kernel
from spit_env.speed.state import KINDS_OF_CARDS, SLOTS

MOST = 8  # cards of one rank: of two packs
# Places, each number once; hands have those before.
FIRST_MIXED = 4 * SLOTS
FIRST_IN_PILE = FIRST_MIXED + MOST


@entry
def forget_rows(views: Any, keep: int, packs: int, jokers: int, rows_open: bool) -> None:
    """Forget all but a share of ``keep`` / 2**32; ``rows_open``: all hands lie open, as Bicycle's do."""
    for row in range(views.shape[0]):
        forget(views[row], keep, packs, jokers, rows_open)


@kernel
def forget(view: Any, keep: int, packs: int, jokers: int, rows_open: bool) -> None:
    """Forget in one view."""
    salt = salt_of(int(view.rounds))
    lie_open, tops, known, kept = 0, 0, 0, 0  # cards by rank
    for k in range(view.hand.shape[0]):
        view.pile_count[k] = -1
        tops = counted(tops, int(view.pile_top[k]))
        lie_open = counted(lie_open, int(view.flight_card[k]))
        for s in range(SLOTS):
            rank = int(view.held_card[k, s])
            if rank > 0:
                if k == 0 or rows_open:
                    lie_open = counted(lie_open, rank)
                    continue
                known = counted(known, rank)
                if remembers(k * SLOTS + s, rank, salt, keep):
                    kept = counted(kept, rank)
                else:
                    view.held_card[k, s] = 0
    named = 0  # jokers that lie on top by the name of another rank
    for rank in range(1, KINDS_OF_CARDS + 1):
        joker = rank == KINDS_OF_CARDS
        cards, shown = jokers if joker else SUITS * packs, rank_at(tops, rank) + (named if joker else 0)
        r, seen = rank - 1, rank_at(lie_open, rank)
        mixed = int(view.mixed[r])
        in_piles = max(0, cards - seen - int(view.unseen[r]) - rank_at(known, rank) - mixed)
        on_top = min(shown, in_piles)
        named += shown - on_top
        view.mixed[r] = remembered(FIRST_MIXED, mixed, rank, salt, keep)
        still = rank_at(kept, rank) + int(view.mixed[r])
        still += remembered(FIRST_IN_PILE, in_piles - on_top, rank, salt, keep)
        view.unseen[r] = max(0, cards - seen - on_top - still)
