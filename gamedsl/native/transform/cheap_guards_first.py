"""A call that is dear to ask is asked only where a cheaper one allows it.

``row(own, part(cuts))`` can hold only if ``row(own, all lines)`` does: an argument that is a call itself is first replaced by
the most, or the least, that it can be.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from gamedsl.core.evaluate import NotConstant, RangeProblem, evaluate
from gamedsl.core.fold import can_fail
from gamedsl.core.nodes import BoolT, CallF, Cond, Const, Expr, Op2, Program, SetT
from gamedsl.core.traverse import map_children
from gamedsl.native.analysis.monotonicity import Ways
from gamedsl.native.transform.rewriting import everywhere


def _one_call(a: Expr) -> CallF | None:
    """The call that an argument is, or one of two of the same function."""
    match a:
        case CallF():
            return a
        case Cond(then=CallF(function=one), otherwise=CallF(function=other) as call) if one == other:
            return call
        case _:
            return None


def with_sooner(program: Program, cheap: Collection[Expr]) -> Program:
    """The program with cheap questions before dear ones; calls in ``cheap`` need none."""
    sooner = Sooner(program, cheap)
    functions = tuple(replace(f, body=sooner.expr(f.body)) for f in program.functions)
    return replace(everywhere(program, sooner.expr), functions=functions)


class Sooner:
    """Of the functions of a program; calls in ``cheap`` need no such question."""

    def __init__(self, program: Program, cheap: Collection[Expr]) -> None:
        self.functions = program.functions
        self.ways = Ways(program.functions)
        self.cheap = cheap
        self._extremes: dict[tuple[int, int], Const | None] = {}

    def expr(self, e: Expr) -> Expr:
        """The expression with cheaper questions before dear ones."""
        e = map_children(e, self.expr)
        if not isinstance(e, CallF) or not isinstance(e.type, BoolT) or can_fail(e, self.functions):
            return e
        args = list(e.args)
        for i, (a, way) in enumerate(zip(e.args, self.ways.of(e.function), strict=True)):
            dear = _one_call(a)
            if dear is not None and dear not in self.cheap and way in (1, -1):
                args[i] = self._extreme(dear.function, way) or a
        if tuple(args) == e.args:
            return e
        return Op2("and", replace(e, args=tuple(args)), e, e.type, span=e.span)

    def _extreme(self, index: int, way: int) -> Const | None:
        """The most (1) or the least (-1) that a function of sets can be; None when that is not known."""
        if (index, way) not in self._extremes:
            self._extremes[index, way] = self._found(index, way)
        return self._extremes[index, way]

    def _found(self, index: int, way: int) -> Const | None:
        function, given = self.functions[index], {}
        for p, w in zip(function.params, self.ways.of(index), strict=True):
            if w is None or not isinstance(p.type, SetT):
                return None
            given[p.id] = p.type.domain.full if w == way else 0
        try:
            return Const(evaluate(function.body, given), function.body.type)
        except (NotConstant, RangeProblem):
            return None
