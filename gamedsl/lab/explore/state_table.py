"""Hash tables of state numbers; see ``kernels.hash_table``."""

from __future__ import annotations

import numpy as np

from gamedsl.lab.base import Numbers
from gamedsl.lab.explore.kernels.hash_table import FULLEST, fill
from gamedsl.lab.explore.native_store import NativeStore
from gamedsl.lab.explore.resizing import START


def slots_for(states: int, least: int = START) -> int:
    """Returns the slots of a table with room for this many states: ``least``, doubled as often as needed."""
    while states * 10 > least * FULLEST:
        least *= 2
    return least


def numbered(store: NativeStore, begin: int, end: int, parts: int = 1) -> Numbers:
    """Builds a table of the states from ``begin`` to ``end``, in this many parts (a power of 2)."""
    table = np.zeros((parts, slots_for(end - begin) // parts), dtype=np.uint32)
    fill(table, store.words, begin, end)
    return table
