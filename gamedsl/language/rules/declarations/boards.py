"""``board`` declarations → boards, and the names they introduce."""

from __future__ import annotations

from gamedsl.language.boards import (
    Board,
    Condition,
    Domain,
    FitsNowhere,
    Pattern,
    Plan,
    Shape,
    StrokePlan,
    make_board,
    plan_problems,
    read_pattern,
)
from gamedsl.language.core import nodes as n
from gamedsl.language.rules.declarations.cut_boards import cut_cells
from gamedsl.language.rules.declarations.graphs import graph_of
from gamedsl.language.rules.expressions.lowering import constant
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import DomainSym, StrokeSym
from gamedsl.language.source import Label, Span
from gamedsl.language.syntax import ast

MOST_SPACES = 200
BORDERS_PER_SPACE = 3
NAMED_DOMAINS = ("cell", "direction", "adjacency", "shape")


def declare_board(env: Env, d: ast.Decl) -> None:
    match d:
        case ast.BoardDecl():
            _lattice(env, d)
        case ast.GraphDecl():
            refuse_shapes(env)
            _take(env, graph_of(env, d), d.span)
        case ast.DrawingDecl():
            refuse_shapes(env)
            _drawing(env, d)
        case _:
            raise AssertionError(d)


def _lattice(env: Env, d: ast.BoardDecl) -> None:
    shapes = tuple(_shape(env, s) for s in d.shapes)
    patterns = _patterns(env)
    board = _joined(env, d, shapes, (), () if d.without else patterns)
    without: tuple[str, ...] = ()
    try:
        without = cut_cells(env, d, board)
    finally:  # if that fails, the rest is checked with the uncut board
        _take(env, _joined(env, d, shapes, without, patterns) if d.without else board, d.span)


def _joined(
    env: Env, d: ast.BoardDecl, shapes: tuple[Shape, ...], without: tuple[str, ...], patterns: tuple[Pattern, ...]
) -> Board:
    try:
        return make_board(shapes, without, d.naming, d.start, patterns)
    except FitsNowhere as problem:
        (span,) = (s.span for s in _shapes(env) if s.name.id == problem.shape)
        env.report.fail("E0360", span, problem=str(problem))
    except ValueError as problem:
        env.report.fail("E0360", d.span, problem=str(problem))


def _shapes(env: Env) -> list[ast.ShapeDecl]:
    return [d for d in env.decls if isinstance(d, ast.ShapeDecl)]


def _patterns(env: Env) -> tuple[Pattern, ...]:
    """Returns the declared shapes; invalid ones are reported and omitted."""
    found: dict[str, tuple[Pattern, Span]] = {}
    for d in _shapes(env):
        try:
            pattern = read_pattern(d.name.id, d.rows)
        except ValueError as problem:
            env.report.add("E0221", d.span, problem=str(problem))
            env.failed = True
            env.broken.add(d.name.id)
            continue
        if pattern.name in found:
            label = Label(found[pattern.name][1], "first declared here")
            env.report.add("E0202", d.name.span, labels=(label,), name=pattern.name)
            env.failed = True
        found.setdefault(pattern.name, (pattern, d.name.span))
    return tuple(pattern for pattern, _ in found.values())


def refuse_shapes(env: Env) -> None:
    """Reports a declared shape on a board without rows and columns."""
    for d in _shapes(env)[:1]:
        env.report.add("E0222", d.span)
        env.failed = True


def _shape(env: Env, s: ast.BoardShape) -> Shape:
    sizes = tuple(constant(env, Ctx("option"), x, "the size of a board") for x in s.sizes)
    at = tuple(constant(env, Ctx("option"), x, "the place of a board") for x in s.at)
    return Shape(s.kind, sizes, (at[0], at[1]) if len(at) == 2 else None)


def _take(env: Env, board: Board, span: Span) -> None:
    env.board = board
    env.place = board.domains[board.place]
    for name, domain in board.domains.items():
        env.symbols[f"${name}"] = DomainSym(domain, span)
        if name in NAMED_DOMAINS:
            env.add_elements(domain)


def _drawing(env: Env, d: ast.DrawingDecl) -> None:
    limit = constant(env, Ctx("option"), d.limit, "the most spaces of a drawing")
    if not 1 <= limit <= MOST_SPACES:
        env.report.fail("E0344", d.limit.span, what="the most spaces of a drawing", value=limit)
    strokes: list[StrokePlan] = []
    names: list[str] = []
    for stroke in d.strokes:
        names += [one.id for one in stroke.names]
        clauses = tuple(c.clause for c in stroke.notes.cites)
        conditions = tuple(_condition(env, c, names) for c in stroke.conditions)
        for name in stroke.names:
            across = None if stroke.across is None else stroke.across.id
            if across is not None and across not in names:
                env.report.fail("E0416", stroke.across.span if stroke.across else d.span, name=across)
            strokes.append(StrokePlan(name.id, stroke.shape, across, conditions, clauses, name.span))
            env.declare(name, StrokeSym(name.id, name.span))
    plan = Plan(limit, tuple(strokes))
    for span, problem in plan_problems(plan):
        env.report.add("E0360", span or d.span, problem=problem)
        env.failed = True
    space = Domain("space", tuple(f"s{i + 1}" for i in range(limit)))
    border = Domain("border", tuple(f"b{i + 1}" for i in range(limit * BORDERS_PER_SPACE)))
    for title, domain in (("space", space), ("border", border), ("stroke", Domain("stroke", tuple(names)))):
        env.symbols[f"${title}"] = DomainSym(domain, d.span)
    env.place = space
    env.plan = plan
    env.drawing = env.program.variable(env.index, "drawing", n.DrawingT(plan), role="state", span=d.span)


def _condition(env: Env, c: ast.StrokeCondition, names: list[str]) -> Condition:
    for name in c.names:
        if name.id not in names:
            env.report.fail("E0416", name.span, near=env.report.near_names(name.id, names), name=name.id)
    return Condition(
        c.kind, c.degrees, tuple(name.id for name in c.names), tuple(x.clause for x in c.notes.cites), c.span
    )


def weak_names(env: Env) -> None:
    """Declares the board's own names (cell, edge, step ...), unless the author has given them another meaning."""
    for key, symbol in list(env.symbols.items()):
        if key.startswith("$") and key[1:] not in env.symbols and key != "$stroke":
            env.symbols[key[1:]] = symbol
