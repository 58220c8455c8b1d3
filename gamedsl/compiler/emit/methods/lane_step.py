"""``step`` of many games at once, in the form that CPython calls (``METH_O``).

Converting arguments in Python takes as long as the steps of a hundred short games.
"""

from __future__ import annotations

from enum import IntEnum

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import I32, I64, PTR, VOID, const
from gamedsl.compiler.emit.methods.method_words import BYTES, OBJECTS, TYPE

STEP = "step"
CONTIGUOUS = 1 | 0x100  # flags of an array: its entries are in order, and aligned
# offsets of the fields of an array
DATA, DIMENSIONS, SHAPE, DESCRIPTION, FLAGS = 16, 24, 32, 56, 64

API: dict[str, tuple[ir.Type, list[ir.Type]]] = {
    "PyTuple_GetItem": (PTR, [PTR, I64]),
    "PyLong_FromLongLong": (PTR, [I64]),
    "PyObject_Vectorcall": (PTR, [PTR, OBJECTS, I64, PTR]),
    "PyEval_SaveThread": (PTR, []),
    "PyEval_RestoreThread": (VOID, [PTR]),
    "Py_DecRef": (VOID, [PTR]),
    "Py_IncRef": (VOID, [PTR]),
}


class Held(IntEnum):
    """The entries of the tuple that the function is bound to: the words, as ``bytes``; the Python function for other
    arguments; the one that continues where compiled code stopped; the result of a step; the types of arrays and of
    actions."""

    WORDS = 0
    SLOWLY = 1
    FINISH = 2
    TOLD = 3
    ARRAY = 4
    NUMBER = 5


class StepWords(IntEnum):
    """The words: addresses of the entry point ``lanes``, of its run and of the actions; the number of lanes; its
    ``check``."""

    LANES = 0
    RUN = 1
    ACTIONS = 2
    COUNT = 3
    CHECK = 4


def lane_step() -> ir.Module:
    """The module with ``step(held, actions)``, which releases the GIL."""
    module = ir.Module(name="lane step")
    api = {n: ir.Function(module, ir.FunctionType(result, args), n) for n, (result, args) in API.items()}
    made = ir.Function(module, ir.FunctionType(PTR, [PTR, PTR]), STEP)
    b = ir.IRBuilder(made.append_basic_block("entry"))
    held, given = made.args

    def entry(at: Held) -> ir.Value:
        return b.call(api["PyTuple_GetItem"], [held, const(at)])

    def call(function: Held, argument: ir.Value) -> ir.Value:
        arguments = b.alloca(PTR)
        b.store(argument, arguments)
        return b.call(api["PyObject_Vectorcall"], [entry(function), arguments, const(1), ir.Constant(PTR, None)])

    def field(at: int, kind: ir.Type) -> ir.Value:
        return b.load(b.bitcast(b.gep(given, [const(at)]), kind.as_pointer()))

    def unless(wanted: ir.Value) -> None:
        with b.if_then(b.not_(wanted), likely=False):
            b.ret(call(Held.SLOWLY, given))

    words = b.bitcast(b.gep(entry(Held.WORDS), [const(BYTES)]), I64.as_pointer())
    entries, run, actions, count, check = (b.load(b.gep(words, [const(w)])) for w in StepWords)
    unless(b.icmp_unsigned("==", field(TYPE, PTR), entry(Held.ARRAY)))
    flags = b.and_(field(FLAGS, I32), ir.Constant(I32, CONTIGUOUS))
    ordered = b.icmp_unsigned("==", flags, ir.Constant(I32, CONTIGUOUS))
    numbers = b.icmp_unsigned("==", field(DESCRIPTION, PTR), entry(Held.NUMBER))
    unless(b.and_(b.and_(ordered, numbers), b.icmp_unsigned("==", field(DIMENSIONS, I32), ir.Constant(I32, 1))))
    unless(b.icmp_signed("==", b.load(field(SHAPE, I64.as_pointer())), count))
    _copy(b, field(DATA, I64.as_pointer()), b.inttoptr(actions, I64.as_pointer()), count)
    thread = b.call(api["PyEval_SaveThread"], [])
    lanes = b.inttoptr(entries, ir.FunctionType(I64, [I64] * 4).as_pointer())
    found = b.call(lanes, [run, const(0), count, check])
    b.call(api["PyEval_RestoreThread"], [thread])
    with b.if_then(b.icmp_signed("!=", found, const(-1)), likely=False):
        number = b.call(api["PyLong_FromLongLong"], [found])
        result = call(Held.FINISH, number)
        b.call(api["Py_DecRef"], [number])
        b.ret(result)
    told = entry(Held.TOLD)
    b.call(api["Py_IncRef"], [told])
    b.ret(told)
    return module


def _copy(b: ir.IRBuilder, source: ir.Value, target: ir.Value, count: ir.Value) -> None:
    """Copies ``count`` words; the arrays may be the same."""
    before, head, inside, done = b.block, *(b.append_basic_block(x) for x in ("head", "inside", "done"))
    b.branch(head)
    b.position_at_end(head)
    i = b.phi(I64)
    i.add_incoming(const(0), before)
    b.cbranch(b.icmp_signed("<", i, count), inside, done)
    b.position_at_end(inside)
    b.store(b.load(b.gep(source, [i])), b.gep(target, [i]))
    i.add_incoming(b.add(i, const(1)), b.block)
    b.branch(head)
    b.position_at_end(done)
