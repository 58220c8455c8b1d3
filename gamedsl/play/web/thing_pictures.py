"""Pictures of things that come to lie on a board: what the look shows on a cell where such a thing is."""

from __future__ import annotations

from functools import lru_cache
from math import dist
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine.picture import Thing, view
from gamedsl.language.boards import Board
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError
from gamedsl.play.web.pictures import describe_picture

if TYPE_CHECKING:
    from gamedsl.engine import Game

Json: TypeAlias = dict[str, Any]


@lru_cache(maxsize=64)
def thing_pictures(game: Game, thing: Thing) -> Json | None:
    """What the look shows of each thing when a piece whose attribute it is stands alone near the middle of the board:
    ``scene`` (part), ``cell`` (index) and, per thing in ``shown``, the ``spots`` and ``lines``. None if no kind of piece
    has such an attribute, or two things look alike."""
    for var in game.program.variables:
        part = game.program.parts[var.part]
        if part.board is None or var.keys != (part.board.domains[part.board.place],):
            continue
        if var.type == n.OptT(n.ElemT(thing.domain)):
            pieces = (v for v in game.program.variables if v.role == "piece" and v.part == var.part)
            found = (_shown(game, part, piece, var) for piece in pieces)
            return next((one for one in found if one is not None), None)
    return None


def _shown(game: Game, part: n.Part, piece: n.Var, attribute: n.Var) -> Json | None:
    """The pictures with one kind of piece that has the attribute; its other attributes have their first values."""
    board, size = part.board, attribute.slots
    assert board is not None and isinstance(attribute.type, n.OptT) and isinstance(attribute.type.inner, n.ElemT)
    cell = _middle(board)
    others = [v for v in game.program.variables if v.keys == attribute.keys and isinstance(v.type, n.OptT)]
    bare = describe_picture(game, part.index, view(game.initial_state()))
    shown: list[Json] = []
    for thing in range(attribute.type.inner.domain.size):
        values = {(v.name, v.part): _at(cell, size, 1 + thing if v == attribute else 1) for v in others}
        values[piece.name, piece.part] = [1 << cell, *[0] * (piece.slots - 1)]
        try:
            laid = describe_picture(game, part.index, view(game.initial_state().with_values(values)))
        except GameDSLError:  # a value that the rules do not allow there
            return None
        shown.append({kind: [one for one in laid[kind] if one not in bare[kind]] for kind in ("spots", "lines")})
    differ = all(one != other for i, one in enumerate(shown) for other in shown[:i])
    return {"scene": part.index, "cell": cell, "shown": shown} if differ else None


def _at(cell: int, size: int, value: int) -> list[Any]:
    return [value if i == cell else 0 for i in range(size)]


def _middle(board: Board) -> int:
    """The cell nearest to the middle of the board."""
    at = [board.position(board.place, i) for i in range(board.domains[board.place].size)]
    middle = [sum(axis) / len(at) for axis in zip(*at, strict=True)]
    return min(range(len(at)), key=lambda i: (round(dist(at[i], middle), 6), i))
