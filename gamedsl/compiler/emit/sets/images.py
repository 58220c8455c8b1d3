"""Images of sets under constant relations: shifts of the whole set for regular relations, else a loop over members."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.expression_code import give, set_words
from gamedsl.compiler.emit.llvm_module import I64, Fn, const, set_const
from gamedsl.compiler.emit.memory_layout import words_of
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Shift:
    """Maps each element in ``mask`` to the element ``by`` further on."""

    by: int
    mask: int


@lru_cache(maxsize=512)
def _shifts(values: tuple[int, ...]) -> tuple[Shift, ...]:
    masks: dict[int, int] = {}
    for x, targets in enumerate(values):
        while targets:
            low = targets & -targets
            by = low.bit_length() - 1 - x
            masks[by] = masks.get(by, 0) | 1 << x
            targets ^= low
    return tuple(Shift(by, masks[by]) for by in sorted(masks))


def shifts(table: n.TableData) -> tuple[Shift, ...]:
    """The relation D -> set of E as shifts: y is in table(x) if and only if a shift with x in its mask leads to y."""
    return _shifts(table.values)


def regular(table: n.TableData) -> bool:
    """Whether images under a relation are a few shifts."""
    return len(table.keys) == 1 and isinstance(table.type, n.SetT) and len(shifts(table)) <= cutoffs.IMAGE_SHIFTS


def image_is_short(e: n.Loop) -> bool:
    """Whether the loop is ``union x in S: T(x)`` with a regular T."""
    body = e.body
    if not isinstance(body, n.Lookup) or len(body.keys) != 1 or not isinstance(body.keys[0], n.Load):
        return False
    return body.keys[0].local.id == e.local.id and isinstance(e.over.type, n.SetT) and regular(body.table)


def image(f: Fn, over: sets.Words, table: n.TableData) -> sets.Words:
    """The union of T(x) for x in a set, by shifts."""
    assert isinstance(table.type, n.SetT)
    source, target = table.keys[0].size, table.type.domain.size
    size = max(words_of(source), words_of(target))
    padded = (*over, *(const(0) for _ in range(size - len(over))))
    total: sets.Words = tuple(const(0) for _ in range(size))
    full = (1 << source) - 1
    for k, one in enumerate(shifts(table)):
        part = padded if one.mask == full else sets.both(f, padded, set_const(one.mask, size))
        moved = sets.shifted(f, part, one.by)
        total = moved if k == 0 else sets.either(f, total, moved)
    return total[: words_of(target)]


def short_image(f: Fn, e: n.Loop) -> sets.Words | None:
    """Emits ``union x in S: T(x)`` with a regular T, by shifts. Returns None for other loops."""
    if e.kind != "union" or e.condition is not None or not image_is_short(e) or not isinstance(e.body, n.Lookup):
        return None
    return image(f, set_words(f, e.over), e.body.table)


def flood(f: Fn, e: n.Flood) -> sets.Words:
    """The elements reachable from ``start`` within ``within``. Each round extends the frontier, until it is empty."""
    start, within = set_words(f, e.start), set_words(f, e.within)
    return flooded(f, sets.both(f, start, within), within, e.table)


@lru_cache(maxsize=512)
def longest_path(values: tuple[int, ...]) -> int | None:
    """The length of the longest path of an acyclic relation with at most one successor per element. None for other
    relations."""
    best = 0
    for x in range(len(values)):
        length, at = 0, values[x]
        while at:
            if at & (at - 1) or length > len(values):
                return None
            length, at = length + 1, values[at.bit_length() - 1]
        best = max(best, length)
    return best


def _followed(f: Fn, start: sets.Words, within: sets.Words, table: n.TableData, steps: int) -> sets.Words:
    """A flood along paths without branches: a fixed number of steps. With a single shift, ``within`` is masked once by
    its targets, instead of its sources at every step."""
    found, found_shifts = start, shifts(table)
    if len(found_shifts) == 1:
        size, number = len(start), table.keys[0].size
        by, mask = found_shifts[0].by, found_shifts[0].mask
        targets = mask << by if by >= 0 else mask >> -by
        target = sets.both(f, within, set_const(targets & (1 << number) - 1, size))
        for _ in range(steps):
            found = sets.either(f, found, sets.both(f, sets.shifted(f, found, by), target))
        return found
    for _ in range(steps):
        found = sets.either(f, found, sets.both(f, image(f, found, table), within))
    return found


def flooded(f: Fn, start: sets.Words, within: sets.Words, table: n.TableData) -> sets.Words:
    steps = longest_path(table.values)
    if steps is not None and steps <= cutoffs.FLOOD_ROUNDS and regular(table):
        return _followed(f, start, within, table, max(0, steps - 2))
    if len(start) >= cutoffs.SHARED_FLOOD:
        return _by_function(f, start, within, table)
    return _in_rounds(f, start, within, table)


def _by_function(f: Fn, start: sets.Words, within: sets.Words, table: n.TableData) -> sets.Words:
    """The flood as a call of one function for all floods of the module under this relation: the rounds of a large board are
    long code, and LLVM takes the longer the more of it one function has."""
    size = len(start)

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        give(g, _in_rounds(g, tuple(values[:size]), tuple(values[size:]), table))

    result = ir.LiteralStructType([I64] * size)
    made = f.unit.function(("flood", table.values, size), "flood", result, [I64] * (2 * size), body)
    found = f.builder.call(made, [f.ctx, f.s, *start, *within])
    return tuple(f.builder.extract_value(found, i) for i in range(size))


def _in_rounds(f: Fn, start: sets.Words, within: sets.Words, table: n.TableData) -> sets.Words:
    size = len(start)
    before, head, done = f.builder.block, f.block("flood"), f.block("flooded")
    f.builder.branch(head)
    f.at(head)
    found, edge = [f.builder.phi(I64) for _ in range(size)], [f.builder.phi(I64) for _ in range(size)]
    for one, value in zip((*found, *edge), (*start, *start), strict=True):
        one.add_incoming(value, before)
    step = image(f, tuple(edge), table) if regular(table) else image_by_members(f, tuple(edge), table)
    new = sets.without(f, sets.both(f, step, within), tuple(found))
    all_found = sets.either(f, tuple(found), new)
    for one, value in zip((*found, *edge), (*all_found, *new), strict=True):
        one.add_incoming(value, f.builder.block)
    f.builder.cbranch(sets.is_empty(f, new), done, head)
    f.at(done)
    return all_found


def image_of(f: Fn, x: ir.Value, table: n.TableData) -> sets.Words:
    """T(x), for a number x."""
    assert isinstance(table.type, n.SetT)
    size = words_of(table.type.domain.size)
    data, _, _ = f.unit.table(table)
    base = f.builder.mul(x, const(size))
    return tuple(f.builder.load(f.unit.at(f.builder, data, f.builder.add(base, const(i)))) for i in range(size))


def image_by_members(f: Fn, over: sets.Words, table: n.TableData) -> sets.Words:
    """The union of T(x) for x in a set, member by member."""
    assert isinstance(table.type, n.SetT)
    parts = [f.alloca(I64) for _ in range(words_of(table.type.domain.size))]
    for part in parts:
        f.builder.store(const(0), part)

    def body(x: ir.Value) -> None:
        for part, row in zip(parts, image_of(f, x, table), strict=True):
            f.builder.store(f.builder.or_(f.builder.load(part), row), part)

    each_member(f, over, 0, body)
    return tuple(f.builder.load(part) for part in parts)
