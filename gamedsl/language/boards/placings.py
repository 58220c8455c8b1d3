"""Shapes made of cells (polyominoes), and all their placings on a board.

shape ell = "XX/X."
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from gamedsl.language.boards.domains import Domain, Family, Relation, Result, bits_of, elements
from gamedsl.language.boards.lattice import Kind, Lattice, Pair
from gamedsl.language.source import node

FILLED, FREE = "X", "."
MOST_PLACINGS = 100_000
FREEDOMS = ("fixed", "one_sided", "free")  # as drawn; turned; turned and reflected: each includes the previous
Cells: TypeAlias = tuple[Pair, ...]
Turn: TypeAlias = Callable[[Pair], Pair]


class FitsNowhere(ValueError):
    """A shape (given by name) has no placing on a board."""

    def __init__(self, shape: str, board: str) -> None:
        super().__init__(f"the shape `{shape}` fits nowhere on {board}")
        self.shape = shape


@node()
class Pattern:
    """A shape: its name and its cells; rows and columns are numbered from 0."""

    name: str
    cells: Cells


def read_pattern(name: str, text: str) -> Pattern:
    """Reads a shape from a string: rows separated by /, with X for a cell and . for a gap.

    Raises ``ValueError`` with a sentence if it does not show a shape.
    """
    rows = text.split("/")
    for row in rows:
        for sign in row:
            if sign not in FILLED + FREE:
                raise ValueError(f"`{sign}` stands for nothing in a shape; a cell is X, a gap is .")
    if FILLED not in text:
        raise ValueError("this shape has no cell; a cell is X")
    widest = max(len(row) for row in rows)
    for number, row in enumerate(rows, 1):
        if len(row) != widest:
            even = "/".join(r.ljust(widest, FREE) for r in rows)
            raise ValueError(f'row {number} has {len(row)} of {widest} columns; with gaps it would be "{even}"')
    cells = ((r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == FILLED)
    return Pattern(name, _shifted(cells))


def shape_domain(patterns: tuple[Pattern, ...]) -> Family:
    """Returns the family of the declared shapes; each is the set of its squares, as drawn."""
    height = 1 + max(r for p in patterns for r, _ in p.cells)
    width = 1 + max(c for p in patterns for _, c in p.cells)
    square = Domain("square", tuple(f"r{r + 1}c{c + 1}" for r in range(height) for c in range(width)))
    members = tuple(bits_of(r * width + c for r, c in p.cells) for p in patterns)
    return Family("shape", tuple(p.name for p in patterns), (), square, members)


@node()
class Placings:
    """All placings of some shapes on a board. ``freedom``: by placing, the least index in ``FREEDOMS`` that allows it."""

    placing: Family
    shape: Family
    freedom: tuple[int, ...]

    def of(self, shapes: int, freedom: str) -> int:
        """Returns the placings that a freedom allows for a set of shapes, as a set."""
        most = FREEDOMS.index(freedom)
        _, own = self.placing.components[0]
        wanted = (shape for shape in range(self.shape.size) if shapes >> shape & 1)
        # the placings of a shape follow each other
        ranges = (range(bisect_left(own, shape), bisect_right(own, shape)) for shape in wanted)
        return bits_of(i for indices in ranges for i in indices if self.freedom[i] <= most)

    def relation(self, origin: str) -> Relation:
        """Returns the relation ``shape(p)``: the shape of a placing."""
        _, own = self.placing.components[0]
        return Relation("shape", (self.placing,), Result("element", self.shape), lambda p: own[p], origin)


def make_placings(lattice: Lattice, patterns: tuple[Pattern, ...]) -> Placings:
    """Returns all ways in which a shape covers cells of the board, in the order of shapes, then of cells. Ways that
    cover the same cells are one placing. It is named after its cells, and after its shape too if several shapes cover
    the same cells.

    Raises ``FitsNowhere`` for a shape without placings, and ``ValueError`` with a sentence for more than
    ``MOST_PLACINGS``.
    """
    shape = shape_domain(patterns)
    found: list[tuple[int, _Way]] = []  # by shape
    for index, pattern in enumerate(patterns):
        ways = _ways(lattice, pattern.cells)
        if not ways:
            raise FitsNowhere(pattern.name, lattice.title)
        found += [(index, way) for way in ways]
    if len(found) > MOST_PLACINGS:
        raise ValueError(
            f"the shapes have {len(found):,} placings on {lattice.title}; at most {MOST_PLACINGS:,} are possible"
        )
    shapes, ways = zip(*found, strict=True)
    members, freedom, _ = zip(*ways, strict=True)
    names = _names(patterns, found)
    placing = Family("placing", names, ((shape, shapes),), lattice.cell, members)
    return Placings(placing, shape, freedom)


class _Way(NamedTuple):
    """A set of cells that a shape can cover, the least freedom that it needs, and the names of the cells."""

    cells: int
    freedom: int
    name: str


def _names(patterns: tuple[Pattern, ...], found: list[tuple[int, _Way]]) -> tuple[str, ...]:
    covered = Counter(way.cells for _, way in found)
    return tuple(way.name if covered[way.cells] == 1 else f"{patterns[shape].name}:{way.name}" for shape, way in found)


@lru_cache(maxsize=64)  # while one shape is written, the others stay
def _ways(lattice: Lattice, shape: Cells) -> tuple[_Way, ...]:
    """Returns the sets of cells that a shape can cover, in the order of their cells."""
    found: dict[int, int] = {}
    for freedom, turns in enumerate(_turns(lattice.kind)):
        for form in dict.fromkeys(_shifted(turn(c) for c in shape) for turn in turns):
            for cells in _laid(lattice, form):
                found.setdefault(cells, freedom)
    ordered = sorted((tuple(elements(cells)), cells) for cells in found)
    return tuple(_Way(cells, found[cells], "+".join(lattice.names[i] for i in order)) for order, cells in ordered)


def _laid(lattice: Lattice, form: Cells) -> Iterable[int]:
    """Yields the cells that a form covers in every place where it fits, without turning or reflecting it."""
    first_row, first_column = form[0]
    for row, column in lattice.pairs:
        cells = [lattice.at(row + r - first_row, column + c - first_column) for r, c in form]
        if None not in cells:
            yield bits_of(cells)


def _shifted(cells: Iterable[Pair]) -> Cells:
    """Returns the cells moved to row and column 0, in order."""
    known = list(cells)
    top, left = min(r for r, _ in known), min(c for _, c in known)
    return tuple(sorted((r - top, c - left) for r, c in known))


# ------------------------------------------------------------------------------------------------- turning


def _turns(kind: Kind) -> tuple[tuple[Turn, ...], ...]:
    """Returns, by freedom: no turn, the rotations of the lattice, and the rotations after a reflection."""
    match kind:
        case "grid":
            rotate, count = _quarter, 4
        case "hex":
            rotate, count = _sixth, 6
        case "track":
            return (_as_drawn,), (), (lambda c: (c[0], -c[1]),)
    rotations = tuple(_repeated(rotate, times) for times in range(count))
    reflections = tuple(_reflected(turn) for turn in rotations)
    return (_as_drawn,), rotations, reflections


def _as_drawn(cell: Pair) -> Pair:
    return cell


def _quarter(cell: Pair) -> Pair:
    return cell[1], -cell[0]


def _sixth(cell: Pair) -> Pair:
    """Turns a cell by 60 degrees in the coordinates of a hex board, where columns are slanted."""
    return cell[0] + cell[1], -cell[0]


def _repeated(turn: Turn, times: int) -> Turn:
    def run(cell: Pair) -> Pair:
        for _ in range(times):
            cell = turn(cell)
        return cell

    return run


def _reflected(turn: Turn) -> Turn:
    """Returns a turn after a reflection, which exchanges rows and columns."""
    return lambda cell: turn((cell[1], cell[0]))
