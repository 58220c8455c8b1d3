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

from collections.abc import Callable
from dataclasses import replace

from gamedsl.core import can_fail, fold, free_locals, limits, map_children, substitute, walk
from gamedsl.core.nodes import (
    Arranged,
    BoolT,
    CallF,
    Closure,
    Cond,
    Const,
    ElemT,
    Expr,
    Flood,
    Get,
    Load,
    Local,
    Lookup,
    Loop,
    Noted,
    Op1,
    Op2,
    SetT,
    TableData,
)
from gamedsl.native import cutoffs
from gamedsl.native.analysis.constant_tables import is_pure, table_of, tabulate
from gamedsl.native.transform.converse_tables import converse, relation_image, transposed
from gamedsl.native.transform.ray_floods import image, ray_condition
from gamedsl.native.transform.threshold_sets import threshold_set
from gamedsl.native.transform.visibility import hidden

FILTERED = 4_000_000  # ids of the names made here


class _No(Exception):
    """The condition has no form as a set."""


def lift_condition(p: Local, condition: Expr, among: int | None = None) -> Expr | None:
    """The set of ``p`` for which the condition holds. Returns None if it has no such form. Elements outside ``among``,
    where given, may be in the set or not."""
    if not isinstance(p.type, ElemT) or p.type.domain.size > 512:
        return None
    try:
        return fold(_Lift(p, p.type, among).set(condition))
    except _No:
        return None


class _Lift:
    def __init__(self, p: Local, t: ElemT, among: int | None) -> None:
        self.p = p
        self.domain = t.domain
        self.type = SetT(t.domain)
        self.among = self.domain.full if among is None else among

    def free(self, e: Expr) -> bool:
        """Is it independent of the parameter?"""
        return self.p.id not in free_locals(e)

    def const(self, bits: int) -> Const:
        return Const(bits, self.type)

    def complement(self, e: Expr) -> Expr:
        return Op1("complement", e, self.type)

    def set(self, e: Expr) -> Expr:
        try:
            return self.whole(e)
        except _No:
            pass
        try:
            return self.by_cases(e)
        except _No:
            return self.by_key(e)

    def by_cases(self, e: Expr) -> Expr:
        """Splits a condition that contains ``if c then A else B``, where c reads the parameter, into its two cases."""
        if _joined(e):
            raise _No
        found = _case(e, self.free)
        if found is None:
            raise _No
        c = self.set(found.condition)
        then, otherwise = (self.set(fold(_instead(e, found, x))) for x in (found.then, found.otherwise))
        return Op2("union", Op2("meet", c, then, self.type), Op2("minus", otherwise, c, self.type), self.type)

    def by_key(self, e: Expr) -> Expr:
        """Splits a condition that reads a slot whose key is a constant of the parameter: a case for each slot."""
        key = None if _joined(e) else _key(e, self.p)
        values = None if key is None else table_of(key, [self.p], [self.domain])
        if key is None or values is None:
            raise _No
        if key == Load(self.p) and self.among.bit_count() >= cutoffs.SIMD_ELEMENTS and _plain(e):
            return self.filtered(e)
        all_, total = self.among, list[Expr]()
        groups = {v: sum(1 << i for i, w in enumerate(values) if w == v) & all_ for v in values}
        if sum(map(bool, groups.values())) > cutoffs.KEYED_SLOTS:
            raise _No
        try:
            for v, mine in groups.items():
                if mine:
                    self.among = mine
                    one = self.set(tabulate(fold(_instead(e, key, Const(v, key.type)))))
                    total.append(_cut(one, mine, self.type))
        finally:
            self.among = all_
        found = total[0]
        for more in total[1:]:
            found = Op2("union", found, more, self.type)
        return found

    def filtered(self, e: Expr) -> Expr:
        """Each element has a slot of its own: they are tested side by side (``emit/sets/simd_numbers.py``)."""
        x = replace(self.p, id=FILTERED + self.p.id)
        return Loop("filter", x, self.const(self.among), None, substitute(e, {self.p.id: Load(x)}), self.type)

    def threshold(self, e: Op2) -> Expr:
        """A comparison of a constant of the parameter with a number of the state."""
        for x, y in ((e.left, e.right), (e.right, e.left)):
            if self.free(x) and is_pure(y):
                values = table_of(y, [self.p], [self.domain])
                found = None if values is None else threshold_set(e, values, x, x is e.left, self.type, self.among)
                if found is not None:
                    return found
        raise _No

    def whole(self, e: Expr) -> Expr:
        if self.free(e):
            return Cond(e, self.const(self.domain.full), self.const(0), self.type)
        if is_pure(e) and set(free_locals(e)) == {self.p.id}:
            values = table_of(e, [self.p], [self.domain])
            if values is not None:
                return self.const(sum(1 << i for i, v in enumerate(values) if v))
        match e:
            case Op1(op="not", operand=inner):
                return self.complement(self.set(inner))
            case Op2(op="and" | "or"):
                rays = ray_condition(self.p, e)
                if rays is not None:
                    return rays
                return Op2("meet" if e.op == "and" else "union", self.set(e.left), self.set(e.right), self.type)
            case Op2(op="in"):
                return self.member(e)
            case Op2(op="disjoint", left=a, right=b):
                return self.complement(self.meets(a, b))
            case Op2(op="within", left=a, right=b) if self.free(b):
                assert isinstance(b.type, SetT)
                return self.complement(self.meets(a, Op1("complement", b, b.type)))
            case Op1(op="is_empty", operand=a):
                return self.complement(self.filled(a))
            case Op2(op="lt" | "le"):
                return self.threshold(e)
            case Op2(op="eq" | "ne", left=a, right=b):
                return self.equal(e, a, b)
            case Loop(kind="some" | "every", condition=None):
                return self.quantified(e)
            case Lookup() if isinstance(e.type, BoolT):
                return self.turned(e.table, e.keys, None)
            case _:
                raise _No

    def equal(self, e: Op2, a: Expr, b: Expr) -> Expr:
        if isinstance(a, Const):
            a, b = b, a
        if isinstance(a.type, SetT) and isinstance(b, Const) and b.value == 0:
            filled = self.filled(a)
            return filled if e.op == "ne" else self.complement(filled)
        for x, y in ((a, b), (b, a)):
            if self.free(x) and not isinstance(x, Const) and is_pure(y) and not isinstance(x.type, SetT):
                return self.by_value(e, x, y)
            if isinstance(x, Load) and x.local.id == self.p.id and self.free(y) and isinstance(y.type, ElemT):
                one = Op1("single", y, self.type)
                return one if e.op == "eq" else self.complement(one)
            if isinstance(x, Op1) and x.op == "wrap" and x.operand == Load(self.p) and self.free(y):
                return self.optional(e, y)
        raise _No

    def optional(self, e: Op2, y: Expr) -> Expr:
        """``p = y``, where y may be none."""
        one = Op1("single", Op1("unwrap", y, self.p.type, span=e.span), self.type)
        found = Cond(Op1("is_none", y, BoolT()), self.const(0), one, self.type)
        return found if e.op == "eq" else self.complement(found)

    def by_value(self, e: Op2, x: Expr, y: Expr) -> Expr:
        """``x = y(p)``, where x has few values and y reads no state: a case for each value of x."""
        low, high = limits(x.type)
        if high - low >= 2:
            try:
                return self.threshold(e)
            except _No:
                pass
        if high - low >= cutoffs.LIFTED_VALUES:
            raise _No
        total: Expr = self.const(0)
        for v in range(low, high + 1):
            is_v = Op2("eq", x, Const(v, x.type), BoolT())
            these = self.set(tabulate(Op2("eq", y, Const(v, x.type), BoolT())))
            total = Op2("union", total, Cond(is_v, these, self.const(0), self.type), self.type)
        return total if e.op == "eq" else self.complement(total)

    # --------------------------------------------------------------------------------------------- relations

    def member(self, e: Op2) -> Expr:
        """``x in S``, where either side reads the parameter."""
        match e.right:
            case Cond(condition=c, otherwise=Const()) if self.free(c):
                then, otherwise = (fold(self.set(replace(e, right=x))) for x in (e.right.then, e.right.otherwise))
                return then if then == otherwise and not can_fail(c) else Cond(c, then, otherwise, self.type)
        if self.free(e.right):
            if isinstance(e.left, Load) and e.right.type == self.type:
                return e.right
            if isinstance(e.left, Lookup) and isinstance(e.left.type, ElemT):
                composed = self.composed(e.left, e.right)
                if composed is not None:
                    return composed
                return image(self.inverse(e.left, single=True), e.right)
            raise _No
        if self.free(e.left) and isinstance(e.right, Lookup):
            return self.turned(e.right.table, e.right.keys, e.left)
        if isinstance(e.right, Op2) and e.right.op in ("union", "meet", "minus"):
            a = (
                self.member(Op2("in", e.left, e.right.left, BoolT()))
                if not self.free(e.right.left)
                else self.set(Op2("in", e.left, e.right.left, BoolT()))
            )
            b = self.set(Op2("in", e.left, e.right.right, BoolT()))
            return Op2(e.right.op, a, b, self.type)
        raise _No

    def composed(self, x: Lookup, s: Expr) -> Expr | None:
        """``T(p) in S(k)``: the set of parameters, looked up by k."""
        if not isinstance(s, Lookup) or len(s.table.values) * self.words > cutoffs.THRESHOLD_WORDS:
            return None
        back = self.inverse(x, single=True).values
        rows = tuple(relation_image(back, v) for v in s.table.values)
        name = f"{s.table.name} through {x.table.name}"
        return replace(s, table=TableData(name, s.table.keys, self.type, rows))

    @property
    def words(self) -> int:
        return (self.domain.size + 63) // 64

    def filled(self, e: Expr) -> Expr:
        """The parameters for which a set is not empty."""
        match e:
            case Op2(op="meet", left=a, right=b):
                return self.meets(a, b)
            case Op2(op="minus", left=a, right=b) if self.free(b):
                assert isinstance(b.type, SetT)
                return self.meets(a, Op1("complement", b, b.type))
            case Op2(op="union", left=a, right=b):
                return Op2("union", self.filled(a), self.filled(b), self.type)
            case Loop(kind="union", local=x, over=over, body=body):
                assert isinstance(e.type, SetT)
                some = Op2("ne", body, Const(0, e.type), BoolT())
                inner: Expr = some if e.condition is None else Op2("and", e.condition, some, BoolT())
                return self.set(Loop("some", x, over, None, _asked(inner), BoolT()))
            case Cond(condition=c, then=a, otherwise=Const(value=0)):
                return Op2("meet", self.set(c), self.filled(a), self.type)
            case _ if self.free(e):
                return self.set(Op1("not", Op1("is_empty", e, BoolT()), BoolT()))
            case Lookup():
                assert isinstance(e.type, SetT)
                return self.meets(e, Const(e.type.domain.full, e.type))
            case _:
                raise _No

    def meets(self, a: Expr, b: Expr) -> Expr:
        """The parameters for which two sets intersect."""
        if not self.free(b):
            a, b = b, a
        if not self.free(b):
            raise _No
        if self.free(a):
            return self.set(Op1("not", Op2("disjoint", a, b, BoolT()), BoolT()))
        match a:
            case Lookup(keys=(_, _)):
                found = hidden(self.p, a, b)
                if found is None:
                    raise _No
                return found
            case Lookup():
                return image(self.inverse(a), b)
            case Op1(op="single", operand=x):
                return self.set(Op2("in", x, b, BoolT()))
            case Op2(op="union", left=c, right=d):
                return Op2("union", self.meets(c, b), self.meets(d, b), self.type)
            case Op2(op="minus", left=c, right=d) if self.free(d):
                return self.meets(c, Op2("minus", b, d, b.type))
            case Op2(op="meet", left=c, right=d) if self.free(d):
                return self.meets(c, Op2("meet", b, d, b.type))
            case _:
                raise _No

    def inverse(self, e: Lookup, single: bool = False) -> TableData:
        """The converse of a table whose only key is the parameter."""
        if len(e.keys) != 1 or not isinstance(e.keys[0], Load):
            raise _No
        target = e.type.domain if isinstance(e.type, ElemT | SetT) else None
        if target is None:
            raise _No
        return converse(e.table, single)

    def turned(self, table: TableData, keys: tuple[Expr, ...], value: Expr | None) -> Expr:
        """``value in T(keys)``, or ``T(keys)`` for a table of bools: the set of parameters, looked up by the other
        keys."""
        places = [i for i, k in enumerate(keys) if not self.free(k)]
        if len(places) != 1 or not isinstance(keys[places[0]], Load) or table.keys[places[0]] != self.domain:
            raise _No
        others = tuple(k for i, k in enumerate(keys) if i != places[0])
        new = transposed(table, places[0], value is not None)
        if new is None:
            raise _No
        return Lookup(new, others if value is None else (*others, value))

    def quantified(self, e: Loop) -> Expr:
        some = e.kind == "some"
        if (
            isinstance(e.over, Const)
            and e.over.value.bit_count() <= cutoffs.LIFTED_ROUNDS
            and isinstance(e.local.type, ElemT)
        ):
            total: Expr = self.const(0 if some else self.domain.full)
            for i in range(e.over.value.bit_length()):
                if e.over.value >> i & 1:
                    one = self.set(tabulate(fold(substitute(e.body, {e.local.id: Const(i, e.local.type)}))))
                    total = Op2("union" if some else "meet", total, one, self.type)
            return total
        if not some:
            return self.complement(self.quantified(_negated(e)))
        rays = ray_condition(self.p, e)
        if rays is not None:
            return rays
        if self.free(e.over) and not can_fail(e.body):
            return Loop("union", e.local, e.over, None, self.set(e.body), self.type)
        if isinstance(e.body, Op2) and e.body.op == "in" and isinstance(e.body.left, Load):
            if e.body.left.local.id == e.local.id and self.free(e.body.right):
                return self.meets(e.over, e.body.right)
        raise _No


def _case(e: Expr, free: Callable[[Expr], bool]) -> Cond | None:
    """A conditional within a condition whose own condition reads the parameter. Expressions that read names bound
    within are skipped."""
    names = free_locals(e).keys()
    for x in walk(e):
        if isinstance(x, Cond) and x is not e and not free(x.condition) and free_locals(x).keys() <= names:
            return x
    return None


def _instead(e: Expr, old: Expr, new: Expr) -> Expr:
    """Replaces every occurrence of a subexpression."""
    return new if e == old else map_children(e, lambda c: _instead(c, old, new))


def _joined(e: Expr) -> bool:
    """Is it made of conditions that are lifted one by one?"""
    return (isinstance(e, Op2) and e.op in ("and", "or")) or (isinstance(e, Op1) and e.op == "not")


def _plain(e: Expr) -> bool:
    """Is it a condition on numbers that contains no loop or call?"""
    return not any(
        isinstance(x, Loop | CallF | Noted | Flood | Closure | Arranged) or isinstance(x.type, SetT) for x in walk(e)
    )


def _key(e: Expr, p: Local) -> Expr | None:
    """A key that reads the parameter and nothing else, of a slot within the condition. None if there is none."""
    for x in walk(e):
        for key in x.keys if isinstance(x, Get) else ():
            if is_pure(key) and free_locals(key).keys() == {p.id}:
                return key
    return None


def intersection(a: Expr, b: Expr) -> Expr:
    """The meet of two sets. Where one is constant, the other's constant parts are cut."""
    t = a.type
    assert isinstance(t, SetT)
    if isinstance(a, Const):
        return _cut(b, a.value, t)
    return _cut(a, b.value, t) if isinstance(b, Const) else fold(Op2("meet", a, b, t))


def _cut(e: Expr, among: int, t: SetT) -> Expr:
    """The elements of ``among`` in a set. A table's rows are cut before."""
    if isinstance(e, Op2) and e.op == "union":
        return fold(Op2("union", _cut(e.left, among, t), _cut(e.right, among, t), t))
    if isinstance(e, Loop) and e.kind == "filter" and isinstance(e.over, Const):
        return replace(e, over=replace(e.over, value=e.over.value & among))
    if isinstance(e, Lookup):
        rows = tuple(v & among for v in e.table.values)
        return e if rows == e.table.values else replace(e, table=replace(e.table, values=rows))
    if isinstance(e, Cond) and isinstance(e.then, Const) and isinstance(e.otherwise, Const):
        return replace(
            e,
            then=replace(e.then, value=e.then.value & among),
            otherwise=replace(e.otherwise, value=e.otherwise.value & among),
        )
    return fold(Op2("meet", e, Const(among, t), t))


def _negated(e: Loop) -> Loop:
    return Loop("some", e.local, e.over, None, Op1("not", e.body, BoolT()), BoolT(), span=e.span)


def _asked(e: Expr) -> Expr:
    """Rewrites ``(if c then S else {}) != {}`` to ``c and S != {}``."""
    match e:
        case Op2(op="ne", left=Cond(condition=c, then=a, otherwise=Const(value=0)), right=none):
            return Op2("and", c, _asked(Op2("ne", a, none, BoolT())), BoolT())
        case Op2(op="and", left=a, right=b):
            return Op2("and", a, _asked(b), BoolT())
        case _:
            return e
