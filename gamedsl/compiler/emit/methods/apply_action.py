"""The method ``apply_action`` of states."""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import CTX_CAPACITY, CTX_USED, I32, I64, PTR, const
from gamedsl.compiler.emit.methods.method import Method
from gamedsl.compiler.emit.methods.method_words import BYTES, Words


class ApplyAction(Method):
    """Emits the method ``apply_action``."""

    def emit(self, listed: ir.Function) -> None:
        """Emits ``apply_action``."""
        self.method("apply_action", 1, Words.APPLY_NAME)
        b, api = self.b, self.api
        action = b.load(self.arguments[0])
        self.slowly_unless(self.is_a(action, Words.INT))
        earlier, count = self._earlier()
        known = self.known(listed)
        is_legal = b.call(api.PySequence_Contains, [known, action])
        self.slowly_unless(b.icmp_signed("==", is_legal, ir.Constant(I32, 1)))
        context = self.context()
        with b.if_then(b.icmp_signed("!=", self.word(Words.NOTES), const(0))):
            fields = b.bitcast(context, I64.as_pointer())
            used, capacity = (b.load(b.gep(fields, [const(i)])) for i in (CTX_USED, CTX_CAPACITY))
            roomy = b.icmp_signed("<=", b.mul(used, const(4)), b.mul(capacity, const(3)))
            self.slowly_unless(roomy)
        out = b.call(api.PyBytes_FromStringAndSize, [ir.Constant(PTR, None), self.word(Words.SIZE)])
        self.none_if(b.icmp_unsigned("==", out, ir.Constant(PTR, None)))
        block = self._carry_out(b.call(api.PyLong_AsLongLong, [action]), context, out)
        wrong = b.icmp_signed("<", block, const(0))
        with b.if_then(wrong, likely=False):
            b.call(api.Py_DecRef, [out])
        self.slowly_unless(b.not_(wrong))
        past = b.call(api.PyTuple_New, [const(3)])
        self.none_if(b.icmp_unsigned("==", past, ir.Constant(PTR, None)))
        entries = (self.shared(earlier), self.shared(action), b.call(api.PyLong_FromLongLong, [count]))
        for i, thing in enumerate(entries):
            b.call(api.PyTuple_SetItem, [past, const(i), thing])
        self._return_state(out, block, past)

    def _earlier(self) -> tuple[ir.Value, ir.Value]:
        """The first item of the next state's past, and its number of moves (see ``engine/past.py``). If the past was
        unpickled, or earlier states are to be released, the method in Python takes over."""
        b = self.b
        past, count = self.slot("past"), self.variable(const(1))
        is_first = self.is_none(past)
        with b.if_then(b.not_(is_first)):
            self.slowly_unless(self.is_a(past, Words.TUPLE))
            before = b.call(self.api.PyLong_AsLongLong, [b.call(self.api.PyTuple_GetItem, [past, const(2)])])
            b.store(b.add(before, const(1)), count)
        plies = b.load(count)
        self.slowly_unless(b.icmp_signed("!=", b.urem(plies, self.word(Words.KEPT)), const(0)))
        return b.select(is_first, self.state, past), plies

    def _return_state(self, out: ir.Value, block: ir.Value, past: ir.Value) -> None:
        """Returns a new state with this block of memory."""
        b, api = self.b, self.api
        after = b.call(api.PyType_GenericAlloc, [self.object(Words.STATE), const(0)])
        self.none_if(b.icmp_unsigned("==", after, ir.Constant(PTR, None)))
        ended = b.icmp_signed("!=", self.word(b.add(self.word(Words.ENDS_AT), block)), const(0))
        none = self.object(Words.NONE)
        values = {
            "_data": out,
            "block": b.call(api.PyLong_FromLongLong, [block]),
            "is_terminal": self.shared(b.select(ended, self.object(Words.TRUE), self.object(Words.FALSE))),
            "previous": self.shared(self.state),
            "past": past,
            "_legal": self.shared(none),
            "_own_cache": self.shared(none),
            **{name: self.shared(self.slot(name)) for name in ("game", "_words", "_pointer", "_context")},
        }
        for name, value in values.items():
            b.store(value, self.address(after, name))
        b.ret(after)

    def _carry_out(self, action: ir.Value, context: ir.Value, out: ir.Value) -> ir.Value:
        """Writes the state after the action into a bytes object. Returns the number of its block, or a negative one."""
        b = self.b
        code, found = b.alloca(I64, 2), self.variable(const(-1))
        for i in range(2):
            b.store(const(0), b.gep(code, [const(i)]))
        self._encode(action, code)
        target, entry = b.gep(out, [const(BYTES)]), self.word(Words.AFTER)
        words = [b.load(b.gep(code, [const(i)])) for i in range(2)]
        with b.if_else(b.icmp_signed("==", self.word(Words.CODE_WORDS), const(1))) as branches:
            for n, branch in enumerate(branches, 1):
                with branch:
                    t = ir.FunctionType(I64, [PTR, PTR, PTR, *[I64] * n])
                    call = b.call(b.inttoptr(entry, t.as_pointer()), [context, self.data, target, *words[:n]])
                    b.store(call, found)
        return b.load(found)

    def _put(self, code: ir.Value, index: ir.Value, value: ir.Value) -> None:
        """Writes a field into a code."""
        b = self.b
        row = b.add(self.word(Words.FIELDS_AT), b.mul(index, const(4)))
        low, word, shift = (self.word_at(row, i) for i in range(3))
        at = b.gep(code, [word])
        b.store(b.or_(b.load(at), b.shl(b.sub(value, low), shift)), at)

    def _encode(self, action: ir.Value, code: ir.Value) -> None:
        """Writes the code of an action that is legal here, with -1 as its player."""
        b = self.b
        self._put(code, const(1), const(-1))
        names = self.names()
        with b.if_else(b.icmp_signed("!=", names, const(0))) as (named, move):
            with named:
                self._encode_name(action, names, code)
            with move:
                self._encode_move(action, code)

    def _encode_name(self, action: ir.Value, names: ir.Value, code: ir.Value) -> None:
        b, index = self.b, self.variable(const(-1))

        def one(i: ir.Value) -> None:
            mine = b.icmp_signed("==", self.word(b.add(b.add(names, const(1)), i)), action)
            first = b.and_(mine, b.icmp_signed("<", b.load(index), const(0)))
            b.store(b.select(first, i, b.load(index)), index)

        self.loop(self.word(names), one)
        self._put(code, const(2), b.load(index))

    def _encode_move(self, action: ir.Value, code: ir.Value) -> None:
        b, kind = self.b, self.variable(const(-1))

        def one(k: ir.Value) -> None:
            row = self.kind(k)
            rest = b.sub(action, self.word(row))

            def digit(i: ir.Value, at: ir.Value) -> None:
                index = b.urem(b.udiv(rest, self.word_at(at, 2)), self.word_at(at, 1))
                self._put(code, b.add(i, const(2)), b.add(index, self.word(at)))

            with b.if_then(b.icmp_unsigned("<", rest, self.word_at(row, 1))):
                b.store(k, kind)
                self.digits(row, digit)

        self.loop(self.word(Words.KINDS), one)
        self._put(code, const(0), b.load(kind))
