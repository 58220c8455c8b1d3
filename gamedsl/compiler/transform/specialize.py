"""Program specialization (partial evaluation) over the control variables.

A *control variable* is a plain variable whose every new value follows from the control variables alone: the player to
move, a turn's number, a round. Each block is copied for each combination of their values that can occur. In each copy
they are constants:

    block 1: decide player to move: place -> 2          with player to move in X, O
    →
    block 1: decide X: place -> 2
    block 3: decide O: place -> 4

``mark[player to move]`` becomes ``mark[X]``, so that most later expressions become simpler. A value that is never read
again (``language/core/liveness.py``) does not multiply blocks.

If the mover depends on a value that is chosen or read from the position (``turns from starter``), the program *forks*
once it is known, with a copy of the following blocks for each value. Dead variables are forgotten, so that the copies
join again. First of all, simultaneous choices become choices one after another (``sequential_choices.py``).

If an expression is too large with functions put in place, only small functions are (``lookahead.py``); the others get
what they read as arguments.

Not done: simultaneous choices that depend on each other, and look-ahead that ``inline.py`` and ``lookahead.py`` cannot
turn into conditions. ``NotSpecializable`` says why. Look-ahead that computes a closure is specialized only if it cannot
fail: then it is asked about drawn candidates alone (``playouts/scalar_rejection.py``), otherwise about all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.costly_conditions import closes_after_move, lists_closures
from gamedsl.compiler.analysis.symbolic_states import TooLarge
from gamedsl.compiler.transform.few_elements import unroll_few_elements
from gamedsl.compiler.transform.fruitful_members import keep_fruitful
from gamedsl.compiler.transform.inline import Inliner
from gamedsl.compiler.transform.lookahead import LookAhead, tries_moves
from gamedsl.compiler.transform.sequential_choices import sequential_choices
from gamedsl.language.core import fold, kind_text, limits, live_variables, make_plan, walk, walk_statements, written
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

_WHAT = {"DecideTogether": "several players choose at once"}
Env = tuple[tuple[int, int], ...]  # control variables with their values, by index
Live = tuple[list[frozenset[int]], list[frozenset[int]]]  # by block: the variables live at its start, and at its end


class NotSpecializable(Exception):
    """The program cannot be specialized; the message says why."""


class MoverUnknown(NotSpecializable):
    """The mover does not follow from the program point."""


class _Demote(Exception):
    """The variable is not a control variable after all."""

    def __init__(self, var: int) -> None:
        super().__init__(var)
        self.var = var


@lazy_dataclass(frozen=True)
class Specialization:
    """The specialized program.

    ``places``: for each new block, the old block and the values of the live control variables at its end.
    ``also``: new blocks with further places for which they stand.
    """

    program: n.Program
    places: tuple[tuple[int, Env], ...]
    also: tuple[tuple[int, int, Env], ...] = ()


def specialize(program: n.Program) -> Specialization:
    """Specializes the program. Raises ``NotSpecializable``."""
    program = keep_fruitful(sequential_choices(program))
    try:
        found = _specialize(program, forks=False)
    except MoverUnknown as reason:
        try:
            found = _specialize(program, forks=True)
        except NotSpecializable:
            raise reason from None
    if closes_after_move(program) and lists_closures(unroll_few_elements(found.program)):
        raise NotSpecializable("a look-ahead that can fail follows a relation that changes during the game")
    return found


def _specialize(program: n.Program, forks: bool) -> Specialization:
    control = {v.index for v in program.variables if _may_control(v)}
    inliner: type[Inliner] = LookAhead if tries_moves(program) else Inliner
    live = live_variables(program)
    while True:
        try:
            return _Work(program, frozenset(control), forks, inliner, live).run()
        except _Demote as found:
            control.discard(found.var)
        except TooLarge as error:
            if inliner is LookAhead:
                raise NotSpecializable(str(error)) from error
            inliner = LookAhead  # which puts only small functions in place


def _may_control(v: n.Var) -> bool:
    match v.type:
        case n.SingleT():
            low, high = limits(v.type)
            return not v.keys and high - low < 16
        case n.SetT(domain):
            return not v.keys and domain.size <= 4
        case _:
            return False


def _many(v: n.Var) -> bool:
    """Whether the variable has too many values to fork on."""
    low, high = limits(_plain(v))
    return high - low >= cutoffs.UNROLLED


def _plain(v: n.Var) -> n.ValueT:
    """The type of a variable that holds one value."""
    assert not isinstance(v.type, n.StoredT)
    return v.type


def _movers(program: n.Program) -> frozenset[int]:
    """The variables that determine the player to move."""
    deciding = (b.end.mover for b in program.blocks if isinstance(b.end, n.Decide))
    return frozenset(e.var.index for mover in deciding for e in walk(mover) if isinstance(e, n.Get))


class _Work:
    def __init__(
        self, program: n.Program, control: frozenset[int], forks: bool, inliner: type[Inliner], live: Live
    ) -> None:
        self.program = program
        self.control = control
        self.forks = forks
        self.movers = _movers(program)
        self.inliner = inliner(program)
        self.numbers: dict[tuple[int, Env], int] = {}
        self.todo: list[tuple[int, Env]] = []
        self.plans: list[Callable[[], n.Schema]] = []  # by schema, what makes it with its plan
        self.made: dict[int, n.Block] = {}
        self.ends: dict[int, Env] = {}  # the control variables at a block's end
        self.live_at_start, self.live_at_end = live

    def run(self) -> Specialization:
        first = tuple((v.index, v.initial[0]) for v in self.program.variables if v.index in self.control)
        self.number(self.program.entry, dict(first))
        while self.todo:
            place = self.todo.pop()
            self.made[self.numbers[place]] = self.block(*place)
        # Plans take most of the time and decide nothing about the control variables, so they come when these are known.
        schemas = tuple(make() for make in self.plans)
        blocks = tuple(self.made[i] for i in range(len(self.made)))
        functions = tuple(self.inliner.functions)
        special = replace(self.program, blocks=blocks, schemas=schemas, entry=0, functions=functions)
        plain = tuple(replace(p, looks=(), leavings=()) for p in special.parts)  # these may call functions
        special = replace(special, parts=plain, claims=())
        return Specialization(special, tuple((old, self.ends[new]) for (old, _), new in self.numbers.items()))

    def number(self, block: int, env: dict[int, int]) -> int:
        """The new block for an old one and the values of the control variables."""
        env = self._remembered(block, env)
        place = (block, tuple(sorted(env.items())))
        if place not in self.numbers:
            if len(self.numbers) >= (cutoffs.FORKED_BLOCKS if self.forks else cutoffs.SPECIALIZED_BLOCKS):
                raise _Demote(self._widest()) if self.control else NotSpecializable("too many blocks")
            self.numbers[place] = len(self.numbers)
            self.todo.append(place)
        return self.numbers[place]

    def _remembered(self, block: int, env: dict[int, int]) -> dict[int, int]:
        """The values that matter from a block on. Dead variables are dropped, or reset to their initial values."""
        live = self.live_at_start[block]
        if self.forks:
            return {v: value for v, value in env.items() if self._index(v) in live}
        return {v: value if v in live else self.program.variables[v].initial[0] for v, value in env.items()}

    def _widest(self) -> int:
        """The control variable that has taken the most values; one that determines the player to move only if there is
        no other."""
        values: dict[int, set[int]] = {v: set() for v in self.control}
        for _, env in self.numbers:
            for v, value in env:
                values[self._index(v)].add(value)
        return max(values, key=lambda v: (v not in self.movers, len(values[v]), v))

    # ----------------------------------------------------------------------------------------------- blocks

    @staticmethod
    def _index(v: int) -> int:
        """The variable of an entry of the environment (see ``_fork``)."""
        return v if v >= 0 else -1 - v

    def block(self, number: int, given: Env) -> n.Block:
        old, env = self.program.blocks[number], dict(given)
        unknown = sorted((self.control & self.live_at_start[number]) - env.keys()) if self.forks else []
        if unknown:
            return self._fork(number, env, self.program.variables[unknown[0]])
        stmts = self.statements(old.statements, env, {})
        index = self.numbers[number, given]
        self.ends[index] = tuple(sorted((v, x) for v, x in env.items() if v in self.live_at_end[number]))
        return replace(old, index=index, statements=stmts, end=self.end(old.end, env))

    def _fork(self, number: int, env: dict[int, int], var: n.Var) -> n.Block:
        """A block that compares the variable with its next value and continues to the old block with that value known.
        Values are tried in order; the entry ``-1 - index`` of the environment holds the next one."""
        low, high = limits(_plain(var))
        index = self.numbers[number, tuple(sorted(env.items()))]
        value = env.pop(-1 - var.index, low)
        self.ends[index] = tuple(sorted(env.items()))
        this = self.number(number, {**env, var.index: value})
        rest = self.number(number, {**env, (var.index if value + 1 == high else -1 - var.index): value + 1})
        asked = n.Op2("eq", n.Get(var, (), _plain(var)), n.Const(value, _plain(var)), n.BoolT())
        return replace(self.program.blocks[number], index=index, statements=(), end=n.BranchT(asked, this, rest))

    def statements(
        self, stmts: tuple[n.CoreStmt, ...], env: dict[int, int], locals: dict[int, n.Expr]
    ) -> tuple[n.CoreStmt, ...]:
        """Specializes statements. Assignments to control variables update ``env``."""
        out: list[n.CoreStmt] = []
        for s in stmts:
            match s:
                case n.Assign(var=var) if var.index in self.control:
                    value = self.inliner.expr(s.value, env, locals)
                    if isinstance(value, n.Const):
                        env[var.index] = value.value
                    else:
                        self._forget(var, env)
                        out.append(replace(s, value=value))
                case n.Reset(var=var) if var.index in self.control:
                    env[var.index] = var.initial[0]
                case n.IfS() if isinstance(condition := self.inliner.expr(s.condition, env, locals), n.Const):
                    out.extend(self.statements(s.then if condition.value else s.otherwise, env, locals))
                case _:
                    out += [*self._forgotten(s, env), self.inliner.statement(s, env, locals)]
        return tuple(out)

    def _forget(self, var: n.Var, env: dict[int, int]) -> None:
        """Notes that the variable's value no longer follows from the program point; the program forks on it at the next
        block."""
        if not self.forks or var.index not in self.movers or _many(var):
            raise _Demote(var.index)
        env.pop(var.index, None)

    def _forgotten(self, s: n.CoreStmt, env: dict[int, int]) -> list[n.CoreStmt]:
        """Stores the known values of the control variables that the statement may set, and forgets them."""
        stored: list[n.CoreStmt] = []
        for inner in walk_statements((s,)):
            var = written(inner)
            if var is not None and var.index in self.control:
                if var.index in env:
                    stored.append(n.Assign(var, (), n.Const(env[var.index], _plain(var)), span=s.span))
                self._forget(var, env)
        return stored

    def end(self, end: n.Terminator, env: dict[int, int]) -> n.Terminator:
        match end:
            case n.Goto(target):
                return replace(end, target=self.number(target, env))
            case n.BranchT(condition, yes, no):
                asked = self.inliner.expr(condition, env)
                if isinstance(asked, n.Const):
                    return n.Goto(self.number(yes if asked.value else no, env), span=end.span)
                return replace(end, condition=asked, yes=self.number(yes, env), no=self.number(no, env))
            case n.Decide():
                return self.decide(end, env)
            case n.Choose() | n.Chance():
                return self.chance_or_choice(end, env)
            case n.DecideDrawing():
                mover, seat = self.inliner.expr(end.mover, env), self.inliner.expr(end.seat, env)
                tick = self.statements(end.tick, env, {})
                return replace(end, mover=mover, seat=seat, tick=tick, target=self.number(end.target, env))
            case n.End(payoff, winners):
                new = tuple(self.inliner.expr(e, env) for e in payoff)
                return replace(end, payoff=new, winners=self.inliner.expr(winners, env), scores=())
            case _:
                raise NotSpecializable(_WHAT.get(type(end).__name__, f"a stop of the kind `{kind_text(end)}`"))

    def chance_or_choice(self, end: n.Choose | n.Chance, env: dict[int, int]) -> n.Terminator:
        var = end.var if isinstance(end, n.Choose) else end.result
        if var.index in self.control:
            if not self.forks or isinstance(end, n.Chance) or _many(var):
                raise _Demote(var.index)
        if isinstance(end, n.Chance):
            over, weight = self.inliner.expr(end.over, env), self.inliner.expr(end.weight, env)
            return replace(end, over=over, weight=weight, target=self.number(end.target, env))
        source = self.inliner.expr(end.source, env)
        keys = tuple(self.inliner.expr(k, env) for k in end.keys)
        tick = self.statements(end.tick, env, {})
        env.pop(var.index, None)
        return replace(end, source=source, keys=keys, tick=tick, target=self.number(end.target, env))

    # ------------------------------------------------------------------------------------------------ moves

    def decide(self, end: n.Decide, env: dict[int, int]) -> n.Decide:
        mover, seat = self.inliner.expr(end.mover, env), self.inliner.expr(end.seat, env)
        if not isinstance(mover, n.Const):
            raise MoverUnknown("the player to move is not known from the place")
        ticked = dict(env)
        tick = self.statements(end.tick, ticked, {})
        alts = []
        for alt in end.alternatives:
            if not self.program.schemas[alt.schema].mistake:
                alts.append(self.alternative(alt, end.tick, mover, env, ticked))
        stuck = None if end.stuck is None else self.number(end.stuck, env)
        may_pass = None if end.may_pass is None else self.number(end.may_pass, ticked)
        kept = replace(end, mover=mover, seat=seat, alternatives=tuple(alts), tick=tick, stuck=stuck)
        return replace(kept, may_pass=may_pass)

    def alternative(
        self, alt: n.Alt, before: tuple[n.CoreStmt, ...], mover: n.Const, env: dict[int, int], ticked: dict[int, int]
    ) -> n.Alt:
        """The alternative with its own copy of the schema, in which the mover is known."""
        old = self.program.schemas[alt.schema]
        me: dict[int, n.Expr] = {old.me.id: replace(mover, type=old.me.type)}
        locals = dict(me)
        params = []
        for p in old.params:
            new = self.inliner.fresh(p.local)
            params.append(replace(p, local=new, over=self.inliner.expr(p.over, env, locals)))
            locals[p.local.id] = n.Load(new)
        after = dict(ticked)
        effect = self.statements(old.effect, after, dict(locals)) if not alt.registers else ()
        if alt.registers:
            self._registers(alt, mover, after)
        number, known = len(self.plans), dict(env)

        def planned() -> n.Schema:
            plan = self.plan(old, before, known, locals)
            return replace(old, index=number, params=tuple(params), plan=plan, effect=effect, guards=(), forbids=())

        self.plans.append(planned)
        return replace(alt, schema=number, target=self.number(alt.target, after))

    def _registers(self, alt: n.Alt, mover: n.Const, after: dict[int, int]) -> None:
        first, *rest = alt.registers
        for var in rest:
            if var.index in self.control:
                raise _Demote(var.index)
        if first.index in self.control:
            after[first.index] = mover.value

    def plan(
        self, old: n.Schema, tick: tuple[n.CoreStmt, ...], env: dict[int, int], locals: dict[int, n.Expr]
    ) -> tuple[n.Bind | n.Test, ...]:
        """The specialized plan. Forbidden conditions, which read the state after the move, become tests."""
        steps: list[n.Bind | n.Test] = []
        for s in old.plan or make_plan(old.params, old.guards):
            if isinstance(s, n.Bind):
                over = self.inliner.expr(s.over, env, locals)
                steps.append(n.Bind(s.param, over))
                self.inliner.given.append(n.Op2("in", locals[old.params[s.param].local.id], over, n.BoolT()))
            else:
                condition = self.inliner.expr(s.condition, env, locals)
                steps.append(n.Test(condition))
                self.inliner.given.append(condition)
        if old.forbids:
            forbidden = self.inliner.forbidden(old, tick, env, locals)
            steps.append(n.Test(fold(n.Op1("not", forbidden, n.BoolT()))))
        self.inliner.given.clear()
        return tuple(steps)
