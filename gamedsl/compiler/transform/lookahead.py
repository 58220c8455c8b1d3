"""Look-ahead by weakest preconditions (Dijkstra): rewrites conditions after a move as conditions before it.

    after place(c): count(mark[me]) = 3
    →
    count(mark[me] | {c}) = 3

``some m in moves(...)`` becomes quantifiers over the parameters along the plan. A function called in several states
receives the slots it reads as arguments, so that it is emitted once.

Not done (``TooLarge``): moves that can fail, push, note positions or iterate over a set of the state. Generic code
tries them on a copy of the state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.canonical_names import by_use, canonical
from gamedsl.compiler.analysis.constant_tables import tabulate
from gamedsl.compiler.analysis.facts import Facts, assumed
from gamedsl.compiler.analysis.monotonicity import Monotonicity
from gamedsl.compiler.analysis.proofs import proved
from gamedsl.compiler.analysis.symbolic_states import After, Given, Here, Known, State, TooLarge
from gamedsl.compiler.transform.inline import Inliner, in_body
from gamedsl.compiler.transform.range_check_elimination import eliminate_range_checks
from gamedsl.language.core import (
    can_fail,
    conjuncts,
    exprs_of,
    fold,
    fold_node,
    make_plan,
    node_count,
    substitute,
    terminator_exprs,
    walk,
)
from gamedsl.language.core import nodes as n

WRITTEN_OUT: dict[str, n.BinOp] = {"some": "or", "every": "and", "union": "union", "filter": "union"}
Names = dict[int, n.Expr]


def tries_moves(program: n.Program) -> bool:
    """Whether conditions of this program read the state after a move."""
    if any(s.forbids for s in program.schemas):
        return True
    lists = [b.statements for b in program.blocks] + [s.effect for s in program.schemas]
    asked = [e for stmts in lists for e in exprs_of(stmts)] + [f.body for f in program.functions]
    asked += [e for b in program.blocks for e in terminator_exprs(b.end)]
    asked += [g.condition for s in program.schemas for g in s.guards]
    return any(isinstance(x, n.AfterE) for e in asked for x in walk(e))


class LookAhead(Inliner):
    """An inliner that also handles conditions that try moves. ``functions`` are those emitted, ``given`` the conditions
    known to hold."""

    def __init__(self, program: n.Program) -> None:
        super().__init__(program)
        self.largest = cutoffs.VISITED_NODES
        self._closed: dict[tuple[object, ...], list[_Closed]] = {}
        self._ticks: dict[object, tuple[After, _Lets, object]] = {}
        self._monotonicity = Monotonicity(self.functions)
        self._shapes: list[tuple[n.Expr, n.Function]] = []

    def _expr(self, e: n.Expr, state: State, locals: Names) -> n.Expr:
        match e:
            case n.Get(var=var):
                return state.get(var, tuple(fold(self._expr(k, state, locals)) for k in e.keys), e)
            case n.AfterE():
                return self._after(e, state, locals)
            case _ if (read := e.read()) is not None and not state.same(read):
                raise TooLarge("an expression reads more of the position after a move than its plain variables")
            case _:
                return super()._expr(e, state, locals)

    # -------------------------------------------------------------------------------------- the state after

    def _after(self, e: n.AfterE, state: State, locals: Names) -> n.Expr:
        there, names = self._tick(e.tick, state)
        if e.schema is not None:
            schema = self.program.schemas[e.schema]
            if schema.has_chance:
                raise TooLarge("an expression looks at the position after a move of chance")
            bound = {schema.me.id: names.name(schema.me, fold(self._expr(e.args[0], state, locals)))}
            for p, a in zip(schema.params, e.args[1:], strict=True):
                bound[p.local.id] = names.name(p.local, fold(self._expr(a, state, locals)))
            self._run(schema.effect, there, bound, names)
        self._run(e.passed, there, {}, names)
        return names.around(self._expr(e.body, there, locals))

    def _tick(self, tick: tuple[n.CoreStmt, ...], state: State) -> tuple[After, _Lets]:
        """The state after the tick, cached per state."""
        key = (id(tick), tuple(sorted(state.known.items())) if isinstance(state, Here) else id(state))
        if key not in self._ticks:
            there, names, held = After(state), _Lets(self), self.given
            self.given = []
            self._run(tick, there, {}, names)
            self.given = held
            self._ticks[key] = (there, names, (tick, state))
        there, names, _ = self._ticks[key]
        return there.copy(), names.copy()

    def _run(self, stmts: tuple[n.CoreStmt, ...], there: After, bound: Names, names: _Lets) -> None:
        """Follows statements symbolically. ``bound`` receives the names that they bind."""
        for s in stmts:
            self._follow(s, there, bound, names)

    def _follow(self, s: n.CoreStmt, there: After, bound: Names, names: _Lets) -> None:
        match s:
            case n.Assign(var=var) if not isinstance(var.type, n.StackT):
                keys = tuple(fold(self._expr(k, there, bound)) for k in s.keys)
                value = fold(self._expr(s.value, there, bound))
                there.put(var, keys, names.name(n.Local(0, var.name, s.value.type), value))
            case n.Reset(var=var) if not isinstance(var.type, n.StackT) and var.slots <= cutoffs.UNROLLED:
                _reset(s, there)
            case n.LetS(local=local):
                bound[local.id] = names.name(local, fold(self._expr(s.value, there, bound)))
            case n.IfS():
                self._either(s, there, bound, names)
            case n.ForS(local=local):
                over = fold(self._expr(s.over, there, bound))
                if (
                    not isinstance(over, n.Const)
                    or not isinstance(local.type, n.ElemT)
                    or over.value.bit_count() > cutoffs.UNROLLED
                ):
                    raise TooLarge("a move in a look-ahead goes through a set")
                for i in _members(over):
                    self._run(s.body, there, {**bound, local.id: n.Const(i, local.type)}, names)
            case n.Check():
                condition = fold(self._expr(s.condition, there, bound))
                if not proved(names.put_in(condition), self.given):
                    raise TooLarge("a move in a look-ahead has a check")
            case n.Effect(schema=number):
                schema = self.program.schemas[number]
                args = [fold(self._expr(a, there, bound)) for a in s.args]
                locals = (schema.me, *(p.local for p in schema.params))
                inner = {x.id: names.name(x, a) for x, a in zip(locals, args, strict=True)}
                self._run(schema.effect, there, inner, names)
            case _:
                raise TooLarge("a move in a look-ahead does more than assign")

    def _either(self, s: n.IfS, there: After, bound: Names, names: _Lets) -> None:
        condition = fold(self._expr(s.condition, there, bound))
        if isinstance(condition, n.Const):
            self._run(s.then if condition.value else s.otherwise, there, dict(bound), names)
            return
        condition = names.name(n.Local(0, "if", n.BoolT()), condition)
        branches = []
        for stmts in (s.then, s.otherwise):
            branch, inside = there.copy(), _Lets(self)
            self._run(stmts, branch, dict(bound), inside)
            if inside.can_fail:
                raise TooLarge("a move in a look-ahead can fail on the way")
            names.add(inside)
            branches.append(branch)
        there.join(condition, *branches)

    # ------------------------------------------------------------------------------------------- quantifiers

    def _loop(self, e: n.Loop, state: State, locals: Names) -> n.Expr:
        """Unrolls a loop over few constant elements, so that the slots it reads have constant keys."""
        over = fold(self._expr(e.over, state, locals))
        if (
            isinstance(over, n.Const)
            and over.value.bit_count() <= cutoffs.UNROLLED
            and isinstance(e.local.type, n.ElemT)
        ):
            found = self._written_out(e, over, state, locals)
            if found is not None:
                return found
        return super()._loop(e, state, locals)

    def _written_out(self, e: n.Loop, over: n.Const, state: State, locals: Names) -> n.Expr | None:
        if e.kind not in WRITTEN_OUT or not any(isinstance(x, n.Get | n.CallF) for x in walk(e.body)):
            return None
        total: n.Expr = n.Const(int(e.kind == "every"), e.type)
        op = WRITTEN_OUT[e.kind]
        for i in _members(over):
            inner = {**locals, e.local.id: n.Const(i, e.local.type)}
            body = self._expr(e.body, state, inner)
            if e.kind == "filter":
                body = n.Cond(body, n.Const(1 << i, e.type), n.Const(0, e.type), e.type)
            if e.condition is not None:
                condition = self._expr(e.condition, state, inner)
                body = n.Cond(condition, body, n.Const(int(e.kind == "every"), e.type), e.type)
            total = fold_node(n.Op2(op, total, fold(body), e.type, span=e.span))
        return total

    def _tried(self, e: n.SomeMove, state: State, locals: Names) -> n.Expr:
        """Quantifies over moves along their plans. ``every`` is negated: no move violates it."""
        if e.kind == "count":
            raise TooLarge("an expression counts moves")
        found: n.Expr = n.Const(0, n.BoolT())
        mover = fold(self._expr(e.mover, state, locals))
        for b in e.branches:
            schema = self.program.schemas[b.schema]
            plan = schema.plan or make_plan(schema.params, schema.guards)
            inner = {**locals, schema.me.id: mover, b.me.id: mover}
            held = len(self.given)
            one = self._going(_Tried(e, schema, b, locals), plan, state, inner)
            del self.given[held:]
            found = fold_node(n.Op2("or", found, one, n.BoolT(), span=e.span))
        return found if e.kind == "some" else n.Op1("not", found, n.BoolT(), span=e.span)

    def _going(self, t: _Tried, plan: tuple[n.Bind | n.Test, ...], state: State, locals: Names) -> n.Expr:
        if not plan:
            return self._asked(t, state, locals)
        step, rest = plan[0], plan[1:]
        if isinstance(step, n.Test):
            condition = fold(self._expr(step.condition, state, locals))
            if isinstance(condition, n.Const) and not condition.value:
                return condition
            self.given.append(condition)
            return fold_node(n.Op2("and", condition, self._going(t, rest, state, locals), n.BoolT()))
        local = t.schema.params[step.param].local
        new = self.fresh(local)
        over = fold(self._expr(step.over, state, locals))
        few = _few(over) if isinstance(local.type, n.ElemT) else None
        if few is not None:
            return self._one_by_one(t, rest, state, locals, (local, t.branch.params[step.param]), few)
        self.given.append(n.Op2("in", n.Load(new), over, n.BoolT()))
        inner = {**locals, local.id: n.Load(new), t.branch.params[step.param].id: n.Load(new)}
        return fold_node(n.Loop("some", new, over, None, self._going(t, rest, state, inner), n.BoolT()))

    def _one_by_one(
        self, t: _Tried, rest: tuple[n.Bind | n.Test, ...], state: State, locals: Names, names: tuple[n.Local, n.Local],
        few: tuple[n.Const, n.Expr],
    ) -> n.Expr:  # fmt: skip
        """Unrolls a parameter that ranges over few elements."""
        found: n.Expr = n.Const(0, n.BoolT())
        for i in _members(few[0]):
            one = n.Const(i, names[0].type)
            held = len(self.given)
            inside = fold(n.Op2("in", one, few[1], n.BoolT()))
            self.given.append(inside)
            going = self._going(t, rest, state, {**locals, **{x.id: one for x in names}})
            del self.given[held:]
            found = fold_node(n.Op2("or", found, fold_node(n.Op2("and", inside, going, n.BoolT())), n.BoolT()))
        return found

    def _asked(self, t: _Tried, state: State, locals: Names) -> n.Expr:
        """The condition on one move: not forbidden, and the body (negated for ``every``). The body comes first if
        neither can fail."""
        body = fold(self._expr(t.branch.body, state, in_body(t.branch, t.outer, locals)))
        if t.move.kind == "every":
            body = fold_node(n.Op1("not", body, n.BoolT()))
        if not t.move.legal or not t.schema.forbids:
            return body
        free: n.Expr = fold_node(n.Op1("not", self._forbidden(t.schema, t.move.tick, state, locals), n.BoolT()))
        plain = not can_fail(body, self.functions) and not can_fail(free, self.functions)
        if plain:
            free = fold(assumed(free, Facts.of(conjuncts(body)), self._monotonicity))
        first, second = (body, free) if plain else (free, body)
        return fold_node(n.Op2("and", first, second, n.BoolT()))

    def forbidden(
        self, schema: n.Schema, tick: tuple[n.CoreStmt, ...], known: Known, locals: Mapping[int, n.Expr]
    ) -> n.Expr:
        self._nodes = 0
        return self._forbidden(schema, tick, Here(known), dict(locals))

    def _forbidden(self, schema: n.Schema, tick: tuple[n.CoreStmt, ...], state: State, locals: Names) -> n.Expr:
        args = (n.Load(schema.me), *(n.Load(p.local) for p in schema.params))
        found: n.Expr = n.Const(0, n.BoolT())
        for g in schema.forbids:
            asked = fold(self._after(n.AfterE(schema.index, args, tick, g.condition), state, locals))
            found = fold_node(n.Op2("or", found, asked, n.BoolT(), span=g.span))
        return found

    # ----------------------------------------------------------------------------------------------- functions

    def _called(self, index: int, args: list[n.Expr], state: State) -> n.Expr:
        """A call that passes the slots that the function reads. Small functions are inlined."""
        given = [fold(a) for a in args]
        closed = self._find_closed(index, given, state)
        if closed is None:
            return super()._called(index, given, state)
        slots = [state.get(g.var, g.keys, g) for g in closed.slots]
        passed = tuple(a for a in given if not isinstance(a, n.Const))
        return n.CallF(closed.function.index, (*passed, *slots), closed.function.body.type)

    def _find_closed(self, index: int, args: list[n.Expr], state: State) -> _Closed | None:
        """The function that receives all slots it reads as arguments. Returns None if it is small, or if it reads
        something that cannot be passed."""
        known = state.constants()
        key = (index, tuple(a.value if isinstance(a, n.Const) else None for a in args))
        for one in self._closed.setdefault(key, []):
            if all(known.get(v) == value for v, value in one.used.items()):
                return one if one.function.index >= 0 else None
        made = self._close(index, args, known)
        self._closed[key].append(made)
        return made if made.function.index >= 0 else None

    def _close(self, index: int, args: list[n.Expr], known: dict[int, int]) -> _Closed:
        old = self.program.functions[index]
        inside, bound, params = Given(known, self.fresh), Names(), []
        for p, a in zip(old.params, args, strict=True):
            if isinstance(a, n.Const):
                bound[p.id] = replace(a, type=p.type)
            else:
                params.append(self.fresh(p))
                bound[p.id] = n.Load(params[-1])
        held, self.given = self.given, []
        try:
            body = fold(self._expr(old.body, inside, bound))
        except TooLarge:
            return _Closed(replace(old, index=-1), (), {})
        finally:
            self.given = held
        if not inside.slots:  # of constants: the call becomes a look-up
            body = tabulate(body)
        slot = {name.id: g for g, name in inside.slots.values()}
        read = by_use(body, (name for _, name in inside.slots.values()))
        params += read
        slots = tuple(slot[name.id] for name in read)
        made = n.Function(-1, old.name, tuple(params), body, old.span)
        if node_count(body) > cutoffs.SMALL_FUNCTION or any(_long(x) for x in walk(body)):
            made = self._keep(made)
        return _Closed(made, slots, inside.used)

    def _keep(self, made: n.Function) -> n.Function:
        """Numbers the function. Alpha-equivalent functions share one number."""
        shape = canonical(made.body, made.params)
        for known, other in self._shapes:
            if known == shape:
                return other
        numbered = replace(made, index=len(self.functions))
        self._shapes.append((shape, numbered))
        self.functions.append(numbered)
        return numbered


class _Closed:
    """A function with the slots passed to it, and the variables whose values it assumes."""

    def __init__(self, function: n.Function, slots: tuple[n.Get, ...], used: dict[int, int]) -> None:
        self.function = function
        self.slots = slots
        self.used = used


class _Tried:
    """A quantified move. ``outer`` are the names in scope outside."""

    def __init__(self, move: n.SomeMove, schema: n.Schema, branch: n.MoveBranch, outer: Names) -> None:
        self.move = move
        self.schema = schema
        self.branch = branch
        self.outer = outer


class _Lets:
    """Lets for values computed on the way to a state."""

    def __init__(self, inliner: LookAhead) -> None:
        self.inliner = inliner
        self.all: list[tuple[n.Local, n.Expr]] = []

    def name(self, local: n.Local, value: n.Expr) -> n.Expr:
        """The value, bound to a name unless it is short. A value that can fail is always bound, so that it is
        evaluated."""
        value = eliminate_range_checks(value, self.inliner.given)
        fails = can_fail(value, self.inliner.functions)
        if isinstance(value, n.Const | n.Load) or (not fails and node_count(value) <= cutoffs.LOOKAHEAD_NAMED):
            return value
        new = replace(self.inliner.fresh(local), type=value.type)
        self.all.append((new, value))
        return n.Load(new)

    def copy(self) -> _Lets:
        new = _Lets(self.inliner)
        new.all = list(self.all)
        return new

    def add(self, more: _Lets) -> None:
        self.all += more.all

    @property
    def can_fail(self) -> bool:
        return any(can_fail(value, self.inliner.functions) for _, value in self.all)

    def put_in(self, e: n.Expr) -> n.Expr:
        """Substitutes the values for the names."""
        for local, value in reversed(self.all):
            e = substitute(e, {local.id: value})
        return e

    def around(self, body: n.Expr) -> n.Expr:
        """Wraps the body in the lets."""
        for local, value in reversed(self.all):
            body = n.LetE(local, value, body)
        return body


def _long(e: n.Expr) -> bool:
    """Whether an expression is a loop over a large constant set."""
    return isinstance(e, n.Loop) and isinstance(e.over, n.Const) and e.over.value.bit_count() > cutoffs.UNROLLED


def _few(over: n.Expr) -> tuple[n.Const, n.Expr] | None:
    """The set as the intersection of a small constant set with another one, or None."""
    match over:
        case n.Const(value=bits) if bits.bit_count() <= cutoffs.UNROLLED:
            return over, over
        case n.Op2(op="meet", left=n.Const(value=bits) as c, right=s) if bits.bit_count() <= cutoffs.UNROLLED:
            return c, s
        case _:
            return None


def _members(over: n.Const) -> list[int]:
    return [i for i in range(over.value.bit_length()) if over.value >> i & 1]


def _reset(s: n.Reset, there: After) -> None:
    t = s.var.type
    places = product(*(range(d.size) for d in s.var.keys))
    for at, initial in zip(places, s.var.initial, strict=True):
        keys = tuple(n.Const(i, n.ElemT(d)) for i, d in zip(at, s.var.keys, strict=True))
        there.put(s.var, keys, n.Const(initial, t))  # type: ignore[arg-type]
