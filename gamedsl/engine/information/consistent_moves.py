"""What a seat can infer of a ply: that in which all actions agree that are consistent with what the seat saw.

Each possible action is tried on the position as the seat sees it. It is consistent with the observation if afterwards no
value that the seat sees differs from the actual one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gamedsl.core import limits, make_plan, offset
from gamedsl.core.nodes import Bind, Chance, Choose, Decide, DecideTogether, Expr, Goto, Schema
from gamedsl.engine.errors import RulesError
from gamedsl.engine.information.observation import known_slots
from gamedsl.engine.information.seat_view import hidden_from
from gamedsl.engine.information.unknown_values import Answers, NotKnown, SeenSlots, Unknown, paths
from gamedsl.engine.moves import MoveKind
from gamedsl.engine.play import actions as act
from gamedsl.engine.state import State
from gamedsl.engine.values import Slots, bits

if TYPE_CHECKING:
    from gamedsl.engine.game import Game

MOST_ACTIONS = 20_000


@dataclass(frozen=True)
class Action:
    """An action at a stop. ``args``: the arguments of a move, or the number of a chosen value or outcome; ``block`` and
    ``number``: which alternative of which decision it is."""

    kind: MoveKind
    schema: int | None
    args: tuple[int, ...]
    block: int
    number: int = 0


@dataclass(frozen=True)
class Inference:
    """What all consistent actions have in common: nothing (``kind`` None), the kind, perhaps some arguments (else None)."""

    kind: MoveKind | None = None
    schema: int | None = None
    args: tuple[int | None, ...] = ()

    @property
    def is_whole(self) -> bool:
        return self.kind is not None and None not in self.args


def do(game: Game, action: Action, mover: int, s: Slots) -> None:
    """Executes an action in ``s``. After outcomes, chosen values and moves whose effect continues in blocks, the
    statements that follow belong to the ply too, up to the next branch or stop."""
    block, code = game.program.blocks[action.block], game.code.blocks[action.block]
    match block.end:
        case Decide(alternatives=alternatives) | DecideTogether(alternatives=alternatives):
            if isinstance(block.end, Decide) and code.tick is not None:
                code.tick(s)
            if action.kind == "move":
                alt = alternatives[action.number]
                act.carry_out(game, s, alt, mover, action.args)
                if alt.registers:
                    _go_on(game, s, alt.target)
        case Choose(var=var, target=target):
            slot = code.queries["slot"](s)
            if code.tick is not None:
                code.tick(s)
            s[slot] = action.args[0] + offset(var.type)
            _go_on(game, s, target)
        case Chance(result=result, target=target):
            s[game.code.offsets[result.index]] = action.args[0] + offset(result.type)
            _go_on(game, s, target)


def _go_on(game: Game, s: Slots, block: int) -> None:
    passed: set[int] = set()
    while block not in passed:
        passed.add(block)
        run = game.code.blocks[block].run
        if run is not None:
            run(s)
        end = game.program.blocks[block].end
        if not isinstance(end, Goto):
            return
        block = end.target


class Observer:
    """A seat that observes a ply from ``stop`` with these values (simultaneous choices are executed one by one)."""

    def __init__(self, stop: State, slots: Slots, mover: int, seat: int | None) -> None:
        self.game = stop.game
        self.stop = stop
        self.slots = slots
        self.mover = mover
        self.seat = seat
        self.view = hidden_from(stop, seat, slots)
        self.hidden = [(i, v) for i, v in enumerate(self.view) if isinstance(v, Unknown)]
        self.changes = any(v.viewers is not None for v in self.game.program.variables)  # who sees what
        self.visible = self._visible(slots)

    def infer(self, action: Action) -> tuple[Inference, bool]:
        """What the seat can infer of the action taken, and whether it saw anything change."""
        after = list(self.slots)
        do(self.game, action, self.mover, after)
        visible = self._visible(after) if self.changes else self.visible
        changed = visible != self.visible or any(after[i] != self.slots[i] for i in visible)
        self.visible = visible
        found: Inference | None = None
        for tried, other in enumerate(self._possible_actions()):
            if tried == MOST_ACTIONS:
                return Inference(), changed
            weaker = _weakened(found, other)
            # Most actions tell nothing new, and trying one is dear.
            if weaker != found and self._explains(other, after):
                found = weaker
                if found.kind is None:
                    break
        return found or Inference(), changed

    def _visible(self, slots: Slots) -> list[int]:
        """The numbers of the slots that the seat sees in a position."""
        offsets = self.game.code.offsets
        return [
            i
            for var in self.game.program.variables
            if var.role != "temp"
            for i, known in enumerate(known_slots(self.stop, var, self.seat, slots), offsets[var.index])
            if known
        ]

    def _explains(self, action: Action, after: Slots) -> bool:
        try:
            return any(self._fits(s, after) for s in paths(lambda answers: self._done(action, answers)))
        except NotKnown:
            return True

    def _done(self, action: Action, answers: Answers) -> SeenSlots:
        s = SeenSlots(self.view)
        for i, value in self.hidden:
            s[i] = Unknown(answers, value.low, value.high)
        do(self.game, action, self.mover, s)
        return s

    def _fits(self, s: SeenSlots, after: Slots) -> bool:
        return all(isinstance(s[i], Unknown) or s[i] == after[i] for i in self.visible)

    # -------------------------------------------------------------------------------------------------- ways

    def _possible_actions(self) -> Iterator[Action]:
        """The possible actions at all stops that look like this one to the seat."""
        here = self.game.program.blocks[self.stop.block]
        for block in self.game.program.blocks:
            if (block.phase, block.part) == (here.phase, here.part) and _look(block.end) == _look(here.end):
                yield from self._actions_at(block.index)

    def _actions_at(self, number: int) -> Iterator[Action]:
        end = self.game.program.blocks[number].end
        match end:
            case Decide(alternatives=alternatives) | DecideTogether(alternatives=alternatives):
                for i, alt in enumerate(alternatives):
                    for args in self._arguments(self.game.program.schemas[alt.schema]):
                        yield Action("move", alt.schema, args, number, i)
                if isinstance(end, Decide) and end.may_pass is not None:
                    yield Action("pass", None, (), number)
            case Choose(names=names):
                yield from (Action("choose", None, (i,), number) for i in range(len(names)))
            case Chance(names=names, over=over):
                chosen = self._value(over, {})
                outcomes = range(len(names)) if chosen is None else bits(chosen)
                yield from (Action("chance", None, (i,), number) for i in outcomes)

    def _arguments(self, schema: Schema) -> Iterator[tuple[int, ...]]:
        """All arguments that may be legal, as far as the seat can tell."""
        plan = schema.plan or make_plan(schema.params, schema.guards)

        def bound(step: int, known: dict[int, int]) -> Iterator[tuple[int, ...]]:
            if step == len(plan):
                yield tuple(known[p.local.id] for p in schema.params)
                return
            here = plan[step]
            if not isinstance(here, Bind):
                if self._value(here.condition, known) != 0:
                    yield from bound(step + 1, known)
                return
            local = schema.params[here.param].local
            over = self._value(here.over, known)
            low, high = limits(local.type)
            values = range(low, high + 1) if over is None else [i + offset(local.type) for i in bits(over)]
            for value in values:
                yield from bound(step + 1, {**known, local.id: value})

        yield from bound(0, {schema.me.id: self.mover})

    def _value(self, e: Expr, known: Mapping[int, int]) -> int | None:
        """The value of an expression; None if the seat cannot tell."""
        function, order = self.game.function_of(e)
        try:
            return int(function(self.view, *(known[i] for i in order)))
        except (NotKnown, RulesError):
            return None


def _look(end: object) -> str:
    """How a kind of stop looks to a seat."""
    match end:
        case Decide() | Choose():
            return "player"
        case _:
            return type(end).__name__


def _weakened(so_far: Inference | None, action: Action) -> Inference:
    """The inference weakened by one more consistent action."""
    if so_far is None:
        return Inference(action.kind, action.schema, action.args)
    if (so_far.kind, so_far.schema) != (action.kind, action.schema):
        return Inference()
    args = tuple(a if a == b else None for a, b in zip(so_far.args, action.args, strict=True))
    return Inference(action.kind, action.schema, args)
