"""Compiled rules with the tables that their states read."""

from __future__ import annotations

import ctypes
import struct
from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from gamedsl.compiler.emit.entries.move_codes import MoveCodes
from gamedsl.compiler.emit.methods.method_words import ArrayWords
from gamedsl.compiler.host.action_tables import ActionTable, action_tables
from gamedsl.compiler.host.binding import Native, compile_program
from gamedsl.compiler.host.context import Context
from gamedsl.compiler.host.move_tables import Code, MoveTable, move_tables
from gamedsl.engine import InterpretedGame, Origin, State
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STATE_ENTRIES = ("initial", "legal", "after", "actors", "payoffs", "weight")  # the entry points that states call
FIRST_CAPACITY = 64  # initial capacity for move codes; grows when a state has more moves


class _Calls:
    """The entry points of ``python_api``. Blocks and codes are ``bytes``. A call writes only to new objects that
    nothing else refers to."""

    def __init__(self, native: Native, words: int) -> None:
        def entry(name: str, *arguments: Any) -> Any:
            made = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_char_p, *arguments)
            return made(native.address(name))

        buffer, number = ctypes.c_char_p, ctypes.c_int64
        self.initial = entry("initial")
        self.legal = entry("legal", number, buffer, number)
        self.after = entry("after", buffer, *[number] * words)
        self.actors = entry("actors", buffer)
        self.payoffs = entry("payoffs", buffer)
        self.weight = entry("weight", number)


class WritesTensors(Protocol):
    """Code that writes observations."""

    def tensor(self, context: Context, block: bytes, seat: int | None) -> NDArray[np.float32] | None:
        """What a seat sees of a state; None if the interpreter has to answer."""


class CompiledGame(InterpretedGame):
    """A game whose states are blocks of bytes. ``words``: the data of the game for machine code. ``state_type`` makes a
    state from a block."""

    state_type: Callable[[Any, bytes, Context, int], State]

    def __init__(self, program: n.Program, origin: Origin | None = None, native: Native | None = None) -> None:
        """``native``: code with the entry points that states call (None: the optimized one, which is kept)."""
        super().__init__(program, origin)
        self.native: Native = native or compile_program(program)
        self.mistaken = {
            block.index for block in program.blocks
            for alternative in getattr(block.end, "alternatives", ()) if program.schemas[alternative.schema].mistake
        }  # fmt: skip
        self.move_codes = codes = MoveCodes(program)
        self.code_words = codes.words
        self.calls = _Calls(self.native, codes.words)
        self.words = b""
        self.array_words, self.array_makers = (ctypes.c_int64 * len(ArrayWords))(), list[object]()
        self.tables: list[MoveTable] = move_tables(program, self.notation, codes)
        self.state_size, self.has_history = self.native.state_size, self.native.has_history
        self.capacity = FIRST_CAPACITY
        self._readers: dict[int, struct.Struct] = {}

    @abstractmethod
    def compiled(self, state: State) -> State:
        """The same state, compiled. Raises ``GameDSLError`` (E0521) for a state of other rules."""

    @property
    @abstractmethod
    def observing(self) -> WritesTensors | None:
        """The code that writes observations; None if this game cannot be compiled to such code."""

    @abstractmethod
    def open_masks(self) -> None:
        """Lets machine code make masks from now on."""

    @cached_property
    def action_tables(self) -> list[ActionTable]:
        """For every block, the numbers of the actions that codes stand for."""
        return action_tables(self.action_space, self.tables)

    def codes(self, raw: bytes, count: int) -> tuple[Code, ...]:
        """The first ``count`` codes in a buffer."""
        words = self.code_words
        reader = self._readers.get(count)
        if reader is None:
            reader = self._readers[count] = struct.Struct(f"{count * words}q")
        found: tuple[int, ...] = reader.unpack_from(raw)
        return found if words == 1 else tuple(found[i : i + words] for i in range(0, len(found), words))
