"""The code of merged versions, for one of them."""

from __future__ import annotations

import ctypes
from copy import copy
from typing import TYPE_CHECKING

from gamedsl.compiler.host.binding import Native

if TYPE_CHECKING:
    from gamedsl.compiler.host.context import Context
    from gamedsl.compiler.transform.merge_versions import MergedVersions
    from gamedsl.engine import Game, State


class VersionNative(Native):
    """The code of ``merged`` for the version with this number. ``game``: this version alone, whose states can be packed as
    well."""

    has_initial = False

    def __init__(self, code: Native, merged: MergedVersions, number: int, game: Game) -> None:
        vars(self).update(vars(copy(code)))
        self._code = code  # lives as long as this
        self.program, self._game = merged.version(number), game
        self._number, self._first_block = number, merged.first_blocks[number]

    def initial(self, context: Context) -> ctypes.Array[ctypes.c_char]:
        return self.pack(self.game.initial_state(), context)

    def pack(self, state: State, context: Context) -> ctypes.Array[ctypes.c_char]:
        if state.game.program.variables[-1:] != self.program.variables[-1:]:
            slots = (*state.slots, self._number)
            state = state.game.make_state(self._first_block + state.block, slots, state.pending)
        return super().pack(state, context)
