"""What a seat can infer of a ply from two positions as it sees them: everything that is the same for all actions
consistent with what the seat saw.

Each action is tried on the position as the seat sees it. It is consistent if afterward no value that the seat sees
differs from the actual one. Whole ranges of actions are refuted at once, by trying them with unknown arguments first.
The search of ``lookalikes`` is exact; this one is quick, and finds less where it cannot follow the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gamedsl.engine.errors import RulesError
from gamedsl.engine.facts.unnoticed_ways import look_of
from gamedsl.engine.information.observation import known_slots
from gamedsl.engine.information.possible_effects import MOST_WORLDS, PossibleEffects, TooManySteps, World, Worlds
from gamedsl.engine.information.seat_view import hidden_from
from gamedsl.engine.information.unknown_values import Answers, NotKnown, SeenSlots, Unknown, may_be, unknown
from gamedsl.engine.moves import MoveKind
from gamedsl.engine.notation import PASS, chance_text
from gamedsl.engine.play import actions as act
from gamedsl.engine.state import State
from gamedsl.engine.values import Slots, bits
from gamedsl.language.core import free_locals, limits, offset, terminator_tick
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine.state import Game

MOST_STEPS = 12_000  # statements that are tried for one ply
FIRST_TRIALS = 24  # of one alternative, before the parameters are put in a better order


@lazy_dataclass(frozen=True)
class Action:
    """An action at a stop. ``args``: the arguments of a move, or the number of a chosen value or outcome; ``block``:
    the decision; ``number``: its alternative."""

    kind: MoveKind
    schema: int | None
    args: tuple[int, ...]
    block: int
    number: int = 0


@lazy_dataclass(frozen=True)
class Inference:
    """What all consistent actions have in common: nothing (``kind`` is None), or a kind and perhaps some arguments (the
    others are None). ``schema``: the number of a move's schema, or the word for what chance does."""

    kind: MoveKind | None = None
    schema: int | str | None = None
    args: tuple[int | str | None, ...] = ()

    @property
    def is_whole(self) -> bool:
        return self.kind is not None and None not in self.args

    def joined(self, other: Inference) -> Inference:
        """What two inferences have in common."""
        if (self.kind, self.schema, len(self.args)) != (other.kind, other.schema, len(other.args)):
            return Inference()
        same = tuple(a if a == b else None for a, b in zip(self.args, other.args, strict=True))
        return Inference(self.kind, self.schema, same)


def do(game: Game, action: Action, mover: int, s: Slots) -> None:
    """Executes an action on the values ``s``. After outcomes, chosen values and moves whose effect continues in blocks,
    the following statements, up to the next branch or stop, belong to the ply too."""
    block, code = game.program.blocks[action.block], game.code.blocks[action.block]
    match block.end:
        case n.Decide(alternatives=alternatives) | n.DecideTogether(alternatives=alternatives):
            if isinstance(block.end, n.Decide) and code.tick is not None:
                code.tick(s)
            if action.kind == "move":
                alt = alternatives[action.number]
                act.carry_out(game, s, alt, mover, action.args)
                if alt.registers:
                    _go_on(game, s, alt.target)
        case n.Choose(var=var, target=target):
            slot = code.queries["slot"](s)
            if code.tick is not None:
                code.tick(s)
            s[slot] = action.args[0] + offset(var.type)
            _go_on(game, s, target)
        case n.Chance(result=result, target=target):
            s[game.code.offsets[result.index]] = action.args[0] + offset(result.type)
            _go_on(game, s, target)


def _go_on(game: Game, s: Slots, block: int) -> None:
    for number in blocks_passed(game, block):
        run = game.code.blocks[number].run
        if run is not None:
            run(s)


def blocks_passed(game: Game, block: int) -> Iterator[int]:
    """The blocks from one on, up to the next branch or stop."""
    passed: set[int] = set()
    while block not in passed:
        passed.add(block)
        yield block
        end = game.program.blocks[block].end
        if not isinstance(end, n.Goto):
            return
        block = end.target


@lru_cache(maxsize=256)
def helpers_read(game: Game, block: int) -> tuple[tuple[int, int, int], ...]:
    """The helpers that the statements of a ply from a stop read, apart from what the ply itself sets: each one's slot, with its
    lowest and highest values."""
    program, end = game.program, game.program.blocks[block].end
    match end:
        case n.Decide(alternatives=alternatives) | n.DecideTogether(alternatives=alternatives):
            own = {v.index for a in alternatives for v in a.registers}
            after = [a.target for a in alternatives if a.registers]
            read = frozenset[int]().union(
                *(game.secrets.read_by(program.schemas[a.schema].effect) for a in alternatives)
            )
        case n.Choose(var=var, target=target) | n.Chance(result=var, target=target):
            own, after, read = {var.index}, [target], frozenset()
        case _:
            return ()
    passed = {i for target in after for i in blocks_passed(game, target)}
    read |= frozenset[int]().union(*(game.secrets.read_by(program.blocks[i].statements) for i in passed))
    found = (program.variables[i] for i in sorted(read - own))
    return tuple(
        (game.code.offsets[v.index], *limits(v.type))
        for v in found
        if v.role == "temp" and not v.keys and isinstance(v.type, n.SingleT)
    )


class Observer:
    """A seat that observes a ply from ``stop`` with these values (simultaneous choices are executed one by one). ``told``: the
    numbers of further slots that it knows, since the game is over."""

    def __init__(
        self, stop: State, slots: Slots, mover: int, seat: int | None, told: frozenset[int] = frozenset()
    ) -> None:
        self.game, self.stop, self.slots, self.mover, self.seat = stop.game, stop, slots, mover, seat
        self.answers, self.told = Answers(), told
        self.view = hidden_from(stop, seat, slots, self.answers)
        for i in told:
            self.view[i] = slots[i]

    def infer(self, action: Action) -> Inference:
        """What the seat can infer about the action taken."""
        after = list(self.slots)
        do(self.game, action, self.mover, after)
        visible = self._visible(after)
        self.effects = PossibleEffects(self.game, self.answers, frozenset(visible), MOST_STEPS)
        self.after = [(i, after[i]) for i in visible]
        self.actual = dict(self.after)
        found: Inference | None = None
        with suppress(TooManySteps):
            for is_enough in (True, False):  # the first consistent action of each kind, then all
                found = self._common(is_enough)
                if found is None or found.kind is None:
                    break
            return found or Inference()
        return Inference()

    def _common(self, is_enough: bool) -> Inference | None:
        """What the consistent actions have in common. ``is_enough``: one action of each kind is enough."""
        found: Inference | None = None
        for block, end in self._stops():
            found = self._weakened(found, block, end, is_enough)
            if found is not None and found.kind is None:
                break
        return found

    def _visible(self, slots: Slots) -> list[int]:
        """The numbers of the slots that the seat sees in a position."""
        offsets = self.game.code.offsets
        return [
            i
            for var in self.game.program.variables
            if var.role != "temp"
            for i, known in enumerate(known_slots(self.stop, var, self.seat, slots), offsets[var.index])
            if known or i in self.told
        ]

    def _stops(self) -> Iterator[tuple[int, Any]]:
        """All stops that look like this one to the seat."""
        here = self.game.program.blocks[self.stop.block]
        for block in self.game.program.blocks:
            if (block.phase, block.part) == (here.phase, here.part) and look_of(block.end) == look_of(here.end):
                yield block.index, block.end

    def _weakened(self, found: Inference | None, block: int, end: Any, is_enough: bool) -> Inference | None:
        """The inference weakened by the consistent actions of a stop."""
        match end:
            case n.Decide(alternatives=alternatives) | n.DecideTogether(alternatives=alternatives):
                ticked = self._worlds(block)
                if isinstance(end, n.Decide):
                    ticked = [x for w in ticked for x in self.effects.run(terminator_tick(end), [w])]
                for alt in alternatives:
                    found = _Alternative(self, alt, ticked, is_enough).weaken(found)
                if isinstance(end, n.Decide) and end.may_pass is not None and self.fit(ticked):
                    found = _joined(found, Inference("pass", PASS))
            case n.Choose(names=names):
                for i, text in enumerate(names):
                    said = self.game.notation.choice_text(text)
                    found = self._with_value(found, "choose", "choose", block, i, said)
            case n.Chance(names=names, over=over, what=what):
                chosen = self.value(over, {})
                for i in range(len(names)) if isinstance(chosen, Unknown) else bits(chosen):
                    found = self._with_value(found, "chance", what, block, i, chance_text(what, names[i]))
        return found

    def _with_value(
        self, found: Inference | None, kind: MoveKind, what: str, block: int, i: int, text: str
    ) -> Inference | None:
        weaker = _joined(found, Inference(kind, what, (text,)))
        return weaker if weaker != found and self.fit(self._after_value(block, i)) else found

    # ------------------------------------------------------------------------------------------------- trials

    def _worlds(self, block: int) -> Worlds:
        """The position as the seat sees it, once for each of the values that unknown helpers may have which the ply reads."""
        worlds = [World(SeenSlots(self.view), {})]
        for slot, low, high in helpers_read(self.game, block):
            if isinstance(self.view[slot], Unknown) and len(worlds) * (high - low + 1) <= MOST_WORLDS:
                worlds = [_with_slot(w, slot, value) for w in worlds for value in range(low, high + 1)]
        return worlds

    def _after_value(self, block: int, i: int) -> Worlds:
        end = self.game.program.blocks[block].end
        assert isinstance(end, n.Choose | n.Chance)
        after: Worlds = []
        for begun in self._worlds(block):
            if isinstance(end, n.Chance):
                var, slot, worlds = end.result, self.game.code.offsets[end.result.index], [begun]
            else:
                var, slot = end.var, self.effects.slot(end.var, end.keys, begun)
                worlds = self.effects.run(terminator_tick(end), [begun])
            for w in worlds:
                w.slots[slot] = i + offset(var.type)
            after += self.go_on(end.target, worlds)
        return after

    def go_on(self, target: int, worlds: Worlds) -> Worlds:
        for block in blocks_passed(self.game, target):
            worlds = self.effects.run(self.game.program.blocks[block].statements, worlds)
        return worlds

    def fit(self, worlds: Worlds) -> bool:
        """Whether the actual position is one of these worlds, as far as the seat sees."""
        return any(all(may_be(w.slots[i], v) for i, v in self.after) for w in worlds)

    def value(self, e: n.Expr, names: Mapping[int, Any]) -> Any:
        """The value of an expression before the ply, as far as the seat can tell."""
        function, order = self.game.function_of(e)
        try:
            return function(self.view, *(names[i] for i in order))
        except (NotKnown, RulesError):
            return unknown(e.type, self.answers)


class _Alternative:
    """The moves of one kind. Arguments are bound one after the other; those not yet bound are unknown. ``is_enough``:
    one consistent move is enough."""

    def __init__(self, observer: Observer, alt: n.Alt, before: Worlds, is_enough: bool) -> None:
        self.seen, self.alt, self.before, self.is_enough = observer, alt, before, is_enough
        self.schema: n.Schema = observer.game.program.schemas[alt.schema]
        self.own = [p.local for p in self.schema.params]
        self.unbound: dict[int, Any] = {x.id: unknown(x.type, observer.answers) for x in self.own}
        self.unbound[self.schema.me.id] = observer.mover
        ids = {x.id for x in self.own}
        self.guards = [(g.condition, ids & free_locals(g.condition).keys()) for g in self.schema.guards]
        self.found: Inference | None = None
        self.trials = 0
        self.most: int | None = None

    def weaken(self, found: Inference | None) -> Inference | None:
        """The inference weakened by the consistent moves of this kind."""
        self.found = found
        order = list(range(len(self.own)))
        if not self._weakens(self.unbound, order) or not self._is_possible(self.unbound, None):
            return found
        if len(order) > 1:
            self.most = FIRST_TRIALS
            with suppress(_TryAnotherOrder):
                self._bind(self.unbound, order, [self._range(i, self.unbound) for i in order])
                return self.found
        self.found, self.most = found, None
        ranges = [self._range(i, self.unbound) for i in order]
        if len(order) > 1:
            ranges = [[v for v in values if self._can_be(i, v)] for i, values in enumerate(ranges)]
        order.sort(key=lambda i: len(ranges[i]))
        self._bind(self.unbound, order, ranges)
        return self.found

    def _can_be(self, i: int, value: int) -> bool:
        return self._is_possible({**self.unbound, self.own[i].id: value}, self.own[i].id)

    def _bind(self, names: dict[int, Any], order: list[int], ranges: list[list[int]]) -> bool:
        """Binds the parameters in this order to all values of their ranges, and weakens ``found`` by each consistent
        move. Returns whether that is enough."""
        if not order:
            args = tuple(names[x.id] for x in self.own)
            self.found = _joined(self.found, Inference("move", self.alt.schema, args))
            return self.is_enough
        first, *rest = order
        local = self.own[first]
        allowed = set(self._range(first, names))
        for value in ranges[first]:
            bound = {**names, local.id: value}
            if value in allowed and self._weakens(bound, rest) and self._is_possible(bound, local.id):
                if self._bind(bound, rest, ranges):
                    return True
        return False

    def _weakens(self, names: Mapping[int, Any], free: list[int]) -> bool:
        """Whether a consistent move with these arguments would weaken the inference further."""
        so_far = self.found
        if so_far is None:
            return True
        if (so_far.kind, so_far.schema) != ("move", self.alt.schema):
            return so_far.kind is not None
        known = enumerate(zip(so_far.args, self.own, strict=True))
        return any(a is not None and (i in free or names[x.id] != a) for i, (a, x) in known)

    def _range(self, i: int, names: Mapping[int, Any]) -> list[int]:
        local, over = self.own[i], self.seen.value(self.schema.params[i].over, names)
        low, high = limits(local.type)
        if isinstance(over, Unknown):
            return list(range(low, high + 1))
        return [v + offset(local.type) for v in bits(over)]

    def _is_possible(self, names: dict[int, Any], new: int | None) -> bool:
        """Whether a move with these arguments may be legal and lead to what the seat saw. ``new``: the name bound
        last."""
        bound = {x.id for x in self.own if not isinstance(names[x.id], Unknown)}
        for condition, ids in self.guards:
            if ids <= bound and (new in ids or (new is None and not ids)):
                value = self.seen.value(condition, names)
                if not isinstance(value, Unknown) and not value:
                    return False
        self.trials += 1
        if self.most is not None and self.trials > self.most:
            raise _TryAnotherOrder
        return self.seen.fit([x for w in self.before for x in self._after(names, w)])

    def _after(self, names: dict[int, Any], w: World) -> Worlds:
        args = tuple(names[x.id] for x in (self.schema.me, *self.own))
        if not self.alt.registers:
            return self.seen.effects.last_effect(self.alt.schema, args, w, self.seen.actual)
        slots = SeenSlots(w.slots)
        for var, value in zip(self.alt.registers, args, strict=True):
            slots[self.seen.game.code.offsets[var.index]] = value
        return self.seen.go_on(self.alt.target, [replace(w, slots=slots)])


class _TryAnotherOrder(Exception):
    """The parameters in the order of the rules leave too many possibilities."""


def _joined(so_far: Inference | None, other: Inference) -> Inference:
    return other if so_far is None else so_far.joined(other)


def _with_slot(w: World, slot: int, value: int) -> World:
    slots = SeenSlots(w.slots)
    slots[slot] = value
    return replace(w, slots=slots)
