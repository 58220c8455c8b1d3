"""Requests of seats -> events, or the reason for refusing them. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import SystemRandom
from typing import TYPE_CHECKING, TypeAlias

from gamedsl.engine.picture import fault_of_marks, without_variants
from gamedsl.language.source import GameDSLError
from gamedsl.play.web import describe_reasons, describe_refusals, drawing_of
from gamedsl.play.web.server.events import (
    Answered,
    Event,
    Lines,
    Made,
    Marked,
    Named,
    Offered,
    Rematch,
    Resigned,
    Said,
    Setup,
    TimeRanOut,
)
from gamedsl.play.web.server.limits import MOST_MARKS
from gamedsl.play.web.server.planned_answers import planned_move
from gamedsl.play.web.server.refusals import Refused
from gamedsl.play.web.server.server_time import Run
from gamedsl.play.web.server.table_play import Moment, Play, check_room, narrowed

if TYPE_CHECKING:
    from gamedsl.engine import Move, State

Decided: TypeAlias = list[tuple[Event, Moment | None]]
HIDDEN = "nothing can be taken back in this game: some information is hidden, and a player who has seen more since cannot forget it"
_CHANCE = SystemRandom()


def action_move(play: Play, seat: int, action: int) -> Move:
    """The move of an action. Raises ``Refused`` if there is none, it is not this seat's turn, or the rules forbid it."""
    _check_turn(play, seat)
    try:
        reasons = describe_reasons(play.state, [action], seat)
        move = play.game.move(action, play.state, seat)
    except GameDSLError as error:
        raise _refused(error) from error
    if reasons or play.state.kind == "drawing":
        raise Refused("illegal", "the rules forbid this move", reasons or None)
    return move


def drawn_move(play: Play, seat: int, strokes: list[tuple[str, list[tuple[float, float]]]]) -> Move:
    """The move of a drawing. Raises ``Refused``, as above."""
    _check_turn(play, seat)
    if play.state.kind != "drawing":
        raise Refused("illegal", "there is nothing to draw now")
    try:
        move = drawing_of(play.state, strokes, seat)
    except GameDSLError as error:
        raise _refused(error) from error
    except ValueError as error:  # not the strokes that are due
        raise Refused("malformed", str(error)) from error
    if found := play.state.why_not(move):
        raise Refused("illegal", "the rules forbid this drawing", describe_refusals(play.state, found))
    return move


def made(play: Play, move: Move | None, now: int) -> Decided:
    """The events of a legal move (None: at the beginning of a game), of all outcomes of chance before the next choice,
    and of the answers that seats have prepared. They are written together: no crash comes between them."""
    state, found = play.state, Decided()
    if move is not None:
        state = _add(found, state, move, now)
    state = _add_chance(found, state, now)
    plans: Mapping[int, Lines] = play.plans
    for event, _ in found:
        plans = narrowed(plans, event.text) if isinstance(event, Made) else plans
    while (answer := planned_move(plans, state)) is not None:
        count = len(found)
        state = _add_chance(found, _add(found, state, answer, now), now)
        for event, _ in found[count:]:
            plans = narrowed(plans, event.text) if isinstance(event, Made) else plans
    return found


def _add_chance(found: Decided, state: State, now: int) -> State:
    while state.kind == "chance":
        state = _add(found, state, state.propose(_CHANCE), now)
    return state


def _add(found: Decided, state: State, move: Move, now: int) -> State:
    after = state.apply(move)
    found.append((Made(now, move.player, move.text), Moment(after, move, now)))
    return after


def resigned(play: Play, seat: int, now: int) -> Decided:
    """The event of a seat that resigns."""
    _check_goes_on(play)
    return [(Resigned(now, seat), None)]


def ran_out(play: Play, now: int) -> Decided:
    """The event of a seat whose time has run out; none if no seat's has."""
    flag = play.clocks.next_flag()
    return [(TimeRanOut(now, flag[0]), None)] if flag and flag[1] <= now and not play.is_over else []


def offered_draw(play: Play, seat: int, now: int) -> Decided:
    """Offers a draw to all others."""
    _check_goes_on(play)
    if len(play.people) < play.game.num_players:
        raise Refused("no", "an agent does not accept draws")
    if play.open is not None:
        raise Refused("no", "another offer is open")
    return [(Offered(now, seat, "draw"), None)]


def asked_undo(play: Play, seat: int, now: int) -> Decided:
    """Asks all others to take the seat's last move back."""
    _check_goes_on(play)
    if play.open is not None:
        raise Refused("no", "another offer is open")
    return [(Offered(now, seat, "undo", undo_target(play, seat)), None)]


def undo_target(play: Play, seat: int) -> int:
    """The number of plies left when a seat's last move is taken back. Raises ``Refused`` if anything was revealed
    since."""
    if play.game.secrets.hides:
        raise Refused("no", HIDDEN)
    if play.state.kind == "together":  # even before any choice: otherwise the refusal would reveal one
        raise Refused("no", "a choice made in secret cannot be taken back")
    for at in range(len(play.moments) - 1, 0, -1):
        before, move = play.moments[at - 1].state, play.moments[at].move
        if before.kind == "together":
            raise Refused("no", "a choice made in secret cannot be taken back")
        if before.kind == "chance":
            raise Refused("no", "a chance event has followed, and it cannot be undone")
        if move is not None and move.player == seat:
            return at - 1
    raise Refused("no", "there is nothing to take back")


def answered(play: Play, seat: int, yes: bool, now: int) -> Decided:
    """Agrees to an offer, or declines or withdraws it."""
    _check_goes_on(play)
    if play.open is None or (seat in play.open.agree and yes):
        raise Refused("no", "nothing is offered to you")
    return [(Answered(now, seat, yes), None)]


def marked(play: Play, seat: int, mark: str, now: int) -> Decided:
    """A seat chooses its mark. Raises ``Refused`` for one that it cannot have, or after too many changes."""
    _check_goes_on(play)
    mark = without_variants(mark)
    fault = fault_of_marks(play.game.program, play.with_mark(seat, mark))
    if fault is not None:
        raise Refused("no", fault)
    if play.marked[seat] >= MOST_MARKS:
        raise Refused("no", f"a seat changes its mark at most {MOST_MARKS} times")
    return [(Marked(now, seat, mark), None)] if mark != play.marks[seat] else []


def named(play: Play, seat: int, name: str, now: int) -> Decided:
    """The player of a seat chooses a name. Raises ``Refused`` for a seat that has written too much."""
    check_room(play, seat, name)
    return [(Named(now, seat, name), None)] if name != play.names[seat] else []


def said(play: Play, seat: int | None, text: str, name: str, now: int) -> Decided:
    """A message of a seat, or of a spectator of this name. Raises ``Refused`` for an empty one, and for a seat that
    has written too much."""
    if not text:
        raise Refused("no", "there is nothing to say in this message")
    check_room(play, seat, text + name)
    return [(Said(now, seat, text, "" if seat is not None else name), None)]


def _check_goes_on(play: Play) -> None:
    if play.is_over:
        raise Refused("over", "the game is over")


def _check_turn(play: Play, seat: int) -> None:
    _check_goes_on(play)
    if seat not in play.to_act:
        raise Refused("turn", "it is not your turn")


def _refused(error: GameDSLError) -> Refused:
    reasons = [{"message": d.message, "clauses": []} for d in error.diagnostics]
    return Refused("illegal", reasons[0]["message"] if reasons else "not a move", reasons)  # type: ignore[arg-type]


# ---------------------------------------------------------------------------------------------------- of the table itself


def freed(decided: Decided, sent: int) -> Decided:
    """The same events, with the sender's clock stopped when the move was sent."""
    return [
        (
            replace(event, free=max(0, event.at - sent))
            if isinstance(event, Made) and event.seat is not None
            else event,
            after,
        )
        for event, after in decided
    ]


def nothing(_: Play, __: int) -> Decided:
    return []


def agent_moves(play: Play, now: int, seat: int, text: str) -> Decided:
    if seat not in play.to_act:
        raise Refused("stale", "the position has changed")
    try:
        move = play.game.parse_move(text, play.state, seat)
    except GameDSLError as error:
        raise Refused("stale", "the position has changed") from error
    if play.state.why_not(move):
        raise Refused("stale", "the position has changed")
    return made(play, move, now)


def wants_rematch(seat: int, table: str) -> Callable[[Play, int], Decided]:
    """A seat asks for a rematch; ``table``: its name if all others have asked."""

    def decide(play: Play, now: int) -> Decided:
        if not play.is_over:
            raise Refused("no", "the game is not over")
        if seat in play.rematch:
            raise Refused("no", "you have already asked")
        done = play.people <= play.rematch | {seat}
        return [(Rematch(now, seat, table if done else ""), None)]

    return decide


def swapped(play: Play, before: str, run: Run) -> Setup:
    """The setup of the rematch: all players move one seat on, and keep the marks and names that they have chosen."""
    seats, marks, names = play.setup.seats, play.marks, play.names
    return replace(
        play.setup,
        seats=(seats[-1], *seats[:-1]),
        marks=(marks[-1], *marks[:-1]),
        names=(names[-1], *names[:-1]),
        before=before,
        at=run.now(),
        run=run.number,
    )
