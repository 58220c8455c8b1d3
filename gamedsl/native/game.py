"""The engine's ``Game`` and ``State`` with compiled rules behind them.

A ``NativeState`` keeps its block of bytes; the values for people and for reasons (``why_not``) are read from it when they
are asked for, and answered by the reference engine. ``entered`` (the parts that began on the way) is left empty.
"""

from __future__ import annotations

import ctypes
import threading
from fractions import Fraction
from typing import Any

from gamedsl.core.nodes import Chance, Choose, Decide, DecideDrawing, DecideTogether, End, Program
from gamedsl.engine import act
from gamedsl.engine.game import Game
from gamedsl.engine.moves import Move
from gamedsl.engine.state import State
from gamedsl.native.binding import Context, Native, compile_program
from gamedsl.native.stops import CHANCE, CHOOSE, PASS


class NativeGame(Game):
    """A game whose states are compiled."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.native: Native = compile_program(program)
        self._contexts = threading.local()

    def context(self) -> Context:
        """This thread's memory; a new one when its arena is nearly full."""
        found: Context | None = getattr(self._contexts, "now", None)
        if found is None or found.nearly_full:
            found = self._contexts.now = self.native.context()
        return found

    def initial_state(self) -> State:
        context = self.context()
        return NativeState(self, bytes(self.native.initial(context)), context)

    def compiled(self, state: State) -> State:
        """The same state with compiled rules behind it."""
        if isinstance(state, NativeState):
            return state
        context = self.context()
        return NativeState(self, bytes(self.native.pack(state, context)), context)


class NativeState(State):
    """A state as a block of bytes. What ``State`` promises holds here too."""

    __slots__ = ("_bytes", "_context", "_plain")

    game: NativeGame

    def __init__(self, game: NativeGame, block: bytes, context: Context) -> None:
        self.game = game
        self.block = int.from_bytes(block[:4], "little")
        self.entered = frozenset()
        self._cache: dict[str, Any] = {}
        self._bytes = block
        self._context = context
        self._plain: State | None = None

    # ---------------------------------------------------------------------------------------------- values

    @property
    def plain(self) -> State:
        """The same state of the reference engine."""
        if self._plain is None:
            self._plain = self.game.native.unpack(self._bytes, self._context)
        return self._plain

    @property
    def slots(self) -> tuple[Any, ...]:  # type: ignore[override]
        return self.plain.slots

    @property
    def pending(self) -> tuple[Any, ...]:  # type: ignore[override]
        return self.plain.pending if isinstance(self.terminator, DecideTogether) else ()

    def _block(self, context: Context) -> ctypes.Array[ctypes.c_char]:
        """A copy to work on, its noted positions in this context."""
        if context is not self._context:
            return self.game.native.pack(self.plain, context)
        found = self.game.native.new_block()
        found.raw = self._bytes.ljust(len(found), b"\0")
        return found

    # ----------------------------------------------------------------------------------------------- moves

    def _records(self) -> dict[tuple[int, ...], int]:
        """The ways on as records (without who does it), each with its number."""
        if "records" not in self._cache:
            native, block = self.game.native, self._block(self._context)
            at, pointer = ctypes.addressof(block), self._context.pointer
            out = (ctypes.c_int64 * native.move_size)()
            found: dict[tuple[int, ...], int] = {}
            for k in range(native.entry("count")(pointer, at)):
                args = native.entry("move")(pointer, at, k, ctypes.addressof(out))
                head = (out[0], out[1]) if out[0] < PASS else (out[0],)
                found[(*head, *out[2 : 2 + args])] = k
            self._cache["records"] = found
        records: dict[tuple[int, ...], int] = self._cache["records"]
        return records

    def legal_moves(self, player: int | None = None, mistakes: bool = False) -> list[Move]:
        seats = self.to_act
        if mistakes or isinstance(self.terminator, DecideDrawing | End) or player not in (None, *seats[:1]):
            return super().legal_moves(player, mistakes)
        if "moves" not in self._cache:
            self._cache["moves"] = [self._move(r, seats[0] if seats else None) for r in self._records()]
        return list(self._cache["moves"])

    def _move(self, record: tuple[int, ...], seat: int | None) -> Move:
        end = self.terminator
        if record[0] >= 0:
            return act.make_move(self.game, record[0], seat, record[1:])
        if record[0] == CHOOSE and isinstance(end, Choose):
            return act.choice_move(self.game, end.names[record[1]], seat)
        if record[0] == CHANCE and isinstance(end, Chance):
            return act.chance_move(end.what, end.names[record[1]])
        return act.pass_move(seat)

    def count_moves(self, player: int | None = None) -> int:
        if isinstance(self.terminator, DecideDrawing | End) or player not in (None, *self.to_act[:1]):
            return super().count_moves(player)
        return len(self._records())

    def _number(self, move: Move) -> int | None:
        """The number of a legal move among the ways on; None for others, and for those that need more care."""
        seats = self.to_act
        if move.kind != "chance" and (not seats or move.player != seats[0]):
            return None
        match move.kind, self.terminator:
            case "move", Decide() | DecideTogether() if move.schema is not None:
                return self._records().get((move.schema, *move.args))
            case "pass", Decide():
                return self._records().get((PASS,))
            case ("choose", Choose()) | ("chance", Chance()):
                return next((k for k, m in enumerate(self.legal_moves()) if m.text == move.text), None)
            case _:
                return None

    def apply(self, move: Move) -> State:
        number = self._number(move)
        if number is None:
            return self.game.compiled(self.plain.apply(move))
        native, context = self.game.native, self.game.context()
        block = self._block(context)
        if native.entry("step")(context.pointer, ctypes.addressof(block), number) < 0:
            native.error(context)
            return self.game.compiled(self.plain.apply(move))
        return NativeState(self.game, bytes(block)[: native.state_size], context)

    # --------------------------------------------------------------------------------------------- outcome

    @property
    def returns(self) -> tuple[Fraction, ...]:
        return self.plain.returns if self.is_terminal else (Fraction(0),) * self.game.num_players
