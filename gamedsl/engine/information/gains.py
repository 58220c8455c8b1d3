"""The amounts that plies added to the scores that a look shows, and what the rules counted to get them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from gamedsl.engine.facts.score_variables import added_number
from gamedsl.engine.information.unknown_values import NotKnown
from gamedsl.engine.play.actions import mover_of
from gamedsl.engine.state import State
from gamedsl.engine.stop import codes_of, evaluate_at
from gamedsl.engine.values import bits
from gamedsl.language.core import nodes as n
from gamedsl.language.core import offset, terminator_tick
from gamedsl.language.source import NOWHERE, GameDSLError, Span, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine.moves import Move


@lazy_dataclass(frozen=True)
class Gain:
    """The ``amount`` that a ply added to a slot of a variable. ``number``: the expression that the rules added (None:
    not known), with its value in the position ``at`` with the values ``known`` for its names, by id; ``span``: the line
    of the rules that adds it; ``text``: the name of the ply."""

    variable: int
    slot: int
    amount: int
    text: str
    number: n.Expr | None = None
    at: State | None = None
    known: tuple[tuple[int, int], ...] = ()
    span: Span = NOWHERE


def gains_of(
    before: State, move: Move, after: State, text: str, texts: Mapping[int, str] | None = None
) -> tuple[Gain, ...]:
    """The gains of a ply in the scores that are shown, except those that the observer may not know. ``text``: the name
    of the ply; ``texts``: its names by player of the part, where several have chosen together."""
    found: list[Gain] = []
    variables = [v for v in before.game.scores_shown if v.part not in after.entered]
    counted: list[Gain] | None = None
    for var in variables:
        old, new = codes_of(before, var), codes_of(after, var)
        for slot, (a, b) in enumerate(zip(old, new, strict=True)):
            if isinstance(a, int) and isinstance(b, int) and a != b:
                counted = _counted(before, move) if counted is None else counted
                own = [g for g in counted if (g.variable, g.slot) == (var.index, slot)]
                is_known = sum(g.amount for g in own) == b - a
                called = (texts or {}).get(slot, text) if var.part == before.part else text
                found += own if is_known else [Gain(var.index, slot, b - a, called)]
    return tuple(found)


def _counted(before: State, move: Move) -> list[Gain]:
    """The gains in the effect of a move, each with the position in which it is counted. None of them if the effect
    depends on something that the observer may not know, or contains a statement that ``Follower`` does not repeat."""
    if move.schema is None:
        return []
    schema = before.game.program.schemas[move.schema]
    follower = Follower(before, move.text)
    try:
        mover = mover_of(before.whole, move.player)  # who acts is public
        if mover is None:
            return []
        known = {schema.me.id: mover} | {p.local.id: a for p, a in zip(schema.params, move.args, strict=True)}
        follower.follow(terminator_tick(before.terminator), {})
        return list(follower.follow(schema.effect, known))
    except (NotKnown, NotFollowed, GameDSLError):
        return []


class NotFollowed(Exception):
    """A statement that ``Follower`` does not repeat."""


class Follower:
    """Repeats the effect of a move statement by statement, and notes what it adds to scores."""

    def __init__(self, before: State, text: str) -> None:
        self.game, self.block, self.text = before.game, before.block, text
        self.slots = list(before.slots)
        self.lets: dict[int, tuple[n.Expr, State]] = {}

    @property
    def position(self) -> State:
        return self.game.make_state(self.block, tuple(self.slots))

    def follow(self, statements: Iterable[n.CoreStmt], known: dict[int, int]) -> list[Gain]:
        found: list[Gain] = []
        for s in statements:
            match s:
                case n.LetS(local=local, value=value):
                    self.lets[local.id] = (value, self.position)
                    known[local.id] = self._value(value, known)
                case n.IfS(condition=condition, then=then, otherwise=otherwise):
                    found += self.follow(then if self._value(condition, known) else otherwise, known)
                case n.ForS(local=local, over=over, body=body):
                    for i in bits(self._value(over, known)):
                        found += self.follow(body, {**known, local.id: i + offset(local.type)})
                case n.Effect(schema=index, args=args):
                    schema = self.game.program.schemas[index]
                    names = (schema.me, *(p.local for p in schema.params))
                    found += self.follow(
                        schema.effect, {name.id: self._value(a, known) for name, a in zip(names, args, strict=True)}
                    )
                case n.Assign():
                    found += self._assign(s, known)
                case n.Reset(var=var):
                    first = self.game.code.offsets[var.index]
                    self.slots[first : first + var.slots] = self.game.first_values()[first : first + var.slots]
                case n.Check():
                    pass
                case _:
                    raise NotFollowed
        return found

    def _assign(self, s: n.Assign, known: dict[int, int]) -> Iterator[Gain]:
        slot = 0
        for domain, key in zip(s.var.keys, s.keys, strict=True):
            slot = slot * domain.size + self._value(key, known)
        number = added_number(s) if s.var in self.game.scores_shown else None
        amount = 0 if number is None else self._value(number, known)
        if number is not None and amount:
            at = self.position
            if isinstance(number, n.Load) and number.local.id in self.lets:
                number, at = self.lets[number.local.id]
            yield Gain(s.var.index, slot, amount, self.text, number, at, tuple(known.items()), s.span)
        self.slots[self.game.code.offsets[s.var.index] + slot] = self._value(s.value, known)

    def _value(self, e: n.Expr, known: dict[int, int]) -> int:
        return evaluate_at(self.position, e, known)
