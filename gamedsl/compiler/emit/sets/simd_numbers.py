"""SIMD over elements with numbers: the slots of a map as lanes of a vector.

    sum c in S: seeds[c]
    for c in all: seeds[c] := (seeds[c] + falls(n, c) as 0..48)

A sum adds up lanes under a mask. A loop that changes one slot of its own element in each round becomes one load and one
store. If a result is out of range, nothing has been stored, and the loop runs element by element to report the error.

Loops that read slots of other elements of the map they change are not handled.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.expression_code import numbers, set_words
from gamedsl.compiler.emit.llvm_module import I1, I32, I64, Fn, Value, const
from gamedsl.compiler.emit.memory import slot_address
from gamedsl.compiler.emit.memory_layout import WORD
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.simd_elements import Lanes, NotVector, SimdElements
from gamedsl.language.core import can_fail, limits, variables_read, walk
from gamedsl.language.core import nodes as n


def simd_sum(f: Fn, e: n.Loop) -> Value | None:
    """Emits a sum over a set. Returns None for other forms."""
    t = e.local.type
    if e.kind != "sum" or e.condition is not None or can_fail(e.body, f.unit.program.functions):
        return None
    if not wide_enough(f, t, e.over) or not any(isinstance(x, n.Get) and x.keys for x in walk(e.body)):
        return None
    assert isinstance(t, n.ElemT)
    try:
        work = SimdNumbers(f, e.local, t)
        work.fit(e)
        found = work.word(e.body)
        work.fit_bits(t.domain.size if not isinstance(e.over, n.Const) else 1)
        work.check()
    except NotVector:
        return None
    return work.sum(e.over, found)


def simd_filter(f: Fn, e: n.Loop) -> Value | None:
    """Emits a filter, count or quantifier over the elements of a constant set, with a condition on their slots. Returns
    None for other forms."""
    t = e.local.type
    if e.kind not in ("filter", "count", "some", "every") or e.condition is not None or not isinstance(e.over, n.Const):
        return None
    if not wide_enough(f, t, e.over) or can_fail(e.body, f.unit.program.functions):
        return None
    if not any(isinstance(x, n.Get) and x.keys for x in walk(e.body)):
        return None
    assert isinstance(t, n.ElemT)
    try:
        work = SimdNumbers(f, e.local, t)
        holds = work.boolean(e.body)
        work.check()
    except NotVector:
        return None
    over = set_words(f, e.over)
    return sets.quantified(f, e.kind, over, sets.both(f, over, (work.set_of([holds]),)))


def simd_update(f: Fn, s: n.ForS) -> ir.Block | None:
    """Emits a loop that changes one slot in each round. Returns the block for the case that a value is out of range,
    from which nothing has been stored, or None for other forms."""
    match s.body:
        case (n.Assign(var=var, keys=keys, value=value),) if keys and isinstance(s.over, n.Const):
            pass
        case _:
            return None
    t = s.local.type
    if not wide_enough(f, t, s.over) or not isinstance(var.type, n.IntT) or not _own(keys, s.local):
        return None
    if any(isinstance(x, n.Get) and x.var == var and x.keys != keys for x in walk(value)):
        return None
    if called_reads(f, value, {var.index}):
        return None
    assert isinstance(t, n.ElemT)
    try:
        work = SimdNumbers(f, s.local, t, checks=True)
        found = work.word(value)
        work.check()
    except NotVector:
        return None
    return work.update(var, keys, s.over.value, found)


def wide_enough(f: Fn, t: object, over: n.Expr) -> bool:
    if not f.unit.has_lanes or not isinstance(t, n.ElemT) or not cutoffs.SIMD_NUMBERS <= t.domain.size <= WORD:
        return False
    return not isinstance(over, n.Const) or over.value.bit_count() > cutoffs.UNROLLED_MEMBERS


def called_reads(f: Fn, e: n.Expr, variables: Set[int]) -> bool:
    """Whether a function that is called in the expression can read one of these variables."""
    return any(isinstance(x, n.CallF) and not variables.isdisjoint(variables_read(f.unit.program, x)) for x in walk(e))


def _own(keys: tuple[n.Expr, ...], local: n.Local) -> bool:
    """Whether the last key is this name, and no other key depends on it."""
    *others, last = keys
    return last == n.Load(local) and not any(
        isinstance(x, n.Load) and x.local.id == local.id for e in others for x in walk(e)
    )


class SimdNumbers(SimdElements):
    """``checks``: whether values may be out of range. If so, ``wrong`` gets vectors that say for which elements they
    are."""

    least = 16

    def __init__(self, f: Fn, local: n.Local, t: n.ElemT, checks: bool = False) -> None:
        super().__init__(f, local, t)
        self.local, self.checks = local, checks
        self.wrong: list[ir.Value] = []

    def free(self, e: n.Expr) -> bool:
        if not super().free(e):
            return False
        if can_fail(e, self.f.unit.program.functions):
            raise NotVector
        return True

    def boolean(self, e: n.Expr) -> Lanes:
        if isinstance(e, n.Op2) and e.op in ("lt", "le") and not self.free(e):
            self.nodes += 1
            a, b, sign = self.word(e.left), self.word(e.right), "<" if e.op == "lt" else "<="
            return lambda at: self.f.builder.icmp_signed(sign, a(at), b(at))
        return super().boolean(e)

    def word(self, e: n.Expr) -> Lanes:
        if isinstance(e.type, n.SetT | n.BoolT) or self.free(e):
            return super().word(e)
        match e:
            case n.Get() if isinstance(e.var.type, n.IntT) and e.keys and _own(e.keys, self.local):
                self.fit(e)
                self.nodes += 1
                return lambda at: self.slots(e.var, e.keys, at)
            case n.Op2(op="add" | "sub" | "mul" | "min" | "max"):
                self.fit(e)
                self.nodes += 1
                return self.combined(e.op, self.word(e.left), self.word(e.right))
            case n.Op2(op="div" | "mod", left=x, right=n.Const(value=by)) if by > 0 and limits(x.type)[0] >= 0:
                self.fit(e)
                self.nodes += 2
                return self.divided(e.op, self.word(x), by)
            case n.Convert(operand=x, type=n.IntT()):
                inner = self.word(x)
                return inner if e.always_fits() else self.check_range(inner, *limits(e.type))
            case _:
                return super().word(e)

    def combined(self, op: str, a: Lanes, b: Lanes) -> Lanes:
        def written(at: int) -> ir.Value:
            builder, x, y = self.f.builder, a(at), b(at)
            if op in ("min", "max"):
                return builder.select(builder.icmp_signed("<" if op == "min" else ">", x, y), x, y)
            return {"add": builder.add, "sub": builder.sub, "mul": builder.mul}[op](x, y)

        return written

    def divided(self, op: str, a: Lanes, by: int) -> Lanes:
        if by >= 1 << self.least - 1:
            raise NotVector

        def written(at: int) -> ir.Value:
            number = self.constant([by] * self.lanes)
            return self.f.builder.udiv(a(at), number) if op == "div" else self.f.builder.urem(a(at), number)

        return written

    def check_range(self, a: Lanes, low: int, high: int) -> Lanes:
        if not self.checks or high - low >= 1 << self.least - 1:
            raise NotVector

        def written(at: int) -> ir.Value:
            b, value = self.f.builder, a(at)
            above = b.sub(value, self.constant([low] * self.lanes)) if low else value
            self.wrong.append(b.icmp_unsigned(">", above, self.constant([high - low] * self.lanes)))
            return value

        return written

    # ------------------------------------------------------------------------------------------------------- emission

    def slots(self, var: n.Var, keys: tuple[n.Expr, ...], at: int) -> ir.Value:
        """The slots of the elements from this one on."""
        b, cell = self.f.builder, self.f.unit.frame.place(var).cell
        loaded = b.load(self.address(var, keys, at))
        loaded.align = 1
        number = loaded.type.count
        if number < self.lanes:
            order = [i if i < number else number for i in range(self.lanes)]
            zeros = ir.Constant(loaded.type, [0] * number)
            loaded = b.shuffle_vector(loaded, zeros, ir.Constant(ir.VectorType(I32, self.lanes), order))
        wide = b.zext(loaded, self.type) if cell.bits < self.width else loaded
        return b.add(wide, self.constant([cell.low] * self.lanes)) if cell.low else wide

    def address(self, var: n.Var, keys: tuple[n.Expr, ...], at: int) -> ir.Value:
        cell, number = self.f.unit.frame.place(var).cell, min(self.lanes, self.size - at)
        place = slot_address(self.f, var, [*numbers(self.f, keys[:-1]), const(at)])
        return self.f.builder.bitcast(place, ir.VectorType(ir.IntType(cell.bits), number).as_pointer())

    def mask(self, bits: int, at: int) -> ir.Constant:
        return self.constant([bits >> at + i & 1 for i in range(self.lanes)], 1)

    def sum(self, over: n.Expr, found: Lanes) -> ir.Value:
        b, total = self.f.builder, None
        whole = None if isinstance(over, n.Const) else set_words(self.f, over)[0]
        for at in range(0, self.size, self.lanes):
            inside: ir.Value
            if isinstance(over, n.Const):
                inside = self.mask(over.value, at)
            else:
                assert whole is not None
                inside = self.members(whole, at)
            one = b.select(inside, found(at), self.constant([0] * self.lanes))
            total = one if total is None else b.add(total, one)
        added = self.added(total)
        return b.sext(added, I64) if self.width < WORD else added

    def members(self, word: ir.Value, at: int) -> ir.Value:
        """Which elements from this one on are in the set."""
        b = self.f.builder
        part = b.trunc(b.lshr(word, const(at)), ir.IntType(self.lanes)) if self.lanes < WORD else word
        return b.bitcast(part, ir.VectorType(I1, self.lanes))

    def added(self, total: ir.Value) -> ir.Value:
        """The sum of the lanes."""
        unit = ir.IntType(self.width)
        name = f"llvm.vector.reduce.add.v{self.lanes}i{self.width}"
        return self.f.builder.call(self.f.unit.external(name, unit, [self.type]), [total])

    def update(self, var: n.Var, keys: tuple[n.Expr, ...], over: int, found: Lanes) -> ir.Block:
        """Stores the new values unless one is out of range. Returns the block for that case."""
        b = self.f.builder
        results, bad = [], None
        for at in range(0, self.size, self.lanes):
            self.wrong = []
            value, inside = found(at), self.mask(over, at)
            for one in self.wrong:
                one = b.and_(one, inside)
                bad = one if bad is None else b.or_(bad, one)
            if (over >> at & (1 << self.lanes) - 1) != (1 << min(self.lanes, self.size - at)) - 1:
                value = b.select(inside, value, self.slots(var, keys, at))
            results.append((at, value))
        wrong = self.unless(I1(0) if bad is None else self.some(bad))
        self.store(var, keys, results)
        return wrong

    def some(self, conditions: ir.Value) -> ir.Value:
        """Whether a condition holds in any lane."""
        bits = ir.IntType(self.lanes)
        return self.f.builder.icmp_unsigned("!=", self.f.builder.bitcast(conditions, bits), bits(0))

    def unless(self, wrong: ir.Value) -> ir.Block:
        """Continues if this does not hold, as it hardly ever does. Returns the block for the other case."""
        failed, fine = self.f.block("wrong"), self.f.block("fine")
        self.f.builder.cbranch(wrong, failed, fine).set_weights([1, 2000])
        self.f.at(fine)
        return failed

    def store(self, var: n.Var, keys: tuple[n.Expr, ...], results: Sequence[tuple[int, ir.Value]]) -> None:
        """Stores vectors in the slots of the elements from these on."""
        b, cell = self.f.builder, self.f.unit.frame.place(var).cell
        for at, value in results:
            number = min(self.lanes, self.size - at)
            low = b.sub(value, self.constant([cell.low] * self.lanes)) if cell.low else value
            raw = b.trunc(low, ir.VectorType(ir.IntType(cell.bits), self.lanes)) if cell.bits < self.width else low
            if number < self.lanes:
                raw = b.shuffle_vector(raw, raw, ir.Constant(ir.VectorType(I32, number), list(range(number))))
            b.store(raw, self.address(var, keys, at)).align = 1
