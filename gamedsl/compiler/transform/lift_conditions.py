"""Loop vectorization over sets: a condition on an element becomes the set of elements for which it holds.

    filter c in S: neighbors(c) disjoint mark[me]
    →
    S - neighbors⁻¹[mark[me]]

``lift_condition(p, F)`` is a set expression S such that x is in S if and only if F holds for p = x. Set operations
process 64 elements at once. A condition that looks p up in a table becomes an image under the converse relation, which
is a few shifts if the board is regular.

Not done: conditions that can end in a rules error, and those that read p in a way that no set operation expresses.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.constant_tables import is_pure, table_of, tabulate
from gamedsl.compiler.transform.converse_tables import converse, relation_image, transposed
from gamedsl.compiler.transform.lookups_by_value import numbered, with_values_in
from gamedsl.compiler.transform.ray_floods import image, ray_condition
from gamedsl.compiler.transform.threshold_sets import threshold_set
from gamedsl.compiler.transform.visibility import hidden, passed_over
from gamedsl.language.core import can_fail, fold, free_locals, limits, map_children, substitute, walk
from gamedsl.language.core import nodes as n

FILTERED = 4_000_000  # ids of the names made here


_TURNED = {"lt": "gt", "le": "ge"}  # with the sides exchanged


class _No(Exception):
    """The condition has no form as a set."""


def lift_condition(p: n.Local, condition: n.Expr, among: int | None = None) -> n.Expr | None:
    """The set of ``p`` for which the condition holds. Returns None if it has no such form. Elements outside ``among``,
    if given, may or may not be in the set."""
    if not isinstance(p.type, n.ElemT) or p.type.domain.size > 512:
        return None
    try:
        return fold(_Lift(p, p.type, among).set(condition))
    except _No:
        return None


class _Lift:
    def __init__(self, p: n.Local, t: n.ElemT, among: int | None) -> None:
        self.p = p
        self.domain = t.domain
        self.type = n.SetT(t.domain)
        self.among = self.domain.full if among is None else among

    def free(self, e: n.Expr) -> bool:
        """Whether an expression is independent of the parameter."""
        return self.p.id not in free_locals(e)

    def const(self, bits: int) -> n.Const:
        return n.Const(bits, self.type)

    def complement(self, e: n.Expr) -> n.Expr:
        return n.Op1("complement", e, self.type)

    def set(self, e: n.Expr) -> n.Expr:
        try:
            return self.whole(e)
        except _No:
            pass
        try:
            return self.by_cases(e)
        except _No:
            return self.by_key(e)

    def by_cases(self, e: n.Expr) -> n.Expr:
        """Splits a condition that contains ``if c then A else B``, where c reads the parameter, into its two cases."""
        if _joined(e):
            raise _No
        found = _case(e, self.free)
        if found is None:
            raise _No
        c = self.set(found.condition)
        then, otherwise = (self.set(fold(_instead(e, found, x))) for x in (found.then, found.otherwise))
        return n.Op2("union", n.Op2("meet", c, then, self.type), n.Op2("minus", otherwise, c, self.type), self.type)

    def by_key(self, e: n.Expr) -> n.Expr:
        """Splits a condition that reads a slot whose key depends only on the parameter: a case for each slot."""
        key = None if _joined(e) else _key(e, self.p)
        values = None if key is None else table_of(key, [self.p], [self.domain])
        if key is None or values is None:
            raise _No
        if key == n.Load(self.p) and self.among.bit_count() >= cutoffs.SIMD_LEAST and _plain(e):
            return self.filtered(e)
        all_, total = self.among, list[n.Expr]()
        groups = {v: sum(1 << i for i, w in enumerate(values) if w == v) & all_ for v in values}
        if sum(map(bool, groups.values())) > cutoffs.UNROLLED:
            raise _No
        try:
            for v, mine in groups.items():
                if mine:
                    self.among = mine
                    one = self.set(tabulate(fold(_instead(e, key, n.Const(v, key.type)))))
                    total.append(_cut(one, mine, self.type))
        finally:
            self.among = all_
        found = total[0] if total else self.const(0)  # a parameter of an empty set has no cases
        for more in total[1:]:
            found = n.Op2("union", found, more, self.type)
        return found

    def filtered(self, e: n.Expr) -> n.Expr:
        """A filter over elements that have a slot each, which are tested in parallel
        (``emit/sets/simd_numbers.py``)."""
        x = replace(self.p, id=FILTERED + self.p.id)
        return n.Loop("filter", x, self.const(self.among), None, substitute(e, {self.p.id: n.Load(x)}), self.type)

    def threshold(self, e: n.Op2) -> n.Expr:
        """The set for a comparison of a number that depends only on the parameter with a number of the state."""
        for x, y in ((e.left, e.right), (e.right, e.left)):
            if self.free(x) and is_pure(y):
                values = table_of(y, [self.p], [self.domain])
                found = None if values is None else threshold_set(e, values, x, x is e.left, self.type, self.among)
                if found is not None:
                    return found
        raise _No

    def whole(self, e: n.Expr) -> n.Expr:
        if self.free(e):
            return n.Cond(e, self.const(self.domain.full), self.const(0), self.type)
        if is_pure(e) and set(free_locals(e)) == {self.p.id}:
            values = table_of(e, [self.p], [self.domain])
            if values is not None:
                return self.const(sum(1 << i for i, v in enumerate(values) if v))
        compared = self.compared(e)
        if compared is not None:
            return compared
        match e:
            case n.Op1(op="not", operand=inner):
                return self.complement(self.set(inner))
            case n.Op2(op="and" | "or"):
                rays = ray_condition(self.p, e)
                if rays is not None:
                    return rays
                return n.Op2("meet" if e.op == "and" else "union", self.set(e.left), self.set(e.right), self.type)
            case n.Op2(op="in"):
                return self.member(e)
            case n.Cond(condition=c, then=a, otherwise=b) if self.free(c):
                return n.Cond(c, self.set(a), self.set(b), self.type)
            case n.Op2(op="disjoint", left=a, right=b):
                return self.complement(self.meets(a, b))
            case n.Op2(op="within", left=a, right=b) if self.free(b):
                assert isinstance(b.type, n.SetT)
                return self.complement(self.meets(a, n.Op1("complement", b, b.type)))
            case n.Op1(op="is_empty", operand=a):
                return self.complement(self.filled(a))
            case n.Op2(op="lt" | "le"):
                return self.threshold(e)
            case n.Op2(op="eq" | "ne", left=a, right=b):
                return self.equal(e, a, b)
            case n.Loop(kind="some" | "every", condition=None):
                return self.quantified(e)
            case n.Lookup() if isinstance(e.type, n.BoolT):
                return self.turned(e.table, e.keys, None)
            case _:
                raise _No

    def compared(self, e: n.Expr) -> n.Expr | None:
        """A number that reads the parameter, compared with a constant: looked up, or the elements of a set that lie on
        a ray to the parameter. None for other conditions."""
        match e:
            case n.Op2(op="eq" | "ne" | "lt" | "le" as op, left=n.Const(value=k), right=x) if not self.free(x):
                holds = getattr(operator, _TURNED.get(op, op))
            case n.Op2(op="eq" | "ne" | "lt" | "le" as op, left=x, right=n.Const(value=k)) if not self.free(x):
                holds = getattr(operator, op)
            case _:
                return None
        match x:
            case n.Lookup(table=table, keys=(_, _), type=n.IntT()):
                values = tuple(int(holds(v, k)) for v in table.values)
                return self.turned(n.TableData(table.name, table.keys, n.BoolT(), values), x.keys, None)
            case n.Op1(op="count", operand=n.Op2(op="meet", left=a, right=b)):
                if not self.free(b):
                    a, b = b, a
                return passed_over(self.p, a, b, lambda v: holds(v, k)) if self.free(b) else None
            case _:
                return None

    def equal(self, e: n.Op2, a: n.Expr, b: n.Expr) -> n.Expr:
        if isinstance(a, n.Const):
            a, b = b, a
        if isinstance(a.type, n.SetT) and isinstance(b, n.Const) and b.value == 0:
            filled = self.filled(a)
            return filled if e.op == "ne" else self.complement(filled)
        for x, y in ((a, b), (b, a)):
            found = numbered(y, self.p, x) if isinstance(y, n.Lookup) and self.free(x) else None
            if found is not None:
                return found if e.op == "eq" else self.complement(found)
            if self.free(x) and not isinstance(x, n.Const) and is_pure(y) and not isinstance(x.type, n.SetT):
                return self.by_value(e, x, y)
            if isinstance(x, n.Load) and x.local.id == self.p.id and self.free(y) and isinstance(y.type, n.ElemT):
                one = n.Op1("single", y, self.type)
                return one if e.op == "eq" else self.complement(one)
            if isinstance(x, n.Op1) and x.op == "wrap" and x.operand == n.Load(self.p) and self.free(y):
                return self.optional(e, y)
        raise _No

    def optional(self, e: n.Op2, y: n.Expr) -> n.Expr:
        """``p = y``, where y may be none."""
        one = n.Op1("single", n.Op1("unwrap", y, self.p.type, span=e.span), self.type)
        found = n.Cond(n.Op1("is_none", y, n.BoolT()), self.const(0), one, self.type)
        return found if e.op == "eq" else self.complement(found)

    def by_value(self, e: n.Op2, x: n.Expr, y: n.Expr) -> n.Expr:
        """``x = y(p)``, where x has few values and y reads no state: a case for each value of x."""
        low, high = limits(x.type)
        if high - low >= 2:
            try:
                return self.threshold(e)
            except _No:
                pass
        if high - low >= cutoffs.UNROLLED:
            raise _No
        total: n.Expr = self.const(0)
        for v in range(low, high + 1):
            is_v = n.Op2("eq", x, n.Const(v, x.type), n.BoolT())
            these = self.set(tabulate(n.Op2("eq", y, n.Const(v, x.type), n.BoolT())))
            total = n.Op2("union", total, n.Cond(is_v, these, self.const(0), self.type), self.type)
        return total if e.op == "eq" else self.complement(total)

    # --------------------------------------------------------------------------------------------- relations

    def member(self, e: n.Op2) -> n.Expr:
        """``x in S``, where either side reads the parameter."""
        match e.right:
            case n.Cond(condition=c, otherwise=n.Const()) if self.free(c):
                then, otherwise = (fold(self.set(replace(e, right=x))) for x in (e.right.then, e.right.otherwise))
                return then if then == otherwise and not can_fail(c) else n.Cond(c, then, otherwise, self.type)
        if self.free(e.right):
            if isinstance(e.left, n.Load) and e.right.type == self.type:
                return e.right
            if isinstance(e.left, n.Lookup) and isinstance(e.left.type, n.ElemT):
                composed = self.composed(e.left, e.right)
                if composed is not None:
                    return composed
                found = with_values_in(e.left, self.p, e.right)
                return image(self.inverse(e.left, single=True), e.right) if found is None else found
            raise _No
        if self.free(e.left) and isinstance(e.right, n.Lookup):
            return self.turned(e.right.table, e.right.keys, e.left)
        if isinstance(e.right, n.Op2) and e.right.op in ("union", "meet", "minus"):
            a = (
                self.member(n.Op2("in", e.left, e.right.left, n.BoolT()))
                if not self.free(e.right.left)
                else self.set(n.Op2("in", e.left, e.right.left, n.BoolT()))
            )
            b = self.set(n.Op2("in", e.left, e.right.right, n.BoolT()))
            return n.Op2(e.right.op, a, b, self.type)
        raise _No

    def composed(self, x: n.Lookup, s: n.Expr) -> n.Expr | None:
        """``T(p) in S(k)``: the set of parameters, looked up by k."""
        if not isinstance(s, n.Lookup) or len(s.table.values) * self.words > cutoffs.TABLE_WORDS:
            return None
        back = self.inverse(x, single=True).values
        rows = tuple(relation_image(back, v) for v in s.table.values)
        name = f"{s.table.name} through {x.table.name}"
        return replace(s, table=n.TableData(name, s.table.keys, self.type, rows))

    @property
    def words(self) -> int:
        return (self.domain.size + 63) // 64

    def filled(self, e: n.Expr) -> n.Expr:
        """The parameters for which a set is not empty."""
        match e:
            case n.Op2(op="meet", left=a, right=b):
                return self.meets(a, b)
            case n.Op2(op="minus", left=a, right=b) if self.free(b):
                assert isinstance(b.type, n.SetT)
                return self.meets(a, n.Op1("complement", b, b.type))
            case n.Op2(op="union", left=a, right=b):
                return n.Op2("union", self.filled(a), self.filled(b), self.type)
            case n.Loop(kind="union", local=x, over=over, body=body):
                assert isinstance(e.type, n.SetT)
                some = n.Op2("ne", body, n.Const(0, e.type), n.BoolT())
                inner: n.Expr = some if e.condition is None else n.Op2("and", e.condition, some, n.BoolT())
                return self.set(n.Loop("some", x, over, None, _asked(inner), n.BoolT()))
            case n.Cond(condition=c, then=a, otherwise=n.Const(value=0)):
                return n.Op2("meet", self.set(c), self.filled(a), self.type)
            case _ if self.free(e):
                return self.set(n.Op1("not", n.Op1("is_empty", e, n.BoolT()), n.BoolT()))
            case n.Lookup():
                assert isinstance(e.type, n.SetT)
                return self.meets(e, n.Const(e.type.domain.full, e.type))
            case _:
                raise _No

    def meets(self, a: n.Expr, b: n.Expr) -> n.Expr:
        """The parameters for which two sets intersect."""
        if not self.free(b):
            a, b = b, a
        if not self.free(b):
            raise _No
        if self.free(a):
            return self.set(n.Op1("not", n.Op2("disjoint", a, b, n.BoolT()), n.BoolT()))
        match a:
            case n.Lookup(keys=(_, _)):
                found = hidden(self.p, a, b)
                if found is None:
                    raise _No
                return found
            case n.Lookup():
                return image(self.inverse(a), b)
            case n.Op1(op="single", operand=x):
                return self.set(n.Op2("in", x, b, n.BoolT()))
            case n.Op2(op="union", left=c, right=d):
                return n.Op2("union", self.meets(c, b), self.meets(d, b), self.type)
            case n.Op2(op="minus", left=c, right=d) if self.free(d):
                return self.meets(c, n.Op2("minus", b, d, b.type))
            case n.Op2(op="meet", left=c, right=d) if self.free(d):
                return self.meets(c, n.Op2("meet", b, d, b.type))
            case _:
                raise _No

    def inverse(self, e: n.Lookup, single: bool = False) -> n.TableData:
        """The converse of a table whose only key is the parameter."""
        if len(e.keys) != 1 or not isinstance(e.keys[0], n.Load):
            raise _No
        target = e.type.domain if isinstance(e.type, n.ElemT | n.SetT) else None
        if target is None:
            raise _No
        return converse(e.table, single)

    def turned(self, table: n.TableData, keys: tuple[n.Expr, ...], value: n.Expr | None) -> n.Expr:
        """``value in T(keys)``, or ``T(keys)`` for a table of bools: the set of parameters, looked up by the other
        keys."""
        places = [i for i, k in enumerate(keys) if not self.free(k)]
        if len(places) != 1 or not isinstance(keys[places[0]], n.Load) or table.keys[places[0]] != self.domain:
            raise _No
        others = tuple(k for i, k in enumerate(keys) if i != places[0])
        new = transposed(table, places[0], value is not None)
        if new is None:
            raise _No
        return n.Lookup(new, others if value is None else (*others, value))

    def quantified(self, e: n.Loop) -> n.Expr:
        some = e.kind == "some"
        if (
            isinstance(e.over, n.Const)
            and e.over.value.bit_count() <= cutoffs.UNROLLED
            and isinstance(e.local.type, n.ElemT)
        ):
            total: n.Expr = self.const(0 if some else self.domain.full)
            for i in range(e.over.value.bit_length()):
                if e.over.value >> i & 1:
                    one = self.set(tabulate(fold(substitute(e.body, {e.local.id: n.Const(i, e.local.type)}))))
                    total = n.Op2("union" if some else "meet", total, one, self.type)
            return total
        if not some:
            return self.complement(self.quantified(_negated(e)))
        rays = ray_condition(self.p, e)
        if rays is not None:
            return rays
        if self.free(e.over) and not can_fail(e.body):
            return n.Loop("union", e.local, e.over, None, self.set(e.body), self.type)
        if isinstance(e.body, n.Op2) and e.body.op == "in" and isinstance(e.body.left, n.Load):
            right = free_locals(e.body.right)
            if e.body.left.local.id == e.local.id and not {self.p.id, e.local.id} & right.keys():
                return self.meets(e.over, e.body.right)
        raise _No


def _case(e: n.Expr, free: Callable[[n.Expr], bool]) -> n.Cond | None:
    """A conditional within a condition whose own condition reads the parameter. Expressions that read names bound
    within are skipped."""
    names = free_locals(e).keys()
    for x in walk(e):
        if isinstance(x, n.Cond) and x is not e and not free(x.condition) and free_locals(x).keys() <= names:
            return x
    return None


def _instead(e: n.Expr, old: n.Expr, new: n.Expr) -> n.Expr:
    """Replaces every occurrence of a subexpression."""
    return new if e == old else map_children(e, lambda c: _instead(c, old, new))


def _joined(e: n.Expr) -> bool:
    """Whether an expression consists of conditions that are lifted one by one."""
    return (isinstance(e, n.Op2) and e.op in ("and", "or")) or (isinstance(e, n.Op1) and e.op == "not")


def _plain(e: n.Expr) -> bool:
    """Whether an expression is a condition on numbers that contains no loop or call."""
    return not any(x.loops or isinstance(x.type, n.SetT) for x in walk(e))


def _key(e: n.Expr, p: n.Local) -> n.Expr | None:
    """A key that reads the parameter and nothing else, of a slot within the condition. None if there is none."""
    for x in walk(e):
        for key in x.keys if isinstance(x, n.Get) else ():
            if is_pure(key) and free_locals(key).keys() == {p.id}:
                return key
    return None


def intersection(a: n.Expr, b: n.Expr) -> n.Expr:
    """The meet of two sets. If one is constant, the constant parts of the other are cut."""
    t = a.type
    assert isinstance(t, n.SetT)
    if isinstance(a, n.Const):
        return _cut(b, a.value, t)
    return _cut(a, b.value, t) if isinstance(b, n.Const) else fold(n.Op2("meet", a, b, t))


def _cut(e: n.Expr, among: int, t: n.SetT) -> n.Expr:
    """The elements of ``among`` in a set. Constants and the rows of tables are cut beforehand."""
    if isinstance(e, n.Op2) and e.op == "union":
        return fold(n.Op2("union", _cut(e.left, among, t), _cut(e.right, among, t), t))
    if isinstance(e, n.Loop) and e.kind == "filter" and isinstance(e.over, n.Const):
        return replace(e, over=replace(e.over, value=e.over.value & among))
    if isinstance(e, n.Lookup):
        rows = tuple(v & among for v in e.table.values)
        return e if rows == e.table.values else replace(e, table=replace(e.table, values=rows))
    if isinstance(e, n.Cond) and isinstance(e.then, n.Const) and isinstance(e.otherwise, n.Const):
        return replace(
            e,
            then=replace(e.then, value=e.then.value & among),
            otherwise=replace(e.otherwise, value=e.otherwise.value & among),
        )
    return fold(n.Op2("meet", e, n.Const(among, t), t))


def _negated(e: n.Loop) -> n.Loop:
    return n.Loop("some", e.local, e.over, None, n.Op1("not", e.body, n.BoolT()), n.BoolT(), span=e.span)


def _asked(e: n.Expr) -> n.Expr:
    """Rewrites ``(if c then S else {}) != {}`` to ``c and S != {}``."""
    match e:
        case n.Op2(op="ne", left=n.Cond(condition=c, then=a, otherwise=n.Const(value=0)), right=none):
            return n.Op2("and", c, _asked(n.Op2("ne", a, none, n.BoolT())), n.BoolT())
        case n.Op2(op="and", left=a, right=b):
            return n.Op2("and", a, _asked(b), n.BoolT())
        case _:
            return e
