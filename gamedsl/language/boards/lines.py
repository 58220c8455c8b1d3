"""Families of cells on boards with rows and columns: lines, rows, columns, diagonals, blocks, and steps along a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import pairwise

from gamedsl.language.boards.domains import Board, Family, Relation, Result, bits_of, elements
from gamedsl.language.boards.lattice import Direction, Lattice

_NAMED = re.compile(r"([a-z]+|r\d+)(\d+|c\d+)")  # e4, r1c2


def line_families(lattice: Lattice) -> dict[tuple[str, int], Callable[..., Family]]:
    """Returns the families of sets of cells, by name and number of arguments."""
    found: dict[tuple[str, int], Callable[..., Family]] = {("lines", 1): lambda k: lines(lattice, k)}
    if lattice.kind == "track":
        return found
    found["rows", 0] = lambda: rows(lattice)
    found["columns", 0] = lambda: columns(lattice)
    if lattice.kind == "grid":
        found["diagonals", 1] = lambda k: diagonals(lattice, k)
        found["blocks", 2] = lambda h, w: blocks(lattice, h, w)
    return found


def lines(lattice: Lattice, k: int) -> Family:
    """Returns the family of all runs of k cells, in all directions. Raises ``ValueError`` with a sentence if none
    fits.
    """
    at_least_one("a line", k, "cell")
    runs = [
        run[i : i + k]
        for direction in lattice.half_directions()
        for run in _runs(lattice, direction)
        for i in range(len(run) - k + 1)
    ]
    if not runs:
        longest = max(len(run) for direction in lattice.half_directions() for run in _runs(lattice, direction))
        raise ValueError(f"a line of {k} does not fit on {lattice.title}: the longest has {_cells(longest)}")
    return _family(lattice, f"lines({k})", runs)


def diagonals(lattice: Lattice, k: int) -> Family:
    """Returns the family of all full-length diagonals of at least k cells, in both directions. Raises ``ValueError``
    with a sentence if there is none.
    """
    at_least_one("a diagonal", k, "cell")
    whole = [
        run for direction in lattice.half_directions() if not direction.by_side for run in _runs(lattice, direction)
    ]
    runs = [run for run in whole if len(run) >= k]
    if not runs:
        longest = max(len(run) for run in whole)
        raise ValueError(f"no diagonal of {lattice.title} has {_cells(k)}: the longest has {_cells(longest)}")
    return _family(lattice, f"diagonals({k})", runs)


def rows(lattice: Lattice) -> Family:
    """Returns the family of all rows: the cells of each row number."""
    numbers = sorted({r for r, _ in lattice.pairs})
    members = tuple(bits_of(i for i, p in enumerate(lattice.pairs) if p[0] == n) for n in numbers)
    spoken = _called(lattice, "row", members)
    return Family("rows", tuple(f"row{n}" for n in numbers), (), lattice.cell, members, spoken=spoken)


def columns(lattice: Lattice) -> Family:
    """Returns the family of all columns: the cells of each column number."""
    numbers = sorted({c for _, c in lattice.pairs})
    members = tuple(bits_of(i for i, p in enumerate(lattice.pairs) if p[1] == n) for n in numbers)
    spoken = _called(lattice, "column", members)
    return Family("columns", tuple(f"column{n}" for n in numbers), (), lattice.cell, members, spoken=spoken)


def _called(lattice: Lattice, what: str, members: tuple[int, ...]) -> tuple[str, ...]:
    """Returns names such as ``row 4`` and ``column e``: by the common part of the cells' names, as the board's rim
    shows it, or else by number.
    """
    found: list[str] = []
    for number, bits in enumerate(members, 1):
        names = [_NAMED.fullmatch(lattice.cell.names[i]) for i in elements(bits)]
        shared = [{name[k] for name in names if name} for k in (1, 2)]
        own = next((next(iter(texts)) for texts in shared if len(texts) == 1 and bits & (bits - 1) and all(names)), "")
        found.append(f"{what} {own.lstrip('rc') if own[1:].isdigit() else own or number}")
    return tuple(found)


def blocks(lattice: Lattice, height: int, width: int) -> Family:
    """Returns the family of all rectangles of ``height`` rows and ``width`` columns, each named by its cell with the
    lowest numbers. Raises ``ValueError`` with a sentence if none fits.
    """
    at_least_one("a block", min(height, width), "row and column")
    found: list[tuple[str, int]] = []
    for i, (row, column) in enumerate(lattice.pairs):
        if row + height - 1 > lattice.rows or column + width - 1 > lattice.columns:
            continue
        cells = [lattice.at(row + r, column + c) for r in range(height) for c in range(width)]
        if None not in cells:
            found.append((lattice.names[i], bits_of(cells)))
    if not found:
        raise ValueError(f"a block of {height} by {width} does not fit on {lattice.title}")
    return Family(
        f"blocks({height}, {width})", tuple(n for n, _ in found), (), lattice.cell, tuple(m for _, m in found)
    )


def at_least_one(what: str, k: int, unit: str) -> None:
    """Raises ``ValueError`` with a sentence for a number below 1."""
    if k < 1:
        raise ValueError(f"{what} has at least 1 {unit}, not {k}")


def _cells(count: int) -> str:
    return f"{count} cell{'s' if count != 1 else ''}"


def _runs(lattice: Lattice, direction: Direction) -> Iterable[tuple[int, ...]]:
    """Yields the maximal runs of cells along a direction; every cell is in exactly one of them."""
    for first in range(len(lattice.pairs)):
        if lattice.go(first, direction, -1) is not None:
            continue
        run = [first]
        while (following := lattice.go(run[-1], direction)) is not None:
            run.append(following)
        yield tuple(run)


def _family(lattice: Lattice, name: str, runs: Iterable[tuple[int, ...]]) -> Family:
    """Returns a family of runs, each named after its two ends; equal sets are kept once."""
    found: dict[int, str] = {}
    for run in runs:
        first, last = lattice.names[run[0]], lattice.names[run[-1]]
        found.setdefault(bits_of(run), first if len(run) == 1 else f"{first}-{last}")
    return Family(name, tuple(found.values()), (), lattice.cell, tuple(found))


# ------------------------------------------------------------------------------------------------------ steps


def steps_of(board: Board, family: Family) -> Relation:
    """Returns the relation ``steps``: by line of a family, the pairs of consecutive neighbors along it, as a set of
    steps.

    Cells of a line are in order of their numbers, on every kind of line. There is no pair across a gap.
    Raises ``ValueError`` if the board has no directions, or a member of the family is not a line of cells.
    """
    cell, step = board.domains["cell"], board.domains["step"]
    direction = board.relations.get(("direction", 2))
    if direction is None:
        raise ValueError(f"{board.title} has no lines")
    if family.base != cell:
        raise ValueError(f"`steps` expects lines of cells; `{family.name}` has sets of {family.base.name}")
    for name, member in zip(family.names, family.members, strict=True):
        if not _is_line(direction, tuple(elements(member))):
            raise ValueError(f"`steps` expects lines, but `{name}` of `{family.name}` is not a line")
    (_, firsts), (_, seconds) = step.components
    index = {pair: i for i, pair in enumerate(zip(firsts, seconds, strict=True))}

    def compute(line: int) -> int:
        return bits_of(index[pair] for pair in pairwise(elements(family.members[line])) if pair in index)

    return Relation("steps", (family,), Result("set", step), compute, direction.origin)


def _is_line(direction: Relation, cells: tuple[int, ...]) -> bool:
    headings = {direction.compute(a, b) for a, b in pairwise(cells)}
    return not headings or (len(headings) == 1 and 0 not in headings)
