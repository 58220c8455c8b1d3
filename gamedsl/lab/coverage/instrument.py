"""Instruments a game: the same program with a probe in every guard, definition, statement, branch and stop.

A probe is a lookup in a Core table whose values count their reads, so the engine translates and runs it like
anything else. The code evaluated tentatively (guards and definitions while listing moves, lookahead) and the code
executed (effects, the course of play) are instrumented as two programs, so that a lookahead move does not count as
made.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any, Literal, TypeAlias, cast

from gamedsl.engine import InterpretedGame, State, translate_program
from gamedsl.lab.base import flag_new
from gamedsl.language.boards import Domain
from gamedsl.language.core import exprs_of, free_locals, terminator_exprs, terminator_tick, walk
from gamedsl.language.core import nodes as n
from gamedsl.language.source import NOWHERE, Span, lazy_dataclass

# guard, forbid, test: hits count that it held; its partner probe counts that it did not. Others: executed, called,
# reached.
Kind: TypeAlias = Literal["move", "guard", "forbid", "test", "line", "definition", "stop", "end"]


@lazy_dataclass(frozen=True)
class Probe:
    """A counter: its number, kind, place and name, and for a condition the number of the probe for the opposite
    answer.
    """

    number: int
    kind: Kind
    span: Span
    name: str
    other: int | None = None


@lazy_dataclass()
class Counts:
    """Hits per probe, and the first hit of each: the least value of ``now``, and the ``position`` at that time."""

    hits: list[int] = field(default_factory=list)
    first: list[int | None] = field(default_factory=list)
    where: list[State | None] = field(default_factory=list)
    position: State | None = None
    answers: list[int] = field(default_factory=list)
    now: int = 0

    def __getitem__(self, number: int) -> int:
        first = self.first[number]
        if first is None or self.now < first:
            self.first[number] = self.now
            self.where[number] = self.position
        self.hits[number] += 1
        return self.answers[number]

    def add(self, answer: int) -> int:
        """Adds a probe and returns its number."""
        self.hits.append(0)
        self.first.append(None)
        self.where.append(None)
        self.answers.append(answer)
        return len(self.hits) - 1


class InstrumentedGame:
    """An instrumented program: ``game`` follows the same rules, and ``counts`` grow as it is played."""

    def __init__(self, program: n.Program) -> None:
        self.program = program
        self.counts = Counts()
        self.probes: list[Probe] = []
        self._table = n.TableData("hits", (Domain("probe", ()),), n.BoolT(), cast(Any, self.counts))
        self._last_local = 10**9
        self._definitions: dict[tuple[Span, str], n.Expr] = {}
        asking = self._asking(program)
        doing = self._doing(asking)
        self.game = InterpretedGame(asking)
        tried, done = self.game.code, translate_program(doing)
        schemas = tuple(replace(a, effect=b.effect) for a, b in zip(tried.schemas, done.schemas, strict=True))
        self.game.code = replace(tried, schemas=schemas, blocks=done.blocks)

    # ----------------------------------------------------------------------------------------------------- probes

    def _probe(self, answer: int) -> tuple[int, n.Expr]:
        number = self.counts.add(answer)
        return number, n.Lookup(self._table, (n.Const(number, n.IntT(0, number)),))

    def _add_counter(self, kind: Kind, span: Span, name: str) -> n.Check:
        """Returns a statement that only counts."""
        number, hit = self._probe(1)
        self.probes.append(Probe(number, kind, span, name))
        return n.Check(hit, "")

    def _count_answers(self, kind: Kind, span: Span, name: str, condition: n.Expr) -> n.Expr:
        """Returns the condition with its answers counted."""
        (yes, held), (no, failed) = self._probe(1), self._probe(0)
        self.probes.append(Probe(yes, kind, span, name, no))
        return n.Cond(condition, held, failed, n.BoolT(), span=condition.span)

    # ------------------------------------------------------------------------------------------- what is asked

    def _asking(self, program: n.Program) -> n.Program:
        used = functions_of_rules(program)
        functions = tuple(self._function(f) if f.index in used else f for f in program.functions)
        return replace(program, functions=functions, schemas=tuple(self._questions(s) for s in program.schemas))

    def _function(self, f: n.Function) -> n.Function:
        if f.span is NOWHERE:
            return f
        hit = self._count_calls(f)
        self._last_local += 1
        return replace(f, body=n.LetE(n.Local(self._last_local, "hit", n.BoolT()), hit, f.body, span=f.body.span))

    def _count_calls(self, f: n.Function) -> n.Expr:
        """Counts the calls of a definition: one probe for all the functions that it was compiled to."""
        if (f.span, f.name) not in self._definitions:
            number, hit = self._probe(1)
            self.probes.append(Probe(number, "definition", f.span, f.name))
            self._definitions[f.span, f.name] = hit
        return self._definitions[f.span, f.name]

    def _questions(self, s: n.Schema) -> n.Schema:
        guards = tuple(self._guard("guard", s, g) for g in s.guards)
        forbids = tuple(self._guard("forbid", s, g) for g in s.forbids)
        return replace(s, guards=guards, forbids=forbids, plan=straight_plan(replace(s, guards=guards)))

    def _guard(self, kind: Kind, s: n.Schema, g: n.CoreGuard) -> n.CoreGuard:
        return replace(g, condition=self._count_answers(kind, g.span, s.name, g.condition))

    # -------------------------------------------------------------------------------------------- what is done

    def _doing(self, program: n.Program) -> n.Program:
        schemas = tuple(
            replace(s, effect=(self._add_counter("move", s.span, s.name), *self._statements(s.effect)))
            for s in program.schemas
        )
        return replace(program, schemas=schemas, blocks=self._with_moves(tuple(map(self._block, program.blocks))))

    def _statements(self, stmts: tuple[n.CoreStmt, ...], above: Span = NOWHERE) -> tuple[n.CoreStmt, ...]:
        """Inserts a probe before each statement that begins a line."""
        out: list[n.CoreStmt] = []
        for s, new in flag_new(stmts, above):
            if new and not isinstance(s, n.IfS):
                out.append(self._add_counter("line", s.span, ""))
            out.append(self._inside(s, new))
        return tuple(out)

    def _inside(self, s: n.CoreStmt, new: bool) -> n.CoreStmt:
        match s:
            case n.IfS():
                condition = self._count_answers("test", s.span, "", s.condition) if new else s.condition
                then, otherwise = self._statements(s.then, s.span), self._statements(s.otherwise, s.span)
                return replace(s, condition=condition, then=then, otherwise=otherwise)
            case n.ForS():
                return replace(s, body=self._statements(s.body, s.span))
            case _:
                return s

    def _block(self, b: n.Block) -> n.Block:
        statements = self._statements(b.statements)
        match b.end:
            case n.BranchT() if b.end.span is not NOWHERE:
                asked = self._count_answers("test", b.end.span, "", b.end.condition)
                return replace(b, statements=statements, end=replace(b.end, condition=asked))
            case n.Goto() | n.BranchT():
                return replace(b, statements=statements)
            case _:
                kind: Kind = "end" if isinstance(b.end, n.End) else "stop"
                return replace(b, statements=(*statements, self._add_counter(kind, b.end.span, b.phase)))

    def _with_moves(self, blocks: tuple[n.Block, ...]) -> tuple[n.Block, ...]:
        """Adds the probes of moves that involve chance: such a move continues in a block of its own and is counted at
        its start.
        """
        found = list(blocks)
        begun: dict[int, int] = {}
        for b in blocks:
            for alt in getattr(b.end, "alternatives", ()):
                if alt.registers:
                    begun[alt.target] = alt.schema
        for target, schema in begun.items():
            s = self.program.schemas[schema]
            counted = self._add_counter("move", s.span, s.name)
            found[target] = replace(found[target], statements=(counted, *found[target].statements))
        return tuple(found)


def functions_of_rules(program: n.Program) -> set[int]:
    """Returns the indices of the functions that moves and the course of play may call, without those used only by the
    appearance and the claims.
    """
    asked: list[n.Expr] = []
    for s in program.schemas:
        asked += [p.over for p in s.params] + [g.condition for g in (*s.guards, *s.forbids)] + list(exprs_of(s.effect))
    for b in program.blocks:
        asked += [*exprs_of(b.statements), *terminator_exprs(b.end), *exprs_of(terminator_tick(b.end))]
    found: set[int] = set()
    while asked:
        for e in walk(asked.pop()):
            if isinstance(e, n.AfterE):
                asked += [*exprs_of(e.tick), *exprs_of(e.passed)]
            elif isinstance(e, n.CallF) and e.function not in found:
                found.add(e.function)
                asked.append(program.functions[e.function].body)
    return found


def straight_plan(s: n.Schema) -> tuple[n.Bind | n.Test, ...]:
    """Returns a plan that binds the parameters in order and tests each guard as soon as its names are bound, lookahead
    guards last.
    """
    place = {p.local.id: i for i, p in enumerate(s.params)}
    steps: list[n.Bind | n.Test] = []
    for depth in range(-1, len(s.params)):
        if depth >= 0:
            steps.append(n.Bind(depth, s.params[depth].over))
        for guard in s.guards:
            known = max((place.get(i, -1) for i in free_locals(guard.condition)), default=-1)
            if known == depth and not guard.looks_ahead:
                steps.append(n.Test(guard.condition))
    return (*steps, *(n.Test(g.condition) for g in s.guards if g.looks_ahead))
