"""Programs that end after the first choice and encode it in the utilities: they show how compiled playouts choose."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import replace

from gamedsl.engine import InterpretedGame
from gamedsl.engine.state import State
from gamedsl.language.core.constant_folding import limits
from gamedsl.language.core.nodes import (
    Alt,
    Block,
    Chance,
    Choose,
    Const,
    Convert,
    Decide,
    ElemT,
    End,
    Expr,
    Get,
    IntT,
    Op2,
    Program,
    Schema,
    SetT,
    Terminator,
    Var,
)

STRIDE = 1_000_000  # between the codes of two kinds of move
DEVIATIONS = 4.5


class Telling:
    """A program in which the choice at one stop is the last thing; the first player's utility is the choice's code."""

    def __init__(self, state: State) -> None:
        self.state, self.old = state, state.game.program
        self.variables = list(self.old.variables)
        self.blocks = list(self.old.blocks)
        here = self.blocks[state.block]
        self.blocks[state.block] = replace(here, end=self._end(here.end))
        self.program: Program = replace(self.old, variables=tuple(self.variables), blocks=tuple(self.blocks))
        self.game = InterpretedGame(self.program)

    def start(self) -> State:
        """The same position in the changed program."""
        more = sum(v.slots for v in self.variables[len(self.old.variables) :])
        return self.game.make_state(self.state.block, (*self.state.slots, *[0] * more))

    def code(self, schema: int, args: Sequence[int]) -> int:
        found, scale = schema * STRIDE, 1
        for value, low, size in zip(args, *self._shape(schema), strict=True):
            found += (value - low) * scale
            scale *= size
        return found

    def _shape(self, schema: int) -> tuple[list[int], list[int]]:
        ranges = [limits(p.local.type) for p in self.old.schemas[schema].params]
        return [low for low, _ in ranges], [high - low + 1 for low, high in ranges]

    # ------------------------------------------------------------------------------------------------- changing

    def _end(self, end: Terminator) -> Terminator:
        match end:
            case Decide():
                alternatives = tuple(self._alternative(a) for a in end.alternatives)
                passed = None if end.may_pass is None else self._last(_number(-1))
                return replace(end, alternatives=alternatives, may_pass=passed)
            case Choose():
                kept = self._var(end.var.type)
                return replace(end, var=kept, keys=(), target=self._last(_plain(Get(kept, (), _value(kept)))))
            case Chance():
                return replace(end, target=self._last(_plain(Get(end.result, (), _value(end.result)))))
        raise AssertionError("there is nothing to draw here")

    def _alternative(self, a: Alt) -> Alt:
        schema: Schema = self.old.schemas[a.schema]
        kept = tuple(self._var(t) for t in (schema.me.type, *(p.local.type for p in schema.params)))
        total: Expr = _number(a.schema * STRIDE)
        scale = 1
        for var, low, size in zip(kept[1:], *self._shape(a.schema), strict=True):
            digit = _sum("sub", _plain(Get(var, (), _value(var))), _number(low))
            total = _sum("add", total, _sum("mul", digit, _number(scale)))
            scale *= size
        return Alt(a.schema, self._last(total), kept)

    def _var(self, t: object) -> Var:
        assert isinstance(t, ElemT | IntT)
        var = Var(len(self.variables), "kept", t, initial=(max(0, limits(t)[0]),))
        self.variables.append(var)
        return var

    def _last(self, code: Expr) -> int:
        players = self.old.players
        nobody = Const(0, SetT(players))
        payoff = (code, *(_number(0) for _ in range(players.size - 1)))
        end = End(payoff, nobody, ())
        self.blocks.append(Block(len(self.blocks), (), end, "", self.blocks[self.state.block].part))
        return len(self.blocks) - 1


def _value(var: Var) -> ElemT | IntT:
    assert isinstance(var.type, ElemT | IntT)
    return var.type


def _plain(e: Expr) -> Expr:
    if isinstance(e.type, IntT):
        return e
    assert isinstance(e.type, ElemT)
    return Convert(e, IntT(0, e.type.domain.size - 1))


def _number(n: int) -> Expr:
    return Const(n, IntT(n, n))


def _sum(op: str, a: Expr, b: Expr) -> Expr:
    assert isinstance(a.type, IntT) and isinstance(b.type, IntT)
    do = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}[op]
    ends = [do(x, y) for x in (a.type.low, a.type.high) for y in (b.type.low, b.type.high)]
    return Op2(op, a, b, IntT(min(ends), max(ends)))  # type: ignore[arg-type]


# -------------------------------------------------------------------------------------------------------- measuring


def chi_square(seen: Sequence[int], expected: Sequence[float]) -> float:
    return sum((n - e) ** 2 / e for n, e in zip(seen, expected, strict=True))


def most_chi_square(classes: int, deviations: float = DEVIATIONS) -> float:
    """What chi-square stays below but for a chance of about 3 in a million (the cube root of Wilson and Hilferty)."""
    df = classes - 1
    if df == 0:
        return 0.0
    spread = 2 / (9 * df)
    return df * (1 - spread + deviations * math.sqrt(spread)) ** 3


__all__ = ["Telling", "chi_square", "most_chi_square"]
