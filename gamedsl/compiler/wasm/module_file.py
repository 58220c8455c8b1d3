"""Makes a WebAssembly module from one object file.

One file needs no linker: the fields that a linker would relocate already hold the right numbers, because nothing is
moved. Functions keep their indices, because none is imported; data keep their addresses, which begin at 0. The
remaining work is to define the memory and the stack pointer, which the file imports, and to name the exports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamedsl.compiler.wasm.object_file import HEADER, ORDER, ObjectFile, Section

STACK = 1 << 20  # bytes of the stack, after the data
PAGE = 1 << 16
I32, CONSTANT, END = 0x7F, 0x41, 0x0B
FUNCTION, TABLE, MEMORY, GLOBAL = range(4)  # kinds of imports and exports
REFERENCE = 0x70  # the type of a reference to a function
PROVIDED = (("__linear_memory", MEMORY), ("__stack_pointer", GLOBAL), ("__indirect_function_table", TABLE))


def module_file(parts: ObjectFile, exports: Mapping[str, str], called: Sequence[str] = ()) -> bytes:
    """The bytes of the module. ``exports``: the names of functions in the file, by their exported names. ``called``: the
    names of functions that are called by their indices in a table, from 1.
    The module also exports ``memory`` and the constant ``heap``, the first address that the host may use.

    Raises ``ValueError`` if the file needs functions of other files.
    """
    lacking = [one.name for one in parts.imports if (one.name, one.kind) not in PROVIDED]
    if lacking:
        raise ValueError(f"the code needs {', '.join(lacking)}")
    stack = -(-parts.data_size // 16) * 16 + STACK
    sections = {
        **parts.sections,
        Section.MEMORY: _vector([b"\0" + number(-(-stack // PAGE))]),
        Section.GLOBAL: _vector([_global(stack, changes=True), _global(stack, changes=False)]),
        Section.EXPORT: _exports(parts, exports),
    }
    if called:
        entries = number(len(called) + 1)
        sections[Section.TABLE] = _vector([bytes([REFERENCE, 0]) + entries])
        first = bytes([0, CONSTANT]) + signed(1) + bytes([END])  # in table 0
        sections[Section.ELEMENT] = _vector([first + _vector([number(parts.functions[f]) for f in called])])
    return HEADER + b"".join(_section(kind, sections[kind]) for kind in ORDER if kind in sections)


def _exports(parts: ObjectFile, exports: Mapping[str, str]) -> bytes:
    found = [_named("memory", MEMORY, 0), _named("heap", GLOBAL, 1)]
    return _vector([*found, *(_named(name, FUNCTION, parts.functions[f]) for name, f in exports.items())])


def _named(name: str, kind: int, index: int) -> bytes:
    return number(len(name)) + name.encode() + bytes([kind]) + number(index)


def _global(value: int, changes: bool) -> bytes:
    return bytes([I32, changes, CONSTANT]) + signed(value) + bytes([END])


def _section(kind: Section, content: bytes) -> bytes:
    return bytes([kind]) + number(len(content)) + content


def _vector(items: Sequence[bytes]) -> bytes:
    return number(len(items)) + b"".join(items)


def number(value: int) -> bytes:
    """An unsigned LEB128 number."""
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def signed(value: int) -> bytes:
    """A signed LEB128 number; ``value`` must not be negative."""
    found = bytearray()
    while value >= 0x40:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])
