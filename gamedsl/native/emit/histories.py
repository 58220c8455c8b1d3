"""Noted positions: a linked list in the thread's arena. An entry has its predecessor, a hash, and the position.

In a series of playouts, a Bloom filter with one hash shows for nearly all positions that they are new. The list is
searched only if the bit is set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from llvmlite import ir

from gamedsl.core import walk, walk_statements
from gamedsl.core.nodes import (
    Block,
    BranchT,
    Const,
    CoreStmt,
    Effect,
    Expr,
    Get,
    HistoryT,
    Noted,
    NoteS,
    SetT,
    StopS,
    Var,
)
from gamedsl.native.emit.expressions import expr, number, set_words
from gamedsl.native.emit.memory import (
    clear,
    context_field,
    copy_bytes,
    fail_if,
    load_slot,
    memory_words,
    plus,
    slot_address,
    store_slot,
)
from gamedsl.native.emit.module_builder import (
    CTX_ARENA,
    CTX_CAPACITY,
    CTX_SEEN,
    CTX_USED,
    I1,
    I64,
    PTR,
    Fn,
    Unit,
    const,
    spread,
)
from gamedsl.native.emit.noted_positions import Piece, layout
from gamedsl.native.emit.splitmix import GAMMA, mix
from gamedsl.native.emit.state_layout import WORD

I128 = ir.IntType(128)
MASK = (1 << WORD) - 1
BITS = 16  # bits of a hash that select its bit in the table
COUNT = 1 << BITS >> 6  # words of the table


# ------------------------------------------------------------------------------------------------------- words


def _words(f: Fn, position: tuple[Expr, ...]) -> list[ir.Value]:
    """The position as words; see ``noted_positions.py``."""
    found: list[ir.Value] = []
    for piece in layout(tuple(e.type for e in position)):
        values = position[piece.first : piece.first + piece.count]
        if piece.cell is None:
            found += [f.builder.zext(w, I64) if w.type == I1 else w for w in spread(expr(f, values[0]))]
        else:
            found += _lying(f, values, piece) or _packed(f, values, piece)
    return found


def _lying(f: Fn, values: Sequence[Expr], piece: Piece) -> list[ir.Value] | None:
    """The words of contiguous slots. Returns None if the values are anything else."""
    first = values[0]
    slots = [_slot(e) for e in values]
    if not isinstance(first, Get) or slots[0] is None or piece.cell is None:
        return None
    if slots != [(first.var.index, slots[0][1] + i) for i in range(len(values))]:
        return None
    keys = [const(k.value) for k in first.keys if isinstance(k, Const)]
    return memory_words(f, slot_address(f, first.var, keys), piece.count * piece.cell.size)


def _slot(e: Expr) -> tuple[int, int] | None:
    """The variable and the slot that the expression reads, as (index, slot). Returns None for other expressions."""
    if not isinstance(e, Get):
        return None
    at = 0
    for domain, key in zip(e.var.keys, e.keys, strict=True):
        if not isinstance(key, Const):
            return None
        at = at * domain.size + key.value
    return e.var.index, at


def _packed(f: Fn, values: Sequence[Expr], piece: Piece) -> list[ir.Value]:
    """The same words, packed value by value."""
    assert piece.cell is not None
    items = WORD // piece.cell.bits
    found: list[ir.Value] = []
    for i, e in enumerate(values):
        value = set_words(f, e)[0] if isinstance(e.type, SetT) else plus(f, number(f, e), -piece.cell.low)
        if i % items == 0:
            found.append(value)
        else:
            found[-1] = f.builder.or_(found[-1], f.builder.shl(value, const(i % items * piece.cell.bits)))
    return found


def _factor(i: int) -> int:
    """The key that is mixed into the i-th word."""
    return mix((i + 1) * GAMMA & MASK)


def _hash(f: Fn, words: list[ir.Value]) -> ir.Value:
    """Hashes words in pairs: the sum of their products, each folded by XOR of its upper and lower half. The products
    are independent of each other."""
    total: ir.Value = const(GAMMA)
    for i in range(0, len(words), 2):
        pair = words[i : i + 2] + [const(0)] * (2 - len(words[i : i + 2]))
        a, b = (f.builder.zext(f.builder.xor(w, const(_factor(i + k))), I128) for k, w in enumerate(pair))
        product = f.builder.mul(a, b)
        high = f.builder.trunc(f.builder.lshr(product, ir.Constant(I128, WORD)), I64)
        total = f.builder.add(total, f.builder.xor(high, f.builder.trunc(product, I64)))
    return total


def hash_words(words: list[int]) -> int:
    """The same hash for Python integers."""
    total = GAMMA
    padded = words + [0] * (len(words) % 2)
    for i in range(0, len(padded), 2):
        product = (padded[i] ^ _factor(i)) * (padded[i + 1] ^ _factor(i + 1))
        total += product >> WORD ^ product & MASK
    return total & MASK


# -------------------------------------------------------------------------------------------------------- Bloom filter


class Seen:
    """The Bloom filter of one history in a series of playouts: the bits of the hashes of all noted positions, and
    possibly more. Initialized from the state; ``begin`` starts a new play."""

    def __init__(self, f: Fn, history: Var) -> None:
        self.first, self.now = f.alloca(I64, COUNT), f.alloca(I64, COUNT)
        clear(f, f.builder.bitcast(self.first, PTR), 8 * COUNT)
        _each_entry(f, load_slot(f, history, []), lambda at: _set(f, self.first, _kept(f, at, 1)))

    def begin(self, f: Fn) -> None:
        copy_bytes(f, f.builder.bitcast(self.now, PTR), f.builder.bitcast(self.first, PTR), 1 << BITS >> 3)

    def add(self, f: Fn, hashed: ir.Value) -> None:
        _set(f, self.now, hashed)

    def has(self, f: Fn, hashed: ir.Value) -> ir.Value:
        return _has(f, self.now, hashed)


def begin_play(f: Fn) -> None:
    """Gives the context a Bloom filter of all noted positions, which emitted functions use until ``end_play``."""
    histories = [v for v in f.unit.program.variables if isinstance(v.type, HistoryT)]
    if histories:
        table = f.alloca(I64, COUNT)
        clear(f, f.builder.bitcast(table, PTR), 8 * COUNT)
        for v in histories:
            _each_entry(f, load_slot(f, v, []), lambda at: _set(f, table, _kept(f, at, 1)))
        f.builder.store(f.builder.ptrtoint(table, I64), context_field(f, CTX_SEEN))


def end_play(f: Fn) -> None:
    f.builder.store(const(0), context_field(f, CTX_SEEN))


def _table(f: Fn) -> tuple[ir.Value, ir.Value]:
    """The context's table of bits, and whether there is one."""
    at = f.builder.load(context_field(f, CTX_SEEN))
    return f.builder.inttoptr(at, ir.ArrayType(I64, COUNT).as_pointer()), f.builder.icmp_unsigned("!=", at, const(0))


def _place(f: Fn, words: ir.Value, hashed: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The address of the word that holds a hash's bit, and the number of the bit."""
    index = f.builder.lshr(hashed, const(WORD - BITS))
    at = f.builder.gep(words, [const(0), f.builder.lshr(index, const(6))], inbounds=True)
    return at, f.builder.and_(index, const(63))


def _has(f: Fn, words: ir.Value, hashed: ir.Value) -> ir.Value:
    at, bit = _place(f, words, hashed)
    return f.builder.trunc(f.builder.lshr(f.builder.load(at), bit), I1)


def _set(f: Fn, words: ir.Value, hashed: ir.Value) -> None:
    at, bit = _place(f, words, hashed)
    f.builder.store(f.builder.or_(f.builder.load(at), f.builder.shl(const(1), bit)), at)


# --------------------------------------------------------------------------------------------------- linked list


def _arena(f: Fn) -> ir.Value:
    return f.builder.inttoptr(f.builder.load(context_field(f, CTX_ARENA)), I64.as_pointer())


def _kept(f: Fn, entry: ir.Value, index: int) -> ir.Value:
    """A word of an entry."""
    return f.builder.load(f.builder.gep(_arena(f), [plus(f, entry, index)], inbounds=True))


def _each_entry(f: Fn, newest: ir.Value, body: Callable[[ir.Value], None]) -> None:
    """Emits ``body`` for every entry of a list, newest first."""
    before, head, look, done = f.builder.block, f.block("chain"), f.block("entry"), f.block("all")
    f.builder.branch(head)
    f.at(head)
    at = f.builder.phi(I64)
    at.add_incoming(newest, before)
    f.builder.cbranch(f.builder.icmp_unsigned("==", at, const(0)), done, look)
    f.at(look)
    body(at)
    older = _kept(f, at, 0)
    at.add_incoming(older, f.builder.block)
    f.builder.branch(head)
    f.at(done)


@dataclass(frozen=True)
class JustNoted:
    """The position just noted, when no statement has followed. ``times`` counts how often it has been noted,
    including now."""

    history: Var
    position: tuple[Expr, ...]
    times: ir.Value


@dataclass
class Noting:
    """``seen``: the Bloom filter of each history. ``just``: the position noted last."""

    seen: dict[int, Seen] = field(default_factory=dict)
    just: JustNoted | None = None


def note(f: Fn, s: NoteS) -> None:
    """Prepends an entry. A full arena is a rules error."""
    words = _words(f, s.position)
    _put(f, s, words, _hash(f, words))


def notes_positions(unit: Unit, stmts: tuple[CoreStmt, ...]) -> bool:
    """Do these statements note positions?"""
    for s in walk_statements(stmts):
        if isinstance(s, NoteS) or (
            isinstance(s, Effect) and notes_positions(unit, unit.program.schemas[s.schema].effect)
        ):
            return True
    return False


def asks_what_it_notes(block: Block) -> bool:
    """Does the block end by noting a position and branching on what has been noted?"""
    if not isinstance(block.end, BranchT) or not block.statements or not isinstance(block.statements[-1], NoteS):
        return False
    leaves = any(isinstance(s, StopS) for s in walk_statements(block.statements))
    return not leaves and any(isinstance(e, Noted) for e in walk(block.end.condition))


def noting(f: Fn, s: CoreStmt) -> JustNoted:
    """Notes a position and counts how often it has been noted."""
    assert isinstance(s, NoteS)
    words = _words(f, s.position)
    hashed = _hash(f, words)
    times = plus(f, _times(f, s.history, words, hashed), 1)
    _put(f, s, words, hashed)
    return JustNoted(s.history, s.position, times)


def _put(f: Fn, s: NoteS, words: list[ir.Value], hashed: ir.Value) -> None:
    used = f.builder.load(context_field(f, CTX_USED))
    end = plus(f, used, 2 + len(words))
    full = f.builder.icmp_unsigned(">", end, f.builder.load(context_field(f, CTX_CAPACITY)))
    fail_if(f, full, s.span, "there is no more room for noted positions")
    with f.builder.if_then(f.builder.not_(full)):
        arena, before = _arena(f), load_slot(f, s.history, [])
        for i, w in enumerate((before, hashed, *words)):
            assert isinstance(w, ir.Value)
            f.builder.store(w, f.builder.gep(arena, [plus(f, used, i)], inbounds=True))
        f.builder.store(end, context_field(f, CTX_USED))
        store_slot(f, s.history, [], used)
        seen = f.features.of(Noting).seen.get(s.history.index)
        if seen is not None:
            seen.add(f, hashed)
        else:
            bits, there = _table(f)
            with f.builder.if_then(there):
                _set(f, bits, hashed)


def noted(f: Fn, e: Noted) -> ir.Value:
    """How often the position has been noted."""
    just = f.features.of(Noting).just
    if just is not None and (just.history, just.position) == (e.history, e.position):
        return just.times
    words = _words(f, e.position)
    return _times(f, e.history, words, _hash(f, words))


def _times(f: Fn, history: Var, words: list[ir.Value], hashed: ir.Value) -> ir.Value:
    """The number of entries with this hash and these words."""
    total = f.alloca(I64)
    f.builder.store(const(0), total)
    seen, done = f.features.of(Noting).seen.get(history.index), f.block("counted")
    if seen is not None:
        search = f.block("search")
        f.builder.cbranch(seen.has(f, hashed), search, done)
        f.at(search)
    else:
        bits, there = _table(f)
        look, search = f.block("look"), f.block("search")
        f.builder.cbranch(there, look, search)
        f.at(look)
        f.builder.cbranch(_has(f, bits, hashed), search, done)
        f.at(search)

    def one(at: ir.Value) -> None:
        same, following = f.block("same"), f.block("older")
        f.builder.cbranch(f.builder.icmp_unsigned("==", _kept(f, at, 1), hashed), same, following)
        f.at(same)
        equal: ir.Value = ir.Constant(I1, 1)
        for i, w in enumerate(words):
            equal = f.builder.and_(equal, f.builder.icmp_unsigned("==", _kept(f, at, 2 + i), w))
        f.builder.store(f.builder.add(f.builder.load(total), f.builder.zext(equal, I64)), total)
        f.builder.branch(following)
        f.at(following)

    _each_entry(f, load_slot(f, history, []), one)
    f.builder.branch(done)
    f.at(done)
    return f.builder.load(total)
