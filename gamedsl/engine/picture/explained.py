"""How a score beside the board comes about: what the rules count for it, and where it is on the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from gamedsl.engine import NotKnown, bindings, codes_of, evaluate_at
from gamedsl.engine.picture.decided import chain
from gamedsl.engine.picture.picture import Place, Scored
from gamedsl.engine.picture.sketch import sketch_of
from gamedsl.engine.picture.supports import smallest_support
from gamedsl.engine.picture.value_words import said
from gamedsl.language.boards import Family
from gamedsl.language.core import free_locals, tallies_of
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError, Span, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine import Gain, State
    from gamedsl.language.boards import Board

MOST_NAMED = 12
BORDER = "border"  # the domain of the borders of a drawing

Bound = Mapping[int, int]


@lazy_dataclass(frozen=True)
class Item:
    """Something that counts: its name, its worth, its places, and those of a line or a border that stays marked."""

    name: str
    worth: int
    places: tuple[Place, ...]
    line: tuple[Place, ...] = ()


@lazy_dataclass(frozen=True)
class Explanation:
    """How a score comes about: a sentence, the places that count, and the lines and borders among them."""

    text: str = ""
    places: tuple[Place, ...] = ()
    scored: tuple[Scored, ...] = ()


@lazy_dataclass(frozen=True)
class Drawn:
    """What is drawn of a part: ``places``, the names of their domains; for a drawing, the names of its ``borders``
    too."""

    board: Board | None
    places: tuple[str, ...]
    borders: tuple[str, ...] = ()


def drawn_of(state: State, part: n.Part, places: tuple[str, ...]) -> Drawn:
    """What is drawn of a part in a position."""
    if part.drawing is None or not places or not isinstance(part.drawing.type, n.DrawingT):
        return Drawn(part.board, places)
    sketch = sketch_of((part.drawing.type.plan, codes_of(state, part.drawing)[0]))
    borders = () if sketch is None else tuple(border.name for border in sketch.borders)
    return Drawn(part.board, (*places, BORDER), borders)


def explain(
    state: State, part: n.Part, mark: n.Mark, locals: Bound, gains: Sequence[Gain], places: tuple[str, ...]
) -> Explanation:
    """How the number of a line beside the board comes about; ``NOTHING`` if it is not a player's number, or counts
    something that has no name or that the viewer may not know."""
    program, number = state.game.program, mark.what
    if number is None or not is_score(program, mark):
        return NOTHING
    drawn = drawn_of(state, part, places)
    with suppress(NotKnown, GameDSLError):
        value = evaluate_at(state, number, locals)
        items, clauses = _by_plies(state, number, locals, gains, drawn)
        if not items:
            items, clauses = list(items_of(state, number, locals, drawn)), cited(program, span_of(program, number))
        if items and sum(item.worth for item in items) == value:
            owners = [locals[local.id] for local in owner_locals(part, mark)]
            owner = owners[0] if len(owners) == 1 else None
            lines = tuple(Scored(item.line, owner) for item in items if item.line)
            lit = tuple(dict.fromkeys(place for item in items for place in item.places))
            return Explanation(_text(items, clauses), lit, lines)
    return NOTHING


NOTHING = Explanation()


def is_score(program: n.Program, mark: n.Mark) -> bool:
    """Whether a rule of the look shows a number of a player."""
    players = {part.players for part in program.parts}
    is_number = mark.what is not None and isinstance(mark.what.type, n.IntT)
    return is_number and any(isinstance(b.type, n.ElemT) and b.type.domain in players for b, _ in mark.binders)


def owner_locals(part: n.Part, mark: n.Mark) -> tuple[n.Local, ...]:
    """The names bound to players of the part on which the number depends."""
    read = {} if mark.what is None else free_locals(mark.what)
    return tuple(b for b, _ in mark.binders if b.id in read and b.type == n.ElemT(part.players))


def _by_plies(
    state: State, number: n.Expr, locals: Bound, gains: Sequence[Gain], drawn: Drawn
) -> tuple[list[Item], tuple[str, ...]]:
    """The items that plies added to a variable, and the clauses they were counted by."""
    if not isinstance(number, n.Get) or len(number.keys) != 1:
        return [], ()
    slot, items, clauses = evaluate_at(state, number.keys[0], locals), [], dict[str, None]()
    for gain in gains:
        if (gain.variable, gain.slot) != (number.var.index, slot):
            continue
        known, found = dict(gain.known), list[Item]()
        if gain.number is not None and gain.at is not None:
            with suppress(NotKnown, GameDSLError):
                found = list(items_of(gain.at, gain.number, known, drawn))
        is_whole = bool(found) and sum(item.worth for item in found) == gain.amount
        items += found if is_whole else [Item(gain.text, gain.amount, ())]
        counted = () if gain.number is None else cited(state.game.program, span_of(state.game.program, gain.number))
        clauses |= dict.fromkeys((*counted, *cited(state.game.program, gain.span)))
    return items, tuple(clauses)


def items_of(state: State, number: n.Expr, locals: Bound, drawn: Drawn) -> Iterator[Item]:
    """The items that a number counts, except those that have no name."""
    for tally in tallies_of(state.game.program, number):
        for known in bindings(state, tally.binders, locals):
            if tally.binders and evaluate_at(state, tally.condition, known):
                worth = evaluate_at(state, tally.worth, known)
                local = tally.binders[-1][0]
                if worth:
                    found = _places(state, local, known, tally.condition, drawn.places)
                    yield Item(_name(local, known, found, drawn), worth, found, _line(local, found, drawn))


def _places(
    state: State, local: n.Local, known: Bound, condition: n.Expr, places: tuple[str, ...]
) -> tuple[Place, ...]:
    """The places of something that counts: its own, those of a family's member, or those that make it count."""
    match local.type:
        case n.ElemT(Family(base=base, members=members)) if base.name in places:
            return tuple((base.name, i) for i in range(base.size) if members[known[local.id]] >> i & 1)
        case n.ElemT(domain) if domain.name in places:
            return ((domain.name, known[local.id]),)
        case _:
            return smallest_support(state, condition, known, places)


def _line(local: n.Local, found: tuple[Place, ...], drawn: Drawn) -> tuple[Place, ...]:
    """The places of something that stays marked as long as it counts: a border of a drawing, or the cells of a line in
    order."""
    match local.type:
        case n.ElemT(Family()) if drawn.board is not None:
            return tuple((drawn.board.place, cell) for cell in chain(drawn.board, found))
        case n.ElemT(domain) if domain.name == BORDER:
            return found
        case _:
            return ()


def _name(local: n.Local, known: Bound, found: tuple[Place, ...], drawn: Drawn) -> str:
    """The name of something that counts: for a border, the names of its spaces; for something that is not drawn, those
    of the places that make it count."""
    match local.type:
        case n.ElemT(domain) if domain.name == BORDER and drawn.borders:
            return drawn.borders[known[local.id]]
        case n.ElemT(domain) if isinstance(domain, Family) or not found or domain.name == found[0][0]:
            return said(local.type, known[local.id])
        case _:
            return "-".join(_called(place, drawn) for place in found)


def _called(place: Place, drawn: Drawn) -> str:
    name, index = place
    return f"{name[0]}{index + 1}" if drawn.board is None else drawn.board.domains[name].names[index]


def span_of(program: n.Program, number: n.Expr) -> Span:
    return program.functions[number.function].span if isinstance(number, n.CallF) else number.span


def cited(program: n.Program, span: Span) -> tuple[str, ...]:
    """The clauses cited in the lines of a span."""
    if span.start == span.end:
        return ()
    last = span.source.position(span.end)[0]
    cited = (c for c in program.citations if c.span.source == span.source and not c.presentation)
    return tuple(dict.fromkeys(c.clause for c in cited if span.line <= c.span.line <= last))


def _text(items: Sequence[Item], clauses: Sequence[str]) -> str:
    named = [f"{item.name} ({item.worth})" for item in items[:MOST_NAMED]]
    more = f" and {len(items) - MOST_NAMED} more" if len(items) > MOST_NAMED else ""
    return f"= {' + '.join(named)}{more}" + (f" [{', '.join(clauses)}]" if clauses else "")
