"""A part of the game and a position of it -> the picture of its board: the pieces, the traces on the sheet, and the
places that decided the part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gamedsl.engine import Unknown, codes_of
from gamedsl.engine.picture import legend, looks
from gamedsl.engine.picture.covered import covered_by
from gamedsl.engine.picture.decided import mark_decided
from gamedsl.engine.picture.picture import CellStyle, Glyph, Kind, Picture, Scars, Spot, Trail
from gamedsl.engine.picture.value_words import members_of
from gamedsl.language.boards import Board, Domain, Family
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.engine import Move, PartEnd, State

_KINDS: dict[str, Kind] = {"grid": "grid", "hex": "hex", "track": "track", "graph": "graph"}


def board_picture(
    seen: looks.LookResult, state: State, part: n.Part, scars: Scars, decider: PartEnd | None, last: Move | None
) -> Picture:
    """The board of a part, with only the legend beside it. ``seen``: what its look shows of the position; ``decider``:
    the end of a part whose reasons are marked; ``last``: the move to highlight."""
    program, decided = state.game.program, tuple[Trail, ...]()
    if decider is not None:
        decided = mark_decided(decider, part.board, tuple(place_names(part)), seen.spots)
    _add_scars(seen, scars)
    names = tuple(s.name for s in program.schemas)
    seen.legend += legend.of_scars(part.leavings, names, (s.text for s in scars.marks))
    seen.legend += legend.of_enlarged(scars.enlarged)
    seen.legend += legend.of_trails(part, scars.trails)
    if last is not None:
        _touch(state, part, last, seen)
    return Picture(
        kind=board_kind(part),
        title=program.title,
        subtitle="",
        phase="",
        seats=(),
        place=place_domain(part),
        board=part.board,
        paper=_paper(state, part),
        spots=seen.spots,
        trails=(*scars.trails, *decided),
        enlarged=scars.enlarged,
        scored=tuple(dict.fromkeys(seen.scored)),
        lines=tuple(seen.lines),
        tints=tuple(seen.tints),
        legend=tuple(seen.legend),
        borders=tuple(seen.borders),
        cells=cell_style(part),
        unnamed=any(m.kind == "cells" and m.style == "unnamed" for m in part.looks),
        edge_marks=_has_edge_marks(part),
        has_trails=any(leaving.is_path for leaving in part.leavings),
        line_names=_line_names(state, part),
    )


def cell_style(part: n.Part) -> CellStyle:
    """The style of the cells: the last one that the look sets, squares by default."""
    styles = [m.style for m in part.looks if m.kind == "cells" and m.style != "unnamed"]
    match styles[-1] if styles else "":
        case "crossings":
            return "crossings"
        case "dots":
            return "dots"
        case _:
            return "squares"


def _paper(state: State, part: n.Part) -> Any:
    """The plan of a drawing board and the strokes drawn so far; None for other boards."""
    if part.drawing is None or not isinstance(part.drawing.type, n.DrawingT):
        return None
    return part.drawing.type.plan, codes_of(state, part.drawing)[0]


def board_kind(part: n.Part) -> Kind:
    """The kind of board that a part is played on."""
    if part.drawing is not None:
        return "drawing"
    return "none" if part.board is None else _KINDS.get(part.board.kind, "graph")


def place_domain(part: n.Part) -> Domain | None:
    """The domain of the fields of the board: cells, nodes or spaces."""
    if part.board is not None:
        return part.board.domains[part.board.place]
    return next(iter(place_names(part).values()), None)


def place_names(part: n.Part) -> dict[str, Domain]:
    """The domains that have places on the board, by name."""
    if part.board is not None:
        drawn = {part.board.place, "cell", "edge", "point"}
        return {number: d for number, d in part.board.domains.items() if number in drawn}
    if part.drawing is not None and isinstance(part.drawing.type, n.DrawingT):
        limit = getattr(part.drawing.type.plan, "limit", 0)
        return {"space": Domain("space", tuple(f"s{i + 1}" for i in range(limit)))}
    return {}


def _add_scars(seen: looks.LookResult, scars: Scars) -> None:
    for scar in scars.marks:
        for index in scar.elements:
            seen.add_glyph(scar.domain, index, Glyph(scar.text, None, True))


def _touch(state: State, part: n.Part, last: Move, seen: looks.LookResult) -> None:
    """Highlights the places that the last move names, if it was made on this board."""
    for domain, index in touched(state, last):
        if domain in place_names(part):
            spot = seen.spots.get((domain, index), Spot())
            seen.spots[(domain, index)] = replace(spot, last=True)


def touched(state: State, move: Move) -> Iterable[tuple[str, int]]:
    """The elements that a move's parameters name, or on which it puts pieces where its kind is touched there, by the name
    of their domain."""
    if move.schema is None:
        return
    schema = state.game.program.schemas[move.schema]
    if schema.part != state.part:
        return
    values = [value for value in move.args if not isinstance(value, Unknown)]
    covered = covered_by(state, schema, values) if len(values) == len(schema.params) else None
    if covered is not None:
        yield from ((covered[0], i) for i in covered[1])
        return
    for param, value in zip(schema.params, move.args, strict=True):
        named = None if isinstance(value, Unknown) else members_of(param.local.type, value)
        if named is not None:
            yield from ((named[0].name, i) for i in named[1])


# ------------------------------------------------------------------------------------------- what lies on edges


def _has_edge_marks(part: n.Part) -> bool:
    """Whether marks can ever appear on edges or points, so that the squares must be far enough apart."""
    shows: list[Any] = [m.what for m in part.looks if m.kind == "show"]
    shows += [e for leaving in part.leavings if not leaving.is_path for e in leaving.on]
    return any(
        getattr(getattr(e.type, "domain", None), "name", "") in ("edge", "point") for e in shows if e is not None
    )


def _line_names(state: State, part: n.Part) -> tuple[tuple[str, int], ...]:
    """The whole inner lines of the board that have names in moves, with their edges as bits."""
    board = part.board
    if board is None or board.kind != "grid":
        return ()
    named: dict[str, int] = {}
    for schema in state.game.program.schemas:
        for param in schema.params if schema.part == part.index else ():
            t = param.local.type
            inner = t.inner if isinstance(t, n.OptT) else t
            if isinstance(inner, n.ElemT) and isinstance(inner.domain, Family) and inner.domain.base.name == "edge":
                named |= _whole_lines(board, inner.domain)
    return tuple(named.items())


def _whole_lines(board: Board, family: Family) -> dict[str, int]:
    """The members of a family of edges that consist of all edges of one inner line, by name."""
    lines: dict[tuple[str, float], int] = {}
    for index in range(family.base.size):
        x, y = board.position("edge", index)
        key = ("v", x) if y % 1 else ("h", y)
        lines[key] = lines.get(key, 0) | 1 << index
    whole = set(lines.values())
    return {name: bits for name, bits in zip(family.names, family.members, strict=True) if bits in whole}
