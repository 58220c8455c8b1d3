"""A state and its sheet -> the picture of it, for the person in one seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from gamedsl.engine import NotKnown, evaluate_at
from gamedsl.engine.picture import defaults, looks
from gamedsl.engine.picture.board_stacks import mark_stacks
from gamedsl.engine.picture.board_view import board_picture, place_domain, place_names
from gamedsl.engine.picture.held_things import held_things
from gamedsl.engine.picture.part_ends import (
    ends_told,
    has_board,
    last_board,
    newest_end,
    outcome_of,
    part_shown,
    what_follows,
)
from gamedsl.engine.picture.picture import CLEAN, Aside, Fallen, Glyph, PastBoard, Picture, Scars, Seat, TakenPieces
from gamedsl.engine.picture.threats import mark_threats
from gamedsl.language.core import nodes as n
from gamedsl.language.core import sign_of, words

if TYPE_CHECKING:
    from gamedsl.engine import Gain, Move, PartEnd, State


def view(
    state: State,
    *,
    viewer: int | None = None,
    scars: Scars = CLEAN,
    last: Move | None = None,
    last_text: str = "",
    played_by: tuple[str, ...] = (),
    fallen: tuple[Fallen, ...] = (),
    is_open: bool = False,
    over: State | None = None,
) -> Picture:
    """The picture for the person in a seat (None: a spectator), computed from what the seat knows.

    ``is_open``: nothing is hidden from the viewer; ``over``: the position in which the game ended, if what its results
    may tell is to be shown.
    ``last``: the move to highlight; ``last_text``: the line about it;
    ``played_by``: per seat, who plays it; ``fallen``: the recent outcomes of chance.
    """
    end = last_board(state)
    state = state.revealed_to(viewer, over) if over and not is_open else _known(state, viewer, is_open)
    program = state.game.program
    active, whole = program.parts[state.part], program.parts[0]
    part = part_shown(program, active) if end is None else program.parts[end.part]
    on_board = state if end is None else _known(end.last, viewer, is_open)
    seen = _look_at(on_board, part, scars.gains)
    if not active.looks:
        defaults.tell_variables(state, active, seen, place_domain(part) if active is part else None)
    others = [other for other in dict.fromkeys((active.index, whole.index)) if other != part.index]
    for other in others:
        looks.look(state, program.parts[other], seen, (), beside_only=True)
    part_over = ends_told(state.ended, scars.ended)
    following = "" if end is None else what_follows(state, end, scars.ended)
    part_over += [following] if following else []
    seen.asides += map(Aside, part_over)
    decider = end or next((one for one in state.ended if one.part == 0), None)
    decider = None if decider is None else replace(decider, last=_known(decider.last, viewer, is_open))
    if end is None:
        mark_threats(state, part, tuple(place_names(part)), seen.spots)
    is_new = end is None and part.index in state.entered  # a new board is untouched
    board = board_picture(seen, on_board, part, scars, decider, None if is_new else last)
    return replace(
        board,
        subtitle=active.title if active is not whole and active.title not in (program.title, active.name) else "",
        phase=words(state.phase),
        seats=_seats(state, active, played_by, () if state.is_terminal else state.to_act),
        asides=tuple(seen.asides),
        over=() if end is None or state.is_terminal else tuple(part_over),
        bubbles=scars.bubbles,
        fallen=fallen,
        last=last_text,
        outcome=outcome_of(state),
        redraw=scars.redraw,
        taken=_taken(program, part, scars),
        held=(*held_things(on_board, (part.index,)), *held_things(state, others)),
        past=tuple(_past_boards(scars, end, viewer, is_open)) if state.is_terminal else (),
    )


def _taken(program: n.Program, part: n.Part, scars: Scars) -> tuple[TakenPieces, ...]:
    """The pieces that players have taken on the board of a part, as the look shows them."""
    found = []
    for taking in scars.taken:
        var = program.variables[taking.variable]
        if var.part == part.index:
            assert isinstance(var.type, n.SetT)
            owner = n.Const(taking.slot, n.ElemT(part.players))
            sign = sign_of(part, n.Get(var, (owner,), var.type), {})
            glyph = Glyph(sign.text, sign.colour, piece=sign.piece, owner=sign.owner, shape=sign.shape)
            found.append(TakenPieces(taking.taker, glyph, taking.count))
    return tuple(found)


def _known(state: State, viewer: int | None, is_open: bool) -> State:
    return state if is_open else state.seen_by(viewer)


def _look_at(state: State, part: n.Part, gains: Sequence[Gain] = ()) -> looks.LookResult:
    """What the look of a part shows of a position, with what lies below in stacks; the pieces by their initials if the look
    shows nothing on places."""
    seen, places = looks.LookResult(gains=gains), tuple(place_names(part))
    looks.look(state, part, seen, places)
    if not any(m.kind == "show" for m in part.looks):
        defaults.show_pieces(state, part, seen, places)
    mark_stacks(state, part, seen.spots)
    return seen


def _past_boards(scars: Scars, shown: PartEnd | None, viewer: int | None, is_open: bool) -> Iterator[PastBoard]:
    """The last boards of the parts that have ended, except the one that is shown."""
    traces = scars.past or (CLEAN,) * len(scars.ended)
    here = None if shown is None else newest_end(scars.ended, shown.part)
    for i, (end, left) in enumerate(zip(scars.ended, traces, strict=True)):
        part = end.last.game.program.parts[end.part]
        if i == here or not end.part or not has_board(part):
            continue
        last = _known(end.last, viewer, is_open)
        board = board_picture(_look_at(last, part), last, part, left, replace(end, last=last), None)
        [caption] = ends_told([end], scars.ended)
        yield PastBoard(end, caption, replace(board, seats=_seats(last, part, (), ())))


def _seats(state: State, part: n.Part, played_by: tuple[str, ...], acting: Sequence[int]) -> tuple[Seat, ...]:
    roles: dict[int, list[str]] = {}
    if part.index:
        for name, seat in zip(part.players.names, part.seats, strict=True):
            with suppress(NotKnown):
                roles.setdefault(evaluate_at(state, seat), []).append(name)
    kinds = played_by or ("",) * state.game.num_players
    return tuple(
        Seat(name, kinds[i], tuple(r for r in roles.get(i, ()) if r != name), i in acting)
        for i, name in enumerate(state.game.players)
    )
