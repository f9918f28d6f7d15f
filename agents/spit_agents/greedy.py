"""The bot that always does something, and never looks ahead."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from spit_agents.base import Actions, brain_for
from spit_agents.chance import below, random_legal
from spit_agents.eye import pick_by_eye
from spit_agents.outlook_spit import lays_bare, side_of
from spit_env.california.observation import OBSERVATION as CALIFORNIA
from spit_env.california.state import ACTIONS as COVER_END
from spit_env.california.state import FIRST_COVER
from spit_env.cards import RANKS
from spit_env.jit import entry, kernel
from spit_env.speed.moves import slot_of
from spit_env.speed.observation import observation as speed_observation
from spit_env.speed.state import FIRST_PLAY as FIRST_SPEED_PLAY
from spit_env.speed.state import call_action, draw_action, first_high
from spit_env.spit.moves import source_of
from spit_env.spit.observation import OBSERVATION as SPIT
from spit_env.spit.state import FIRST_FLIP, FIRST_MOVE, FIRST_PICK, FIRST_PLAY
from spit_env.spit.state import SPIT as CALL_SPIT
from spit_env.state import NOOP


class Greedy:
    """Never waits when it can act.

    In Spit it flips first; else plays at random; else rearranges so that a card is uncovered; else does whatever is
    left. It takes the smaller pile by eye. In Speed it calls and draws first; else it plays a natural card at random,
    else a joker. In California Speed it covers at random.
    """

    def act(self, views: Any, masks: npt.NDArray[np.int8], draws: npt.NDArray[np.uint32]) -> Actions:
        """See `spit_agents.base.Agent`; shapes (rows,), (rows, actions), (rows,) to (rows,).

        Raises:
            BadPlayer: for views of a game that it cannot play.
        """
        actions = np.empty(len(masks), np.int64)
        brain_for(BRAINS, views)(views, masks, draws, actions)
        return actions


# --- Spit ------------------------------------------------------------------------------------------------------------


@entry
def play_spit(views: Any, masks: Any, draws: Any, actions: Any) -> None:
    """One action for each row."""
    for row in range(actions.shape[0]):
        actions[row] = spit_action(views[row], masks[row], int(draws[row]))


@kernel
def spit_action(view: Any, mask: Any, draw: int) -> int:
    """The first kind of action that is legal, and which one of that kind by the draw."""
    if mask[FIRST_PICK] != 0 or mask[FIRST_PICK + 1] != 0:
        return pick_by_eye(view, draw)
    for first, end in ((FIRST_FLIP, FIRST_MOVE), (FIRST_PLAY, FIRST_FLIP)):
        action = random_legal(mask, draw, first, end)
        if action != NOOP:
            return action
    action = random_uncovering(view, mask, draw)
    if action != NOOP:
        return action
    return CALL_SPIT if mask[CALL_SPIT] != 0 else random_legal(mask, draw, FIRST_MOVE, CALL_SPIT)


@kernel
def random_uncovering(view: Any, mask: Any, draw: int) -> int:
    """A legal rearrangement that uncovers a card; NOOP if there is none."""
    own, count = side_of(view, 0), 0
    for a in range(FIRST_MOVE, CALL_SPIT):
        count += mask[a] != 0 and lays_bare(own, source_of(a))
    k = below(draw, count)
    for a in range(FIRST_MOVE, CALL_SPIT):
        if mask[a] != 0 and lays_bare(own, source_of(a)):
            if k == 0:
                return a
            k -= 1
    return NOOP


# --- Speed -----------------------------------------------------------------------------------------------------------


@entry
def play_speed(views: Any, masks: Any, draws: Any, actions: Any) -> None:
    """One action for each row."""
    for row in range(actions.shape[0]):
        actions[row] = speed_action(views[row], masks[row], int(draws[row]))


@kernel
def speed_action(view: Any, mask: Any, draw: int) -> int:
    """Calling and drawing come first, jokers last."""
    seats = view.hand.shape[0]
    if mask[call_action(seats)] != 0:
        return call_action(seats)
    if mask[draw_action(seats)] != 0:
        return draw_action(seats)
    action = random_natural(view, mask, draw, seats)
    return action if action != NOOP else random_legal(mask, draw, FIRST_SPEED_PLAY, draw_action(seats))


@kernel
def random_natural(view: Any, mask: Any, draw: int, seats: int) -> int:
    """A legal play of a card that is no joker; NOOP if there is none."""
    count = 0
    for a in range(FIRST_SPEED_PLAY, first_high(seats)):
        count += mask[a] != 0 and view.held_card[0, slot_of(a, seats)] <= RANKS
    k = below(draw, count)
    for a in range(FIRST_SPEED_PLAY, first_high(seats)):
        if mask[a] != 0 and view.held_card[0, slot_of(a, seats)] <= RANKS:
            if k == 0:
                return a
            k -= 1
    return NOOP


# --- California Speed ------------------------------------------------------------------------------------------------


@entry
def play_california(views: Any, masks: Any, draws: Any, actions: Any) -> None:
    """One action for each row."""
    for row in range(actions.shape[0]):
        actions[row] = random_legal(masks[row], int(draws[row]), FIRST_COVER, COVER_END)


# For the names in each game's observation: how it plays.
BRAINS: Mapping[tuple[str, ...], Callable[[Any, Any, Any, Any], None]] = {
    SPIT.names: play_spit,
    speed_observation(2).names: play_speed,  # the same names for all numbers of seats
    CALIFORNIA.names: play_california,
}
