"""Noted positions: a chain of entries in the thread's arena. An entry: the one before it, a hash, the position's words."""

from __future__ import annotations

from llvmlite import ir

from gamedsl.core.nodes import Expr, Noted, NoteS
from gamedsl.native.expr import expr
from gamedsl.native.memory import fail_if, field, load_slot, plus, store_slot
from gamedsl.native.unit import CTX_ARENA, CTX_CAPACITY, CTX_USED, I1, I64, Fn, const, spread

PRIME = 0x9E3779B97F4A7C15


def _words(f: Fn, position: tuple[Expr, ...]) -> list[ir.Value]:
    """A position as words."""
    return [f.b.zext(w, I64) if w.type == I1 else w for e in position for w in spread(expr(f, e))]


def _hash(f: Fn, words: list[ir.Value]) -> ir.Value:
    total: ir.Value = const(PRIME)
    for w in words:
        total = f.b.mul(f.b.xor(total, w), const(PRIME))
        total = f.b.xor(total, f.b.lshr(total, const(29)))
    return total


def _arena(f: Fn) -> ir.Value:
    return f.b.inttoptr(f.b.load(field(f, CTX_ARENA)), I64.as_pointer())


def note(f: Fn, s: NoteS) -> None:
    """Puts an entry before the others; a rules error when the arena is full."""
    words = _words(f, s.position)
    used = f.b.load(field(f, CTX_USED))
    end = plus(f, used, 2 + len(words))
    full = f.b.icmp_unsigned(">", end, f.b.load(field(f, CTX_CAPACITY)))
    fail_if(f, full, s.span, "there is no more room for noted positions")
    with f.b.if_then(f.b.not_(full)):
        arena, before = _arena(f), load_slot(f, s.history, [])
        for i, w in enumerate((before, _hash(f, words), *words)):
            assert isinstance(w, ir.Value)
            f.b.store(w, f.b.gep(arena, [plus(f, used, i)], inbounds=True))
        f.b.store(end, field(f, CTX_USED))
        store_slot(f, s.history, [], used)


def noted(f: Fn, e: Noted) -> ir.Value:
    """How often the position has been noted: the entries with its hash and its words."""
    words = _words(f, e.position)
    wanted = _hash(f, words)
    arena, newest = _arena(f), load_slot(f, e.history, [])
    before, head, look, same, following, done = (
        f.b.block,
        *(f.block(n) for n in ("chain", "entry", "same", "older", "counted")),
    )
    f.b.branch(head)
    f.at(head)
    at, total = f.b.phi(I64), f.b.phi(I64)
    at.add_incoming(newest, before)
    total.add_incoming(const(0), before)
    f.b.cbranch(f.b.icmp_unsigned("==", at, const(0)), done, look)
    f.at(look)
    hashed = f.b.load(f.b.gep(arena, [plus(f, at, 1)], inbounds=True))
    f.b.cbranch(f.b.icmp_unsigned("==", hashed, wanted), same, following)
    f.at(same)
    equal: ir.Value = ir.Constant(I1, 1)
    for i, w in enumerate(words):
        kept = f.b.load(f.b.gep(arena, [plus(f, at, 2 + i)], inbounds=True))
        equal = f.b.and_(equal, f.b.icmp_unsigned("==", kept, w))
    more = f.b.add(total, f.b.zext(equal, I64))
    after_same = f.b.block
    f.b.branch(following)
    f.at(following)
    new_total = f.b.phi(I64)
    new_total.add_incoming(total, look)
    new_total.add_incoming(more, after_same)
    older = f.b.load(f.b.gep(arena, [at], inbounds=True))
    at.add_incoming(older, following)
    total.add_incoming(new_total, following)
    f.b.branch(head)
    f.at(done)
    return total


def hash_words(words: list[int]) -> int:
    """The same hash, of plain numbers."""
    mask = (1 << 64) - 1
    total = PRIME
    for w in words:
        total = (total ^ w) * PRIME & mask
        total ^= total >> 29
    return total
