"""Boards of named nodes and links."""

from __future__ import annotations

import math
from collections import Counter
from typing import TypeAlias

from gamedsl.language.boards.adjacency import ADJACENCY, Links, link_relations
from gamedsl.language.boards.domains import Board, Domain
from gamedsl.language.boards.edges import rings
from gamedsl.language.boards.lattice import MOST_CELLS, near_names

Spot: TypeAlias = tuple[int, int]


def make_graph(
    nodes: tuple[str, ...],
    links: tuple[tuple[str, str], ...],
    places: tuple[tuple[str, Spot], ...] = (),
    arcs: tuple[tuple[str, str, Spot], ...] = (),
) -> Board:
    """Returns a board of nodes; every link goes in both directions, and duplicate links count once. ``places``: where the
    nodes are drawn, in any unit, x to the right and y downward; all of them or none. ``arcs``: links that are drawn as arcs of
    a circle, each with its center, in the same unit. Raises ``ValueError`` with a sentence
    for no nodes, too many, a duplicate name, a link to an unknown node or to the node itself, and places that are missing,
    of unknown nodes, given twice or shared.
    """
    _check(nodes, links)
    spots = _spots(nodes, places)
    index = {name: i for i, name in enumerate(nodes)}
    near: list[set[int]] = [set() for _ in nodes]
    for a, b in links:
        near[index[a]].add(index[b])
        near[index[b]].add(index[a])
    touching = tuple(tuple(sorted(n)) for n in near)
    pairs = sorted({tuple(sorted((index[a], index[b]))) for a, b in links})
    origin = "graph " + " ".join(nodes) + "; " + " ".join(f"{a}-{b}" for a, b in pairs)
    found = Links(Domain("cell", nodes), touching, touching, origin)
    return Board(
        "graph",
        f"a graph of {len(nodes)} nodes",
        "cell",
        {"cell": found.cell, "edge": found.edge, "step": found.step, "adjacency": ADJACENCY},
        {(r.name, len(r.params)): r for r in link_relations(found)},
        {("rings", 0): lambda: rings(found)},
        {},
        lambda domain, i: _position(found, domain, i, spots),
        _size(len(nodes)),
        made_by=(make_graph, (nodes, links, places, arcs)),
        spots=spots,
        arcs={(min(p), max(p)): center for a, b, center in arcs for p in [(index[a], index[b])]} if spots else {},
    )


def _check(nodes: tuple[str, ...], links: tuple[tuple[str, str], ...]) -> None:
    if not nodes:
        raise ValueError("a graph needs at least one node")
    if len(nodes) > MOST_CELLS:
        raise ValueError(f"the graph would have {len(nodes)} nodes; the limit is {MOST_CELLS}")
    double = [name for name, count in Counter(nodes).items() if count > 1]
    if double:
        raise ValueError(f"the node `{double[0]}` is named twice")
    for a, b in links:
        for name in (a, b):
            if name not in nodes:
                raise ValueError(f"there is no node `{name}`{near_names(name, nodes)}")
        if a == b:
            raise ValueError(f"the node `{a}` is linked to itself")


def _spots(nodes: tuple[str, ...], places: tuple[tuple[str, Spot], ...]) -> tuple[Spot, ...]:
    known: dict[str, Spot] = {}
    taken: dict[Spot, str] = {}
    for name, spot in places:
        if name not in nodes:
            raise ValueError(f"there is no node `{name}`{near_names(name, nodes)}")
        if name in known:
            raise ValueError(f"the node `{name}` has two places")
        if spot in taken:
            raise ValueError(f"the nodes `{taken[spot]}` and `{name}` have the same place")
        known[name], taken[spot] = spot, name
    missing = [name for name in nodes if name not in known]
    if places and missing:
        raise ValueError(f"the node `{missing[0]}` has no place, and others have one")
    return tuple(known[name] for name in nodes) if places else ()


def _side(count: int) -> float:
    """Returns the side of the square around the circle of nodes, which are about two cells apart."""
    return max(1.0, round(count * 2 / math.pi) + 1.0)


def _size(count: int) -> tuple[int, int]:
    return int(_side(count)), int(_side(count))


def _position(links: Links, domain: str, i: int, spots: tuple[Spot, ...] = ()) -> tuple[float, float]:
    """Returns the position of an element: nodes have their places, or are on a circle, the first at the top; edges and
    steps between their ends.
    """
    if domain == "cell" and spots:
        return float(spots[i][0]), float(spots[i][1])
    if domain == "cell":
        side, turn = _side(links.cell.size), 2 * math.pi * i / links.cell.size
        radius = (side - 1) / 2
        return side / 2 + radius * math.sin(turn), side / 2 - radius * math.cos(turn)
    a, b = (links.edge_pairs if domain == "edge" else links.step_pairs)[i]
    (xa, ya), (xb, yb) = _position(links, "cell", a, spots), _position(links, "cell", b, spots)
    return (xa + xb) / 2, (ya + yb) / 2
