"""Instruments a program for coverage: its states record which goals a ply met and how near it came to the others.

Questions estimate how near a position is to a move that a single condition refuses.

The program follows the same rules. Two extra state variables, ``met`` and ``near``, record for each goal whether
the last ply met it, and the least distance at which it passed by. When hunting for faults, mistakes are included.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from gamedsl.lab.base import OVER, flag_new, is_disabled, varying_conditions
from gamedsl.lab.search.branch_distance import FAR, FAR_T, BranchDistances, both, either, least, number, risky
from gamedsl.language.boards import Domain
from gamedsl.language.core import CostEstimator, fold, free_locals, is_stop, substitute
from gamedsl.language.core import nodes as n
from gamedsl.language.source import NOWHERE, Span, lazy_dataclass

# move: a move of this kind is made. first: the condition refuses a move that all conditions before it allow. alone: the
# condition refuses a move that all other conditions allow. line: executed. yes, no: the answer of a condition. stop,
# end: the game reaches it. stuck: nobody can move. pass: somebody passes. claim: refuted, or witnessed if it states
# that something is possible.
Kind: TypeAlias = Literal["move", "first", "alone", "line", "yes", "no", "stop", "end", "stuck", "pass", "claim"]
REFUSALS = ("first", "alone")
PRUNED = 6  # parameter choices farther away than this are not refined
Key: TypeAlias = tuple[str, str, int, int, str]


@lazy_dataclass(frozen=True)
class CoverageGoal:
    """Something that a game may meet. ``span``: its place. ``name``: its move or phase."""

    kind: Kind
    span: Span
    name: str = ""

    @property
    def key(self) -> Key:
        """A key that is equal in programs with other options. A condition shared by several kinds of moves is one
        goal.
        """
        name = "" if self.kind in (*REFUSALS, "line", "yes", "no") else self.name
        return self.kind, self.span.source.path, self.span.start, self.span.end, name


@lazy_dataclass(frozen=True, eq=False)
class Question:
    """A question about how near a stop is to a goal.

    ``at``: the distance, by block. ``moves``: the blocks where the number of legal moves is the distance.
    ``cost_estimate``: the approximate cost of evaluating it.
    """

    number: int
    goal: int
    at: dict[int, n.Expr]
    moves: frozenset[int] = frozenset()
    cost_estimate: int = 0


class GoalProgram:
    """A program instrumented with goals.

    ``known``: keys of goals whose distances are not needed; they are omitted to save time. ``claims``: claims about
    single positions, to refute or witness; each is a goal named by its number. ``hunting``: also seeks faults in
    the rules: a player who must act has no move except a mistake.
    """

    def __init__(
        self, program: n.Program, known: Collection[Key] = (), claims: Sequence[n.CoreClaim] = (), hunting: bool = False
    ) -> None:
        count = len(_Instrumenter(program, None, 1, claims, hunting).goals)
        made = _Instrumenter(program, known, max(1, count), claims, hunting)
        self.base = program
        self.program = made.program
        self.goals = made.goals
        self.numbers = made.numbers
        self.questions = made.questions
        self.met, self.near = made.met, made.near


def coverage_goals(program: n.Program) -> list[CoverageGoal]:
    """Returns all coverage goals of a program."""
    return _Instrumenter(program, None, 1).goals


class _Instrumenter:
    """Builds the instrumented program.

    ``size``: the number of goals that its variables can hold. ``known``: None if no distances are wanted.
    """

    def __init__(
        self,
        program: n.Program,
        known: Collection[Key] | None,
        size: int,
        claims: Sequence[n.CoreClaim] = (),
        hunting: bool = False,
    ) -> None:
        self.base = program
        self.claims = claims
        self.hunting = hunting
        self.known = known
        self.goals: list[CoverageGoal] = []
        self.numbers: dict[Key, int] = {}
        self._distances = BranchDistances(program)
        self._added: list[n.Block] = []
        self._last = 2 * 10**9
        self._aim = Domain("goal", tuple(map(str, range(size))))
        self.met = n.Var(len(program.variables), "met", n.BoolT(), (self._aim,), (0,) * size, role="temp")
        self.near = n.Var(len(program.variables) + 1, "near", FAR_T, (self._aim,), (0,) * size, role="temp")
        schemas = tuple(self._schema(s) for s in program.schemas)
        blocks = tuple(self._block(b) for b in program.blocks)
        asked = [q for q in self._questions() if q.at or q.moves]
        estimates = CostEstimator(program.schemas, self._distances.functions)
        self.questions = [
            replace(q, number=count, cost_estimate=max(map(estimates.of, q.at.values()), default=0))
            for count, q in enumerate(asked)
        ]
        self.program = replace(
            program,
            schemas=schemas,
            blocks=(*blocks, *self._added),
            functions=tuple(self._distances.functions),
            variables=(*program.variables, self.met, self.near),
        )

    def wanted(self, goal: CoverageGoal) -> bool:
        """Whether the goal's distance is computed."""
        return self.known is not None and goal.key not in self.known

    # ------------------------------------------------------------------------------------------------ statements

    def _number(self, kind: Kind, span: Span, name: str = "") -> int:
        goal = CoverageGoal(kind, span, name)
        if goal.key not in self.numbers:
            self.numbers[goal.key] = len(self.goals)
            self.goals.append(goal)
        return self.numbers[goal.key]

    def _key(self, goal: int) -> n.Const:
        return n.Const(goal, n.ElemT(self._aim))

    def _here(self, kind: Kind, span: Span, name: str = "") -> tuple[n.CoreStmt, ...]:
        """Returns the statement that records the goal as met."""
        if span is NOWHERE:
            return ()
        return (n.Assign(self.met, (self._key(self._number(kind, span, name)),), n.Const(1, n.BoolT())),)

    def _can(self, condition: n.Expr, answer: bool) -> bool:
        """Whether a condition can have this answer under the current options."""
        return not isinstance(condition, n.Const) or bool(condition.value) == answer

    def _passing(self, span: Span, condition: n.Expr) -> tuple[n.CoreStmt, ...]:
        """Returns the statements that record a condition's distance from either answer."""
        found: list[n.CoreStmt] = []
        if isinstance(condition, n.Const):
            return ()
        answers: tuple[tuple[Kind, bool], ...] = (("yes", True), ("no", False))
        for kind, wanted in answers:
            number_ = self._number(kind, span)
            if self.wanted(self.goals[number_]):
                before = n.Get(self.near, (self._key(number_),), FAR_T)
                now = n.Op2("min", before, self._distances.of(condition, wanted), FAR_T)
                found.append(n.Assign(self.near, (self._key(number_),), now))
        return tuple(found)

    def _schema(self, s: n.Schema) -> n.Schema:
        made = () if s.has_chance else self._here("move", s.span, s.name)
        return replace(s, effect=(*made, *self._statements(s.effect)), mistake=s.mistake and self.hunting)

    def _statements(self, stmts: tuple[n.CoreStmt, ...], above: Span = NOWHERE) -> tuple[n.CoreStmt, ...]:
        """Inserts a statement that records the goal before each statement that begins a line."""
        out: list[n.CoreStmt] = []
        for s, new in flag_new(stmts, above):
            if new and not isinstance(s, n.IfS):
                out += self._here("line", s.span)
            out += self._inside(s, new)
        return tuple(out)

    def _inside(self, s: n.CoreStmt, new: bool) -> tuple[n.CoreStmt, ...]:
        match s:
            case n.IfS():
                then, otherwise = self._statements(s.then, s.span), self._statements(s.otherwise, s.span)
                if not new:
                    return (replace(s, then=then, otherwise=otherwise),)
                if self._can(s.condition, True):
                    then = (*self._here("yes", s.span), *then)
                if self._can(s.condition, False):
                    otherwise = (*self._here("no", s.span), *otherwise)
                noted = replace(s, then=then, otherwise=otherwise)
                return (*self._passing(s.span, s.condition), noted)
            case n.ForS():
                return (replace(s, body=self._statements(s.body, s.span)),)
            case _:
                return (s,)

    # ---------------------------------------------------------------------------------------------------- blocks

    def _block(self, b: n.Block) -> n.Block:
        statements = self._statements(b.statements)
        end = b.end
        match end:
            case n.BranchT() if end.span is not NOWHERE:
                passing = self._passing(end.span, end.condition)
                yes, no = end.yes, end.no
                if self._can(end.condition, True):
                    yes = self._way("yes", end.span, "", yes, b)
                if self._can(end.condition, False):
                    no = self._way("no", end.span, "", no, b)
                return replace(b, statements=(*statements, *passing), end=replace(end, yes=yes, no=no))
            case n.Goto() | n.BranchT():
                return replace(b, statements=statements)
            case n.Decide():
                stuck = None if end.stuck is None else self._way("stuck", end.span, b.phase, end.stuck, b)
                passed = None if end.may_pass is None else self._way("pass", end.span, b.phase, end.may_pass, b)
                end = replace(end, stuck=stuck, may_pass=passed)
            case _:
                pass
        end = self._with_moves(end, b)
        note = self._here("end" if isinstance(end, n.End) else "stop", end.span, b.phase)
        return replace(b, statements=(*statements, *note), end=end)

    def _way(self, kind: Kind, span: Span, name: str, target: int, b: n.Block) -> int:
        """Adds a block that records the goal on the edge to another block. Returns its number."""
        note = self._here(kind, span, name)
        if not note:
            return target
        self._added.append(n.Block(len(self.base.blocks) + len(self._added), note, n.Goto(target), b.phase, b.part))
        return self._added[-1].index

    def _with_moves(self, end: n.Terminator, b: n.Block) -> n.Terminator:
        """Adds the goals of moves that involve chance: such moves continue in a block, and the goal is recorded on the
        edge to it.
        """
        if not isinstance(end, n.Decide | n.DecideTogether):
            return end
        alternatives = []
        for alt in end.alternatives:
            s = self.base.schemas[alt.schema]
            target = self._way("move", s.span, s.name, alt.target, b) if alt.registers else alt.target
            alternatives.append(replace(alt, target=target))
        return replace(end, alternatives=tuple(alternatives))

    # ------------------------------------------------------------------------------------------------- questions

    def _questions(self) -> Iterator[Question]:
        """Yields questions about conditions of moves, kinds of moves, and being stuck."""
        stops: dict[int, list[n.Block]] = {}
        for b in self.base.blocks:
            for alt in getattr(b.end, "alternatives", ()):
                stops.setdefault(alt.schema, []).append(b)
        for k, blocks in stops.items():
            schema = self.base.schemas[k]
            if not is_disabled(schema):
                yield from self._about(schema, blocks)
        for b in self.base.blocks:
            if isinstance(b.end, n.Decide) and self._may_be_stuck(b.end):
                yield Question(0, self._number("stuck", b.end.span, b.phase), {}, frozenset({b.index}))
        for number_, claim in enumerate(self.claims):
            if isinstance(claim, n.StateClaim):
                yield self._claim(number_, claim)

    def _may_be_stuck(self, end: n.Decide) -> bool:
        """Whether it is a goal that nobody can move here."""
        hunted = self.hunting and end.may_pass is None
        return end.span is not NOWHERE and (end.stuck is not None or hunted)

    def _claim(self, number_: int, claim: n.StateClaim) -> Question:
        """Returns the question how far a position is from refuting a claim, or from witnessing it."""
        goal = self._number("claim", claim.span, str(number_))
        blocks = [b for b in self.base.blocks if is_stop(b) and claim.part in (0, b.part)]
        if not self.wanted(self.goals[goal]):
            return Question(0, goal, {})
        at: dict[int, n.Expr] = {}
        for b in blocks:
            over = n.Const(int(isinstance(b.end, n.End)), n.BoolT())
            at[b.index] = self._distances.of(
                substitute(claim.condition, {OVER.id: over}), not isinstance(claim, n.Always)
            )
        return Question(0, goal, at)

    def _about(self, s: n.Schema, blocks: list[n.Block]) -> Iterator[Question]:
        yield self._question(self._number("move", s.span, s.name), s, blocks, None, True)
        conditions = (*s.guards, *s.forbids)
        for i in sorted(varying_conditions(s)):
            yield self._question(self._number("first", conditions[i].span, s.name), s, blocks, i, False)
            later = [g for g in s.guards[i + 1 :] if not g.looks_ahead and risky(g.condition, self.base.functions)]
            if not later:
                yield self._question(self._number("alone", conditions[i].span, s.name), s, blocks, i, True)

    def _question(self, goal: int, s: n.Schema, blocks: list[n.Block], refusing: int | None, others: bool) -> Question:
        """Returns the question how far a stop is from a move that the condition refuses (None: from a legal move).

        Later conditions of the same group must hold (``others``), or are ignored.
        """
        if not self.wanted(self.goals[goal]):
            return Question(0, goal, {})
        return Question(0, goal, {b.index: self._at(s, b.end, refusing, others) for b in blocks})

    def _at(self, s: n.Schema, end: object, refusing: int | None, others: bool) -> n.Expr:
        assert isinstance(end, n.Decide | n.DecideTogether)
        found = self._over_parameters(s, self._sorts(s, end, refusing, others))
        if isinstance(end, n.Decide):
            return fold(n.LetE(s.me, end.mover, found))
        return fold(least(n.Loop("min", s.me, end.movers, None, number(0), FAR_T), found))

    def _sorts(
        self, s: n.Schema, end: n.Decide | n.DecideTogether, refusing: int | None, others: bool
    ) -> list[list[n.Expr]]:
        """Returns the distances of the conditions in three groups.

        These are plain conditions; lookahead conditions, evaluated only if the plain ones hold; and forbids,
        evaluated only if those hold.
        """
        numbers = range(len(s.guards) + len(s.forbids))
        sorts = [
            [i for i in numbers[: len(s.guards)] if not s.guards[i].looks_ahead],
            [i for i in numbers[: len(s.guards)] if s.guards[i].looks_ahead],
            list(numbers[len(s.guards) :]),
        ]
        asked: list[list[int]] = []
        for sort in sorts:
            has = refusing in sort
            asked.append([i for i in sort if not has or others or refusing is None or i <= refusing])
            if has:
                break
        return [[self._wanted(s, end, i, refusing) for i in sort] for sort in asked]

    def _wanted(self, s: n.Schema, end: n.Decide | n.DecideTogether, i: int, refusing: int | None) -> n.Expr:
        """Returns the distance from the wanted value of condition i (forbids follow the guards)."""
        if i < len(s.guards):
            return self._distances.of(s.guards[i].condition, i != refusing)
        forbid = s.forbids[i - len(s.guards)]
        args = (n.Load(s.me), *(n.Load(p.local) for p in s.params))
        return n.AfterE(s.index, args, end.tick, self._distances.of(forbid.condition, i == refusing))

    def _over_parameters(self, s: n.Schema, sorts: list[list[n.Expr]]) -> n.Expr:
        """Minimizes over all choices of parameters; each summand is added as soon as its names are bound."""
        place = {p.local.id: i for i, p in enumerate(s.params)}
        plain, *later = sorts
        depths = [max((place.get(i, -1) for i in free_locals(e)), default=-1) for e in plain]

        def level(depth: int, before: n.Expr) -> n.Expr:
            mine = before
            for e in (e for e, d in zip(plain, depths, strict=True) if d == depth):
                mine = both(mine, e)
            if depth == len(s.params) - 1:
                return self._further(mine, later)
            p = s.params[depth + 1]
            loop = n.Loop("min", p.local, p.over, None, number(0), FAR_T)
            if isinstance(mine, n.Const | n.Load):
                return least(loop, level(depth + 1, mine))
            so_far = self._local()
            near = n.Op2("le", n.Load(so_far), number(PRUNED), n.BoolT())
            inner = least(loop, level(depth + 1, n.Load(so_far)))
            return n.LetE(so_far, mine, either(near, inner, number(FAR)))

        return level(-1, number(0))

    def _further(self, so_far: n.Expr, later: list[list[n.Expr]]) -> n.Expr:
        """Adds the later groups of conditions, which are evaluated only if the distance so far is 0."""
        if not any(later):
            return so_far
        known = self._local()
        mine: n.Expr = number(0)
        for e in later[0]:
            mine = both(mine, e)
        holds = n.Op2("eq", n.Load(known), number(0), n.BoolT())
        unknown = both(n.Load(known), number(sum(map(len, later))))
        return n.LetE(known, so_far, either(holds, self._further(mine, later[1:]), unknown))

    def _local(self) -> n.Local:
        self._last += 1
        return n.Local(self._last, "far", FAR_T)
