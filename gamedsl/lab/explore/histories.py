"""Collections of noted positions during exploration; see ``kernels.repetition_kernel``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gamedsl.compiler import Rows, position_size
from gamedsl.lab.explore.kernels.records import NotedPositions
from gamedsl.lab.explore.kernels.repetition_kernel import canonicalize_chains, refill, short_of_room
from gamedsl.language.core import nodes as n
from gamedsl.language.core import noted_positions

if TYPE_CHECKING:
    from gamedsl.compiler import Context, Native

PLACES = 1 << 14


class Chains:
    """The collections of noted positions known so far.

    ``table``: hash table of the collections. ``kept``: the number of collections, and the end of those kept in the
    arena. ``handles``: for each history variable the word of a row and the lowest bit in it that hold the history's
    number, and the words of an entry; empty if the rules note nothing.
    """

    def __init__(self, native: Native, context: Context, layout: Rows) -> None:
        self.context = context
        noted = noted_positions(native.program) if native.has_history else {}
        found = []
        for var in native.program.variables:
            if isinstance(var.type, n.HistoryT):
                word, shift = layout.handle(native.frame, var)
                found.append((word, shift, 2 + position_size(noted.get(var.index, ()))))
        self.handles = np.array(found, dtype=np.int64).reshape(-1, 3)
        self.table = np.zeros((PLACES if found else 1, 2), dtype=np.int64)
        self.kept = np.array([0, 1], dtype=np.int64)

    @property
    def record(self) -> NotedPositions:
        """Returns the record for the compiled loops."""
        return NotedPositions(self.table, self.kept, self.handles)

    def canonicalize(self, row: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> None:
        """Canonicalizes the first row, whose collections have been put into the arena."""
        if len(self.handles):
            canonicalize_chains(self.context.pointer, row, 0, 1, 1, self.table, self.kept, self.handles)

    def widen(self) -> bool:
        """Makes more room if too little is left. Returns False if there was enough."""
        if not len(self.handles) or not short_of_room(self.context.pointer, self.table, self.kept):
            return False
        wider = np.zeros((2 * len(self.table), 2), dtype=np.int64)
        refill(self.table, wider)
        self.table = wider
        self.context.widen()
        return True
