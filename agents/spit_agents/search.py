"""The bot that searches: it plays each choice out in imagined worlds, and takes the one that wins most.

A world is everything that the player sees, with the rest made up (`spit_agents.imagine`). All choices are played out on
the same worlds with the same chances, the others' hidden think times included (`spit_agents.playout`), so that they
differ by what they do and not by luck. Waiting until something happens is one of the choices.
"""

from time import thread_time
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

# Importing these says how each game is imagined and played on.
from spit_agents import (
    imagine_california,  # noqa: F401
    imagine_speed,  # noqa: F401
    imagine_spit,  # noqa: F401
    playout_california,  # noqa: F401
    playout_speed,  # noqa: F401
    playout_spit,  # noqa: F401
)
from spit_agents.base import Actions, Agent
from spit_agents.errors import BadPlayer
from spit_agents.imagine import imagine
from spit_agents.options import Option
from spit_agents.playout import Room, make_room, play_out, see_speeds, usual_choice
from spit_env.draws import philox
from spit_env.games import game_of
from spit_env.jit import entry, kernel
from spit_env.ruleset import Rules
from spit_env.state import DIRTY_ALL, NOOP

WORLDS = 67  # the stream of worlds, for the decision's own word
_PROBE = 4  # rollouts that tell how long one takes
MOST = 1 << 20


class Search:
    """Chooses by playouts. It must know the rules: `for_rules` gives the bot that plays by them.

    With more than two players it maximises its chance to come first.

    Args:
        rollouts: how many playouts there are for each legal action, waiting included, in the mean.
        ms: instead, how many milliseconds of CPU time a choice may take, in the mean over the choices of a call. How
            strong it is then depends on the machine, and games do not replay the same.

    Raises:
        ValueError: for a number that is too small.
    """

    OPTIONS: ClassVar = {
        "rollouts": Option(int, 1, MOST, "playouts for each legal action"),
        "ms": Option(float, 0.01, 60_000, "instead of rollouts: milliseconds of CPU time for each choice"),
    }

    def __init__(self, rollouts: int = 16, ms: float | None = None) -> None:
        if rollouts < 1:
            raise ValueError(f"rollouts={rollouts!r} must be 1 or more")
        if ms is not None and not ms > 0:
            raise ValueError(f"ms={ms!r} must be above 0")
        self.rollouts, self.ms = rollouts, ms

    def for_rules(self, rules: Rules) -> Agent:
        """See `spit_agents.base.informed`."""
        return Searcher(rules, self.rollouts, self.ms)

    def act(self, views: Any, masks: npt.NDArray[np.int8], draws: npt.NDArray[np.uint32]) -> Actions:
        """Refuses to play.

        Raises:
            BadPlayer: always.
        """
        raise BadPlayer("search must know the rules: let the bot that for_rules(rules) gives play")


class Searcher:
    """A `Search` that knows the rules."""

    def __init__(self, rules: Rules, rollouts: int, ms: float | None) -> None:
        self.rollouts, self.ms = rollouts, ms
        self.game = game_of(rules)
        self.room = make_room(self.game, rules)

    def act(self, views: Any, masks: npt.NDArray[np.int8], draws: npt.NDArray[np.uint32]) -> Actions:
        """See `spit_agents.base.Agent`; shapes (rows,), (rows, actions), (rows,) to (rows,).

        Raises:
            BadPlayer: for views of a game of other rules.
        """
        if views.dtype.fields != self.game.observation.dtype.fields:
            raise BadPlayer(
                f"this is another game than {self.game.name} for {self.game.seats}, whose rules the bot knows"
            )
        actions = np.empty(len(masks), np.int64)
        views = views.view(np.ndarray)
        if self.ms is None:
            search_rows(views, masks, draws, self.room, self.rollouts, actions)
            return actions
        start = thread_time()
        search_rows(views, masks, draws, self.room, _PROBE, actions)
        spent = thread_time() - start
        allowed = self.ms / 1000 * np.count_nonzero(masks.sum(axis=1) > 1)
        rollouts = min(MOST, int(_PROBE * (allowed - spent) / max(spent, 1e-6)))
        if rollouts > _PROBE:
            search_rows(views, masks, draws, self.room, rollouts, actions)
        return actions


@entry
def search_rows(views: Any, masks: Any, draws: Any, room: Room, rollouts: int, actions: Any) -> None:
    """One action for each row; where only one is legal, it is not looked into."""
    choices = np.empty(masks.shape[1], np.int64)
    wins = np.empty(masks.shape[1])
    for row in range(actions.shape[0]):
        n = 0
        for a in range(masks.shape[1]):
            if masks[row, a] != 0:
                choices[n] = a
                n += 1
        if n > 1:
            best_first(views[row], int(draws[row]), room, rollouts * n, choices[:n], wins)
        actions[row] = choices[0]


@kernel
def imagine_world(view: Any, draw: int, number: int, room: Room) -> int:
    """Imagine world number so and so for this draw; returns a word for the choices in it."""
    w = philox(draw, WORLDS, number)
    room.world[0] = room.blank[0]
    g = room.world[0]
    imagine(g, view, ((w[0] & 0x7FFFFFFF) << 32) | w[1])
    for p in range(g.hand.shape[0]):
        g.dirty[p] = DIRTY_ALL
    return w[2]


@kernel
def best_first(view: Any, draw: int, room: Room, playouts: int, choices: Any, wins: Any) -> None:
    """Bring the best choice to the front.

    Successive halving: all are played out on a few worlds, the better half on some more, and so on, in stages that have
    as many playouts each. Among equals what habit would do comes first, and waiting last.
    """
    n = choices.shape[0]
    word = imagine_world(view, draw, 0, room)
    see_speeds(room)
    usual = usual_choice(room, word)
    for i in range(n):
        wins[choices[i]] = 0.5 * (choices[i] == usual) - 0.5 * (choices[i] == NOOP)
    sort(choices, wins)
    wins[:] = 0.0
    stages = 1
    while (1 << stages) < n:
        stages += 1
    worlds = 0
    for _ in range(stages):
        for _ in range(max(1, playouts // (stages * n))):
            word = imagine_world(view, draw, worlds, room)
            worlds += 1
            for a in choices[:n]:
                wins[a] += play_out(room, a, word)
        sort(choices[:n], wins)
        n = (n + 1) // 2


@kernel
def sort(choices: Any, wins: Any) -> None:
    """Most wins first; equals stay in their order."""
    for i in range(1, choices.shape[0]):
        a = choices[i]
        j = i
        while j > 0 and wins[choices[j - 1]] < wins[a]:
            choices[j] = choices[j - 1]
            j -= 1
        choices[j] = a
