"""Methods of compiled states in machine code (``emit/methods``).

Where the layout of objects is in doubt, ``quick_type`` returns None, and the methods in Python are used.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator
from functools import cache
from inspect import getdoc
from typing import TYPE_CHECKING, Any, TypeVar, cast

from gamedsl.compiler.compile.machine import Code
from gamedsl.compiler.emit.entries.move_codes import MoveCodes
from gamedsl.compiler.emit.methods.method_words import API, ENTRIES, ITEMS, KIND_ROW, SLOTS, TYPE, Words
from gamedsl.compiler.emit.methods.module import state_methods
from gamedsl.compiler.host.python_code import POINTER, Definition, code_of, is_known_python, word
from gamedsl.engine import KEPT, ActionKind, Notation, chance_text
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.compiler.host.compiled_game import CompiledGame

FLAGS = 0x80 | 0x2  # METH_FASTCALL | METH_KEYWORDS
MEMBER = 5 * POINTER  # offset of the address of the PyMemberDef in the descriptor of a slot
OFFSET = 2 * POINTER  # offset of the slot's offset in the PyMemberDef
S = TypeVar("S")
NAMES = {name: f"_{name}" for name in ENTRIES}  # of the methods in Python
GETTER = "current_player"
WHO = {"chance": -1, "together": -2, "end": -3}  # the value of `current_player` where no player is to act


class _Getter(ctypes.Structure):
    """``PyGetSetDef`` of the C API."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("get", ctypes.c_void_p),
        ("set", ctypes.c_void_p),
        ("doc", ctypes.c_char_p),
        ("closure", ctypes.c_void_p),
    )


def _offsets(state: type) -> dict[str, int] | None:
    """The offsets of the slots of a class, tested on an object of it; None if they are not where they should be."""
    home = {name: c.__dict__[name] for c in reversed(state.__mro__) for name in SLOTS if name in c.__dict__}
    found = {name: word(word(id(home[name]) + MEMBER) + OFFSET) for name in SLOTS}
    if not all(2 * POINTER <= at <= state.__basicsize__ - POINTER for at in found.values()):
        return None
    example: Any = object.__new__(state)
    for name in SLOTS:
        setattr(example, name, thing := object())
        if word(id(example) + found[name]) != id(thing) or word(id(example) + TYPE) != id(state):
            return None
    return found


def _knows_lists() -> bool:
    """Whether lists have the address of their items at the offset where machine code reads it."""
    example = [object(), object()]
    at = word(id(example) + ITEMS)
    return [word(at), word(at + POINTER)] == list(map(id, example))


def fits(codes: MoveCodes, actions: int) -> bool:
    """Whether the methods can handle codes of this form, and this many actions."""
    return codes.words <= 2 and actions < 1 << 62


@cache
def quick_type(state: type[S]) -> type[S] | None:
    """A subclass of this class of states with the methods in machine code; None if they cannot be used. Its Python
    methods are those of ``state``, with an underscore before their names (``_legal_actions``)."""
    if not is_known_python(API) or not _knows_lists():
        return None
    slow = {inner: getattr(state, name) for name, inner in NAMES.items()}
    made = type(state.__name__, (state,), {"__slots__": (), "__module__": state.__module__, **slow})
    offsets = _offsets(made)
    if offsets is None:
        return None
    code = code_of(state_methods(offsets), API, ENTRIES)
    for name in ENTRIES:
        setattr(made, name, _descriptor(made, name, code, (getdoc(getattr(state, name)) or "").encode()))
    return cast(type[S], made)


def _descriptor(home: type, name: str, code: Code, doc: bytes) -> object:
    """The descriptor of a method or property in machine code, for the dict of a class."""
    definition: Definition | _Getter
    if name == GETTER:
        new: Any = ctypes.pythonapi.PyDescr_NewGetSet
        definition = _Getter(name.encode(), code.addresses[name], None, doc, None)
    else:
        new = ctypes.pythonapi.PyDescr_NewMethod
        definition = Definition(name.encode(), code.addresses[name], FLAGS, doc)
    _kept.append((code, definition))
    new.restype, new.argtypes = ctypes.py_object, [ctypes.py_object, ctypes.c_void_p]
    found: object = new(home, ctypes.addressof(definition))
    return found


_kept: list[Any] = []  # methods refer to code and definitions forever


# --------------------------------------------------------------------------------------------------- words of a game


def words_of(game: CompiledGame, state: type) -> bytes:
    """The words of a game whose states are of this class."""
    native, kinds, codes = game.native, game.action_kinds, game.move_codes
    program = native.program
    rows = _rows(program, kinds)
    found = [0] * len(Words)
    found[Words.LEGAL], found[Words.AFTER] = native.address("legal"), native.address("after")
    found[Words.CODE_WORDS], found[Words.SIZE] = codes.words, native.state_size
    found[Words.PASSING] = next((k.first for k in kinds if k.kind == "pass"), -1)
    found[Words.NOTES] = int(native.has_history)
    found[Words.NONE], found[Words.FALSE], found[Words.TRUE] = id(None), id(False), id(True)
    found[Words.INT], found[Words.TUPLE], found[Words.STATE] = id(int), id(tuple), id(state)
    found[Words.KEPT] = KEPT
    names = Words.LEGAL_NAME, Words.APPLY_NAME, Words.MASK_NAME, Words.TENSOR_NAME, Words.WHO_NAME
    for place, name in zip(names, ENTRIES, strict=True):
        found[place] = id(NAMES[name])
    found[Words.PLAYERS], found[Words.ACTORS] = game.num_players, native.address("actors")
    found[Words.ARRAYS] = ctypes.addressof(game.array_words)
    found[Words.KINDS], found[Words.KIND_WORDS] = len(rows), max(map(len, rows), default=0)
    found[Words.FIELDS_AT] = len(found)
    for field in codes.fields:
        found += [field.low, field.word, field.shift, field.mask]
    found[Words.KINDS_AT] = len(found)
    for row in rows:
        found += row + [0] * (found[Words.KIND_WORDS] - len(row))
    found[Words.BLOCKS_AT] = at = len(found)
    found += [0] * len(program.blocks)
    found[Words.ENDS_AT] = len(found)
    found += [int(isinstance(b.end, n.End)) for b in program.blocks]
    found[Words.WHO_AT] = len(found)
    found += [WHO.get(kind, 0) for kind in game.kinds]
    for index, numbers in _named(program, kinds, game.notation):
        found[at + index] = len(found)
        found += [len(numbers), *numbers]
    return struct.pack(f"{len(found)}q", *found)


def _rows(program: n.Program, kinds: tuple[ActionKind, ...]) -> list[list[int]]:
    """For every schema: the first number, the size, the number of parameters; low, size and stride of each."""
    rows = [[0] * KIND_ROW for _ in program.schemas]
    for kind in kinds:
        if kind.schema is not None:
            stride, row = kind.size, [kind.first, kind.size, len(kind.parameters)]
            for p in kind.parameters:
                stride //= max(1, p.size)
                row += [p.low, p.size, stride]
            rows[kind.schema] = row
    return rows


def _named(program: n.Program, kinds: tuple[ActionKind, ...], notation: Notation) -> Iterator[tuple[int, list[int]]]:
    """The numbers of values and outcomes, by block."""
    named = [k for k in kinds if k.kind in ("choose", "chance")]
    of_text = {(k.kind, text): k.first + i for k in named for i, text in enumerate(k.parameters[0].names)}
    for block in program.blocks:
        match block.end:
            case n.Choose(names=names):
                yield block.index, [of_text["choose", notation.choice_text(one)] for one in names]
            case n.Chance(names=names, what=what):
                yield block.index, [of_text["chance", chance_text(what, one)] for one in names]
            case _:
                pass
