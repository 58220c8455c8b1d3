"""The methods that only read a state: ``legal_actions``, ``action_mask``, ``observation_tensor`` and
``current_player``."""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import I8, I64, PTR, const
from gamedsl.compiler.emit.methods.method import Method
from gamedsl.compiler.emit.methods.method_words import OBJECTS, ArrayWords, Words

SPECTATOR = -1


class Telling(Method):
    """Emits the methods of a state that change nothing."""

    def legal_actions(self, listed: ir.Function) -> None:
        """Emits ``legal_actions``."""
        self.method("legal_actions", 0, Words.LEGAL_NAME)
        known = self.known(listed)
        size = self.b.call(self.api.PyList_Size, [known])
        self.b.ret(self.b.call(self.api.PyList_GetSlice, [known, const(0), size]))

    def action_mask(self, listed: ir.Function) -> None:
        """Emits ``action_mask``."""
        self.method("action_mask", 0, Words.MASK_NAME)
        b, api = self.b, self.api
        self.slowly_unless(b.icmp_signed("!=", self.array_word(ArrayWords.MAKE_MASK), const(0)))
        known = self.known(listed)
        made = self._new_array(ArrayWords.MAKE_MASK)
        marks = self._memory(made)

        def one(i: ir.Value) -> None:
            action = b.call(api.PyLong_AsLongLong, [b.call(api.PyList_GetItem, [known, i])])
            b.store(ir.Constant(I8, 1), b.gep(marks, [action]))

        self.loop(b.call(api.PyList_Size, [known]), one)
        b.ret(made)

    def observation_tensor(self) -> None:
        """Emits ``observation_tensor``."""
        self.method("observation_tensor", 1, Words.TENSOR_NAME)
        b, api = self.b, self.api
        observe = self.array_word(ArrayWords.OBSERVE)
        self.slowly_unless(b.icmp_signed("!=", observe, const(0)))
        given, seat = b.load(self.arguments[0]), self.variable(const(SPECTATOR))
        with b.if_then(b.not_(self.is_none(given))):
            self.slowly_unless(self.is_a(given, Words.INT))
            b.store(b.call(api.PyLong_AsLongLong, [given]), seat)
            with b.if_then(b.icmp_signed("==", b.load(seat), const(-1)), likely=False):
                b.call(api.PyErr_Clear, [])  # the number may be too large
            self.slowly_unless(b.icmp_unsigned("<", b.load(seat), self.word(Words.PLAYERS)))
        made = self._new_array(ArrayWords.MAKE_TENSOR)
        t = ir.FunctionType(I64, [PTR, PTR, PTR, I64])
        entry = b.inttoptr(observe, t.as_pointer())
        status = b.call(entry, [self.context(), self.data, self._memory(made), b.load(seat)])
        is_done = b.icmp_signed("==", status, const(0))
        with b.if_then(b.not_(is_done), likely=False):
            b.call(api.Py_DecRef, [made])
        self.slowly_unless(is_done)
        b.ret(made)

    def current_player(self) -> None:
        """Emits the getter of ``current_player``. Its second argument is not used."""
        self.begin("current_player", [PTR])
        b, api = self.b, self.api
        who = self.variable(self.word(b.add(self.word(Words.WHO_AT), self.number_of_block(self.data))))
        with b.if_then(b.icmp_signed("==", b.load(who), const(0))):
            t = ir.FunctionType(I64, [PTR, PTR, PTR])
            entry = b.inttoptr(self.word(Words.ACTORS), t.as_pointer())
            found = b.call(entry, [self.context(), self.data, b.bitcast(who, PTR)])
            with b.if_then(b.icmp_signed("!=", found, const(1)), likely=False):
                b.ret(b.call(api.PyObject_GetAttr, [self.state, self.object(Words.WHO_NAME)]))
        b.ret(b.call(api.PyLong_FromLongLong, [b.load(who)]))

    def array_word(self, at: int) -> ir.Value:
        """A word about the arrays of the game."""
        table = self.b.inttoptr(self.word(Words.ARRAYS), I64.as_pointer())
        return self.b.load(self.b.gep(table, [const(at)]))

    def _new_array(self, maker: int) -> ir.Value:
        """A new array. The three words from ``maker`` on are a numpy function, the size and the type."""
        b = self.b
        function, *arguments = (b.inttoptr(self.array_word(maker + i), PTR) for i in range(3))
        given = b.alloca(PTR, 2)
        for i, argument in enumerate(arguments):
            b.store(argument, b.gep(given, [const(i)]))
        made = b.call(self.api.PyObject_Vectorcall, [function, given, const(2), ir.Constant(PTR, None)])
        self.none_if(b.icmp_unsigned("==", made, ir.Constant(PTR, None)))
        return made

    def _memory(self, array: ir.Value) -> ir.Value:
        """The address of an array's entries."""
        at = self.b.gep(array, [self.array_word(ArrayWords.MEMORY)])
        return self.b.load(self.b.bitcast(at, OBJECTS))
