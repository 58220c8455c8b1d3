"""Variations of a game that is over: any viewer tries moves from any of its positions. Nothing of it is kept here."""

from __future__ import annotations

from collections.abc import Sequence
from random import SystemRandom
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.play.web.position_data import describe_position
from gamedsl.play.web.server.planned_answers import tried_move
from gamedsl.play.web.server.refusals import Refused

if TYPE_CHECKING:
    from gamedsl.engine import Move, State
    from gamedsl.play.web.server.table_play import Play

Json: TypeAlias = dict[str, Any]
_CHANCE = SystemRandom()


def check_may_explore(play: Play) -> None:
    """Raises ``Refused`` before the end, and where the rules hide something."""
    if not play.is_over:
        raise Refused("no", "variations are tried only after the end")
    if play.game.secrets.hides:
        raise Refused("secret", "a variation would reveal what is hidden")


def variation(state: State, line: Sequence[str], action: int | None) -> Json:
    """The position after a line from a state, and after an action more, with all outcomes of chance that follow; the
    plies, and who makes each (None: chance). Raises ``Refused`` for a ply that the rules forbid, or that cannot be tried
    alone."""
    plies: list[tuple[int | None, str]] = []
    move: Move | None = None
    wanted: list[str | int] = [*line, *([] if action is None else [action])]
    while wanted or (action is not None and not state.is_terminal and state.kind == "chance"):
        seat, move = _move(state, wanted.pop(0) if wanted else None)
        state = state.apply(move)
        plies.append((seat, move.text))
    shown = state.to_act[0] if not state.is_terminal and state.kind == "player" else None
    return {
        "position": describe_position(state, shown, last=move, last_text=_last(state, plies)),
        "line": [text for _, text in plies],
        "movers": [seat for seat, _ in plies],
        "end": [state.game.players[seat] for seat in sorted(state.winners)] if state.is_terminal else None,
    }


def _move(state: State, ply: str | int | None) -> tuple[int | None, Move]:
    """The seat and the move of a ply; None: an outcome of chance."""
    if state.is_terminal:
        raise Refused("no", "the game would be over before")
    if state.kind not in ("player", "chance"):
        raise Refused("no", "a drawing, or a choice that several players make at once, cannot be tried here")
    seat = state.to_act[0] if state.kind == "player" else None
    return seat, state.propose(_CHANCE) if ply is None else tried_move(state, ply, seat)


def _last(state: State, plies: Sequence[tuple[int | None, str]]) -> str:
    if not plies:
        return ""
    seat, text = plies[-1]
    return f"{'chance' if seat is None else state.game.players[seat]}: {text}"
