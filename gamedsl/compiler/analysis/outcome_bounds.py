"""Static bounds on the outcome: the most and the least that the first of two players can still get.

The bounds are expressions over the position. Every path from a stop to an end of the game is followed through the
blocks, with the branches on it and the utility of the end. ``value_ranges.py`` evaluates each branch for all later
times; a path with a branch that can no longer be taken does not count. If a game may go on forever, that counts as an
end with utility 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice, product
from typing import Literal

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.call_expansion import CallExpander
from gamedsl.compiler.analysis.set_growth import growth, surely_ends
from gamedsl.compiler.analysis.value_ranges import YES, TooLarge, ValueRanges, negated
from gamedsl.language.core import (
    fold,
    free_locals,
    is_stop,
    limits,
    map_children,
    node_count,
    substitute,
    targets,
    walk,
    walk_statements,
    written,
)
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

UNKNOWN = "?"
COUNT = n.IntT(0, 1 << 30)


@lazy_dataclass(frozen=True)
class OutcomeBounds:
    """``upper`` and ``lower``: bounds on the utility of the first player, or on that player's lead in points.
    ``best_lines`` and ``worst_lines``: the number of ways in which the best and the worst end are still possible (at
    least 1 if they are), as far as the conditions show."""

    upper: n.Expr
    lower: n.Expr
    best_lines: n.Expr
    worst_lines: n.Expr


@lazy_dataclass(frozen=True)
class _Path:
    """A path to an end of the game: the conditions on it with their required values, and the utility of the end."""

    conditions: tuple[tuple[n.Expr, bool], ...]
    value: n.Expr


class _No(Exception):
    """The program has no bounds of this form."""


def _is_followed(end: n.Terminator) -> bool:
    """Whether the paths through a block's end are followed: one player's moves and choices."""
    is_followed = isinstance(end, n.SoloDecision | n.End) and not isinstance(end, n.DecideDrawing)
    return is_followed or not isinstance(end, n.Stop)


def outcome_bounds(program: n.Program, by_score: bool) -> OutcomeBounds | None:
    """Bounds on what the first player can still get. Returns None if they would say nothing beyond what holds in every
    position."""
    if program.players.size != 2 or not all(_is_followed(b.end) for b in program.blocks):
        return None
    try:
        walker = _PathWalk(program, by_score)
        paths = list(islice((case for path in walker.paths() for case in _cases(path)), cutoffs.CASES + 1))
        if not 0 < len(paths) <= cutoffs.CASES:
            return None
        changes = growth(program)
        ranges = ValueRanges(walker.expander, changes)
        above, below = ([_bound_path(ranges, path, upper) for path in paths] for upper in (True, False))
        upper, lower = _combined(above, True), _combined(below, False)
        if not surely_ends(program, changes):
            upper, lower = _or_none("max", upper), _or_none("min", lower)
    except (_No, TooLarge, RecursionError):
        return None
    if (isinstance(upper, n.Const) and isinstance(lower, n.Const)) or max(
        node_count(upper), node_count(lower)
    ) > cutoffs.EXPRESSION_NODES:
        return None
    return OutcomeBounds(upper, lower, _number_of_lines(above, True), _number_of_lines(below, False))


def utility_levels(program: n.Program, by_score: bool) -> list[int] | None:
    """The values that an end of the game may have for the first of two players, in ascending order. Returns None if
    they depend on the position."""
    try:
        found = {case.value for path in _PathWalk(program, by_score).paths() for case in _cases(path)}
    except (_No, RecursionError):
        return None
    return (
        sorted({w.value for w in found if isinstance(w, n.Const)})
        if all(isinstance(w, n.Const) for w in found)
        else None
    )


# ------------------------------------------------------------------------------------------------------------- paths


class _PathWalk:
    """Follows the blocks from the successors of each stop to the ends of the game."""

    def __init__(self, program: n.Program, by_score: bool) -> None:
        self.program, self.by_score = program, by_score
        self.expander = CallExpander(program)
        self.nodes = 0

    def paths(self) -> Iterator[_Path]:
        for start in sorted({t for b in self.program.blocks if is_stop(b) for t in targets(b.end)}):
            yield from self.follow(start, {}, (), frozenset())

    def follow(
        self, index: int, known: Mapping[int, n.Expr], conditions: tuple[tuple[n.Expr, bool], ...], gone: frozenset[int]
    ) -> Iterator[_Path]:
        if index in gone or len(gone) > 60:
            raise _No
        gone |= {index}
        block = self.program.blocks[index]
        now = dict(known)
        self.run(block.statements, now)
        match block.end:
            case n.Goto(target):
                yield from self.follow(target, now, conditions, gone)
            case n.BranchT(condition, yes, no):
                substituted = fold(self.substitute_values(condition, now))
                for holds, target in ((True, yes), (False, no)):
                    if not isinstance(substituted, n.Const) or bool(substituted.value) == holds:
                        yield from self.follow(target, now, (*conditions, (substituted, holds)), gone)
            case n.End():
                yield _Path(conditions, fold(self.substitute_values(self.value(block.end), now)))
            case _:
                pass

    def value(self, end: n.End) -> n.Expr:
        """The value of the end for the first player."""
        if self.by_score:
            if len(end.scores) != 2:
                raise _No
            a, b = end.scores
            (la, ha), (lb, hb) = limits(a.type), limits(b.type)
            return n.Op2("sub", a, b, n.IntT(la - hb, ha - lb))
        return end.payoff[0]

    def run(self, stmts: tuple[n.CoreStmt, ...], now: dict[int, n.Expr]) -> None:
        """Tracks plain variables through the statements. Maps are not tracked, and a variable assigned within a nested
        statement becomes unknown."""
        lets: dict[int, n.Expr] = {}
        for s in stmts:
            match s:
                case n.LetS(local=local, value=value):
                    lets[local.id] = substitute(self.substitute_values(value, now), lets)
                case n.Assign(var=var, keys=()):
                    now[var.index] = substitute(self.substitute_values(s.value, now), lets)
                case n.Reset(var=var) if not var.keys and isinstance(var.type, n.ScalarT):
                    now[var.index] = n.Const(var.initial[0], var.type)
                case n.IfS() | n.ForS():
                    for inner in walk_statements((s,)):
                        changed = written(inner)
                        if changed is not None and not changed.keys:
                            now[changed.index] = self.unknown(changed)
                case _:
                    changed = written(s)
                    if changed is not None and not changed.keys:
                        now[changed.index] = self.unknown(changed)

    def unknown(self, var: n.Var) -> n.Expr:
        """An arbitrary value."""
        if not isinstance(var.type, n.ScalarT):
            raise _No
        return n.Load(self.expander.name(n.Local(0, UNKNOWN, var.type)))

    def substitute_values(self, e: n.Expr, now: Mapping[int, n.Expr]) -> n.Expr:
        """The expression with tracked variables replaced by their values."""
        self.nodes += 1
        if self.nodes > cutoffs.VISITED_NODES:
            raise _No
        if isinstance(e, n.Get) and not e.keys and e.var.index in now:
            return self.expander.renamed(now[e.var.index])
        if isinstance(e, n.CallF | n.LetE):
            return self.substitute_values(self.expander.expanded(e), now)
        return map_children(e, lambda c: self.substitute_values(c, now))


# ------------------------------------------------------------------------------------------------------------- cases


def _cases(path: _Path) -> Iterator[_Path]:
    """Splits the path into one case for each combination of values of the small variables that it reads."""
    exprs = (*(c for c, _ in path.conditions), path.value)
    read = {g.var.index: g.var for e in exprs for g in walk(e) if isinstance(g, n.Get) and not g.keys}
    small = [v for v in read.values() if _values(v) is not None]
    found = list(product(*(_values(v) or () for v in small)))
    if len(found) > cutoffs.CASES:
        raise _No
    for values in found:
        known = {v.index: n.Const(x, _plain(v)) for v, x in zip(small, values, strict=True)}
        conditions = tuple((fold(_put(c, known)), holds) for c, holds in path.conditions)
        if all(not isinstance(c, n.Const) or bool(c.value) == holds for c, holds in conditions):
            yield _Path(conditions, fold(_put(path.value, known)))


def _plain(var: n.Var) -> n.BoolT | n.IntT | n.ElemT:
    assert isinstance(var.type, n.ScalarT)
    return var.type


def _values(var: n.Var) -> range | None:
    """The values of a plain variable, if there are few."""
    if not isinstance(var.type, n.ScalarT):
        return None
    low, high = limits(var.type)
    return range(low, high + 1) if high - low < cutoffs.UNROLLED else None


def _put(e: n.Expr, known: Mapping[int, n.Const]) -> n.Expr:
    if isinstance(e, n.Get) and not e.keys and e.var.index in known:
        return known[e.var.index]
    return map_children(e, lambda c: _put(c, known))


# -------------------------------------------------------------------------------------------------------- combination


def _bound_path(ranges: ValueRanges, path: _Path, upper: bool) -> tuple[n.Expr, n.Expr]:
    """Whether the path can still be taken, and the most (or least) that it then yields."""
    exprs = (*(c for c, _ in path.conditions), path.value)
    ranges.names = {x.id: () for e in exprs for x in free_locals(e).values()}
    possible: n.Expr = YES
    for condition, holds in path.conditions:
        one = ranges.can(condition) if holds else negated(ranges.sure(condition))
        possible = fold(n.Op2("and", possible, one, n.BoolT()))
    return possible, ranges.number(path.value, upper)


def _combined(paths: list[tuple[n.Expr, n.Expr]], upper: bool) -> n.Expr:
    """The most (or least) over the paths that can still be taken. Constants are tested from the best down, so that the
    first possible one decides."""
    bounds = [limits(number.type)[0 if upper else 1] for _, number in paths]
    worst = min(bounds) if upper else max(bounds)
    t = n.IntT(min(limits(count.type)[0] for _, count in paths), max(limits(count.type)[1] for _, count in paths))
    constants = [(possible, count.value) for possible, count in paths if isinstance(count, n.Const)]
    found: n.Expr = n.Const(worst, t)
    for possible, value in sorted(constants, key=lambda w: w[1], reverse=not upper):
        found = fold(n.Cond(possible, n.Const(value, t), found, t))
    for possible, number in paths:
        if not isinstance(number, n.Const):
            one = n.Cond(possible, number, n.Const(worst, t), t)
            found = fold(n.Op2("max" if upper else "min", found, one, t))
    return found


def _or_none(op: Literal["max", "min"], bound: n.Expr) -> n.Expr:
    """Extends the bound by 0, the value of a game without an end."""
    low, high = limits(bound.type)
    return fold(n.Op2(op, bound, n.Const(0, n.IntT(0, 0)), n.IntT(min(low, 0), max(high, 0))))


def _number_of_lines(paths: list[tuple[n.Expr, n.Expr]], upper: bool) -> n.Expr:
    """The number of ways in which the best (or worst) constant value can still be reached."""
    values = [count.value for _, count in paths if isinstance(count, n.Const)]
    best = max(values, default=0) if upper else min(values, default=0)
    total: n.Expr = n.Const(0, COUNT)
    for possible, number in paths:
        if isinstance(number, n.Const) and number.value == best:
            total = fold(n.Op2("add", total, _counted(possible), COUNT))
    return total


def _counted(e: n.Expr) -> n.Expr:
    """A condition as a number: the number of elements that satisfy ``some x in S: ...``, otherwise 1 or 0."""
    match e:
        case n.Loop(kind="some", over=n.Const(), condition=None):
            return replace(e, kind="count", type=COUNT)
        case n.Op2(op="and", left=a, right=b):
            return n.Op2("min", _counted(a), _counted(b), COUNT)
        case n.Op2(op="or", left=a, right=b):
            return n.Op2("add", _counted(a), _counted(b), COUNT)
        case _:
            return n.Cond(e, n.Const(1, COUNT), n.Const(0, COUNT), COUNT)
