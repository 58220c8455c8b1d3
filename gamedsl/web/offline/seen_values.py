"""Expressions over what one seat may know: the value of a hidden variable is read only where the seat may know it.

The seat is a local of the expressions. What it may not know fails with ``HIDDEN``. The rule is that of
``gamedsl.engine.information.observation``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import TYPE_CHECKING

from gamedsl.core import map_children
from gamedsl.core.nodes import (
    AfterE,
    Arranged,
    BoolT,
    CallF,
    Cond,
    Const,
    Expr,
    Fail,
    Function,
    Get,
    IntT,
    Load,
    Local,
    Noted,
    Op2,
    SetT,
    SomeMove,
    StackOp,
    Var,
)

if TYPE_CHECKING:
    from gamedsl.engine import Game

HIDDEN = "hidden from who looks"
SPECTATOR = -1


class SeenValues:
    """Rewrites expressions of a game. ``viewer``: the local that holds the seat, or ``SPECTATOR``. ``functions``: those of the
    program as a seat may ask them, made on demand; they are numbered from ``first`` on."""

    def __init__(self, game: Game, viewer: Local, first: int) -> None:
        self.program, self.secrets, self.viewer, self.first = game.program, game.secrets, viewer, first
        self.functions: list[Function] = []
        self._number: dict[int, int] = {}

    def of(self, e: Expr) -> Expr:
        """The expression, which fails where its value depends on what the viewer may not know."""
        if not self._reads_hidden(e):
            return e
        match e:
            case Get(var=var) | StackOp(var=var) if self.secrets.is_hidden(var):
                seen = map_children(e, self.of)
                assert isinstance(seen, Get | StackOp)
                return Cond(self._may_see(var, seen.keys), seen, Fail(HIDDEN, e.type), e.type)
            case CallF(function=number, args=args):
                return CallF(self._function(number), (Load(self.viewer), *map(self.of, args)), e.type)
            case AfterE() | SomeMove() | Noted() | Arranged():
                return Fail(HIDDEN, e.type)
            case _:
                return map_children(e, self.of)

    def _reads_hidden(self, e: Expr) -> bool:
        return any(self.secrets.is_hidden(self.program.variables[i]) for i in self.secrets.reads((e,)))

    def _function(self, number: int) -> int:
        """The number of a function's form for one seat."""
        if number not in self._number:
            called = self.program.functions[number]
            body = self.of(called.body)
            self._number[number] = self.first + len(self.functions)
            self.functions.append(
                Function(self._number[number], f"{called.name} seen", (self.viewer, *called.params), body)
            )
        return self._number[number]

    def _may_see(self, var: Var, keys: tuple[Expr, ...]) -> Expr:
        return _any((*self._as_owner(var, keys), *self._as_viewer(var, keys)))

    def _as_owner(self, var: Var, keys: tuple[Expr, ...]) -> Iterable[Expr]:
        """The first key that is a player says whose the value is."""
        part = self.program.parts[var.part]
        key = next((k for k, domain in zip(keys, var.keys, strict=True) if domain == part.players), None)
        if var.seen != "owner" or key is None:
            return
        for i, seat in enumerate(part.seats):
            yield _both(_equal(key, Const(i, key.type)), self._is_seat(seat))

    def _as_viewer(self, var: Var, keys: tuple[Expr, ...]) -> Iterable[Expr]:
        """Those to whom it was shown; a spectator if everybody is among them."""
        if var.viewers is None:
            return
        shown, part = self.program.variables[var.viewers], self.program.parts[var.part]
        assert isinstance(shown.type, SetT)
        to = Get(shown, keys[: len(shown.keys)], shown.type)
        for i, seat in enumerate(part.seats):
            member = Op2("in", Const(i, IntT(0, part.players.size - 1)), to, BoolT())
            yield _both(member, self._is_seat(seat))
        everybody = _equal(to, Const(part.players.full, shown.type))
        yield _both(everybody, _equal(Load(self.viewer), Const(SPECTATOR, self.viewer.type)))

    def _is_seat(self, seat: Expr) -> Expr:
        return _equal(seat, Load(self.viewer))


def _equal(a: Expr, b: Expr) -> Expr:
    return Op2("eq", a, b, BoolT())


def _both(a: Expr, b: Expr) -> Expr:
    return Op2("and", a, b, BoolT())


def _any(conditions: Iterable[Expr]) -> Expr:
    no: Expr = Const(0, BoolT())
    return reduce(lambda a, b: Op2("or", a, b, BoolT()), conditions, no)
