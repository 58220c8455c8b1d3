"""Builders: ``Unit`` for the LLVM module (types, tables, functions), ``Fn`` for the function that is being emitted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import Any, TypeAlias, TypeVar

from llvmlite import ir

from gamedsl.compiler.analysis.backward_slices import Slices
from gamedsl.compiler.emit.memory_layout import Frame, words_of
from gamedsl.compiler.transform.pipeline import SpecializedProgram
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Span, lazy_dataclass

I1, I8, I32, I64 = (ir.IntType(number) for number in (1, 8, 32, 64))
F64 = ir.DoubleType()
PTR = I8.as_pointer()
VOID = ir.VoidType()

Value: TypeAlias = ir.Value | tuple[ir.Value, ...]  # bool: i1; number: i64; set: its words, each i64
T = TypeVar("T")

# A lowering emits an expression of one class, or returns None if the expression does not match.
Lowering: TypeAlias = "Callable[[Fn, Any], Value | None]"
Lowerings: TypeAlias = Mapping[type, tuple[Lowering, ...]]  # by class of expression, in the order they are tried

# The fields of a thread's context: error place, arena of noted positions, its capacity and its use in words,
# most plies of a playout, table of drawings, counters of noted positions in use (0: none; see noted_counters.py),
# cached flood paths (see sets/flood_path_cache.py), number in the error message, stamp of the counters in use, number of
# bits a hash is shifted by, counters of games, last stamp of a game, counters of all positions noted here (0: none); and
# if parts are tracked, the parts that were entered, as bits, the number that ended, and the address of their last states;
# the address of ``generic_playout`` (see playouts/generic.py)
CTX_ERROR, CTX_ARENA, CTX_CAPACITY, CTX_USED, CTX_PLIES, CTX_DRAWINGS, CTX_COUNTERS, CTX_WAYS, CTX_NUMBER = range(9)
CTX_STAMP, CTX_SHIFT, CTX_PLAY_COUNTERS, CTX_LAST_STAMP, CTX_MARKS = range(9, 14)
CTX_ENTERED, CTX_ENDED, CTX_LAST_STATES, CTX_PLAYOUT = 14, 15, 16, 17
MOST_ENDED = 8  # at most this many ends of parts in one ply have their last states kept


def const(count: int) -> ir.Constant:
    return ir.Constant(I64, count if count < 1 << 63 else count - (1 << 64))


def flag(value: bool) -> ir.Constant:
    return ir.Constant(I1, int(value))


def is_const(v: object) -> bool:
    return isinstance(v, ir.Constant) and isinstance(v.constant, int)


def set_const(bits: int, words: int) -> tuple[ir.Value, ...]:
    mask = (1 << 64) - 1
    return tuple(const(bits >> 64 * i & mask) for i in range(words))


def words(t: n.VarT) -> int:
    """The number of words of a set type."""
    assert isinstance(t, n.SetT)
    return words_of(t.domain.size)


@lazy_dataclass()
class Numbering:
    """Values already computed (see ``known_values.py``), each with the values of its names. They are available wherever
    ``block`` has run, in the state at ``s``, which does not change meanwhile."""

    block: ir.Block
    s: ir.Value
    values: dict[tuple[str | int, ...], tuple[Value, object]] = field(default_factory=dict)


class Features:
    """State of single features during emission: one object per class, created on demand."""

    def __init__(self) -> None:
        self._made: dict[type, Any] = {}

    def of(self, kind: type[T]) -> T:
        if kind not in self._made:
            self._made[kind] = kind()
        found: T = self._made[kind]
        return found


@lazy_dataclass()
class Fn:
    """The function being emitted.

    ``env``: values of locals, by id. ``stop``: the block that ends the effect. ``slots``: a separate stack slot for
    every variable, instead of the state at ``s``. ``features``: see ``Features``.
    """

    unit: Unit
    builder: ir.IRBuilder
    function: ir.Function
    ctx: ir.Value
    s: ir.Value
    env: dict[int, Value] = field(default_factory=dict)
    stop: ir.Block | None = None
    slots: dict[int, ir.Value] | None = None
    numbering: Numbering | None = None
    features: Features = field(default_factory=Features)

    def alloca(self, t: ir.Type, count: int = 1) -> ir.Value:
        """Allocates a stack slot in the function's entry block."""
        entry = self.function.entry_basic_block
        at = ir.IRBuilder(entry)
        if entry.instructions:
            at.position_before(entry.instructions[0])
        made = at.alloca(ir.ArrayType(t, count)) if count != 1 else at.alloca(t)
        if self.builder.block is entry:
            self.builder.position_at_end(entry)
        return made

    def scratch(self) -> ir.Value:
        """Allocates memory for one state."""
        ptr = self.alloca(I64, self.unit.frame.size // 8) if self.unit.frame.size > 8 else self.alloca(I64)
        return self.builder.bitcast(ptr, PTR)

    def block(self, name: str) -> ir.Block:
        return self.function.append_basic_block(name)

    def goto(self, block: ir.Block) -> None:
        """Branches to the block, unless the current one is already terminated."""
        if not self.builder.block.is_terminated:
            self.builder.branch(block)

    def at(self, block: ir.Block) -> None:
        self.builder.position_at_end(block)


class Unit:
    """The module being emitted. Functions are created once, on demand. ``places`` are the spans and messages of errors,
    numbered from ``first_place + 1``; ``source`` is the program before the passes. ``tracks_parts``: advancing from
    stop to stop notes in the context the parts that are entered anew. ``generic_apart``: playouts of a specialized program from
    unknown states are compiled in a module of their own. ``picks``: advancing leaves open whether there is a move, since
    a move is picked next, which shows it."""

    def __init__(self, program: n.Program, frame: Frame, lowerings: Lowerings) -> None:
        self.program = self.source = program
        self.frame = frame
        self.lowerings = lowerings
        self.features = Features()
        self.module = ir.Module(name="game")
        self.places: list[tuple[Span, str]] = []
        self.first_place = 0
        self.made: dict[object, ir.Function] = {}
        self.plans: dict[object, tuple[n.Bind | n.Test, ...]] = {}
        self.has_deposit = self.has_lanes = self.has_lane_shifts = False
        self.tracks_parts = self.generic_apart = self.picks = False
        self.special: SpecializedProgram | None = None
        self.in_lockstep = False
        self.nested: dict[int, int] = {}  # by function: the depth of nested loops
        self.chains: dict[int, Any] = {}  # by functions of a program: see counted_recursion.py
        self._todo: list[Callable[[], None]] = []
        self._kept: list[object] = []
        self._tables: dict[object, ir.GlobalVariable] = {}
        self._slices: dict[int, Slices] = {}
        self._count = 0

    # ------------------------------------------------------------------------------------------------- types

    def type_of(self, t: n.VarT) -> list[ir.Type]:
        """The LLVM types of a value: one, or one per word of a set."""
        match t:
            case n.BoolT():
                return [I1]
            case n.SetT():
                return [I64] * words(t)
            case _:
                return [I64]

    def result_type(self, t: n.VarT) -> ir.Type:
        types = self.type_of(t)
        return types[0] if len(types) == 1 else ir.LiteralStructType(types)

    # ------------------------------------------------------------------------------------------------ tables

    def keep(self, thing: object) -> int:
        self._kept.append(thing)
        return id(thing)

    def table(self, table: n.TableData) -> tuple[ir.GlobalVariable, int, int]:
        """A table as a constant: the global, the bits of an element, the elements per value. Numbers use the smallest
        element that fits."""
        t = table.type
        if isinstance(t, n.SetT):
            return self._once(table, 64, lambda: _split(table.values, words(t))), 64, words(t)
        low, high = min(table.values, default=0), max(table.values, default=0)
        bits = next(b for b in (8, 16, 32, 64) if -(1 << b - 1) <= low and high < 1 << b - 1)
        return self._once(table, bits, lambda: table.values), bits, 1

    def _once(self, table: n.TableData, bits: int, values: Callable[[], Sequence[int]]) -> ir.GlobalVariable:
        """Shares one constant among equal tables. Identity is compared first."""
        key = (self.keep(table.values), bits)
        if key not in self._tables:
            self._tables[key] = self.numbers((table.values, bits, type(table.type)), values(), bits)
        return self._tables[key]

    def numbers(self, key: object, values: Sequence[int], bits: int) -> ir.GlobalVariable:
        """A constant array. Equal keys share one."""
        known = self._tables.get(key)
        if known is None:
            t = ir.ArrayType(ir.IntType(bits), max(1, len(values)))
            known = ir.GlobalVariable(self.module, t, self.fresh("table"))
            known.linkage = "internal"
            known.global_constant = True
            known.align = 64
            top = 1 << bits
            signed = [v - top if v >= top >> 1 else v for v in values] or [0]
            known.initializer = ir.FormattedConstant(t, f"[{', '.join([f'i{bits} {v}' for v in signed])}]")
            self._tables[key] = known
        return known

    def at(self, b: ir.IRBuilder, table: ir.GlobalVariable, index: ir.Value) -> ir.Value:
        return b.gep(table, [const(0), index], inbounds=True)

    @property
    def slices(self) -> Slices:
        """The slices of the current program."""
        found = self._slices.get(id(self.program))
        if found is None:
            found = self._slices[id(self.program)] = Slices(self.program)
        return found

    @contextmanager
    def instead(self, program: n.Program) -> Iterator[None]:
        """Emits code for another program, with the same variables, inside the ``with`` block."""
        whole, self.program = self.program, program
        try:
            yield
        finally:
            self.program = whole

    # --------------------------------------------------------------------------------------------- functions

    def fresh(self, stem: str) -> str:
        self._count += 1
        return f"{stem}.{self._count}"

    def place(self, span: Span, message: str) -> ir.Constant:
        self.places.append((span, message))
        return const(self.first_place + len(self.places))

    def declare(self, name: str, result: ir.Type, params: Sequence[ir.Type], public: bool = False) -> ir.Function:
        f = ir.Function(self.module, ir.FunctionType(result, list(params)), name if public else self.fresh(name))
        if not public:
            f.linkage = "internal"
        return f

    def external(self, name: str, result: ir.Type, params: Sequence[ir.Type]) -> ir.Function:
        """Declares an external function (such as an LLVM intrinsic), once."""
        known = self.module.globals.get(name)
        return known if known is not None else ir.Function(self.module, ir.FunctionType(result, list(params)), name)

    def function(
        self,
        key: object,
        name: str,
        result: ir.Type,
        params: Sequence[ir.Type],
        body: Callable[[Fn, Sequence[ir.Value]], None],
        public: bool = False,
    ) -> ir.Function:
        """``name(ctx, s, params)``, emitted later by ``body``. Equal keys share one function."""
        known = self.made.get(key)
        if known is not None:
            return known
        made = self.declare(name, result, [PTR, PTR, *params], public)
        self.made[key] = made
        ctx, s, *rest = made.args
        ctx.add_attribute("noalias")
        if not public:
            s.add_attribute("noalias")

        def write() -> None:
            b = ir.IRBuilder(made.append_basic_block("entry"))
            body(Fn(self, b, made, ctx, s), rest)
            _close(made)

        self._todo.append(write)
        return made

    def write_all(self) -> None:
        """Emits every requested function, and those that they request."""
        while self._todo:
            self._todo.pop()()

    def forget(self) -> None:
        """Drops the module. Blocks and instructions form reference cycles, for which the garbage collector would take
        longer than this."""
        for function in self.module.functions:
            for block in function.blocks:
                block.instructions.clear()
                block.terminator = None
            function.blocks.clear()


def _split(values: Sequence[int], count: int) -> list[int]:
    mask = (1 << 64) - 1
    return [v >> 64 * i & mask for v in values for i in range(count)]


def _close(function: ir.Function) -> None:
    """Terminates unreachable blocks."""
    for block in function.blocks:
        if not block.is_terminated:
            assert not block.instructions or all(isinstance(i, ir.PhiInstr) for i in block.instructions), block.name
            ir.IRBuilder(block).unreachable()


def in_all_lanes(b: ir.IRBuilder, x: ir.Value, lanes: int) -> ir.Value:
    """Broadcasts a number to all lanes of a vector."""
    vector = ir.Constant(ir.VectorType(x.type, lanes), ir.Undefined)
    one = b.insert_element(vector, x, ir.Constant(I32, 0))
    return b.shuffle_vector(one, vector, ir.Constant(ir.VectorType(I32, lanes), [0] * lanes))


def bind(f: Fn, local: n.Local, value: Value) -> None:
    f.env[local.id] = value


def spread(value: Value) -> list[ir.Value]:
    """A value as arguments of a call."""
    return list(value) if isinstance(value, tuple) else [value]


def gather(unit: Unit, local_types: Sequence[n.VarT], values: Sequence[ir.Value]) -> list[Value]:
    """The inverse of ``spread``, for several values."""
    out: list[Value] = []
    i = 0
    for t in local_types:
        size = len(unit.type_of(t))
        out.append(tuple(values[i : i + size]) if isinstance(t, n.SetT) else values[i])
        i += size
    return out
