"""The states that a search has found, in growing arrays."""

from __future__ import annotations

import numpy as np

from gamedsl.lab.base import Ints, Numbers
from gamedsl.lab.explore.kernels.hash_table import FULLEST, fill
from gamedsl.lab.explore.kernels.records import Found, Level
from gamedsl.lab.explore.layers import Measure
from gamedsl.lab.explore.native_store import NativeStore
from gamedsl.lab.explore.resizing import START, longer
from gamedsl.lab.explore.state_table import slots_for


class Visited:
    """Owns the arrays of ``kernels.records.Found`` and ``Level`` and enlarges them.

    ``expanded``: the number of states, the first ones, that have been expanded. ``most``: maximum number of states.
    ``parts``: number of parts of the table, a power of 2.
    """

    def __init__(self, store: NativeStore, most: int, parts: int) -> None:
        self.store = store
        self.most = most
        self.parts = parts
        self.table: Numbers = np.zeros((parts, START * 2 // parts), dtype=np.uint32)
        self.room: Numbers = np.zeros(START, dtype=np.uint32)
        self.base = 0
        self.parent: Numbers = np.empty(START, dtype=np.int32)
        self.faults: Ints = np.empty((START, 3), dtype=np.int64)
        self.totals: Ints = np.zeros(4, dtype=np.int64)
        self.expanded = 0
        self.measure = Measure.none()
        self.level = 0

    def __len__(self) -> int:
        return int(self.totals[0])

    @property
    def record(self) -> Found:
        """Returns the record for the compiled loops."""
        return Found(self.store.words, self.table, self.base, self.parent, self.faults, self.totals)

    @property
    def wanted(self) -> Level:
        """The measure that new states must have."""
        return Level(self.measure.terms, self.level, self.most)

    def room_for(self, rows: int, states: int) -> None:
        """Ensures room for this many rows after the states, for inserting them all, and for as many faults plus one
        per state.
        """
        while len(self) + rows >= len(self.store.words):
            self.more_states()
        while self.totals[2] + rows + states > len(self.faults):
            self.more_faults()
        while (len(self) - self.base + rows) * 10 > self.table.size * FULLEST:
            self.more_places()

    def more_states(self) -> None:
        self.store.words, self.parent = longer(self.store.words), longer(self.parent)

    def more_faults(self) -> None:
        self.faults = longer(self.faults)

    def more_places(self) -> None:
        """Doubles the table."""
        self.clear(2 * self.table.size)
        self.fill_again()

    def fill_again(self) -> None:
        """Rebuilds the table at the same size."""
        self.table[:] = 0
        fill(self.table, self.store.words, self.base, len(self))

    def begin_at(self, base: int, least: int) -> None:
        """Makes the table hold the states from ``base`` on, with room for at least ``least``."""
        self.base = base
        self.clear(slots_for(max(len(self) - base, least)))
        fill(self.table, self.store.words, base, len(self))

    def clear(self, size: int) -> None:
        """Clears the table and gives it ``size`` slots, reusing its memory."""
        if size > self.room.size:
            self.room = np.zeros(size, dtype=np.uint32)
        self.table = self.room[:size].reshape(self.parts, -1)
        self.table[:] = 0
