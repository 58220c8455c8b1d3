"""Why a move is illegal: every rule that refuses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.engine.errors import RulesError
from gamedsl.engine.information.seat_view import hidden_from
from gamedsl.engine.information.unknown_values import NotKnown
from gamedsl.engine.moves import Move, Refusal
from gamedsl.engine.play.actions import alternative, is_legal, mover_of, open_movers, tick, to_act
from gamedsl.engine.play.drawing_moves import faults
from gamedsl.language.core import limits, words_of_move
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.engine.state import State
    from gamedsl.engine.values import Slots

OUTSIDE = "this move cannot take these values"
UNTOLD = "the rules forbid it, for a reason that is hidden from you"


def why_not(state: State, move: Move) -> list[Refusal]:
    """The reasons why a move is illegal; empty if it is legal. Of the rules, the guards that fail; if none does, the
    guards that look ahead and fail; if none does, the forbidden conditions that hold after the move."""
    early = _not_now(state, move)
    if early:
        return early
    if isinstance(state.terminator, n.DecideDrawing):
        return faults(state, move)
    if move.kind != "move" or move.schema is None:
        legal = state.legal_moves(move.player, mistakes=True)
        if any(m.text == move.text for m in legal):
            return []
        return [Refusal(f"{move} cannot be chosen here; possible: {_some([str(m) for m in legal])}")]
    mover = mover_of(state, move.player)
    assert mover is not None
    return _by_rules(state, move, mover, hidden_from(state, move.player, list(state.slots)))


def hidden_reasons(state: State, move: Move) -> list[Refusal]:
    """The reasons why a move of a player who is to act is illegal, including those hidden from that player. They must
    not be shown to players."""
    mover = mover_of(state, move.player)
    if mover is None or move.schema is None or alternative(state, move) is None:
        return []
    return _by_rules(state, move, mover, list(state.slots))


def _some(texts: list[str], most: int = 8) -> str:
    more = ", ..." if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def _not_now(state: State, move: Move) -> list[Refusal]:
    """The refusals for a move of the wrong player, at the wrong moment, or of the wrong kind."""
    names = state.game.players
    if state.kind == "end":
        return [Refusal("the game is over")]
    if state.kind == "chance":
        if move.kind == "chance":
            return (
                []
                if any(m == move for m in state.legal_moves())
                else [Refusal(f"{move} is not a possible outcome here")]
            )
        return [Refusal("it is nobody's turn: a chance event comes first")]
    if move.kind == "chance":
        return [Refusal("there is no chance event here")]
    acting = to_act(state)
    if move.player not in acting:
        if state.kind == "together" and move.player is not None and _has_chosen(state, move.player):
            return [Refusal(f"{names[move.player]} has already chosen")]
        whose = " and ".join(names[i] for i in acting)
        return [Refusal(f"it is not {_name(state, move.player)}'s turn, but {whose}'s")]
    return _wrong_kind(state, move)


def _name(state: State, player: int | None) -> str:
    known = player is not None and 0 <= player < state.game.num_players
    return state.game.players[player] if known and player is not None else "anybody"


def _has_chosen(state: State, player: int) -> bool:
    seats = state.game.code.blocks[state.block].queries["seats"](state.slots)
    waiting = open_movers(state)
    return any(seats[m] == player and m not in waiting for m, _, _ in state.pending)


def _wrong_kind(state: State, move: Move) -> list[Refusal]:
    end = state.terminator
    if state.kind == "drawing" or move.kind == "drawing":
        if state.kind == "drawing" and move.kind == "drawing":
            return []
        return [Refusal("a drawing must be made here" if state.kind == "drawing" else "there is nothing to draw here")]
    if not isinstance(end, n.Decide | n.DecideTogether):
        return [] if move.kind == "choose" else [Refusal("a value must be chosen here")]
    if move.kind == "pass":
        can_pass = isinstance(end, n.Decide) and end.may_pass is not None
        return [] if can_pass else [Refusal("passing is not allowed here")]
    if alternative(state, move) is None:
        kinds = list(dict.fromkeys(words_of_move(state.game.program.schemas[a.schema]) for a in end.alternatives))
        if isinstance(end, n.Decide) and end.may_pass is not None:
            kinds.append("pass")
        return [Refusal(f"this kind of move cannot be made now; possible: {_some(kinds, 20)}", (), end.span)]
    return []


def _by_rules(state: State, move: Move, mover: int, slots: Slots) -> list[Refusal]:
    """The rules that refuse a move, evaluated on ``slots``, in which everything that the mover does not see is unknown.
    The mover learns that a move is illegal, but not a hidden reason for it."""
    assert move.schema is not None
    schema, code = state.game.program.schemas[move.schema], state.game.code.schemas[move.schema]
    if len(move.args) != len(schema.params):
        return [Refusal(f"{schema.name} takes {len(schema.params)} values, not {len(move.args)}")]
    if not all(type(a) is int and _in_type(a, p.local.type) for a, p in zip(move.args, schema.params, strict=True)):
        return [Refusal(OUTSIDE, schema.clauses, schema.span)]
    args = (slots, mover, *move.args)
    found = [_refusal(g) for g, holds in _asked(schema.guards, code.guards, False) if not _holds(holds, args)]
    try:
        if not code.ranges(*args):
            found.append(Refusal(OUTSIDE, schema.clauses, schema.span))
    except NotKnown:
        pass
    except RulesError as error:
        found.append(Refusal(error.diagnostics[0].message, schema.clauses, error.diagnostics[0].span))
    if not found:
        found = [_refusal(g) for g, holds in _asked(schema.guards, code.guards, True) if not _holds(holds, args)]
    if not found and code.forbids:
        found = _forbidden(state, move, mover, slots)
    # A guard that fails with an error raises here, as it does when legal moves are listed.
    if not found and not is_legal(state, move, mover):
        return [Refusal(UNTOLD)]
    return found


def _in_type(value: int, t: n.ValueT) -> bool:
    low, high = limits(t)
    return low <= value <= high


def _asked(
    guards: tuple[n.CoreGuard, ...], functions: tuple[object, ...], ahead: bool
) -> list[tuple[n.CoreGuard, object]]:
    return [(g, f) for g, f in zip(guards, functions, strict=True) if g.looks_ahead == ahead]


def _holds(function: object, args: tuple[object, ...]) -> bool:
    """Whether a guard holds. One that cannot be evaluated (because an earlier one fails) does not count as a reason."""
    try:
        return bool(function(*args))  # type: ignore[operator]
    except (RulesError, NotKnown):
        return True


def _refusal(g: n.CoreGuard) -> Refusal:
    return Refusal(g.message or source_line(g), g.clauses, g.span, g.looks_ahead)


def source_line(g: n.CoreGuard) -> str:
    """The text of a rule in the ruleset, on one line."""
    return " ".join(g.span.text.split()) or "a rule forbids it"


def _forbidden(state: State, move: Move, mover: int, s: Slots) -> list[Refusal]:
    assert move.schema is not None
    schema, code = state.game.program.schemas[move.schema], state.game.code.schemas[move.schema]
    pairs = zip(schema.forbids, code.forbids, strict=True)
    try:
        tick(state, s)
        code.effect(s, mover, *move.args)
        banned = [g for g, holds in pairs if holds(s, mover, *move.args)]
    except NotKnown:
        return []
    return [Refusal(g.message or source_line(g), g.clauses, g.span, True) for g in banned]
