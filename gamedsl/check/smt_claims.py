"""What is so in any position whatever, by z3: moves that can never be made, conditions that can never refuse, claims.

"Never" holds for every position that the variables can hold, so also for those that can be reached: it is proved. That
something is possible is shown by a position that perhaps can't be reached; so it is called possible, and no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import z3

from gamedsl.check.claims_text import OVER, told
from gamedsl.check.default_claims_guards import switched_off
from gamedsl.check.smt import Env, Formulas, State, Unsupported, Value, and_, anything, not_, or_
from gamedsl.check.verdict import Status, Verdict
from gamedsl.core.nodes import Const, CoreClaim, Program, Schema
from gamedsl.source.text import Span

MOVES = "every kind of move is possible in some position"
GUARDS = "every condition of a move can refuse something"
SECONDS = 5.0
POSSIBLE = "possible in a position that perhaps can't be reached"


def judge_smt(program: Program, claims: list[CoreClaim], seconds: float = SECONDS) -> list[Verdict]:
    """The verdicts. ``seconds`` is what each question may take; then the answer is unknown."""
    found = [_claim(program, c, seconds) for c in claims if c.kind in ("always", "never")]
    offered = {a.schema for b in program.blocks for a in getattr(b.end, "alternatives", ())}
    schemas = [s for s in program.schemas if s.index in offered and not switched_off(s)]
    return [*found, *(v for s in schemas for v in _move(program, s, seconds))]


def satisfiable(parts: list[Value], seconds: float) -> bool | None:
    """Can all of these hold at once? None: z3 does not know."""
    whole = and_(parts)
    if isinstance(whole, bool):
        return whole
    solver = z3.Solver()
    solver.set("timeout", int(seconds * 1000))
    solver.add(whole)
    answer = solver.check()
    return True if answer == z3.sat else False if answer == z3.unsat else None


def _claim(program: Program, claim: CoreClaim, seconds: float) -> Verdict:
    assert claim.condition is not None
    given: list[Value] = []
    formulas = Formulas(program)
    try:
        s = formulas.position(given)
        holds = formulas.expr(claim.condition, s, {OVER.id: z3.Bool("over")})
        broken = not_(holds) if claim.kind == "always" else holds
        status, detail = _never(satisfiable([*given, broken], seconds), "in any position whatever", "it can be broken")
    except Unsupported as why:
        status, detail = Status.UNKNOWN, f"z3 is not asked: {why}"
    return Verdict(told(claim), status, detail, None, claim.clauses, claim.span)


def _never(can: bool | None, proved: str, possible: str) -> tuple[Status, str]:
    """The verdict on something that should not be possible."""
    if can is None:
        return Status.UNKNOWN, "z3 does not know"
    return (Status.UNKNOWN, f"{possible}: {POSSIBLE}") if can else (Status.PROVED, proved)


@dataclass
class _Move:
    """Any position, any player, any move of one kind: ``given`` is what makes them so."""

    schema: Schema
    formulas: Formulas
    state: State
    env: Env
    given: list[Value]
    seconds: float

    @staticmethod
    def of(program: Program, schema: Schema, seconds: float) -> _Move:
        given: list[Value] = []
        formulas = Formulas(program)
        state = formulas.position(given)
        env: Env = {schema.me.id: anything(schema.me.type, "me", given)}
        for p in schema.params:
            env[p.local.id] = anything(p.local.type, p.local.name, given)
            chosen = formulas.elements(p.local.type, env[p.local.id])
            given.append(member_of(chosen, formulas.expr(p.over, state, env)))
        return _Move(schema, formulas, state, env, given, seconds)

    def verdicts(self) -> Iterator[Verdict]:
        """On every condition: can it refuse what those before it let through? And can all hold?"""
        before = list(self.given)
        for guard in self.schema.guards:
            text = f"`{' '.join(guard.span.text.split())}`"
            try:
                holds = self.formulas.expr(guard.condition, self.state, self.env)
            except Unsupported as why:
                yield _unasked(GUARDS, text, why, guard.span)
                continue
            if not isinstance(guard.condition, Const):
                refuses = satisfiable([*before, not_(holds)], self.seconds)
                yield _refusal(refuses, text, guard.span)
            before.append(holds)
        legal, name = satisfiable(before, self.seconds), f"`{self.schema.name}`"
        yield _possible(MOVES, legal, f"{name} can be made", f"{name} can never be made", self.schema.span)


def member_of(chosen: list[Value], over: list[Value]) -> Value:
    """Is what is chosen in a set?"""
    return or_([and_([a, b]) for a, b in zip(chosen, over, strict=False)])


def _move(program: Program, schema: Schema, seconds: float) -> Iterator[Verdict]:
    try:
        move = _Move.of(program, schema, seconds)
    except Unsupported as why:
        yield _unasked(MOVES, f"`{schema.name}`", why, schema.span)
        return
    yield from move.verdicts()


def _unasked(claim: str, what: str, why: Unsupported, place: Span) -> Verdict:
    return Verdict(claim, Status.UNKNOWN, f"{what}: z3 is not asked: {why}", None, (), place, True)


def _refusal(can: bool | None, text: str, place: Span) -> Verdict:
    if can is not False:
        return _possible(GUARDS, can, f"{text} can refuse a move", "", place)
    detail = f"{text} can never refuse a move that those before it let through, whatever the position"
    return Verdict(GUARDS, Status.NOTED, f"{detail}: it is not needed, with these options", None, (), place, True)


def _possible(claim: str, can: bool | None, possible: str, never: str, place: Span) -> Verdict:
    if can is None:
        return Verdict(claim, Status.UNKNOWN, f"{possible}? z3 does not know", None, (), place, True)
    if not can:
        return Verdict(claim, Status.VIOLATED, f"{never}, whatever the position", None, (), place, True)
    return Verdict(claim, Status.NOTED, f"{possible}: {POSSIBLE}", None, (), place, True)
