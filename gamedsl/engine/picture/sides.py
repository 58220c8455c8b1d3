"""Outward directions: those in which the cells of one side of a board have no neighbor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from gamedsl.engine.picture.picture import Border

Way: TypeAlias = tuple[float, float]
_WAYS: Mapping[str, tuple[Way, ...]] = {
    "grid": ((0, -1), (1, 0), (0, 1), (-1, 0)),
    "hex": ((0.5, -1), (1, 0), (0.5, 1), (-0.5, 1), (-1, 0), (-0.5, -1)),
}


def outside(border: Border, where: Mapping[int, Way], kind: str) -> Iterator[tuple[int, Way]]:
    """The cells of a border, each with the directions that lead off the board from all cells of its side. A corner has
    others too, which belong to the adjacent side."""
    taken = {(round(x, 2), round(y, 2)) for x, y in where.values()}
    for dx, dy in _WAYS[kind]:
        ahead = {(round(where[c][0] + dx, 2), round(where[c][1] + dy, 2)) for c in border.side if c in where}
        if ahead and not ahead & taken:
            yield from ((c, (dx, dy)) for c in border.cells if c in where)
