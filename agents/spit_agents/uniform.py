"""The bot that plays anything: a yardstick."""

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from spit_agents.base import Actions
from spit_agents.options import Option
from spit_env.state import NOOP


class Uniform:
    """Chooses among the legal actions, each as likely as the other.

    Args:
        wait: whether to let the hand rest (NOOP) is one of the choices even when there is something to do.
    """

    OPTIONS: ClassVar = {"wait": Option(bool, meaning="it may also wait where it could act")}

    def __init__(self, wait: bool = False) -> None:
        self.wait = wait

    def act(self, views: Any, masks: npt.NDArray[np.int8], draws: npt.NDArray[np.uint32]) -> Actions:
        """See `spit_agents.base.Agent`; shapes (rows,), (rows, actions), (rows,) to (rows,)."""
        numbered = masks.cumsum(axis=1, dtype=np.int16)  # the k-th legal action of a row has number k, from 1
        skip = np.zeros(len(masks), np.int64)
        if not self.wait:
            skip[(masks[:, NOOP] == 1) & (numbered[:, -1] > 1)] = 1
        count = numbered[:, -1].astype(np.int64) - skip
        k = skip + (draws.astype(np.int64) * count >> 32)  # a fair number below the count from a 32-bit word
        return np.asarray((numbered > k[:, None]).argmax(axis=1))
