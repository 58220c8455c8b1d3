"""Images of sets by table look-up: a table for every chunk of elements; the looked-up sets are united."""

from __future__ import annotations

from collections.abc import Iterator

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.expression_code import set_words
from gamedsl.compiler.emit.llvm_module import Fn, const
from gamedsl.compiler.emit.memory_layout import words_of
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.language.core import nodes as n


def chunked(e: n.Loop) -> bool:
    """Whether the loop is ``union x in S: T(x)``, over domains small enough for tables."""
    body = e.body
    if e.kind != "union" or e.condition is not None or not isinstance(body, n.Lookup) or len(body.keys) != 1:
        return False
    if (
        not isinstance(body.keys[0], n.Load)
        or body.keys[0].local.id != e.local.id
        or not isinstance(e.over.type, n.SetT)
    ):
        return False
    return (
        isinstance(e.type, n.SetT)
        and cutoffs.PART_OF_WORD < e.over.type.domain.size <= cutoffs.IMAGE_TABLE
        and e.type.domain.size <= cutoffs.IMAGE_TABLE
    )


def chunked_image(f: Fn, e: n.Loop) -> sets.Words | None:
    """Emits ``union x in S: T(x)`` by look-ups of chunks of S. Returns None for other loops."""
    if not chunked(e) or not isinstance(e.body, n.Lookup):
        return None
    return image(f, set_words(f, e.over), e.body.table)


def image(f: Fn, over: sets.Words, table: n.TableData) -> sets.Words:
    """The union of T(x) for x in a set."""
    assert isinstance(table.type, n.SetT)
    size, count = table.keys[0].size, words_of(table.type.domain.size)
    bits = part_bits(size)
    key = ("parts", f.unit.keep(table.values))
    data = f.unit.numbers(key, list(entries(table.values, bits, count)), 64)
    total = [const(0) for _ in range(count)]
    for at in range(0, size, bits):
        word = over[at // 64]
        part = f.builder.lshr(word, const(at % 64)) if at % 64 else word
        first = f.builder.mul(f.builder.and_(part, const((1 << bits) - 1)), const(count))
        for i in range(count):
            index = f.builder.add(first, const((at // bits << bits) * count + i))
            total[i] = _or(f, total[i], f.builder.load(f.unit.at(f.builder, data, index)))
    return tuple(total)


def _or(f: Fn, a: ir.Value, b: ir.Value) -> ir.Value:
    return b if isinstance(a, ir.Constant) else f.builder.or_(a, b)


def part_bits(size: int) -> int:
    """The number of elements per chunk, for a set over a domain of this size."""
    return cutoffs.PART_OF_WORD if size <= 64 else cutoffs.PART_OF_WORDS


def entries(values: tuple[int, ...], bits: int, count: int, width: int = 64) -> Iterator[int]:
    """For every chunk and every subset of it, the union of the values, as ``count`` numbers of ``width`` bits."""
    for at in range(0, len(values), bits):
        for part in range(1 << bits):
            total = 0
            for i, v in enumerate(values[at : at + bits]):
                if part >> i & 1:
                    total |= v
            yield from (total >> width * i & (1 << width) - 1 for i in range(count))
