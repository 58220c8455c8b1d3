"""Selection of a move by touching places. The legal moves and the touched places determine the remaining moves, the
places that can be touched next, and the chosen move. Nothing here depends on keys, mice or characters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from gamedsl.engine import codes_of
from gamedsl.engine.picture import Place, covered_places, inside
from gamedsl.language.boards import Domain, Family, elements
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass
from gamedsl.play.guidance import COVERED

if TYPE_CHECKING:
    from gamedsl.engine import ActionKind, Move, State

Group: TypeAlias = frozenset[Place]


@lazy_dataclass(frozen=True)
class Option:
    """A move and the places at which it is touched: one group per parameter that names any (several places if it names a
    line or a block). ``params``: these parameters; ``at``: the group touched last."""

    move: Move
    groups: tuple[Group, ...]
    at: int = -1
    params: tuple[int, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether a place of every group has been touched."""
        return self.at == len(self.groups) - 1


@lazy_dataclass(frozen=True)
class Selection:
    """The selection so far. ``live``: the remaining moves."""

    options: tuple[Option, ...]
    live: tuple[Option, ...]
    touched: tuple[Place, ...] = ()
    is_final: bool = False  # the last place was touched twice: the move names no further places

    @classmethod
    def among(cls, options: Sequence[Option]) -> Selection:
        """The selection before anything is chosen."""
        kept = tuple(o for o in options if o.groups)
        return cls(kept, kept)

    @property
    def decided(self) -> Move | None:
        """The chosen move. A single remaining move that names further places is not taken yet: they are shown
        first."""
        if len(self.live) == 1 and self.touched and (self.live[0].is_whole or self.is_final):
            return self.live[0].move
        return None

    @property
    def ambiguous(self) -> tuple[Move, ...]:
        """The remaining moves if touching places cannot distinguish them; empty as long as it can."""
        if len(self.live) > 1 and self.touched and (self.is_final or not self.targets):
            return tuple(o.move for o in self.live)
        return ()

    @property
    def targets(self) -> Group:
        """The places that can be touched next, once something is chosen."""
        if not self.touched:
            return frozenset()
        tells = [p for o in self.live for p in _refining(o, self.live)]
        ahead = [p for o in self.live if not o.is_whole for p in o.groups[o.at + 1]]
        return frozenset(tells + ahead) - set(self.touched)

    def touch(self, place: Place) -> Selection | None:
        """The selection after touching a place, or None if no remaining move names it (then nothing changes). If other
        moves begin there, these are chosen instead.

        The places of a move are touched in the order in which it names them; if no move fits in that order, a later
        place is accepted. Touching the same place again ends the move.
        """
        if self.touched and place == self.touched[-1]:
            exact = tuple(o for o in self.live if frozenset().union(*o.groups) <= set(self.touched))
            whole = tuple(o for o in self.live if o.is_whole)
            return replace(self, live=exact or whole or self.live, is_final=True)
        for step in (_next, _later):
            live = tuple(replace(o, at=at) for o in self.live if (at := step(o, place)) is not None)
            if live:
                return replace(self, live=live, touched=(*self.touched, place), is_final=False)
        if self.touched and any(place in o.groups[0] for o in self.options):
            return Selection.among(self.options).touch(place)
        return None

    def back(self) -> Selection:
        """The selection without the place touched last."""
        again = Selection.among(self.options)
        for place in self.touched[:-1]:
            again = again.touch(place) or again
        return again

    def touches(self, place: Place) -> bool:
        """Whether any move names the place."""
        return any(place in g for o in self.options for g in o.groups)


def _next(option: Option, place: Place) -> int | None:
    """The group of a place: the one touched last, if it has several places, else the one after it."""
    if option.at >= 0 and place in option.groups[option.at]:
        return option.at
    if not option.is_whole and place in option.groups[option.at + 1]:
        return option.at + 1
    return None


def _later(option: Option, place: Place) -> int | None:
    return next((i for i in range(option.at + 1, len(option.groups)) if place in option.groups[i]), None)


def _refining(option: Option, live: Sequence[Option]) -> Group:
    """The places of the group touched last that some other move lacks in that group."""
    mine = option.groups[option.at]
    return frozenset(p for p in mine if any(o.at != option.at or p not in o.groups[o.at] for o in live))


# ------------------------------------------------------------------------------------------- what moves name


def options(state: State, moves: Sequence[Move], drawn: Callable[[Place], bool]) -> list[Option]:
    """The moves with the places they name, as far as these are drawn, or with those that they put pieces on, for kinds of
    moves that are touched there; for a move whose parameters name none, the places where it changes the pieces on the
    board (unless the rules hide something)."""
    found = named_options(state, moves, drawn)
    if state.game.secrets.hides:
        return found
    return [o if o.groups else _changing(state, o.move, drawn) for o in found]


def named_options(state: State, moves: Sequence[Move], drawn: Callable[[Place], bool]) -> list[Option]:
    """The moves with the places that their parameters, or their kinds of moves, name alone."""
    covered = {kind.schema: (kind, covered_places(state.game, kind)) for kind in state.game.action_kinds}
    return [_option(state, m, drawn, covered.get(m.schema)) for m in moves]


Covered: TypeAlias = "tuple[ActionKind, tuple[str, list[list[int]]] | None]"


def _option(state: State, move: Move, drawn: Callable[[Place], bool], covered: Covered | None) -> Option:
    if move.schema is None:
        return Option(move, ())
    if covered is not None and covered[1] is not None:
        kind, (domain, rows) = covered[0], covered[1]
        group = frozenset((domain, i) for i in rows[state.game.action(move) - kind.first])
        if group and all(drawn(p) for p in group):
            return Option(move, (group,), params=(COVERED,))
    schema = state.game.program.schemas[move.schema]
    groups = [
        frozenset(p for p in _places(param.local.type, value) if drawn(p))
        for param, value in zip(schema.params, move.args, strict=True)
    ]
    named = [(i, group) for i, group in enumerate(groups) if group]
    return Option(move, tuple(group for _, group in named), params=tuple(i for i, _ in named))


def _places(type: n.ValueT, value: int) -> list[Place]:
    """The elements that a value stands for: itself, the members of a set or a line, the parts of a pair."""
    match type:
        case n.ElemT(Family() as family):
            return [(family.base.name, i) for i in elements(family.members[value])]
        case n.ElemT(domain):
            return _parts(domain, value)
        case n.OptT(inner):
            return _places(inner, inside(inner, value)) if value else []
        case n.SetT(domain):
            return [p for i in elements(value) for p in _parts(domain, i)]
        case _:
            return []


def _parts(domain: Domain, index: int) -> list[Place]:
    return [(domain.name, index), *((factor.name, table[index]) for factor, table in domain.components)]


def _changing(state: State, move: Move, drawn: Callable[[Place], bool]) -> Option:
    """A move with the places that are occupied after it and were empty before it, or vice versa."""
    if move.kind != "move":
        return Option(move, ())
    after = state.apply(move)
    places: set[Place] = set()
    for var in state.game.program.variables:
        if var.role == "piece" and isinstance(var.type, n.SetT):
            for old, new in zip(codes_of(state, var), codes_of(after, var), strict=True):
                places |= {(var.type.domain.name, i) for i in elements(old ^ new)}
    shown = frozenset(p for p in places if drawn(p))
    return Option(move, (shown,), params=(COVERED,)) if shown else Option(move, ())
