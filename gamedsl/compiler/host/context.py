"""The memory that compiled code works with, one context per thread.

A context has one owner, such as a search or a game in progress, and is freed with it. Positions that are needed only
for a while are noted inside ``temporary``. Owners that do not know of each other never share a context.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.llvm_module import CTX_ERROR, CTX_USED
from gamedsl.compiler.emit.noted_counters import MOST, STEP
from gamedsl.compiler.host.state_memory import KeepsNotes

if TYPE_CHECKING:
    from gamedsl.compiler.host.calling import Words

ARENA = 1 << 20  # default size of a context's arena for noted positions, in words
COUNTERS = 1 << 13  # counters of noted positions in a table: a power of two, at least 2
PAGES = 1 << 16  # bytes; smaller arrays are cleared at once
MOST_PLIES = 100_000  # a longer playout counts as unfinished


def zeros(words: int) -> ctypes.Array[ctypes.c_int64]:
    """An array of zeros. Its pages take memory only once they are written to, because few owners need all of a large
    arena."""
    if words * 8 < PAGES or sys.platform == "win32":
        return (ctypes.c_int64 * words)()
    return (ctypes.c_int64 * words).from_buffer(mmap.mmap(-1, words * 8, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))


class Context:
    """The memory of one thread. ``pointer`` is its address."""

    def __init__(
        self, native: KeepsNotes, arena: int = ARENA, plies: int = MOST_PLIES, marks: bool = False, playout: int = 0
    ) -> None:
        """``marks``: keep counters of all positions noted here, so that new ones are recognized without a search.
        ``playout``: the address of generic code for playouts, or of what compiles it."""
        self._arena = zeros(arena if native.has_history else 1)
        self._drawings = native.drawings
        self._paths = (ctypes.c_int64 * cutoffs.PATH_WORDS)()
        self._shift = 65 - COUNTERS.bit_length()
        self._counters = (ctypes.c_uint16 * (COUNTERS if native.has_history else 0))()
        self._marks = (ctypes.c_uint16 * (COUNTERS if marks and native.has_history else 0))()
        marked = ctypes.addressof(self._marks) if self._marks else 0
        self._fields = (ctypes.c_int64 * 18)(
            0, ctypes.addressof(self._arena), len(self._arena), 1, plies, ctypes.addressof(self._drawings), marked,
            ctypes.addressof(self._paths), 0, STEP, self._shift, ctypes.addressof(self._counters), 0, marked,
            0, 0, 0, playout,
        )  # fmt: skip
        self.pointer = ctypes.addressof(self._fields)
        self.handle = ctypes.c_void_p(self.pointer)

    def see_drawings(self, native: KeepsNotes) -> None:
        """Updates the records of drawings to include all that are known now."""
        self._drawings = native.drawings
        self._fields[5] = ctypes.addressof(self._drawings)

    def take_error(self) -> int:
        """The place of the first rules error since the last call (0: none), which is cleared."""
        place, self._fields[CTX_ERROR] = self._fields[CTX_ERROR], 0
        return place

    @property
    def number(self) -> int:
        """The number in the message of the last rules error."""
        return self._fields[8]

    def forget(self) -> None:
        """Frees all noted positions. States that refer to any must not be used anymore."""
        self._fields[3] = 1

    def push(self, words: list[int]) -> int:
        """Appends an entry (the previous one, its hash, its words) to the arena. Returns its number. ``words``: signed or
        not, except the hash, which is not negative."""
        at = self.used
        self.reserve(len(words))
        self._arena[at : at + len(words)] = [*words]  # the lowest 64 bits of each
        if self._marks:
            counter = words[1] >> self._shift
            self._marks[counter] = STEP | min((self._marks[counter] & MOST) + 1, MOST)
        self.used = at + len(words)
        return at

    def entry(self, at: int, size: int) -> list[int]:
        """The words of an entry in the arena."""
        return list(self._arena[at : at + size])

    def reserve(self, words: int) -> None:
        """Makes room for this many more words in the arena, if positions are noted. Entries keep their numbers."""
        wanted, size = self.used + words, len(self._arena)
        if 1 < size < wanted:
            wider = zeros(max(2 * size, wanted))
            ctypes.memmove(wider, self._arena, 8 * self.used)
            self._arena = wider
            self._fields[1], self._fields[2] = ctypes.addressof(wider), len(wider)

    @contextmanager
    def temporary(self) -> Iterator[None]:
        """Frees the positions that are noted inside. States that refer to them must not be used afterward."""
        mark = self.used
        try:
            yield
        finally:
            self.used = mark

    def widen(self) -> None:
        """Doubles the arena."""
        self.reserve(len(self._arena) + 1)

    @property
    def nearly_full(self) -> bool:
        """Whether less than a quarter of the arena is free; false if no positions are noted."""
        return len(self._arena) > 1 and self.used * 4 > len(self._arena) * 3

    @property
    def used(self) -> int:
        """The number of words of the arena in use. May be reset to an earlier value."""
        return self._fields[3]

    @used.setter
    def used(self, words: int) -> None:
        self._fields[3] = words

    @property
    def used_field(self) -> Words:
        """The same number where it is kept, for kernels: shape (1,)."""
        import numpy as np  # start-up: most contexts have no kernel

        return np.ctypeslib.as_array(self._fields)[CTX_USED : CTX_USED + 1]
