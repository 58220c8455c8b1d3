"""Whether a set stays connected without one element, for all elements in one pass (Tarjan's articulation points).

    let h = (if c then S else S - {x}) in flood(first h within h) = h

Before the loop over x, the elements of S without which it falls apart are found by one depth-first search. It numbers the
elements of S, of which there are mostly few: the neighbors of x are so near to it that 64 bits of S around x contain them
all, and the set ones of these bits have numbers that follow each other. So a mask of the neighbors, reduced to the set
bits (PEXT) and shifted, gives the numbers of the neighbors of x. Of each subtree, the search keeps its elements and all
neighbors of these, as words. An element is needed if a subtree below it has no other neighbors outside.

Where S is not connected, or has one element or more than 64, h is flooded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import boolean, expr, give, number, set_words
from gamedsl.compiler.emit.known_values import keep_value, known_value
from gamedsl.compiler.emit.llvm_module import I64, PTR, Fn, bind, const, flag
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.flood_path_cache import known_or_searched
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.language.core import can_fail, free_locals, is_symmetric, walk
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

MOST = 64  # elements whose numbers are the bits of a word
CUTS = "elements without which a set falls apart"


@lazy_dataclass(frozen=True)
class Cut:
    """The question whether ``whole`` is connected without ``element``; with it, where ``kept`` holds."""

    element: n.Load
    whole: n.Expr
    kept: n.Expr | None
    table: n.TableData


def cut_of(e: n.LetE) -> Cut | None:
    """The question that an expression asks; None if it is another one."""
    kept, value = None, e.value
    if isinstance(value, n.Cond):
        kept, value = value.condition, value.otherwise
    match e.body, value:
        case (
            n.Op2("eq", n.Flood(n.Op1("single", n.Op1("first", a)), b, table), c),
            n.Op2("minus", whole, n.Op1("single", n.Load() as x)),
        ) if a == b == c == n.Load(e.local) and whole.type == e.local.type == n.SetT(table.keys[0]):
            pass
        case _:
            return None
    if (isinstance(e.value, n.Cond) and e.value.then != whole) or free_locals(whole) or can_fail(whole):
        return None
    return Cut(x, whole, kept, table) if is_symmetric(table.values) and windows(table.values) is not None else None


def asked_before(plan: Sequence[n.Bind | n.Test]) -> list[Cut]:
    """The questions of this kind in these steps of a plan."""
    asked = (x for step in plan for x in walk(step.over if isinstance(step, n.Bind) else step.condition))
    cuts = (cut_of(x) for x in asked if isinstance(x, n.LetE))
    return list({cut.whole: cut for cut in cuts if cut is not None}.values())


def keep_cuts(f: Fn, plan: Sequence[n.Bind | n.Test]) -> None:
    """Finds what the questions in these steps need, before a loop."""
    known = f.numbering
    if known is None or f.builder.block is not known.block or not f.unit.has_deposit:
        return
    for cut in asked_before(plan):
        whole = set_words(f, cut.whole)
        found = f.builder.call(_search(f, cut.table, len(whole)), [f.ctx, f.s, *whole])
        words = tuple(f.builder.extract_value(found, i) for i in range(len(whole) + 1))
        keep_value(f, cut.whole, words, CUTS)


def stays_connected(f: Fn, e: n.LetE) -> ir.Value | None:
    """Emits such a question. Returns None for others, and where it was not asked before the loop."""
    cut = cut_of(e) if f.unit.has_deposit else None
    found = None if cut is None else known_value(f, cut.whole, CUTS)
    if cut is None or found is None:
        return None
    assert isinstance(found, tuple)
    sure, cuts = f.builder.icmp_unsigned("!=", found[-1], const(0)), found[:-1]
    together = f.builder.not_(sets.has(f, cuts, number(f, cut.element)))
    if cut.kept is not None:
        together = f.builder.or_(together, boolean(f, cut.kept))

    def search() -> ir.Value:
        bind(f, e.local, expr(f, e.value))
        return boolean(f, e.body)

    return f.builder.and_(known_or_searched(f, sure, search), f.builder.or_(together, f.builder.not_(sure)))


# ---------------------------------------------------------------------------------------------------- neighbors


@lazy_dataclass(frozen=True)
class Windows:
    """For each element: the byte at which its 64 bits begin, its own place among them, and the places of its neighbors."""

    bytes: tuple[int, ...]
    places: tuple[int, ...]
    around: tuple[int, ...]


@lru_cache(maxsize=64)
def windows(values: tuple[int, ...]) -> Windows | None:
    """The windows of a relation. None if some neighbors are too far from each other."""
    size, starts, places, around = (len(values) + 63) // 64, list[int](), list[int](), list[int]()
    for x, row in enumerate(values):
        near = row | 1 << x
        start = min(((near & -near).bit_length() - 1) // 8, 8 * size - 8)
        if (near >> 8 * start).bit_length() > 64:
            return None
        starts.append(start)
        places.append(x - 8 * start)
        around.append((row & ~(1 << x)) >> 8 * start)
    return Windows(tuple(starts), tuple(places), tuple(around))


def _search(f: Fn, table: n.TableData, size: int) -> ir.Function:
    """``cuts(ctx, s, set) -> elements, sure``: the elements without which the set falls apart. Sure is 1 if the set is
    connected and has two elements or more, of which the numbers fit into a word."""

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        _write_search(g, tuple(values), table)

    result = ir.LiteralStructType([I64] * (size + 1))
    made = f.unit.function(("cuts", table.values, size), "cuts", result, [I64] * size, body)
    made.attributes.add("noinline")
    return made


def _write_search(g: Fn, whole: sets.Words, table: n.TableData) -> None:
    count, some, other = sets.count(g, whole), g.block("some"), g.block("other")
    g.builder.cbranch(g.builder.icmp_unsigned("<=", plus(g, count, -2), const(MOST - 2)), some, other)
    g.at(other)
    give(g, (*whole, const(0)))
    g.at(some)
    around = _numbered(g, whole, table)
    seen, cuts = _depth_first(g, around)
    deposit, total = g.unit.external("llvm.x86.bmi.pdep.64", I64, [I64, I64]), const(0)
    found: list[ir.Value] = []
    for w in whole:  # a word with elements has fewer than 64 before it
        before = g.builder.select(g.builder.icmp_unsigned("<", total, const(MOST)), total, const(0))
        found.append(g.builder.call(deposit, [g.builder.lshr(cuts, before), w]))
        total = g.builder.add(total, g.builder.ctpop(w))
    all_seen = g.builder.icmp_unsigned("==", g.builder.ctpop(seen), count)
    give(g, (*found, g.builder.zext(all_seen, I64)))


def _numbered(g: Fn, whole: sets.Words, table: n.TableData) -> ir.Value:
    """For each element of the set by its number, the numbers of its neighbors."""
    near, unit = windows(table.values), g.unit
    assert near is not None
    starts = unit.numbers(("window bytes", near.bytes), near.bytes, 16)
    places = unit.numbers(("window places", near.places), near.places, 16)
    masks = unit.numbers(("windows", near.around), near.around, 64)
    extract = unit.external("llvm.x86.bmi.pext.64", I64, [I64, I64])
    held, around, used = g.alloca(I64, max(2, len(whole))), g.alloca(I64, MOST), g.alloca(I64)
    for i, w in enumerate(whole):
        g.builder.store(w, _at(g, held, const(i)))
    g.builder.store(const(0), used)

    def one(x: ir.Value) -> None:
        b, i = g.builder, g.builder.load(used)
        at = b.gep(b.bitcast(held, PTR), [b.zext(b.load(unit.at(b, starts, x)), I64)], inbounds=True)
        window = b.load(b.bitcast(at, I64.as_pointer()), align=1)
        place = b.zext(b.load(unit.at(b, places, x)), I64)
        earlier = b.ctpop(b.and_(window, b.sub(b.shl(const(1), place), const(1))))
        beside = b.call(extract, [b.load(unit.at(b, masks, x)), window])
        b.store(b.shl(beside, b.sub(i, earlier)), _at(g, around, i))
        b.store(plus(g, i, 1), used)

    each_member(g, whole, 0, one)
    return around


def _at(g: Fn, array: ir.Value, index: ir.Value) -> ir.Value:
    return g.builder.gep(array, [const(0), index], inbounds=True)


def _depth_first(g: Fn, around: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The elements that are connected with the first one, and those of them without which they would not be, by number."""
    inside, beside, above = g.alloca(I64, MOST), g.alloca(I64, MOST), g.alloca(I64, MOST)
    before, head, down, up, done = g.builder.block, *(g.block(x) for x in ("search", "down", "up", "searched"))
    b, none = g.builder, const(0)
    b.store(const(1), _at(g, inside, none))
    b.store(b.load(_at(g, around, none)), _at(g, beside, none))
    b.store(none, _at(g, above, none))
    b.branch(head)
    g.at(head)
    here, seen, cuts, first = (b.phi(I64) for _ in range(4))  # ``first``: subtrees right below the first element
    for one, value in ((here, none), (seen, const(1)), (cuts, none), (first, none)):
        one.add_incoming(value, before)
    new = b.and_(b.load(_at(g, around, here)), b.not_(seen))
    b.cbranch(b.icmp_unsigned("!=", new, none), down, up)
    g.at(down)
    child = b.cttz(new, flag(True))
    bit = b.shl(const(1), child)
    b.store(bit, _at(g, inside, child))
    b.store(b.load(_at(g, around, child)), _at(g, beside, child))
    b.store(here, _at(g, above, child))
    for one, value in ((here, child), (seen, b.or_(seen, bit)), (cuts, cuts), (first, first)):
        one.add_incoming(value, down)
    b.branch(head)
    g.at(up)
    last, back = b.icmp_unsigned("==", here, none), g.block("back")
    b.cbranch(last, done, back)
    g.at(back)
    parent, mine, met = b.load(_at(g, above, here)), b.load(_at(g, inside, here)), b.load(_at(g, beside, here))
    bit = b.shl(const(1), parent)
    outside = b.and_(met, b.not_(b.or_(mine, bit)))
    top = b.icmp_unsigned("==", parent, none)
    cut = b.and_(b.icmp_unsigned("==", outside, none), b.not_(top))
    b.store(b.or_(b.load(_at(g, inside, parent)), mine), _at(g, inside, parent))
    b.store(b.or_(b.load(_at(g, beside, parent)), met), _at(g, beside, parent))
    more = (parent, seen, b.or_(cuts, b.select(cut, bit, none)), b.add(first, b.zext(top, I64)))
    for one, value in zip((here, seen, cuts, first), more, strict=True):
        one.add_incoming(value, back)
    b.branch(head)
    g.at(done)
    return seen, b.or_(cuts, b.zext(b.icmp_unsigned(">", first, const(1)), I64))
