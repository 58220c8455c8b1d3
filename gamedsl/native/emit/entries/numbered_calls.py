"""``State.legal_actions`` and ``State.apply_action`` of compiled states, as methods of CPython in machine code.

The code is the same for all games. What it needs of one are words (``Words`` below), which stand in a ``bytes`` object
that every state refers to. A state has its values in slots, whose offsets are constants of the code. The methods follow
the C API of CPython (``METH_FASTCALL | METH_KEYWORDS``), and call the method of the same name in Python for everything
but the common case: no player given, compiled code that answers, a legal action that is an ``int``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from types import SimpleNamespace

from llvmlite import ir

from gamedsl.native.emit.module_builder import CTX_CAPACITY, CTX_USED, I32, I64, PTR, VOID, const

BYTES = bytes.__basicsize__ - 1  # where the content of a bytes object begins
TYPE = 8  # where the type of an object stands
CAPACITY = 1024  # words of codes of legal moves that there is room for
KIND_ROW = 3  # words of a kind before its digits: first number, size, digits; then low, size and stride of each
ENTRIES = ("legal_actions", "apply_action")
SLOTS = (
    "game", "block", "is_terminal", "_words", "_pointer", "_context", "_data", "previous", "past", "_legal", "_own_cache",
)  # fmt: skip
OBJECTS = PTR.as_pointer()

# names, results and arguments of the functions of the C API
API: dict[str, tuple[ir.Type, list[ir.Type]]] = {
    "PyLong_AsLongLong": (I64, [PTR]),
    "PyLong_FromLongLong": (PTR, [I64]),
    "PyList_New": (PTR, [I64]),
    "PyList_Size": (I64, [PTR]),
    "PyList_SetItem": (I32, [PTR, I64, PTR]),
    "PyList_GetSlice": (PTR, [PTR, I64, I64]),
    "PyList_Sort": (I32, [PTR]),
    "PyTuple_New": (PTR, [I64]),
    "PyTuple_GetItem": (PTR, [PTR, I64]),
    "PyTuple_SetItem": (I32, [PTR, I64, PTR]),
    "PySequence_Contains": (I32, [PTR, PTR]),
    "PyBytes_FromStringAndSize": (PTR, [PTR, I64]),
    "PyType_GenericAlloc": (PTR, [PTR, I64]),
    "PyObject_GetAttr": (PTR, [PTR, PTR]),
    "PyObject_Vectorcall": (PTR, [PTR, OBJECTS, I64, PTR]),
    "Py_DecRef": (VOID, [PTR]),
    "Py_IncRef": (VOID, [PTR]),
}


class Words(IntEnum):
    """The words of a game: addresses of entry points; words of a code; bytes of a block; the number of passing; whether
    positions are noted; addresses of the objects None, False and True, of the types of ints and of states, and of the
    names of the methods in Python; how many schemas there are, and words of the row of one; where the rows begin, of the
    fields of a code (low, word, shift, mask), of schemas, of blocks (where their names are, or 0: their count and their
    numbers), and of blocks again (does the play end there?); the address of the type of tuples; after how many plies
    earlier states are let go."""

    LEGAL = 0
    AFTER = 1
    CODE_WORDS = 2
    SIZE = 3
    PASSING = 4
    NOTES = 5
    NONE = 6
    FALSE = 7
    TRUE = 8
    INT = 9
    STATE = 10
    LEGAL_NAME = 11
    APPLY_NAME = 12
    KINDS = 13
    KIND_WORDS = 14
    FIELDS_AT = 15
    KINDS_AT = 16
    BLOCKS_AT = 17
    ENDS_AT = 18
    TUPLE = 19
    KEPT = 20


def numbered_calls(offsets: Mapping[str, int]) -> ir.Module:
    """The module with both methods. ``offsets``: of the slots of a state, by name."""
    module = ir.Module(name="numbered calls")
    api = SimpleNamespace(
        **{n: ir.Function(module, ir.FunctionType(result, args), n) for n, (result, args) in API.items()}
    )
    listed = _Listing(module, api, offsets).emit()
    _Methods(module, api, offsets).legal_actions(listed)
    _Methods(module, api, offsets).apply_action(listed)
    return module


class _Code:
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
        """A word of the game."""
        return self.b.load(self.b.gep(self.game, [at if isinstance(at, ir.Value) else const(int(at))]))

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
        """Returns NULL, with the exception that is set, if an object could not be made."""
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
        """Where the names of the block's values are."""
        return self.word(self.b.add(self.word(Words.BLOCKS_AT), self.number_of_block(self.data)))

    def kind(self, index: ir.Value) -> ir.Value:
        """Where the row of a schema is."""
        return self.b.add(self.word(Words.KINDS_AT), self.b.mul(index, self.word(Words.KIND_WORDS)))

    def digits(self, row: ir.Value, body: Callable[[ir.Value, ir.Value], None]) -> None:
        """Emits ``body`` for the digits of a kind: the index of one, and where its low, size and stride are."""
        first = self.b.add(row, const(KIND_ROW))
        self.loop(self.word_at(row, 2), lambda i: body(i, self.b.add(first, self.b.mul(i, const(3)))))


class _Listing(_Code):
    """``listed(state)``: the legal actions as a new list, ascending; NULL where compiled code gives no answer."""

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
        found = b.call(api.PyList_New, [n])
        self.none_if(b.icmp_unsigned("==", found, ir.Constant(PTR, None)))

        def one(i: ir.Value) -> None:
            self._number(b.gep(codes, [b.mul(i, self.word(Words.CODE_WORDS))]), total)
            number = b.load(total)
            falls = b.zext(b.icmp_signed("<", number, b.load(last)), I64)
            b.store(b.or_(b.load(mixed), falls), mixed)
            b.store(number, last)
            b.call(api.PyList_SetItem, [found, i, b.call(api.PyLong_FromLongLong, [number])])

        self.loop(n, one)
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


class _Methods(_Code):
    """The methods. Their arguments after the state: an array of objects, its length, a tuple of keywords or NULL."""

    def _method(self, name: str, wanted: int, fallback: Words) -> None:
        """Begins a method that has a quick answer for so many arguments without keywords."""
        made = self.begin(name, [OBJECTS, I64, PTR])
        self.arguments = made.args[1:]
        _, count, keywords = self.arguments
        self.fallback = fallback
        common = self.b.and_(
            self.b.icmp_signed("==", count, const(wanted)), self.b.icmp_unsigned("==", keywords, ir.Constant(PTR, None))
        )
        self._slowly_unless(common)

    def _slowly_unless(self, common: ir.Value) -> None:
        """Calls the method in Python and returns what it returns, unless this is the common case."""
        b, api = self.b, self.api
        with b.if_then(b.not_(common), likely=False):
            method = b.call(api.PyObject_GetAttr, [self.state, self.object(self.fallback)])
            self.none_if(b.icmp_unsigned("==", method, ir.Constant(PTR, None)))
            result = b.call(api.PyObject_Vectorcall, [method, *self.arguments])
            b.call(api.Py_DecRef, [method])
            b.ret(result)

    def _known(self, listed: ir.Function) -> ir.Value:
        """The list of the legal actions, which the state keeps. It is not empty."""
        b, api, at = self.b, self.api, self.address(self.state, "_legal")
        with b.if_then(self.is_none(b.load(at))):
            found = b.call(listed, [self.state])
            self._slowly_unless(b.icmp_unsigned("!=", found, ir.Constant(PTR, None)))
            b.call(api.Py_DecRef, [b.load(at)])
            b.store(found, at)
        known = b.load(at)
        self._slowly_unless(b.icmp_signed("!=", b.call(api.PyList_Size, [known]), const(0)))
        return known

    def legal_actions(self, listed: ir.Function) -> None:
        """Emits ``legal_actions``."""
        self._method("legal_actions", 0, Words.LEGAL_NAME)
        known = self._known(listed)
        size = self.b.call(self.api.PyList_Size, [known])
        self.b.ret(self.b.call(self.api.PyList_GetSlice, [known, const(0), size]))

    def apply_action(self, listed: ir.Function) -> None:
        """Emits ``apply_action``."""
        self._method("apply_action", 1, Words.APPLY_NAME)
        b, api = self.b, self.api
        action = b.load(self.arguments[0])
        self._slowly_unless(self._is_a(action, Words.INT))
        earlier, count = self._earlier()
        known = self._known(listed)
        is_legal = b.call(api.PySequence_Contains, [known, action])
        self._slowly_unless(b.icmp_signed("==", is_legal, ir.Constant(I32, 1)))
        context = self.context()
        with b.if_then(b.icmp_signed("!=", self.word(Words.NOTES), const(0))):
            fields = b.bitcast(context, I64.as_pointer())
            used, capacity = (b.load(b.gep(fields, [const(i)])) for i in (CTX_USED, CTX_CAPACITY))
            roomy = b.icmp_signed("<=", b.mul(used, const(4)), b.mul(capacity, const(3)))
            self._slowly_unless(roomy)
        out = b.call(api.PyBytes_FromStringAndSize, [ir.Constant(PTR, None), self.word(Words.SIZE)])
        self.none_if(b.icmp_unsigned("==", out, ir.Constant(PTR, None)))
        block = self._carry_out(b.call(api.PyLong_AsLongLong, [action]), context, out)
        wrong = b.icmp_signed("<", block, const(0))
        with b.if_then(wrong, likely=False):
            b.call(api.Py_DecRef, [out])
        self._slowly_unless(b.not_(wrong))
        past = b.call(api.PyTuple_New, [const(3)])
        self.none_if(b.icmp_unsigned("==", past, ir.Constant(PTR, None)))
        entries = (self.shared(earlier), self.shared(action), b.call(api.PyLong_FromLongLong, [count]))
        for i, thing in enumerate(entries):
            b.call(api.PyTuple_SetItem, [past, const(i), thing])
        self._return_state(out, block, past)

    def _is_a(self, thing: ir.Value, kind: Words) -> ir.Value:
        """Is this the type of an object?"""
        kind_of = self.b.load(self.b.bitcast(self.b.gep(thing, [const(TYPE)]), OBJECTS))
        return self.b.icmp_unsigned("==", kind_of, self.object(kind))

    def _earlier(self) -> tuple[ir.Value, ir.Value]:
        """What the past of the next state begins with, and its number of moves (see ``engine/past.py``). The method in
        Python serves where the past was saved, and where earlier states are to be let go."""
        b = self.b
        past, count = self.slot("past"), self.variable(const(1))
        is_first = self.is_none(past)
        with b.if_then(b.not_(is_first)):
            self._slowly_unless(self._is_a(past, Words.TUPLE))
            before = b.call(self.api.PyLong_AsLongLong, [b.call(self.api.PyTuple_GetItem, [past, const(2)])])
            b.store(b.add(before, const(1)), count)
        plies = b.load(count)
        self._slowly_unless(b.icmp_signed("!=", b.urem(plies, self.word(Words.KEPT)), const(0)))
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
        """Writes the block after the action into a bytes object. Its number, or a negative one."""
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
        """Writes the code of an action that is legal here. Its player stays open."""
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
