"""What one seat sees: one table of ``int8`` fields, and the kernel that fills it.

Players and rows are numbered from the observer: 0 is the own one, 1 the other player's. Ranks run from 1 (ace) to 13
(king); 0 means none or not known.
"""

from spit_env.california.state import ACTIONS, SEATS, STACKS
from spit_env.scales import TOP
from spit_env.table import Field, Table

DEPTH_SHOWN = 12  # cards of a stack
PACK_SHOWN = 48  # cards of a pack: all that it can have once rows are laid

OBSERVATION = Table(
    [
        Field("phase", (), 0, 6, "0 locked, 1 race, 2 pause, 6 over"),
        Field("hand", (SEATS,), 0, 4, "own: 0 idle, 1 thinking, 2 open, 3 under way, 4 returning; other: 0, 3 or 4"),
        Field("action", (), 0, ACTIONS - 1, "the own action under way, 0 if none"),
        Field("left", (), 0, TOP, "time until the own hand changes state, in units of 20 ms"),
        Field("flight_card", (SEATS,), 0, 13, "rank of the card in flight or returning"),
        Field("flight_row", (SEATS,), 0, SEATS, "where it flies: 1 own row, 2 the other, 0 no card in flight"),
        Field("flight_stack", (SEATS,), 0, STACKS, "1 + the stack of that row"),
        Field("flight_left", (SEATS,), 0, TOP, "time until it arrives, in units of 20 ms"),
        Field("top", (SEATS, STACKS), 0, 13, "rank on top of each stack"),
        Field("coverable", (SEATS, STACKS), 0, 1, "whether it may be covered"),
        Field("height", (SEATS, STACKS), 0, 52, "cards in each stack"),
        Field("pack_count", (SEATS,), 0, 52, "cards in each pack"),
        Field("stack_card", (SEATS, STACKS, DEPTH_SHOWN), 0, 13, "ranks from the top down (recall none: the top only)"),
        Field("pack_card", (SEATS, PACK_SHOWN), 0, 13, "known ranks from the top down"),
        Field("unseen", (13,), 0, 4, "how many cards of each rank are not known (recall none: not visible)"),
        Field("rounds", (), 0, TOP, "rows laid anew"),
        Field("idle", (), 0, TOP, "time since the last landing or laying, in units of 100 ms"),
        Field("pace", (SEATS, 5), 0, TOP, "median time to think, cover, -, -, -: 16 * log2(ms / 16)"),
        Field("spread", (SEATS, 5), 0, TOP, "sigma of the same, in units of 0.02"),
        Field("perception", (SEATS,), 0, TOP, "how old the table is that a player sees, in units of 10 ms"),
    ]
)
