"""The places that moves put pieces on, for kinds of moves that are touched there and not at places that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.engine import evaluate_at
from gamedsl.language.boards import elements
from gamedsl.language.core import nodes as n
from gamedsl.language.core import walk
from gamedsl.play.guidance.kind_words import covered_change
from gamedsl.play.guidance.piece_changes import piece_changes

if TYPE_CHECKING:
    from gamedsl.engine import ActionKind, Game

MOST_MOVES = 2_000  # of a kind; others are touched at the places that they name


def covered_places(game: Game, kind: ActionKind) -> tuple[str, list[list[int]]] | None:
    """The kind of place, and per action of a kind of move the places that it puts pieces on. None where moves are touched at
    the places that they name, and where the places depend on the position."""
    if kind.schema is None or kind.size > MOST_MOVES:
        return None
    schema = game.program.schemas[kind.schema]
    found = covered_change(schema, piece_changes(schema))
    if found is None or not isinstance(found.var.type, n.SetT) or _depends_on_position(game, found.places, schema):
        return None
    state = game.initial_state()
    rows: list[list[int]] = []
    for number in range(kind.size):
        values = kind.indices(kind.first + number)
        locals = {p.local.id: q.low + v for p, q, v in zip(schema.params, kind.parameters, values, strict=True)}
        rows.append(list(elements(evaluate_at(state, found.places, locals))))
    return found.var.type.domain.name, rows


def _depends_on_position(game: Game, e: n.Expr, schema: n.Schema) -> bool:
    """Whether an expression reads the state, the mover, or anything else than the move's parameters."""
    if any(isinstance(x, n.Load) and x.local == schema.me for x in walk(e)):
        return True
    todo, seen = [e], set[int]()
    while todo:
        for x in walk(todo.pop()):
            if isinstance(x, n.CallF):
                todo += [] if x.function in seen else [game.program.functions[x.function].body]
                seen.add(x.function)
            elif x.reads_state or x.looks_ahead:
                return True
    return False
