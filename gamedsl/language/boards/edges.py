"""The geometry between the cells of a grid: inner points, grid lines, straights, rings, and the ways around a corner.

Four cells meet at a point. Grid line ``h2`` is below the second row of the picture, ``v3`` to the right of column 3.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from gamedsl.language.boards.adjacency import Links
from gamedsl.language.boards.domains import Domain, Family, Relation, Result, bits_of
from gamedsl.language.boards.lattice import Lattice, Pair
from gamedsl.language.boards.lines import at_least_one
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Between:
    """The inner geometry of a grid. A corner (r, c) is the point between rows r, r+1 and columns c, c+1."""

    lattice: Lattice
    links: Links

    @cached_property
    def corners(self) -> tuple[Pair, ...]:
        """The points where four cells meet, in order of row and column numbers."""
        return tuple((r, c) for r, c in self.lattice.pairs if None not in self.around(r, c))

    def around(self, row: int, column: int) -> tuple[int | None, int | None, int | None, int | None]:
        """Returns the cells around a corner, by row and column: low low, low high, high low, high high (None: no
        cell).
        """
        at = self.lattice.at
        return at(row, column), at(row, column + 1), at(row + 1, column), at(row + 1, column + 1)

    @cached_property
    def point(self) -> Domain:
        names = self.lattice.names
        found = (self.around(r, c) for r, c in self.corners)
        return Domain("point", tuple(f"{names[a or 0]}+{names[d or 0]}" for a, _, _, d in found))

    @cached_property
    def inner_lines(self) -> tuple[tuple[str, tuple[tuple[int, int], ...]], ...]:
        """The name of each grid line, and its edges as (place along the line, edge); horizontal lines first, from the
        top.
        """
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
        """Every way from a cell to a neighbor, diagonal ones included: one side, or two sides around a point."""
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
        """Returns every corner of a cell, even where fewer than four cells meet."""
        return sorted({(r + i, c + j) for r, c in self.lattice.pairs for i in (-1, 0) for j in (-1, 0)})

    def _round(self, start: int | None, over: int | None, goal: int | None) -> tuple[int, int] | None:
        """Returns the two edges from start over a cell to goal; None unless all three cells and both edges exist."""
        if start is None or over is None or goal is None:
            return None
        first, second = self.links.edge_of(start, over), self.links.edge_of(over, goal)
        return None if first is None or second is None else (first, second)

    def passages(self, a: int, b: int) -> int:
        """Returns the ways from a to b as a set over ``passage``; empty if they are not neighbors."""
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
    """Returns the relations over edges that only grids have."""
    cell = between.lattice.cell
    result = Result("set", between.passage)
    return [Relation("passages", (cell, cell), result, between.passages, between.lattice.origin)]


def edge_families(between: Between) -> dict[tuple[str, int], Callable[..., Family]]:
    """Returns the families of sets of edges, by name and number of arguments."""
    return {
        ("gridlines", 0): lambda: gridlines(between),
        ("straights", 1): lambda k: straights(between, k),
        ("rings", 0): lambda: rings(between.links),
    }


def gridlines(between: Between) -> Family:
    """Returns the family of all inner lines of the grid, each in full length."""
    found = [(name, bits_of(e for _, e in edges)) for name, edges in between.inner_lines]
    return Family("gridlines", tuple(n for n, _ in found), (), between.links.edge, tuple(m for _, m in found))


def straights(between: Between, k: int) -> Family:
    """Returns the family of all runs of k consecutive edges on a grid line: ``v3.2`` begins beside row 2 of the
    picture.

    A run of two edges is named by its first edge; other runs name the last one too (``v3.2-4``). Raises ``ValueError``
    if none fits.
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
    """Returns the family of all inner sides of a cell, named like the cell; cells without any are omitted."""
    found = [(name, sides) for name, sides in zip(links.cell.names, links.sides, strict=True) if sides]
    return Family("rings", tuple(n for n, _ in found), (), links.edge, tuple(m for _, m in found))
