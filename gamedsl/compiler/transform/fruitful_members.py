"""Semijoin reduction: of the members of a set, only those are gone through for which an inner set has elements.

    max c in men: (if targets(c) = {} then 0 else ...)
    →
    let c's = men & {c: targets(c) != {}} in if c's = {} then 0 else max c in c's: ...

    bind from in men; bind to in targets(from)
    →
    bind from in men & {from: targets(from) != {}}; bind to in targets(from)

The set of those with elements is made by shifts (``shifted_conditions.py``), for the whole board at once. It may have
more elements than needed: a condition ``far(c) or near(c, d)`` on an element d of the inner set keeps all c with
``far(c)``, and goes on with the d that are near by constants.

Not done: inner sets that can end in a rules error.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.constant_tables import is_pure, table_of, tabulate
from gamedsl.compiler.analysis.symbolic_states import TooLarge
from gamedsl.compiler.transform.filter_cases import cases_of
from gamedsl.compiler.transform.inline import Inliner
from gamedsl.compiler.transform.lift_conditions import lift_condition
from gamedsl.compiler.transform.rewriting import rewrite_expressions
from gamedsl.compiler.transform.shifted_conditions import images, shift_condition
from gamedsl.language.core import (
    can_fail,
    conjunction,
    free_locals,
    limits,
    make_plan,
    map_children,
    substitute,
)
from gamedsl.language.core import nodes as n

NAMES = 8_000_000  # ids of the names made here


def keep_fruitful(program: n.Program) -> n.Program:
    """Narrows loops and bindings of a program, before it is specialized or prepared. Functions keep their numbers."""
    work = _Work(program)
    functions = tuple(replace(f, body=work.narrow(f.body)) for f in program.functions)
    found = rewrite_expressions(replace(program, functions=functions), work.narrow)
    return replace(found, schemas=tuple(work.schema(s) for s in found.schemas))


class _Work:
    def __init__(self, program: n.Program) -> None:
        self.program = program
        self.last = NAMES

    def narrow(self, e: n.Expr) -> n.Expr:
        """Narrows the greatest of values that are the least possible where an inner set is empty."""
        e = map_children(e, self.narrow)
        match e:
            case n.Loop(kind="max", local=c, over=over, condition=None, body=n.CallF(function=index, args=args)) if (
                isinstance(over.type, n.SetT)
            ):
                inner = None if any(can_fail(a, self.program.functions) for a in args) else self._inner(index, args)
                fruitful = None if inner is None else self._fruitful(c, inner)
                if fruitful is None:
                    return e
                self.last += 1
                name = n.Local(self.last, c.name, over.type)
                some = replace(e, over=n.Load(name))
                none = n.Op1("is_empty", n.Load(name), n.BoolT())
                least = n.Const(limits(e.type)[0], e.type)
                return n.LetE(
                    name, n.Op2("meet", over, fruitful, over.type), n.Cond(none, least, some, e.type), span=e.span
                )
            case _:
                return e

    def _inner(self, index: int, args: tuple[n.Expr, ...]) -> n.Expr | None:
        """The set whose emptiness makes the function's value the least possible one."""
        function = self.program.functions[index]
        match function.body:
            case n.LetE(
                local=m,
                value=value,
                body=n.Cond(
                    condition=n.Op1(op="is_empty", operand=n.Load(local=asked)), then=n.Const(value=least), type=t
                ),
            ) if m.id == asked.id and isinstance(t, n.IntT) and least == t.low:
                return substitute(value, {p.id: a for p, a in zip(function.params, args, strict=True)})
            case _:
                return None

    def schema(self, s: n.Schema) -> n.Schema:
        plan = list(s.plan or make_plan(s.params, s.guards))
        binds = [i for i, step in enumerate(plan) if isinstance(step, n.Bind)]
        for i, j in pairwise(binds):
            outer, inner = plan[i], plan[j]
            between = [step.condition for step in plan[i:j] if isinstance(step, n.Test)]
            assert isinstance(outer, n.Bind) and isinstance(inner, n.Bind)
            if any(can_fail(e, self.program.functions) for e in between) or not isinstance(inner.over, n.CallF):
                continue
            fruitful = self._fruitful(s.params[outer.param].local, inner.over)
            if fruitful is not None and fruitful.type == outer.over.type:
                plan[i] = replace(outer, over=n.Op2("meet", outer.over, fruitful, fruitful.type))
        return replace(s, plan=tuple(plan))

    def _fruitful(self, p: n.Local, inner: n.Expr) -> n.Expr | None:
        """A set of all p for which the inner set has elements, and maybe of others. None if it has no such form."""
        try:
            e = tabulate(Inliner(self.program).expr(inner, {}), cutoffs.GENERIC_TABLE_NAMES)
        except TooLarge:
            return None
        while isinstance(e, n.LetE):
            e = substitute(e.body, {e.local.id: e.value})
        if p.id not in free_locals(e) or not isinstance(e, n.Loop) or e.kind != "filter" or e.condition is not None:
            return None
        for far, near, rest in cases_of(e.body):
            found = self._by_cases(p, e, far, near, rest)
            if found is not None:
                return found
        return _cheap(shift_condition(p, replace(e, kind="some", type=n.BoolT())))

    def _by_cases(self, p: n.Local, e: n.Loop, far: n.Expr, near: n.Expr, rest: list[n.Expr]) -> n.Expr | None:
        domains = [x.type.domain for x in (p, e.local) if isinstance(x.type, n.ElemT)]
        if (
            e.local.id in free_locals(far)
            or can_fail(far)
            or not is_pure(near)
            or set(free_locals(near)) != {p.id, e.local.id}
        ):
            return None
        values = table_of(near, [p, e.local], domains) if len(domains) == 2 else None
        kept = lift_condition(p, far)
        if values is None or kept is None or not isinstance(e.type, n.SetT):
            return None
        size = domains[1].size
        rows = tuple(
            sum(1 << d for d, holds in enumerate(values[c * size : (c + 1) * size]) if holds)
            for c in range(domains[0].size)
        )
        table = n.TableData("near", (domains[0],), e.type, rows)
        over = n.Op2("meet", n.Lookup(table, (n.Load(p),)), e.over, e.type)
        found = _cheap(shift_condition(p, n.Loop("some", e.local, over, None, conjunction(rest), n.BoolT())))
        return None if found is None or found.type != kept.type else n.Op2("union", kept, found, kept.type)


def _cheap(found: n.Expr | None) -> n.Expr | None:
    return None if found is None or len(images(found)) > cutoffs.HOP_SHIFTS else found
