"""Judges claims, moves and conditions with z3, without exploration.

A claim is checked in arbitrary positions, then in all games of a few plies, then by induction, which proves it for
all depths. Kinds of moves and their conditions are checked in arbitrary positions that satisfy the proved
invariants. A witness of possibility may be unreachable, so the verdict says only "possible".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

import z3

from gamedsl.engine import Game
from gamedsl.lab.base import OVER, Clock, Evidence, Status, Verdict, claim_text, is_disabled
from gamedsl.lab.smt.bounded import Answer, Bounded
from gamedsl.lab.smt.encode import Env, Formulas, State
from gamedsl.lab.smt.induction import Induction, Proof
from gamedsl.lab.smt.invariants import Invariant
from gamedsl.lab.smt.smt_values import Unsupported, Value, and_, anything, not_, or_
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Span, lazy_dataclass

MOVES = "every kind of move is possible in some position"
GUARDS = "every condition of a move can refuse something"
POSSIBLE = "possible in a position that may be unreachable"
INVARIANTS = "what always holds"
MOST_PLIES = 3  # maximum induction depth


@lazy_dataclass(frozen=True)
class SmtBudget:
    """Limits.

    ``depth``: plies from the first position. ``seconds``: per question to z3. ``total``: for the games from the
    first position, and again for the proofs by induction.
    """

    depth: int = 6
    seconds: float = 5.0
    total: float = 30.0
    clock: Clock = field(default_factory=Clock)

    @property
    def question(self) -> float:
        """The time limit of the next question, in seconds."""
        return min(self.seconds, self.clock.left)


def judge_smt(game: Game, claims: list[n.CoreClaim], budget: SmtBudget | None = None) -> list[Verdict]:
    """Returns verdicts on claims about single positions, and on kinds of moves and their conditions."""
    budget, program = budget or SmtBudget(), game.program
    asked = [c for c in claims if isinstance(c, n.Always | n.Never)]
    anywhere = [_anywhere(program, c, budget.question) for c in asked]
    left = [c for c, answer in zip(asked, anywhere, strict=True) if answer[0] is not True]
    answers = (
        Bounded(game, left, budget.depth, budget.question, min(budget.total, budget.clock.left)).run() if left else []
    )
    fine = [c for c, a in zip(left, answers, strict=True) if a.depth >= 0 and a.play is None]
    induction = _proofs(game, fine, [a for a in answers if a.depth >= 0 and a.play is None], budget)
    proofs = {id(c): p for c, p in zip(fine, induction.proofs, strict=True)}
    by_claim = {id(c): (a, proofs.get(id(c), Proof())) for c, a in zip(left, answers, strict=True)}
    found = [_claim(c, free, by_claim.get(id(c))) for c, free in zip(asked, anywhere, strict=True)]
    if induction.kept:
        found.append(_invariants(induction.kept))
    offered = {a.schema for b in program.blocks for a in getattr(b.end, "alternatives", ())}
    schemas = [s for s in program.schemas if s.index in offered and not is_disabled(s)]
    return [*found, *(v for s in schemas for v in _move(program, s, induction.kept, budget))]


def _proofs(game: Game, claims: list[n.Always | n.Never], answers: list[Answer], budget: SmtBudget) -> Induction:
    """Proves by induction: coarsely first, then precisely for the rest."""
    most = min([MOST_PLIES, *(a.depth + 1 for a in answers)])
    first = Induction(game, claims, most, budget.question, min(budget.total, budget.clock.left) / 2, coarse=True)
    first.run()
    if all(p.plies for p in first.proofs):
        return first
    second = Induction(game, claims, most, budget.question, min(budget.total, budget.clock.left) / 2, exact=True)
    second.run()
    second.proofs = [a if a.plies else b for a, b in zip(first.proofs, second.proofs, strict=True)]
    if len(second.kept) < len(first.kept):
        second.kept = first.kept
    return second


def _invariants(kept: list[Invariant]) -> Verdict:
    return Verdict(INVARIANTS, Status.NOTED, "by induction: " + "; ".join(i.text for i in kept), default=True)


def satisfiable(parts: list[Value], seconds: float) -> bool | None:
    """Whether these are satisfiable together; None if z3 does not know."""
    whole = and_(parts)
    if isinstance(whole, bool):
        return whole
    if seconds <= 0:
        return None
    solver = z3.Solver()
    solver.set("timeout", max(1, int(seconds * 1000)))
    solver.add(whole)
    answer = solver.check()
    return True if answer == z3.sat else False if answer == z3.unsat else None


def _anywhere(program: n.Program, claim: n.Always | n.Never, seconds: float) -> tuple[bool | None, str]:
    """Returns whether a claim holds in arbitrary positions (None: unknown), and an explanation."""
    given: list[Value] = []
    formulas = Formulas(program)
    try:
        s = formulas.position(given)
        holds = formulas.expr(claim.condition, s, {OVER.id: z3.Bool("over")})
    except Unsupported as why:
        return None, f"z3 is not asked: {why}"
    broken = satisfiable([*given, not_(holds) if isinstance(claim, n.Always) else holds], seconds)
    words = {True: f"it can be broken: {POSSIBLE}", False: "in every position", None: "z3 does not know"}
    return None if broken is None else not broken, words[broken]


def _claim(claim: n.CoreClaim, free: tuple[bool | None, str], found: tuple[Answer, Proof] | None) -> Verdict:
    """Combines the results of all methods into a verdict."""
    if found is None or free[0] is True:
        return _told(claim, Status.PROVED, free[1])
    answer, proof = found
    if answer.play is not None:
        least = "; there is no shorter game" if answer.depth >= len(answer.play.moves) - 1 else ""
        plies = f"{len(answer.play.moves)} step{'s' if len(answer.play.moves) != 1 else ''}"
        return _told(claim, Status.VIOLATED, f"after {plies}{least}", answer.play)
    if answer.whole:
        return _told(claim, Status.PROVED, f"in all games, of which none is longer than {answer.depth} plies")
    if proof.plies:
        used = f", with: {'; '.join(proof.used)}" if proof.used else ""
        row = "after every ply" if proof.plies == 1 else f"after every {proof.plies} plies in a row"
        return _told(claim, Status.PROVED, f"by induction, {row} if before{used}")
    why = "; ".join(dict.fromkeys(w for w in (answer.why, proof.why and f"induction: {proof.why}") if w))
    if answer.depth >= 0:
        return _told(claim, Status.HOLDS, f"in all games of up to {answer.depth} plies; {why}; {free[1]}")
    return _told(claim, Status.UNKNOWN, f"{why}; {free[1]}")


def _told(claim: n.CoreClaim, status: Status, detail: str, play: Evidence | None = None) -> Verdict:
    return Verdict(claim_text(claim), status, detail, play, claim.clauses, claim.span)


@lazy_dataclass()
class _Move:
    """An arbitrary position, player and move of one kind; ``given`` constrains them."""

    schema: n.Schema
    formulas: Formulas
    state: State
    env: Env
    given: list[Value]
    always: Value
    budget: SmtBudget

    @staticmethod
    def of(program: n.Program, schema: n.Schema, kept: list[Invariant], budget: SmtBudget) -> _Move:
        given: list[Value] = []
        formulas = Formulas(program)
        state = formulas.position(given)
        env: Env = {schema.me.id: anything(schema.me.type, "me", given)}
        for p in schema.params:
            env[p.local.id] = anything(p.local.type, p.local.name, given)
            chosen = formulas.elements(p.local.type, env[p.local.id])
            given.append(member_of(chosen, formulas.expr(p.over, state, env)))
        return _Move(schema, formulas, state, env, given, _fitting(program, schema, kept, state), budget)

    def can(self, parts: list[Value]) -> tuple[bool | None, str]:
        """Returns whether these are satisfiable together (None: unknown), and in which positions they are not."""
        found = satisfiable(parts, self.budget.question)
        if found is False or self.always is True:
            return found, "whatever the position"
        return satisfiable([*parts, self.always], self.budget.question), f"as {INVARIANTS} forbids it"

    def verdicts(self) -> Iterator[Verdict]:
        """Yields a verdict on each condition and on the move.

        The condition's verdict is whether it can refuse what those before it allow, the move's whether all
        conditions can hold.
        """
        before = list(self.given)
        for guard in self.schema.guards:
            text = f"`{' '.join(guard.span.text.split())}`"
            try:
                holds = self.formulas.expr(guard.condition, self.state, self.env)
            except Unsupported as why:
                yield _unasked(GUARDS, text, why, guard.span)
                continue
            if not isinstance(guard.condition, n.Const):
                refuses, where = self.can([*before, not_(holds)])
                yield _refusal(refuses, text, where, guard.span)
            before.append(holds)
        (legal, where), name = self.can(before), f"`{self.schema.name}`"
        yield _possible(MOVES, legal, f"{name} can be made", f"{name} can never be made, {where}", self.schema.span)


def member_of(chosen: list[Value], over: list[Value]) -> Value:
    """Returns the condition that the chosen element is in a set."""
    return or_([and_([a, b]) for a, b in zip(chosen, over, strict=False)])


def _fitting(program: n.Program, schema: n.Schema, kept: list[Invariant], state: State) -> Value:
    """Returns the condition that the move is offered in the position, as far as is known."""
    if not kept:
        return True
    stops = [
        b.index for b in program.blocks if any(a.schema == schema.index for a in getattr(b.end, "alternatives", ()))
    ]
    try:
        return or_([and_([i.formula(b, state) for i in kept]) for b in stops])
    except (Unsupported, KeyError):
        return True


def _move(program: n.Program, schema: n.Schema, kept: list[Invariant], budget: SmtBudget) -> Iterator[Verdict]:
    try:
        move = _Move.of(program, schema, kept, budget)
    except Unsupported as why:
        yield _unasked(MOVES, f"`{schema.name}`", why, schema.span)
        return
    yield from move.verdicts()


def _unasked(claim: str, what: str, why: Unsupported, place: Span) -> Verdict:
    return Verdict(claim, Status.UNKNOWN, f"{what}: z3 is not asked: {why}", None, (), place, True)


def _refusal(can: bool | None, text: str, where: str, place: Span) -> Verdict:
    if can is not False:
        return _possible(GUARDS, can, f"{text} can refuse a move", "", place)
    detail = f"{text} can never refuse a move that the guards before it allow, {where}"
    return Verdict(GUARDS, Status.NOTED, f"{detail}: it is not needed, with these options", None, (), place, True)


def _possible(claim: str, can: bool | None, possible: str, never: str, place: Span) -> Verdict:
    if can is None:
        return Verdict(claim, Status.UNKNOWN, f"{possible}? z3 does not know", None, (), place, True)
    if not can:
        return Verdict(claim, Status.VIOLATED, never, None, (), place, True)
    return Verdict(claim, Status.NOTED, f"{possible}: {POSSIBLE}", None, (), place, True)
