"""What a net sees: an observation, and the actions it may choose among, as float32 numbers of order one.

Each game has an encoder of its own. Only the observation and the mask go in, so nothing that a player cannot see comes
out.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spit_agents import candidates_spit, features_california, features_speed, features_spit
from spit_agents.errors import BadPlayer
from spit_agents.fits import COMMON
from spit_env.game_type import GameType
from spit_env.jit import entry
from spit_env.state import NOOP

LOWEST, HIGHEST = -1.0, 8.0  # no encoder writes a number outside


class Encoder(NamedTuple):
    """Writes observations as the inputs of a net."""

    features: int  # how many numbers describe the table
    candidates: int  # how many actions a net chooses among at most
    candidate_features: int  # how many numbers describe each of them; 0: nothing but its place does
    # (views, masks, waits, what fits, out, candidates): see `encode`
    write: Callable[[Any, Any, bool, int, Any, Any], None]

    @property
    def size(self) -> int:
        """How many numbers there are in all: the table's, then those of each candidate."""
        return self.features + self.candidates * self.candidate_features

    def encode(
        self, views: Any, masks: npt.NDArray[np.int8], waits: bool = False, rule: int = COMMON
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]]:
        """Observation records of shape (rows,) and masks as float32 of shape (rows, size), and the candidates.

        The candidates, shape (rows, candidates), are actions; -1: none. Each row has at least one. Without ``waits``
        NOOP is none where anything else is legal. ``rule``: what fits (`spit_agents.fits`).
        """
        out = np.empty((len(views), self.size), np.float32)
        candidates = np.empty((len(views), self.candidates), np.int8)
        self.write(views, masks, waits, rule, out, candidates)
        return out, candidates


@entry
def write_spit(views: Any, masks: Any, waits: bool, rule: int, out: Any, candidates: Any) -> None:
    """See `Encoder.encode`."""
    room = candidates_spit.make_room()
    first, width = features_spit.FEATURES, candidates_spit.FEATURES
    for i in range(views.shape[0]):
        described = out[i, first:].reshape(candidates_spit.CANDIDATES, width)
        candidates_spit.write_all(views[i], masks[i], waits, rule, room, out[i], candidates[i], described)


def all_legal(masks: npt.NDArray[np.int8], waits: bool, candidates: npt.NDArray[np.int8]) -> None:
    """Every legal action is a candidate, in its own place."""
    legal = masks != 0
    if not waits:
        legal[:, NOOP] &= ~legal[:, 1:].any(axis=1)
    candidates[:] = np.where(legal, np.arange(masks.shape[1]), -1)


def plain(features: int, actions: int, encode: Callable[[Any, Any], int]) -> Encoder:
    """The encoder of a game whose actions are not described."""

    def write(views: Any, masks: Any, waits: bool, rule: int, out: Any, candidates: Any) -> None:
        encode(views, out)
        all_legal(masks, waits, candidates)

    return Encoder(features, actions, 0, write)


# For each game's name: its encoder for so many seats and actions.
ENCODERS: Mapping[str, Callable[[int, int], Encoder]] = {
    "spit": lambda seats, actions: Encoder(
        features_spit.FEATURES, candidates_spit.CANDIDATES, candidates_spit.FEATURES, write_spit
    ),
    "speed": lambda seats, actions: plain(features_speed.size(seats), actions, features_speed.encode_rows),
    "california_speed": lambda seats, actions: plain(
        features_california.FEATURES, actions, features_california.encode_rows
    ),
}


def encoder_of(game: GameType) -> Encoder:
    """The encoder for what players of this game see.

    Raises:
        BadPlayer: if the game has none.
    """
    if game.name not in ENCODERS:
        raise BadPlayer(f"no net can play {game.name}: it has no encoder; games that have: {', '.join(ENCODERS)}")
    return ENCODERS[game.name](game.seats, game.actions)
