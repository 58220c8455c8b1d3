"""Passes for programs that are not specialized: inlining of small functions, tabulation, quantifiers as set operations.

A function is cloned for constant arguments (procedure cloning), unless they only choose the slot of a variable. A call
with an argument that is one of a few constants becomes a conditional between calls. Blocks, variables, schemas and
functions keep their numbers. Expressions that would grow too large stay as they are.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.constant_tables import is_pure, tabulate
from gamedsl.compiler.analysis.symbolic_states import Here, State, TooLarge
from gamedsl.compiler.transform.few_elements import unroll_looked_up
from gamedsl.compiler.transform.fruitful_members import keep_fruitful
from gamedsl.compiler.transform.guarded_lookups import unwrap_guarded
from gamedsl.compiler.transform.inline import Inliner
from gamedsl.compiler.transform.lift_plans import lift_quantifiers
from gamedsl.compiler.transform.ray_floods import flood_rays
from gamedsl.compiler.transform.rewriting import statements
from gamedsl.compiler.transform.visibility import prune_rays
from gamedsl.language.core import (
    can_fail,
    children,
    conjunction,
    conjuncts,
    fold,
    looks_ahead,
    make_plan,
    map_children,
    substitute,
    walk,
)
from gamedsl.language.core import nodes as n

Names = dict[int, n.Expr]


def prepare_generic(program: n.Program) -> n.Program:
    """Prepares a program that is not specialized."""
    return _Work(keep_fruitful(program)).run()


class _Work(Inliner):
    def __init__(self, program: n.Program) -> None:
        super().__init__(program)
        self.functions = list(program.functions)
        self.made: dict[tuple[object, ...], n.Function] = {}
        self.steering: dict[int, tuple[bool, ...]] = {}
        self.lists: dict[int, tuple[tuple[n.CoreStmt, ...], tuple[n.CoreStmt, ...]]] = {}

    def run(self) -> n.Program:
        program = self.program
        for i in range(len(program.functions)):
            self._all = 0
            self.functions[i] = self._own(i, ())
        schemas = tuple(self.schema(s) for s in program.schemas)
        blocks = []
        for b in program.blocks:
            self._all = 0
            blocks.append(replace(b, statements=self.listed(b.statements), end=self._end(b.end)))
        return replace(program, schemas=schemas, blocks=tuple(blocks), functions=tuple(self.functions))

    # --------------------------------------------------------------------------------------- statements, moves

    def rewritten(self, e: n.Expr) -> n.Expr:
        """Rewrites an expression. One that grows too large is left as it is."""
        try:
            return self.ready(self.expr(e, {}))
        except TooLarge:
            return e

    def ready(self, e: n.Expr) -> n.Expr:
        e = unwrap_guarded(tabulate(self.parted(e), cutoffs.GENERIC_TABLE_NAMES))
        e = tabulate(unroll_looked_up(e, self.functions, 1), cutoffs.GENERIC_TABLE_NAMES)
        e = prune_rays(flood_rays(lift_quantifiers(e)))
        e = unroll_looked_up(e, self.functions, cutoffs.POINTED_NODES)
        return fold(tabulate(e, cutoffs.GENERIC_TABLE_NAMES))

    def parted(self, e: n.Expr) -> n.Expr:
        """Rewrites ``{t in S: A and B}`` to ``{t in {t in S: A}: B}``, where A and S read no state. The inner set
        becomes a table."""
        e = map_children(e, self.parted)
        if not isinstance(e, n.Loop) or e.kind != "filter" or e.condition is not None or not is_pure(e.over):
            return e
        asked = conjuncts(e.body)
        safe = takewhile(lambda c: not can_fail(c, self.functions), asked)
        constant = [c for c in safe if is_pure(c)]
        rest = [c for c in asked if c not in constant]
        if isinstance(e.over, n.Const) or not constant or not rest:
            return e
        name = self.fresh(e.local)
        inner = substitute(conjunction(constant), {e.local.id: n.Load(name)})
        return replace(e, over=n.Loop("filter", name, e.over, None, inner, e.type), body=conjunction(rest))

    def listed(self, stmts: tuple[n.CoreStmt, ...]) -> tuple[n.CoreStmt, ...]:
        """Rewrites statements. Results are cached by identity."""
        if id(stmts) not in self.lists:
            self.lists[id(stmts)] = (stmts, statements(stmts, self.rewritten))
        return self.lists[id(stmts)][1]

    def schema(self, s: n.Schema) -> n.Schema:
        self._all = 0
        plan = tuple(self._step(x) for x in s.plan or make_plan(s.params, s.guards))
        forbids = tuple(self._guard(g) for g in s.forbids)
        return replace(s, plan=plan, forbids=forbids, effect=self.listed(s.effect))

    def _step(self, x: n.Bind | n.Test) -> n.Bind | n.Test:
        return n.Bind(x.param, self.rewritten(x.over)) if isinstance(x, n.Bind) else n.Test(self.rewritten(x.condition))

    def _guard(self, g: n.CoreGuard) -> n.CoreGuard:
        return replace(g, condition=self.rewritten(g.condition))

    def _end(self, end: n.Terminator) -> n.Terminator:
        match end:
            case n.BranchT():
                return replace(end, condition=self.rewritten(end.condition))
            case n.Choose():
                return replace(end, source=self.rewritten(end.source), tick=self.listed(end.tick))
            case n.Decision():
                return replace(end, tick=self.listed(end.tick))
            case n.Chance():
                return replace(end, over=self.rewritten(end.over), weight=self.rewritten(end.weight))
            case n.End():
                return replace(end, payoff=tuple(self.rewritten(e) for e in end.payoff))
            case _:
                return end

    # -------------------------------------------------------------------------------------------- expressions

    def _expr(self, e: n.Expr, state: State, locals: Names) -> n.Expr:
        match e:
            case n.AfterE():
                args = tuple(self._expr(a, state, locals) for a in e.args)
                body, tick, passed = self._expr(e.body, state, locals), self.listed(e.tick), self.listed(e.passed)
                return replace(e, args=args, body=body, tick=tick, passed=passed)
            case _:
                return super()._expr(e, state, locals)

    def _tried(self, e: n.SomeMove, state: State, locals: Names) -> n.Expr:
        branches = tuple(replace(b, body=self._expr(b.body, state, locals)) for b in e.branches)
        return replace(e, mover=self._expr(e.mover, state, locals), branches=branches, tick=self.listed(e.tick))

    def _loop(self, e: n.Loop, state: State, locals: Names) -> n.Expr:
        """Unrolls a union over few constant elements whose body reads the state."""
        over = fold(self._expr(e.over, state, locals))
        few = (
            isinstance(over, n.Const)
            and over.value.bit_count() <= cutoffs.UNROLLED
            and isinstance(e.local.type, n.ElemT)
        )
        if not few or e.kind != "union" or e.condition is not None:
            return super()._loop(e, state, locals)
        before = self._nodes
        first = super()._loop(e, state, locals)
        assert isinstance(over, n.Const)
        if is_pure(first) or (self._nodes - before) * over.value.bit_count() > cutoffs.COPIED_NODES:
            return first
        total: n.Expr = n.Const(0, e.type)
        for i in range(over.value.bit_length()):
            if over.value >> i & 1:
                one = self._expr(e.body, state, {**locals, e.local.id: n.Const(i, e.local.type)})
                total = fold(n.Op2("union", total, one, e.type, span=e.span))
        return total

    # ---------------------------------------------------------------------------------------------- functions

    def _called(self, index: int, args: list[n.Expr], state: State) -> n.Expr:
        args, result = [fold(a) for a in args], self.functions[index].body.type
        if index >= len(self.program.functions):
            return n.CallF(index, tuple(args), result)
        for i, a in enumerate(args):
            if (
                isinstance(a, n.Cond)
                and isinstance(a.then, n.Const | n.Cond)
                and isinstance(a.otherwise, n.Const | n.Cond)
            ):
                branches = [self._called(index, [*args[:i], x, *args[i + 1 :]], state) for x in (a.then, a.otherwise)]
                return n.Cond(a.condition, branches[0], branches[1], result)
        steers = self._steers(index)
        known = [a.value if isinstance(a, n.Const) and of else None for a, of in zip(args, steers, strict=True)]
        made = self._own(index, tuple(known))
        if made.index >= len(self.program.functions):
            args = [a for a, value in zip(args, known, strict=True) if value is None]
        size = sum(1 for _ in walk(made.body))
        if (size <= cutoffs.SMALL_FUNCTION and not looks_ahead(made.body)) or (
            size <= cutoffs.COPIED_NODES and is_pure(made.body)
        ):
            return self._in_place(made, args, state)
        return n.CallF(made.index, tuple(args), result)

    def _steers(self, index: int) -> tuple[bool, ...]:
        """By parameter, whether it is used for anything except choosing the slot of a variable."""
        if index not in self.steering:
            function = self.program.functions[index]
            used = self._used(function.body)
            self.steering[index] = tuple(p.id in used for p in function.params)
        return self.steering[index]

    def _used(self, e: n.Expr) -> set[int]:
        """The names that an expression uses other than as keys of variables."""
        match e:
            case n.Load(local=local):
                return {local.id}
            case n.Get(keys=keys):
                parts: list[n.Expr] = [k for k in keys if not isinstance(k, n.Load)]
            case n.CallF(function=index, args=args):
                steers = self._steers(index)
                parts = [a for a, of in zip(args, steers, strict=True) if of or not isinstance(a, n.Load)]
            case _:
                parts = list(children(e))
        return set().union(*(self._used(x) for x in parts))

    def _own(self, index: int, known: tuple[int | None, ...]) -> n.Function:
        """The function specialized to these constant arguments. Falls back to the general version if it grows too
        large."""
        if all(v is None for v in known):
            known = ()
        key = (index, known)
        if key not in self.made:
            nodes = self._nodes
            try:
                self.made[key] = self._make(index, known)
            except TooLarge:
                self.made[key] = self._own(index, ()) if known else self.program.functions[index]
            self._nodes = nodes
        return self.made[key]

    def _make(self, index: int, known: tuple[int | None, ...]) -> n.Function:
        old, params, bound = self.program.functions[index], [], Names()
        for i, p in enumerate(old.params):
            value = known[i] if known else None
            if value is None:
                params.append(self.fresh(p))
            bound[p.id] = n.Load(params[-1]) if value is None else n.Const(value, p.type)
        self._nodes = 0
        body = self.ready(fold(self._expr(old.body, Here({}), bound)))
        made = n.Function(index if not known else len(self.functions), old.name, tuple(params), body, old.span)
        if known:
            self.functions.append(made)
        return made
