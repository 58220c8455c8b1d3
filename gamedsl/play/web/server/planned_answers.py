"""Conditional moves: a seat that waits prepares its answers. They are checked by the rules when they are prepared, kept in
the log, and made together with the ply that they answer.

They exist only where nothing is hidden: elsewhere the answer would show that something has happened that nobody may know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gamedsl.language.source import GameDSLError
from gamedsl.play.web.server.events import Event, Lines, Planned
from gamedsl.play.web.server.refusals import Refused
from gamedsl.play.web.server.table_play import Moment, Play, check_plan_room

if TYPE_CHECKING:
    from gamedsl.engine import Move, State


def planned_move(plans: Mapping[int, Lines], state: State) -> Move | None:
    """The move that the seat to act has prepared for this position, or None."""
    if state.is_terminal or state.kind != "player":
        return None
    seat = state.to_act[0]
    lines = plans.get(seat, ())
    if not lines:
        return None
    try:
        move = state.game.parse_move(lines[0][0], state, seat)
    except GameDSLError:
        return None
    return None if state.why_not(move) else move


def planned(play: Play, seat: int, lines: Sequence[Sequence[str]], now: int) -> list[tuple[Event, Moment | None]]:
    """A seat prepares these lines instead of all before. Raises ``Refused`` for lines that cannot be played, or that
    answer the same plies in two ways, and if it is this seat's turn."""
    check_may_plan(play, seat)
    found: list[tuple[str, ...]] = []
    answers: dict[tuple[str, ...], str] = {}
    for line in lines:
        texts, movers = walked(play, line)[1:]
        if not movers or movers[-1] != seat:
            raise Refused("no", "a line ends with a move of yours")
        for at, mover in enumerate(movers):
            if mover == seat and answers.setdefault(texts[:at], texts[at]) != texts[at]:
                raise Refused("no", f"two lines answer {texts[at - 1]} differently")
        found.append(texts)
    longest = tuple(
        a
        for i, a in enumerate(found)
        if not any(b[: len(a)] == a and (len(b) > len(a) or j < i) for j, b in enumerate(found))
    )
    check_plan_room(play, seat, longest)
    return [(Planned(now, seat, longest), None)] if longest != play.plans.get(seat, ()) else []


def check_may_plan(play: Play, seat: int) -> None:
    """Raises ``Refused`` where answers cannot be prepared."""
    if play.is_over:
        raise Refused("over", "the game is over")
    if play.game.secrets.hides:
        raise Refused("secret", "answers cannot be prepared in a game with hidden information")
    if seat in play.to_act:
        raise Refused("no", "it is your turn: make the move")


def walked(
    play: Play, line: Sequence[str], action: int | None = None
) -> tuple[State, tuple[str, ...], tuple[int, ...]]:
    """The position after a line from the present one, and perhaps an action more; the plies in the notation of records,
    and who makes each. Raises ``Refused`` for a ply that the rules forbid, or that is not one player's own choice."""
    state, texts, movers = play.state, list[str](), list[int]()
    plies: list[str | int] = [*line, *([] if action is None else [action])]
    for ply in plies:
        if state.is_terminal:
            raise Refused("no", "the game would be over before")
        if state.kind != "player":
            raise Refused("no", "a line cannot pass chance, a drawing, or a choice that several players make at once")
        seat = state.to_act[0]
        move = tried_move(state, ply, seat)
        state = state.apply(move)
        texts.append(move.text)
        movers.append(seat)
    return state, tuple(texts), tuple(movers)


def tried_move(state: State, ply: str | int, seat: int | None) -> Move:
    """The move of a ply, given as text or as an action. Raises ``Refused`` if there is none, or the rules forbid it."""
    try:
        move = state.game.parse_move(ply, state, seat) if isinstance(ply, str) else state.game.move(ply, state, seat)
    except GameDSLError as error:
        raise Refused("illegal", f"there is no move {ply} here") from error
    if state.why_not(move):
        raise Refused("illegal", f"the rules forbid {move.text} here")
    return move
