"""The places of a graph's nodes: those that the ruleset gives, or read from their names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations, pairwise
from math import dist, gcd, hypot
from typing import TypeAlias

from gamedsl.language.boards import Board, elements

NodePlaces: TypeAlias = Mapping[int, tuple[int, int]]  # node -> column and row
MOST_ACROSS = 26  # columns or rows of a picture in characters
_LETTERED = re.compile(r"([a-z])(\d{1,2})$")


def lattice(board: Board) -> NodePlaces | None:
    """The columns and rows of the nodes, read from names such as ``b3``; None if the names do not say, two are the
    same, or a link between them could not be recognized."""
    found = [_LETTERED.match(name) for name in board.domains[board.place].names]
    if not all(found):
        return None
    at = [(ord(m[1]) - ord("a"), int(m[2])) for m in found if m]
    if len(set(at)) < len(at):
        return None
    low, high = min(x for x, _ in at), max(y for _, y in at)
    where = {i: (x - low, high - y) for i, (x, y) in enumerate(at)}
    straight = all(_is_straight(where, a, b) for a, b in links(board))
    return where if straight and all(x < 26 and y < 26 for x, y in where.values()) else None


def grid_of_spots(board: Board) -> NodePlaces | None:
    """The columns and rows of nodes whose places the ruleset gives, if these are a small grid with straight links."""
    if not board.spots:
        return None
    axes = [sorted({spot[k] for spot in board.spots}) for k in (0, 1)]
    steps = [gcd(*(b - a for a, b in pairwise(axis))) or 1 for axis in axes]
    where = {i: ((x - axes[0][0]) // steps[0], (y - axes[1][0]) // steps[1]) for i, (x, y) in enumerate(board.spots)}
    if any(x >= MOST_ACROSS or y >= MOST_ACROSS for x, y in where.values()):
        return None
    return where if all(_is_straight(where, a, b) for a, b in links(board)) else None


def placed(board: Board) -> list[tuple[float, float]] | None:
    """The places that the ruleset gives to the nodes, in cells: no two nodes are closer than one."""
    return [_in_cells(board, spot) for spot in board.spots] or None


def _in_cells(board: Board, spot: tuple[float, float]) -> tuple[float, float]:
    spots = board.spots
    nearest = min((dist(a, b) for a, b in combinations(spots, 2)), default=1.0)
    left, top = (min(one[k] for one in spots) for k in (0, 1))
    return (spot[0] - left) / nearest + 0.5, (spot[1] - top) / nearest + 0.5


def arcs(board: Board) -> dict[tuple[int, int], tuple[float, float]]:
    """The links of a graph that are drawn as arcs, and the point in the middle of each, in cells."""
    found = {}
    for (a, b), center in board.arcs.items():
        ends = board.spots[a], board.spots[b]
        across = [(ends[0][k] + ends[1][k]) / 2 - center[k] for k in (0, 1)]
        ratio = dist(ends[0], center) / hypot(*across)  # a ring has three nodes at least, so no arc is half a circle
        found[a, b] = _in_cells(board, (center[0] + across[0] * ratio, center[1] + across[1] * ratio))
    return found


def links(board: Board) -> list[tuple[int, int]]:
    """The links of a graph, each once."""
    near = board.relations[("neighbors", 1)]
    return [(a, b) for a in range(board.domains[board.place].size) for b in elements(near.compute(a)) if a < b]


def _is_straight(where: NodePlaces, a: int, b: int) -> bool:
    """Whether a link is horizontal, vertical, or one step diagonally, and crosses no other node."""
    (xa, ya), (xb, yb) = where[a], where[b]
    dx, dy = xb - xa, yb - ya
    if dx and dy:
        return abs(dx) == abs(dy) == 1
    steps = max(abs(dx), abs(dy))
    between = {(xa + dx // steps * i, ya + dy // steps * i) for i in range(1, steps)}
    return not between & set(where.values())
