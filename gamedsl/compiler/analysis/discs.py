"""Relations that triangulate a disc, such as neighbors on a board of hexagons.

There, what surrounds an element is a ring of its neighbors, or a row of them at the border. Take a set S outside which
every element is connected to the border by elements that are not in S. When x joins S, this still holds if and only if
the neighbors of x in S that are side by side, taken as one, belong to different components of S: a chain that comes
back to x goes around what lies between, and only such a chain does (the Jordan curve theorem).
"""

from __future__ import annotations

from functools import lru_cache

from gamedsl.language.boards import elements
from gamedsl.language.core import flood, is_symmetric
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

MOST_NEIGHBORS = 7  # so that a ring is in a byte with a bit left


@lazy_dataclass(frozen=True)
class Disc:
    """``rings[x]``: the neighbors of x, in order around it; at the border from one border neighbor to the other.
    ``border``: the elements at the border, as bits."""

    rings: tuple[tuple[int, ...], ...]
    border: int


@lru_cache(maxsize=32)
def disc_of(table: n.TableData) -> Disc | None:
    """The disc that a relation on one domain triangulates, or None."""
    values, border, rings = table.values, 0, []
    for x, near in enumerate(values):
        ring = _ring(values, near)
        if ring is None or near >> x & 1 or len(ring) > MOST_NEIGHBORS:
            return None
        closed = len(ring) > 2 and values[ring[0]] >> ring[-1] & 1
        border |= 0 if closed else 1 << x
        rings.append(ring)
    edges = sum(v.bit_count() for v in values)
    triangles = sum(len(ring) - (border >> x & 1) for x, ring in enumerate(rings))
    everything = (1 << len(values)) - 1
    if not is_symmetric(values) or flood(1, everything, values) != everything:
        return None
    if edges % 2 or triangles % 3 or len(values) - edges // 2 + triangles // 3 != 1:
        return None
    return Disc(tuple(rings), border)


def _ring(values: tuple[int, ...], near: int) -> tuple[int, ...] | None:
    """The elements of ``near`` as a cycle or a path of the relation; None if they are neither."""
    degrees = {y: (values[y] & near).bit_count() for y in elements(near)}
    ends = [y for y, number in degrees.items() if number == 1]
    if len(degrees) < 2 or any(number not in (1, 2) for number in degrees.values()) or len(ends) not in (0, 2):
        return None
    ring = [ends[0] if ends else next(iter(degrees))]
    while True:
        following = [y for y in elements(values[ring[-1]] & near) if y not in ring]
        if not following:
            return tuple(ring) if len(ring) == len(degrees) else None
        ring.append(following[0])
