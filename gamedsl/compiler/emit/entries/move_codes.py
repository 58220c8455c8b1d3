"""Moves packed into words for the Python API: the kind, the player, the arguments.

The kind is the number of a schema, or PASS, CHOOSE, CHANCE. The player is -1 for chance. A chosen value or an outcome
has its index as the only argument. All moves of a program have the same fields, so a code can be decoded without
knowing the kind. One word is enough for nearly all programs.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.compiler.emit.stop_code import DRAW
from gamedsl.language.core import limits
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

WORD = 63  # bits in use, so that a word is never negative


@lazy_dataclass(frozen=True)
class CodeField:
    """A field with the values ``low`` to ``high``, in the bits of a word from ``shift`` on."""

    low: int
    high: int
    word: int
    shift: int

    @property
    def mask(self) -> int:
        return (1 << (self.high - self.low).bit_length()) - 1


class MoveCodes:
    """The fields of one program's move codes: kind, player, arguments."""

    def __init__(self, program: n.Program) -> None:
        self.fields: list[CodeField] = []
        at = 0
        for low, high in _ranges(program):
            width = (high - low).bit_length()
            if at % WORD + width > WORD:
                at += -at % WORD
            self.fields.append(CodeField(low, high, at // WORD, at % WORD))
            at += width
        self.words = self.fields[-1].word + 1

    def pack(self, values: Sequence[int]) -> tuple[int, ...] | None:
        """The words of a move, or None if a value is out of range."""
        words = [0] * self.words
        if len(values) > len(self.fields):
            return None
        for field, value in zip(self.fields, values, strict=False):
            if type(value) is not int or not field.low <= value <= field.high:
                return None
            words[field.word] |= value - field.low << field.shift
        return tuple(words)

    def unpack(self, words: Sequence[int]) -> list[int]:
        """Kind, player and arguments. Arguments beyond those of the kind are undefined."""
        return [(words[f.word] >> f.shift & f.mask) + f.low for f in self.fields]


def _ranges(program: n.Program) -> list[tuple[int, int]]:
    """The least and the greatest value of each field."""
    names = [len(b.end.names) for b in program.blocks if isinstance(b.end, n.Choose | n.Chance)]
    args: list[list[tuple[int, int]]] = [[(0, max(names) - 1)]] if names else []
    for schema in program.schemas:
        for i, p in enumerate(schema.params):
            if i == len(args):
                args.append([])
            args[i].append(limits(p.local.type))
    found = [(DRAW, max(0, len(program.schemas) - 1)), (-1, program.players.size - 1)]
    return [*found, *((min(low for low, _ in a), max(high for _, high in a)) for a in args)]
