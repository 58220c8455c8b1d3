"""Boards whose cells are in rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import product

from gamedsl.language.boards.adjacency import ADJACENCY, link_relations, rim
from gamedsl.language.boards.domains import Board, Coordinates, Family, Relation
from gamedsl.language.boards.edges import Between, edge_families, edge_relations, rings
from gamedsl.language.boards.lattice import Lattice, Naming, Shape, Start, make_lattice
from gamedsl.language.boards.lines import line_families
from gamedsl.language.boards.placings import Pattern, make_placings
from gamedsl.language.boards.relations import lattice_constants, lattice_relations, links_of

FULL_SIDES = {"grid": 4, "hex": 6, "track": 2}


@lru_cache(maxsize=16)  # an editor checks a ruleset again and again, and its board seldom changes
def make_board(
    shapes: tuple[Shape, ...],
    without: tuple[str, ...] = (),
    naming: Naming | None = None,
    start: Start | None = None,
    patterns: tuple[Pattern, ...] = (),
) -> Board:
    """Returns a board of joined shapes minus cut cells. Cells are in order of row number, then column. With
    ``patterns``, the board also has these shapes and their placings.

    Cells that several shapes cover are one cell. ``naming``: letters (a1, the default) or numbers (r1c1); ``start``:
    the side of row 1 (default: bottom for letters, top for numbers and tracks). Raises ``ValueError`` with a sentence
    if the shapes do not form a board.
    """
    lattice = make_lattice(shapes, without, naming, start)
    links = links_of(lattice)
    domains = {d.name: d for d in (lattice.cell, lattice.direction, links.edge, links.step, ADJACENCY)}
    relations = link_relations(links) + lattice_relations(lattice)
    families = line_families(lattice) | {("rings", 0): lambda: rings(links)}
    between = Between(lattice, links)
    if lattice.kind == "grid":
        domains["point"] = between.point
        relations += edge_relations(between)
        families |= edge_families(between)
    placings = make_placings(lattice, patterns) if patterns else None
    if placings is not None:
        domains |= {d.name: d for d in (placings.shape, placings.placing)}
        relations.append(placings.relation(lattice.origin))
    return Board(
        lattice.kind,
        lattice.title,
        "cell",
        domains,
        {(r.name, len(r.params)): r for r in relations},
        {key: _kept(family) for key, family in families.items()},
        lattice_constants(lattice, rim(links, FULL_SIDES[lattice.kind])),
        cache(lambda domain, i: _position(between, domain, i)),
        (lattice.rows, _width(lattice)),
        lattice.start,
        Coordinates(lattice.pairs, tuple((w.rows, w.columns) for w in lattice.directions)),
        (make_board, (shapes, without, naming, start, patterns)),
        None if placings is None else placings.of,
    )


@lru_cache(maxsize=256)
def table(relation: Relation) -> tuple[int, ...]:
    """Returns all values of a relation, the last parameter varying fastest."""
    return tuple(relation.compute(*indices) for indices in product(*(range(d.size) for d in relation.params)))


def _kept(family: Callable[..., Family]) -> Callable[..., Family]:
    """Returns the function, memoized by its arguments."""
    return lru_cache(maxsize=64)(family)


def _width(lattice: Lattice) -> int:
    """Returns the number of columns of the picture; each row of a hex board is shifted by half a cell."""
    if lattice.kind != "hex":
        return lattice.columns
    least, most = _slant(lattice)
    return int(most - least + 0.5)


def _slant(lattice: Lattice) -> tuple[float, float]:
    """Returns the left and right end of a hex board's picture, in cells from the left end of row 1, column 1."""
    at = [c - 1 + (r - 1) / 2 for r, c in lattice.pairs]
    return min(at), max(at) + 1


def _position(between: Between, domain: str, i: int) -> tuple[float, float]:
    """Returns the middle of an element; the picture's upper left corner is (0, 0), and a cell is one wide and one
    high.
    """
    lattice, links = between.lattice, between.links
    match domain:
        case "cell":
            row, column = lattice.pairs[i]
            x, y = column - 0.5, lattice.picture_row(row) - 0.5
            return (x + (row - 1) / 2 - _slant(lattice)[0], y) if lattice.kind == "hex" else (x, y)
        case "point":
            row, column = between.corners[i]
            return float(column), float(min(lattice.picture_row(row), lattice.picture_row(row + 1)))
        case "edge" | "step":
            a, b = (links.edge_pairs if domain == "edge" else links.step_pairs)[i]
            (xa, ya), (xb, yb) = _position(between, "cell", a), _position(between, "cell", b)
            return (xa + xb) / 2, (ya + yb) / 2
        case _:
            raise ValueError(f"a {domain} has no place on the board")
