"""Traversal of Core trees: children, rebuilding, free locals, successors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import wraps
from operator import is_
from typing import TypeVar, assert_never, cast

from gamedsl.language.core import nodes as n

Found = TypeVar("Found")


def children(e: n.Expr) -> tuple[n.Expr, ...]:
    """The direct subexpressions, in evaluation order. The most frequent node types are matched first."""
    match e:
        case n.Load() | n.Const() | n.Fail():
            return ()
        case n.Op2():
            return (e.left, e.right)
        case n.Op1() | n.Convert():
            return (e.operand,)
        case n.Get() | n.Lookup():
            return e.keys
        case n.StackOp():
            return e.keys if e.level is None else (*e.keys, e.level)
        case n.Cond():
            return (e.condition, e.then, e.otherwise)
        case n.LetE():
            return (e.value, e.body)
        case n.Loop():
            return (e.over, e.body) if e.condition is None else (e.over, e.condition, e.body)
        case n.CallF() | n.Arranged():
            return e.args
        case n.Noted():
            return e.position
        case n.Flood():
            return (e.start, e.within)
        case n.Closure():
            return (e.start, e.step)
        case n.AfterE():
            return (*e.args, e.body)
        case n.SomeMove():
            return (e.mover, *(b.body for b in e.branches))


def map_children(e: n.Expr, f: Callable[[n.Expr], n.Expr]) -> n.Expr:
    """Transforms the direct subexpressions. Returns the same object if none has changed."""
    old = children(e)
    new = tuple([f(c) for c in old])
    return e if all(map(is_, new, old)) else with_children(e, new)


def with_children(e: n.Expr, new: tuple[n.Expr, ...]) -> n.Expr:
    """The node with new subexpressions, in the order of ``children``."""
    match e:
        case n.Const() | n.Load() | n.Fail():
            return e
        case n.Get() | n.Lookup():
            return replace(e, keys=new)
        case n.StackOp():
            return replace(e, keys=new) if e.level is None else replace(e, keys=new[:-1], level=new[-1])
        case n.Op1() | n.Convert():
            return replace(e, operand=new[0])
        case n.Op2():
            return replace(e, left=new[0], right=new[1])
        case n.Cond():
            return replace(e, condition=new[0], then=new[1], otherwise=new[2])
        case n.LetE():
            return replace(e, value=new[0], body=new[1])
        case n.Loop():
            condition = None if e.condition is None else new[1]
            return replace(e, over=new[0], condition=condition, body=new[-1])
        case n.CallF() | n.Arranged():
            return replace(e, args=new)
        case n.Noted():
            return replace(e, position=new)
        case n.Flood():
            return replace(e, start=new[0], within=new[1])
        case n.Closure():
            return replace(e, start=new[0], step=new[1])
        case n.AfterE():
            return replace(e, args=new[:-1], body=new[-1])
        case n.SomeMove():
            branches = tuple(replace(b, body=number) for b, number in zip(e.branches, new[1:], strict=True))
            return replace(e, mover=new[0], branches=branches)


def walk(e: n.Expr) -> Iterator[n.Expr]:
    """The expression and everything inside it, outermost first. Statements of ticks are not included."""
    yield e
    for c in children(e):
        yield from walk(c)


def bound(e: n.Expr) -> tuple[n.Local, ...]:
    """The locals that this node binds in its subexpressions."""
    match e:
        case n.LetE(local=local) | n.Loop(local=local) | n.Closure(local=local):
            return (local,)
        case n.SomeMove(branches=branches):
            return tuple(one for b in branches for one in (b.me, *b.params))
        case _:
            return ()


def scoped_children(e: n.Expr) -> Iterator[tuple[n.Expr, tuple[n.Local, ...]]]:
    """The direct subexpressions, each with the locals that this node binds in it."""
    match e:
        case n.LetE():
            yield e.value, ()
            yield e.body, (e.local,)
        case n.Loop():
            yield e.over, ()
            yield from ((c, (e.local,)) for c in children(e)[1:])
        case n.Closure():
            yield e.start, ()
            yield e.step, (e.local,)
        case n.SomeMove():
            yield e.mover, ()
            yield from ((b.body, (b.me, *b.params)) for b in e.branches)
        case _:
            yield from ((c, ()) for c in children(e))


def memoized(find: Callable[[n.Expr], Found]) -> Callable[[n.Expr], Found]:
    """Memoizes a function on nodes. Nodes are immutable, so the result is stored in the node."""
    name = f"_{find.__name__}"

    @wraps(find)
    def known(e: n.Expr) -> Found:
        kept = vars(e)
        if name not in kept:
            kept[name] = find(e)
        return cast(Found, kept[name])

    return known


@memoized
def free_locals(e: n.Expr) -> Mapping[int, n.Local]:
    """The free locals of an expression, by id, in ascending order."""
    if isinstance(e, n.Load):
        return {e.local.id: e.local}
    found: dict[int, n.Local] = {}
    for child, names in scoped_children(e):
        own = [name.id for name in names]
        found |= {i: local for i, local in free_locals(child).items() if i not in own}
    return dict(sorted(found.items()))


@memoized
def node_count(e: n.Expr) -> int:
    """The number of nodes of an expression, including itself."""
    return 1 + sum(map(node_count, children(e)))


def substitute(e: n.Expr, values: Mapping[int, n.Expr]) -> n.Expr:
    """Replaces every use of a local by the value for its id, if there is one."""
    if not values:
        return e
    if isinstance(e, n.Load):
        return values.get(e.local.id, e)
    return map_children(e, lambda c: substitute(c, values))


def looks_ahead(e: n.Expr) -> bool:
    """Does it look ahead directly? (Calls are not followed.)"""
    return any(isinstance(x, n.AfterE | n.SomeMove) for x in walk(e))


# ------------------------------------------------------------------------------------------------------ statements


def statement_exprs(s: n.CoreStmt) -> tuple[n.Expr, ...]:
    """The top-level expressions of a statement, in order."""
    match s:
        case n.Assign() | n.PushS():
            return (*s.keys, s.value)
        case n.PopS():
            return s.keys
        case n.LetS():
            return (s.value,)
        case n.IfS() | n.Check():
            return (s.condition,)
        case n.ForS():
            return (s.over,)
        case n.NoteS():
            return s.position
        case n.Effect():
            return s.args
        case n.Reset() | n.StopS():
            return ()


def inner_statements(s: n.CoreStmt) -> tuple[n.CoreStmt, ...]:
    """The statements inside a statement."""
    match s:
        case n.IfS():
            return (*s.then, *s.otherwise)
        case n.ForS():
            return s.body
        case _:
            return ()


def walk_statements(stmts: tuple[n.CoreStmt, ...]) -> Iterator[n.CoreStmt]:
    """All statements of a list, including nested ones, in order."""
    for s in stmts:
        yield s
        yield from walk_statements(inner_statements(s))


def exprs_of(stmts: tuple[n.CoreStmt, ...]) -> Iterator[n.Expr]:
    """Every outermost expression in a list of statements."""
    for s in walk_statements(stmts):
        yield from statement_exprs(s)


def written(s: n.CoreStmt) -> n.Var | None:
    """The variable that the statement itself writes, if any."""
    match s:
        case n.Assign(var=var) | n.Reset(var=var) | n.PushS(var=var) | n.PopS(var=var) | n.NoteS(history=var):
            return var
        case _:
            return None


# ------------------------------------------------------------------------------------------------------ terminators


def terminator_exprs(t: n.Terminator) -> tuple[n.Expr, ...]:
    """The top-level expressions of a terminator."""
    match t:
        case n.Goto():
            return ()
        case n.BranchT():
            return (t.condition,)
        case n.Decide() | n.DecideDrawing():
            return (t.seat, t.mover)
        case n.DecideTogether():
            return (t.movers, *t.seats)
        case n.Choose():
            return (t.seat, t.mover, *t.keys, t.source)
        case n.Chance():
            return (t.over, t.weight)
        case n.End():
            return (*t.payoff, t.winners, *t.scores)


def claim_exprs(c: n.CoreClaim) -> tuple[n.Expr, ...]:
    """The expressions of a claim."""
    match c:
        case n.Always() | n.Never() | n.Reachable():
            return (c.condition,)
        case n.LeadsTo():
            return (c.condition, c.then)
        case n.Ends():
            return () if c.bound is None else (c.bound,)
        case n.Used() | n.MayTell():
            return ()
        case n.Balanced():
            return (c.percent,)
        case _:
            assert_never(c)


def terminator_tick(t: n.Terminator) -> tuple[n.CoreStmt, ...]:
    match t:
        case n.Decide() | n.DecideTogether() | n.Choose() | n.DecideDrawing():
            return t.tick
        case _:
            return ()


def targets(t: n.Terminator) -> tuple[int, ...]:
    """The successors of a block."""
    match t:
        case n.Goto():
            return (t.target,)
        case n.BranchT():
            return (t.yes, t.no)
        case n.Decide():
            extra = tuple(b for b in (t.stuck, t.may_pass) if b is not None)
            return (*(a.target for a in t.alternatives), *extra)
        case n.DecideTogether() | n.Choose() | n.Chance() | n.DecideDrawing():
            return (t.target,)
        case n.End():
            return ()


def reached(program: n.Program, blocks: Iterable[int]) -> set[int]:
    """The numbers of the blocks reachable from these, which are included."""
    found, todo = set[int](), list(blocks)
    while todo:
        at = todo.pop()
        if at not in found:
            found.add(at)
            todo.extend(targets(program.blocks[at].end))
    return found


def has_decisions(program: n.Program) -> bool:
    """Does any player ever decide? If not, the play is pure chance."""
    return any(isinstance(b.end, n.Decide | n.DecideTogether | n.Choose | n.DecideDrawing) for b in program.blocks)


def is_stop(block: n.Block) -> bool:
    """Whether the play stops at the end of this block: for a decision, for chance, or at the end of play."""
    return not isinstance(block.end, n.Goto | n.BranchT)
