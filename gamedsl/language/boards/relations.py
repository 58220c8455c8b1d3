"""Relations between the cells of boards with rows and columns: directions, rays, lines between two cells."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

from gamedsl.language.boards.adjacency import BOOL, Links
from gamedsl.language.boards.domains import Domain, Relation, Result, bits_of
from gamedsl.language.boards.lattice import Lattice


def links_of(lattice: Lattice) -> Links:
    """Returns the adjacency of cells on a lattice."""

    def near(c: int, by_side: bool) -> tuple[int, ...]:
        found = (lattice.go(c, w) for w in lattice.directions if w.by_side or not by_side)
        return tuple(n for n in found if n is not None)

    cells = range(len(lattice.pairs))
    return Links(
        lattice.cell, tuple(near(c, True) for c in cells), tuple(near(c, False) for c in cells), lattice.origin
    )


def lattice_relations(lattice: Lattice) -> list[Relation]:
    """Returns the relations that need directions, and on boards with columns those about rows and columns too."""
    cell, direction = lattice.cell, lattice.direction

    def make(name: str, params: tuple[Domain, ...], result: Result, compute: Callable[..., int]) -> Relation:
        return Relation(name, params, result, compute, lattice.origin)

    pair = (cell, cell)
    found = [
        make("step", (cell, direction), Result("optional", cell), lambda c, d: _step(lattice, c, d)),
        make("ray", (cell, direction), Result("set", cell), lambda c, d: _ray(lattice, c, d)),
        make("line", (cell, direction), Result("set", cell), lambda c, d: _line(lattice, c, d)),
        make(
            "opposite", (direction,), Result("element", direction), lambda d: (d + direction.size // 2) % direction.size
        ),
        make("between", pair, Result("set", cell), lambda a, b: _between(lattice, a, b)),
        make("in_line", pair, BOOL, lambda a, b: int(a == b or lattice.heading(a, b) is not None)),
        make("aligned", pair, BOOL, lambda a, b: _aligned(lattice, a, b)),
        make("direction", pair, Result("optional", direction), lambda a, b: _direction(lattice, a, b)),
    ]
    if lattice.kind != "track":
        found += _numbered(lattice, make)
    if lattice.kind == "grid":
        found.append(make("corners", pair, Result("set", cell), lambda a, b: _corners(lattice, a, b)))
    return found


def _numbered(lattice: Lattice, make: Callable[..., Relation]) -> list[Relation]:
    cell, pairs = lattice.cell, lattice.pairs
    return [
        make("row", (cell,), Result("int", None, 1, lattice.rows), lambda c: pairs[c][0]),
        make("column", (cell,), Result("int", None, 1, lattice.columns), lambda c: pairs[c][1]),
        make("same_row", (cell, cell), BOOL, lambda a, b: int(pairs[a][0] == pairs[b][0])),
        make("same_column", (cell, cell), BOOL, lambda a, b: int(pairs[a][1] == pairs[b][1])),
    ]


def _step(lattice: Lattice, c: int, d: int) -> int:
    found = lattice.go(c, lattice.directions[d])
    return 0 if found is None else found + 1


def _ray(lattice: Lattice, c: int, d: int) -> int:
    """Returns the cells beyond c in a direction, up to the end of the board or a gap."""
    direction = lattice.directions[d]
    cells = (lattice.go(c, direction, i) for i in range(1, len(lattice.pairs) + 1))
    return bits_of(takewhile(lambda x: x is not None, cells))


def _line(lattice: Lattice, c: int, d: int) -> int:
    """Returns c and the cells beyond it in a direction and in the opposite one, up to the end of the board or a gap."""
    return 1 << c | _ray(lattice, c, d) | _ray(lattice, c, (d + len(lattice.directions) // 2) % len(lattice.directions))


def _between(lattice: Lattice, a: int, b: int) -> int:
    heading = lattice.heading(a, b)
    if heading is None:
        return 0
    direction, steps = heading
    cells = (lattice.go(a, lattice.directions[direction], i) for i in range(1, steps))
    return bits_of(c for c in cells if c is not None)


def _aligned(lattice: Lattice, a: int, b: int) -> int:
    """Returns 1 if the cells are in a line along which neighbors share sides (on grids, a row or a column), otherwise
    0.
    """
    if a == b:
        return 1
    heading = lattice.heading(a, b)
    return int(heading is not None and lattice.directions[heading[0]].by_side)


def _direction(lattice: Lattice, a: int, b: int) -> int:
    heading = lattice.heading(a, b)
    return 0 if heading is None else heading[0] + 1


def _corners(lattice: Lattice, a: int, b: int) -> int:
    """Returns the other two corners of the rectangle that a and b span; none if they share a row or column."""
    (row_a, column_a), (row_b, column_b) = lattice.pairs[a], lattice.pairs[b]
    if row_a == row_b or column_a == column_b:
        return 0
    found = (lattice.at(row_a, column_b), lattice.at(row_b, column_a))
    return bits_of(c for c in found if c is not None)


# -------------------------------------------------------------------------------------------------- constants


def lattice_constants(lattice: Lattice, rim: int) -> dict[str, tuple[Domain, int, bool]]:
    """Returns named cells, sets and directions: (domain, value, whether it is a set)."""
    cell = lattice.cell
    found: dict[str, tuple[Domain, int, bool]] = {"rim": (cell, rim, True)}
    middle = _center(lattice)
    if middle is not None:
        found["center"] = (cell, middle, False)
    if lattice.kind != "track":
        found |= {name: (cell, bits, True) for name, bits in _borders(lattice).items()}
    found |= {w.long: (lattice.direction, i, False) for i, w in enumerate(lattice.directions) if w.long != w.name}
    return found


def _center(lattice: Lattice) -> int | None:
    rows = [r for r, _ in lattice.pairs]
    columns = [c for _, c in lattice.pairs]
    row, column = min(rows) + max(rows), min(columns) + max(columns)
    return lattice.at(row // 2, column // 2) if row % 2 == column % 2 == 0 else None


def _borders(lattice: Lattice) -> dict[str, int]:
    """Returns the top and bottom row and the left and right column; no columns on a hex board that is not a rhombus."""
    pairs = lattice.pairs
    rows, columns = [r for r, _ in pairs], [c for _, c in pairs]
    top, bottom = (min(rows), max(rows)) if lattice.start == "top" else (max(rows), min(rows))
    found = {
        "top_row": bits_of(i for i, r in enumerate(rows) if r == top),
        "bottom_row": bits_of(i for i, r in enumerate(rows) if r == bottom),
    }
    if lattice.kind == "grid" or len(pairs) == len(set(rows)) * len(set(columns)):
        found["left_column"] = bits_of(i for i, c in enumerate(columns) if c == min(columns))
        found["right_column"] = bits_of(i for i, c in enumerate(columns) if c == max(columns))
    return found
