"""Facts that decide how a page draws the pieces of a part: whether signs distinguish them, whether they stack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.language.core import labels_of, walk
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.engine import Game
    from gamedsl.language.boards import Board

Json: TypeAlias = dict[str, Any]
LEAST_CHECKERED = 5  # rows and columns
INKED = {"cross", "ring", "letter"}  # shapes that are written, and no pieces


def shapes(game: Game, part: n.Part) -> Json:
    """``labelled``: the look shows some player's pieces by different signs; ``cased``: some of them differ by case alone;
    ``stacks``: pieces lie on each other; ``checkered``: pieces move from cell to cell of a grid of squares; ``inked``: all signs
    are written with a pen."""
    signs = [m for m in part.looks if m.kind == "show"]
    shows = bool(signs)
    own = [v for v in game.program.variables if v.part == part.index and v.role == "piece"]
    labels = labels_of(part, 0 if shows else len([v for v in own if v.keys]))
    return {
        "labelled": labels.shown,
        "cased": labels.cased,
        "stacks": any(game.variable(f"{v.name} above", part.index) is not None for v in own),
        "checkered": part.board is not None and _checkered(game, part, part.board),
        "inked": shows and all(m.shape in INKED for m in signs) and not any(x.is_path for x in part.leavings),
    }


def _checkered(game: Game, part: n.Part, board: Board) -> bool:
    if board.kind != "grid" or min(board.size) < LEAST_CHECKERED or any(x.is_path for x in part.leavings):
        return False
    return any(_moves_a_piece(game, s, board.place) for s in game.program.schemas if s.part == part.index)


def _moves_a_piece(game: Game, schema: n.Schema, place: str) -> bool:
    """Whether a move names two cells, the first one from those of a kind of piece."""
    cells = [
        i
        for i, p in enumerate(schema.params)
        if isinstance(p.local.type, n.ElemT) and p.local.type.domain.name == place
    ]
    return len(cells) > 1 and any(
        isinstance(step, n.Bind) and step.param == cells[0] and _is_of_pieces(game, step.over) for step in schema.plan
    )


def _is_of_pieces(game: Game, over: n.Expr) -> bool:
    """Whether a set consists of places of pieces, read directly or through a definition without cases."""
    if isinstance(over, n.CallF):
        over = game.program.functions[over.function].body
    inside = list(walk(over))
    taken_away = any(
        (isinstance(e, n.Op2) and e.op == "minus") or (isinstance(e, n.Op1) and e.op == "complement") for e in inside
    )
    return not taken_away and any(isinstance(e, n.Get) and e.var.role == "piece" for e in inside)
