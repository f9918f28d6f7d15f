"""The verbs of a game: what a module of rules must implement for its own state record.

`@implement(verb, DTYPE)` registers an implementation; a call is dispatched on the record's type, so that the race
core is compiled once per game and knows none of them.
"""

from typing import Any

from spit_env.jit import verb
from spit_env.state import Game


@verb
def deal_game(g: Game) -> None:
    """Shuffle, give each player the cards and deal the first round."""


@verb
def can_act(g: Game, v: Game, p: int) -> bool:
    """Whether seat p, looking at the table v, has a legal action besides NOOP."""
    raise AssertionError("games implement this")


@verb
def write_mask(g: Game, v: Game, p: int, mask: Any) -> None:
    """Write 0 or 1 for each action of seat p, whose hand is open or who must choose."""


@verb
def launch(g: Game, v: Game, p: int, action: int) -> int:
    """Begin an action of seat p, chosen on the table v; returns its kind of latency."""
    raise AssertionError("games implement this")


@verb
def contested_pile(g: Game, p: int) -> int:
    """The pile that the action under way aims at, -1 if it aims at none."""
    raise AssertionError("games implement this")


@verb
def arrive(g: Game, p: int, bounce: bool) -> int:
    """The action under way ends its travel. Returns 0 (hand free), -1 (the card bounces), or a follow-up action."""
    raise AssertionError("games implement this")


@verb
def put_back(g: Game, p: int) -> None:
    """The card in flight lies again where it came from."""


@verb
def is_stuck(g: Game, p: int) -> bool:
    """Whether seat p can do nothing that counts (A-18)."""
    raise AssertionError("games implement this")


@verb
def table_stuck(g: Game, stalled: bool) -> None:
    """All players are stuck, or let it lie for too long."""


@verb
def end_pause(g: Game) -> None:
    """The pause of phase LOCKED or PAUSE is over."""


@verb
def next_round(g: Game) -> None:
    """The round is over (the game has set `round_over`): pick up and deal again, or end the game."""


@verb
def choose_outside(g: Game, p: int, action: int) -> None:
    """The chooser's decision in a phase without a clock."""


@verb
def end_slap(g: Game) -> None:
    """Nobody has slapped for too long."""


@verb
def observe(g: Game, v: Game, p: int, o: Any, perfect: bool, dirty: int) -> None:
    """Write the stale parts of seat p's observation of the table v into the record o."""


@verb
def observe_time(g: Game, v: Game, p: int, o: Any) -> None:
    """Write the parts of the observation that change with the clock alone."""
