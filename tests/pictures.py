"""What tests look for in images of a table."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt


def bright(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Where there is the paper of cards, shape (height, width)."""
    return np.asarray(image.min(2) > 240)


def first_corner(mask: npt.NDArray[Any]) -> tuple[int, int]:
    """The left and upper edge, x and y, of the card whose pixels are set; words are too thin to count."""
    rows, columns = mask.sum(1) > 30, mask.sum(0) > 30
    return int(np.flatnonzero(columns)[0]), int(np.flatnonzero(rows)[0])


def seconds_to_draw(rgb_array: Callable[[Any], Any], record: Any) -> float:
    """How long a frame takes at best, once its sprites are made."""
    rgb_array(record)
    spent = []
    for _ in range(20):
        start = time.perf_counter()
        rgb_array(record)
        spent.append(time.perf_counter() - start)
    return min(spent)
