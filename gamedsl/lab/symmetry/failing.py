"""Decides whether an expression can fail, given the facts known where it is evaluated.

For example, after ``x != y and``, looking up the cells between two points cannot fail, although it does for a point
and itself.
"""

from __future__ import annotations

from functools import reduce
from itertools import product

from gamedsl.compiler import is_pure
from gamedsl.lab.symmetry.tabulated_expressions import MOST_ENTRIES, MOST_NAMES, Values, codes
from gamedsl.language.core import NotConstant, RangeProblem, children, evaluate, free_locals
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

Facts = tuple[n.Expr, ...]  # conditions that hold


def chained(e: n.Expr, op: str) -> list[n.Expr]:
    """Returns the operands of ``a | b | c``."""
    if isinstance(e, n.Op2) and e.op == op:
        return [*chained(e.left, op), *chained(e.right, op)]
    return [e]


def known_after(op: str, members: list[n.Expr]) -> Facts:
    """Returns the facts known when the next operand of ``a and b and c`` or ``a or b or c`` is evaluated."""
    return tuple(members) if op == "and" else tuple(negated(m) for m in members)


def negated(e: n.Expr) -> n.Expr:
    return n.Op1("not", e, n.BoolT(), span=e.span)


def facts_of(e: n.Expr) -> Facts:
    """Returns the facts known if a condition holds."""
    if isinstance(e, n.Op1) and e.op == "not":
        return tuple(negated(m) for m in chained(e.operand, "or"))
    return tuple(chained(e, "and"))


def without(given: Facts, local: n.Local) -> Facts:
    """Returns the facts that do not read a name."""
    return tuple(f for f in given if local.id not in free_locals(f))


@lazy_dataclass()
class Failing:
    """Decides for expressions of a program whether they can fail."""

    program: n.Program
    values: Values

    def __call__(self, e: n.Expr, given: Facts = ()) -> bool:
        if self.values(e) is not None:
            return False
        if e.may_fail() and not self._spared(e, given):
            return True
        match e:
            case n.CallF(function=index):
                return self(self.program.functions[index].body) or any(self(a, given) for a in e.args)
            case n.Op2(op="and" | "or"):
                members = chained(e, e.op)
                return any(self(m, (*given, *known_after(e.op, members[:i]))) for i, m in enumerate(members))
            case n.Cond(condition, then, otherwise):
                yes, no = (*given, *facts_of(condition)), (*given, *facts_of(negated(condition)))
                return self(condition, given) or self(then, yes) or self(otherwise, no)
            case n.Loop():
                return self(e.over, given) or any(self(part, facts) for part, facts in self.inside(e, given))
            case n.Binder():
                first, *rest = children(e)
                return self(first, given) or any(self(c, without(given, e.local)) for c in rest)
            case _:
                return any(self(c, given) for c in children(e))

    def inside(self, e: n.Loop, given: Facts) -> list[tuple[n.Expr, Facts]]:
        """Returns the condition and the body of a loop, with the facts known in them."""
        given = without(given, e.local)
        if e.condition is None:
            return [(e.body, given)]
        return [(e.condition, given), (e.body, (*given, *facts_of(e.condition)))]

    def _spared(self, e: n.Expr, given: Facts) -> bool:
        """Whether the facts rule out every input on which the expression fails."""
        names = free_locals(e)
        if (
            not is_pure(e)
            or len(names) > MOST_NAMES
            or any(isinstance(x.type, n.SetT | n.OptT) for x in names.values())
        ):
            return False
        facts = [m for f in given for m in facts_of(f) if is_pure(m) and free_locals(m).keys() <= names.keys()]
        if reduce(lambda number, x: number * len(codes(x)), names.values(), 1) * (1 + len(facts)) > MOST_ENTRIES:
            return False
        try:
            for row in product(*(codes(x) for x in names.values())):
                values = dict(zip(names, row, strict=True))
                if all(evaluate(f, values) for f in facts):
                    evaluate(e, values)
        except (NotConstant, RangeProblem):
            return False
        return True
