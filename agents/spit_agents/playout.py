"""Playing an imagined world on, fast and well enough: what a search judges its choices by.

All players decide by habit, on the state record itself: no observation is written. A habit looks at nothing that its
player could not see. A playout ends with the round, or after a while; then the table is judged by what it is worth.
"""

from typing import Any

from spit_agents.chance import next_word
from spit_env import race
from spit_env.jit import kernel, verb
from spit_env.state import OVER, PICK, SOLO, Game


@verb
def habit(g: Game, p: int, view: Any, mask: Any, word: int) -> int:
    """What seat p, who is asked, does without thinking much; ``word`` decides among equals."""
    raise AssertionError("games implement this")


@verb
def worth(g: Game, p: int) -> float:
    """How likely seat p wins the game that goes on so, or has ended so."""
    raise AssertionError("games implement this")


@kernel
def play_on(g: Game, past: Any, views: Any, mask: Any, until: int, word: int) -> None:
    """Play to the end of the round, of the game, or up to this time."""
    rounds = g.rounds
    while True:
        race.advance(g, past, until, True, False)
        if g.phase == OVER or g.rounds != rounds or g.time >= until:
            return
        for p in range(g.hand.shape[0]):
            if race.is_asked(g, p, True):
                word = next_word(word)
                race.choose(g, g, p, habit(g, p, views[p], mask, word))
                if g.phase == PICK or g.phase == SOLO:
                    break  # the chooser has changed the table
