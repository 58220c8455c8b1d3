"""What a seat is told of the plies of a game. Only this module decides it: the log at the table, highlights, marks on
the paper and records made for a seat all derive from it.

A seat is told its own moves completely. Of any other ply it is told only what is the same in all games that look alike
to it: in which it saw the same at every stop and right after every effect, and made the same moves. It is told nothing
of a ply that changes nothing visible, and of simultaneous choices only once all have chosen. If the rules hide no
variable, it is told every ply completely.

Running the rules on what the seat sees (``consistent_moves``) gives a lower bound on what it can infer; other moves at
the actual stop give an upper bound. Where these differ, all positions that look the same are searched (``lookalikes``),
up to a limit; beyond it, the seat is told the lower bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from gamedsl.engine.information import consistent_moves, lookalikes, possible_effects, unknown_values
from gamedsl.engine.information.consistent_moves import Inference, Observer, do
from gamedsl.engine.information.lookalikes import Steps, Watcher, exact_inferences, inference_of
from gamedsl.engine.information.plies import action_of, moves_made
from gamedsl.engine.information.unknown_values import Unknown
from gamedsl.engine.moves import Move
from gamedsl.engine.play import actions as act
from gamedsl.engine.state import State
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine.state import Game

HIDDEN = "(hidden)"
MOST_OTHERS = 60  # moves that are tried in place of the actual ones


@lazy_dataclass(frozen=True)
class Announcement:
    """A ply as a seat learns of it. ``move``: the move as far as it is known, with unknown arguments for the rest
    (None: not even its kind); ``text``: its notation, with ``?`` or "(hidden)" for the rest."""

    player: int | None
    text: str
    move: Move | None
    is_whole: bool


def announcement_bounds(game: Game) -> dict[str, int]:
    """The bounds that decide how exact an announcement is, by name. Everything that computes announcements keeps to
    them."""
    return {
        "steps": consistent_moves.MOST_STEPS,
        "first_trials": consistent_moves.FIRST_TRIALS,
        "worlds": possible_effects.MOST_WORLDS,
        "values": possible_effects.MOST_VALUES,
        "runs": possible_effects.MOST_RUNS,
        "answers": unknown_values.MOST_ANSWERS,
        "positions": lookalikes.MOST_POSITIONS,
        "trials": lookalikes.MOST_WORK // lookalikes.work_of_a_move(game),
    }


def full_announcement(move: Move) -> Announcement:
    """The announcement of a whole move."""
    return Announcement(move.player, str(move), move, True)


def announced_plies(steps: Steps, seat: int | None) -> Iterator[tuple[int, Announcement]]:
    """All announcements to a seat in a game, in order, each with the number of the step that revealed it."""
    for at in range(1, len(steps)):
        for told in announcements_at(steps, at, seat):
            yield at, told


def announcements_at(steps: Steps, at: int, seat: int | None) -> list[Announcement]:
    """The announcements to a seat after the ply with this number."""
    (before, _), (after, move) = steps[at - 1], steps[at]
    assert move is not None
    if after.pending:
        return []
    moves = moves_made(before, move)
    if not before.game.secrets.hides:
        return [full_announcement(m) for m in moves]
    return _seen(steps, at, moves, seat)


def _seen(steps: Steps, at: int, moves: list[Move], seat: int | None) -> list[Announcement]:
    """The same as ``announcements_at``, if something is hidden. ``moves``: one, or all simultaneous choices."""
    stop, after = steps[at - len(moves)][0], steps[at][0]
    if isinstance(stop.terminator, n.DecideDrawing):
        return [full_announcement(m) for m in moves]
    own = [m.player is not None and m.player == seat for m in moves]
    if not any(own) and not Watcher(seat).notices(stop, moves, after):
        return []
    known = _quick_inferences(stop, moves, seat)
    if not all(k.is_whole for k in known) and known != _seen_to_differ(stop, moves, after, seat, known):
        known = exact_inferences(steps, at, seat) or known
    told = [without_secrets(stop.game, k) for k in known]
    return [
        full_announcement(m) if is_own else _told(stop, m, k) for m, k, is_own in zip(moves, told, own, strict=True)
    ]


def announcements_after_end(steps: Steps, at: int, seat: int | None, told: frozenset[int]) -> list[Announcement]:
    """What a seat can infer at least of the ply with this number, once it knows these slots of all positions because the game is
    over. One announcement for each move, also for those of which it was told nothing."""
    (before, _), (_, move) = steps[at - 1], steps[at]
    assert move is not None
    moves = moves_made(before, move)
    stop = steps[at - len(moves)][0]
    known = [without_secrets(stop.game, one) for one in _quick_inferences(stop, moves, seat, told)]
    return [_told(stop, one, common) for one, common in zip(moves, known, strict=True)]


def announcements_noticed_after_end(
    steps: Steps, at: int, seat: int | None, told: frozenset[int]
) -> list[Announcement]:
    """The same for a ply of which the seat was told nothing; none if these slots do not show that it was made."""
    (before, _), (after, move) = steps[at - 1], steps[at]
    assert move is not None
    if after.pending:
        return []
    stop = steps[at - len(moves_made(before, move))][0]
    if all(stop.slots[i] == after.slots[i] for i in told):
        return []
    return announcements_after_end(steps, at, seat, told)


def _quick_inferences(
    stop: State, moves: list[Move], seat: int | None, told: frozenset[int] = frozenset()
) -> list[Inference]:
    """A lower bound on what a seat can infer of every move. ``told``: the numbers of further slots that it knows."""
    slots, found = list(stop.slots), list[Inference]()
    if isinstance(stop.terminator, n.DecideTogether):
        act.tick(stop, slots)
    for move in moves:
        mover, action = act.mover_of(stop, move.player) or 0, action_of(stop, move)
        is_own = move.player is not None and move.player == seat
        found.append(inference_of(move) if is_own else Observer(stop, slots, mover, seat, told).infer(action))
        do(stop.game, action, mover, slots)
    return found


def _seen_to_differ(
    stop: State, moves: list[Move], after: State, seat: int | None, least: list[Inference]
) -> list[Inference]:
    """An upper bound on what a seat can infer: what the moves have in common with others at this stop that look the
    same. Others are tried until no more than ``least`` is left, or ``MOST_OTHERS`` were tried."""
    watcher, found = Watcher(seat), [inference_of(m) for m in moves]
    noticed, tried = watcher.notices(stop, moves, after), 0
    for i, move in enumerate(moves):
        if move.player is not None and move.player == seat:
            continue
        others = [m for m, _ in stop.chance_outcomes()] if move.player is None else stop.legal_moves(move.player)
        for other in others:
            weaker = found[i].joined(inference_of(other))
            if found[i] == least[i] or tried == MOST_OTHERS:
                break
            if weaker == found[i]:
                continue
            tried += 1
            instead = [*moves[:i], other, *moves[i + 1 :]]
            with suppress(GameDSLError):
                if watcher.notices(stop, instead, _after(stop, instead)) == noticed:
                    found[i] = weaker
    return found


def _after(stop: State, moves: list[Move]) -> State:
    for move in moves:
        stop = act.apply(stop, move)
    return stop


def without_secrets(game: Game, common: Inference) -> Inference:
    """The inference without the arguments that only the mover is told."""
    if not isinstance(common.schema, int):
        return common
    params = game.program.schemas[common.schema].params
    return replace(common, args=tuple(None if p.secret else a for p, a in zip(params, common.args, strict=True)))


def lacks_more_than_secrets(game: Game, one: Announcement) -> bool:
    """Whether an announcement leaves out anything but arguments that only the mover is told."""
    if one.is_whole or one.move is None or one.move.schema is None:
        return not one.is_whole
    params = game.program.schemas[one.move.schema].params
    return any(isinstance(a, Unknown) and not p.secret for p, a in zip(params, one.move.args, strict=True))


def secrets_concluded(stop: State, move: Move, seat: int | None) -> list[str]:
    """The secret parameters of another player's move that a seat could conclude from what it sees."""
    if move.kind != "move" or move.schema is None or not isinstance(stop.terminator, n.Decide):
        return []
    params = stop.game.program.schemas[move.schema].params
    if move.player == seat or not any(p.secret for p in params):
        return []
    mover = act.mover_of(stop, move.player) or 0
    common = Observer(stop, list(stop.slots), mover, seat).infer(action_of(stop, move))
    if not isinstance(common.schema, int):
        return []
    return [p.local.name for p, a in zip(params, common.args, strict=True) if p.secret and a is not None]


def _told(stop: State, move: Move, common: Inference) -> Announcement:
    """The announcement of a ply of which a seat has inferred this much."""
    if common.is_whole:
        return full_announcement(move)
    if common.kind is None:
        return Announcement(move.player, HIDDEN, None, False)
    text = f"{move.name} {HIDDEN}"
    if isinstance(common.schema, int) and any(a is not None for a in common.args):
        text = stop.game.notation.partial_text(common.schema, cast("tuple[int | None, ...]", common.args))
    args: Any = tuple(Unknown() if a is None else a for a in common.args) if common.kind == "move" else ()
    known = Move(move.kind, move.schema, move.name, move.player, args, text)
    return Announcement(move.player, text, known, False)
