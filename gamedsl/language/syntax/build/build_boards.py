"""Parse trees → boards: joined shapes, graphs, and drawings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, cast

from gamedsl.language.syntax import ast
from gamedsl.language.syntax.build.build_expressions import build_expr, build_exprs
from gamedsl.language.syntax.build.builder import Builder, is_tree, token, tokens, tree, trees
from gamedsl.language.syntax.parse.push_parser import Child, Parsed, Token
from gamedsl.language.syntax.parse.scanner import value_of


def _board(b: Builder, t: Parsed) -> ast.Decl:
    parts = trees(t.children)
    naming, start, without = (b.only(parts, kind) for kind in ("naming", "start", "without"))
    return ast.BoardDecl(
        tuple(_shape(b, s) for s in trees(parts, "shape")),
        () if without is None else build_exprs(b, without.children),
        None if naming is None else cast(Literal["letters", "numbers"], str(naming.children[0])),
        None if start is None else cast(Literal["top", "bottom"], str(start.children[0])),
        **b.where(t),
    )


def _shape(b: Builder, t: Parsed) -> ast.BoardShape:
    kind = " ".join(str(word) for word in t.children if isinstance(word, Token))
    at = trees(t.children, "at")
    first, *_ = (c for c in t.children if not isinstance(c, Token))
    sizes = tree(first).children if is_tree(first, "sizes") else [first]
    return ast.BoardShape(
        cast(Literal["grid", "hex", "hex star", "track"], kind),
        build_exprs(b, sizes),
        build_exprs(b, at[0].children) if at else (),
        span=b.span(t),
    )


def _graph(b: Builder, t: Parsed) -> ast.Decl:
    return ast.GraphDecl(tuple(_graph_line(b, i) for i in trees(t.children)), **b.where(t))


def _graph_line(b: Builder, t: Parsed) -> ast.GraphLine:
    first, *others = t.children
    match t.data:
        case "graph_nodes":
            return ast.GraphNodes(b.names(others), **b.where(t))
        case "graph_place":
            x, y = build_exprs(b, others)
            return ast.GraphPlace(b.name(first), x, y, **b.where(t))
        case "graph_ring":
            *names, around = others
            return ast.GraphRing(b.names(names), None if around is None else _around(b, tree(around)), **b.where(t))
        case "graph_path":
            return ast.GraphPath(b.names(others), **b.where(t))
        case _:
            return ast.GraphLinks(b.name(first), b.names(others), **b.where(t))


def _around(b: Builder, t: Parsed) -> ast.Around:
    x, y, radius = build_exprs(b, t.children[:3])
    corners, turn = (None if part is None else build_expr(b, part) for part in t.children[3:])
    return ast.Around(x, y, radius, corners, turn, span=b.span(t))


def _drawing(b: Builder, t: Parsed) -> ast.Decl:
    limit, *strokes = t.children
    return ast.DrawingDecl(build_expr(b, limit), tuple(_stroke(b, s) for s in trees(strokes)), **b.where(t))


def _stroke(b: Builder, t: Parsed) -> ast.StrokeDecl:
    names, shape, across, *conditions = t.children
    return ast.StrokeDecl(
        b.names(tree(names).children),
        _STROKE_SHAPES[token(tree(shape).children[0]).type],
        None if across is None else b.name(across),
        tuple(_condition(b, c) for c in trees(conditions)),
        **b.where(t),
    )


_STROKE_SHAPES: Mapping[str, Literal["closed curve", "straight line", "open curve"]] = {
    "CLOSED": "closed curve",
    "STRAIGHT": "straight line",
    "OPEN": "open curve",
}


def _condition(b: Builder, t: Parsed) -> ast.StrokeCondition:
    names = b.names(tokens(t.children, "NAME"))
    return ast.StrokeCondition(_condition_kind(t), _degrees(t.children), names, **b.where(t))


def _condition_kind(t: Parsed) -> _ConditionKind:
    if t.data == "slope":
        return "horizontal" if str(t.children[1]) == "horizontal" else "vertical"
    return _CONDITIONS[t.data]


def _degrees(children: Sequence[Child]) -> int | None:
    numbers = tokens(children, "INT")
    return int(numbers[0]) if numbers else None


_ConditionKind = Literal[
    "simple", "horizontal", "vertical", "apart", "crosses once", "crosses", "avoids crossings", "new ends"
]
_CONDITIONS: Mapping[str, _ConditionKind] = {
    "simple": "simple",
    "apart": "apart",
    "crosses_once": "crosses once",
    "crosses": "crosses",
    "avoids_crossings": "avoids crossings",
    "new_ends": "new ends",
}


def _shape_decl(b: Builder, t: Parsed) -> ast.Decl:
    name, rows = t.children
    return ast.ShapeDecl(b.name(name), value_of(token(rows)), **b.where(t))


BOARDS: Mapping[str, Callable[[Builder, Parsed], ast.Decl]] = {
    "board": _board,
    "graph": _graph,
    "drawing": _drawing,
    "shape_decl": _shape_decl,
}
