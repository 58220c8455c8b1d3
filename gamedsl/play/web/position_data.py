"""A position as one seat may see it: scene, picture and turn as plain data; reasons against a move; a stroke judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine.picture import CLEAN, Scars, last_board, view
from gamedsl.play.web.pictures import describe_picture
from gamedsl.play.web.scenes import scene_of
from gamedsl.play.web.turn_view import describe_turn

if TYPE_CHECKING:
    from gamedsl.engine import Move, Refusal, State

Json: TypeAlias = dict[str, Any]


def describe_position(
    state: State,
    seat: int | None,
    *,
    scars: Scars = CLEAN,
    last: Move | None = None,
    last_text: str = "",
    played_by: tuple[str, ...] = (),
    fallen: tuple[str, ...] = (),
    is_open: bool = False,
) -> Json:
    """The ``position`` of the reference page: the part of a state that a seat (None: a spectator) may see.

    The other arguments are those of ``gamedsl.engine.picture.view``; the caller must pass only what the seat may know
    of them (``announced_plies`` for ``last`` and ``fallen``)."""
    end = last_board(state)
    part = scene_of(state.game, state.part if end is None else end.part)
    picture = view(
        state,
        viewer=seat,
        scars=scars,
        last=last,
        last_text=last_text,
        played_by=played_by,
        fallen=fallen,
        is_open=is_open,
    )
    return {
        "scene": part,
        "picture": describe_picture(state.game, part, picture),
        "turn": describe_turn(state, seat),
    }


def describe_preview(state: State, action: int, seat: int) -> Json | None:
    """The ``scene`` and ``picture`` of a position after a legal action of a seat; None if the rules hide anything, if the
    action is illegal, or if others choose at the same time. Raises ``GameDSLError`` (E0540) if there is no such action."""
    move = state.game.move(action, state, seat)
    if state.game.secrets.hides or state.kind != "player" or state.why_not(move):
        return None
    after = describe_position(state.apply(move), seat)
    return {"scene": after["scene"], "picture": after["picture"]}


def describe_refusals(state: State, refusals: Sequence[Refusal]) -> list[Json]:
    """Reasons against a move: the message, and the clauses with their texts."""
    texts = dict(state.game.program.clauses)
    return [
        {"message": r.message, "clauses": [{"number": c, "text": texts.get(c, "")} for c in r.clauses]}
        for r in refusals
    ]


def describe_reasons(state: State, action: int, seat: int) -> list[Json]:
    """The reasons why an action is illegal for a seat; empty if it is legal. Raises ``GameDSLError`` (E0540) if there
    is no such action."""
    move = state.game.move(action, state, seat)
    return describe_refusals(state, state.why_not(move))
