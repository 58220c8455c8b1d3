"""Observations and masks of single states by compiled code."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from gamedsl.compiler.emit.methods.method_words import ArrayWords
from gamedsl.compiler.host.context import Context
from gamedsl.compiler.host.game_tables import tables_of
from gamedsl.engine import MOST_MASKED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gamedsl.compiler.host.compiled_game import CompiledGame

MEMORY = 2 * ctypes.sizeof(ctypes.c_void_p)  # offset of the address of an array's entries


def _knows_arrays() -> bool:
    """Whether arrays have the address of their entries where machine code reads it."""
    made = np.zeros(3, np.bool_)
    return ctypes.c_ssize_t.from_address(id(made) + MEMORY).value == made.ctypes.data


def _open(game: CompiledGame, maker: int, *call: object) -> None:
    """Gives machine code what it needs to make arrays: a function, the size and the type."""
    game.array_makers.append(call)  # machine code refers to them
    game.array_words[maker : maker + 3] = [id(thing) for thing in call]
    game.array_words[ArrayWords.MEMORY] = MEMORY


def open_masks(game: CompiledGame) -> None:
    """Lets machine code make the masks of a game from now on, if they are not too large."""
    if not game.array_words[ArrayWords.MAKE_MASK] and game.num_actions <= MOST_MASKED and _knows_arrays():
        _open(game, ArrayWords.MAKE_MASK, np.zeros, game.num_actions, np.dtype(np.bool_))


class Observing:
    """The entry point ``observation`` (``emit/lanes/single_observations.py``) of a game. It holds the GIL."""

    def __init__(self, game: CompiledGame) -> None:
        self._size = game.observation_layout.size
        self._code = game.native.observation(tables_of(game))
        # Passing arguments that are ctypes objects already takes half the time.
        self._call: Any = ctypes.PYFUNCTYPE(ctypes.c_int64)(self._code.addresses["observation"])
        self._seats: dict[int | None, ctypes.c_int64] = {p: ctypes.c_int64(p) for p in range(game.num_players)}
        self._seats[None] = ctypes.c_int64(-1)
        if _knows_arrays():
            _open(game, ArrayWords.MAKE_TENSOR, np.empty, self._size, np.dtype(np.float32))
            game.array_words[ArrayWords.OBSERVE] = self._code.addresses["observation"]

    def tensor(self, context: Context, block: bytes, seat: int | None) -> NDArray[np.float32] | None:
        """What a seat sees, as a new array of shape (size of the layout,). None if the interpreter has to answer."""
        number = self._seats.get(seat)
        if number is None:
            return None
        out = np.empty(self._size, np.float32)
        first = ctypes.byref(ctypes.c_char.from_buffer(out))  # type: ignore[arg-type]
        return out if self._call(context.handle, block, first, number) == 0 else None
