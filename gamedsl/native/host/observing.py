"""Observations of single states by compiled code."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from gamedsl.native.host.context import Context
from gamedsl.native.host.game_tables import tables_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gamedsl.native.host.game import NativeGame


class Observing:
    """The entry point ``observation`` (``emit/lanes/single_observations.py``) of a game. It holds the GIL."""

    def __init__(self, game: NativeGame) -> None:
        self._size = game.observation_layout.size
        self._code = game.native.observation(tables_of(game))
        # Arguments that are objects of ctypes already are passed in half the time.
        self._call: Any = ctypes.PYFUNCTYPE(ctypes.c_int64)(self._code.addresses["observation"])
        self._seats: dict[int | None, ctypes.c_int64] = {p: ctypes.c_int64(p) for p in range(game.num_players)}
        self._seats[None] = ctypes.c_int64(-1)

    def tensor(self, context: Context, block: bytes, seat: int | None) -> NDArray[np.float32] | None:
        """What a seat sees, as a new array of shape (size of the layout,). None where the interpreter is to be asked."""
        number = self._seats.get(seat)
        if number is None:
            return None
        out = np.empty(self._size, np.float32)
        first = ctypes.byref(ctypes.c_char.from_buffer(out))  # type: ignore[arg-type]
        return out if self._call(context.handle, block, first, number) == 0 else None
