"""The board of a part of the program -> the locations of its places as plain data, which a page needs before any
position.

The unit of length is a cell: the centers of two neighboring squares or hexagons are 1 apart. x runs to the right, y
downward.
"""

from __future__ import annotations

from math import ceil, cos, hypot, pi, sin, sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine.picture import arcs, board_kind, cell_style, lattice, links, place_names, placed
from gamedsl.language.boards import Board, Domain, Family, elements
from gamedsl.language.core import nodes as n
from gamedsl.language.core import walk
from gamedsl.play.web.colours import colored_players
from gamedsl.play.web.shapes import shapes

if TYPE_CHECKING:
    from gamedsl.engine import Game
    from gamedsl.language.boards import Plan

Spot: TypeAlias = tuple[float, float]
Json: TypeAlias = dict[str, Any]

ROW = 3**0.5 / 2  # from one row of hexagons to the next
LONGEST_STRIP = 10  # a track of this many fields is one strip, on which a finger hits them
WIDEST_STRIP = 12  # the most fields in a strip of a longer one
MOST_ON_CIRCLE = 8  # nodes on a circle of radius 2


def scenes(game: Game) -> list[Json]:
    """One scene per part that has a board of its own, and one for the parts without."""
    found = [_scene(game, part) for part in game.program.parts if part.board is not None or part.drawing is not None]
    whole = game.program.parts[0]
    return found if whole.board or whole.drawing else [*found, _scene(game, whole)]


def scene_of(game: Game, part: int) -> int:
    """The part whose scene is shown while a part is played: its own, or the whole program's."""
    played = game.program.parts[part]
    return part if played.board is not None or played.drawing is not None else 0


def _scene(game: Game, part: n.Part) -> Json:
    board = part.board
    scene: Json = {
        "part": part.index,
        "title": part.title or part.name,
        "kind": board_kind(part),
        "cells": cell_style(part),
        "named": not any(m.kind == "cells" and m.style == "unnamed" for m in part.looks),
        "players": colored_players(part),
        "place": "",
        "places": {},
        "links": [],
        "plan": None,
        **shapes(game, part),
    }
    plan: Any = part.drawing.type.plan if part.drawing and isinstance(part.drawing.type, n.DrawingT) else None
    if board is not None:
        scene |= _board(game, part, board, scene["cells"])
    elif plan is not None:
        scene |= {"place": "space", "plan": _plan(plan)}
        scene["places"] = {"space": {"names": list(place_names(part)["space"].names), "at": [], "lines": []}}
    return scene


# --------------------------------------------------------------------------------------------------------- boards


def _board(game: Game, part: n.Part, board: Board, style: str) -> Json:
    cells = board.domains[board.place]
    at = _middles(board)
    places: Json = {board.place: {"names": list(cells.names), "at": [_rounded(p) for p in at], "lines": []}}
    drawn = drawn_domains(game, part)
    if "edge" in board.domains and "edge" in drawn:
        places["edge"] = _edges(board, at, style)
    if "point" in board.domains and "point" in drawn:
        domain = board.domains["point"]
        spots = [_rounded(board.position("point", i)) for i in range(domain.size)]
        places["point"] = {"names": list(domain.names), "at": spots, "lines": []}
    return {"place": board.place, "places": places, "links": _links(board, style)}


def _middles(board: Board) -> list[Spot]:
    size = board.domains[board.place].size
    match board.kind:
        case "track":
            return _strips(size)
        case "hex":
            spots = (board.position(board.place, i) for i in range(size))
            return [(x, y * ROW) for x, y in spots]
        case "graph":
            spots_given = placed(board)
            if spots_given is not None:
                return spots_given
            known = lattice(board)
            if known is not None:
                return [(known[i][0] + 0.5, known[i][1] + 0.5) for i in range(size)]
            radius = 2 * max(1.0, size / MOST_ON_CIRCLE)
            turn = 2 * pi / size
            return [(radius * (1 + sin(turn * i)) + 0.5, radius * (1 - cos(turn * i)) + 0.5) for i in range(size)]
        case _:
            return [board.position(board.place, i) for i in range(size)]


def _strips(size: int) -> list[Spot]:
    """The fields of a track: a long one is laid out in strips of equal length, the first one lowest, in alternating
    directions."""
    per = (
        size
        if size <= LONGEST_STRIP
        else min(WIDEST_STRIP, ceil(sqrt(size)) if size > 4 * WIDEST_STRIP else ceil(size / 2))
    )
    rows = ceil(size / per)
    found = []
    for i in range(size):
        strip, slot = divmod(i, per)
        found.append(((slot if strip % 2 == 0 else per - 1 - slot) + 0.5, rows - 1 - strip + 0.5))
    return found


def _edges(board: Board, at: list[Spot], style: str) -> Json:
    """Edges as lines: between two nodes or dots, or else along the side that two cells share."""
    domain = board.domains["edge"]
    ends = _edge_ends(board)
    lines: list[tuple[float, ...]] = [_edge(board, at, ends[i], style) for i in range(domain.size)]
    bends = arcs(board)
    lines = [(*line, *bends.get(ends[i], ())) for i, line in enumerate(lines)]
    middles = [line[4:] or ((line[0] + line[2]) / 2, (line[1] + line[3]) / 2) for line in lines]
    return {"names": list(domain.names), "at": [_rounded(p) for p in middles], "lines": [_rounded(x) for x in lines]}


def _edge(board: Board, at: list[Spot], ends: tuple[int, int], style: str) -> tuple[float, float, float, float]:
    (xa, ya), (xb, yb) = at[ends[0]], at[ends[1]]
    if board.kind == "graph" or (board.kind != "track" and style != "squares"):
        return xa, ya, xb, yb
    x, y, length = (xa + xb) / 2, (ya + yb) / 2, hypot(xb - xa, yb - ya)
    half = (0.5 if board.kind != "hex" else 0.5 / 3**0.5) / length
    dx, dy = -(yb - ya) * half, (xb - xa) * half
    return x - dx, y - dy, x + dx, y + dy


def _edge_ends(board: Board) -> dict[int, tuple[int, int]]:
    """The two cells on either side of every edge."""
    between, near = board.relations[("edge_between", 2)], board.relations[("neighbors", 1)]
    less = 1 if between.result.kind == "optional" else 0
    pairs = ((a, b) for a in range(board.domains[board.place].size) for b in elements(near.compute(a)) if a < b)
    return {between.compute(a, b) - less: (a, b) for a, b in pairs}


def _links(board: Board, style: str) -> list[list[Any]]:
    """The lines of the board that join places, for boards with pieces on crossings or nodes; an arc with the point in its
    middle."""
    if board.kind == "graph" or (board.kind == "hex" and style == "crossings"):
        bends = arcs(board)
        return [[*pair, *([_rounded(bends[pair])] if pair in bends else [])] for pair in links(board)]
    if style != "crossings":
        return []
    at = [board.position(board.place, i) for i in range(board.domains[board.place].size)]
    return [[a, b] for a, b in links(board) if abs(at[a][0] - at[b][0]) + abs(at[a][1] - at[b][1]) < 1.01]


def _rounded(values: tuple[float, ...]) -> list[float]:
    return [round(v, 4) for v in values]


# ------------------------------------------------------------------------------------------------ what is touched


def drawn_domains(game: Game, part: n.Part) -> set[str]:
    """The kinds of places on which something is shown, or that moves name."""
    types: list[n.ValueT] = [p.local.type for s in game.program.schemas if s.part == part.index for p in s.params]
    shown = [m.what for m in part.looks if m.what is not None]
    shown += [e for leaving in part.leavings for e in leaving.on]
    types += [e.type for top in shown for e in walk(top)]
    return {name for t in types for name in _names(t)}


def _names(type: n.ValueT) -> set[str]:
    match type:
        case n.ElemT(domain) | n.SetT(domain):
            return bases(domain)
        case n.OptT(inner):
            return _names(inner)
        case _:
            return set()


def bases(domain: Domain) -> set[str]:
    """The domains of the places that an element of a domain names."""
    if isinstance(domain, Family):
        return bases(domain.base)
    return {domain.name, *(factor.name for factor, _ in domain.components)}


# ------------------------------------------------------------------------------------------------------- drawings


def _plan(plan: Plan) -> Json:
    return {
        "limit": plan.limit,
        "strokes": [{"name": s.name, "shape": s.shape, "across": s.across or ""} for s in plan.strokes],
    }
