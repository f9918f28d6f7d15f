"""Playing an imagined world on: what a search judges its choices by.

All players do by habit what Emma would do; a habit looks at nothing that its player cannot see. A playout ends with the
round or the game. It is judged by the chance to win then, and by the chance at times before: what luck does later says
nothing about a choice, so that the mean of the three tells choices apart better than the end alone.
"""

from typing import Any, NamedTuple

import numpy as np

from spit_agents.chance import next_word
from spit_agents.fits import rule_of
from spit_agents.imagine import NOW
from spit_agents.outlook_speed import ROOM
from spit_env import race, verbs
from spit_env.game_type import GameType
from spit_env.jit import kernel, verb
from spit_env.ruleset import Rules
from spit_env.state import DIRTY_ALL, NEVER, OVER, PICK, SOLO, Game

_SPREAD = 2654435761  # tells like numbers apart: 2**32 by the golden ratio
# When a playout is judged, from now on; the last time: when the round is over.
LOOKS_MS = np.array([15_000, 30_000, NEVER - NOW])


class Room(NamedTuple):
    """The memory in which worlds are imagined and played on; made once."""

    blank: Any  # a record that holds the rules and nothing else, shape (1,)
    world: Any  # the same shape: a world
    trial: Any  # and the copy of it that is played on
    past: Any  # what `spit_env.race` asks for; unused, as nobody sees late
    views: Any  # what each player sees of the trial, shape (seats,)
    mask: Any  # what the player who is asked may do, shape (actions,)
    numbers: Any  # for the use of a habit
    rule: int  # what fits (`spit_agents.fits`)


def make_room(game: GameType, rules: Rules) -> Room:
    """Memory for playouts of a game."""
    records = np.zeros((4, 1), game.state).view(np.recarray).view(np.ndarray)
    records[0] = game.blank(rules)
    return Room(
        blank=records[0], world=records[1], trial=records[2], past=records[3],
        views=game.observation.zeros((game.seats,)).view(np.ndarray), mask=np.zeros(game.actions, np.int8),
        numbers=np.zeros(ROOM, np.int64), rule=rule_of(rules),
    )  # fmt: skip


@kernel
def see_speeds(room: Room) -> None:
    """Let each player see the whole world: habits bring up to date what changes, and not the players' speeds."""
    g = room.world[0]
    for p in range(g.hand.shape[0]):
        verbs.observe(g, g, p, room.views[p], True, DIRTY_ALL)


@kernel
def usual_choice(room: Room, word: int) -> int:
    """What the observer would do by habit."""
    return habit(room.world[0], 0, room.views[0], room.mask, room.rule, room.numbers, word)


@verb
def habit(g: Game, p: int, view: Any, mask: Any, rule: int, numbers: Any, word: int) -> int:
    """What Emma would do in the place of seat p, who is asked.

    ``view`` holds what the seat saw of this playout before, and is brought up to date; ``mask`` and ``numbers`` are
    room. ``rule`` tells what fits, and ``word`` decides among equals.
    """
    raise AssertionError("games implement this")


@verb
def worth(g: Game, p: int) -> float:
    """How likely seat p comes first, as far as the numbers of cards tell; 0 or 1 once it is over."""
    raise AssertionError("games implement this")


@kernel
def play_out(room: Room, action: int, word: int) -> float:
    """What becomes of the observer's choice in a copy of the world: the mean of the chances to win at `LOOKS_MS`."""
    room.trial[0] = room.world[0]
    g = room.trial[0]
    race.choose(g, g, 0, action)
    rounds = g.rounds
    total = 0.0
    for i in range(LOOKS_MS.shape[0]):
        play_on(g, room, rounds, NOW + LOOKS_MS[i], word)
        total += worth(g, 0)
    return float(total / LOOKS_MS.shape[0])


@kernel
def play_on(g: Game, room: Room, rounds: int, until: int, word: int) -> None:
    """Play up to this time, or to the end of the round or the game."""
    while g.phase != OVER and g.rounds == rounds and g.time < until:
        race.advance(g, room.past, until, True, False)
        for p in range(g.hand.shape[0]):
            if race.is_asked(g, p, True) and g.rounds == rounds:
                tie = next_word(word + _SPREAD * (g.hand.shape[0] * int(g.travel_n[p]) + p))
                race.choose(g, g, p, habit(g, p, room.views[p], room.mask, room.rule, room.numbers, tie))
                if g.phase == PICK or g.phase == SOLO:
                    break  # the chooser has changed the table
