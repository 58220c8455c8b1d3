"""What the methods use of CPython, and the words with the data of a game.

The code is the same for all games. The data of a game are words (``Words``) in a ``bytes`` object that every state
refers to, and words about its arrays (``ArrayWords``), which are written when an array is first needed: numpy takes
long to import, and the code of observations takes long to compile.
"""

from __future__ import annotations

from enum import IntEnum

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import I32, I64, PTR, VOID

BYTES = bytes.__basicsize__ - 1  # offset of the content of a bytes object
ITEMS = 24  # offset of the address of a list's items
TYPE = 8  # offset of the type of an object
CAPACITY = 1024  # room for the codes of legal moves, in words
KIND_ROW = 3  # words of a schema's row before its digits: first number, size, number of digits; then low, size and stride of each
ENTRIES = ("legal_actions", "apply_action", "action_mask", "observation_tensor", "current_player")
SLOTS = (
    "game", "block", "is_terminal", "_words", "_pointer", "_context", "_data", "previous", "past", "_legal", "_own_cache",
)  # fmt: skip
OBJECTS = PTR.as_pointer()

# names, results and arguments of the functions of the C API
API: dict[str, tuple[ir.Type, list[ir.Type]]] = {
    "PyLong_AsLongLong": (I64, [PTR]),
    "PyLong_FromLongLong": (PTR, [I64]),
    "PyList_New": (PTR, [I64]),
    "PyList_Size": (I64, [PTR]),
    "PyList_GetItem": (PTR, [PTR, I64]),
    "PyList_GetSlice": (PTR, [PTR, I64, I64]),
    "PyList_Sort": (I32, [PTR]),
    "PyTuple_New": (PTR, [I64]),
    "PyTuple_GetItem": (PTR, [PTR, I64]),
    "PyTuple_SetItem": (I32, [PTR, I64, PTR]),
    "PySequence_Contains": (I32, [PTR, PTR]),
    "PyBytes_FromStringAndSize": (PTR, [PTR, I64]),
    "PyType_GenericAlloc": (PTR, [PTR, I64]),
    "PyObject_GetAttr": (PTR, [PTR, PTR]),
    "PyObject_Vectorcall": (PTR, [PTR, OBJECTS, I64, PTR]),
    "PyErr_Clear": (VOID, []),
    "Py_DecRef": (VOID, [PTR]),
    "Py_IncRef": (VOID, [PTR]),
}


class Words(IntEnum):
    """The words of a game: addresses of entry points; the words of a code; the bytes of a state; the number of passing;
    whether positions are noted; addresses of the objects None, False and True, of the types of ints and of states, and
    of the names of the methods in Python; the number of schemas, and the words in the row of one; the indices of the
    rows of the fields of a code (low, word, shift, mask), of the rows of schemas, of the words of blocks (the index of
    a block's names, that is their count and their numbers; 0: it has none), and of further words of blocks (whether the
    game ends there); the address of the type of tuples; the number of plies after which earlier states are released;
    the names of further methods; the number of players; the index of the words of blocks that say who acts (0: a
    player, else the value of ``current_player``); the address of the entry point for players; the address of the words
    about arrays."""

    LEGAL = 0
    AFTER = 1
    CODE_WORDS = 2
    SIZE = 3
    PASSING = 4
    NOTES = 5
    NONE = 6
    FALSE = 7
    TRUE = 8
    INT = 9
    STATE = 10
    LEGAL_NAME = 11
    APPLY_NAME = 12
    KINDS = 13
    KIND_WORDS = 14
    FIELDS_AT = 15
    KINDS_AT = 16
    BLOCKS_AT = 17
    ENDS_AT = 18
    TUPLE = 19
    KEPT = 20
    MASK_NAME = 21
    TENSOR_NAME = 22
    WHO_NAME = 23
    PLAYERS = 24
    WHO_AT = 25
    ACTORS = 26
    ARRAYS = 27


class ArrayWords(IntEnum):
    """The words about the arrays of a game: the offset of the address of an array's entries; for masks, then for
    tensors, the addresses of the function that makes one, of its size and of its type; the address of the entry point
    ``observation``. 0: not known yet."""

    MEMORY = 0
    MAKE_MASK = 1
    MASK_SIZE = 2
    MASK_TYPE = 3
    MAKE_TENSOR = 4
    TENSOR_SIZE = 5
    TENSOR_TYPE = 6
    OBSERVE = 7
