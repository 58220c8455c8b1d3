"""What a seat is told of the plies of a play. Only this module decides it: the log at the table, highlights, marks on the
paper and records made for a seat all derive from it.

A seat is told its own moves completely. Of any other ply it is told what follows from what it sees: before the ply, right
after its effect, and at the next stop. A ply that changes nothing visible is not told. Simultaneous choices are told once
all have chosen. If the rules hide no variable, every ply is told completely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from gamedsl.core.nodes import Chance, Choose, Decide, DecideDrawing, DecideTogether
from gamedsl.engine.information.consistent_moves import Action, Inference, Observer, do
from gamedsl.engine.information.observation import seats_to_act, visible_values
from gamedsl.engine.information.unknown_values import Unknown
from gamedsl.engine.moves import Move
from gamedsl.engine.play import actions as act
from gamedsl.engine.state import State

if TYPE_CHECKING:
    from gamedsl.engine.game import Game

HIDDEN = "(hidden)"


@dataclass(frozen=True)
class Announcement:
    """A ply as a seat learns of it. ``move``: what is known of it, with unknown arguments for the rest (None: not even
    its kind); ``text``: its notation, with ``?`` or "(hidden)" for the rest."""

    player: int | None
    text: str
    move: Move | None
    is_whole: bool


Steps = Sequence[tuple[State, "Move | None"]]  # the states of a play, each with the move that led to it


def full_announcement(move: Move) -> Announcement:
    """A ply that is told completely."""
    return Announcement(move.player, str(move), move, True)


def announced_plies(steps: Steps, seat: int | None) -> Iterator[tuple[int, Announcement]]:
    """Everything a seat is told of a play, in order, each with the number of the step that revealed it."""
    for at in range(1, len(steps)):
        for told in announcements_at(steps, at, seat):
            yield at, told


def announcements_at(steps: Steps, at: int, seat: int | None) -> list[Announcement]:
    """What a seat is told after the ply with this number."""
    (before, _), (after, move) = steps[at - 1], steps[at]
    assert move is not None
    if after.pending:
        return []
    moves = moves_made(before, move)
    if not before.game.secrets.hides:
        return [full_announcement(m) for m in moves]
    return _seen(steps[at - len(moves)][0], moves, after, seat)


def moves_made(before: State, move: Move) -> list[Move]:
    """All moves made at a stop once its last one is made, in the order in which their effects run: this one, or all
    simultaneous choices. ``before``: the state before the last one, with the other choices pending."""
    end = before.terminator
    if not isinstance(end, DecideTogether):
        return [move]
    game = before.game
    seats = game.code.blocks[before.block].queries["seats"](before.slots)
    made = [(m, act.make_move(game, end.alternatives[i].schema, seats[m], args)) for m, i, args in before.pending]
    mover = act.mover_of(before, move.player)
    return [m for _, m in sorted([*made, (0 if mover is None else mover, move)], key=itemgetter(0))]


def _seen(stop: State, moves: list[Move], after: State, seat: int | None) -> list[Announcement]:
    """As ``announcements_at``, if something is hidden. ``moves``: one, or all simultaneous choices at ``stop``."""
    if isinstance(stop.terminator, DecideDrawing):
        return [full_announcement(m) for m in moves]
    slots = list(stop.slots)
    if isinstance(stop.terminator, DecideTogether):
        act.tick(stop, slots)
    noticed = _visible(stop, seat) != _visible(after, seat)
    found: list[Announcement] = []
    for move in moves:
        mover = act.mover_of(stop, move.player) or 0
        action = action_of(stop, move)
        if move.player is not None and move.player == seat:
            noticed = True
            found.append(full_announcement(move))
        else:
            common, changed = Observer(stop, slots, mover, seat).infer(action)
            common = without_secrets(stop.game, common)
            noticed = noticed or changed
            found.append(_told(stop, move, common))
        do(stop.game, action, mover, slots)
    return found if noticed else []


def seen_in_passing(stop: State, moves: Sequence[Move], seat: int | None) -> list[list[tuple[Any] | None]]:
    """What a seat sees right after the effect of each move made at a stop, before the rules go on (``visible_values``).
    ``moves``: one, or all simultaneous choices, in the order of the players."""
    slots, found = list(stop.slots), list[list[tuple[Any] | None]]()
    if isinstance(stop.terminator, DecideDrawing):
        return found
    if isinstance(stop.terminator, DecideTogether):
        act.tick(stop, slots)
    for move in moves:
        do(stop.game, action_of(stop, move), act.mover_of(stop, move.player) or 0, slots)
        found.append(visible_values(stop, seat, slots))
    return found


def action_of(stop: State, move: Move) -> Action:
    """The action of a move made at a stop."""
    end = stop.terminator
    match end:
        case Decide() | DecideTogether() if move.kind == "move":
            chosen = act.alternative(stop, move)
            assert chosen is not None
            return Action("move", move.schema, move.args, stop.block, chosen[0])
        case Choose(names=names):
            texts = [stop.game.notation.choice_text(n) for n in names]
            return Action("choose", None, (texts.index(move.text),), stop.block)
        case Chance(names=names, what=what):
            texts = [act.chance_move(what, n).text for n in names]
            return Action("chance", None, (texts.index(move.text),), stop.block)
        case _:
            return Action(move.kind, None, (), stop.block)


def without_secrets(game: Game, common: Inference) -> Inference:
    """The inference without the arguments that only the mover is told."""
    if common.schema is None:
        return common
    params = game.program.schemas[common.schema].params
    return replace(common, args=tuple(None if p.secret else a for p, a in zip(params, common.args, strict=True)))


def secrets_concluded(stop: State, move: Move, seat: int | None) -> list[str]:
    """The secret parameters of another player's move that a seat could conclude from what it sees."""
    if move.kind != "move" or move.schema is None or not isinstance(stop.terminator, Decide):
        return []
    params = stop.game.program.schemas[move.schema].params
    if move.player == seat or not any(p.secret for p in params):
        return []
    mover = act.mover_of(stop, move.player) or 0
    common, _ = Observer(stop, list(stop.slots), mover, seat).infer(action_of(stop, move))
    if common.schema is None:
        return []
    return [p.local.name for p, a in zip(params, common.args, strict=True) if p.secret and a is not None]


def _told(stop: State, move: Move, common: Inference) -> Announcement:
    """A ply of which a seat has inferred this much."""
    if common.is_whole:
        return full_announcement(move)
    if common.kind is None:
        return Announcement(move.player, HIDDEN, None, False)
    text = f"{move.name} {HIDDEN}"
    if common.schema is not None and any(a is not None for a in common.args):
        text = stop.game.notation.partial_text(common.schema, common.args)
    args: Any = tuple(Unknown() if a is None else a for a in common.args) if common.schema is not None else ()
    known = Move(move.kind, move.schema, move.name, move.player, args, text)
    return Announcement(move.player, text, known, False)


def _visible(state: State, seat: int | None) -> object:
    """Everything a seat sees of a state, as a value to compare."""
    place = (state.kind, state.phase, state.part, seats_to_act(state, seat))
    return place, visible_values(state, seat), state.returns, state.outcome_text
