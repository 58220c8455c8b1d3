"""The layout of a noted position in words: consecutive values of one type share words, all others have words of their
own.

``layout(types)`` is the same wherever a position is written: by compiled code, from any form of the program, and by the
host. A *run* of at least two values of one type, each smaller than a word, is packed as in a state in memory: each
value is the distance from the least value of the type, in whole bytes, the first value lowest; the last word is padded
with zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from gamedsl.compiler.emit.memory_layout import WORD, Cell, cell_of, words_of
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

MASK = (1 << WORD) - 1


@lazy_dataclass(frozen=True)
class Piece:
    """The values ``first .. first + count - 1`` of a position, in ``words`` words. ``cell`` is the cell of a packed
    value."""

    first: int
    count: int
    words: int
    cell: Cell | None = None


@lru_cache(maxsize=64)
def layout(types: tuple[n.VarT, ...]) -> tuple[Piece, ...]:
    """The pieces of a position with values of these types, in order."""
    found: list[Piece] = []
    at = 0
    while at < len(types):
        end = at + 1
        while end < len(types) and types[end] == types[at]:
            end += 1
        found += _pieces(types[at], at, end - at)
        at = end
    return tuple(found)


def _pieces(t: n.VarT, first: int, count: int) -> list[Piece]:
    """Pieces for consecutive values of one type."""
    cell = cell_of(t)
    if count > 1 and cell.count == 1 and cell.bits < WORD:
        return [Piece(first, count, words_of(count * cell.bits), cell)]
    words = words_of(t.domain.size) if isinstance(t, n.SetT) else 1
    return [Piece(first + i, 1, words) for i in range(count)]


def position_size(types: tuple[n.VarT, ...]) -> int:
    """The number of words of a position."""
    return sum(p.words for p in layout(types))


def to_words(position: Sequence[int], types: tuple[n.VarT, ...]) -> list[int]:
    """The position as words in 0 .. 2^64 - 1."""
    words: list[int] = []
    for p in layout(types):
        value = position[p.first]
        if p.cell is not None:
            packed = (v - p.cell.low for v in position[p.first : p.first + p.count])
            value = sum(v << i * p.cell.bits for i, v in enumerate(packed))
        value %= 1 << WORD * p.words
        words += [value >> WORD * i & MASK for i in range(p.words)]
    return words


def from_words(words: Sequence[int], types: tuple[n.VarT, ...]) -> tuple[int, ...]:
    """The inverse of ``to_words``. Words may be signed."""
    position: list[int] = []
    at = 0
    for p in layout(types):
        value = sum((words[at + i] & MASK) << WORD * i for i in range(p.words))
        at += p.words
        if p.cell is not None:
            unit = (1 << p.cell.bits) - 1
            position += [(value >> i * p.cell.bits & unit) + p.cell.low for i in range(p.count)]
        elif not isinstance(types[p.first], n.SetT | n.BoolT) and value >> WORD - 1:
            position.append(value - (1 << WORD))
        else:
            position.append(value)
    return tuple(position)
