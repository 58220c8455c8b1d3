"""Function inlining, with constant propagation.

    test three(me)         with three(p) = some l in lines: l within mark[p], and me = X known
    →
    test some l in lines: l within mark[X]

Names bound in a function are renamed for each copy. An expression that grows beyond ``cutoffs.EXPRESSION_NODES`` raises
``TooLarge``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.symbolic_states import Here, Known, State, TooLarge
from gamedsl.compiler.transform.sparse_loops import number_members
from gamedsl.language.core import children, fold, make_plan, map_children, statement_exprs, with_children
from gamedsl.language.core import nodes as n


def in_body(b: n.MoveBranch, outer: dict[int, n.Expr], in_plan: dict[int, n.Expr]) -> dict[int, n.Expr]:
    """The names in the body of a quantifier over moves: the outer names, the mover and the parameters. Other names of
    the plan are left out, because a schema that tries its own kind of move shares them with the outer scope."""
    own = (b.me, *b.params)
    return {**outer, **{x.id: in_plan[x.id] for x in own}}


class Inliner:
    """Inlines functions, with fresh names for the locals of each copy.

    ``functions``: functions that are not inlined (see ``lookahead.py``). ``given``: conditions known to hold.
    """

    def __init__(self, program: n.Program) -> None:
        self.largest = cutoffs.EXPRESSION_NODES
        self.program = program
        self.functions: list[n.Function] = []
        self.given: list[n.Expr] = []
        self._next = 1_000_000
        self._nodes = self._all = 0

    def fresh(self, local: n.Local) -> n.Local:
        self._next += 1
        return replace(local, id=self._next)

    def expr(self, e: n.Expr, known: Known, locals: Mapping[int, n.Expr] | None = None) -> n.Expr:
        """Inlines the functions of the expression, given the values of some variables and locals."""
        self._nodes = 0
        return fold(self._expr(e, Here(known), dict(locals or {})))

    def _expr(self, e: n.Expr, state: State, locals: dict[int, n.Expr]) -> n.Expr:
        self._nodes += 1
        self._all += 1
        if self._nodes > self.largest or self._all > cutoffs.WORK:
            raise TooLarge("with functions put in place, an expression is too large")
        match e:
            case n.Load(local=local):
                return locals.get(local.id, e)
            case n.Get(var=var):
                return state.get(var, tuple(self._expr(k, state, locals) for k in e.keys), e)
            case n.CallF(function=index):
                return self._called(index, [self._expr(a, state, locals) for a in e.args], state)
            case n.Loop():
                return self._loop(e, state, locals)
            case n.Binder():
                return self._binder(e, state, locals)
            case n.SomeMove():
                return self._tried(e, state, locals)
            case n.AfterE():
                raise TooLarge("an expression looks at the position after a move")
            case _:
                return map_children(e, lambda c: self._expr(c, state, locals))

    def _loop(self, e: n.Loop, state: State, locals: dict[int, n.Expr]) -> n.Expr:
        found = self._binder(e, state, locals)
        return number_members(found) if isinstance(found, n.Loop) else found

    def _binder(self, e: n.LetE | n.Loop | n.Closure, state: State, locals: dict[int, n.Expr]) -> n.Expr:
        new = self.fresh(e.local)
        inner = {**locals, e.local.id: n.Load(new)}
        first, *rest = children(e)
        changed = (self._expr(first, state, locals), *(self._expr(c, state, inner) for c in rest))
        return with_children(replace(e, local=new), changed)

    def _tried(self, e: n.SomeMove, state: State, locals: dict[int, n.Expr]) -> n.Expr:
        """``some m in moves(...)`` as quantifiers over the parameters, following the plan of each schema."""
        if e.kind != "some":
            raise TooLarge("an expression asks about all moves of a kind")
        found: n.Expr = n.Const(0, n.BoolT())
        for b in e.branches:
            schema = self.program.schemas[b.schema]
            if e.legal and schema.forbids:
                raise TooLarge("an expression tries moves that can be forbidden by what comes after them")
            mover = self._expr(e.mover, state, locals)
            plan = schema.plan or make_plan(schema.params, schema.guards)
            inner = {**locals, schema.me.id: mover, b.me.id: mover}
            one = self._planned(schema, plan, b, state, inner, locals)
            found = n.Op2("or", found, one, n.BoolT(), span=e.span)
        return found

    def _planned(
        self, schema: n.Schema, plan: tuple[n.Bind | n.Test, ...], b: n.MoveBranch, state: State, locals: dict[int, n.Expr],
        outer: dict[int, n.Expr],
    ) -> n.Expr:  # fmt: skip
        if not plan:
            return self._expr(b.body, state, in_body(b, outer, locals))
        step, rest = plan[0], plan[1:]
        if isinstance(step, n.Test):
            condition = self._expr(step.condition, state, locals)
            return n.Op2("and", condition, self._planned(schema, rest, b, state, locals, outer), n.BoolT())
        local = schema.params[step.param].local
        new = self.fresh(local)
        inner = {**locals, local.id: n.Load(new), b.params[step.param].id: n.Load(new)}
        over = self._expr(step.over, state, locals)
        return n.Loop("some", new, over, None, self._planned(schema, rest, b, state, inner, outer), n.BoolT())

    def _called(self, index: int, args: list[n.Expr], state: State) -> n.Expr:
        """The body of a function. An argument other than a name or a constant is bound by a let."""
        return self._in_place(self.program.functions[index], args, state)

    def _in_place(self, function: n.Function, args: list[n.Expr], state: State) -> n.Expr:
        bound: dict[int, n.Expr] = {}
        lets: list[tuple[n.Local, n.Expr]] = []
        for p, a in zip(function.params, args, strict=True):
            arg = fold(a)
            if not isinstance(arg, n.Const | n.Load):
                new = self.fresh(p)
                lets.append((new, arg))
                arg = n.Load(new)
            bound[p.id] = arg if not isinstance(arg, n.Const) else replace(arg, type=p.type)
        body = self._expr(function.body, state, bound)
        for local, value in reversed(lets):
            body = n.LetE(local, value, body)
        return body

    def forbidden(
        self, schema: n.Schema, tick: tuple[n.CoreStmt, ...], known: Known, locals: Mapping[int, n.Expr]
    ) -> n.Expr:
        """The condition that the state after a move with these parameters forbids it. Raises ``TooLarge`` here."""
        raise TooLarge("a move that is forbidden by what comes after it")

    def statement(self, s: n.CoreStmt, known: Known, locals: dict[int, n.Expr]) -> n.CoreStmt:
        """Inlines the functions of a statement. ``locals`` receives the names that it binds."""
        new = tuple(self.expr(e, known, locals) for e in statement_exprs(s))
        match s:
            case n.LetS(local=local):
                fresh = self.fresh(local)
                locals[local.id] = n.Load(fresh)
                return replace(s, local=fresh, value=new[0])
            case n.IfS():
                then = self.statements(s.then, known, dict(locals))
                return replace(
                    s, condition=new[0], then=then, otherwise=self.statements(s.otherwise, known, dict(locals))
                )
            case n.ForS(local=local):
                fresh = self.fresh(local)
                inner = {**locals, local.id: n.Load(fresh)}
                return replace(s, local=fresh, over=new[0], body=self.statements(s.body, known, inner))
            case n.Effect():
                raise TooLarge("an effect does another move's effect")
            case _:
                return with_exprs(s, new)

    def statements(
        self, stmts: tuple[n.CoreStmt, ...], known: Known, locals: dict[int, n.Expr]
    ) -> tuple[n.CoreStmt, ...]:
        return tuple(self.statement(s, known, locals) for s in stmts)


def with_exprs(s: n.CoreStmt, new: tuple[n.Expr, ...]) -> n.CoreStmt:
    """The statement with new expressions, in the order of ``statement_exprs``."""
    match s:
        case n.Assign() | n.PushS():
            return replace(s, keys=new[:-1], value=new[-1])
        case n.PopS():
            return replace(s, keys=new)
        case n.Check():
            return replace(s, condition=new[0])
        case n.NoteS():
            return replace(s, position=new)
        case n.Effect():
            return replace(s, args=new)
        case n.Reset() | n.StopS():
            return s
        case _:
            raise AssertionError(type(s).__name__)
