"""``board`` declarations → boards, and the names they introduce."""

from __future__ import annotations

from gamedsl.boards import Board, Condition, Domain, Plan, Shape, StrokePlan, make_board, make_graph, plan_problems
from gamedsl.core.nodes import DrawingT
from gamedsl.rules.declarations.cut_boards import cut_cells
from gamedsl.rules.expressions.lowering import constant
from gamedsl.rules.scope import Ctx, DomainSym, Env, StrokeSym
from gamedsl.source import Span
from gamedsl.syntax import ast

MOST_SPACES = 200
BORDERS_PER_SPACE = 3
NAMED_DOMAINS = ("cell", "direction", "adjacency")


def declare_board(env: Env, d: ast.Decl) -> None:
    match d:
        case ast.BoardDecl():
            shapes = tuple(_shape(env, s) for s in d.shapes)
            board = _joined(env, d, shapes, ())
            try:
                if d.without:
                    board = _joined(env, d, shapes, cut_cells(env, d, board))
            finally:  # with the uncut board, what follows can be checked all the same
                _take(env, board, d.span)
        case ast.GraphDecl():
            _graph(env, d)
        case ast.DrawingDecl():
            _drawing(env, d)
        case _:
            raise AssertionError(d)


def _joined(env: Env, d: ast.BoardDecl, shapes: tuple[Shape, ...], without: tuple[str, ...]) -> Board:
    try:
        return make_board(shapes, without, d.naming, d.start)
    except ValueError as problem:
        env.report.fail("E0360", d.span, problem=str(problem))


def _shape(env: Env, s: ast.BoardShape) -> Shape:
    sizes = tuple(constant(env, Ctx("option"), x, "the size of a board") for x in s.sizes)
    at = tuple(constant(env, Ctx("option"), x, "the place of a board") for x in s.at)
    return Shape(s.kind, sizes, (at[0], at[1]) if len(at) == 2 else None)


def _graph(env: Env, d: ast.GraphDecl) -> None:
    nodes: list[str] = []
    links: list[tuple[str, str]] = []
    for item in d.items:
        match item:
            case ast.GraphNodes(names):
                nodes += [n.id for n in names]
            case ast.GraphLinks(source, targets):
                links += [(source.id, t.id) for t in targets]
    try:
        board = make_graph(tuple(nodes), tuple(links))
    except ValueError as problem:
        env.report.fail("E0360", d.span, problem=str(problem))
    _take(env, board, d.span)


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
        names += [n.id for n in stroke.names]
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
    env.drawing = env.program.variable(env, "drawing", DrawingT(plan), role="state", span=d.span)


def _condition(env: Env, c: ast.StrokeCondition, names: list[str]) -> Condition:
    for n in c.names:
        if n.id not in names:
            env.report.fail("E0416", n.span, name=n.id)
    return Condition(c.kind, c.degrees, tuple(n.id for n in c.names), tuple(x.clause for x in c.notes.cites), c.span)


def weak_names(env: Env) -> None:
    """The board's own names (cell, edge, step ...), where the author has not given them another meaning."""
    for key, symbol in list(env.symbols.items()):
        if key.startswith("$") and key[1:] not in env.symbols and key != "$stroke":
            env.symbols[key[1:]] = symbol
