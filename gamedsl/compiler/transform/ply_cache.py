"""Memoization from ply to ply: the calls in plans and branches that are cached.

    test row(mark[X], part(cuts))
    →
    test row(mark[X], cached part(cuts)),        computed again after ``cuts`` has been assigned

A call is cached if it is an argument of another call, reads only slots of the state, contains a loop and cannot fail. A
call that differs from a cached one only in constants uses it when the state holds these constants.

``playouts/ply_cache_code.py`` emits the cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gamedsl.language.core import can_fail, map_children, walk
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class CachedCall:
    """A call, and the indices of the variables that it reads."""

    call: n.CallF
    read: frozenset[int]


def find_cached_calls(program: n.Program) -> tuple[n.Program, tuple[CachedCall, ...]]:
    """The program, with related calls rewritten to use the cached ones, and the cached calls."""
    found = dict.fromkeys(c for e in _asked(program) for c in _arguments(e) if _worth(c, program))
    if not found:
        return program, ()
    schemas = tuple(_schema(s, list(found)) for s in program.schemas)
    return replace(program, schemas=schemas), tuple(CachedCall(c, _read(c)) for c in found)


def _asked(program: n.Program) -> Iterator[n.Expr]:
    for s in program.schemas:
        for x in s.plan:
            yield x.over if isinstance(x, n.Bind) else x.condition
    for b in program.blocks:
        if isinstance(b.end, n.BranchT):
            yield b.end.condition


def _arguments(e: n.Expr) -> Iterator[n.CallF]:
    """Calls that are arguments of other calls and read only slots of the state."""
    for x in walk(e):
        if isinstance(x, n.CallF):
            for a in x.args:
                if isinstance(a, n.CallF) and all(isinstance(g, n.Get) and _constant(g) for g in a.args):
                    yield a


def _constant(g: n.Get) -> bool:
    return all(isinstance(k, n.Const) for k in g.keys)


def _worth(c: n.CallF, program: n.Program) -> bool:
    long = any(isinstance(x, n.Loop) for x in walk(program.functions[c.function].body))
    return long and not can_fail(c, program.functions)


def _read(c: n.CallF) -> frozenset[int]:
    return frozenset(g.var.index for g in c.args if isinstance(g, n.Get))


def _schema(s: n.Schema, calls: list[n.CallF]) -> n.Schema:
    plan: list[n.Bind | n.Test] = []
    for x in s.plan:
        if isinstance(x, n.Bind):
            plan.append(n.Bind(x.param, _or_cached(x.over, calls)))
        else:
            plan.append(n.Test(_or_cached(x.condition, calls)))
    return replace(s, plan=tuple(plan))


def _or_cached(e: n.Expr, calls: list[n.CallF]) -> n.Expr:
    """Uses a cached call in place of calls that differ from it only in constants."""
    if isinstance(e, n.CallF):
        for c in calls:
            if c.function == e.function and c != e:
                same = _same(e, c)
                if same is not None:
                    return n.Cond(same, c, e, e.type)
    return map_children(e, lambda x: _or_cached(x, calls))


def _same(e: n.CallF, c: n.CallF) -> n.Expr | None:
    """The condition that the state holds the constants in which the calls differ; None if they differ in anything
    else."""
    asked: n.Expr | None = None
    for a, b in zip(e.args, c.args, strict=True):
        if a == b:
            continue
        if not isinstance(a, n.Const):
            return None
        one = n.Op2("eq", b, a, n.BoolT())
        asked = one if asked is None else n.Op2("and", asked, one, n.BoolT())
    return asked
