"""The memory that compiled code works with, one context a thread."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from gamedsl.native import cutoffs
from gamedsl.native.emit.module_builder import CTX_ERROR
from gamedsl.native.emit.noted_counters import MOST, STEP
from gamedsl.native.errors import NativeError

if TYPE_CHECKING:
    from gamedsl.native.host.binding import Native

ARENA = 1 << 20  # default size of a context's arena for noted positions, in words
COUNTERS = 1 << 13  # counters of noted positions in a table: a power of two, at least 2
MOST_PLIES = 100_000  # a longer playout counts as unfinished


class Context:
    """The memory of one thread. ``pointer`` is its address."""

    def __init__(self, native: Native, arena: int = ARENA, plies: int = MOST_PLIES, marks: bool = False) -> None:
        """``marks``: keep counters of all positions noted here, so that new ones are recognized without a search."""
        self._arena = (ctypes.c_int64 * (arena if native.has_history else 1))()
        self._drawings = native.drawings
        self._paths = (ctypes.c_int64 * cutoffs.PATH_WORDS)()
        self._shift = 65 - COUNTERS.bit_length()
        self._counters = (ctypes.c_uint16 * (COUNTERS if native.has_history else 0))()
        self._marks = (ctypes.c_uint16 * (COUNTERS if marks and native.has_history else 0))()
        marked = ctypes.addressof(self._marks) if self._marks else 0
        self._fields = (ctypes.c_int64 * 14)(
            0, ctypes.addressof(self._arena), len(self._arena), 1, plies, ctypes.addressof(self._drawings), marked,
            ctypes.addressof(self._paths), 0, STEP, self._shift, ctypes.addressof(self._counters), 0, marked,
        )  # fmt: skip
        self.pointer = ctypes.addressof(self._fields)
        self.handle = ctypes.c_void_p(self.pointer)

    def see_drawings(self, native: Native) -> None:
        """Updates the records of drawings to all those known now."""
        self._drawings = native.drawings
        self._fields[5] = ctypes.addressof(self._drawings)

    def take_error(self) -> int:
        """The place of the first rules error since the last call (0: none)."""
        place, self._fields[CTX_ERROR] = self._fields[CTX_ERROR], 0
        return place

    @property
    def number(self) -> int:
        """The number in the message of the last rules error."""
        return self._fields[8]

    def forget(self) -> None:
        """Frees all noted positions. States that refer to some must not be used any more."""
        self._fields[3] = 1

    def push(self, words: list[int]) -> int:
        """Appends an entry (the previous one, its hash, its words) to the arena. Returns its number. Raises
        ``NativeError`` if the arena is full."""
        at = self.used
        if at + len(words) > len(self._arena):
            raise NativeError("the arena of noted positions is full")
        for i, w in enumerate(words):
            self._arena[at + i] = w - (1 << 64) if w >> 63 else w
        if self._marks:
            counter = words[1] >> self._shift
            self._marks[counter] = STEP | min((self._marks[counter] & MOST) + 1, MOST)
        self.used = at + len(words)
        return at

    def entry(self, at: int, size: int) -> list[int]:
        """The words of an entry in the arena."""
        return list(self._arena[at : at + size])

    def widen(self) -> None:
        """Doubles the arena. Entries keep their numbers."""
        wider = (ctypes.c_int64 * (2 * len(self._arena)))()
        ctypes.memmove(wider, self._arena, 8 * self.used)
        self._arena = wider
        self._fields[1], self._fields[2] = ctypes.addressof(wider), len(wider)

    @property
    def nearly_full(self) -> bool:
        """Is less than a quarter of the arena free? (False if no positions are noted.)"""
        return len(self._arena) > 1 and self.used * 4 > len(self._arena) * 3

    @property
    def used(self) -> int:
        """The number of words of the arena in use. May be reset to an earlier value."""
        return self._fields[3]

    @used.setter
    def used(self, words: int) -> None:
        self._fields[3] = words
