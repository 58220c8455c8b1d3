"""Effects on values that a seat may not know: abstract interpretation of statements, one at a time.

A *world* is a state that may be the actual one. Where the answer to a condition is not known, the world splits; worlds
that a seat cannot tell apart are merged again after each statement, so that their number stays small. A statement that
cannot be followed makes only the variables that it may write unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gamedsl.engine.errors import RulesError
from gamedsl.engine.information.unknown_values import Answers, NotKnown, SeenSlots, Unknown, hull, may_be, unknown
from gamedsl.engine.values import bits, first_value, popped, pushed
from gamedsl.language.core import nodes as n
from gamedsl.language.core import offset, walk_statements, written
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine.state import Game

MOST_WORLDS = 24
MOST_VALUES = 4  # of an expression, each in a world of its own
MOST_RUNS = 12  # of an expression, to find its values


@lazy_dataclass(frozen=True)
class World:
    """The values that a state may have, those of the names in scope, and whether the effect has ended."""

    slots: SeenSlots
    names: dict[int, Any]
    has_stopped: bool = False


Worlds = list[World]


class TooManySteps(Exception):
    """More statements need to be run than the bound allows."""


class PossibleEffects:
    """Runs statements of a game. ``visible``: the numbers of the slots that the seat sees; ``most``: the largest number
    of statements to run in all."""

    def __init__(self, game: Game, answers: Answers, visible: frozenset[int], most: int) -> None:
        self.game, self.answers, self.visible, self.left = game, answers, visible, most
        self._settled_slots: dict[int, list[list[int]]] = {}  # by kind of move

    def run(self, statements: Iterable[n.CoreStmt], worlds: Worlds) -> Worlds:
        """The possible worlds after the statements; none if the rules fail in all of them."""
        for s in statements:
            going = [w for w in worlds if not w.has_stopped]
            if not going:
                return worlds
            self.left -= len(going)
            if self.left < 0:
                raise TooManySteps
            ended = [w for w in worlds if w.has_stopped]
            after = [x for w in going for x in self._step(s, w)]
            worlds = self._merged([*ended, *after]) if len(after) + len(ended) > 1 else after
        return worlds

    def effect(self, schema: int, args: tuple[Any, ...], w: World) -> Worlds:
        """The worlds after the effect of a kind of move. ``args``: the mover and the parameters."""
        made = self.game.program.schemas[schema]
        names = dict(zip((made.me.id, *(p.local.id for p in made.params)), args, strict=True))
        return [World(x.slots, w.names) for x in self.run(made.effect, [World(w.slots, names)])]

    def last_effect(self, schema: int, args: tuple[Any, ...], w: World, after: Mapping[int, Any]) -> Worlds:
        """The same as ``effect``, if nothing follows it and the visible slots have the values ``after`` at its end. A
        world is dropped as soon as a visible slot that no later statement writes has another value."""
        made = self.game.program.schemas[schema]
        names = dict(zip((made.me.id, *(p.local.id for p in made.params)), args, strict=True))
        worlds = [World(w.slots, names)]
        for statement, settled in zip(made.effect, self._settled(schema), strict=True):
            worlds = self.run((statement,), worlds)
            worlds = [x for x in worlds if all(may_be(x.slots[i], after[i]) for i in settled)]
            if not worlds:
                break
        return [World(x.slots, w.names) for x in worlds]

    def _settled(self, schema: int) -> list[list[int]]:
        """For each statement of an effect, the visible slots of the variables that no later statement writes."""
        if schema not in self._settled_slots:
            later: set[int] = set()
            found: list[list[int]] = []
            for s in reversed(self.game.program.schemas[schema].effect):
                own = {v.index: v for v in self._written((s,)) if v.index not in later}
                firsts = ((self.game.code.offsets[i], v.slots) for i, v in own.items())
                found.append([i for first, number in firsts for i in range(first, first + number) if i in self.visible])
                later |= own.keys()
            self._settled_slots[schema] = found[::-1]
        return self._settled_slots[schema]

    # ------------------------------------------------------------------------------------------------ statements

    def _step(self, s: n.CoreStmt, w: World) -> Iterable[World]:
        match s:
            case n.Assign(var=var, keys=keys, value=value):
                return self._assign(var, keys, value, w)
            case n.Reset(var=var):
                return [self._reset(var, w)]
            case n.LetS(local=local, value=value):
                found = self.values(value, w)
                return [replace(w, names={**w.names, local.id: v}) for v in found]
            case n.IfS(condition=condition, then=then, otherwise=otherwise):
                sides = [otherwise, then]
                return [x for side in self.truths(condition, w) for x in self._block(sides[side], w)]
            case n.ForS():
                return self._loop(s, w)
            case n.StopS():
                return [replace(w, has_stopped=True)]
            case n.Check(condition=condition):
                return [w] if 1 in self.truths(condition, w) else []
            case n.PushS() | n.PopS():
                return self._stack(s, w)
            case n.NoteS(history=history):
                return [self._forgets([history], w)]
            case n.Effect(schema=schema, args=args):
                return self.effect(schema, tuple(self.value(a, w) for a in args), w)

    def _block(self, statements: tuple[n.CoreStmt, ...], w: World) -> Worlds:
        return [World(x.slots, w.names, x.has_stopped) for x in self.run(statements, [w])]

    def _assign(self, var: n.Var, keys: tuple[n.Expr, ...], value: n.Expr, w: World) -> Iterator[World]:
        at = self.slot(var, keys, w)
        is_seen = isinstance(at, Unknown) or at in self.visible
        for v in self.values(value, w) if is_seen else [self.value(value, w)]:
            slots = SeenSlots(w.slots)
            slots[at] = v
            yield replace(w, slots=slots)

    def _reset(self, var: n.Var, w: World) -> World:
        slots, at = SeenSlots(w.slots), self.game.code.offsets[var.index]
        slots[at : at + var.slots] = [first_value(var.type, i) for i in var.initial]
        return replace(w, slots=slots)

    def _loop(self, s: n.ForS, w: World) -> Worlds:
        over = self.value(s.over, w)
        if isinstance(over, Unknown):
            forgetful = self._forgets(self._written(s.body), w)
            stops = any(isinstance(x, n.StopS) for x in walk_statements(s.body))
            return [forgetful, *([replace(forgetful, has_stopped=True)] if stops else [])]
        worlds, low = [w], offset(s.local.type)
        for i in bits(over):
            bound = [x if x.has_stopped else replace(x, names={**w.names, s.local.id: i + low}) for x in worlds]
            worlds = self.run(s.body, bound)
        return [World(x.slots, w.names, x.has_stopped) for x in worlds]

    def _stack(self, s: n.PushS | n.PopS, w: World) -> Worlds:
        at, slots = self.slot(s.var, s.keys, w), SeenSlots(w.slots)
        stack = Unknown() if isinstance(at, Unknown) else slots[at]
        if isinstance(stack, Unknown):
            slots[at] = unknown(s.var.type, self.answers)
            return [replace(w, slots=slots)]
        assert isinstance(s.var.type, n.StackT)
        try:
            if isinstance(s, n.PushS):
                value = self.value(s.value, w)
                higher = pushed(stack, value, s.var.type.limit, s.span)
                slots[at] = unknown(s.var.type, self.answers) if isinstance(value, Unknown) else higher
            else:
                slots[at] = popped(stack, s.span)
        except RulesError:
            return []
        return [replace(w, slots=slots)]

    def _forgets(self, variables: Iterable[n.Var], w: World) -> World:
        slots = SeenSlots(w.slots)
        for var in variables:
            first = self.game.code.offsets[var.index]
            for i in range(first, first + var.slots):
                slots[i] = unknown(var.type, self.answers)
        return replace(w, slots=slots)

    def _written(self, statements: tuple[n.CoreStmt, ...]) -> Iterator[n.Var]:
        for s in walk_statements(statements):
            if isinstance(s, n.Effect):
                yield from self._written(self.game.program.schemas[s.schema].effect)
            elif (var := written(s)) is not None:
                yield var

    def slot(self, var: n.Var, keys: tuple[n.Expr, ...], w: World) -> Any:
        at: Any = self.game.code.offsets[var.index]
        stride = var.slots
        for domain, key in zip(var.keys, keys, strict=True):
            stride //= max(1, domain.size)
            at = at + self.value(key, w) * stride
        return at

    # ----------------------------------------------------------------------------------------------- expressions

    def value(self, e: n.Expr, w: World) -> Any:
        """The value of an expression; an unknown one if it depends on something hidden, or fails."""
        match e:
            case n.Const(value=value):
                return value
            case n.Load(local=local):
                return w.names[local.id]
        try:
            return self._run(e, w)
        except (NotKnown, RulesError):
            return unknown(e.type, self.answers)

    def values(self, e: n.Expr, w: World) -> list[Any]:
        """The values that an expression may have: a few known ones, or a single unknown one; an empty list if it
        fails."""
        if isinstance(e, n.Const | n.Load):
            return [self.value(e, w)]
        try:
            return [self._run(e, w)]
        except RulesError:
            return []
        except NotKnown:
            found = self._tried(e, w, MOST_VALUES)
        return [unknown(e.type, self.answers)] if found is None else found

    def truths(self, e: n.Expr, w: World) -> list[int]:
        """The answers that a condition may have."""
        try:
            value = self._run(e, w)
            return [0, 1] if isinstance(value, Unknown) else [int(bool(value))]
        except RulesError:
            return []
        except NotKnown:
            found = self._tried(e, w, 2)
        return (
            [0, 1] if found is None or any(isinstance(v, Unknown) for v in found) else sorted({int(v) for v in found})
        )

    def _run(self, e: n.Expr, w: World) -> Any:
        function, order = self.game.function_of(e)
        return function(w.slots, *(w.names[i] for i in order))

    def _tried(self, e: n.Expr, w: World, most: int) -> list[Any] | None:
        """The values of an expression for all answers to the unknown conditions inside it; None if there are too many,
        or one is unknown."""
        found: list[Any] = []
        for v in self.answers.tried(lambda: self._run(e, w), MOST_RUNS):
            if v is None or isinstance(v, Unknown):
                return None
            if v not in found:
                found.append(v)
                if len(found) > most:
                    return None
        return found

    def _merged(self, worlds: Worlds) -> Worlds:
        """The worlds with those that look alike merged. If too many remain, all are merged into one (the stopped ones
        apart)."""
        found: dict[tuple[Any, ...], World] = {}
        for w in worlds:
            slots = w.slots
            key = (w.has_stopped, *[_look(slots[i]) for i in self.visible], *map(_look, w.names.values()))
            found[key] = w if key not in found else _joined(found[key], w)
        if len(found) <= MOST_WORLDS:
            return list(found.values())
        one: dict[bool, World] = {}
        for w in found.values():
            one[w.has_stopped] = w if w.has_stopped not in one else _joined(one[w.has_stopped], w)
        return list(one.values())


def _look(value: Any) -> Any:
    return Unknown if isinstance(value, Unknown) else value


def _joined(a: World, b: World) -> World:
    slots = SeenSlots([x if x is y else hull(x, y) for x, y in zip(a.slots, b.slots, strict=True)])
    names = {i: hull(a.names[i], b.names[i]) for i in a.names.keys() & b.names.keys()}
    return World(slots, names, a.has_stopped)
