"""Reads a relocatable WebAssembly object file in the form that LLVM writes.

Sources: the WebAssembly specification ("Binary Format"), and tool-conventions ("WebAssembly Object File Linking").
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

from gamedsl.language.source import lazy_dataclass

HEADER = b"\0asm\1\0\0\0"


class Section(IntEnum):
    """The numbers of sections."""

    CUSTOM = 0
    TYPE = 1
    IMPORT = 2
    FUNCTION = 3
    TABLE = 4
    MEMORY = 5
    GLOBAL = 6
    EXPORT = 7
    ELEMENT = 9
    DATA_COUNT = 12
    CODE = 10
    DATA = 11


ORDER = (
    Section.TYPE, Section.FUNCTION, Section.TABLE, Section.MEMORY, Section.GLOBAL, Section.EXPORT, Section.ELEMENT,
    Section.DATA_COUNT, Section.CODE, Section.DATA,
)  # fmt: skip
SYMBOLS, FUNCTION_SYMBOL = 8, 0  # the subsection with the table of symbols; a kind of symbol
KINDS = 6  # kinds of symbols: function, data, global, section, tag, table
DATA_SYMBOL, SECTION_SYMBOL = 1, 3
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40  # flags of a symbol


class Reader:
    """Reads the numbers and names of the binary format."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """An unsigned LEB128 number."""
        found = shift = 0
        while (byte := self.byte()) & 0x80:
            found |= (byte & 0x7F) << shift
            shift += 7
        return found | byte << shift

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def name(self) -> str:
        return self.take(self.number()).decode()

    @property
    def more(self) -> bool:
        return self.at < len(self.data)


@lazy_dataclass(frozen=True)
class Import:
    """An import of an object file. ``kind``: 0 function, 1 table, 2 memory, 3 global, 4 tag."""

    name: str
    kind: int


@lazy_dataclass(frozen=True)
class ObjectFile:
    """The parts of an object file. ``sections``: the contents of those that a module has too. ``functions``: their
    indices by name."""

    sections: dict[Section, bytes]
    imports: tuple[Import, ...]
    functions: dict[str, int]
    data_size: int


def read_object(code: bytes) -> ObjectFile:
    """Reads an object file. Raises ``ValueError`` if the bytes are not one."""
    if not code.startswith(HEADER):
        raise ValueError("this is not WebAssembly")
    sections: dict[Section, bytes] = {}
    functions: dict[str, int] = {}
    reader = Reader(code, len(HEADER))
    while reader.more:
        kind, size = reader.byte(), reader.number()
        content = reader.take(size)
        if kind in ORDER or kind == Section.IMPORT:
            sections[Section(kind)] = content
        elif kind == Section.CUSTOM and (custom := Reader(content)).name() == "linking":
            functions = dict(_defined_functions(custom))
    imports = tuple(_imports(sections.pop(Section.IMPORT, b"\0")))
    return ObjectFile(sections, imports, functions, _data_size(sections.get(Section.DATA, b"\0")))


def _imports(content: bytes) -> Iterator[Import]:
    reader = Reader(content)
    for _ in range(reader.number()):
        reader.name()  # of the module
        name, kind = reader.name(), reader.byte()
        _skip_description(reader, kind)
        yield Import(name, kind)


def _skip_description(reader: Reader, kind: int) -> None:
    if kind == 3:  # a type of value, and whether it changes
        reader.take(2)
        return
    if kind == 1:  # a type of references
        reader.byte()
    if kind in (1, 2) and reader.byte() & 1:  # a least size, and here a greatest one
        reader.number()
    reader.number()


def _defined_functions(reader: Reader) -> Iterator[tuple[str, int]]:
    """The functions of the table of symbols in a ``linking`` section, with their indices."""
    reader.number()  # the version
    while reader.more:
        kind, size = reader.byte(), reader.number()
        content = Reader(reader.take(size))
        if kind == SYMBOLS:
            for _ in range(content.number()):
                yield from _function_symbol(content)


def _function_symbol(reader: Reader) -> Iterator[tuple[str, int]]:
    """Reads one symbol. Yields it if it is a function defined here."""
    kind, flags = reader.byte(), reader.number()
    if kind == SECTION_SYMBOL:
        reader.number()
    elif kind == DATA_SYMBOL:
        reader.name()
        if not flags & UNDEFINED:
            reader.number(), reader.number(), reader.number()  # segment, offset, size
    elif kind < KINDS:
        index = reader.number()
        name = reader.name() if not flags & UNDEFINED or flags & EXPLICIT_NAME else ""
        if kind == FUNCTION_SYMBOL and not flags & UNDEFINED:
            yield name, index
    else:
        raise ValueError(f"unknown kind of symbol {kind}")


def _data_size(content: bytes) -> int:
    """The address after the last segment of data."""
    reader, end = Reader(content), 0
    for _ in range(reader.number()):
        if reader.number() != 0 or reader.byte() != 0x41:
            raise ValueError("a segment of data is not at a constant address")
        at = reader.number()  # LLVM pads these numbers, so the sign is never in their last bits
        reader.byte()  # the end of the expression
        size = reader.number()
        reader.take(size)
        end = max(end, at + size)
    return end
