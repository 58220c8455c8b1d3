"""Closures that reach a set, with a cached witness: a path found earlier, as long as nothing beside it has changed.

    closure of {a} by x: {d in near(x): edge(x, d) not in H}    meets the top row

The step of such a closure depends on a few places of one changing set around each element (``local_patterns.py``). The
context keeps the elements of a path that led to the target, the places that decide about its steps, and which of these
were in the changing set. If the same ones still are, every step is still possible, from whichever element of the path the
start is. Otherwise the closure is searched, and the path that it finds is kept.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.analysis.local_patterns import PLACES, Cases, local_patterns
from gamedsl.compiler.emit.expression_code import set_words
from gamedsl.compiler.emit.llvm_module import I1, I64, Fn, const, flag, set_const
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.flood_path_cache import FloodPaths, known_or_searched, path_address, path_number
from gamedsl.compiler.emit.sets.pattern_tables import looked_up, words_at
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.language.core import can_fail, substitute
from gamedsl.language.core import nodes as n


def disjoint_from_closure(f: Fn, e: n.Op2) -> ir.Value | None:
    """Emits ``closure disjoint S`` with a cached path. Returns None for other forms."""
    match e:
        case n.Op2(op="disjoint", left=n.Closure(local=local, step=step), right=n.Const(value=aim)) if (
            f.unit.has_deposit
        ):
            patterns = [x for x in local_patterns(_opened(f, step)) if x.element.id == local.id]
        case _:
            return None
    if not patterns or can_fail(patterns[0].changing, f.unit.program.functions):
        return None
    found = patterns[0]
    assert isinstance(e.left, n.Closure)
    start, held = set_words(f, e.left.start), set_words(f, found.changing)
    search = _Search(found.cases, aim, len(start), len(held))
    place = search.place(f)
    return None if place is None else f.builder.not_(search.reaches(f, start, held, place))


def _opened(f: Fn, e: n.Expr) -> n.Expr:
    """The body of a function, if the step is a call."""
    while isinstance(e, n.CallF):
        called = f.unit.program.functions[e.function]
        e = substitute(called.body, {p.id: a for p, a in zip(called.params, e.args, strict=True)})
    return e


class _Search:
    """A search for one set by one step. ``size`` and ``around``: words of the elements' sets and of the changing set."""

    def __init__(self, cases: Cases, aim: int, size: int, around: int) -> None:
        self.cases, self.aim, self.size, self.around = cases, aim, size, around
        self.number = path_number((cases, aim, size, around))

    def place(self, f: Fn) -> int | None:
        """Where the context keeps the path: a number that says of which search it is, the elements, the places that decide
        about the steps, and those in the changing set. None if there is no room left."""
        paths = f.unit.features.of(FloodPaths)
        if self.number not in paths.places:
            place = paths.take(1 + self.size + 2 * self.around)
            if place is None:
                return None
            paths.places[self.number] = place
        return paths.places[self.number]

    def reaches(self, f: Fn, start: sets.Words, held: sets.Words, place: int) -> ir.Value:
        b = f.builder
        kept = path_address(f, place)
        path, asked, were = (self._load(f, kept, part) for part in range(3))
        begins = b.not_(sets.is_empty(f, sets.both(f, path, start)))
        same = sets.equal(f, sets.both(f, held, asked), were)
        known = b.and_(b.icmp_unsigned("==", b.load(kept), const(self.number)), b.and_(begins, same))
        return known_or_searched(f, known, lambda: b.call(self._function(f), [f.ctx, f.s, *start, *held, kept]))

    def _parts(self, part: int) -> tuple[int, int]:
        """The first word of a part of what is kept, and how many there are."""
        return (1, self.size) if part == 0 else (1 + self.size + (part - 1) * self.around, self.around)

    def _load(self, f: Fn, kept: ir.Value, part: int) -> sets.Words:
        first, size = self._parts(part)
        return tuple(f.builder.load(f.builder.gep(kept, [const(first + i)], inbounds=True)) for i in range(size))

    def _store(self, f: Fn, kept: ir.Value, part: int, value: sets.Words) -> None:
        first, _ = self._parts(part)
        for i, word in enumerate(value):
            f.builder.store(word, f.builder.gep(kept, [const(first + i)], inbounds=True))

    def _function(self, f: Fn) -> ir.Function:
        """``closure_path(ctx, s, start, held, kept) -> found``: keeps the path."""

        def body(g: Fn, values: Sequence[ir.Value]) -> None:
            start, held = tuple(values[: self.size]), tuple(values[self.size : -1])
            self._write(g, start, held, values[-1])

        types = [*([I64] * (self.size + self.around)), I64.as_pointer()]
        made = f.unit.function(("closure_path", self.number), "closure_path", I1, types, body)
        made.attributes.add("noinline")
        return made

    def _write(self, g: Fn, start: sets.Words, held: sets.Words, kept: ir.Value) -> None:
        b, aim = g.builder, set_const(self.aim, self.size)
        parents = g.alloca(ir.IntType(16), len(self.cases.around))
        there, search, none, met = g.block("there"), g.block("search"), g.block("none"), g.block("met")
        b.cbranch(sets.is_empty(g, sets.both(g, start, aim)), search, there)
        g.at(there)
        b.ret(flag(True))
        g.at(search)
        before, head, inside = b.block, g.block("closure"), g.block("expand")
        b.branch(head)
        g.at(head)
        found, todo = tuple(b.phi(I64) for _ in start), tuple(b.phi(I64) for _ in start)
        for one, value in zip((*found, *todo), (*start, *start), strict=True):
            one.add_incoming(value, before)
        b.cbranch(sets.is_empty(g, todo), none, inside)
        g.at(inside)
        half = len(self.cases.around) // 2
        above = (self.aim >> half).bit_count() > (self.aim & (1 << half) - 1).bit_count()
        x = sets.highest(g, todo) if above else sets.lowest(g, todo)
        new = sets.without(g, looked_up(g, self.cases, x, held, self.size), found)
        each_member(g, new, 0, lambda y: self._note(g, parents, y, x))
        hit = sets.both(g, new, aim)
        more = g.block("more")
        b.cbranch(sets.is_empty(g, hit), more, met)
        g.at(more)
        rest = sets.without(g, todo, sets.single(g, x, self.size))
        for one, value in zip((*found, *todo), (*sets.either(g, found, new), *sets.either(g, rest, new)), strict=True):
            one.add_incoming(value, b.block)
        b.branch(head)
        g.at(none)
        b.ret(flag(False))
        g.at(met)
        self._go_back(g, sets.lowest(g, hit), start, held, parents, kept)
        b.ret(flag(True))

    def _note(self, g: Fn, parents: ir.Value, y: ir.Value, x: ir.Value) -> None:
        g.builder.store(g.builder.trunc(x, ir.IntType(16)), g.builder.gep(parents, [const(0), y], inbounds=True))

    def _deciding(self, g: Fn, x: ir.Value, y: ir.Value) -> sets.Words:
        """The places that decide whether y is a step from x."""
        b, member = g.builder, const(0)
        for i, largest in enumerate(words_at(g, self.cases.results, self.size, x)):
            if largest is not None:
                here = b.icmp_unsigned("==", b.lshr(y, const(6)), const(i))
                lower = b.sub(b.shl(const(1), b.and_(y, const(63))), const(1))
                before = b.icmp_unsigned(">", b.lshr(y, const(6)), const(i))
                below = b.select(here, lower, b.select(before, const(-1), const(0)))
                member = b.add(member, b.ctpop(b.and_(largest, below)))
        at = b.add(b.mul(x, const(PLACES)), member)
        return tuple(const(0) if w is None else w for w in words_at(g, self.cases.deciding(), self.around, at))

    def _go_back(
        self, g: Fn, end: ir.Value, start: sets.Words, held: sets.Words, parents: ir.Value, kept: ir.Value
    ) -> None:
        """Keeps the path that led to the last element."""
        b, nothing = g.builder, (const(0),)
        before, head, done = b.block, g.block("back"), g.block("way")
        first = sets.single(g, end, self.size)
        b.branch(head)
        g.at(head)
        y = b.phi(I64)
        path, asked = tuple(b.phi(I64) for _ in start), tuple(b.phi(I64) for _ in held)
        for one, value in zip((y, *path, *asked), (end, *first, *(nothing * self.around)), strict=True):
            one.add_incoming(value, before)
        x = b.zext(b.load(b.gep(parents, [const(0), y], inbounds=True)), I64)
        here = sets.single(g, x, self.size)
        longer = sets.either(g, path, here)
        wider = sets.either(g, asked, self._deciding(g, x, y))
        for one, value in zip((y, *path, *asked), (x, *longer, *wider), strict=True):
            one.add_incoming(value, b.block)
        b.cbranch(sets.is_empty(g, sets.both(g, here, start)), head, done)
        g.at(done)
        b.store(const(self.number), kept)
        for part, value in enumerate((longer, wider, sets.both(g, held, wider))):
            self._store(g, kept, part, value)
