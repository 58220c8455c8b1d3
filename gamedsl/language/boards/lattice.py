"""Boards whose cells have a row and a column: shapes -> cells, their names and their directions.

    grid 5 by 5      hex 5      hex 11 by 11      hex star 4      track 30
    grid 3 by 3 with grid 2 by 2 at 4, 4 without a1

A cell is a pair (row number, column number), both from 1. Rows are numbered from the top or from the bottom of the
picture; ``north`` is always upward in the picture. On hex boards a column is slanted: the next row is shifted
half a cell to the right, so the pairs are axial coordinates.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cached_property
from typing import Literal, TypeAlias

from gamedsl.language.boards.domains import Domain
from gamedsl.language.source import node

MOST_CELLS = 1024
MOST_NAMED = 8  # cut cells that a title names
Kind: TypeAlias = Literal["grid", "hex", "track"]
ShapeKind: TypeAlias = Literal["grid", "hex", "hex star", "track"]
Naming: TypeAlias = Literal["letters", "numbers"]
Start: TypeAlias = Literal["top", "bottom"]
Pair: TypeAlias = tuple[int, int]


@node()
class Shape:
    """One shape of a board. ``sizes``: rows and columns, or one number; ``at``: row and column of its first cell."""

    kind: ShapeKind
    sizes: tuple[int, ...]
    at: Pair | None = None

    @property
    def title(self) -> str:
        sizes = " by ".join(str(s) for s in self.sizes)
        place = f" at {self.at[0]}, {self.at[1]}" if self.at else ""
        return (sizes if self.kind == "grid" else f"{self.kind} {sizes}") + place

    @property
    def lattice(self) -> Kind:
        """The kind of board that the shape belongs to."""
        return "hex" if self.kind == "hex star" else self.kind


@node()
class Direction:
    """A direction: its name, and its offset in row and column numbers."""

    name: str
    long: str
    rows: int
    columns: int
    by_side: bool


@node()
class Lattice:
    """The cells of a board in order of row and column, with their names, and the directions between them."""

    kind: Kind
    title: str
    pairs: tuple[Pair, ...]
    names: tuple[str, ...]
    directions: tuple[Direction, ...]
    start: Start
    origin: str

    @cached_property
    def index(self) -> dict[Pair, int]:
        return {pair: i for i, pair in enumerate(self.pairs)}

    @cached_property
    def cell(self) -> Domain:
        return Domain("cell", self.names)

    @cached_property
    def direction(self) -> Domain:
        return Domain("direction", tuple(w.name for w in self.directions))

    @cached_property
    def rows(self) -> int:
        return max(r for r, _ in self.pairs)

    @cached_property
    def columns(self) -> int:
        return max(c for _, c in self.pairs)

    def picture_row(self, row: int) -> int:
        """Returns a row's number counted from the top of the picture, for row numbers outside the board too."""
        return row if self.start == "top" else self.rows + 1 - row

    def at(self, row: int, column: int) -> int | None:
        return self.index.get((row, column))

    def go(self, cell: int, direction: Direction, steps: int = 1) -> int | None:
        """Returns the cell this many steps away; None if it is not on the board."""
        row, column = self.pairs[cell]
        return self.index.get((row + steps * direction.rows, column + steps * direction.columns))

    def heading(self, a: int, b: int) -> tuple[int, int] | None:
        """Returns the index of the direction and the number of steps from a to b; None if they are equal or not in a
        line.
        """
        rows = self.pairs[b][0] - self.pairs[a][0]
        columns = self.pairs[b][1] - self.pairs[a][1]
        steps = max(abs(rows), abs(columns))
        if steps == 0:
            return None
        for i, direction in enumerate(self.directions):
            if (direction.rows * steps, direction.columns * steps) == (rows, columns):
                return i, steps
        return None

    def half_directions(self) -> tuple[Direction, ...]:
        """Returns, of every two opposite directions, the one in which cell numbers grow."""
        return tuple(w for w in self.directions if (w.rows, w.columns) > (0, 0))


def make_lattice(
    shapes: tuple[Shape, ...], without: tuple[str, ...], naming: Naming | None, start: Start | None
) -> Lattice:
    """Returns the lattice of joined shapes minus cut cells. Raises ``ValueError`` with a sentence if they do not form
    a board.
    """
    kind = _one_kind(shapes)
    naming = naming or "letters"
    start = start or ("bottom" if naming == "letters" and kind != "track" else "top")
    pairs = sorted({pair for shape in shapes for pair in _pairs_of(shape)})
    _check_size(len(pairs))
    names = {pair: _name(kind, naming, pair) for pair in pairs}
    kept = _cut(pairs, names, without)
    title = " with ".join(s.title for s in shapes) + _missing(without)
    origin = f"{kind} {title} {naming} {start} {' '.join(without)}"
    return Lattice(kind, title, tuple(kept), tuple(names[p] for p in kept), _directions(kind, start), start, origin)


def _missing(cells: tuple[str, ...]) -> str:
    """Returns the part of the title about cut cells, which gives only their number if there are many."""
    if not cells:
        return ""
    return f" without {', '.join(cells) if len(cells) <= MOST_NAMED else f'{len(cells)} cells'}"


def letters(number: int) -> str:
    """Returns a column's letters: 1 -> a, 26 -> z, 27 -> aa."""
    text = ""
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def near_names(name: str, names: tuple[str, ...]) -> str:
    """Returns a question that suggests similar names, or else the first names; empty if there are no names."""
    close = get_close_matches(name, names, n=3, cutoff=0.5) or list(names[:3])
    return f" (did you mean {', '.join(close)}?)" if close else ""


# ------------------------------------------------------------------------------------------------------ cells


def _one_kind(shapes: tuple[Shape, ...]) -> Kind:
    if not shapes:
        raise ValueError("a board needs at least one shape")
    kinds = {s.lattice for s in shapes}
    if len(kinds) > 1:
        raise ValueError(f"shapes of different kinds cannot be joined ({' and '.join(sorted(kinds))})")
    kind = shapes[0].lattice
    if kind == "track" and len(shapes) > 1:
        raise ValueError("tracks cannot be joined; make one longer track, or a graph")
    return kind


def _check_size(count: int) -> None:
    if count > MOST_CELLS:
        raise ValueError(f"the board would have {count} cells; the limit is {MOST_CELLS}")


def _pairs_of(shape: Shape) -> list[Pair]:
    wanted = {"grid": (2,), "hex": (1, 2), "hex star": (1,), "track": (1,)}[shape.kind]
    if len(shape.sizes) not in wanted:
        numbers = " or ".join(str(n) for n in wanted)
        raise ValueError(f"a {shape.kind} board takes {numbers} number{'s' if wanted != (1,) else ''}")
    for size in shape.sizes:
        if size < 1:
            raise ValueError(f"a board of {shape.title} has no cells; every size must be at least 1")
        _check_size(size)
    top, left = shape.at or (1, 1)
    if min(top, left) < 1 or max(top, left) > MOST_CELLS:
        raise ValueError(f"a shape cannot start at {top}, {left}; rows and columns are numbered from 1 to {MOST_CELLS}")
    if shape.kind == "hex star":
        return [(top + r, left + c) for r, c in _star(shape.sizes[0])]
    if len(shape.sizes) == 1 and shape.kind == "hex":
        return [(top + r, left + c) for r, c in _hexagon(shape.sizes[0])]
    rows, columns = shape.sizes if len(shape.sizes) == 2 else (1, shape.sizes[0])
    _check_size(rows * columns)
    return [(top + r, left + c) for r in range(rows) for c in range(columns)]


def _hexagon(side: int) -> list[Pair]:
    """Returns the cells of a regular hexagon: 3 * side * (side - 1) + 1 cells inside a rhombus."""
    _check_size(3 * side * (side - 1) + 1)
    span = 2 * side - 1
    return [(r, c) for r in range(span) for c in range(span) if side - 1 <= r + c <= 3 * side - 3]


def _star(arm: int) -> list[Pair]:
    """Returns the cells of a hexagon with a triangle of height ``arm`` on each side (two overlaid triangles): 6 * arm
    * (arm + 1) + 1 cells inside a rhombus of side 4 * arm + 1.
    """
    _check_size(6 * arm * (arm + 1) + 1)
    span = range(-2 * arm, 2 * arm + 1)
    found: list[Pair] = []
    for row in span:
        for column in span:
            axes = (row, column, -row - column)
            if min(axes) >= -arm or max(axes) <= arm:
                found.append((row + 2 * arm, column + 2 * arm))
    return found


def _name(kind: Kind, naming: Naming, pair: Pair) -> str:
    row, column = pair
    if kind == "track":
        return f"t{column}"
    return f"{letters(column)}{row}" if naming == "letters" else f"r{row}c{column}"


def _cut(pairs: list[Pair], names: dict[Pair, str], without: tuple[str, ...]) -> list[Pair]:
    known = tuple(names.values())
    for name in without:
        if name not in known:
            raise ValueError(f"`without` names `{name}`, which is not a cell of this board{near_names(name, known)}")
    kept = [p for p in pairs if names[p] not in without]
    if not kept:
        raise ValueError("`without` removes every cell of the board")
    return kept


# ------------------------------------------------------------------------------------------------- directions

_GRID = (
    ("n", "north", -1, 0, True), ("ne", "northeast", -1, 1, False), ("e", "east", 0, 1, True),
    ("se", "southeast", 1, 1, False), ("s", "south", 1, 0, True), ("sw", "southwest", 1, -1, False),
    ("w", "west", 0, -1, True), ("nw", "northwest", -1, -1, False),
)  # fmt: skip
# rows numbered downward; the next row is half a cell further right
_HEX_DOWN = (
    ("ne", "northeast", -1, 1, True), ("e", "east", 0, 1, True), ("se", "southeast", 1, 0, True),
    ("sw", "southwest", 1, -1, True), ("w", "west", 0, -1, True), ("nw", "northwest", -1, 0, True),
)  # fmt: skip
# rows numbered upward: the same board upside down
_HEX_UP = (
    ("ne", "northeast", 1, 0, True), ("e", "east", 0, 1, True), ("se", "southeast", -1, 1, True),
    ("sw", "southwest", -1, 0, True), ("w", "west", 0, -1, True), ("nw", "northwest", 1, -1, True),
)  # fmt: skip
_TRACK = (("forward", "forward", 0, 1, True), ("back", "back", 0, -1, True))


def _directions(kind: Kind, start: Start) -> tuple[Direction, ...]:
    match kind:
        case "track":
            return tuple(Direction(*w) for w in _TRACK)
        case "hex":
            return tuple(Direction(*w) for w in (_HEX_DOWN if start == "top" else _HEX_UP))
        case _:
            sign = 1 if start == "top" else -1
            return tuple(Direction(name, long, sign * rows, columns, side) for name, long, rows, columns, side in _GRID)
