"""Stacks on the places of a board: what lies below the top of each, and how each of its things looks.

A look shows the top, as a rule. How the things below look is asked of the same look: a stack of a single thing is put on a place,
and what the look shows there is its sign. A thing that no look shows has its initial, and the color of its owner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from gamedsl.engine import codes_of
from gamedsl.engine.picture import looks
from gamedsl.engine.picture.board_view import place_names
from gamedsl.engine.picture.picture import BARE, Glyph, Place, Spot
from gamedsl.engine.picture.unset_values import unset_by_block
from gamedsl.engine.picture.value_words import said
from gamedsl.language.boards import Domain
from gamedsl.language.core import nodes as n
from gamedsl.language.core import words
from gamedsl.language.source import GameDSLError, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine import Game, State, Value

Put: TypeAlias = Callable[[int], Mapping[int, "Value"]]  # a place -> what is put there, by slot
MOST_THINGS = 64  # of a kind that lies in stacks; more could not be told apart
PROBES = 4  # places on which a thing is put to see how it looks


@lazy_dataclass(frozen=True)
class BoardStack:
    """A variable with a stack for every place of a domain that is drawn. ``signs``: how each thing looks, by its value from
    the least on; ``has_top``: the look shows the top of the stack as what stands there, so only the rest lies below."""

    var: n.Var
    signs: tuple[Glyph, ...]
    has_top: bool

    @property
    def domain(self) -> Domain:
        """The domain of the places."""
        return self.var.keys[0]

    @property
    def lowest(self) -> int:
        """The least value that lies in a stack."""
        return _values(self.var)[0]


@lru_cache(maxsize=64)
def stacks_on_board(game: Game, part: int) -> tuple[BoardStack, ...]:
    """The stacks on the board of a part."""
    drawn = place_names(game.program.parts[part])
    own = [v for v in game.program.variables if v.part == part and v.role == "state" and isinstance(v.type, n.StackT)]
    on_board = [v for v in own if len(v.keys) == 1 and v.keys[0].name in drawn and 0 < len(_values(v)) <= MOST_THINGS]
    return tuple(_stack(game, game.program.parts[part], v) for v in on_board)


def mark_stacks(state: State, part: n.Part, spots: dict[Place, Spot]) -> None:
    """Adds to the spots of a picture what lies below them; nothing where the viewer (``state`` is what they see) does not know
    what lies in the stack, or how high it is."""
    unset = unset_by_block(state.game)[state.block]
    for stack in stacks_on_board(state.game, part.index):
        if stack.var.index in unset:
            continue
        for index, codes in enumerate(codes_of(state, stack.var)):
            if isinstance(codes, tuple) and codes and all(isinstance(code, int) for code in codes):
                signs = [stack.signs[code - stack.lowest] for code in codes]
                place = (stack.domain.name, index)
                spots[place] = _with_stack(spots.get(place, BARE), signs, stack.has_top)


def _with_stack(spot: Spot, signs: list[Glyph], has_top: bool) -> Spot:
    """A spot with its stack; what the look shows of the top has its owner and its name, if the look does not say them."""
    if not has_top:
        return replace(spot, below=tuple(signs))
    top = signs.pop()
    alike = (top.text, top.colour)
    glyphs = (
        replace(g, owner=top.owner, piece=g.piece or top.piece)
        if top.owner and not g.owner and (g.sign, g.colour) == alike
        else g
        for g in spot.glyphs
    )
    return replace(spot, glyphs=tuple(glyphs), below=tuple(signs))


# ------------------------------------------------------------------------------------------------- how things look


def _values(var: n.Var) -> range:
    """What can lie in the stacks of a variable; empty if that is neither an element nor a number."""
    assert isinstance(var.type, n.StackT)
    match var.type.inner:
        case n.ElemT(domain):
            return range(domain.size)
        case n.IntT(low=low, high=high):
            return range(low, high + 1)
        case _:
            return range(0)


def _stack(game: Game, part: n.Part, var: n.Var) -> BoardStack:
    state, values = _probed(game, part), _values(var)
    shown = [_shown(state, part, var, code) for code in values]
    signs = tuple(_sign(part, var, state, code, glyph) for code, glyph in zip(values, shown, strict=True))
    return BoardStack(var, signs, any(shown))


def _probed(game: Game, part: n.Part) -> State:
    """A state in which a player of the part chooses, with the values of the beginning."""
    first = game.initial_state()
    if first.part == part.index:
        return first
    ends = (b for b in game.program.blocks if b.part == part.index and isinstance(b.end, n.Decide))
    block = next((b.index for b in ends), first.block)
    return game.make_state(block, first.slots)


def _shown(state: State, part: n.Part, var: n.Var, code: int) -> Glyph | None:
    """What the look shows where a thing lies alone in a stack, and not where there is none."""
    first = state.game.code.offsets[var.index]
    return _first_new(state, part, var.keys[0], lambda i: {first + i: (code,)})


def _standing(state: State, part: n.Part, var: n.Var, owner: int, kind: tuple[Domain, int]) -> Glyph | None:
    """What the look shows where a piece of a player stands, with a field of this value: for stacks of what pieces have been."""
    game, place = state.game, var.keys[0]
    variables, offsets = game.program.variables, game.code.offsets
    pieces = [v for v in variables if v.role == "piece" and v.keys == (part.players,) and v.type == n.SetT(place)]
    fields = [v for v in variables if v.keys == (place,) and v.type == n.OptT(n.ElemT(kind[0]))]
    for piece, field in product(pieces, fields):
        slot, of_field = offsets[piece.index] + owner, offsets[field.index]

        def put(index: int, slot: int = slot, first: int = of_field) -> dict[int, Value]:
            return {slot: 1 << index, first + index: kind[1] + 1}

        found = _first_new(state, part, place, put)
        if found is not None:
            return found
    return None


def _first_new(state: State, part: n.Part, domain: Domain, put: Put) -> Glyph | None:
    """The glyph that appears on one of the first places after something is put there."""
    before = _spots(state, part)
    for index in range(min(PROBES, domain.size)):
        changed = list(state.slots)
        for slot, value in put(index).items():
            changed[slot] = value
        place = (domain.name, index)
        old = before.get(place, BARE).glyphs
        with suppress(GameDSLError):
            after = _spots(state.game.make_state(state.block, tuple(changed)), part)
            new = next((g for g in after.get(place, BARE).glyphs if g not in old), None)
            if new is not None:
                return new
    return None


def _spots(state: State, part: n.Part) -> Mapping[Place, Spot]:
    found = looks.LookResult()
    looks.look(state, part, found, tuple(place_names(part)))
    return found.spots


def _sign(part: n.Part, var: n.Var, state: State, code: int, shown: Glyph | None) -> Glyph:
    """How a thing in a stack looks, with its owner and its name in the words of the rules."""
    owner, rest = _named(part, var, code)
    found = shown
    if found is None and owner is not None and len(rest) == 1:
        found = _standing(state, part, var, owner, rest[0])
    name = " ".join(words(domain.names[i]) for domain, i in rest)
    if found is None:
        assert isinstance(var.type, n.StackT)
        found = Glyph(name[:1].upper() if rest else said(var.type.inner, code))
    return Glyph(
        found.sign,
        found.colour,
        piece=name,
        owner=found.owner if owner is None else words(part.players.names[owner]),
        shape=found.shape,
    )


def _named(part: n.Part, var: n.Var, code: int) -> tuple[int | None, list[tuple[Domain, int]]]:
    """The number of the player to whom a thing belongs, if it says so, and what else it consists of."""
    assert isinstance(var.type, n.StackT)
    if not isinstance(var.type.inner, n.ElemT):
        return None, []
    domain = var.type.inner.domain
    parts = [(d, table[code]) for d, table in domain.components] or [(domain, code)]
    owner = next((i for d, i in parts if d == part.players), None)
    return owner, [(d, i) for d, i in parts if d != part.players]
