"""Overlaid paths -> the net of pieces between their meeting points.

Every piece has two half-edges: 2i goes along piece i, 2i + 1 goes back. Around every meeting point the half-edges are
in order of their angle; a walk that continues with the next one clockwise keeps the same region on its left.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, cmp_to_key

from gamedsl.language.boards.drawing.geometry import (
    Box,
    Path,
    Segment,
    box_of,
    boxes_meet,
    distance2,
    meeting,
    minus,
    segments,
    turning,
)
from gamedsl.language.boards.plan import Point
from gamedsl.language.source import lazy_dataclass

_BY_ANGLE = cmp_to_key(turning)


@lazy_dataclass(frozen=True)
class Piece:
    """A part of a stroke from one meeting point to the next (or to its end)."""

    stroke: str
    path: Path


@lazy_dataclass(frozen=True)
class Net:
    """Pieces, and the numbers of the meeting points where each begins and ends."""

    pieces: tuple[Piece, ...]
    nodes: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, paths: Mapping[str, Path]) -> Net:
        """Returns the net of some paths, which must meet in single points only."""
        pieces = tuple(split(paths))
        number: dict[Point, int] = {}
        ends = ((number.setdefault(p.path[0], len(number)), number.setdefault(p.path[-1], len(number))) for p in pieces)
        return cls(pieces, tuple(ends))

    def walk(self, half: int) -> Path:
        """Returns the points of a half-edge in its direction."""
        path = self.pieces[half // 2].path
        return path if half % 2 == 0 else path[::-1]

    def ring_path(self, ring: list[int]) -> Path:
        """Returns the closed path of consecutive half-edges."""
        points = [p for half in ring for p in self.walk(half)[:-1]]
        return (*points, points[0])

    def rings(self) -> list[list[int]]:
        """Returns all face boundaries: closed walks of half-edges with one face on their left."""
        return self._rings

    @cached_property
    def _rings(self) -> list[list[int]]:
        clockwise = self._clockwise()
        found: list[list[int]] = []
        seen: set[int] = set()
        for half in range(2 * len(self.pieces)):
            ring: list[int] = []
            while half not in seen:
                seen.add(half)
                ring.append(half)
                half = clockwise[half ^ 1]
            if ring:
                found.append(ring)
        return found

    def _clockwise(self) -> dict[int, int]:
        """Returns, by half-edge, the next one clockwise that leaves the same meeting point."""
        around: dict[int, list[int]] = {}
        for half in range(2 * len(self.pieces)):
            around.setdefault(self.nodes[half // 2][half % 2], []).append(half)
        found: dict[int, int] = {}
        for halves in around.values():
            halves.sort(key=lambda h: _BY_ANGLE(self._heading(h)))
            found |= {half: halves[k - 1] for k, half in enumerate(halves)}
        return found

    def _heading(self, half: int) -> Point:
        path = self.walk(half)
        return minus(path[1], path[0])

    def groups(self) -> list[int]:
        """Returns a number per piece; connected pieces have the same one."""
        leader: dict[int, int] = {}

        def find(node: int) -> int:
            while leader.setdefault(node, node) != node:
                leader[node] = leader[leader[node]]
                node = leader[node]
            return node

        for first, last in self.nodes:
            leader[find(first)] = find(last)
        return [find(first) for first, _ in self.nodes]


# ---------------------------------------------------------------------------------------------------- cutting


def split(paths: Mapping[str, Path]) -> list[Piece]:
    """Returns all paths, cut where they meet each other or themselves."""
    cuts = _cuts(paths)
    found: list[Piece] = []
    for name, path in paths.items():
        found += [Piece(name, piece) for piece in _cut_path(path, cuts[name])]
    return found


def _cuts(paths: Mapping[str, Path]) -> dict[str, list[set[Point]]]:
    """Returns, by path and segment, the points where another segment meets it."""
    found: dict[str, list[set[Point]]] = {name: [set() for _ in path[1:]] for name, path in paths.items()}
    all_segments = [
        (name, i, s, box_of(s)) for name, path in paths.items() for i, s in enumerate(segments(path))
    ]  # fmt: skip
    all_segments.sort(key=lambda entry: entry[3][0])
    active: list[tuple[str, int, Segment, Box]] = []
    for entry in all_segments:
        name, i, s, box = entry
        active = [other for other in active if other[3][2] >= box[0]]
        for other_name, j, t, other_box in active:
            if not boxes_meet(box, other_box) or (name == other_name and _follow(paths[name], i, j)):
                continue
            points = meeting(s, t)
            found[name][i].update(points)
            found[other_name][j].update(points)
        active.append(entry)
    return found


def _follow(path: Path, i: int, j: int) -> bool:
    """Returns whether two segments of a path are consecutive."""
    return abs(i - j) == 1 or (path[0] == path[-1] and abs(i - j) == len(path) - 2)


def _cut_path(path: Path, cuts: list[set[Point]]) -> list[Path]:
    nodes: set[Point] = set().union(*cuts)
    points: list[Point] = [path[0]]
    for (a, b), here in zip(segments(path), cuts, strict=True):
        points += [p for p in sorted(here, key=lambda p: distance2(a, p)) if p not in (a, b)]
        points.append(b)
    closed = points[0] == points[-1]
    if closed and nodes:
        first = next(i for i, p in enumerate(points) if p in nodes)
        points = points[first:-1] + points[: first + 1]
    found: list[Path] = []
    start = 0
    for i in range(1, len(points)):
        if points[i] in nodes or i == len(points) - 1:
            found.append(tuple(points[start : i + 1]))
            start = i
    return found
