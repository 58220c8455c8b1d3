"""The places of a graph's nodes: those that the ruleset gives, or read from their names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations, pairwise
from math import dist, gcd
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
    spots = board.spots
    if not spots:
        return None
    nearest = min((dist(a, b) for a, b in combinations(spots, 2)), default=1.0)
    left, top = (min(spot[k] for spot in spots) for k in (0, 1))
    return [((x - left) / nearest + 0.5, (y - top) / nearest + 0.5) for x, y in spots]


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
