"""The code of merged versions, for one of them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamedsl.compiler.host.binding import Native
from gamedsl.compiler.transform.merge_versions import MergedVersions, merge_versions

if TYPE_CHECKING:
    from gamedsl.compiler.host.context import Context
    from gamedsl.engine import Game, State


def compile_versions(games: Sequence[Game], only: tuple[str, ...], baseline: bool = False) -> dict[int, VersionNative]:
    """Compiles rules together, as far as they can be merged with those of the first game. Returns the code of each by the
    number of its game. ``only``: the entry points that will be needed; ``baseline``: see ``Native``. Raises ``NativeError``.
    """
    merged = merge_versions([game.program for game in games])
    code = Native(merged.program, keep=False, baseline=baseline, only=only)
    code.address(only[0])
    return {number: VersionNative(code, merged, number, games[number]) for number in sorted(merged.members)}


class VersionNative(Native):
    """The code of ``merged`` for the version with this number. ``game``: this version alone, whose states can be packed as
    well."""

    has_initial = False

    def __init__(self, code: Native, merged: MergedVersions, number: int, game: Game) -> None:
        vars(self).update(vars(code))
        self._code = code  # lives as long as this
        self.program, self._game = merged.version(number), game
        self._number, self._first_block = number, merged.first_blocks[number]

    def initial(self, context: Context) -> ctypes.Array[ctypes.c_char]:
        return self.pack(self.first_state, context)

    def pack(self, state: State, context: Context) -> ctypes.Array[ctypes.c_char]:
        if state.game.program.variables[-1:] != self.program.variables[-1:]:
            slots = (*state.slots, self._number)
            state = state.game.make_state(self._first_block + state.block, slots, state.pending)
        return super().pack(state, context)
