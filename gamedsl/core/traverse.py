"""Traversal of Core trees: children, rebuilding, free locals, successors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import wraps
from operator import is_
from typing import TypeVar, assert_never, cast

from gamedsl.core.nodes import (
    AfterE,
    Always,
    Arranged,
    Assign,
    Balanced,
    Block,
    BranchT,
    CallF,
    Chance,
    Check,
    Choose,
    Closure,
    Cond,
    Const,
    Convert,
    CoreClaim,
    CoreStmt,
    Decide,
    DecideDrawing,
    DecideTogether,
    Effect,
    End,
    Ends,
    Expr,
    Fail,
    Flood,
    ForS,
    Get,
    Goto,
    IfS,
    LeadsTo,
    LetE,
    LetS,
    Load,
    Local,
    Lookup,
    Loop,
    MayTell,
    Never,
    Noted,
    NoteS,
    Op1,
    Op2,
    PopS,
    Program,
    PushS,
    Reachable,
    Reset,
    SomeMove,
    StackOp,
    StopS,
    Terminator,
    Used,
    Var,
)

Found = TypeVar("Found")


def children(e: Expr) -> tuple[Expr, ...]:
    """The direct subexpressions, in evaluation order. The most frequent node types are matched first."""
    match e:
        case Load() | Const() | Fail():
            return ()
        case Op2():
            return (e.left, e.right)
        case Op1() | Convert():
            return (e.operand,)
        case Get() | Lookup():
            return e.keys
        case StackOp():
            return e.keys if e.level is None else (*e.keys, e.level)
        case Cond():
            return (e.condition, e.then, e.otherwise)
        case LetE():
            return (e.value, e.body)
        case Loop():
            return (e.over, e.body) if e.condition is None else (e.over, e.condition, e.body)
        case CallF() | Arranged():
            return e.args
        case Noted():
            return e.position
        case Flood():
            return (e.start, e.within)
        case Closure():
            return (e.start, e.step)
        case AfterE():
            return (*e.args, e.body)
        case SomeMove():
            return (e.mover, *(b.body for b in e.branches))


def map_children(e: Expr, f: Callable[[Expr], Expr]) -> Expr:
    """Transforms the direct subexpressions. Returns the same object if none has changed."""
    old = children(e)
    new = tuple([f(c) for c in old])
    return e if all(map(is_, new, old)) else with_children(e, new)


def with_children(e: Expr, new: tuple[Expr, ...]) -> Expr:
    """The node with new subexpressions, in the order of ``children``."""
    match e:
        case Const() | Load() | Fail():
            return e
        case Get() | Lookup():
            return replace(e, keys=new)
        case StackOp():
            return replace(e, keys=new) if e.level is None else replace(e, keys=new[:-1], level=new[-1])
        case Op1() | Convert():
            return replace(e, operand=new[0])
        case Op2():
            return replace(e, left=new[0], right=new[1])
        case Cond():
            return replace(e, condition=new[0], then=new[1], otherwise=new[2])
        case LetE():
            return replace(e, value=new[0], body=new[1])
        case Loop():
            condition = None if e.condition is None else new[1]
            return replace(e, over=new[0], condition=condition, body=new[-1])
        case CallF() | Arranged():
            return replace(e, args=new)
        case Noted():
            return replace(e, position=new)
        case Flood():
            return replace(e, start=new[0], within=new[1])
        case Closure():
            return replace(e, start=new[0], step=new[1])
        case AfterE():
            return replace(e, args=new[:-1], body=new[-1])
        case SomeMove():
            branches = tuple(replace(b, body=n) for b, n in zip(e.branches, new[1:], strict=True))
            return replace(e, mover=new[0], branches=branches)


def walk(e: Expr) -> Iterator[Expr]:
    """The expression and everything inside it, outermost first. Statements of ticks are not included."""
    yield e
    for c in children(e):
        yield from walk(c)


def bound(e: Expr) -> tuple[Local, ...]:
    """The locals that this node binds in its subexpressions."""
    match e:
        case LetE(local=local) | Loop(local=local) | Closure(local=local):
            return (local,)
        case SomeMove(branches=branches):
            return tuple(one for b in branches for one in (b.me, *b.params))
        case _:
            return ()


def scoped_children(e: Expr) -> Iterator[tuple[Expr, tuple[Local, ...]]]:
    """The direct subexpressions, each with the locals that this node binds in it."""
    match e:
        case LetE():
            yield e.value, ()
            yield e.body, (e.local,)
        case Loop():
            yield e.over, ()
            yield from ((c, (e.local,)) for c in children(e)[1:])
        case Closure():
            yield e.start, ()
            yield e.step, (e.local,)
        case SomeMove():
            yield e.mover, ()
            yield from ((b.body, (b.me, *b.params)) for b in e.branches)
        case _:
            yield from ((c, ()) for c in children(e))


def memoized(find: Callable[[Expr], Found]) -> Callable[[Expr], Found]:
    """Memoizes a function on nodes. Nodes are immutable, so the result is stored in the node."""
    name = f"_{find.__name__}"

    @wraps(find)
    def known(e: Expr) -> Found:
        kept = vars(e)
        if name not in kept:
            kept[name] = find(e)
        return cast(Found, kept[name])

    return known


@memoized
def free_locals(e: Expr) -> Mapping[int, Local]:
    """The free locals of an expression, by id, in ascending order."""
    if isinstance(e, Load):
        return {e.local.id: e.local}
    found: dict[int, Local] = {}
    for child, names in scoped_children(e):
        own = [name.id for name in names]
        found |= {i: local for i, local in free_locals(child).items() if i not in own}
    return dict(sorted(found.items()))


@memoized
def node_count(e: Expr) -> int:
    """The number of nodes of an expression, including itself."""
    return 1 + sum(map(node_count, children(e)))


def substitute(e: Expr, values: Mapping[int, Expr]) -> Expr:
    """Replaces every use of a local by the value for its id, if there is one."""
    if not values:
        return e
    if isinstance(e, Load):
        return values.get(e.local.id, e)
    return map_children(e, lambda c: substitute(c, values))


def looks_ahead(e: Expr) -> bool:
    """Does it look ahead directly? (Calls are not followed.)"""
    return any(isinstance(x, AfterE | SomeMove) for x in walk(e))


# ------------------------------------------------------------------------------------------------------ statements


def statement_exprs(s: CoreStmt) -> tuple[Expr, ...]:
    """The top-level expressions of a statement, in order."""
    match s:
        case Assign() | PushS():
            return (*s.keys, s.value)
        case PopS():
            return s.keys
        case LetS():
            return (s.value,)
        case IfS() | Check():
            return (s.condition,)
        case ForS():
            return (s.over,)
        case NoteS():
            return s.position
        case Effect():
            return s.args
        case Reset() | StopS():
            return ()


def inner_statements(s: CoreStmt) -> tuple[CoreStmt, ...]:
    """The statements inside a statement."""
    match s:
        case IfS():
            return (*s.then, *s.otherwise)
        case ForS():
            return s.body
        case _:
            return ()


def walk_statements(stmts: tuple[CoreStmt, ...]) -> Iterator[CoreStmt]:
    """All statements of a list, including nested ones, in order."""
    for s in stmts:
        yield s
        yield from walk_statements(inner_statements(s))


def exprs_of(stmts: tuple[CoreStmt, ...]) -> Iterator[Expr]:
    """Every outermost expression in a list of statements."""
    for s in walk_statements(stmts):
        yield from statement_exprs(s)


def written(s: CoreStmt) -> Var | None:
    """The variable that the statement itself writes, if any."""
    match s:
        case Assign(var=var) | Reset(var=var) | PushS(var=var) | PopS(var=var) | NoteS(history=var):
            return var
        case _:
            return None


# ------------------------------------------------------------------------------------------------------ terminators


def terminator_exprs(t: Terminator) -> tuple[Expr, ...]:
    """The top-level expressions of a terminator."""
    match t:
        case Goto():
            return ()
        case BranchT():
            return (t.condition,)
        case Decide() | DecideDrawing():
            return (t.seat, t.mover)
        case DecideTogether():
            return (t.movers, *t.seats)
        case Choose():
            return (t.seat, t.mover, *t.keys, t.source)
        case Chance():
            return (t.over, t.weight)
        case End():
            return (*t.payoff, t.winners, *t.scores)


def claim_exprs(c: CoreClaim) -> tuple[Expr, ...]:
    """The expressions of a claim."""
    match c:
        case Always() | Never() | Reachable():
            return (c.condition,)
        case LeadsTo():
            return (c.condition, c.then)
        case Ends():
            return () if c.bound is None else (c.bound,)
        case Used() | MayTell():
            return ()
        case Balanced():
            return (c.percent,)
        case _:
            assert_never(c)


def terminator_tick(t: Terminator) -> tuple[CoreStmt, ...]:
    match t:
        case Decide() | DecideTogether() | Choose() | DecideDrawing():
            return t.tick
        case _:
            return ()


def targets(t: Terminator) -> tuple[int, ...]:
    """The successors of a block."""
    match t:
        case Goto():
            return (t.target,)
        case BranchT():
            return (t.yes, t.no)
        case Decide():
            extra = tuple(b for b in (t.stuck, t.may_pass) if b is not None)
            return (*(a.target for a in t.alternatives), *extra)
        case DecideTogether() | Choose() | Chance() | DecideDrawing():
            return (t.target,)
        case End():
            return ()


def reached(program: Program, blocks: Iterable[int]) -> set[int]:
    """The numbers of the blocks reachable from these, which are included."""
    found, todo = set[int](), list(blocks)
    while todo:
        at = todo.pop()
        if at not in found:
            found.add(at)
            todo.extend(targets(program.blocks[at].end))
    return found


def has_decisions(program: Program) -> bool:
    """Does any player ever decide? If not, the play is pure chance."""
    return any(isinstance(b.end, Decide | DecideTogether | Choose | DecideDrawing) for b in program.blocks)


def is_stop(block: Block) -> bool:
    """Does the play stop at the end of this block: for a decision, for chance, or at the end of play?"""
    return not isinstance(block.end, Goto | BranchT)
