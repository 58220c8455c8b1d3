"""The states of the compiled explorer."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import Context, Native
from gamedsl.engine import Game, RulesError, State
from gamedsl.lab.base import MOVE, TOGETHER, Bytes, Clock, Ints
from gamedsl.lab.explore.histories import Chains
from gamedsl.lab.explore.kernels.question_kernel import ask, first_moves
from gamedsl.lab.explore.kernels.records import ENTRIES, Rules
from gamedsl.lab.explore.resizing import START
from gamedsl.language.core import nodes as n

ASKED_AT_ONCE = 1 << 20
FEW_AT_ONCE = 256


def stop_kinds(program: n.Program) -> Bytes:
    """Returns the kind of stop at the end of every block (0 if the block does not end in a stop)."""
    return np.array([b.end.kind for b in program.blocks], dtype=np.int8)


class NativeStore:
    """States by number, stored as packed rows of words."""

    def __init__(self, game: Game, native: Native) -> None:
        self.game, self.native = game, native
        self.context = native.context()
        self.stops = stop_kinds(game.program)
        self.layout = native.rows
        self.rules = self.rules_for(self.context)
        self.words: Ints = np.empty((START, self.layout.words), dtype=np.int64)
        self.size = 0
        self.chains = Chains(native, self.context, self.layout)

    def __len__(self) -> int:
        return self.size

    def rules_for(self, context: Context) -> Rules:
        """Returns the compiled rules for a thread with this context."""
        entries = np.array([self.native.address(name) for name in ENTRIES], dtype=np.int64)
        return Rules(entries, context.pointer, self.stops)

    @property
    def rows(self) -> Ints:
        return self.words[: self.size]

    def frames(self, count: int = 1) -> Ints:
        """Allocates room for states in the form that the entry points take."""
        return np.zeros((count, -(-self.native.state_size // 8)), dtype=np.int64)

    def put(self, i: int, state: State) -> None:
        """Stores this state, which must be the first of all, in the i-th row."""
        frame = self.frames()
        block = bytes(self.native.pack(state, self.context))
        frame[0] = np.frombuffer(block[: frame.nbytes], dtype=np.int64)
        self.native.entry("pack")(self.context.pointer, frame.ctypes.data, self.words[i:].ctypes.data)
        self.chains.canonicalize(self.words[i : i + 1])

    def state(self, i: int) -> State:
        return self.native.unpack(self._frame(i).tobytes(), self.context)

    def _frame(self, i: int) -> Ints:
        frame = self.frames()
        self.native.entry("unpack")(self.context.pointer, frame.ctypes.data, self.words[i:].ctypes.data)
        return frame

    def blocks(self) -> Ints:
        """Returns the block at whose end each state is."""
        return self.rows[:, 0] & self._block_mask

    @property
    def _block_mask(self) -> int:
        return (1 << self.native.frame.layout.block_bits) - 1

    def kinds(self) -> Bytes:
        found = np.empty(self.size, dtype=np.int8)
        for at in range(0, self.size, ASKED_AT_ONCE):
            some = self.rows[at : at + ASKED_AT_ONCE, 0]
            found[at : at + len(some)] = self.stops[some & self._block_mask]
        return found

    def goes_on(self, begin: int, end: int) -> bool:
        """Whether any of these states is not terminal."""
        return bool(self.stops[self.words[begin:end, 0] & self._block_mask].any())

    def seats(self) -> Bytes:
        return self._asked("seat")

    def still_open(self) -> Ints:
        """Returns per state how many players have still to choose simultaneously; 0 at other stops."""
        return self._asked("open").astype(np.int64)

    def ask(self, entry: int, chosen: Ints, out: Ints) -> int:
        """Sets ``out[j]`` to the answer of the entry point at an address in the j-th chosen state.

        Stops at the first state where it fails and returns the index of that state in ``chosen``, else -1.
        """
        found: int = ask(self.rules, entry, self.words, self.frames(), chosen, 0, out)
        return found

    def _asked(self, entry: str) -> Bytes:
        """Returns the answer of an entry point without arguments (a small number) in every state."""
        found = np.empty(self.size, dtype=np.int8)
        for at in range(0, self.size, ASKED_AT_ONCE):
            some = np.arange(at, min(self.size, at + ASKED_AT_ONCE), dtype=np.int64)
            out = np.zeros(len(some), dtype=np.int64)
            failed = self.ask(self.native.address(entry), some, out)
            if failed >= 0:  # only possible in an unreachable state that a file contains
                raise RulesError(f"who acts in state {at + failed} cannot be worked out")
            found[at : at + len(some)] = out
        return found

    def first_moves(self, clock: Clock) -> tuple[Ints, bool]:
        """Returns for each kind of move the first state where one is legal (-1 if there is none, or only a mistake),
        and whether there was time to examine all states.
        """
        kinds = self.kinds()
        chosen = np.flatnonzero((kinds == MOVE) | (kinds == TOGETHER))
        offered = {a.schema for b in self.game.program.blocks for a in getattr(b.end, "alternatives", ())}
        found = np.full(len(self.game.program.schemas), -1, dtype=np.int64)
        possible = [k for k in offered if not self.game.program.schemas[k].mistake]
        record = np.zeros(self.native.move_size + 2, dtype=np.int64)
        frame, move = self.frames(), self.native.address("move")
        for at in range(0, len(chosen), FEW_AT_ONCE):
            if (found[possible] >= 0).all():
                break
            if clock.is_over:
                return found, False
            some = chosen[at : at + FEW_AT_ONCE]
            first_moves(self.rules, move, self.words, frame, some, record, found)
        return found, True

    def returns(self, i: int) -> tuple[int, ...]:
        return self.state(i).returns

    def utilities(self, chosen: Ints) -> npt.NDArray[np.float64]:
        """Returns the players' utilities in these terminal states: float64, shape (states, players)."""
        entry, context = self.native.entry("returns"), self.context.pointer
        out = np.zeros((len(chosen), self.native.num_players), dtype=np.float64)
        to, step = out.ctypes.data, 8 * self.native.num_players
        for k, i in enumerate(chosen.tolist()):
            entry(context, self._frame(i).ctypes.data, to + k * step)
        return out
