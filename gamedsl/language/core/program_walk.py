"""Iterates over all expressions and statements of a program."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.language.core import nodes as n
from gamedsl.language.core.traverse import exprs_of, terminator_exprs, terminator_tick, walk, walk_statements
from gamedsl.language.source import Span


def statement_lists(program: n.Program) -> Iterator[tuple[n.CoreStmt, ...]]:
    """Yields every top-level list of statements."""
    for s in program.schemas:
        yield s.effect
    for b in program.blocks:
        yield b.statements
        yield terminator_tick(b.end)


def outermost(program: n.Program) -> Iterator[n.Expr]:
    """Yields every top-level expression of the rules, without plans."""
    for f in program.functions:
        yield f.body
    for s in program.schemas:
        yield from (p.over for p in s.params)
        yield from (g.condition for g in (*s.guards, *s.forbids))
    for b in program.blocks:
        yield from terminator_exprs(b.end)
    for stmts in statement_lists(program):
        yield from exprs_of(stmts)


def all_exprs(program: n.Program) -> Iterator[n.Expr]:
    """Yields every expression that a game can evaluate, with all its subexpressions."""
    for outer in outermost(program):
        for e in walk(outer):
            yield e
            if isinstance(e, n.AfterE):
                yield from (x for o in exprs_of((*e.tick, *e.passed)) for x in walk(o))
            elif isinstance(e, n.SomeMove):
                yield from (x for o in exprs_of(e.tick) for x in walk(o))


def all_statements(program: n.Program) -> Iterator[n.CoreStmt]:
    """Yields every statement, including nested ones and those of look-ahead."""
    for stmts in statement_lists(program):
        yield from walk_statements(stmts)
    for e in all_exprs(program):
        if isinstance(e, n.AfterE):
            yield from walk_statements((*e.tick, *e.passed))


def noted_positions(program: n.Program) -> dict[int, tuple[n.VarT, ...]]:
    """Returns, for each history by the index of its variable, the types of the values in its positions."""
    found: dict[int, tuple[n.VarT, ...]] = {}
    for s in all_statements(program):
        if isinstance(s, n.NoteS):
            found[s.history.index] = tuple(e.type for e in s.position)
    for e in all_exprs(program):
        if isinstance(e, n.Noted):
            found.setdefault(e.history.index, tuple(x.type for x in e.position))
    return found


def all_spans(program: n.Program) -> Iterator[Span]:
    """Yields every span to which a rules error can refer."""
    nodes: list[n.CoreNode] = [*all_exprs(program), *all_statements(program), *(b.end for b in program.blocks)]
    yield from (number.span for number in nodes)
