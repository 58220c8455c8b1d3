"""What lies between the cells of a grid: inner points, grid lines, straights, rings, and the ways round a corner.

A point is where four cells meet. Grid line ``h2`` lies below the second row of the picture, ``v3`` right of column 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from gamedsl.language.boards.adjacency import Links
from gamedsl.language.boards.domains import Domain, Family, Relation, Result, bits_of
from gamedsl.language.boards.lattice import Lattice, Pair
from gamedsl.language.boards.lines import at_least_one


@dataclass(frozen=True)
class Between:
    """The inner geometry of a grid. A corner (r, c) is the point between rows r, r+1 and columns c, c+1."""

    lattice: Lattice
    links: Links

    @cached_property
    def corners(self) -> tuple[Pair, ...]:
        """The points where four cells meet, in order of row and column numbers."""
        return tuple((r, c) for r, c in self.lattice.pairs if None not in self.around(r, c))

    def around(self, row: int, column: int) -> tuple[int | None, int | None, int | None, int | None]:
        """The cells around a corner: low row low column, low high, high low, high high."""
        at = self.lattice.at
        return at(row, column), at(row, column + 1), at(row + 1, column), at(row + 1, column + 1)

    @cached_property
    def point(self) -> Domain:
        names = self.lattice.names
        found = (self.around(r, c) for r, c in self.corners)
        return Domain("point", tuple(f"{names[a or 0]}+{names[d or 0]}" for a, _, _, d in found))

    @cached_property
    def inner_lines(self) -> tuple[tuple[str, tuple[tuple[int, int], ...]], ...]:
        """Per grid line its name and its edges as (place along the line, edge); level lines first, from the top."""
        level: dict[int, list[tuple[int, int]]] = {}
        upright: dict[int, list[tuple[int, int]]] = {}
        for i, (a, b) in enumerate(self.links.edge_pairs):
            (row_a, column_a), (row_b, _) = self.lattice.pairs[a], self.lattice.pairs[b]
            picture = self.lattice.picture_row(row_a)
            if row_a == row_b:
                upright.setdefault(column_a, []).append((picture, i))
            else:
                above = min(picture, self.lattice.picture_row(row_b))
                level.setdefault(above, []).append((column_a, i))
        return tuple(
            (f"{letter}{number}", tuple(sorted(lines[number])))
            for letter, lines in (("h", level), ("v", upright))
            for number in sorted(lines)
        )

    @cached_property
    def passage(self) -> Family:
        """Every way from a cell to a neighbour, diagonal ones included: one side, or two sides around a point."""
        edge = self.links.edge
        found = [(edge.names[i], 1 << i) for i in range(edge.size)]
        for row, column in self._all_corners():
            a, b, c, d = self.around(row, column)
            for start, over, goal in ((a, b, d), (a, c, d), (b, a, c), (b, d, c)):
                path = self._round(start, over, goal)
                if path is not None:
                    found.append(("+".join(edge.names[e] for e in path), bits_of(path)))
        return Family("passage", tuple(n for n, _ in found), (), edge, tuple(m for _, m in found))

    @cached_property
    def passage_index(self) -> dict[int, int]:
        return {members: i for i, members in enumerate(self.passage.members)}

    def _all_corners(self) -> list[Pair]:
        """Every corner of a cell, also those where fewer than four cells meet."""
        return sorted({(r + i, c + j) for r, c in self.lattice.pairs for i in (-1, 0) for j in (-1, 0)})

    def _round(self, start: int | None, over: int | None, goal: int | None) -> tuple[int, int] | None:
        """The two edges from start over a cell to goal, if all three cells are there."""
        if start is None or over is None or goal is None:
            return None
        first, second = self.links.edge_of(start, over), self.links.edge_of(over, goal)
        return None if first is None or second is None else (first, second)

    def passages(self, a: int, b: int) -> int:
        """The ways from a to b as a set over ``passage``; {} if they are not neighbours."""
        edge = self.links.edge_of(a, b)
        if edge is not None:
            return 1 << self.passage_index[1 << edge]
        (row_a, column_a), (row_b, column_b) = self.lattice.pairs[a], self.lattice.pairs[b]
        if abs(row_a - row_b) != 1 or abs(column_a - column_b) != 1:
            return 0
        over = (self.lattice.at(row_a, column_b), self.lattice.at(row_b, column_a))
        paths = (self._round(a, c, b) for c in over)
        return bits_of(self.passage_index[bits_of(path)] for path in paths if path is not None)


def edge_relations(between: Between) -> list[Relation]:
    """Relations over edges that only grids have."""
    cell = between.lattice.cell
    result = Result("set", between.passage)
    return [Relation("passages", (cell, cell), result, between.passages, between.lattice.origin)]


def edge_families(between: Between) -> dict[tuple[str, int], Callable[..., Family]]:
    """Families of sets of edges, by name and number of arguments."""
    return {
        ("gridlines", 0): lambda: gridlines(between),
        ("straights", 1): lambda k: straights(between, k),
        ("rings", 0): lambda: rings(between.links),
    }


def gridlines(between: Between) -> Family:
    """The whole inner lines of the grid."""
    found = [(name, bits_of(e for _, e in edges)) for name, edges in between.inner_lines]
    return Family("gridlines", tuple(n for n, _ in found), (), between.links.edge, tuple(m for _, m in found))


def straights(between: Between, k: int) -> Family:
    """Every k edges that follow each other on a grid line: ``v3.2`` begins beside row 2 of the picture.

    Those of two edges go by their first edge; else the last one is named too (``v3.2-4``).
    """
    at_least_one("a straight", k, "edge")
    found: list[tuple[str, int]] = []
    for name, edges in between.inner_lines:
        for first in range(len(edges) - k + 1):
            run = edges[first : first + k]
            if run[-1][0] - run[0][0] == k - 1:
                ending = "" if k == 2 else f"-{run[-1][0]}"
                found.append((f"{name}.{run[0][0]}{ending}", bits_of(e for _, e in run)))
    if not found:
        raise ValueError(f"a straight of {k} edges does not fit on {between.lattice.title}")
    return Family(f"straights({k})", tuple(n for n, _ in found), (), between.links.edge, tuple(m for _, m in found))


def rings(links: Links) -> Family:
    """Per cell all its inner sides, named like the cell; cells without any are left out."""
    found = [(name, sides) for name, sides in zip(links.cell.names, links.sides, strict=True) if sides]
    return Family("rings", tuple(n for n, _ in found), (), links.edge, tuple(m for _, m in found))
