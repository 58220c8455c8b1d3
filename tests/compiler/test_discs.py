"""Relations that triangulate a disc, and what a new element of a set cuts off there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.compiler.analysis.discs import Disc, disc_of
from gamedsl.language.boards import Domain, elements
from gamedsl.language.core.nodes import SetT, TableData


def table(near: list[set[int]]) -> TableData:
    cells = Domain("cell", tuple(str(i) for i in range(len(near))))
    return TableData("near", (cells,), SetT(cells), tuple(sum(1 << y for y in ys) for ys in near))


def hexagon(side: int) -> TableData:
    """A hexagon of hexagons; every one but those at the border has six neighbors."""
    across = range(1 - side, side)
    cells = [(x, y) for y in across for x in across if abs(x + y) < side]
    ways = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    return table([{cells.index((x + a, y + b)) for a, b in ways if (x + a, y + b) in cells} for x, y in cells])


def grid(corners: bool) -> TableData:
    cells = [(x, y) for y in range(4) for x in range(4)]
    near = [{j for j, (a, b) in enumerate(cells) if 0 < max(abs(a - x), abs(b - y)) < 2} for x, y in cells]
    straight = [
        {j for j in js if sum(map(abs, (cells[j][0] - x, cells[j][1] - y))) == 1}
        for js, (x, y) in zip(near, cells, strict=True)
    ]
    return table(near if corners else straight)


@pytest.mark.parametrize(("side", "border"), [(2, 6), (3, 12), (5, 24)])
def test_hexagons_triangulate_a_disc(side: int, border: int) -> None:
    """At a border of n cells a side lie 6 (n - 1)."""
    found = disc_of(hexagon(side))
    assert found is not None and found.border.bit_count() == border
    assert all(len(ring) == 6 for x, ring in enumerate(found.rings) if not found.border >> x & 1)


def test_what_is_no_disc() -> None:
    """Squares have holes between them; with their diagonals, lines cross. A tetrahedron is a sphere; two triangles at one
    corner, a ring of triangles, and two discs are not one disc; a one-way relation is none."""
    sphere = [{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}]
    bow = [{1, 2, 3, 4}, {0, 2}, {0, 1}, {0, 4}, {0, 3}]
    around = [{(i + d) % 8 for d in (-2, -1, 1, 2)} for i in range(8)]
    two = [{1, 2}, {0, 2}, {0, 1}, {4, 5}, {3, 5}, {3, 4}]
    one_way = [{1, 2}, {2}, {1, 0}]
    for near in (sphere, bow, around, two, one_way):
        assert disc_of(table(near)) is None
    assert disc_of(grid(True)) is None and disc_of(grid(False)) is None
    assert disc_of(table([{1, 2}, {0, 2}, {0, 1}])) == Disc(((1, 2), (0, 2), (0, 1)), 7)


def reached(values: tuple[int, ...], start: int, within: int) -> int:
    found = edge = start & within
    while edge:
        near = 0
        for x in elements(edge):
            near |= values[x]
        edge = near & within & ~found
        found |= edge
    return found


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(37)), st.integers(0, 1))
def test_a_chain_that_comes_back_cuts_something_off(order: list[int], skipped: int) -> None:
    """Elements join a set in any order until one cuts something off from the border, which a flood says."""
    near = hexagon(4)
    disc, values, full, s = disc_of(near), near.values, (1 << 37) - 1, 0
    assert disc is not None
    for x in order[skipped:]:
        ring, before = disc.rings[x], s
        inside = [before >> y & 1 for y in ring]
        closed = not disc.border >> x & 1
        firsts = [y for i, y in enumerate(ring) if inside[i] and not (inside[i - 1] and (i or closed))]
        parts = [
            reached(values, 1 << y, before)
            for y in firsts or [y for y, own in zip(ring, inside, strict=True) if own][:1]
        ]
        s |= 1 << x
        cut_off = full & ~s & ~reached(values, disc.border & ~s, full & ~s) != 0
        assert cut_off == (len(set(parts)) < len(parts))
        if cut_off:
            return
