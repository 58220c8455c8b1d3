"""Expressions restricted to the knowledge of one seat: a hidden variable is read only where the seat may know its
value.

The seat is a local of the expressions. Reading what it may not know fails with ``HIDDEN``. The rule is that of
``gamedsl.engine.information.observation``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Literal

from gamedsl.language.core import map_children, told_by_results
from gamedsl.language.core import nodes as n
from gamedsl.play.web.offline.seen_effects import Given, conditions_of_effect

if TYPE_CHECKING:
    from gamedsl.engine import Game

HIDDEN = "hidden from the viewer"
SPECTATOR = -1
MOST_CONDITIONS = 16  # those beyond tell nothing


def revealing(game: Game) -> int:
    """The period of the numbers of viewers: once the game is over, a viewer's number is larger by this, so that what its results
    may tell is shown, and by 2 ** i times this for each condition i (see ``conditions``) that held at the end."""
    return game.num_players + 1


def conditions(game: Game) -> list[tuple[n.MayTell, int | None]]:
    """The conditions under which results may tell something: claims, each with the player of a part whose values it is about
    (None: of all). They are about the position in which the game ended."""
    program, found = game.program, list[tuple[n.MayTell, int | None]]()
    for index, claims in told_by_results(program).items():
        owners = range(program.parts[program.variables[index].part].players.size)
        for claim in claims:
            wanted = [] if claim.when is None else [None] if claim.owner is None else owners
            found += [(claim, one) for one in wanted if (claim, one) not in found]
    return found[:MOST_CONDITIONS]


class SeenValues:
    """Rewrites expressions of a game. ``viewer``: the local that holds the seat, or ``SPECTATOR``. ``functions``: those of the
    program as a seat may ask them, made on demand; they are numbered from ``first`` on."""

    def __init__(self, game: Game, viewer: n.Local, first: int) -> None:
        self.program, self.secrets, self.viewer, self.first = game.program, game.secrets, viewer, first
        self.told, self.over = told_by_results(game.program), revealing(game)
        self.conditions = conditions(game)
        self.functions: list[n.Function] = []
        self._number: dict[int, int] = {}

    def of(self, e: n.Expr) -> n.Expr:
        """The expression, which fails where its value depends on what the viewer may not know."""
        if not self.reads_hidden(e):
            return e
        match e:
            case n.Get(var=var) | n.StackOp(var=var) if self.secrets.is_hidden(var):
                seen = map_children(e, self.of)
                assert isinstance(seen, n.Get | n.StackOp)
                return n.Cond(self.may_see(var, seen.keys), seen, n.Fail(HIDDEN, e.type), e.type)
            case n.CallF(function=number, args=args):
                return n.CallF(self._function(number), (n.Load(self.viewer), *map(self.of, args)), e.type)
            case n.AfterE():
                return self._after(e)
            case _ if e.reads_state and not isinstance(e, n.Get | n.StackOp):
                return n.Fail(HIDDEN, e.type)
            case _:
                return map_children(e, self.of)

    def _after(self, e: n.AfterE) -> n.Expr:
        """The same where the viewer may know everything from which the position after the ply is computed."""
        schema = None if e.schema is None else self.program.schemas[e.schema]
        names = () if schema is None else (schema.me, *(p.local for p in schema.params))
        given: Given = {local.id: a for local, a in zip(names, e.args, strict=True)}
        plies: tuple[tuple[tuple[n.CoreStmt, ...], Given], ...]
        plies = (e.tick, {}), (() if schema is None else schema.effect, given), (e.passed, {})
        wanted = [c for statements, known in plies for c in conditions_of_effect(self, statements, known)]
        seen = map_children(e, self.of)
        return reduce(lambda a, c: n.Cond(c, a, n.Fail(HIDDEN, e.type), e.type), wanted, seen)

    @cached_property
    def told_with(self) -> frozenset[int]:
        """The numbers of the variables that decide who may see something."""
        viewers = frozenset(v.viewers for v in self.program.variables if v.viewers is not None)
        return viewers | self.secrets.reads(seat for part in self.program.parts for seat in part.seats)

    def is_hidden(self, var: n.Var) -> bool:
        """Whether a variable is hidden from somebody."""
        return self.secrets.is_hidden(var)

    def reads_hidden(self, e: n.Expr) -> bool:
        """Whether the value of an expression depends on something that is hidden from somebody."""
        return any(self.secrets.is_hidden(self.program.variables[i]) for i in self.secrets.reads((e,)))

    def _function(self, number: int) -> int:
        """The number of the form of a function for one seat."""
        if number not in self._number:
            called = self.program.functions[number]
            body = self.of(called.body)
            self._number[number] = self.first + len(self.functions)
            self.functions.append(
                n.Function(self._number[number], f"{called.name} seen", (self.viewer, *called.params), body)
            )
        return self._number[number]

    def may_see(self, var: n.Var, keys: tuple[n.Expr, ...]) -> n.Expr:
        """The condition that the viewer may know a value of a hidden variable."""
        return _any((*self._as_owner(var, keys), *self._as_viewer(var, keys), *self._as_result(var, keys)))

    def _as_result(self, var: n.Var, keys: tuple[n.Expr, ...]) -> Iterable[n.Expr]:
        """The conditions that the game is over and its results may tell the value."""
        last = n.Const(SPECTATOR + self.over - 1, self.viewer.type)
        is_over = n.Op2("lt", last, n.Load(self.viewer), n.BoolT())
        for claim in self.told.get(var.index, ()):
            if claim.when is None:
                yield is_over
                continue
            owner = self._owner(var, keys)
            for i, (other, player) in enumerate(self.conditions):
                if other == claim and player is None:
                    yield _both(is_over, self._held(i))
                elif other == claim and owner is not None:
                    yield _both(is_over, _both(_equal(owner, n.Const(player or 0, owner.type)), self._held(i)))

    def _held(self, i: int) -> n.Expr:
        """Whether a condition held at the end."""
        most = 1 << len(self.conditions)
        rounds = _divided("div", self._counted(), self.over, most)
        bit = _divided("mod", _divided("div", n.Op2("sub", rounds, _int(1), n.IntT(-1, most)), 1 << i, most), 2, 1)
        return _equal(bit, _int(1))

    def _counted(self) -> n.Expr:
        """The number of the viewer, from 0."""
        most = self.over * ((1 << len(self.conditions)) + 1)
        return n.Op2("sub", n.Load(self.viewer), _int(SPECTATOR), n.IntT(0, most))

    def _owner(self, var: n.Var, keys: tuple[n.Expr, ...]) -> n.Expr | None:
        """The first key that is a player; None if there is no such key."""
        players = self.program.parts[var.part].players
        return next((k for k, domain in zip(keys, var.keys, strict=True) if domain == players), None)

    def _as_owner(self, var: n.Var, keys: tuple[n.Expr, ...]) -> Iterable[n.Expr]:
        """The condition that the viewer owns the value."""
        key = self._owner(var, keys)
        if var.seen != "owner" or key is None:
            return
        for i, seat in enumerate(self.program.parts[var.part].seats):
            yield _both(_equal(key, n.Const(i, key.type)), self._is_seat(seat))

    def _as_viewer(self, var: n.Var, keys: tuple[n.Expr, ...]) -> Iterable[n.Expr]:
        """The condition that the value was shown to the viewer; to a spectator only if it was shown to everybody."""
        if var.viewers is None:
            return
        shown, part = self.program.variables[var.viewers], self.program.parts[var.part]
        assert isinstance(shown.type, n.SetT)
        to = n.Get(shown, keys[: len(shown.keys)], shown.type)
        for i, seat in enumerate(part.seats):
            member = n.Op2("in", n.Const(i, n.IntT(0, part.players.size - 1)), to, n.BoolT())
            yield _both(member, self._is_seat(seat))
        everybody = _equal(to, n.Const(part.players.full, shown.type))
        yield _both(everybody, self._is_viewer(n.Const(SPECTATOR, self.viewer.type)))

    def _is_seat(self, seat: n.Expr) -> n.Expr:
        return self._is_viewer(seat)

    def _is_viewer(self, number: n.Expr) -> n.Expr:
        """Whether somebody is the viewer, before or after the end."""
        if not self.told:
            return _equal(number, n.Load(self.viewer))
        seat = n.Op2("add", _divided("mod", self._counted(), self.over, self.over), _int(SPECTATOR), self.viewer.type)
        return _equal(number, seat)


def _int(value: int) -> n.Expr:
    return n.Const(value, n.IntT(value, value))


def _divided(op: Literal["div", "mod"], e: n.Expr, by: int, most: int) -> n.Expr:
    return n.Op2(op, e, _int(by), n.IntT(0, most))


def _equal(a: n.Expr, b: n.Expr) -> n.Expr:
    return n.Op2("eq", a, b, n.BoolT())


def _both(a: n.Expr, b: n.Expr) -> n.Expr:
    return n.Op2("and", a, b, n.BoolT())


def _any(conditions: Iterable[n.Expr]) -> n.Expr:
    no: n.Expr = n.Const(0, n.BoolT())
    return reduce(lambda a, b: n.Op2("or", a, b, n.BoolT()), conditions, no)
