"""``board graph`` → a board of nodes: their links, and the places where they are drawn."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from gamedsl.language.boards import Board, Outline, make_graph, places_between, ring_points, whole_spots
from gamedsl.language.rules.expressions.lowering import constant
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.syntax import ast

if TYPE_CHECKING:
    from gamedsl.language.boards import NodePoint


def graph_of(env: Env, d: ast.GraphDecl) -> Board:
    """Returns the board; reports what does not fit together."""
    nodes: list[str] = []
    links: list[tuple[str, str]] = []
    places: list[tuple[str, NodePoint]] = []
    rows: list[tuple[str, ...]] = []
    round_links: list[tuple[str, str, NodePoint]] = []  # with the center of their circle
    for item in d.items:
        match item:
            case ast.GraphNodes(names):
                nodes += [name.id for name in names]
            case ast.GraphLinks(source, targets):
                links += [(source.id, t.id) for t in targets]
            case ast.GraphPlace(name, x, y):
                of = f"the place of `{name.id}`"
                places.append((name.id, (Fraction(_number(env, x, of)), Fraction(_number(env, y, of)))))
            case ast.GraphRing():
                row = _row(env, item, 3)
                rows.append((*row, row[0]))
                places += _placed(env, item, row)
                if item.around is not None and item.around.corners is None:
                    middle = _middle(env, item.around)
                    round_links += [(a, b, middle) for a, b in pairwise(rows[-1])]
            case ast.GraphPath():
                rows.append(_row(env, item, 2))
    links += [pair for row in rows for pair in pairwise(row)]
    try:
        between = places_between(dict(places), rows)
        centers = [("the center of a ring", middle) for _, _, middle in round_links]
        spots = whole_spots([*places, *between.items(), *centers])
        drawn = len(spots) - len(centers)
        arcs = tuple((a, b, spot) for (a, b, _), (_, spot) in zip(round_links, spots[drawn:], strict=True))
        return make_graph(tuple(nodes), tuple(links), spots[:drawn], arcs)
    except ValueError as problem:
        env.report.fail("E0360", d.span, problem=str(problem))


def _number(env: Env, e: ast.Expr, what: str) -> int:
    return constant(env, Ctx("option"), e, what)


def _row(env: Env, item: ast.GraphRing | ast.GraphPath, least: int) -> tuple[str, ...]:
    row = tuple(name.id for name in item.names)
    kind = "ring" if isinstance(item, ast.GraphRing) else "path"
    double = next((name for name in row if row.count(name) > 1), None)
    if double is not None and isinstance(item, ast.GraphRing):
        env.report.fail("E0360", item.span, problem=f"the ring has the node `{double}` twice")
    if len(row) < least:
        env.report.fail("E0360", item.span, problem=f"a {kind} has at least {least} nodes")
    return row


def _middle(env: Env, a: ast.Around) -> NodePoint:
    x, y = (Fraction(_number(env, e, "the middle of a ring")) for e in (a.x, a.y))
    return x, y


def _placed(env: Env, ring: ast.GraphRing, row: tuple[str, ...]) -> list[tuple[str, NodePoint]]:
    if ring.around is None:
        return []
    a = ring.around
    middle = _number(env, a.x, "the middle of a ring"), _number(env, a.y, "the middle of a ring")
    corners = None if a.corners is None else _number(env, a.corners, "the number of corners")
    degrees = 0 if a.turn is None else _number(env, a.turn, "the turn of a ring")
    outline = Outline(middle, _number(env, a.radius, "the radius of a ring"), corners, degrees)
    try:
        return list(zip(row, ring_points(len(row), outline), strict=True))
    except ValueError as problem:
        env.report.fail("E0360", a.span, problem=str(problem))
