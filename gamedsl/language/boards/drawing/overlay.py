"""Overlaid paths -> the spaces that they enclose, and the borders between the spaces."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from gamedsl.language.boards.drawing.geometry import Path, Segment, area2, inside, segments
from gamedsl.language.boards.drawing.half_edges import Net
from gamedsl.language.boards.drawing.interior_point import inner_point
from gamedsl.language.boards.plan import Point
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Space:
    """A bounded region: a point well inside, its outline (closed, counterclockwise) and those of holes in it."""

    inner: Point
    outline: Path
    holes: tuple[Path, ...] = ()

    def edges(self) -> list[Segment]:
        return [s for ring in (self.outline, *self.holes) for s in segments(ring)]

    def contains(self, p: Point) -> bool:
        """Returns whether a point that is not on a stroke is in this space."""
        return inside(p, self.edges())


@lazy_dataclass(frozen=True)
class Border:
    """A piece with a space on either side (numbers of ``Subdivision.spaces``, the smaller first)."""

    spaces: tuple[int, int]
    path: Path
    stroke: str


@lazy_dataclass(frozen=True)
class Subdivision:
    """Spaces in order of their inner points (by y, then x); borders in order of their spaces, then their middle."""

    spaces: tuple[Space, ...]
    borders: tuple[Border, ...]


def subdivide(paths: Mapping[str, Path]) -> Subdivision:
    """Returns the subdivision of the plane by some paths, which must meet in single points only."""
    net = Net.of(paths)
    areas = {ring[0]: area2(net.ring_path(ring)) for ring in net.rings()}
    faces = [ring for ring in net.rings() if areas[ring[0]] > 0]
    outers = [ring for ring in net.rings() if areas[ring[0]] <= 0]
    holes = _holes(net, faces, outers, areas)
    spaces = [_space(net, face, holes.get(face[0], [])) for face in faces]
    order = sorted(range(len(faces)), key=lambda i: (spaces[i].inner[1], spaces[i].inner[0]))
    number = {half: place for place, i in enumerate(order) for half in faces[i]}
    for place, i in enumerate(order):
        number |= {half: place for ring in holes.get(faces[i][0], []) for half in ring}
    return Subdivision(tuple(spaces[i] for i in order), _borders(net, number))


def count_spaces(paths: Mapping[str, Path]) -> int:
    """Returns the number of spaces that ``subdivide`` would find, by Euler's formula."""
    net = Net.of(paths)
    return len(net.pieces) - len({node for pair in net.nodes for node in pair}) + len(set(net.groups()))


def _borders(net: Net, number: dict[int, int]) -> tuple[Border, ...]:
    found: list[Border] = []
    for i, piece in enumerate(net.pieces):
        left, right = number.get(2 * i), number.get(2 * i + 1)
        if left is not None and right is not None and left != right:
            found.append(Border((min(left, right), max(left, right)), piece.path, piece.stroke))
    return tuple(sorted(found, key=lambda b: (b.spaces, min(b.path[0], b.path[-1]), b.path)))


def _holes(
    net: Net, faces: list[list[int]], outers: list[list[int]], areas: dict[int, Fraction]
) -> dict[int, list[list[int]]]:
    """Returns, by face (its first half-edge), the outer boundaries of the groups of paths inside it that do not touch
    its outline.
    """
    group = net.groups()
    if len(set(group)) == 1:
        return {}
    found: dict[int, list[list[int]]] = {}
    paths = {face[0]: segments(net.ring_path(face)) for face in faces}
    for outer in outers:
        p = net.walk(outer[0])[0]
        apart = (f[0] for f in faces if group[f[0] // 2] != group[outer[0] // 2])
        around = [f for f in apart if inside(p, paths[f])]
        if around:
            found.setdefault(min(around, key=lambda f: areas[f]), []).append(outer)
    return found


def _space(net: Net, face: list[int], holes: list[list[int]]) -> Space:
    outline = net.ring_path(face)
    inner = tuple(net.ring_path(hole) for hole in holes)
    edges = [s for ring in (outline, *inner) for s in segments(ring)]
    return Space(inner_point(edges), outline, inner)
