"""Arrays that grow."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

START = 1 << 12
MANY = 1 << 20


def roomy(array: npt.NDArray[Any], least: int) -> npt.NDArray[Any]:
    """Returns a copy with room for at least this many rows, uninitialized beyond the old ones."""
    return _copied(array, max(START, 2 * least))


def longer(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Returns a copy with two or four times the room, uninitialized beyond the old rows."""
    return _copied(array, (2 if array.shape[0] >= MANY else 4) * array.shape[0])


def _copied(array: npt.NDArray[Any], room: int) -> npt.NDArray[Any]:
    longer = np.empty((room, *array.shape[1:]), dtype=array.dtype)
    longer[: array.shape[0]] = array
    return longer
