"""The engine's ``Game`` on compiled rules."""

from __future__ import annotations

import ctypes
import struct
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gamedsl.compiler.emit.entries.move_codes import MoveCodes
from gamedsl.compiler.emit.methods.words import ArrayWords
from gamedsl.compiler.host.action_tables import ActionTable, action_tables
from gamedsl.compiler.host.binding import Native, compile_program
from gamedsl.compiler.host.convert import api_context
from gamedsl.compiler.host.game_tables import why_not_observed
from gamedsl.compiler.host.move_tables import Code, MoveTable, move_tables
from gamedsl.compiler.host.state import NativeState
from gamedsl.compiler.host.state_methods import fits, quick_type, words_of
from gamedsl.engine import Game, Origin, State, play_error
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.compiler.host.observing import Observing

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


class NativeGame(Game):
    """A game with compiled states."""

    def __init__(self, program: n.Program, origin: Origin | None = None) -> None:
        super().__init__(program, origin)
        self.native: Native = compile_program(program)
        codes = MoveCodes(program)
        self.code_words = codes.words
        self.calls = _Calls(self.native, codes.words)
        self.words, self.state_type = b"", NativeState
        self.array_words, self.array_makers = (ctypes.c_int64 * len(ArrayWords))(), list[object]()
        quick = quick_type(NativeState) if fits(codes, self.num_actions) else None
        if quick is not None:
            self.state_type = quick
            self.words = words_of(self, codes, quick)
        self.tables: list[MoveTable] = move_tables(program, self.notation, codes)
        self.state_size, self.has_history = self.native.state_size, self.native.has_history
        self.capacity = FIRST_CAPACITY
        self._readers: dict[int, struct.Struct] = {}
        self._first: State | None = None

    def initial_state(self) -> State:
        if self._first is None:
            self._first = self._begun()
        return self._first

    def _begun(self) -> State:
        context, out = api_context(self.native), bytes(self.state_size)
        if self.calls.initial(context.handle, out) < 0:
            return self.compiled(super().initial_state())
        return self.state_type(self, out, context, int.from_bytes(out[:4], "little"))

    def compiled(self, state: State) -> State:
        """The same state, compiled. Raises a play error for a state of other rules."""
        if state.game is not self and state.game.digest != self.digest:
            raise play_error("E0521", f"the state belongs to other rules: {state.game.program.name}")
        if isinstance(state, NativeState) and state.game is self:
            return state
        context = api_context(self.native, state)
        packed = self.state_type(self, bytes(self.native.pack(state, context)), context, state.block)
        return self.referee.copy_beginning(state, packed)

    def deserialize(self, text: str) -> State:
        return self.compiled(super().deserialize(text))

    def position(self, text: str, path: str = "<position>") -> State:
        return self.compiled(super().position(text, path))

    @cached_property
    def action_tables(self) -> list[ActionTable]:
        """For every block, the numbers of the actions that codes stand for."""
        return action_tables(self.action_space, self.tables)

    @cached_property
    def observing(self) -> Observing | None:
        """Compiled observations; None where they do not fit."""
        # start-up: numpy takes long to import
        from gamedsl.compiler.host.observing import Observing

        return Observing(self) if why_not_observed(self) is None else None

    def open_masks(self) -> None:
        """From now on machine code makes masks."""
        # start-up: numpy takes long to import
        from gamedsl.compiler.host.observing import open_masks

        open_masks(self)

    def codes(self, raw: bytes, count: int) -> tuple[Code, ...]:
        """The first n codes in a buffer."""
        words = self.code_words
        reader = self._readers.get(count)
        if reader is None:
            reader = self._readers[count] = struct.Struct(f"{count * words}q")
        found: tuple[int, ...] = reader.unpack_from(raw)
        return found if words == 1 else tuple(found[i : i + words] for i in range(0, len(found), words))
