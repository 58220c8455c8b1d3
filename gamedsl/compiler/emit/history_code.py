"""Noted positions: a linked list in the thread's arena. An entry has its predecessor, a hash, and the position.

For nearly all positions, counters (``noted_counters.py``) show that they have not been noted as often as the rules ask.
The list is searched only for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import (
    CTX_ARENA,
    CTX_CAPACITY,
    CTX_USED,
    I64,
    Fn,
    Unit,
    const,
    flag,
)
from gamedsl.compiler.emit.memory import (
    context_field,
    fail_if,
    load_slot,
    plus,
    store_slot,
)
from gamedsl.compiler.emit.noted_counters import MOST, begin_counting, counted, counted_once_more, end_counting
from gamedsl.compiler.emit.position_words import Words, hash_of, position_words, size_of, store_words
from gamedsl.language.core import nodes as n
from gamedsl.language.core import walk, walk_statements
from gamedsl.language.source import lazy_dataclass

MANY = (1 << 63) - 1


# ------------------------------------------------------------------------------------------------------- plays


def begin_play(f: Fn) -> None:
    """Starts counting noted positions for a game from this state, until ``end_play``. Counts those noted before as
    well."""
    histories = [v for v in f.unit.program.variables if isinstance(v.type, n.HistoryT)]
    if histories:
        begin_counting(f)
    for v in histories:
        _each_entry(f, load_slot(f, v, []), lambda at: _count_entry(f, at))


def _count_entry(f: Fn, at: ir.Value) -> None:
    counted_once_more(f, _kept(f, at, 1))


def end_play(f: Fn) -> None:
    if any(isinstance(v.type, n.HistoryT) for v in f.unit.program.variables):
        end_counting(f)


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


@lazy_dataclass(frozen=True)
class Position:
    """A position that has been counted. ``count``: see ``noted_counters.py``; ``just``: the last statement has noted
    it."""

    history: n.Var
    position: tuple[n.Expr, ...]
    words: list[Words]
    hashed: ir.Value
    count: ir.Value
    just: bool


@lazy_dataclass()
class Noting:
    """The position that was noted last, if it is known."""

    just: Position | None = None


def note(f: Fn, s: n.NoteS) -> None:
    """Prepends an entry. A full arena is a rules error."""
    noting(f, s)


def notes_positions(unit: Unit, stmts: tuple[n.CoreStmt, ...]) -> bool:
    """Whether these statements note positions."""
    for s in walk_statements(stmts):
        if isinstance(s, n.NoteS) or (
            isinstance(s, n.Effect) and notes_positions(unit, unit.program.schemas[s.schema].effect)
        ):
            return True
    return False


def asks_what_it_notes(block: n.Block) -> bool:
    """Whether the block ends by noting a position and branching on what has been noted."""
    if not isinstance(block.end, n.BranchT) or not block.statements or not isinstance(block.statements[-1], n.NoteS):
        return False
    leaves = any(isinstance(s, n.StopS) for s in walk_statements(block.statements))
    return not leaves and any(isinstance(e, n.Noted) for e in walk(block.end.condition))


def noting(f: Fn, s: n.CoreStmt) -> Position:
    """Notes a position and counts it."""
    assert isinstance(s, n.NoteS)
    words = position_words(f, s.position)
    hashed = hash_of(f, words)
    count = counted_once_more(
        f, hashed
    )  # before the words are stored, because the counter is rarely in the nearest cache
    _put(f, s, words, hashed)
    return Position(s.history, s.position, words, hashed, count, just=True)


def _put(f: Fn, s: n.NoteS, words: list[Words], hashed: ir.Value) -> None:
    used = f.builder.load(context_field(f, CTX_USED))
    end = plus(f, used, 2 + size_of(words))
    full = f.builder.icmp_unsigned(">", end, f.builder.load(context_field(f, CTX_CAPACITY)))
    fail_if(f, full, s.span, "there is no more room for noted positions")
    with f.builder.if_then(f.builder.not_(full)):
        arena, before = _arena(f), load_slot(f, s.history, [])
        for i, w in enumerate((before, hashed)):
            assert isinstance(w, ir.Value)
            f.builder.store(w, f.builder.gep(arena, [plus(f, used, i)], inbounds=True))
        store_words(f, words, f.builder.gep(arena, [plus(f, used, 2)], inbounds=True))
        f.builder.store(end, context_field(f, CTX_USED))
        store_slot(f, s.history, [], used)


def noted(f: Fn, e: n.Noted) -> ir.Value:
    """The number of times that the position has been noted."""
    asked, least = _asked(f, e)
    # It was noted just now and has been counted once, or it was never counted.
    sure = f.builder.icmp_unsigned("<=", asked.count, const(least))
    return _number(f, sure, const(least), lambda: _times(f, asked))


def noted_at_least(f: Fn, e: n.Op2) -> ir.Value | None:
    """``n <= the number of times that the position has been noted`` for a constant n, the usual condition."""
    match e:
        case n.Op2(op="le" | "lt", left=n.Const(value=least), right=n.Noted() as question):
            number = least + (e.op == "lt")
        case _:
            return None
    if number <= 0:
        return flag(True)
    asked, _ = _asked(f, question)
    too_few = f.builder.icmp_unsigned("<", asked.count, const(min(number, MOST)))
    times = _number(f, too_few, const(0), lambda: _times(f, asked, number))
    return f.builder.icmp_unsigned(">=", times, const(number))


def _asked(f: Fn, e: n.Noted) -> tuple[Position, int]:
    """The position that an expression asks about with its count, and the least number of times that it has been
    noted."""
    just = f.features.of(Noting).just
    if just is not None and (just.history, just.position) == (e.history, e.position):
        return just, 1
    words = position_words(f, e.position)
    hashed = hash_of(f, words)
    return Position(e.history, e.position, words, hashed, counted(f, hashed), just=False), 0


def _number(f: Fn, known: ir.Value, value: ir.Value, otherwise: Callable[[], ir.Value]) -> ir.Value:
    """``value`` if ``known`` holds, else the value that ``otherwise`` emits, which is rarely needed."""
    before, search, done = f.builder.block, f.block("search"), f.block("found")
    f.builder.cbranch(known, done, search)
    f.at(search)
    found = otherwise()
    after = f.builder.block
    f.builder.branch(done)
    f.at(done)
    number = f.builder.phi(I64)
    number.add_incoming(value, before)
    number.add_incoming(found, after)
    return number


def _times(f: Fn, asked: Position, enough: int = MANY) -> ir.Value:
    """The number of equal entries, counted up to ``enough``."""
    newest, size = load_slot(f, asked.history, []), size_of(asked.words)
    if asked.just:
        entry = f.builder.gep(_arena(f), [newest], inbounds=True)
    else:
        entry = f.builder.bitcast(f.alloca(I64, 2 + size), I64.as_pointer())
        f.builder.store(asked.hashed, f.builder.gep(entry, [const(1)], inbounds=True))
        store_words(f, asked.words, f.builder.gep(entry, [const(2)], inbounds=True))
    return f.builder.call(_counting(f.unit, size), [f.ctx, f.s, newest, entry, const(enough)])


def _counting(unit: Unit, size: int) -> ir.Function:
    """``noted_times(ctx, s, newest, entry, enough) -> times``: searches a list of positions of ``size`` words each."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        newest, entry, enough = values
        wanted = [f.builder.load(f.builder.gep(entry, [const(1 + i)], inbounds=True)) for i in range(1 + size)]
        total = f.alloca(I64)
        f.builder.store(const(0), total)

        def one(at: ir.Value) -> None:
            same, following, counted_all = f.block("same"), f.block("older"), f.block("enough")
            f.builder.cbranch(f.builder.icmp_unsigned("==", _kept(f, at, 1), wanted[0]), same, following)
            f.at(same)
            equal: ir.Value = flag(True)
            for i, w in enumerate(wanted[1:]):
                equal = f.builder.and_(equal, f.builder.icmp_unsigned("==", _kept(f, at, 2 + i), w))
            times = f.builder.add(f.builder.load(total), f.builder.zext(equal, I64))
            f.builder.store(times, total)
            f.builder.cbranch(f.builder.icmp_unsigned("<", times, enough), following, counted_all)
            f.at(counted_all)
            f.builder.ret(times)
            f.at(following)

        _each_entry(f, newest, one)
        f.builder.ret(f.builder.load(total))

    made = unit.function(("noted times", size), "noted_times", I64, [I64, I64.as_pointer(), I64], body)
    made.attributes.add("noinline")
    made.attributes.add("cold")
    return made
