"""Reachability with a cached witness: whether a flood reaches a set, by a path found earlier that is still valid.

The context keeps a path for each such test: elements connected by the relation, which must be symmetric. The path is
checked on every use: it must be along this relation, lie within the set and contain an element of the start and one of
the target. It may therefore come from any position, and from other code that shares the context. If the check fails, a
flood is run that records the elements reached before each shift, and a path is traced back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import field

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.expression_code import set_words
from gamedsl.compiler.emit.known_values import branch
from gamedsl.compiler.emit.llvm_module import CTX_WAYS, I1, I64, Fn, const, flag, set_const
from gamedsl.compiler.emit.memory import context_field, plus
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.images import flooded, regular, shifts
from gamedsl.language.core import is_symmetric
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass()
class FloodPaths:
    """The number of words used for paths, of the ``cutoffs.PATH_WORDS`` in the context. ``places``: by the number of a
    search, the first word of its path (``closure_path_cache.py``)."""

    words: int = 0
    places: dict[int, int] = field(default_factory=dict)

    def take(self, words: int) -> int | None:
        """Takes so many words. Returns the first one; None if there is no room left."""
        if self.words + words > cutoffs.PATH_WORDS:
            return None
        first, self.words = self.words, self.words + words
        return first


def disjoint_from_flood(f: Fn, e: n.Op2) -> ir.Value | None:
    """Emits ``flood disjoint S`` with a cached path. Returns None for other forms."""
    if e.op != "disjoint" or not isinstance(e.left, n.Flood):
        return None
    met = flood_meets(f, e.left, e.right)
    return None if met is None else f.builder.not_(met)


def flood_meets(f: Fn, e: n.Flood, target: n.Expr) -> ir.Value | None:
    """Whether a flood reaches an element of a set. Returns None if no path is cached: in specialized programs, for
    relations that are irregular or not symmetric, and if the context has no words left."""
    size = len(f.unit.type_of(e.type)) + 1
    if f.unit.special is not None or not regular(e.table) or not is_symmetric(e.table.values):
        return None
    place = f.unit.features.of(FloodPaths).take(size)
    if place is None:
        return None
    start, within = set_words(f, e.start), set_words(f, e.within)
    return _reaches(f, sets.both(f, start, within), within, set_words(f, target), e.table, place)


def _reaches(
    f: Fn, start: sets.Words, within: sets.Words, aim: sets.Words, table: n.TableData, place: int
) -> ir.Value:  # fmt: skip
    """Whether the flood from ``start``, a subset of ``within``, reaches ``aim``."""
    number, relation = len(start), const(path_number((len(start), table.values)))
    kept = path_address(f, place)
    path = tuple(f.builder.load(f.builder.gep(kept, [const(i)], inbounds=True)) for i in range(number))
    about = f.builder.gep(kept, [const(number)], inbounds=True)
    misses = f.builder.or_(sets.is_empty(f, sets.both(f, path, start)), sets.is_empty(f, sets.both(f, path, aim)))
    leaves = f.builder.or_(f.builder.not_(sets.is_empty(f, sets.without(f, path, within))), misses)
    same = f.builder.icmp_unsigned("==", f.builder.load(about), relation)
    stands = f.builder.and_(same, f.builder.not_(leaves))

    def search() -> ir.Value:
        f.builder.store(relation, about)
        for i in range(number):  # no path yet
            f.builder.store(const(0), f.builder.gep(kept, [const(i)], inbounds=True))
        return f.builder.call(_search(f, table, number), [f.ctx, f.s, *start, *within, *aim, kept])

    return known_or_searched(f, stands, search)


def path_number(what: object) -> int:
    """A number that no other search has (a part of SHA-256), and that is not 0. ``what``: all that its paths depend on."""
    digest = hashlib.sha256(repr(what).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 2 | 1 << 61


def path_address(f: Fn, place: int) -> ir.Value:
    """The address of a path that the context keeps."""
    base = f.builder.inttoptr(f.builder.load(context_field(f, CTX_WAYS)), I64.as_pointer())
    return f.builder.gep(base, [const(place)], inbounds=True)


def known_or_searched(f: Fn, known: ir.Value, search: Callable[[], ir.Value]) -> ir.Value:
    """Whether something is known or, if it is not (a kept path no longer leads to its aim), what a search finds."""
    before, searching, done = f.builder.block, f.block("search"), f.block("reached")
    f.builder.cbranch(known, done, searching)
    with branch(f, searching):
        found = search()
    after = f.builder.block
    f.builder.branch(done)
    f.at(done)
    result = f.builder.phi(I1)
    result.add_incoming(flag(True), before)
    result.add_incoming(found, after)
    return result


def _search(f: Fn, table: n.TableData, count: int) -> ir.Function:
    """``flood_path(ctx, s, start, within, aim, out) -> found``: writes the path if it is short enough."""

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        _write_path(
            g,
            tuple(values[:count]),
            tuple(values[count : 2 * count]),
            tuple(values[2 * count : 3 * count]),
            values[3 * count],
            table,
        )

    types = [*([I64] * (3 * count)), I64.as_pointer()]
    made = f.unit.function(("flood_path", table.values, count), "flood_path", I1, types, body)
    made.attributes.add("noinline")
    return made


def _write_path(
    g: Fn, start: sets.Words, within: sets.Words, aim: sets.Words, out: ir.Value, table: n.TableData
) -> None:
    targets, count = _targets(g, within, table), len(start)
    notes = g.alloca(I64, cutoffs.FLOOD_ROUNDS * len(targets) * count)
    before, head, more, met, none = g.builder.block, g.block("round"), g.block("more"), g.block("met"), g.block("none")
    deep = g.block("deep")
    g.builder.branch(head)
    g.at(head)
    number, first = g.builder.phi(I64), tuple(g.builder.phi(I64) for _ in start)
    number.add_incoming(const(0), before)
    for one, value in zip(first, start, strict=True):
        one.add_incoming(value, before)
    found: sets.Words = first
    for k, (by, target) in enumerate(targets):
        for i, w in enumerate(found):
            g.builder.store(w, _note(g, notes, number, k, len(targets), count, const(i)))
        found = sets.either(g, found, sets.both(g, sets.shifted(g, found, by), target))
    hit = sets.both(g, found, aim)
    still = g.block("still")
    g.builder.cbranch(sets.is_empty(g, hit), still, met)
    g.at(still)
    g.builder.cbranch(sets.equal(g, first, found), none, more)
    g.at(more)
    following = plus(g, number, 1)
    number.add_incoming(following, g.builder.block)
    for one, value in zip(first, found, strict=True):
        one.add_incoming(value, g.builder.block)
    g.builder.cbranch(g.builder.icmp_unsigned("<", following, const(cutoffs.FLOOD_ROUNDS)), head, deep)
    g.at(none)
    g.builder.ret(flag(False))
    g.at(deep)
    far = flooded(g, found, within, table)
    g.builder.ret(g.builder.not_(sets.is_empty(g, sets.both(g, far, aim))))
    g.at(met)
    _go_back(g, sets.lowest(g, hit), number, notes, [by for by, _ in targets], count, out)
    g.builder.ret(flag(True))


def _targets(g: Fn, within: sets.Words, table: n.TableData) -> list[tuple[int, sets.Words]]:
    """The shifts of a relation, each with the elements of ``within`` to which it can lead."""
    number, full = len(within), table.keys[0].full
    found = []
    for one in shifts(table):
        targets = one.mask << one.by if one.by >= 0 else one.mask >> -one.by
        found.append((one.by, sets.both(g, within, set_const(targets & full, number))))
    return found


def _note(
    g: Fn, notes: ir.Value, number: ir.Value, k: int, shifts: int, count: int, word: ir.Value
) -> ir.Value:  # fmt: skip
    """The address of a word of the set that was reached before the k-th shift of a round."""
    at = g.builder.add(g.builder.mul(number, const(shifts * count)), g.builder.add(word, const(k * count)))
    return g.builder.gep(notes, [const(0), at], inbounds=True)


def _go_back(
    g: Fn, end: ir.Value, number: ir.Value, notes: ir.Value, shifts: list[int], count: int, out: ir.Value
) -> None:  # fmt: skip
    """Traces a path back to the start. An element that was not reached before a shift was reached by it."""
    for i in range(count):
        g.builder.store(const(0), g.builder.gep(out, [const(i)], inbounds=True))
    before, head, done = g.builder.block, g.block("back"), g.block("way")
    g.builder.branch(head)
    g.at(head)
    at, x = g.builder.phi(I64), g.builder.phi(I64)
    at.add_incoming(number, before)
    x.add_incoming(end, before)
    one: ir.Value = x
    for k in reversed(range(len(shifts))):
        _add(g, out, one)
        word = g.builder.load(_note(g, notes, at, k, len(shifts), count, g.builder.lshr(one, const(6))))
        there = g.builder.trunc(g.builder.lshr(word, g.builder.and_(one, const(63))), I1)
        one = g.builder.select(there, one, plus(g, one, -shifts[k]))
    _add(g, out, one)
    at.add_incoming(plus(g, at, -1), g.builder.block)
    x.add_incoming(one, g.builder.block)
    g.builder.cbranch(g.builder.icmp_unsigned("==", at, const(0)), done, head)
    g.at(done)


def _add(g: Fn, out: ir.Value, x: ir.Value) -> None:
    word = g.builder.gep(out, [g.builder.lshr(x, const(6))], inbounds=True)
    g.builder.store(g.builder.or_(g.builder.load(word), g.builder.shl(const(1), g.builder.and_(x, const(63)))), word)
