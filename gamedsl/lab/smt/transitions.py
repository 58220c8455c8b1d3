"""The transition relation at a stop: every choice with its enabling condition, and the course of play to the next stop.

Moves are enumerated by their arguments, so most of their effects are constant. Constructs that have no encoding
(lookahead inside a condition, noted positions, stacks) are unconstrained, which only adds transitions: a proof
remains a proof, but a counterexample must be replayed. If the rules fail there is no transition.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from itertools import product
from math import inf
from time import perf_counter

import z3

from gamedsl.lab.base import is_disabled
from gamedsl.lab.smt.encode import Env, Formulas, State
from gamedsl.lab.smt.smt_values import Unsupported, Value, and_, anything, not_, number, or_
from gamedsl.language.core import free_locals, offset
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Span, lazy_dataclass

MOST_COURSE = 20_000_000  # terms
MOST_BLOCKS = 60  # passed in sequence without a stop, at most
MOST_JOINT = 3_000


@lazy_dataclass(frozen=True)
class Chosen:
    """A choice at a stop.

    ``kind``: "move" (schema and arguments for each mover), "pass", "choose", "chance" (number of the value or
    outcome), "stuck" (no choice: the game continues by itself).
    """

    kind: str
    moves: tuple[tuple[int, int, tuple[int, ...]], ...] = ()  # mover, schema, arguments
    value: int = 0


@lazy_dataclass(frozen=True)
class Transition:
    """One transition.

    ``open``: the enabling condition. ``target``: the block where the game continues, in ``state``. ``forbids``:
    conditions that must not hold there (asked once for all moves that lead to one place).
    """

    open: Value
    chosen: Chosen
    target: int
    state: State
    forbids: tuple[n.Expr, ...] = ()


@lazy_dataclass()
class TransitionRelation(Formulas):
    """Builds formulas for transitions.

    ``free``: the constructs left unconstrained, with their places. ``coarse``: also leaves counts and sums over
    sets, and lookahead, unconstrained.
    """

    most: int = MOST_COURSE
    free: dict[str, Span] = field(default_factory=dict)
    given: list[Value] = field(default_factory=list)
    coarse: bool = False
    deadline: float = inf  # on the scale of ``perf_counter``
    _fresh: int = 0

    def spend(self, terms: int) -> None:
        super().spend(terms)
        if perf_counter() > self.deadline:
            raise Unsupported("no time is left")

    def anything(self, t: object, what: str, span: Span) -> Value:
        """Returns an unconstrained value of a type."""
        self._fresh += 1
        self.free.setdefault(what, span)
        return anything(t, f"free {self._fresh}", self.given)  # type: ignore[arg-type]

    def expr(self, e: n.Expr, s: State, env: Env) -> Value:
        match e:
            case n.Noted():
                return self.anything(e.type, "noted positions", e.span)
            case n.StackOp():
                return self.anything(e.type, "stacks", e.span)
            case n.Loop(kind="count" | "sum" | "max" | "min") if self.coarse:
                return self.anything(e.type, "counts and sums", e.span)
            case n.AfterE() if self.coarse:
                return self.anything(e.type, "the position after a move", e.span)
            case n.SomeMove():
                return self.anything(e.type, "moves tried in a condition", e.span)
            case _:
                return super().expr(e, s, env)

    def flood(self, e: n.Flood, s: State, env: Env) -> Value:
        try:
            return super().flood(e, s, env)
        except Unsupported:
            pass
        start, within = self.expr(e.start, s, env), self.expr(e.within, s, env)
        begins = [and_([a, w]) for a, w in zip(start, within, strict=True)]
        values = e.table.values
        steps = [[w if values[j] >> i & 1 else False for i, w in enumerate(within)] for j in range(len(values))]
        return self.reach(begins, steps)

    def closure(self, e: n.Closure, s: State, env: Env) -> Value:
        start = self.expr(e.start, s, env)
        inner = ({**env, e.local.id: self.member(e.local, i)} for i in range(len(start)))
        return self.reach(start, [self.expr(e.step, s, one) for one in inner])

    def reach(self, begins: Value, steps: list[Value]) -> Value:
        """Introduces fresh variables for the least set that contains ``begins`` and with element j those of
        ``steps[j]``.

        The set is closed under steps, and each member not in ``begins`` is reached by a step from a member of lower
        rank.
        """
        self._fresh += 1
        size = len(begins)
        into = [[(j, steps[j][i]) for j in range(size) if j != i and steps[j][i] is not False] for i in range(size)]
        found = [
            False if begins[i] is False and not into[i] else z3.Bool(f"reached {self._fresh} {i}") for i in range(size)
        ]
        ranks = [z3.Int(f"rank {self._fresh} {i}") for i in range(size)]
        for i, here in enumerate(found):
            if here is not False:
                before = [(found[j], step, ranks[j]) for j, step in into[i] if found[j] is not False]
                self.given.append(or_([not_(begins[i]), here]))
                comes = [and_([there, step, rank < ranks[i]]) for there, step, rank in before]
                self.given.append(or_([not_(here), begins[i], *comes]))
                self.given += [or_([not_(there), not_(step), here]) for there, step, _ in before]
        return found

    def statement(self, stmt: n.CoreStmt, s: State, env: Env) -> Value:
        if isinstance(stmt, n.Update):
            self.free.setdefault("noted positions" if isinstance(stmt, n.NoteS) else "stacks", stmt.span)
            return False
        if isinstance(stmt, n.Reset) and (stmt.var.index, 0) not in s:
            return False
        return super().statement(stmt, s, env)

    # -------------------------------------------------------------------------------------------------- transitions

    def transitions(self, block: int, s: State) -> Iterator[Transition]:
        """Yields every choice at the stop at the end of a block. Raises ``Unsupported`` if players draw there."""
        match self.program.blocks[block].end:
            case n.Decide() as end:
                yield from self._decided(end, s)
            case n.DecideTogether() as end:
                yield from self._together(end, s)
            case n.Choose() as end:
                yield from self._chosen(end, s)
            case n.Chance() as end:
                yield from self._fallen(end, s)
            case n.DecideDrawing() as end:
                raise Unsupported(f"a drawing is made at {end.span}")
            case n.End():
                return

    def _decided(self, end: n.Decide, s: State) -> Iterator[Transition]:
        mover, ticked = self.expr(end.mover, s, {}), self._tick(end.tick, s)
        legal: list[Value] = []
        for alt, player, args, can in self._alternatives(end, mover, s, ticked):
            later = self.later(alt)
            legal += [] if later else [can]  # the others are unknown here: they do not count as available moves
            yield replace(self._done(((alt, player, args),), can, alt.target, ticked), forbids=later)
        if end.may_pass is not None:
            yield Transition(ticked[0], Chosen("pass"), end.may_pass, dict(ticked[1]))
        if end.stuck is not None and (none := not_(or_(legal))) is not False:
            yield Transition(none, Chosen("stuck"), end.stuck, dict(s))

    def later(self, alt: n.Alt) -> tuple[n.Expr, ...]:
        """Returns the forbids to be asked on arrival: with ``coarse``, if none of them refers to the move itself."""
        found = [f.condition for f in self.program.schemas[alt.schema].forbids]
        return tuple(found) if self.coarse and not any(free_locals(e) for e in found) else ()

    def _tick(self, tick: tuple[n.CoreStmt, ...], s: State) -> tuple[Value, State]:
        """Returns the condition that the rules do not fail at the start of the ply, and the position after it."""
        there = dict(s)
        self.premises = []
        self.run(tick, there, {})
        fine = and_(self.premises)
        self.premises = None
        return fine, there

    def _alternatives(
        self, end: n.Decide | n.DecideTogether, mover: Value, s: State, ticked: tuple[Value, State]
    ) -> Iterator[tuple[n.Alt, int, tuple[int, ...], Value]]:
        """Yields every move: its alternative, mover, arguments, and the condition under which it is legal."""
        for alt in end.alternatives:
            schema = self.program.schemas[alt.schema]
            if schema.mistake or is_disabled(schema):
                continue
            for player, acts in enumerate(mover):
                if acts is not False:
                    env = {schema.me.id: number(schema.me.type, player)}
                    for args, can in self._arguments(schema, 0, {}, acts, s, env):
                        yield (
                            alt,
                            player,
                            args,
                            can if self.later(alt) else self._allowed(schema, player, args, can, ticked[1]),
                        )

    def _arguments(
        self, schema: n.Schema, step: int, bound: dict[int, int], can: Value, s: State, env: Env
    ) -> Iterator[tuple[tuple[int, ...], Value]]:
        """Follows the plan: yields the arguments for which all conditions can hold, with the condition under which
        they do.
        """
        if can is False:
            return
        if step == len(schema.plan):
            yield tuple(bound[i] for i in range(len(schema.params))), can
            return
        here = schema.plan[step]
        if not isinstance(here, n.Bind):
            yield from self._arguments(schema, step + 1, bound, and_([can, self.expr(here.condition, s, env)]), s, env)
            return
        local = schema.params[here.param].local
        for i, member in enumerate(self.expr(here.over, s, env)):
            code = i + offset(local.type)
            inner = {**env, local.id: number(local.type, code)}
            yield from self._arguments(schema, step + 1, bound | {here.param: code}, and_([can, member]), s, inner)

    def _allowed(self, schema: n.Schema, player: int, args: tuple[int, ...], can: Value, ticked: State) -> Value:
        """Returns the condition under which a move that passes its guards is not forbidden."""
        if not schema.forbids:
            return can
        there, env = dict(ticked), arguments(schema, player, args)
        self.run(schema.effect, there, dict(env))
        return and_([can, *(not_(self.expr(f.condition, there, env)) for f in schema.forbids)])

    def _done(
        self,
        moves: tuple[tuple[n.Alt, int, tuple[int, ...]], ...],
        can: Value,
        target: int,
        ticked: tuple[Value, State],
    ) -> Transition:
        """Applies moves in sequence. They are enabled if the rules do not fail."""
        there = dict(ticked[1])
        self.premises = []
        for alt, player, args in moves:
            schema = self.program.schemas[alt.schema]
            if alt.registers:
                codes = (player, *args)
                for var, code in zip(alt.registers, codes, strict=True):
                    there[var.index, 0] = number(var.type, code)
            else:
                self.run(schema.effect, there, arguments(schema, player, args))
        premises, self.premises = self.premises, None
        chosen = tuple((player, alt.schema, args) for alt, player, args in moves)
        return Transition(and_([can, ticked[0], *(premises or [])]), Chosen("move", chosen), target, there)

    def _together(self, end: n.DecideTogether, s: State) -> Iterator[Transition]:
        movers, ticked = self.expr(end.movers, s, {}), self._tick(end.tick, s)
        each: list[list[tuple[tuple[n.Alt, int, tuple[int, ...]] | None, Value]]] = []
        for player, acts in enumerate(movers):
            own = [i == player for i in range(len(movers))]
            mine = [
                ((alt, p, args), and_([acts, can]))
                for alt, p, args, can in (() if acts is False else self._alternatives(end, own, s, ticked))
            ]
            each.append([*mine, *([] if acts is True else [(None, not_(acts))])])
        if _product(len(x) for x in each) > MOST_JOINT:
            raise Unsupported(f"too many choices at once at {end.span}")
        for joint in product(*each):
            moves = tuple(m for m, _ in joint if m is not None)
            kind = Chosen("stuck") if not moves else None
            transition = self._done(moves, and_([can for _, can in joint]), end.target, ticked)
            yield transition if kind is None else Transition(transition.open, kind, end.target, dict(s))

    def _chosen(self, end: n.Choose, s: State) -> Iterator[Transition]:
        keys, ticked = [self.expr(k, s, {}) for k in end.keys], self._tick(end.tick, s)
        for i, member in enumerate(self.expr(end.source, s, {})):
            if member is not False:
                there = dict(ticked[1])
                self._put(end.var, keys, i, there)
                yield Transition(and_([member, ticked[0]]), Chosen("choose", value=i), end.target, there)

    def _fallen(self, end: n.Chance, s: State) -> Iterator[Transition]:
        for i, member in enumerate(self.expr(end.over, s, {})):
            code = i + offset(end.local.type)
            weight = self.expr(end.weight, s, {end.local.id: number(end.local.type, code)})
            falls = and_([member, weight > 0])
            if falls is not False:
                there = dict(s)
                self._put(end.result, [], i, there)
                yield Transition(falls, Chosen("chance", value=i), end.target, there)

    def _put(self, var: n.Var, keys: list[Value], i: int, s: State) -> None:
        if (var.index, 0) not in s:
            raise Unsupported("a choice for a stack")
        self.assign(var, keys, number(var.type, i + offset(var.type)), s)

    # --------------------------------------------------------------------------------------- the course of play

    def stops(self, block: int, can: Value, s: State, passed: int = 0) -> Iterator[tuple[Value, int, State]]:
        """Yields the stops that can be reached from a block: the condition, the stop's block, and the position."""
        if passed > MOST_BLOCKS:
            raise Unsupported(
                f"the game continues for long without a decision at {self.program.blocks[block].end.span}"
            )
        here, s = self.program.blocks[block], dict(s)
        self.premises = []
        self.run(here.statements, s, {})
        can = and_([can, *self.premises])
        self.premises = None
        if can is False:
            return
        match here.end:
            case n.Goto(target):
                yield from self.stops(target, can, s, passed + 1)
            case n.BranchT(condition, yes, no):
                holds = self.expr(condition, s, {})
                for side, target in ((holds, yes), (not_(holds), no)):
                    if side is not False:
                        yield from self.stops(target, and_([can, side]), s, passed + 1)
            case _:
                yield can, block, s


def arguments(schema: n.Schema, player: int, args: tuple[int, ...]) -> Env:
    """Returns the values of the names in a move's effect and conditions."""
    params = {p.local.id: number(p.local.type, a) for p, a in zip(schema.params, args, strict=True)}
    return {schema.me.id: number(schema.me.type, player), **params}


def _product(sizes: Iterator[int]) -> int:
    total = 1
    for count in sizes:
        total *= count
    return total
