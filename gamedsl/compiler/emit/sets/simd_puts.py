"""SIMD over elements where pieces are put on stacks: one addition instead of a loop in a loop.

    for c in all
      for round in first[falls(n, c)]
        check 1 <= 48 - (count(S) + sum d in S: above[d])
        if c in S: above[c] := above[c] + 1  else S := S | {c}

``repeat N times`` looks its rounds up by N, so each element gets as many pieces as the number says. Heights and the
number of pieces on the board only grow, so it is enough to ask about them at the end. If one is too large, nothing has
been stored, and the loops run piece by piece to report the error.

Rounds whose number depends on what the loops change are not handled.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import numbers, set_words
from gamedsl.compiler.emit.llvm_module import Fn
from gamedsl.compiler.emit.memory import store_slot
from gamedsl.compiler.emit.sets.simd_elements import HALF, Lanes, NotVector
from gamedsl.compiler.emit.sets.simd_numbers import SimdNumbers, called_reads, wide_enough
from gamedsl.language.core import can_fail, free_locals, limits, walk
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class _Puts:
    """One round: a piece more on the stack of an element. ``most`` is the largest number above the lowest piece,
    ``supply`` the largest number of pieces together, None if nothing bounds it; ``alone``: conditions that hold where
    such a piece is."""

    pieces: n.Get
    above: n.Get
    most: int
    supply: int | None
    alone: tuple[n.Expr, ...]


def simd_puts(f: Fn, s: n.ForS) -> ir.Block | None:
    """Emits loops of this form. Returns the block for the case that a number is too large, from which nothing has been
    stored, or None for other forms."""
    t = s.local.type
    if not isinstance(s.over, n.Const) or not wide_enough(f, t, s.over):
        return None
    match s.body:
        case (n.ForS(over=n.Lookup(keys=(key,), table=table)) as inner,) if _counts(table):
            puts = _puts(s.local, inner.body)
        case _:
            return None
    if puts is None or inner.local.id in {*free_locals(puts.pieces), *free_locals(puts.above)}:
        return None
    changed = {puts.pieces.var.index, puts.above.var.index}
    if any(isinstance(x, n.Get) and x.var.index in changed for x in walk(key)):
        return None
    functions = f.unit.program.functions
    if any(can_fail(e, functions) for e in (key, *puts.alone)) or called_reads(f, key, changed):
        return None
    assert isinstance(t, n.ElemT)
    try:
        work = _SimdPuts(f, s.local, t, puts)
        counted = work.counted(key, len(table.values) - 1)
        work.check()
    except NotVector:
        return None
    return work.emit(s.over.value, counted)


def _counts(table: n.TableData) -> bool:
    """Whether a set that is looked up by a number has that many members."""
    return isinstance(table.type, n.SetT) and all(x.bit_count() == i for i, x in enumerate(table.values))


def _puts(local: n.Local, body: Sequence[n.CoreStmt]) -> _Puts | None:
    """What a round puts on the element's stack. None for other statements."""
    *checks, last = body
    match last:
        case n.IfS(
            condition=n.Op2(op="in", left=n.Load(local=asked), right=n.Get() as pieces),
            then=(
                n.Assign(value=n.Convert(operand=n.Op2(op="add", left=n.Get() as above, right=n.Const(value=1)))) as up,
            ),
            otherwise=(
                n.Assign(
                    value=n.Op2(op="union", left=before, right=n.Op1(op="single", operand=n.Load(local=added)))
                ) as new,
            ),
        ) if asked == added == local:
            pass
        case _:
            return None
    same = (up.var, up.keys) == (above.var, above.keys) and (new.var, new.keys, before) == (
        pieces.var,
        pieces.keys,
        pieces,
    )
    if not same or not above.keys or above.keys[-1] != n.Load(local) or not isinstance(up.var.type, n.IntT):
        return None
    if any(local.id in free_locals(k) or not _constant_key(k) for k in (*pieces.keys, *above.keys[:-1])):
        return None
    low, most = limits(up.var.type)
    supply, alone = None, []
    for check in checks:
        found = _supply(check, pieces, above)
        if found is not None:
            supply = found if supply is None else min(found, supply)
        elif isinstance(check, n.Check) and _holds_afterward(check.condition, local, pieces):
            alone.append(check.condition)
        else:
            return None
    return _Puts(pieces, above, most, supply, tuple(alone)) if low == 0 else None


def _constant_key(e: n.Expr) -> bool:
    return isinstance(e, n.Const | n.Load)


def _supply(s: n.CoreStmt, pieces: n.Get, above: n.Get) -> int | None:
    """The largest number of pieces that a check before a round allows after it. None for other statements."""
    match s:
        case n.Check(
            condition=n.Op2(
                op="le",
                left=one,
                right=n.Convert(
                    operand=n.Op2(
                        op="sub",
                        left=n.Const(value=supply),
                        right=n.Op2(
                            op="add",
                            left=n.Op1(op="count", operand=counted),
                            right=n.Loop(kind="sum", local=d, over=over, condition=None, body=n.Get() as height),
                        ),
                    ),
                    type=n.IntT(low=0, high=high),
                ),
            )
        ) if counted == over == pieces and high >= supply and _is_one(one):
            same = height.var == above.var and height.keys == (*above.keys[:-1], n.Load(d))
            return supply if same else None
        case _:
            return None


def _is_one(e: n.Expr) -> bool:
    match e:
        case n.Const(value=1) | n.Op1(op="count", operand=n.Op1(op="single", operand=n.Load())):
            return True
        case _:
            return False


def _holds_afterward(e: n.Expr, local: n.Local, pieces: n.Get) -> bool:
    """Whether the condition holds where such a piece is."""
    match e:
        case n.Op2(op="or", left=n.Op2(op="in", left=n.Load(local=asked), right=right)):
            return asked == local and right == pieces
        case _:
            return False


class _SimdPuts(SimdNumbers):
    def __init__(self, f: Fn, local: n.Local, t: n.ElemT, puts: _Puts) -> None:
        super().__init__(f, local, t)
        self.puts = puts
        self.alone = [self.boolean(e) for e in puts.alone]

    def counted(self, key: n.Expr, most: int) -> Lanes:
        """A number from 0 to ``most`` at each element."""
        if isinstance(key, n.Convert) and isinstance(key.operand.type, n.IntT) and key.always_fits():
            key = key.operand
        low, high = limits(key.type)
        together = (self.puts.most + most + 1) * self.size
        if low < 0 or high > most or together >= 1 << HALF - 1:
            raise NotVector
        self.fit_bits(together.bit_length() + 1)
        return self.word(key)

    def emit(self, over: int, counted: Lanes) -> ir.Block:
        b, puts = self.f.builder, self.puts
        keys, lanes = numbers(self.f, puts.pieces.keys), self.type
        (before,) = set_words(self.f, puts.pieces)
        zero, one = self.constant([0] * self.lanes), self.constant([1] * self.lanes)
        heights, new, bad, total = [], [], None, None
        for at in range(0, self.size, self.lanes):
            held = self.members(before, at)
            more = b.select(self.mask(over, at), counted(at), zero)
            grows = b.icmp_unsigned("!=", more, zero)
            first = b.and_(grows, b.not_(held))
            height = b.sub(b.add(self.slots(puts.above.var, puts.above.keys, at), more), b.zext(first, lanes))
            heights.append((at, height))
            new.append(grows)
            wrong = b.and_(grows, b.icmp_unsigned(">", height, self.constant([puts.most] * self.lanes)))
            for alone in self.alone:
                wrong = b.or_(wrong, b.and_(grows, b.not_(alone(at))))
            bad = wrong if bad is None else b.or_(bad, wrong)
            part = b.select(b.or_(grows, held), b.add(height, one), zero)
            total = part if total is None else b.add(total, part)
        assert bad is not None and total is not None
        some = self.some(bad)
        if puts.supply is not None:
            pieces = self.added(total)
            some = b.or_(some, b.icmp_unsigned(">", pieces, ir.Constant(pieces.type, puts.supply)))
        failed = self.unless(some)
        self.store(puts.above.var, puts.above.keys, heights)
        found = self.set_of([lambda at: new[at // self.lanes]])
        store_slot(self.f, puts.pieces.var, keys, (b.or_(before, found),))
        return failed
