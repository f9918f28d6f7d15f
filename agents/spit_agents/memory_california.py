"""What a player of California Speed with a worse memory sees.

What can be forgotten are the cards of the stacks under their tops, and those of the packs.
"""

from typing import Any

from spit_agents.memory import counted, remembered, remembers, salt_of
from spit_agents.packed import rank_at
from spit_env.california.observation import DEPTH_SHOWN, PACK_SHOWN
from spit_env.california.state import CARDS, SEATS, STACKS
from spit_env.cards import RANKS, SUITS
from spit_env.jit import entry, kernel

# Places, each number once.
FIRST_IN_PACK = SEATS * STACKS * CARDS
FIRST_DEEP = FIRST_IN_PACK + SEATS * CARDS  # deeper in a stack than is shown


@entry
def forget_rows(views: Any, keep: int) -> None:
    """Forget all but a share of ``keep`` / 2**32."""
    for row in range(views.shape[0]):
        forget(views[row], keep)


@kernel
def forget(view: Any, keep: int) -> None:
    """Forget in one view."""
    salt = salt_of(int(view.rounds))
    lie_open, known, kept = 0, 0, 0  # cards by rank
    for k in range(SEATS):
        lie_open = counted(lie_open, int(view.flight_card[k]))
        for s in range(STACKS):
            lie_open = counted(lie_open, int(view.top[k, s]))
            height = int(view.height[k, s])
            for d in range(1, min(height, DEPTH_SHOWN)):
                rank = int(view.stack_card[k, s, d])
                if rank > 0:
                    known = counted(known, rank)
                    if remembers((k * STACKS + s) * CARDS + height - 1 - d, rank, salt, keep):
                        kept = counted(kept, rank)
                    else:
                        view.stack_card[k, s, d] = 0
        height = int(view.pack_count[k])
        for d in range(min(height, PACK_SHOWN)):
            rank = int(view.pack_card[k, d])
            if rank > 0:
                known = counted(known, rank)
                if remembers(FIRST_IN_PACK + k * CARDS + height - 1 - d, rank, salt, keep):
                    kept = counted(kept, rank)
                else:
                    view.pack_card[k, d] = 0
    for rank in range(1, RANKS + 1):
        seen, still = rank_at(lie_open, rank), rank_at(kept, rank)
        deep = SUITS - seen - int(view.unseen[rank - 1]) - rank_at(known, rank)
        still += remembered(FIRST_DEEP, deep, rank, salt, keep)
        view.unseen[rank - 1] = max(0, SUITS - seen - still)
