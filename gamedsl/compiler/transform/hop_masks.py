"""Move generation by shifted masks, as bitboard chess programs generate pawn moves.

    bind a in mark[me]; bind b in step(a) - taken          with step(a) = {a + 7, a + 8}
    →
    +7 from mark[me] & ((all - taken) >> 7), +8 from mark[me] & ((all - taken) >> 8)

The conditions of a plan that read no state are a constant relation. If it has few distances d = b - a, the moves are,
for each d, a set of a. They are counted by popcount, and the k-th move is the k-th bit.

Not done: more than ``cutoffs.HOP_MASKS`` masks, and moves of three or more parameters.
"""

from __future__ import annotations

from dataclasses import field, replace
from itertools import takewhile

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.constant_tables import is_pure, tabulate
from gamedsl.compiler.analysis.set_bounds import bounded_rows
from gamedsl.compiler.transform.lift_conditions import lift_condition
from gamedsl.compiler.transform.lift_plans import lift_plan
from gamedsl.compiler.transform.ray_floods import image
from gamedsl.compiler.transform.shifted_conditions import images, shift_condition, shift_quantifiers, there
from gamedsl.language.core import (
    NotConstant,
    RangeProblem,
    can_fail,
    conjuncts,
    evaluate,
    fold,
    free_locals,
    map_children,
    memoized,
    node_count,
    substitute,
    walk,
)
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


class _No(Exception):
    """The plan has another form."""


@lazy_dataclass(frozen=True)
class HopMask:
    """The moves (a, a + by) for each a in ``over``."""

    by: int
    over: n.Expr


@lazy_dataclass(frozen=True)
class DecisionMask:
    """Moves of the alternative with this number: from each element of ``over`` to the element ``by`` further on. If
    ``by`` is None, a move consists of one element only."""

    alternative: int
    over: n.Expr
    by: int | None


def decision_masks(program: n.Program, end: n.Decide) -> tuple[DecisionMask, ...] | None:
    """All moves of a decision as masks. Returns None if some moves have another form, or if no move goes from one
    element to another."""
    if end.may_pass is not None:
        return None
    found: list[DecisionMask] = []
    for i, alt in enumerate(end.alternatives):
        schema = program.schemas[alt.schema]
        moves = hop_masks(schema)
        if moves is not None:
            found += [DecisionMask(i, m.over, m.by) for m in moves]
        elif len(schema.plan) == len(schema.params) == 1 and isinstance(schema.plan[0], n.Bind):
            found.append(DecisionMask(i, schema.plan[0].over, None))
        else:
            return None
    alike = len(found) <= cutoffs.HOP_MASKS and all(w.over.type == found[0].over.type for w in found)
    return tuple(found) if alike and any(w.by is not None for w in found) else None


@memoized
def hop_masks(schema: n.Schema) -> tuple[HopMask, ...] | None:
    """The moves of a schema with a lifted plan as masks. Returns None if they have another form."""
    tests = list(takewhile(lambda x: isinstance(x, n.Test), schema.plan))
    match schema.plan[len(tests) :]:
        case (n.Bind(param=0, over=over), *further) if len(schema.params) == 2:
            a, b = (p.local for p in schema.params)
        case _:
            return None
    if not isinstance(a.type, n.ElemT) or a.type != b.type or over.type != n.SetT(a.type.domain):
        return None
    try:
        pairs = _Pairs(a, b, over)
        for step in (*tests, *further):
            if isinstance(step, n.Bind):
                pairs.add(n.Op2("in", n.Load(b), step.over, n.BoolT()))
            else:
                pairs.add(step.condition)
        return pairs.masks()
    except _No:
        return None


def few_masks(schema: n.Schema) -> tuple[HopMask, ...] | None:
    """The moves of a schema as masks, if these are few enough to be worked out beside moves of other forms."""
    found = hop_masks(schema)
    return found if found and len(found) <= cutoffs.UNROLLED else None


def lift_plans(program: n.Program) -> n.Program:
    """Lifts conditions in plans to sets, except where this would hide moves that are hop masks."""
    schemas = tuple(replace(s, plan=lift_plan(s, s.plan)) for s in program.schemas)
    return keep_hop_masks(program, replace(program, schemas=schemas))


def keep_hop_masks(program: n.Program, lifted: n.Program) -> n.Program:
    """Returns ``lifted``, the program with lifted plans. If all moves of a decision can be masks only with the plans of
    the original ``program``, those are kept."""
    schemas = list(lifted.schemas)
    for block in lifted.blocks:
        if (
            isinstance(block.end, n.Decide)
            and decision_masks(replace(lifted, schemas=tuple(schemas)), block.end) is None
        ):
            tried = list(schemas)
            for a in block.end.alternatives:
                if len(schemas[a.schema].params) == 2 and hop_masks(schemas[a.schema]) is None:
                    tried[a.schema] = program.schemas[a.schema]
            if decision_masks(replace(lifted, schemas=tuple(tried)), block.end) is not None:
                schemas = tried
    return replace(lifted, schemas=tuple(schemas))


@lazy_dataclass()
class _Pairs:
    """The pairs (a, b) that are moves. ``over`` is the set of a, ``targets`` the set of b for all a, ``rows`` the
    constant relation (a set of b for each a), ``other`` the remaining conditions."""

    a: n.Local
    b: n.Local
    over: n.Expr
    targets: n.Expr | None = None
    rows: tuple[int, ...] = ()
    other: list[n.Expr] = field(default_factory=list)
    shifts: set[n.Expr] = field(default_factory=set)  # in the other conditions, over all masks
    dear: int = 0  # ... of these, the ones that are not shifts by constant distances

    def __post_init__(self) -> None:
        assert isinstance(self.a.type, n.ElemT)
        self.domain = self.a.type.domain
        self.set = n.SetT(self.domain)
        self.rows = (self.domain.full,) * self.domain.size

    # ------------------------------------------------------------------------------------------- conditions

    def add(self, condition: n.Expr) -> None:
        for e in conjuncts(condition):
            if can_fail(e):
                raise _No
            self._add(e)

    def _add(self, e: n.Expr) -> None:
        names = self._names(e)
        if not names:
            e = shift_quantifiers(e)
            self.over = n.Op2(
                "meet", self.over, n.Cond(e, self._const(self.domain.full), self._const(0), self.set), self.set
            )
            return
        rows = self._rows(e) if is_pure(e) else None
        if rows is not None:
            self.rows = tuple(x & y for x, y in zip(self.rows, rows, strict=True))
            return
        match e:
            case n.Op2(op="in", left=n.Load(local=local), right=s) if local.id == self.b.id:
                self._member(e, s)
            case n.Op1(op="not", operand=n.Op2(op="in", left=n.Load(local=local), right=s)) if (
                local.id == self.b.id and not self._names(s)
            ):
                self._cut(n.Op1("complement", s, self.set))
            case _ if names == {self.a.id}:
                self.over = n.Op2("meet", self.over, self._lifted(e), self.set)
            case _:
                self.other.append(e)

    def _names(self, e: n.Expr) -> set[int]:
        return {self.a.id, self.b.id} & free_locals(e).keys()

    def _member(self, e: n.Op2, s: n.Expr) -> None:
        match s:
            case n.Op2(op="meet", left=x, right=y):
                self._add(n.Op2("in", e.left, x, n.BoolT()))
                self._add(n.Op2("in", e.left, y, n.BoolT()))
            case n.Op2(op="minus", left=x, right=y):
                self._add(n.Op2("in", e.left, x, n.BoolT()))
                self._add(n.Op1("not", n.Op2("in", e.left, y, n.BoolT()), n.BoolT()))
            case _ if not self._names(s):
                self._cut(s)
            case _:
                bounds = bounded_rows(self.a, s)
                if bounds is not None:
                    self.rows = tuple(x & y for x, y in zip(self.rows, bounds, strict=True))
                self.other.append(e)

    def _cut(self, s: n.Expr) -> None:
        if s.type != self.set:
            raise _No
        match s:
            case _ if self.targets is None:
                self.targets = s
            case n.Op1(op="complement", operand=gone):
                self.targets = n.Op2("minus", self.targets, gone, self.set)
            case _:
                self.targets = n.Op2("meet", self.targets, s, self.set)

    def _lifted(self, e: n.Expr) -> n.Expr:
        found = lift_condition(self.a, e)
        if found is None:
            raise _No
        return found

    def _const(self, bits: int) -> n.Const:
        return n.Const(bits, self.set)

    # ------------------------------------------------------------------------------------------ the relation

    def _rows(self, e: n.Expr) -> tuple[int, ...] | None:
        """For each a, the set of b that satisfy a condition that reads no state. Returns None if this is too much
        work."""
        match e:
            case n.Op2(op="and" | "or", left=x, right=y):
                one, two = self._rows(x), self._rows(y)
                if one is None or two is None:
                    return None
                return tuple(p & q if e.op == "and" else p | q for p, q in zip(one, two, strict=True))
            case n.Op1(op="not", operand=x):
                found = self._rows(x)
                return None if found is None else tuple(self.domain.full & ~r for r in found)
            case n.Op2(op="in", left=n.Load(local=local), right=s) if (
                local.id == self.b.id and e.right.type == self.set
            ):
                if self.b.id not in free_locals(s):
                    return self._values(s)
            case n.Lookup(type=n.BoolT()) if self._plain(e):
                return self._read(e, {1})
            case n.Op2(op="eq", left=n.Lookup() as t, right=n.Const(value=v)) if self._plain(t):
                return self._read(t, {v})
        return self._worked_out(e)

    def _plain(self, e: n.Lookup) -> bool:
        """Whether an expression is a look-up by a and b, in this order."""
        return [k.local.id for k in e.keys if isinstance(k, n.Load)] == [self.a.id, self.b.id] and len(e.keys) == 2

    def _read(self, e: n.Lookup, wanted: set[int]) -> tuple[int, ...]:
        """For each a, the set of b for which the table holds one of these values."""
        number, values = self.domain.size, e.table.values
        return tuple(sum(1 << y for y in range(number) if values[x * number + y] in wanted) for x in range(number))

    def _values(self, s: n.Expr) -> tuple[int, ...] | None:
        """The value of a set expression for each a."""
        try:
            return tuple(int(evaluate(s, {self.a.id: x})) for x in range(self.domain.size))
        except (NotConstant, RangeProblem):
            return None

    def _worked_out(self, e: n.Expr) -> tuple[int, ...] | None:
        number, a, b = self.domain.size, self.a.id, self.b.id
        if number * number * node_count(e) > cutoffs.WORK:
            return None
        try:
            return tuple(sum(1 << y for y in range(number) if evaluate(e, {a: x, b: y})) for x in range(number))
        except (NotConstant, RangeProblem):
            return None

    # -------------------------------------------------------------------------------------------- the masks

    def masks(self) -> tuple[HopMask, ...]:
        starts: dict[int, int] = {}
        for x, row in enumerate(self.rows):
            while row:
                low = row & -row
                k = low.bit_length() - 1 - x
                starts[k] = starts.get(k, 0) | 1 << x
                row ^= low
            if len(starts) > cutoffs.HOP_MASKS:
                raise _No
        return tuple(HopMask(k, self._mask(k, starts[k])) for k in sorted(starts))

    def _mask(self, k: int, starts: int) -> n.Expr:
        """The set of a in ``starts`` with a move to a + k."""
        size = self.domain.size
        found: n.Expr = self._const(starts)
        if self.targets is not None:
            back = tuple(1 << y - k if y >= k and starts >> y - k & 1 else 0 for y in range(size))
            found = image(n.TableData("back", (self.domain,), self.set, back), self.targets)
        found = n.Op2("meet", self.over, found, self.set)
        for e in self.other:
            put_in = fold(substitute(e, {self.b.id: n.Lookup(there(self.domain, k), (n.Load(self.a),))}))
            shifts = shift_condition(self.a, put_in, starts)
            if shifts is not None:
                self.shifts |= images(shifts)
                self._limit_work()
                found = n.Op2("meet", found, shifts, self.set)
                continue
            condition = self._lifted(self._trimmed(tabulate(put_in), starts))
            self.dear += sum(_distances(x.table) for x in walk(condition) if isinstance(x, n.Lookup))
            self._limit_work()
            condition = _cut(condition, starts)
            if condition != self._const(starts):
                found = n.Op2("meet", found, condition, self.set)
        return fold(found)

    def _limit_work(self) -> None:
        if self.dear + len(self.shifts) > cutoffs.HOP_SHIFTS:
            raise _No

    def _trimmed(self, e: n.Expr, starts: int) -> n.Expr:
        """Empties the entries of tables of a for every a outside ``starts``."""
        e = map_children(e, lambda c: self._trimmed(c, starts))
        match e:
            case n.Lookup(keys=(n.Load(local=local),), type=n.SetT() as t) if local.id == self.a.id:
                values = tuple(v if starts >> x & 1 else 0 for x, v in enumerate(e.table.values))
                if not any(values):
                    return n.Const(0, t)
                return n.Lookup(n.TableData(e.table.name, e.table.keys, t, values), e.keys)
            case n.Op2(op="within", left=n.Const(value=0)) | n.Op2(op="disjoint", left=n.Const(value=0)):
                return n.Const(1, n.BoolT())
            case _:
                return e


def _cut(e: n.Expr, bounds: int) -> n.Expr:
    """A set that agrees with this one within ``bounds``: constants are cut, and the result is folded."""
    match e:
        case n.Const():
            return replace(e, value=e.value & bounds)
        case n.Op2(op="union" | "meet" | "minus"):
            return fold(map_children(e, lambda c: _cut(c, bounds)))
        case n.Cond(condition=c, then=x, otherwise=y) if isinstance(e.type, n.SetT):
            return n.Cond(c, _cut(x, bounds), _cut(y, bounds), e.type)
        case _:
            return e


def _distances(table: n.TableData) -> int:
    """The number of shifts that make up a relation."""
    if len(table.keys) != 1 or not isinstance(table.type, n.SetT):
        return 1
    return len({y - x for x, row in enumerate(table.values) for y in range(row.bit_length()) if row >> y & 1})
