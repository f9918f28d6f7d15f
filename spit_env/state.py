"""What every game's state record begins with, and the names of its codes.

A game in progress is one record: a value that is copied by one memory copy and holds everything, timers, counters of
the random streams, rules and latencies included.
"""

from typing import Any

# A hand's states.
IDLE, THINK, OPEN, TRAVEL, RETURN = range(5)
# Phases. The clock stands still in SOLO, PICK and OVER, and counts against the guards in RACE only.
LOCKED, RACE, PAUSE, SOLO, SLAP, PICK, OVER = range(7)
PHASE_NAMES = ("locked", "race", "pause", "solo", "slap", "pick", "over")
# Why a game ended; the last three are truncations.
END_REASONS = ("", "finished", "no_cards_left", "blocked", "max_rounds", "max_round_ms", "max_idle_ms")
_, FINISHED, NO_CARDS_LEFT, BLOCKED, MAX_ROUNDS, MAX_ROUND_MS, MAX_IDLE_MS = range(7)
# Parts of an observation that a change makes stale, per seat. A game may use the bits from DIRTY_GAME on.
DIRTY_MASK, DIRTY_TABLE, DIRTY_GAME = 1, 2, 4
DIRTY_ALL = 2**30 - 1

NOOP = 0
NEVER = 2**30
Game = Any  # a state record: numpy.record with attribute access, or Numba's Record


def core_fields(seats: int) -> list[tuple[Any, ...]]:
    """The fields that every game's state record begins with."""
    return [
        ("seed", "i8"),
        ("time", "i4"),  # ms since the game began
        ("phase_until", "i4"),  # when LOCKED or PAUSE ends; when SLAP began
        ("progress_at", "i4"),  # last landing on a pile, flip or spit
        ("race_from", "i4"),  # when the RACE phase was last entered
        ("raced", "i4"),  # counted ms of this round before that
        ("wait_ms", "i4"),  # decision stepping: how long a NOOP waits
        ("changed_at", "i4"),  # the last visible event
        ("ties_n", "i4"), ("deal_n", "i4"), ("shuffle_n", "i4"),
        ("rounds", "i2"),
        ("phase", "i1"), ("chooser", "i1"), ("winner", "i1"), ("end_reason", "i1"),
        ("round_over", "i1"),  # a game sets it when all is settled; the core then calls for the next round
        ("paused", "i1"),  # a restored game waits here until it is resumed
        ("tie_turn", "i1"),  # tie_break="alternate": who goes next
        ("hand", "i1", (seats,)),
        ("declined", "i1", (seats,)),  # has answered NOOP since the hand opened
        ("label", "i1", (seats,)),  # whose chance this seat has
        ("action", "i2", (seats,)),  # the action under way
        ("card", "i2", (seats,)),  # the card in flight, -1 if none
        ("dirty", "i4", (seats,)),  # what of the seat's outputs is stale
        ("until", "i4", (seats,)),  # end of THINK, TRAVEL, RETURN
        ("travel_ms", "i4", (seats,)),  # how long the travel under way takes
        ("ask_at", "i4", (seats,)),
        ("look", "i4", (seats,)),  # perception: the snapshot that the seat has seen last, -1 before the first
        ("perception", "i4", (seats,)),
        ("looks", "i4"),  # perception: snapshots taken
        ("think_n", "i4", (seats,)), ("travel_n", "i4", (seats,)), ("choice_n", "i4", (seats,)),
        ("landings", "i4", (seats,)), ("bounces", "i4", (seats,)), ("illegal", "i4", (seats,)),
        ("thought_ms", "i4", (seats,)), ("moved_ms", "i4", (seats,)),  # all times that the two counts above count
        ("latency", "f8", (seats, 5, 3)),  # shift, median, sigma per kind
        ("hick", "f8", (seats,)),  # ms of thinking per bit of choice
        # Rules that the core itself reads
        ("return_ms", "i4"), ("stall_ms", "i4"), ("spit_pause_ms", "i4"),
        ("max_round_ms", "i4"), ("max_idle_ms", "i4"), ("max_rounds", "i2"),
        ("tie_break", "i1"), ("must_play", "i1"),
    ]  # fmt: skip
