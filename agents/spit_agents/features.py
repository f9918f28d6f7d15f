"""What a net sees: an observation as float32 numbers of order one, by an encoder that each game has of its own.

Only the observation goes in, so nothing that a player cannot see comes out.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spit_agents import features_california, features_speed, features_spit
from spit_agents.errors import BadPlayer
from spit_env.game_type import GameType

LOWEST, HIGHEST = -1.0, 8.0  # no encoder writes a number outside


class Encoder(NamedTuple):
    """Writes observations as the inputs of a net."""

    size: int  # how many numbers
    write: Callable[[Any, Any], int]  # all numbers of records of shape (rows,) into an array of shape (rows, size)

    def encode(self, views: Any) -> npt.NDArray[np.float32]:
        """Observation records of shape (rows,) as float32 of shape (rows, size)."""
        out = np.empty((len(views), self.size), np.float32)
        self.write(views, out)
        return out


# For each game's name: its encoder for so many seats.
ENCODERS: Mapping[str, Callable[[int], Encoder]] = {
    "spit": lambda seats: Encoder(features_spit.FEATURES, features_spit.encode_rows),
    "speed": lambda seats: Encoder(features_speed.size(seats), features_speed.encode_rows),
    "california_speed": lambda seats: Encoder(features_california.FEATURES, features_california.encode_rows),
}


def encoder_of(game: GameType) -> Encoder:
    """The encoder for what players of this game see.

    Raises:
        BadPlayer: if the game has none.
    """
    if game.name not in ENCODERS:
        raise BadPlayer(f"no net can play {game.name}: it has no encoder; games that have: {', '.join(ENCODERS)}")
    return ENCODERS[game.name](game.seats)
