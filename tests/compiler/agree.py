"""Plays the engine and the compiled program side by side and reports the first difference."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd
from random import Random
from typing import Any

from gamedsl.engine.facts.move_making import choice_move, pass_move
from gamedsl.engine.moves import Move
from gamedsl.engine.play.actions import mover_of, open_movers, to_act
from gamedsl.engine.play.drawing_moves import drawing_move
from gamedsl.engine.state import Game, State
from gamedsl.engine.stop import codes_of
from gamedsl.engine.values import History, bits
from gamedsl.language.core.nodes import Choose, Decide, DecideTogether, DrawingT, HistoryT
from gamedsl.language.source.diagnostic import GameDSLError

KINDS = {"end": 0, "player": 1, "choose": 2, "chance": 3, "together": 4, "drawing": 5}
PASS, VALUE, OUTCOME, DRAWING = -1, -2, -3, -4
ANY_DRAWING = drawing_move((), None)
MOST_LISTED = 400
Record = tuple[int, ...]  # as the entry point "move" writes it: what, who (or which), arguments
Way = tuple[Record, Move, int]  # with the engine's move and its weight


@dataclass
class Difference(Exception):
    """Where the two part."""

    what: str
    reference: object
    native: object
    game: Game
    moves: list[str] = field(default_factory=list)
    seed: int = 0

    def __str__(self) -> str:
        lines = [
            f"the engines differ in {self.what}",
            f"  reference: {self.reference}",
            f"  native:    {self.native}",
            f"ruleset: {self.game.program.name} {dict(self.game.options)}, seed {self.seed}",
            f"moves so far ({len(self.moves)}): {'; '.join(self.moves) or 'none'}",
        ]
        return "\n".join(lines)


# -------------------------------------------------------------------------------------------------- the reference


def kind_of(state: State) -> int:
    return KINDS["choose"] if isinstance(state.terminator, Choose) else KINDS[state.kind]


def seat_of(state: State) -> int:
    seats = to_act(state)
    return seats[0] if seats else -1


def ways(state: State) -> list[Way]:
    """Every way on, in the canonical order, as the records that the native side must write."""
    end = state.terminator
    match end:
        case Choose():
            seat = to_act(state)[0]
            source = state.game.code.blocks[state.block].queries["source"](state.slots)
            return [((VALUE, i), choice_move(state.game, end.names[i], seat), 1) for i in bits(source)]
        case Decide():
            mover = mover_of(state, None)
            assert mover is not None
            found = [_way(m, mover) for m in state.legal_moves() if m.kind == "move"]
            return found if end.may_pass is None else [*found, ((PASS, mover), pass_move(to_act(state)[0]), 1)]
        case DecideTogether():
            mover = open_movers(state)[0]
            return [_way(m, mover) for m in state.legal_moves()]
    outcomes = state.chance_outcomes()
    if not outcomes:
        return []
    from gamedsl.engine.play.advance import weights

    found_weights = weights(state.game, list(state.slots), state.block)
    return [((OUTCOME, i), move, w) for (i, w), (move, _) in zip(found_weights.items(), outcomes, strict=True)]


def _way(move: Move, mover: int) -> Way:
    assert move.schema is not None
    return (move.schema, mover, *move.args), move, 1


# ----------------------------------------------------------------------------------------------------- the native


class Walker:
    """One compiled program with scratch memory and the block of one state, by the entry points only."""

    def __init__(self, native: Any) -> None:
        self.native = native
        self.context = native.context()
        self.block = ctypes.create_string_buffer(native.state_size)
        self.at = ctypes.addressof(self.block)
        self.record = (ctypes.c_int64 * native.move_size)()
        self.utilities = (ctypes.c_double * native.num_players)()

    def call(self, name: str, *args: int) -> int:
        return int(self.native.entry(name)(self.context.pointer, *args))

    def begin(self) -> int:
        return self.call("initial", self.at)

    def kind(self) -> int:
        return self.call("kind", self.at)

    def seat(self) -> int:
        return self.call("seat", self.at)

    def count(self) -> int:
        return self.call("count", self.at)

    def weight(self, k: int) -> int:
        return self.call("weight", self.at, k)

    def step(self, k: int) -> int:
        return self.call("step", self.at, k)

    def move(self, k: int) -> Record:
        args = self.call("move", self.at, k, ctypes.addressof(self.record))
        return tuple(self.record[i] for i in range(2 + args))

    def returns(self) -> tuple[int, list[float]]:
        status = self.call("returns", self.at, ctypes.addressof(self.utilities))
        return status, list(self.utilities)

    def error(self) -> str:
        try:
            return str(self.native.error(self.context))
        except Exception as problem:
            return f"{type(problem).__name__}: {problem}"

    def wrong(self) -> bool:
        """Whether a rules error happened since this was asked last."""
        return self.call("error", 0) != 0

    def bytes(self) -> bytes:
        return self.block.raw


# --------------------------------------------------------------------------------------------------- side by side


class Agreement:
    def __init__(self, game: Game, native: Any, seed: int) -> None:
        self.game, self.native, self.seed = game, native, seed
        self.walker = Walker(native)
        self.moves: list[str] = []
        self.listed = 0  # ways on that were held against each other
        self.histories = [v for v in game.program.variables if isinstance(v.type, HistoryT)]
        self.draws = any(isinstance(v.type, DrawingT) for v in game.program.variables)

    def differ(self, what: str, reference: object, native: object) -> None:
        raise Difference(what, reference, native, self.game, list(self.moves), self.seed)

    def same(self, what: str, reference: object, native: object) -> None:
        if reference != native:
            self.differ(what, reference, native)

    def play(self, plies: int) -> str:
        """How the play ended: "end", "cap" or "error" (in both engines alike)."""
        rng = Random(self.seed)
        state = self._both(lambda: self.game.initial_state(), self.walker.begin())
        for _ in range(plies):
            if state is None:
                return "error"
            found = self.compare(state)
            if state.is_terminal:
                return "end"
            if found is None:
                return "error"
            self.listed += len(found)
            k = rng.randrange(len(found))
            before, move = state, found[k][1]
            status = self.walker.step(k)
            if move.kind == "drawing":
                move = self.drawn(before)
            self.moves.append(str(move))
            state = self._both(lambda before=before, move=move: before.apply(move), status)
        return "cap"

    def drawn(self, before: State) -> Move:
        """The drawing that the native side has taken from those it has ready."""
        var = before.terminator.var  # type: ignore[union-attr]
        old = codes_of(before, var)[0]
        new = codes_of(self.native.unpack(self.walker.bytes(), self.walker.context), var)[0]
        if new[: len(old)] != old:
            self.differ("the strokes drawn before", old, new)
        return drawing_move(new[len(old) :], to_act(before)[0])

    def _both(self, do: Any, status: int) -> State | None:
        """The reference's next state; None when both sides report a rules error."""
        try:
            state: State = do()
        except GameDSLError as problem:
            if status >= 0:
                self.differ("an error", problem.diagnostics[0].message, f"status {status}")
            return None
        if status < 0:
            self.differ("an error", "none", f"status {status}: {self.walker.error()}")
        return state

    def compare(self, state: State) -> list[Way] | None:
        """The ways on, the same on both sides; None when both report a rules error in counting them."""
        w = self.walker
        self.same("the kind of decision", kind_of(state), w.kind())
        self._state(state)
        status, utilities = w.returns()
        self.same("the status of returns", 0, status)
        self.same("the returns", [float(Fraction(r)) for r in state.returns], utilities)
        self.same("the seat", seat_of(state), w.seat())
        if state.kind == "drawing":
            return [((DRAWING, i), ANY_DRAWING, 1) for i in range(w.count())]
        try:
            expected = ways(state)
        except GameDSLError as problem:
            n = w.count()
            if n >= 0 and not w.wrong():
                self.differ("an error in listing", problem.diagnostics[0].message, f"count {n}")
            return None
        self.same("the number of ways on", len(expected), w.count())
        self.same("an error in listing", False, w.wrong())
        shown = range(len(expected)) if len(expected) <= MOST_LISTED else range(0, len(expected), 7)
        for k in shown:
            self.same(f"way {k} on", expected[k][0], w.move(k))
        self._weights(expected)
        return expected

    def _weights(self, expected: list[Way]) -> None:
        """Weights need only be in the same proportions."""
        ours, theirs = [x for _, _, x in expected], [self.walker.weight(k) for k in range(len(expected))]
        if ours and theirs:
            a, b = gcd(*ours) or 1, gcd(*theirs) or 1
            self.same("the weights", [x // a for x in ours], [x // b for x in theirs])

    def _state(self, state: State) -> None:
        """Values and bytes. Histories grow, so that they are compared now and then only, and at the end."""
        block, context, size = self.walker.bytes(), self.walker.context, self.native.value_size
        if self.histories and not self.draws and len(self.moves) % 16 and not state.is_terminal:
            state, block = self._without_histories(state), block[:size] + bytes(len(block) - size)
        unpacked = self.native.unpack(block, context)
        if unpacked != state:
            self.differ("the state", *contrast(state, unpacked))
        used = context.used
        packed = bytes(self.native.pack(state, context))
        context.used = used
        if packed[:size] != block[:size]:
            places = [i for i in range(size) if packed[i] != block[i]]
            self.differ(f"the block's bytes at {places[:9]}", packed[:size].hex(), block[:size].hex())

    def _without_histories(self, state: State) -> State:
        slots = list(state.slots)
        for v in self.histories:
            slots[self.game.code.offsets[v.index]] = History()
        return self.game.make_state(state.block, tuple(slots), state.pending)


def contrast(a: State, b: State) -> tuple[str, str]:
    """Place, open choices and differing variables of two states of the same game."""
    names = [v for v in a.game.program.variables if codes_of(a, v) != codes_of(b, v)]
    texts = [f"block {s.block}, open {s.pending}, { {v.name: codes_of(s, v) for v in names} }" for s in (a, b)]
    return texts[0], texts[1]


def agree(game: Game, seed: int, plies: int = 200, native: Any = None) -> str:
    """Plays at random with both engines and raises ``Difference`` at the first; tells how the play ended."""
    return Agreement(game, native if native is not None else compiled(game), seed).play(plies)


def compiled(game: Game) -> Any:
    from gamedsl.compiler import compile_program

    return compile_program(game.program)


__all__ = ["Agreement", "Difference", "Walker", "agree", "compiled", "contrast", "ways"]
