"""The code of merged versions, for one of them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from gamedsl.compiler.host.binding import Native
from gamedsl.compiler.transform.merge_versions import MergedVersions, merge_versions
from gamedsl.engine import first_value

if TYPE_CHECKING:
    from gamedsl.compiler.host.context import Context
    from gamedsl.engine import Game, State, Value


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
        self._number, self._first_block, self._places = number, merged.first_blocks[number], merged.places[number]

    def initial(self, context: Context) -> ctypes.Array[ctypes.c_char]:
        return self.pack(self.first_state, context)

    def pack(self, state: State, context: Context) -> ctypes.Array[ctypes.c_char]:
        if state.game.program.variables[-1:] != self.program.variables[-1:]:
            state = state.game.make_state(self._first_block + state.block, self._slots(state), state.pending)
        return super().pack(state, context)

    def _slots(self, state: State) -> tuple[Value, ...]:
        """The values of the common variables in a state of this version alone. Those that it does not have keep their
        first value."""
        values = iter(state.slots)
        own: dict[int, tuple[Value, ...]] = {}
        for var, place in zip(state.game.program.variables, self._places, strict=True):
            own[place] = tuple(islice(values, var.slots))
        *variables, _ = self.program.variables
        others = (tuple(first_value(var.type, initial) for initial in var.initial) for var in variables)
        return (*(v for k, first in enumerate(others) for v in own.get(k, first)), self._number)
