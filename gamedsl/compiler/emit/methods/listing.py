"""The list of the legal actions."""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import I64, PTR, const
from gamedsl.compiler.emit.methods.method_words import CAPACITY, ITEMS, OBJECTS, Words
from gamedsl.compiler.emit.methods.state_code import StateCode


class Listing(StateCode):
    """Emits ``listed(state)``: the legal actions as a new list, in ascending order; NULL if compiled code gives no
    answer."""

    def emit(self) -> ir.Function:
        made = self.begin("listed", [])
        made.linkage = "internal"
        b, api = self.b, self.api
        codes = b.alloca(I64, CAPACITY)
        total, last, mixed = (self.variable(const(x)) for x in (0, -1, 0))
        most = b.udiv(const(CAPACITY), self.word(Words.CODE_WORDS))
        t = ir.FunctionType(I64, [PTR, PTR, I64, PTR, I64])
        entry = b.inttoptr(self.word(Words.LEGAL), t.as_pointer())
        n = b.call(entry, [self.context(), self.data, const(-1), b.bitcast(codes, PTR), most])
        self.none_if(b.icmp_unsigned(">", n, most))
        numbers = b.alloca(I64, CAPACITY)

        def one(i: ir.Value) -> None:
            self._number(b.gep(codes, [b.mul(i, self.word(Words.CODE_WORDS))]), total)
            number = b.load(total)
            falls = b.zext(b.icmp_signed("<", number, b.load(last)), I64)
            b.store(b.or_(b.load(mixed), falls), mixed)
            b.store(number, last)
            b.store(number, b.gep(numbers, [i]))

        self.loop(n, one)
        found = b.call(api.PyList_New, [n])
        self.none_if(b.icmp_unsigned("==", found, ir.Constant(PTR, None)))
        items = b.load(b.bitcast(b.gep(found, [const(ITEMS)]), OBJECTS.as_pointer()))
        self.loop(
            n, lambda i: b.store(b.call(api.PyLong_FromLongLong, [b.load(b.gep(numbers, [i]))]), b.gep(items, [i]))
        )
        with b.if_then(b.icmp_signed("!=", b.load(mixed), const(0)), likely=False):
            b.call(api.PyList_Sort, [found])
        b.ret(found)
        return made

    def _field(self, code: ir.Value, index: ir.Value) -> ir.Value:
        """A field of a code."""
        b = self.b
        row = b.add(self.word(Words.FIELDS_AT), b.mul(index, const(4)))
        low, word, shift, mask = (self.word_at(row, i) for i in range(4))
        return b.add(b.and_(b.lshr(b.load(b.gep(code, [word])), shift), mask), low)

    def _number(self, code: ir.Value, out: ir.Value) -> None:
        """Writes the number of a code's action."""
        b = self.b
        kind = self._field(code, const(0))
        with b.if_else(b.icmp_signed(">=", kind, const(0))) as (is_move, other):
            with is_move:
                row = self.kind(kind)
                b.store(self.word(row), out)

                def digit(i: ir.Value, at: ir.Value) -> None:
                    index = b.sub(self._field(code, b.add(i, const(2))), self.word(at))
                    b.store(b.add(b.load(out), b.mul(index, self.word_at(at, 2))), out)

                self.digits(row, digit)
            with other:
                names = self.names()
                with b.if_else(b.icmp_signed("!=", names, const(0))) as (is_named, passing):
                    with is_named:
                        b.store(self.word(b.add(b.add(names, const(1)), self._field(code, const(2)))), out)
                    with passing:
                        b.store(self.word(Words.PASSING), out)
