"""The places that moves put pieces on, for kinds of moves that are touched there and not at places that they name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamedsl.engine import evaluate_at
from gamedsl.engine.picture.effects_on_pieces import covered_change, piece_changes
from gamedsl.language.boards import elements
from gamedsl.language.core import nodes as n
from gamedsl.language.core import walk

if TYPE_CHECKING:
    from gamedsl.engine import ActionKind, Game, State

MOST_MOVES = 2_000  # of a kind; others are touched at the places that they name


def covered_places(game: Game, kind: ActionKind) -> tuple[str, list[list[int]]] | None:
    """The kind of place, and per action of a kind of move the places that it puts pieces on. None where moves are touched at
    the places that they name, and where the places depend on the position."""
    if kind.schema is None or kind.size > MOST_MOVES:
        return None
    schema, state = game.program.schemas[kind.schema], game.initial_state()
    actions = range(kind.first, kind.first + kind.size)
    lows = [p.low for p in kind.parameters]
    args = ([v + low for v, low in zip(kind.indices(action), lows, strict=True)] for action in actions)
    found = [covered_by(state, schema, one) for one in args]
    domains = {domain for domain, _ in filter(None, found)}
    return None if len(domains) != 1 or None in found else (domains.pop(), [one[1] for one in found if one is not None])


def covered_by(state: State, schema: n.Schema, args: Sequence[int]) -> tuple[str, list[int]] | None:
    """The places that one move puts pieces on, if its kind is touched there. ``state``: any state of the game."""
    found = covered_change(schema, piece_changes(schema))
    if (
        found is None
        or not isinstance(found.var.type, n.SetT)
        or _depends_on_position(state.game, found.places, schema)
    ):
        return None
    locals = {p.local.id: value for p, value in zip(schema.params, args, strict=True)}
    return found.var.type.domain.name, list(elements(evaluate_at(state, found.places, locals)))


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
