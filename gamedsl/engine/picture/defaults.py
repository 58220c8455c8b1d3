"""The look of a position if the ruleset does not define one: pieces by their initials, variables beside the board."""

from __future__ import annotations

from itertools import product as combinations
from typing import TYPE_CHECKING

from gamedsl.engine import Unknown, codes_of
from gamedsl.engine.picture.looks import LookResult
from gamedsl.engine.picture.picture import Aside, Entry, Glyph
from gamedsl.engine.picture.thing_holdings import holdings, shown_holdings
from gamedsl.engine.picture.unset_values import unset_by_block
from gamedsl.engine.picture.value_words import said
from gamedsl.language.boards import Domain, elements
from gamedsl.language.core import nodes as n
from gamedsl.language.core import words

if TYPE_CHECKING:
    from gamedsl.engine import State

LONGEST_VALUE = 3
_PLAYER_COLOURS = ("red", "blue", "green", "yellow", "magenta", "cyan")


def initials(names: tuple[str, ...]) -> tuple[str, ...]:
    """The shortest prefixes that distinguish the names; for p1, p2 ... only the numbers."""
    stems = {name.rstrip("0123456789") for name in names}
    numbers = [name[len(name.rstrip("0123456789")) :] for name in names]
    if len(stems) == 1 and len(names) > 1 and all(numbers):
        return tuple(numbers)
    for length in range(1, max((len(name) for name in names), default=0) + 1):
        short = tuple(name[:length] for name in names)
        if len(set(short)) == len(names):
            return short
    return names


def show_pieces(state: State, part: n.Part, result: LookResult, places: tuple[str, ...]) -> None:
    """Shows the pieces of a part by their initials, with heights; the legend explains them."""
    pieces = _variables(state, part, "piece")
    labels = piece_labels(part, pieces)
    for var in pieces:
        assert isinstance(var.type, n.SetT)
        values = codes_of(state, var)
        above = state.game.variable(f"{var.name} above", part.index)
        for slot in range(var.slots):
            label, colour = labels[(var.index, slot)], _PLAYER_COLOURS[slot % 6] if var.keys else None
            owner = var.keys[0].names[slot] if var.keys else ""
            if isinstance(values[slot], Unknown) or var.type.domain.name not in places:
                continue
            if label.casefold() not in (owner.casefold(), var.name.casefold()):
                result.explain(Entry(label, words(var.name), colour, owner))
            for index in elements(values[slot]):
                height = None if above is None else codes_of(state, above)[slot * var.type.domain.size + index] + 1
                text = label if height is None else f"{label}{height}"
                glyph = Glyph(text, colour, number=height, piece=words(var.name), owner=owner)
                result.add_glyph(var.type.domain.name, index, glyph)


def show_values(state: State, part: n.Part, result: LookResult, place: Domain | None) -> n.Var | None:
    """Shows the first variable that has a value for every place, on those places; for parts without pieces. Returns
    that variable, or None if there is none."""
    for var in _variables(state, part, "state"):
        if place is None or var.keys != (place,) or isinstance(var.type, n.StoredT | n.SetT):
            continue
        for index, value in enumerate(codes_of(state, var)):
            if not isinstance(value, Unknown) and (value != 0 or isinstance(var.type, n.ElemT)):
                text = said(var.type, value)
                result.add_glyph(place.name, index, Glyph(text if len(text) <= LONGEST_VALUE else text[:1]))
        result.asides.append(Aside(f"on the board: {words(var.name)}"))
        return var
    return None


def piece_labels(part: n.Part, pieces: list[n.Var]) -> dict[tuple[int, int], str]:
    """A distinct short label for every kind of piece and owner."""
    kinds = initials(tuple(v.name for v in pieces))
    owners = initials(part.players.names)
    owned = [v for v in pieces if v.keys]
    labels: dict[tuple[int, int], str] = {}
    for var, kind in zip(pieces, kinds, strict=True):
        for slot in range(var.slots):
            if not var.keys:
                labels[(var.index, slot)] = kind
            elif len(owned) == 1:
                labels[(var.index, slot)] = owners[slot]
            elif part.players.size == 2:
                labels[(var.index, slot)] = kind.lower() if slot else kind.upper()
            else:
                labels[(var.index, slot)] = kind + owners[slot]
    if len(set(labels.values())) < len(labels):
        return {key: f"{part.players.names[key[1]][:1]}{number}" for number, key in enumerate(labels, 1)}
    return labels


def tell_variables(state: State, part: n.Part, result: LookResult, place: Domain | None = None) -> None:
    """Adds the variables of a part, one per line, without those that the viewer may not know or that have no value yet.
    ``place``: the fields of the board that is drawn, which show one variable if there are no pieces."""
    pieces = _variables(state, part, "piece")
    on_board = None if pieces else show_values(state, part, result, place)
    unset = unset_by_block(state.game)[state.block]
    held = {holdings(state.game)[i].var.index for i in shown_holdings(state.game)[part.index]}
    for var in (*_variables(state, part, "state"), *_variables(state, part, "countdown")):
        if isinstance(var.type, n.HistoryT | n.DrawingT) or var is on_board or var.index in unset:
            continue
        told = [t for t in _told(state, var) if t]
        if told:
            result.asides.append(Aside(f"{words(var.name)}:", tuple(told), is_held=var.index in held))


def _told(state: State, var: n.Var) -> list[str]:
    values = codes_of(state, var)
    if not var.keys:
        return [] if isinstance(values[0], Unknown) else [_value(var, values[0])]
    keys = combinations(*(k.names for k in var.keys))
    return [f"{' '.join(k)} {_value(var, v)}" for k, v in zip(keys, values, strict=True) if not isinstance(v, Unknown)]


def _value(var: n.Var, value: object) -> str:
    match var.type:
        case n.StackT(inner):
            assert isinstance(value, tuple)
            return " ".join(said(inner, v) for v in value) or "empty"
        case n.HistoryT() | n.DrawingT():
            return ""
        case plain:
            assert isinstance(value, int)
            return said(plain, value)


def _variables(state: State, part: n.Part, role: str) -> list[n.Var]:
    return [v for v in state.game.program.variables if v.part == part.index and v.role == role]
