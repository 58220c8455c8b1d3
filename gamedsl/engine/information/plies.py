"""The moves made at a stop (all simultaneous choices together), and what is visible for a moment while they are carried
out."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from gamedsl.engine.facts.move_making import chance_move, make_move
from gamedsl.engine.information.consistent_moves import Action, do
from gamedsl.engine.information.observation import visible_values
from gamedsl.engine.play import actions as act
from gamedsl.engine.state import State
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.engine.moves import Move


def moves_made(before: State, move: Move) -> list[Move]:
    """All moves made at a stop once its last one is made, in the order in which their effects run: this one, or all
    simultaneous choices. ``before``: the state before the last one, with the other choices pending."""
    end = before.terminator
    if not isinstance(end, n.DecideTogether):
        return [move]
    game = before.game
    seats = game.code.blocks[before.block].queries["seats"](before.slots)
    made = [(m, make_move(game, end.alternatives[i].schema, seats[m], args)) for m, i, args in before.pending]
    mover = act.mover_of(before, move.player)
    return [m for _, m in sorted([*made, (0 if mover is None else mover, move)], key=itemgetter(0))]


def seen_in_passing(stop: State, moves: Sequence[Move], seat: int | None) -> list[list[tuple[Any] | None]]:
    """What a seat sees (``visible_values``) right after the effect of each move made at a stop, before the rules
    continue. ``moves``: one, or all simultaneous choices, in the order of the players."""
    slots, found = list(stop.slots), list[list[tuple[Any] | None]]()
    if isinstance(stop.terminator, n.DecideDrawing):
        return found
    if isinstance(stop.terminator, n.DecideTogether):
        act.tick(stop, slots)
    for move in moves:
        do(stop.game, action_of(stop, move), act.mover_of(stop, move.player) or 0, slots)
        found.append(visible_values(stop, seat, slots))
    return found


def action_of(stop: State, move: Move) -> Action:
    """The action of a move made at a stop."""
    end = stop.terminator
    match end:
        case n.Decide() | n.DecideTogether() if move.kind == "move":
            chosen = act.alternative(stop, move)
            assert chosen is not None
            return Action("move", move.schema, move.args, stop.block, chosen[0])
        case n.Choose(names=names):
            texts = [stop.game.notation.choice_text(name) for name in names]
            return Action("choose", None, (texts.index(move.text),), stop.block)
        case n.Chance(names=names, what=what):
            texts = [chance_move(what, name).text for name in names]
            return Action("chance", None, (texts.index(move.text),), stop.block)
        case _:
            return Action(move.kind, None, (), stop.block)
