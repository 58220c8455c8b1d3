"""A state -> the seats that must act, and the viewer's legal moves, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine.picture import outcome_of
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.engine import Game, Move, State

Json: TypeAlias = dict[str, Any]


def describe_turn(state: State, seat: int | None) -> Json:
    """The ``turn`` of the reference page, for a seat (None: a spectator, who can do nothing)."""
    acts = seat is not None and not state.is_terminal and seat in state.to_act
    return {
        "kind": state.kind,
        "to_act": [] if state.is_terminal else list(state.seen_by(seat).to_act),
        "seat": seat,
        "kinds": offered_kinds(state.game, state.terminator) if acts else [],
        "actions": _actions(state, seat) if acts and seat is not None else [],
        "chance": _chance(state),
        "strokes": list(state.terminator.strokes) if acts and isinstance(state.terminator, n.DecideDrawing) else [],
        "outcome": _outcome(state) if state.is_terminal else None,
    }


def _actions(state: State, seat: int) -> list[list[Any]]:
    """Per legal move its number, the number of its kind, the indices of its values, and its notation."""
    if state.kind == "drawing":
        return []
    return [_row(state.game, move) for move in state.legal_moves(seat)]


def _row(game: Game, move: Move) -> list[Any]:
    action = game.action(move)
    kind, *indices = game.action_parts(action)
    return [action, kind, indices, move.text]


def offered_kinds(game: Game, end: n.Terminator) -> list[int]:
    """The kinds of actions that are offered, legal or not."""
    match end:
        case n.Decide(alternatives=alternatives) | n.DecideTogether(alternatives=alternatives):
            schemas = {a.schema for a in alternatives}
            passes = isinstance(end, n.Decide) and end.may_pass is not None
            return [i for i, k in enumerate(game.action_kinds) if k.schema in schemas or (k.kind == "pass" and passes)]
        case n.Choose():
            return [i for i, k in enumerate(game.action_kinds) if k.kind == "choose"]
        case _:
            return []


def _chance(state: State) -> Json | None:
    """The outcomes that chance decides between, with their probabilities only if the rules hide nothing."""
    end = state.terminator
    if state.kind != "chance" or not isinstance(end, n.Chance):
        return None
    if state.game.secrets.hides:
        return {"what": end.what, "outcomes": []}
    outcomes = [[state.game.action(m), m.text, str(p)] for m, p in state.chance_outcomes()]
    return {"what": end.what, "outcomes": outcomes}


def _outcome(state: State) -> Json:
    return {
        "text": outcome_of(state),
        "winners": sorted(state.winners),
        "returns": list(state.returns),
        "scores": list(state.scores),
    }
