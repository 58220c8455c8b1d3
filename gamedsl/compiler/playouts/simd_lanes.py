"""Expressions for lockstep playouts: a value is a vector with one playout per lane, without branches.

Only code that is the same for all lanes is supported: sets of up to 64 elements by set operations and shifts, numbers,
and conditionals by select. Anything else raises ``NotLockstep`` with the reason.
"""

from __future__ import annotations

from dataclasses import field

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.pointwise import Slot, Unknown, slot_of
from gamedsl.compiler.emit.llvm_module import I1, I64, Fn
from gamedsl.compiler.emit.sets.images import image_is_short, longest_path, regular, shifts
from gamedsl.compiler.emit.sets.line_patterns import doublings, shapes, spacing
from gamedsl.language.core import can_fail, fold, kind_text, offset, substitute
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

LANES = 32
VEC = ir.VectorType(I64, LANES)
FLAGS = ir.VectorType(I1, LANES)


class NotLockstep(Exception):
    """Playouts of the program cannot run in lockstep; the message says why."""


def splat(count: int) -> ir.Constant:
    count &= (1 << 64) - 1
    count = count - (1 << 64) if count >> 63 else count
    return ir.Constant(VEC, [count] * LANES)


def all_lanes(value: bool) -> ir.Constant:
    return ir.Constant(FLAGS, [int(value)] * LANES)


@lazy_dataclass()
class Lanes:
    """The current function, and the stack slots of all lanes' slots."""

    f: Fn
    slots: dict[Slot, ir.Value]
    names: dict[int, ir.Value] = field(default_factory=dict)
    empties: list[tuple[n.Expr, ir.Value]] = field(default_factory=list)  # sets whose size is kept in a stack slot

    @property
    def builder(self) -> ir.IRBuilder:
        return self.f.builder

    def any_lane(self, flags: ir.Value) -> ir.Value:
        byte = self.builder.bitcast(flags, ir.IntType(LANES))
        return self.builder.icmp_unsigned("!=", byte, ir.Constant(byte.type, 0))

    def number_of(self, flags: ir.Value) -> ir.Value:
        """The number of flagged lanes."""
        return self.builder.zext(self.builder.ctpop(self.builder.bitcast(flags, ir.IntType(LANES))), I64)

    def total(self, value: ir.Value) -> ir.Value:
        """The sum over all lanes."""
        return self.builder.call(self.f.unit.external(f"llvm.vector.reduce.add.v{LANES}i64", I64, [VEC]), [value])

    def most(self, value: ir.Value) -> ir.Value:
        """The greatest number of all lanes, which must not be negative."""
        return self.builder.call(self.f.unit.external(f"llvm.vector.reduce.umax.v{LANES}i64", I64, [VEC]), [value])

    def count(self, value: ir.Value) -> ir.Value:
        return self.builder.call(self.f.unit.external(f"llvm.ctpop.v{LANES}i64", VEC, [VEC]), [value])

    def pick(self, word: ir.Value, k: ir.Value, size: int) -> ir.Value:
        """The index of each lane's k-th bit, by bisection."""
        place: ir.Value = splat(0)
        half = 32
        while half >= size:
            half //= 2
        while half:
            low = self.builder.and_(word, splat((1 << half) - 1))
            inside = self.count(low)
            below = self.builder.icmp_unsigned("<", k, inside)
            word = self.builder.select(below, low, self.builder.lshr(word, splat(half)))
            k = self.builder.select(below, k, self.builder.sub(k, inside))
            place = self.builder.select(below, place, self.builder.or_(place, splat(half)))
            half //= 2
        return place

    # -------------------------------------------------------------------------------------------- expressions

    def boolean(self, e: n.Expr) -> ir.Value:
        value = self.expr(e)
        return value if value.type == FLAGS else self.builder.icmp_unsigned("!=", value, splat(0))

    def number(self, e: n.Expr) -> ir.Value:
        value = self.expr(e)
        return self.builder.zext(value, VEC) if value.type == FLAGS else value

    def expr(self, e: n.Expr) -> ir.Value:
        if isinstance(e.type, n.SetT) and e.type.domain.size > 64:
            raise NotLockstep(f"sets of {e.type.domain.size} elements")
        match e:
            case n.Const(value=value):
                return all_lanes(bool(value)) if isinstance(e.type, n.BoolT) else splat(value)
            case n.Load(local=local):
                return self.names[local.id]
            case n.Get():
                return self.builder.load(self.slot(e))
            case n.Op1():
                return self._op1(e)
            case n.Op2():
                return self._op2(e)
            case n.Cond(condition=condition, then=a, otherwise=c):
                if can_fail(a) or can_fail(c):
                    raise NotLockstep("a choice between what can fail")
                if isinstance(e.type, n.BoolT):
                    return self.builder.select(self.boolean(condition), self.boolean(a), self.boolean(c))
                return self.builder.select(self.boolean(condition), self.number(a), self.number(c))
            case n.LetE(local=local, value=value, body=body):
                self.names[local.id] = self.expr(value)
                return self.expr(body)
            case n.Loop():
                return self._loop(e)
            case n.Flood():
                return self._flood(e)
            case n.Lookup(table=table, keys=(key,)) if isinstance(e.type, n.SetT) and regular(table):
                return self.image(self.builder.shl(splat(1), self.number(key)), table)
            case _:
                raise NotLockstep(
                    f"an expression of the kind `{kind_text(e)}` over a value that differs between playouts"
                )

    def slot(self, e: n.Get) -> ir.Value:
        try:
            return self.slots[slot_of(e)]
        except (Unknown, KeyError):
            raise NotLockstep(f"{e.var.name} at a place that differs between playouts") from None

    def _op1(self, e: n.Op1) -> ir.Value:
        match e.op:
            case "not":
                return self.builder.xor(self.boolean(e.operand), all_lanes(True))
            case "is_empty" | "is_none":
                return self._empty(e.operand)
            case "count":
                return self.count(self.expr(e.operand))
            case "single":
                low = offset(e.operand.type)
                return self.builder.shl(splat(1), self.builder.sub(self.number(e.operand), splat(low)))
            case "complement":
                assert isinstance(e.type, n.SetT)
                return self.builder.xor(self.expr(e.operand), splat(e.type.domain.full))
            case "neg":
                return self.builder.sub(splat(0), self.number(e.operand))
            case "wrap":
                assert isinstance(e.type, n.OptT)
                return self.builder.add(self.number(e.operand), splat(1 - offset(e.type.inner)))
            case _:
                raise NotLockstep(f"{e.op}, which can fail")

    def _empty(self, e: n.Expr) -> ir.Value:
        for known, number in self.empties:
            if known == e:
                return self.builder.icmp_unsigned("==", self.builder.load(number), splat(0))
        return self.builder.icmp_unsigned("==", self.expr(e), splat(0))

    def _op2(self, e: n.Op2) -> ir.Value:
        if e.op in ("and", "or"):
            if can_fail(e.right):
                raise NotLockstep("a condition that can fail, after another")
            a, c = self.boolean(e.left), self.boolean(e.right)
            return self.builder.and_(a, c) if e.op == "and" else self.builder.or_(a, c)
        if (
            e.op in ("eq", "ne")
            and isinstance(e.right, n.Const)
            and e.right.value == 0
            and isinstance(e.right.type, n.SetT)
        ):
            empty = self._empty(e.left)
            return empty if e.op == "eq" else self.builder.xor(empty, all_lanes(True))
        a, c = self.number(e.left), self.number(e.right)
        match e.op:
            case "eq" | "ne" | "lt" | "le":
                sign = {"eq": "==", "ne": "!=", "lt": "<", "le": "<="}[e.op]
                return self.builder.icmp_signed(sign, a, c)
            case "in":
                moved = self.builder.lshr(c, self.builder.sub(a, splat(offset(e.left.type))))
                return self.builder.trunc(moved, FLAGS)
            case "within":
                return self.builder.icmp_unsigned("==", self._without(a, c), splat(0))
            case "disjoint":
                return self.builder.icmp_unsigned("==", self.builder.and_(a, c), splat(0))
            case "union":
                return self.builder.or_(a, c)
            case "meet":
                return self.builder.and_(a, c)
            case "minus":
                return self._without(a, c)
            case "add":
                return self.builder.add(a, c)
            case "sub":
                return self.builder.sub(a, c)
            case "mul":
                return self.builder.mul(a, c)
            case "min" | "max":
                return self.builder.select(self.builder.icmp_signed("<" if e.op == "min" else ">", a, c), a, c)
            case _:
                raise NotLockstep(f"{e.op}, which can fail")

    def _without(self, a: ir.Value, c: ir.Value) -> ir.Value:
        return self.builder.and_(a, self.builder.xor(c, splat(-1)))

    # ------------------------------------------------------------------------------------------------- loops

    def _loop(self, e: n.Loop) -> ir.Value:
        if e.kind == "union" and e.condition is None and image_is_short(e):
            assert isinstance(e.body, n.Lookup)
            return self.image(self.expr(e.over), e.body.table)
        if e.kind == "some":
            return self._lines(e)
        if isinstance(e.over, n.Const) and e.kind in ("max", "filter"):
            return self._few(e)
        raise NotLockstep(f"a loop ({e.kind}) whose rounds differ between playouts")

    def _few(self, e: n.Loop) -> ir.Value:
        """Unrolls a loop over a small constant set."""
        assert isinstance(e.over, n.Const)
        if e.over.value.bit_count() > 4 or e.condition is not None or not e.over.value or can_fail(e.body):
            raise NotLockstep("a long loop")
        total: ir.Value | None = None
        for i in range(e.over.value.bit_length()):
            if not e.over.value >> i & 1:
                continue
            member = n.Const(i + offset(e.local.type), e.local.type)
            body = fold(substitute(e.body, {e.local.id: member}))
            if e.kind == "filter":
                one = self.builder.select(self.boolean(body), splat(1 << i), splat(0))
                total = one if total is None else self.builder.or_(total, one)
            else:
                one = self.number(body)
                total = (
                    one if total is None else self.builder.select(self.builder.icmp_signed(">", one, total), one, total)
                )
        assert total is not None
        return total

    def image(self, over: ir.Value, table: n.TableData) -> ir.Value:
        assert isinstance(table.type, n.SetT)
        if max(table.keys[0].size, table.type.domain.size) > 64:
            raise NotLockstep("a large board")
        total: ir.Value = splat(0)
        full = (1 << table.keys[0].size) - 1
        for one in shifts(table):
            part = over if one.mask == full else self.builder.and_(over, splat(one.mask))
            total = self.builder.or_(total, self.shifted(part, one.by))
        return total

    def shifted(self, value: ir.Value, by: int) -> ir.Value:
        if by == 0:
            return value
        return self.builder.shl(value, splat(by)) if by > 0 else self.builder.lshr(value, splat(-by))

    def _flood(self, e: n.Flood) -> ir.Value:
        steps = longest_path(e.table.values)
        if steps is None or steps > cutoffs.FLOOD_ROUNDS or not regular(e.table):
            raise NotLockstep("a reach whose number of steps differs between playouts")
        within = self.expr(e.within)
        found = self.builder.and_(self.expr(e.start), within)
        for _ in range(max(0, steps - 2)):
            found = self.builder.or_(found, self.builder.and_(self.image(found, e.table), within))
        return found

    def _lines(self, e: n.Loop) -> ir.Value:
        body = e.body
        if (
            e.condition is not None
            or not isinstance(e.over, n.Const)
            or not isinstance(body, n.Op2)
            or body.op != "within"
        ):
            raise NotLockstep("a quantifier of an unsupported form")
        if not isinstance(body.left, n.Lookup) or len(body.left.keys) != 1 or can_fail(body.right):
            raise NotLockstep("a quantifier of an unsupported form")
        values, over = body.left.table.values, e.over.value
        groups = shapes(tuple(values[i] for i in range(over.bit_length()) if over >> i & 1))
        if len(groups) > cutoffs.PATTERN_SHAPES or not all(shape for shape, _ in groups):
            raise NotLockstep("lines of many shapes")
        s = self.expr(body.right)
        total: ir.Value = splat(0)
        for shape, places in groups:
            total = self.builder.or_(total, self.builder.and_(self._run(s, shape), splat(places)))
        return self.builder.icmp_unsigned("!=", total, splat(0))

    def _run(self, s: ir.Value, shape: tuple[int, ...]) -> ir.Value:
        found, step = s, spacing(shape)
        if step is None:
            for o in shape[1:]:
                found = self.builder.and_(found, self.shifted(s, -o))
            return found
        for more in doublings(len(shape)):
            found = self.builder.and_(found, self.shifted(found, -more * step))
        return found
