"""Observations and masks of single states by compiled code."""

from __future__ import annotations

import ctypes
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gamedsl.engine import MOST_MASKED
from gamedsl.native.compile.lane_code import MASKED, OBSERVED
from gamedsl.native.host.context import Context
from gamedsl.native.host.game_tables import tables_of, why_not_observed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gamedsl.native.host.game import NativeGame


class SingleStates:
    """What states of a game look like. The calls hold the GIL, as those of ``_Calls`` do. They are compiled when they are
    needed first, and answer None where the interpreter is to be asked."""

    def __init__(self, game: NativeGame) -> None:
        self._game = game
        self._size, self._actions = game.observation_layout.size, game.num_actions
        self._fits = why_not_observed(game) is None

    def observation(self, context: Context, block: bytes, seat: int) -> NDArray[np.float32] | None:
        """What a seat (-1: a spectator) sees: a new array, shape (size of the layout,)."""
        if not self._fits:
            return None
        out = np.empty(self._size, np.float32)
        status = self._observe(context.handle, block, out.ctypes.data, seat)
        return out if status == 0 else None

    def mask(self, context: Context, block: bytes) -> NDArray[np.bool_] | None:
        """The legal actions of the first player to act, or of chance: a new array, shape (actions,)."""
        if not self._fits or self._actions > MOST_MASKED:
            return None
        out = np.zeros(self._actions, np.bool_)
        status = self._mark(context.handle, block, out.ctypes.data, 0)
        return out if status == 0 else None

    @cached_property
    def _observe(self) -> Any:
        return self._call(OBSERVED)

    @cached_property
    def _mark(self) -> Any:
        return self._call(MASKED)

    def _call(self, entry: str) -> Any:
        code = self._game.native.single(tables_of(self._game, is_single=True), entry)
        types = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int64)
        call = ctypes.PYFUNCTYPE(ctypes.c_int64, *types)(code.addresses[entry])
        call.code = code  # type: ignore[attr-defined]  # lives as long as the call
        return call
