"""Filters of which one case has only few elements, as a conditional between the two cases.

    {d in S: A(d) and (far or near(c, d))}                  (far does not read d, near reads no state)
    →
    if far then {d in S: A(d)} else (if A(first(c)) then {first(c)} else {}) | ...

The elements near c are looked up by c, and so is what A says about them. Conditions on a set that is looked up and has at
most one element become conditions on that element:

    count(between(c, first(c)) & taken) = 1
    →
    middle(c) in taken

So a king of draughts is followed along rays, and a man is asked about four cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.constant_tables import is_pure, table_of, tabulate
from gamedsl.compiler.analysis.set_bounds import factors
from gamedsl.language.core import can_fail, conjunction, conjuncts, fold, free_locals, map_children, substitute
from gamedsl.language.core import nodes as n


def split_filters(e: n.Expr, functions: Sequence[n.Function]) -> n.Expr:
    """Rewrites the filters of an expression."""
    e = map_children(e, lambda x: split_filters(x, functions))
    if not isinstance(e, n.Loop) or e.kind != "filter" or e.condition is not None or can_fail(e.body, functions):
        return e
    for far, near, rest in cases_of(e.body):
        few = None if e.local.id in free_locals(far) else _few(e, near, rest, functions)
        if few is not None:
            return n.Cond(far, replace(e, body=conjunction(rest)), few, e.type, span=e.span)
    return e


def cases_of(e: n.Expr) -> Iterator[tuple[n.Expr, n.Expr, list[n.Expr]]]:
    """Yields both cases of every disjunction in a conjunction, in either order, and the other conditions."""
    parts = conjuncts(e)
    for i, part in enumerate(parts):
        if isinstance(part, n.Op2) and part.op == "or":
            rest = parts[:i] + parts[i + 1 :]
            yield part.left, part.right, rest
            yield part.right, part.left, rest


def _few(e: n.Loop, near: n.Expr, rest: list[n.Expr], functions: Sequence[n.Function]) -> n.Expr | None:
    """The elements of a filter that are near by constants and satisfy the rest; None if there may be many."""
    others = [x for x in free_locals(near).values() if x.id != e.local.id]
    if len(others) != 1 or not is_pure(near) or can_fail(e.over, functions):
        return None
    c, d, t = others[0], e.local, e.over.type
    if not isinstance(c.type, n.ElemT) or not isinstance(d.type, n.ElemT) or not isinstance(t, n.SetT):
        return None
    among = factors(e.over)
    constant = [s for s in among if is_pure(s) and free_locals(s).keys() <= {c.id}]
    inside = [n.Op2("in", n.Load(d), s, n.BoolT()) for s in among if s not in constant]
    asked = conjunction([near, *(n.Op2("in", n.Load(d), s, n.BoolT()) for s in constant)])
    values = table_of(asked, [c, d], [c.type.domain, d.type.domain])
    if values is None:
        return None
    size = d.type.domain.size
    rows = tuple(sum(values[i + k] << k for k in range(size)) for i in range(0, len(values), size))
    if max(row.bit_count() for row in rows) > cutoffs.UNROLLED:
        return None
    body = conjunction([*inside, *rest])
    return _one_by_one(
        _Names(9_000_000 + 100 * d.id), body, d, n.Lookup(n.TableData("near", (c.type.domain,), t, rows), (n.Load(c),))
    )


def _one_by_one(names: _Names, body: n.Expr, d: n.Local, near: n.Lookup) -> n.Expr:
    """The union of what a few looked-up elements contribute. The sets in which they have to lie are computed once."""
    t = near.type
    assert isinstance(t, n.SetT) and isinstance(d.type, n.ElemT)
    found: n.Expr = n.Const(0, t)
    left = list(near.table.values)
    while any(left):
        places = tuple(max(0, (v & -v).bit_length() - 1) for v in left)
        parts = tuple(v & -v for v in left)
        left = [v & (v - 1) for v in left]
        one = n.Lookup(n.TableData("one of", near.table.keys, d.type, places), near.keys)
        part = n.Lookup(n.TableData("part of", near.table.keys, t, parts), near.keys)
        asked = names.shared(conjuncts(_about_points(tabulate(substitute(body, {d.id: one})), part)))
        found = fold(n.Op2("union", found, n.Cond(asked, part, n.Const(0, t), t), t))
    for local, value in reversed(names.values):
        found = n.LetE(local, value, found)
    return found


class _Names:
    """Names of sets that are computed once."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.values: list[tuple[n.Local, n.Expr]] = []

    def shared(self, asked: list[n.Expr]) -> n.Expr:
        """The conjunction of these conditions. Those that an element lies in sets become one on the intersection."""
        within: dict[n.Expr, n.Expr] = {}
        rest: list[n.Expr] = []
        for e in asked:
            match e:
                case n.Op2(op="in", left=n.Lookup() as x, right=s):
                    within[x] = fold(n.Op2("meet", within[x], s, s.type)) if x in within else s
                case _:
                    rest.append(e)
        return conjunction([*rest, *(n.Op2("in", x, self._name(s), n.BoolT()) for x, s in within.items())])

    def _name(self, s: n.Expr) -> n.Expr:
        if isinstance(s, n.Const | n.Load):
            return s
        known = [local for local, value in self.values if value == s]
        if not known:
            known = [n.Local(self.first + len(self.values), "among", s.type)]
            self.values.append((known[0], s))
        return n.Load(known[0])


# ------------------------------------------------------------------------------------------- sets of one element


def _about_points(e: n.Expr, asked: n.Lookup) -> n.Expr:
    """Rewrites conditions on looked-up sets of at most one element as conditions on the element. They are asked only
    where ``asked`` is not empty, which is looked up by the same name."""
    e = map_children(e, lambda x: _about_points(x, asked))
    match e:
        case n.Op2(op="and", left=a, right=b) if (lies := _lies_in(b, conjuncts(a), asked)) is not None:
            return n.Op2("and", a, lies, n.BoolT())
        case n.Op2(
            op="eq",
            left=n.Op1(op="count", operand=n.Op2(op="meet", left=n.Lookup() as a, right=b)),
            right=n.Const(value=1),
        ) if (point := _point(a, asked)) is not None:
            return n.Op2("in", point, b, n.BoolT())
        case _:
            return e


def _lies_in(e: n.Expr, known: list[n.Expr], asked: n.Lookup) -> n.Expr | None:
    """``T & B within C`` where the only element of T is known to be in B: that it is in C. None for other conditions."""
    match e:
        case n.Op2(op="within", left=n.Op2(op="meet", left=n.Lookup() as a, right=b), right=c) if (
            point := _point(a, asked)
        ) is not None and n.Op2("in", point, b, n.BoolT()) in known:
            return n.Op2("in", point, c, n.BoolT())
        case _:
            return None


def _point(e: n.Lookup, asked: n.Lookup) -> n.Lookup | None:
    """The only element of a looked-up set. None if the set has none or several where it is asked about."""
    if not isinstance(e.type, n.SetT) or e.keys != asked.keys:
        return None
    if any(v.bit_count() != 1 for v, there in zip(e.table.values, asked.table.values, strict=True) if there):
        return None
    places = tuple(max(0, v.bit_length() - 1) for v in e.table.values)
    return replace(e, table=replace(e.table, values=places, type=n.ElemT(e.type.domain)))
