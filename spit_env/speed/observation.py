"""What one seat sees: one table of ``int8`` fields, and the kernel that fills it.

Players and piles are numbered from the observer: 0 is the own one, 1 the next seat's, and so on. Ranks run from 1 (ace)
to 13 (king), 14 is a joker; 0 means none or not known.
"""

from functools import cache

from spit_env.scales import TOP
from spit_env.speed.state import KINDS_OF_CARDS, SLOTS, action_count
from spit_env.table import Field, Table


@cache
def observation(seats: int) -> Table:
    """The table for so many seats."""
    return Table(
        [
            Field("phase", (), 0, 6, "0 locked, 1 race, 2 pause, 5 between deals, 6 over"),
            Field("hand", (seats,), 0, 4, "own: 0 idle, 1 thinking, 2 open, 3 busy, 4 returning; other: 0, 3 or 4"),
            Field("action", (), 0, action_count(seats) - 1, "the own action under way, 0 if none"),
            Field("left", (), 0, TOP, "time until the own hand changes state, in units of 20 ms"),
            Field("flight_kind", (seats,), 0, 3, "what a hand is doing: 0 nothing, 1 play, 2 draw, 3 call"),
            Field("flight_card", (seats,), 0, 14, "rank of the card in flight or returning"),
            Field("flight_name", (seats,), 0, 14, "the rank that it counts as; 14: a joker without a name"),
            Field("flight_pile", (seats,), 0, seats, "where a play flies: 1 + pile, 0 no play"),
            Field("flight_left", (seats,), 0, TOP, "time until it arrives, in units of 20 ms"),
            Field("pile_top", (seats,), 0, 14, "what each pile shows, 0: no card, 14: a joker without a name"),
            Field("pile_count", (seats,), -1, 112, "cards in each pile; -1: not to be counted"),
            Field("reserve_count", (seats,), 0, 112, "cards in each reserve"),
            Field("stock_count", (seats,), 0, 112, "cards in each stock"),
            Field("held_count", (seats,), 0, SLOTS, "cards in each hand"),
            Field("held_card", (seats, SLOTS), 0, 14, "the own cards, and those of others that are known, by slot"),
            Field("unseen", (KINDS_OF_CARDS,), 0, 8, "cards of each rank not known (recall none: not visible)"),
            Field("mixed", (KINDS_OF_CARDS,), 0, 8, "seen cards of each rank that lie among the reserves"),
            Field("score", (seats,), 0, TOP, "points so far"),
            Field("goal", (), 0, TOP, "points that end the match, 0: a single deal"),
            Field("rounds", (), 0, TOP, "deals completed"),
            Field("idle", (), 0, TOP, "time since the last landing or turn, in units of 100 ms"),
            Field("pace", (seats, 5), 0, TOP, "median time to think, play, draw, -, call: 16 * log2(ms / 16)"),
            Field("spread", (seats, 5), 0, TOP, "sigma of the same, in units of 0.02"),
            Field("perception", (seats,), 0, TOP, "how old the table is that a player sees, in units of 10 ms"),
        ]
    )  # fmt: skip
