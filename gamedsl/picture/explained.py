"""How a score beside the board comes about: what the rules count for it, and where that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gamedsl.boards import Family
from gamedsl.core import tallies_of
from gamedsl.core.nodes import CallF, ElemT, Expr, Get, IntT, Local, Mark, Program
from gamedsl.engine import NotKnown, bindings, evaluate_at
from gamedsl.picture.picture import Place
from gamedsl.picture.supports import smallest_support
from gamedsl.picture.values import said
from gamedsl.source import GameDSLError, Span

if TYPE_CHECKING:
    from gamedsl.engine import Gain, State

MOST_NAMED = 12

Bound = Mapping[int, int]


@dataclass(frozen=True)
class Item:
    """Something that counts: its name, what it is worth, and its places."""

    name: str
    worth: int
    places: tuple[Place, ...]


def explain(
    state: State, mark: Mark, locals: Bound, gains: Sequence[Gain], places: tuple[str, ...]
) -> tuple[str, tuple[Place, ...]]:
    """What the number of a line beside the board consists of, to follow it, and the places that count; nothing if the
    number is not that of a player, or counts nothing that has a name."""
    program, number = state.game.program, mark.what
    if number is None or not isinstance(number.type, IntT) or not any(_is_player(program, b) for b, _ in mark.binders):
        return "", ()
    with suppress(NotKnown, GameDSLError):
        value = evaluate_at(state, number, locals)
        items, clauses = _by_plies(state, number, locals, gains, places)
        if not items:
            items, clauses = list(items_of(state, number, locals, places)), _cited(program, _span(program, number))
        if items and sum(item.worth for item in items) == value:
            return _text(items, clauses), tuple(dict.fromkeys(place for item in items for place in item.places))
    return "", ()


def _is_player(program: Program, local: Local) -> bool:
    return isinstance(local.type, ElemT) and local.type.domain in {part.players for part in program.parts}


def _by_plies(
    state: State, number: Expr, locals: Bound, gains: Sequence[Gain], places: tuple[str, ...]
) -> tuple[list[Item], tuple[str, ...]]:
    """What plies added to a variable, and the clauses by which."""
    if not isinstance(number, Get) or len(number.keys) != 1:
        return [], ()
    slot, items, clauses = evaluate_at(state, number.keys[0], locals), [], dict[str, None]()
    for gain in gains:
        if (gain.variable, gain.slot) != (number.var.index, slot):
            continue
        known, found = dict(gain.known), list[Item]()
        if gain.number is not None and gain.at is not None:
            with suppress(NotKnown, GameDSLError):
                found = list(items_of(gain.at, gain.number, known, places))
        is_whole = bool(found) and sum(item.worth for item in found) == gain.amount
        items += found if is_whole else [Item(gain.text, gain.amount, ())]
        counted = () if gain.number is None else _cited(state.game.program, _span(state.game.program, gain.number))
        clauses |= dict.fromkeys((*counted, *_cited(state.game.program, gain.span)))
    return items, tuple(clauses)


def items_of(state: State, number: Expr, locals: Bound, places: tuple[str, ...]) -> Iterator[Item]:
    """What a number counts, but for what has no name."""
    for tally in tallies_of(state.game.program, number):
        for known in bindings(state, tally.binders, locals):
            if tally.binders and evaluate_at(state, tally.condition, known):
                worth = evaluate_at(state, tally.worth, known)
                local = tally.binders[-1][0]
                found = _places(state, local, known, tally.condition, places)
                if worth:
                    yield Item(_name(local, known, found), worth, found)


def _places(state: State, local: Local, known: Bound, condition: Expr, places: tuple[str, ...]) -> tuple[Place, ...]:
    """Where something that counts is: on a place, on the places of a set, or on those that make it count."""
    match local.type:
        case ElemT(Family(base=base, members=members)) if base.name in places:
            return tuple((base.name, i) for i in range(base.size) if members[known[local.id]] >> i & 1)
        case ElemT(domain) if domain.name in places:
            return ((domain.name, known[local.id]),)
        case _:
            return smallest_support(state, condition, known, places)


def _name(local: Local, known: Bound, found: tuple[Place, ...]) -> str:
    """The name of what counts; of something that is not drawn, those of the places that make it count."""
    match local.type:
        case ElemT(domain) if isinstance(domain, Family) or not found or domain.name == found[0][0]:
            return said(local.type, known[local.id])
        case _:
            return "-".join(f"{name[0]}{i + 1}" for name, i in found)


def _span(program: Program, number: Expr) -> Span:
    return program.functions[number.function].span if isinstance(number, CallF) else number.span


def _cited(program: Program, span: Span) -> tuple[str, ...]:
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
