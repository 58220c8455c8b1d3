"""The places that decided a game, on its last board, and lines through those that follow one another."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from gamedsl.engine.picture.picture import BARE, Place, Spot, Trail
from gamedsl.engine.picture.supports import Support, supports_of_end

if TYPE_CHECKING:
    from gamedsl.engine import PartEnd
    from gamedsl.language.boards import Board

NEIGHBORS = {"grid": 2.05, "hex": 1.3, "track": 1.05}  # squares of distances between the middles of neighboring cells
LEAST_CHAIN = 2


def mark_decided(
    end: PartEnd, board: Board | None, places: tuple[str, ...], spots: dict[Place, Spot]
) -> tuple[Trail, ...]:
    """Marks the places that decided a part; returns lines through them."""
    found = supports_of_end(end, places)
    for place in (place for support in found for place in support):
        spots[place] = replace(spots.get(place, BARE), decides=True)
    chains = [] if board is None else [chain(board, support) for support in found]
    return tuple(Trail(cells, last=True) for cells in chains if cells)


def chain(board: Board, support: Support) -> tuple[int, ...]:
    """The cells of a support in an order in which each is next to the one before; empty if there is no such order, or
    one of them has more than two neighbors. A closed chain ends where it begins."""
    near = NEIGHBORS.get(board.kind)
    if near is None or len(support) < LEAST_CHAIN or any(domain != board.place for domain, _ in support):
        return ()
    cells = [index for _, index in support]
    at = {i: board.position(board.place, i) for i in cells}
    joined: dict[int, list[int]] = {i: [] for i in cells}
    for a, b in combinations(cells, 2):
        if (at[a][0] - at[b][0]) ** 2 + (at[a][1] - at[b][1]) ** 2 <= near:
            joined[a].append(b)
            joined[b].append(a)
    if any(len(others) > 2 for others in joined.values()):
        return ()
    ends = [i for i, others in joined.items() if len(others) < 2]
    found = [ends[0] if ends else cells[0]]
    while following := [i for i in joined[found[-1]] if i not in found]:
        found.append(following[0])
    if len(found) < len(cells):
        return ()
    return tuple(found) if ends else (*found, found[0])
