"""Shapes made of cells (polyominoes), and all the ways in which they can lie on a board.

shape ell = "XX/X."
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from gamedsl.language.boards.domains import Domain, Family, Relation, Result, bits_of
from gamedsl.language.boards.lattice import Kind, Lattice, Pair
from gamedsl.language.source import node

FILLED, FREE = "X", "."
MOST_PLACINGS = 100_000
FREEDOMS = ("fixed", "one_sided", "free")  # not turned, not reflected, both; each allows what those before it allow
Cells: TypeAlias = tuple[Pair, ...]
Turn: TypeAlias = Callable[[Pair], Pair]


class FitsNowhere(ValueError):
    """A shape (by name) has no placing on a board."""

    def __init__(self, shape: str, board: str) -> None:
        super().__init__(f"the shape `{shape}` fits nowhere on {board}")
        self.shape = shape


@node()
class Pattern:
    """A shape: its name and its cells, the first row and column being 0."""

    name: str
    cells: Cells


def read_pattern(name: str, text: str) -> Pattern:
    """The shape that a text shows: rows from the first on, separated by /, with X for a cell and . for none.

    Raises ValueError with a sentence for what shows no shape.
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
    """The declared shapes; each stands for the set of its squares, as it is drawn."""
    height = 1 + max(r for p in patterns for r, _ in p.cells)
    width = 1 + max(c for p in patterns for _, c in p.cells)
    square = Domain("square", tuple(f"r{r + 1}c{c + 1}" for r in range(height) for c in range(width)))
    members = tuple(bits_of(r * width + c for r, c in p.cells) for p in patterns)
    return Family("shape", tuple(p.name for p in patterns), (), square, members)


@node()
class Placings:
    """All placings of some shapes on a board. ``freedom``, per placing: the least index in ``FREEDOMS`` that allows it."""

    placing: Family
    shape: Family
    freedom: tuple[int, ...]

    def of(self, shapes: int, freedom: str) -> int:
        """The placings of the shapes in a set, as a set."""
        most = FREEDOMS.index(freedom)
        _, own = self.placing.components[0]
        return bits_of(
            i for i, (s, f) in enumerate(zip(own, self.freedom, strict=True)) if shapes >> s & 1 and f <= most
        )

    def relation(self, origin: str) -> Relation:
        """``shape(p)``: the shape of a placing."""
        _, own = self.placing.components[0]
        return Relation("shape", (self.placing,), Result("element", self.shape), lambda p: own[p], origin)


def make_placings(lattice: Lattice, patterns: tuple[Pattern, ...]) -> Placings:
    """Every way in which a shape covers cells of the board, in the order of shapes, then of cells. Ways that cover the same
    cells are one. A placing is called after its cells; where two shapes cover the same ones, after the shape as well.

    Raises FitsNowhere for a shape, and ValueError with a sentence if there are too many placings.
    """
    shape = shape_domain(patterns)
    found: list[tuple[int, int, int]] = []  # shape, cells, freedom
    for index, pattern in enumerate(patterns):
        placed = _placed(lattice, pattern)
        if not placed:
            raise FitsNowhere(pattern.name, lattice.title)
        found += [(index, cells, freedom) for cells, freedom in sorted(placed.items(), key=lambda p: _order(p[0]))]
    if len(found) > MOST_PLACINGS:
        raise ValueError(
            f"the shapes have {len(found):,} placings on {lattice.title}; at most {MOST_PLACINGS:,} are possible"
        )
    shapes, members, freedom = zip(*found, strict=True)
    names = _names(lattice, patterns, found)
    placing = Family("placing", names, ((shape, shapes),), lattice.cell, members)
    return Placings(placing, shape, freedom)


def _order(cells: int) -> tuple[int, ...]:
    return tuple(i for i in range(cells.bit_length()) if cells >> i & 1)


def _names(lattice: Lattice, patterns: tuple[Pattern, ...], found: list[tuple[int, int, int]]) -> tuple[str, ...]:
    covered: dict[int, int] = {}
    for _, cells, _ in found:
        covered[cells] = covered.get(cells, 0) + 1
    names = []
    for shape, cells, _ in found:
        name = "+".join(lattice.names[i] for i in _order(cells))
        names.append(name if covered[cells] == 1 else f"{patterns[shape].name}:{name}")
    return tuple(names)


def _placed(lattice: Lattice, pattern: Pattern) -> dict[int, int]:
    """The sets of cells that a shape can cover, each with the least freedom that it needs."""
    found: dict[int, int] = {}
    for freedom, turns in enumerate(_turns(lattice.kind)):
        for form in dict.fromkeys(_shifted(turn(c) for c in pattern.cells) for turn in turns):
            for cells in _laid(lattice, form):
                found.setdefault(cells, freedom)
    return found


def _laid(lattice: Lattice, form: Cells) -> Iterable[int]:
    """The cells covered by a form that is neither turned nor reflected any more, wherever it fits."""
    first_row, first_column = form[0]
    for row, column in lattice.pairs:
        cells = [lattice.at(row + r - first_row, column + c - first_column) for r, c in form]
        if None not in cells:
            yield bits_of(cells)


def _shifted(cells: Iterable[Pair]) -> Cells:
    """The cells moved to the first row and column, in order."""
    known = list(cells)
    top, left = min(r for r, _ in known), min(c for _, c in known)
    return tuple(sorted((r - top, c - left) for r, c in known))


# ------------------------------------------------------------------------------------------------- turning


def _turns(kind: Kind) -> tuple[tuple[Turn, ...], ...]:
    """By freedom: no turn, the rotations of the lattice, and these after a reflection."""
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
    """A sixth of a turn in the coordinates of a board of hexagons, where a column runs slantwise."""
    return cell[0] + cell[1], -cell[0]


def _repeated(turn: Turn, times: int) -> Turn:
    def run(cell: Pair) -> Pair:
        for _ in range(times):
            cell = turn(cell)
        return cell

    return run


def _reflected(turn: Turn) -> Turn:
    """Rows and columns exchanged (a reflection on grids and on hexagons), then turned."""
    return lambda cell: turn((cell[1], cell[0]))
