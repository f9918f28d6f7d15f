"""What the scripted bots share in Spit: judging piles by eye (S0-33, A-32)."""

from typing import Any

from spit_agents.chance import below
from spit_env.jit import kernel
from spit_env.spit.state import FIRST_PICK


@kernel
def pick_by_eye(view: Any, draw: int) -> int:
    """What a player does who sees this and has to pick a pile."""
    return smaller_pile(int(view.pile_top[0]), int(view.pile_top[1]), int(view.pile_eye), draw)


@kernel
def smaller_pile(top0: int, top1: int, eye: int, draw: int) -> int:
    """The smaller pile if one clearly is, and taking nothing if that can be had; else a fair coin."""
    if top0 == 0 or top1 == 0:
        return FIRST_PICK + (0 if top0 == 0 else 1)
    if eye != 0:
        return FIRST_PICK + (0 if eye < 0 else 1)
    return FIRST_PICK + below(draw, 2)
