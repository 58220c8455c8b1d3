"""Hash tables of state numbers; see ``kernels.hash_table``."""

from __future__ import annotations

import numpy as np

from gamedsl.lab.base import Numbers
from gamedsl.lab.explore.kernels.hash_table import FULLEST, fill
from gamedsl.lab.explore.native_store import NativeStore
from gamedsl.lab.explore.resizing import START


def numbered(store: NativeStore, begin: int, end: int, parts: int = 1) -> Numbers:
    """Builds a table of the states from ``begin`` to ``end``, in this many parts (a power of 2)."""
    size = START
    while (end - begin) * 10 > size * FULLEST:
        size *= 2
    table = np.zeros((parts, size // parts), dtype=np.uint32)
    fill(table, store.words, begin, end)
    return table
