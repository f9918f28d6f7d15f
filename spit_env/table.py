"""Observation tables: one list of fields is the source of the space, the layout, the docs and the named views."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt


class Field(NamedTuple):
    """One entry of an observation: ``int8`` values of ``shape``, each from ``low`` to ``high``."""

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str

    @property
    def size(self) -> int:
        """How many values."""
        return int(np.prod(self.shape, dtype=int))


class Table:
    """An observation's layout: the fields one after the other, without gaps."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self.fields = tuple(fields)
        self.dtype = np.dtype([(f.name, "i1", f.shape) if f.shape else (f.name, "i1") for f in fields])
        self.size = self.dtype.itemsize

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the fields, by which a game's observations are told from another's."""
        return tuple(f.name for f in self.fields)

    @property
    def offsets(self) -> dict[str, int]:
        """Where each field begins in the flat view."""
        assert self.dtype.fields is not None
        return {name: self.dtype.fields[name][1] for name in self.dtype.fields}

    def bounds(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        """The lowest and highest value of each place of the flat view, each of shape (size,)."""
        low = np.concatenate([np.full(f.size, f.low, np.int8) for f in self.fields])
        high = np.concatenate([np.full(f.size, f.high, np.int8) for f in self.fields])
        return low, high

    def zeros(self, shape: tuple[int, ...]) -> Any:
        """A blank record array of this layout."""
        return np.zeros(shape, self.dtype).view(np.recarray)

    def flat(self, records: Any) -> npt.NDArray[np.int8]:
        """The same bytes as ``int8``, shape (..., size)."""
        return np.asarray(records).view(np.int8).reshape(*records.shape, self.size)

    def named(self, flat: npt.ArrayLike) -> dict[str, npt.NDArray[np.int8]]:
        """A flat observation of shape (..., size) as named arrays, by copy.

        Raises:
            ValueError: if the last axis is not `size` long.
        """
        array = np.ascontiguousarray(flat, dtype=np.int8)
        if array.shape[-1:] != (self.size,):
            raise ValueError(f"an observation has {self.size} values; got shape {array.shape}")
        records = array.view(self.dtype)[..., 0]
        return {f.name: np.array(records[f.name]) for f in self.fields}

    def markdown(self) -> str:
        """The table for the docs."""
        rows = ["| offset | field | shape | range | meaning |", "|---|---|---|---|---|"]
        for f in self.fields:
            shape = "x".join(map(str, f.shape)) or "1"
            rows.append(f"| {self.offsets[f.name]} | `{f.name}` | {shape} | {f.low} to {f.high} | {f.meaning} |")
        return "\n".join(rows) + "\n"
