"""Adjacency, and the steps, edges and distances derived from it alone. Shared by all kinds of boards."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import cache, cached_property

from gamedsl.language.boards.domains import Domain, Relation, Result, bits_of
from gamedsl.language.source import lazy_dataclass

BOOL = Result("bool")


@lazy_dataclass(frozen=True)
class Links:
    """The adjacency of cells. ``by_side`` and ``by_any`` give, per cell, its neighbors in the order of the directions;
    ``origin`` distinguishes boards whose cells have the same names.
    """

    cell: Domain
    by_side: tuple[tuple[int, ...], ...]
    by_any: tuple[tuple[int, ...], ...]
    origin: str

    @cached_property
    def side_bits(self) -> tuple[int, ...]:
        return tuple(bits_of(n) for n in self.by_side)

    @cached_property
    def any_bits(self) -> tuple[int, ...]:
        return tuple(bits_of(n) for n in self.by_any)

    @cached_property
    def step_pairs(self) -> tuple[tuple[int, int], ...]:
        """All ordered pairs of neighbors, diagonal ones included."""
        return tuple((a, b) for a in range(self.cell.size) for b in sorted(self.by_any[a]))

    @cached_property
    def step(self) -> Domain:
        names = self.cell.names
        firsts, seconds = tuple(a for a, _ in self.step_pairs), tuple(b for _, b in self.step_pairs)
        title = tuple(f"{names[a]}-{names[b]}" for a, b in self.step_pairs)
        return Domain("step", title, ((self.cell, firsts), (self.cell, seconds)))

    @cached_property
    def edge_pairs(self) -> tuple[tuple[int, int], ...]:
        """The two cells of every side between cells, the one with the smaller index first."""
        return tuple((a, b) for a in range(self.cell.size) for b in sorted(self.by_side[a]) if a < b)

    @cached_property
    def edge_index(self) -> dict[tuple[int, int], int]:
        return {pair: i for i, pair in enumerate(self.edge_pairs)}

    @cached_property
    def edge(self) -> Domain:
        names = self.cell.names
        return Domain("edge", tuple(f"{names[a]}/{names[b]}" for a, b in self.edge_pairs))

    def edge_of(self, a: int, b: int) -> int | None:
        return self.edge_index.get((min(a, b), max(a, b)))

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The set of inner sides of each cell."""
        found = [0] * self.cell.size
        for i, (a, b) in enumerate(self.edge_pairs):
            found[a] |= 1 << i
            found[b] |= 1 << i
        return tuple(found)


ADJACENCY = Domain("adjacency", ("side", "corner", "any"))


def link_relations(links: Links) -> list[Relation]:
    """Returns the relations that every grid, hex, track and graph board has."""
    cell, edge = links.cell, links.edge
    distance = _distances(links.by_side)
    corners = tuple(tuple(n for n in near if n not in links.by_side[c]) for c, near in enumerate(links.by_any))
    distances = (distance, _distances(corners), _distances(links.by_any))

    def neighbors_by(c: int, adjacency: int) -> int:
        side, near = links.side_bits[c], links.any_bits[c]
        return (side, near & ~side, near)[adjacency]

    def edge_between(a: int, b: int) -> int:
        found = links.edge_of(a, b)
        return 0 if found is None else found + 1

    def make(name: str, params: tuple[Domain, ...], result: Result, compute: Callable[..., int]) -> Relation:
        return Relation(name, params, result, compute, links.origin)

    return [
        make("neighbors", (cell,), Result("set", cell), lambda c: links.side_bits[c]),
        make("neighbors", (cell, ADJACENCY), Result("set", cell), neighbors_by),
        make("adjacent", (cell, cell), BOOL, lambda a, b: links.side_bits[a] >> b & 1),
        make("distance", (cell, cell), Result("int", None, 0, cell.size), lambda a, b: distance(a)[b]),
        make("adjacent", (cell, cell, ADJACENCY), BOOL, lambda a, b, k: neighbors_by(a, k) >> b & 1),
        make(
            "distance", (cell, cell, ADJACENCY), Result("int", None, 0, cell.size), lambda a, b, k: distances[k](a)[b]
        ),
        make("edge_between", (cell, cell), Result("optional", edge), edge_between),
        make("sides", (cell,), Result("set", edge), lambda c: links.sides[c]),
    ]


def _distances(near: tuple[tuple[int, ...], ...]) -> Callable[[int], tuple[int, ...]]:
    """Returns a function that maps a cell to its distance to every cell over these neighbors; a cell that cannot be
    reached has the number of cells as its distance.
    """
    size = len(near)

    @cache
    def from_cell(start: int) -> tuple[int, ...]:
        found = [size] * size
        found[start] = 0
        queue = deque([start])
        while queue:
            at = queue.popleft()
            for other in near[at]:
                if found[other] == size and other != start:
                    found[other] = found[at] + 1
                    queue.append(other)
        return tuple(found)

    return from_cell


def rim(links: Links, full: int) -> int:
    """Returns the set of cells with fewer neighbors over sides than ``full``."""
    return bits_of(i for i, near in enumerate(links.by_side) if len(near) < full)
