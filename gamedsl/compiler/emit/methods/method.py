"""The frame of every method: a common case, and the method in Python for everything else."""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import I64, PTR, const
from gamedsl.compiler.emit.methods.method_words import OBJECTS, TYPE, Words
from gamedsl.compiler.emit.methods.state_code import StateCode


class Method(StateCode):
    """Emits a method. Its arguments after the state: an array of objects, its length, a tuple of keywords or NULL."""

    def method(self, name: str, wanted: int, fallback: Words) -> None:
        """Begins a method that has a fast path for ``wanted`` arguments without keywords."""
        made = self.begin(name, [OBJECTS, I64, PTR])
        self.arguments = made.args[1:]
        _, count, keywords = self.arguments
        self.fallback = fallback
        common = self.b.and_(
            self.b.icmp_signed("==", count, const(wanted)), self.b.icmp_unsigned("==", keywords, ir.Constant(PTR, None))
        )
        self.slowly_unless(common)

    def slowly_unless(self, common: ir.Value) -> None:
        """Calls the method in Python and returns its result, unless this is the common case."""
        b, api = self.b, self.api
        with b.if_then(b.not_(common), likely=False):
            method = b.call(api.PyObject_GetAttr, [self.state, self.object(self.fallback)])
            self.none_if(b.icmp_unsigned("==", method, ir.Constant(PTR, None)))
            result = b.call(api.PyObject_Vectorcall, [method, *self.arguments])
            b.call(api.Py_DecRef, [method])
            b.ret(result)

    def known(self, listed: ir.Function) -> ir.Value:
        """The list of the legal actions, which the state caches. If it is empty, the method in Python takes over."""
        b, api, at = self.b, self.api, self.address(self.state, "_legal")
        with b.if_then(self.is_none(b.load(at))):
            found = b.call(listed, [self.state])
            self.slowly_unless(b.icmp_unsigned("!=", found, ir.Constant(PTR, None)))
            b.call(api.Py_DecRef, [b.load(at)])
            b.store(found, at)
        known = b.load(at)
        self.slowly_unless(b.icmp_signed("!=", b.call(api.PyList_Size, [known]), const(0)))
        return known

    def is_a(self, thing: ir.Value, kind: Words) -> ir.Value:
        """Whether this is the type of an object."""
        kind_of = self.b.load(self.b.bitcast(self.b.gep(thing, [const(TYPE)]), OBJECTS))
        return self.b.icmp_unsigned("==", kind_of, self.object(kind))
