"""A position as one seat may see it: scene, picture and turn as plain data; reasons against a move; a stroke judged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine.picture import CLEAN, Fallen, Scars, last_board, view
from gamedsl.language.source import has_place
from gamedsl.play.web.pictures import describe_picture
from gamedsl.play.web.scenes import scene_of
from gamedsl.play.web.turn_view import describe_turn

if TYPE_CHECKING:
    from gamedsl.engine import Move, Refusal, State
    from gamedsl.language.source import Span

Json: TypeAlias = dict[str, Any]


def describe_position(
    state: State,
    seat: int | None,
    *,
    scars: Scars = CLEAN,
    last: Move | None = None,
    last_text: str = "",
    played_by: tuple[str, ...] = (),
    fallen: tuple[Fallen, ...] = (),
    is_open: bool = False,
    over: State | None = None,
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
        over=over,
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
    """Reasons against a move: the message, the clauses with their texts, the rule with its line in the ruleset, and whether
    it was found by trying what comes after the move."""
    texts = dict(state.game.program.clauses)
    return [
        {
            "message": r.message,
            "clauses": [{"number": c, "text": texts.get(c, "")} for c in r.clauses],
            "rule": rule_text(r.span),
            "ahead": r.look_ahead,
        }
        for r in refusals
    ]


def rule_text(span: Span | None) -> str:
    """A rule as it stands in the ruleset, with its file and line; empty if it has no place."""
    if span is None or not has_place(span):
        return ""
    text = span.source.line(span.line).split("@")[0].split("#")[0].strip()
    return f"{Path(span.source.path).name}:{span.line}: {text}"


def describe_reasons(state: State, actions: Sequence[int], seat: int) -> list[Json]:
    """The reasons why none of these actions is legal for a seat; empty if one is. Those that all of them share; else those
    that were found by trying what comes after a move, as these moves are refused for nothing else; else the most frequent
    one. Raises ``GameDSLError`` (E0540) if there is no such action."""
    found = [describe_refusals(state, state.why_not(state.game.move(action, state, seat))) for action in actions]
    if not found or not all(found):
        return []
    shared = [one for one in found[0] if all(one in others for others in found)]
    if shared:
        return shared
    every = [one for reasons in found for one in reasons]
    distinct = [one for i, one in enumerate(every) if one not in every[:i]]
    return [one for one in distinct if one["ahead"]] or [max(distinct, key=every.count)]
