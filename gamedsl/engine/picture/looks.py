"""The rules of a look, evaluated for one position: marks on places, strokes, tints, lines beside the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from typing import TYPE_CHECKING

from gamedsl.engine import NotKnown, bindings, evaluate_at
from gamedsl.engine.picture import legend
from gamedsl.engine.picture.explained import explain
from gamedsl.engine.picture.picture import BARE, Aside, Border, Entry, Glyph, Line, LineEnd, Scored, Spot, Tint
from gamedsl.engine.picture.thing_holdings import replaced_marks
from gamedsl.engine.picture.unset_values import marks_with_values
from gamedsl.engine.picture.value_words import filled, listed, said
from gamedsl.language.boards import elements
from gamedsl.language.core import nodes as core
from gamedsl.language.core import nodes as n
from gamedsl.language.core import owner_of
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine import Gain, State

Bound = Mapping[int, int]


@lazy_dataclass()
class LookResult:
    """The results of the rules evaluated so far."""

    spots: dict[tuple[str, int], Spot] = field(default_factory=dict)
    tints: list[Tint] = field(default_factory=list)
    asides: list[Aside] = field(default_factory=list)
    legend: list[Entry] = field(default_factory=list)
    borders: list[Border] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    scored: list[Scored] = field(default_factory=list)
    gains: Sequence[Gain] = ()  # what plies added to scores

    def explain(self, entry: Entry | None) -> None:
        if entry is not None and entry not in self.legend:
            self.legend.append(entry)

    def add_glyph(self, domain: str, index: int, glyph: Glyph) -> None:
        spot = self.spots.get((domain, index), BARE)
        if glyph not in spot.glyphs:
            self.spots[(domain, index)] = replace(spot, glyphs=(*spot.glyphs, glyph))


def look(state: State, part: n.Part, result: LookResult, places: tuple[str, ...], beside_only: bool = False) -> None:
    """Adds to ``result`` what the rules of a part's look show, except what depends on something hidden from the viewer
    (``state`` is what the viewer sees) or on a variable without a value. ``places``: the domains that are drawn; a mark
    on anything else becomes a line beside the board. ``beside_only``: for a part whose board is not the one drawn."""
    for mark in marks_with_values(state, part.index):
        if mark.kind == "cells" or (beside_only and mark.kind != "beside"):
            continue
        result.explain(legend.of_mark(mark, None))
        before = len(result.borders)
        for locals in bindings(state, mark.binders, {}, skip_unknown=True):
            with suppress(NotKnown):
                _show(state, mark, locals, result, part, places)
        new = result.borders[before:]
        side = tuple(cell for border in new for cell in border.cells)
        result.borders[before:] = [replace(border, side=side) for border in new]


def _show(state: State, mark: n.Mark, locals: Bound, result: LookResult, part: n.Part, places: tuple[str, ...]) -> None:
    if mark.kind == "beside":
        aside = _aside(state, mark, locals)
        found = explain(state, part, mark, locals, result.gains, places)
        is_held = mark in replaced_marks(state.game, part.index)
        result.asides.append(replace(aside, because=found.text, places=found.places, is_held=is_held))
        result.scored += found.scored
        return
    if mark.kind == "line":
        _draw_line(state, mark, locals, result, places)
        return
    assert mark.what is not None and isinstance(mark.what.type, n.SetT)
    domain = mark.what.type.domain.name
    members = list(elements(evaluate_at(state, mark.what, locals)))
    text = filled(mark.text, locals)
    if members:
        result.explain(legend.of_mark(mark, locals))
    if mark.kind == "border":
        result.borders.append(Border(tuple(members), (), text, mark.colour))
        return
    number = None if mark.number is None else evaluate_at(state, mark.number, locals)
    text += "" if number is None else str(number)
    if domain not in places:
        if members:
            names = tuple(mark.what.type.domain.words[i] for i in members)
            result.asides.append(Aside(f"{text or mark.style or mark.colour}:", names))
        return
    owner, piece = _whose(state, mark, locals, part) if mark.kind == "show" else ("", "")
    glyph = Glyph(text, mark.colour, number=number, piece=piece, owner=owner, shape=mark.shape or "")
    for index in members:
        _mark_spot(result, domain, index, mark, glyph, locals)


def _draw_line(state: State, mark: n.Mark, locals: Bound, result: LookResult, places: tuple[str, ...]) -> None:
    """Adds a line, unless it is there already, or one of its ends is not on the board that is drawn."""
    source, target, *bend = (_line_end(state, end, locals) for end in mark.ends)
    entry = legend.of_mark(mark, locals)
    result.explain(entry)
    line = Line(
        (source, target),
        mark.style or "light",
        mark.colour,
        "" if entry is None else entry.text,
        next(iter(bend), None),
    )
    back = replace(line, ends=(target, source))
    if (
        {end.place[0] for end in (source, target, *bend)} <= set(places)
        and line not in result.lines
        and back not in result.lines
    ):
        result.lines.append(line)


def _line_end(state: State, end: core.LineEnd, locals: Bound) -> LineEnd:
    assert isinstance(end.place.type, n.ElemT)
    domain, index = end.place.type.domain, evaluate_at(state, end.place, locals)
    place, name = (domain.name, index), domain.names[index]
    if not end.offset:
        return LineEnd(place, name)
    across, down = (evaluate_at(state, e, locals) for e in end.offset)
    return LineEnd(place, name, (across, down))


def _whose(state: State, mark: n.Mark, locals: Bound, part: n.Part) -> tuple[str, str]:
    """The owner and the name of the piece that a rule shows: from the rule itself, else from another rule with the same
    sign. If no rule says so, the owner is the only player the rule is about, and there is no name."""
    signs = [m for m in part.looks if m.kind == "show" and (m.text, m.colour) == (mark.text, mark.colour)]
    for like in (mark, *signs):
        found = owner_of(like, locals if like is mark else None)
        if found is not None:
            return found
    players = state.game.program.players.name
    about = [said(b.type, locals[b.id]) for b, _ in mark.binders if _domain_name(b) == players]
    return (about[0], "") if len(about) == 1 else ("", "")


def _mark_spot(result: LookResult, domain: str, index: int, mark: n.Mark, glyph: Glyph, locals: Bound) -> None:
    spot = result.spots.get((domain, index), BARE)
    match mark.kind:
        case "show":
            result.add_glyph(domain, index, glyph)
        case "stroke":
            result.spots[(domain, index)] = replace(spot, stroke=mark.style or "light", stroke_colour=mark.colour)
        case _:
            result.spots[(domain, index)] = replace(spot, tint=_tint_number(result, mark, locals))


def _tint_number(result: LookResult, mark: n.Mark, locals: Bound) -> int:
    tint = Tint(legend.of_tint(mark, locals), mark.colour)
    if tint not in result.tints:
        result.tints.append(tint)
    return result.tints.index(tint)


def _aside(state: State, mark: n.Mark, locals: Bound) -> Aside:
    label = filled(mark.text, locals)
    players = state.game.program.players.name
    named = [said(p.type, locals[p.id]) for p in mark.text if isinstance(p, n.Local) and _domain_name(p) == players]
    owner = named[0] if len(named) == 1 else ""
    if mark.what is None:
        return Aside(label, (), owner)
    return Aside(label, listed(mark.what.type, evaluate_at(state, mark.what, locals)), owner)


def _domain_name(local: n.Local) -> str:
    return local.type.domain.name if isinstance(local.type, n.ElemT) else ""
