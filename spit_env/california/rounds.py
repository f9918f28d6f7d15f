"""Stuck, taking up and laying the rows, the end of the game. docs/california.md, "Stuck"."""

from spit_env import phases, verbs
from spit_env.california.moves import may_cover
from spit_env.california.state import SEATS, STATE
from spit_env.california.table import lay_rows, take_up
from spit_env.jit import implement, kernel
from spit_env.state import FINISHED, MAX_ROUNDS, PAUSE, Game


@implement(verbs.is_stuck, STATE)
def is_stuck(g: Game, p: int) -> bool:
    """No place is coverable, or the player has no pack (CS-07)."""
    return not may_cover(g, g, p)


@implement(verbs.table_stuck, STATE)
def table_stuck(g: Game, stalled: bool) -> None:
    """All stop; the rows lie for a pause before they are taken up."""
    phases.enter_phase(g, PAUSE, g.spit_pause_ms)


@implement(verbs.end_pause, STATE)
def end_pause(g: Game) -> None:
    """The rows are taken up, unless the game begins, and laid; then the race starts (CS-02, CS-07, CS-11)."""
    if g.phase == PAUSE:
        if g.empty_pack == 0 and empty_pack_wins(g):
            return
        for p in range(SEATS):
            take_up(g, p)
        g.rounds += 1
        if g.rounds >= g.max_rounds:
            phases.end_game(g, -1, MAX_ROUNDS)
            return
    lay_rows(g)
    phases.enter_race(g)
    g.raced = 0
    if g.empty_pack == 1:
        empty_pack_wins(g)


@kernel
def empty_pack_wins(g: Game) -> bool:
    """End the game if a player has no pack: that player has won, or if nobody has one, a coin decides (CS-09)."""
    empty = 0  # a bit for each seat
    for p in range(SEATS):
        if g.pack_n[p] == 0:
            empty |= 1 << p
    if empty == 0:
        return False
    phases.end_game(g, phases.coin_among(g, empty), FINISHED)
    return True


# The core calls these in phases, or after a round's end, that California Speed does not have.


@implement(verbs.next_round, STATE)
def next_round(g: Game) -> None:
    """Never called: rows are laid at the end of a pause, and `round_over` is never set."""


@implement(verbs.choose_outside, STATE)
def choose_outside(g: Game, p: int, action: int) -> None:
    """Never called: there is no phase without a clock."""


@implement(verbs.end_slap, STATE)
def end_slap(g: Game) -> None:
    """Never called: nobody slaps."""
