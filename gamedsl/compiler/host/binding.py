"""Compiled rules for Python: entry points, contexts, states in and out.

A record of an action has up to ``move_size`` numbers: the kind of move (-1 pass, -2 chosen value, -3 outcome of chance,
-4 drawing), the index of the player in its part (or of the value, outcome or drawing), and the arguments.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable
from functools import cached_property, partial
from random import Random
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary, ref

from gamedsl.compiler.compile.compiler import MODULE_OF, MODULES, PLACES, ProgramForms, Wanted
from gamedsl.compiler.compile.lane_code import LANE_ENTRIES, OBSERVATION_ENTRIES, write_lanes, write_observation
from gamedsl.compiler.compile.machine import SPEED, Code
from gamedsl.compiler.emit.drawing_records import record_size
from gamedsl.compiler.emit.lanes.lane_tables import LaneTables
from gamedsl.compiler.emit.llvm_module import CTX_ERROR, CTX_PLAYOUT
from gamedsl.compiler.emit.successors.packed_states import Rows
from gamedsl.compiler.host import code_cache as store
from gamedsl.compiler.host.context import ARENA, MOST_PLIES, Context
from gamedsl.compiler.host.convert import copy_state, pack, unpack
from gamedsl.compiler.host.deferred import Deferred
from gamedsl.compiler.host.drawing_pool import Pool
from gamedsl.compiler.host.result_tally import Tally, read
from gamedsl.compiler.playouts.generic import GENERIC_PLAYOUT, QUICK
from gamedsl.compiler.playouts.results import tally_size
from gamedsl.engine import InterpretedGame, RulesError
from gamedsl.language.core import all_spans, noted_positions
from gamedsl.language.core import nodes as n
from gamedsl.language.source import NOWHERE, Span, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine import Game, State

DRAWINGS = 16  # drawings prepared for playouts of a ruleset in which players draw


_ARGUMENTS = {
    "initial": 0, "kind": 0, "seat": 0, "count": 0, "error": 0, "block": 0, "open": 0, "weight": 1, "step": 1, "perft": 1, "returns": 1,
    "generic_playout": 3, "quick": 4, "counted": 4, "counted_generic": 4, "recorded": 4, "recorded_generic": 4,
    "move": 2, "draw": 2, "do": 1, "playout": 3, "batch": 4, "expand": 2, "pack": 1, "unpack": 1, "scores": 1, "outcome_bounds": 2,
}  # fmt: skip


@lazy_dataclass(frozen=True)
class _Module:
    code: Code
    places: list[store.KeptPlace]


def _module(forms: ProgramForms, keep: bool, wanted: Wanted) -> _Module:
    code, places = store.compiled(forms, keep, wanted)
    return _Module(Code(code, wanted.entries), places)


class LaneStep:
    """The entry point ``lanes`` (see ``emit/lanes/lane_steps.py``). ``run`` calls it with integers and releases the
    GIL; ``address`` is its address."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self.address = address = code.addresses["lanes"]
        self.run: Callable[[int, int, int, int], int] = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 4)(address)


class Native:
    """The machine code of a program. Its modules are compiled when one of their entry points is first needed. A state
    has ``state_size`` bytes. Two states are equal if their first ``value_size`` bytes, their histories and their
    drawings are equal. ``has_initial``: whether the code makes the initial state."""

    has_initial = True

    def __init__(
        self,
        program: n.Program,
        game: Game | None = None,
        keep: bool = True,
        baseline: bool = False,
        only: tuple[str, ...] = (),
    ) -> None:
        """``keep``: cache the code on disk. ``baseline``: code that is slower, but available sooner. ``only``: the entry
        points that will be needed (empty: any). Raises ``NativeError`` as ``compile_program`` does."""
        self._forms = forms = ProgramForms(program)
        self.program = program
        self._game, self._keep = game, keep
        self.frame = forms.frame
        self.state_size, self.value_size = self.frame.size, self.frame.value_size
        self.num_players = program.players.size
        self.move_size = self.frame.record
        self.has_history = any(type(v.type).__name__ == "HistoryT" for v in program.variables)
        only = (*only, GENERIC_PLAYOUT) if only else ()
        self._modules = {
            name: Deferred(partial(_module, forms, keep, Wanted(name, baseline, only))) for name in MODULES
        }
        self._functions: dict[str, Callable[..., int]] = {}
        self._not_compiled: BaseException | None = None
        self.known_positions: dict[
            int, dict[tuple[int, ...], tuple[int, ...]]
        ] = {}  # by history: the positions read so far, by their words
        self.known_entries: dict[
            int, dict[tuple[int, ...], list[int]]
        ] = {}  # by history: what was written for positions

    @cached_property
    def noted_types(self) -> dict[int, tuple[n.VarT, ...]]:
        """For each history, by the index of its variable, the types of the values in its positions."""
        return noted_positions(self.program)

    # ------------------------------------------------------------------------------------------ entry points

    def address(self, name: str) -> int:
        """The address of an entry point."""
        return self._modules[MODULE_OF[name]].get().code.addresses[name]

    def entry(self, name: str) -> Callable[..., int]:
        """An entry point as a function of integers (pointers as addresses). It releases the GIL."""
        found = self._functions.get(name)
        if found is None:
            types = [ctypes.c_int64] * (2 + _ARGUMENTS[name])
            found = self._functions[name] = ctypes.CFUNCTYPE(ctypes.c_int64, *types)(self.address(name))
        return found

    def lanes(self, tables: LaneTables) -> LaneStep:
        """Code that steps many games at once."""
        name = f"lanes {hashlib.sha256(repr(tables).encode()).hexdigest()}"
        code, _ = store.compiled_text(self._forms, self._keep, name, lambda: write_lanes(self._forms, tables), SPEED)
        return LaneStep(Code(code, LANE_ENTRIES))

    def observation(self, tables: LaneTables) -> Code:
        """Code that writes what a seat sees of one state."""
        name = f"observation {hashlib.sha256(repr(tables).encode()).hexdigest()}"
        text = partial(write_observation, self._forms, tables)
        return Code(store.compiled_text(self._forms, self._keep, name, text, SPEED)[0], OBSERVATION_ENTRIES)

    def start(self, name: str) -> None:
        """Starts to compile an entry point in the background."""
        self._modules[MODULE_OF[name]].start()

    def wait(self, name: str, seconds: float) -> bool:
        """Waits up to ``seconds`` for an entry point. Returns whether it is compiled; starts to compile it if that has
        not begun."""
        return self._modules[MODULE_OF[name]].wait(seconds)

    def context(self, arena: int = ARENA, plies: int = MOST_PLIES) -> Context:
        """Memory for one thread. ``arena``: words for noted positions. ``plies``: the largest number of plies of a
        playout."""
        return Context(self, arena, plies, playout=self._generic_playout)

    @property
    def _generic_playout(self) -> int:
        """The address of generic code for playouts; until it is compiled, of a function that compiles it, puts its address
        into the context and calls it."""
        if self._modules[MODULE_OF[GENERIC_PLAYOUT]].ready:
            return self.address(GENERIC_PLAYOUT)
        return ctypes.cast(self._compiling_playout, ctypes.c_void_p).value or 0

    @cached_property
    def _compiling_playout(self) -> Any:
        native = ref(self)  # which is alive while its code runs

        def playout(context: int, *words: int) -> int:
            alive = native()
            assert alive is not None
            try:
                address = alive.address(GENERIC_PLAYOUT)
            except BaseException as problem:  # nothing can be raised through compiled code: ``error`` raises it
                alive._not_compiled = problem
                ctypes.c_int64.from_address(context + 8 * CTX_ERROR).value = 1
                return -1
            ctypes.c_int64.from_address(context + 8 * CTX_PLAYOUT).value = address
            return alive.entry(GENERIC_PLAYOUT)(context, *words)

        return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 5)(playout)

    @cached_property
    def rows(self) -> Rows:
        """The layout of packed states."""
        return Rows.of(self.frame)

    def error(self, context: Context) -> RulesError:
        """The rules error that has occurred, which is cleared. Raises what kept generic code from being compiled."""
        place = context.take_error()
        if self._not_compiled is not None:
            problem, self._not_compiled = self._not_compiled, None
            raise problem
        if not place:
            return RulesError("the rules cannot be followed here")
        module, number = divmod(place - 1, PLACES)
        span, message = self._modules[list(MODULES)[module]].get().places[number]
        return RulesError(self._told(message, context.number), self._span(span))

    def _told(self, message: str, number: int) -> str:
        """The message with its number, or with the name of the seat that has this number."""
        if "{player}" in message:
            return message.replace("{player}", self.program.players.names[number])
        return message.replace("{number}", str(number))

    def _span(self, number: int) -> Span:
        return self._spans[number] if 0 <= number < len(self._spans) else NOWHERE

    @cached_property
    def _spans(self) -> tuple[Span, ...]:
        return tuple(all_spans(self.program))

    # ---------------------------------------------------------------------------------------------- states

    @cached_property
    def game(self) -> Game:
        """The same rules for the engine."""

        return self._game or InterpretedGame(self.program)

    @cached_property
    def first_state(self) -> State:
        """The initial state of the engine."""
        return self.game.initial_state()

    def new_block(self) -> ctypes.Array[ctypes.c_char]:
        """Memory for one state. ``ctypes.addressof`` gives its address."""
        return ctypes.create_string_buffer(self.state_size + -self.state_size % 8)

    def initial(self, context: Context) -> ctypes.Array[ctypes.c_char]:
        """The initial state. Its noted positions go into the context's arena. Raises ``RulesError``."""
        block = self.new_block()
        if self.entry("initial")(context.pointer, ctypes.addressof(block)) < 0:
            raise self.error(context)
        return block

    def pack(self, state: State, context: Context) -> ctypes.Array[ctypes.c_char]:
        """A state of the engine as a block. Its noted positions go into the context's arena."""
        block = self.new_block()
        block.raw = pack(self, state, context).ljust(len(block), b"\0")
        return block

    def copy_state(self, block: bytes, context: Context, other: Context) -> bytes:
        """A block of ``context`` as a block of another context, whose arena gets a copy of its noted positions."""
        return copy_state(self, block, context, other)

    def unpack(self, block: Any, context: Context, game: Game | None = None) -> State:
        """A block as a state of the engine (of ``game``, if given). ``context``: that of the block."""
        return unpack(self, bytes(block), context, game or self.game)

    # -------------------------------------------------------------------------------------------- many plies

    def perft(self, state: State | None, depth: int) -> int:
        """The number of sequences of exactly ``depth`` plies from a state (None: the initial state). Raises
        ``RulesError``."""
        context = self.context()
        block = self.initial(context) if state is None else self.pack(state, context)
        if self.draws:
            from gamedsl.engine import perft

            return int(perft(state or self.game.initial_state(), depth))  # type: ignore[arg-type]
        found = self.entry("perft")(context.pointer, ctypes.addressof(block), depth)
        if found < 0:
            raise self.error(context)
        return found

    def playouts(
        self,
        number: int,
        seed: int,
        first: int = 0,
        threads: int = 1,
        start: State | None = None,
        plies: int = MOST_PLIES,
        lockstep: bool = True,
    ) -> Tally:
        """Plays ``number`` playouts, numbered from ``first``. For a given seed, the result does not depend on
        ``threads`` or ``lockstep`` (several playouts at once, if the rules allow it). Raises ``RulesError``."""

        form = QUICK if lockstep else "batch"

        def run(begin: int, count: int) -> list[int]:
            return self._series(form, count, seed & (1 << 63) - 1, begin, start, plies)

        if threads <= 1:
            return read([run(first, number)], self.num_players)
        from concurrent.futures import ThreadPoolExecutor  # not at the top: cannot be imported during shutdown

        share = -(-number // threads)
        pieces = [(first + i * share, min(share, number - i * share)) for i in range(threads) if number > i * share]
        with ThreadPoolExecutor(threads) as pool:
            return read(list(pool.map(lambda piece: run(*piece), pieces)), self.num_players)

    def _series(self, form: str, count: int, seed: int, first: int, start: State | None, plies: int) -> list[int]:
        """The words of the tally of a series of playouts."""
        context = self.context(plies=plies)
        block = self.initial(context) if start is None else self.pack(start, context)
        out = (ctypes.c_int64 * tally_size(self.num_players))()
        args = (context.pointer, ctypes.addressof(block), count, seed, first, ctypes.addressof(out))
        status = self.entry(form)(*args)
        if status < 0 and form == QUICK:
            # It cannot start from this state; or the rules fail, and the first error need not be in the first playout.
            context.take_error()
            return self._series("batch", count, seed, first, start, plies)
        if status < 0:
            raise self.error(context)
        return out[:]

    # ---------------------------------------------------------------------------------------------- drawings

    @cached_property
    def pool(self) -> Any:
        """The drawings prepared for compiled playouts (only the empty paper if the game does not begin with a
        drawing)."""
        return Pool(self.program, self.game, Random(0), DRAWINGS)

    @property
    def lockstep(self) -> str | None:
        """The reason why playouts cannot run in lockstep, or None if they can."""
        return self._forms.why_not_lockstep

    @property
    def drawings(self) -> Any:
        """The records of the drawings, as words."""
        return self.pool.records() if self.draws else self._no_drawings

    @cached_property
    def draws(self) -> bool:
        """Whether players draw."""
        return any(isinstance(v.type, n.DrawingT) for v in self.program.variables)

    @cached_property
    def _no_drawings(self) -> Any:
        return (ctypes.c_int64 * record_size(self.program))()


# by the identity of a program in use, and whether it is baseline code
_ready: WeakValueDictionary[tuple[int, bool], Native] = WeakValueDictionary()


def compile_program(program: n.Program, game: Game | None = None, baseline: bool = False) -> Native:
    """The machine code of a program, from the cache on disk or compiled when it is needed. ``baseline``: compiled in a
    tenth of the time, to slower code without the strategies for specialized programs.

    Raises ``NativeError`` for rules whose numbers do not fit into 64 bits.
    """
    found = _ready.get((id(program), baseline))
    if found is None or found.program is not program:
        found = _ready[id(program), baseline] = Native(program, game, baseline=baseline)
    return found
