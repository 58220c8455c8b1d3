"""Functions of a state in machine code: the parts that all methods need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import I32, I64, PTR, const
from gamedsl.compiler.emit.methods.method_words import BYTES, KIND_ROW, OBJECTS, Words


class StateCode:
    """Emits a function of a state. ``game`` is the address of the words of its game, ``b`` the builder."""

    def __init__(self, module: ir.Module, api: SimpleNamespace, offsets: Mapping[str, int]) -> None:
        self.module, self.api, self.offsets = module, api, offsets

    def begin(self, name: str, arguments: list[ir.Type]) -> ir.Function:
        """Begins a function whose first argument is the state."""
        made = ir.Function(self.module, ir.FunctionType(PTR, [PTR, *arguments]), name)
        self.b = ir.IRBuilder(made.append_basic_block("entry"))
        self.state = made.args[0]
        words = self.b.gep(self.slot("_words"), [const(BYTES)])
        self.game = self.b.bitcast(words, I64.as_pointer())
        self.data = self.b.gep(self.slot("_data"), [const(BYTES)])
        return made

    def address(self, state: ir.Value, name: str) -> ir.Value:
        """The address of a slot."""
        return self.b.bitcast(self.b.gep(state, [const(self.offsets[name])]), OBJECTS)

    def slot(self, name: str) -> ir.Value:
        """The object in a slot of the state."""
        return self.b.load(self.address(self.state, name))

    def context(self) -> ir.Value:
        return self.b.inttoptr(self.b.call(self.api.PyLong_AsLongLong, [self.slot("_pointer")]), PTR)

    def word(self, at: ir.Value | int) -> ir.Value:
        """A word of the game. Words never change."""
        found = self.b.load(self.b.gep(self.game, [at if isinstance(at, ir.Value) else const(int(at))]))
        found.set_metadata("invariant.load", self.module.add_metadata([]))
        return found

    def word_at(self, at: ir.Value, more: int) -> ir.Value:
        return self.word(self.b.add(at, const(more)))

    def object(self, at: Words) -> ir.Value:
        """An object of the game."""
        return self.b.inttoptr(self.word(at), PTR)

    def shared(self, thing: ir.Value) -> ir.Value:
        """The object with one more reference."""
        self.b.call(self.api.Py_IncRef, [thing])
        return thing

    def is_none(self, thing: ir.Value) -> ir.Value:
        return self.b.icmp_unsigned("==", thing, self.object(Words.NONE))

    def none_if(self, wrong: ir.Value) -> None:
        """Returns NULL, leaving the exception set, if an object could not be made."""
        with self.b.if_then(wrong, likely=False):
            self.b.ret(ir.Constant(PTR, None))

    def loop(self, n: ir.Value, body: Callable[[ir.Value], None]) -> None:
        """Emits ``body`` for 0 .. n - 1."""
        before, head, inside, done = self.b.block, *(self.b.append_basic_block(x) for x in ("head", "inside", "done"))
        self.b.branch(head)
        self.b.position_at_end(head)
        i = self.b.phi(I64)
        i.add_incoming(const(0), before)
        self.b.cbranch(self.b.icmp_signed("<", i, n), inside, done)
        self.b.position_at_end(inside)
        body(i)
        i.add_incoming(self.b.add(i, const(1)), self.b.block)
        self.b.branch(head)
        self.b.position_at_end(done)

    def variable(self, value: ir.Value) -> ir.Value:
        found = self.b.alloca(I64)
        self.b.store(value, found)
        return found

    def number_of_block(self, data: ir.Value) -> ir.Value:
        return self.b.zext(self.b.load(self.b.bitcast(data, I32.as_pointer())), I64)

    def names(self) -> ir.Value:
        """The index of the names of the block's values among the words; 0 if it has none."""
        return self.word(self.b.add(self.word(Words.BLOCKS_AT), self.number_of_block(self.data)))

    def kind(self, index: ir.Value) -> ir.Value:
        """The index of a schema's row among the words."""
        return self.b.add(self.word(Words.KINDS_AT), self.b.mul(index, self.word(Words.KIND_WORDS)))

    def digits(self, row: ir.Value, body: Callable[[ir.Value, ir.Value], None]) -> None:
        """Emits ``body`` for the digits of a kind, with the number of the digit and the index of its low, size and
        stride."""
        first = self.b.add(row, const(KIND_ROW))
        self.loop(self.word_at(row, 2), lambda i: body(i, self.b.add(first, self.b.mul(i, const(3)))))
