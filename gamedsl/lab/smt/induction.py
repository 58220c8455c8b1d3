"""Unbounded proofs by k-induction (Sheeran, Singh and Stålmarck, "Checking safety properties using induction and a
SAT-solver", 2000).

A property that holds at first, and after every ply if it held before that ply (or the k plies before), always
holds. Candidate invariants (``invariants``) and claims are combined; those that a ply can violate are dropped until
the rest is inductive (the Houdini algorithm: Flanagan and Leino, 2001).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from time import perf_counter
from typing import Any

import z3

from gamedsl.engine import Game
from gamedsl.lab.base import OVER
from gamedsl.lab.smt.invariants import Invariant, guessed, sampled
from gamedsl.lab.smt.smt_values import Value, and_, not_, or_
from gamedsl.lab.smt.unroll import Front, Unrolled, Unsupported
from gamedsl.language.core import nodes as n
from gamedsl.language.core import parts_played
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass()
class Proof:
    """The result for one claim.

    ``plies``: the induction depth k (0: not proved). ``used``: the invariants that the proof needs. ``why``: why
    there is no proof.
    """

    plies: int = 0
    used: list[str] = field(default_factory=list)
    why: str = ""


@lazy_dataclass()
class Induction:
    """Proves claims (``always`` and ``never``). ``kept``: the inductive invariants.

    ``most``: the maximum induction depth; no claim is violated in fewer plies from the first position. ``seconds``:
    per question; ``budget``: for all.
    """

    game: Game
    claims: Sequence[n.Always | n.Never]
    most: int
    seconds: float
    budget: float
    coarse: bool = False  # abstracts counts on the way: fast, and often sufficient
    exact: bool = False  # set sizes equal the number of members; otherwise they only track changes
    proofs: list[Proof] = field(default_factory=list)
    kept: list[Invariant] = field(default_factory=list)

    def run(self) -> list[Proof]:
        self.end = perf_counter() + self.budget
        self.proofs = [Proof() for _ in self.claims]
        self.plays = Unrolled(self.game.program, self._asked())
        self.plays.relation.deadline = self.end
        try:
            self._prove()
        except Unsupported as no:
            self._give_up(str(no))
        return self.proofs

    def _asked(self) -> list[n.Expr]:
        return [c.condition for c in self.claims]

    def _give_up(self, why: str) -> None:
        for proof in self.proofs:
            if not proof.plies:
                proof.why = proof.why or why

    def _prove(self) -> None:
        self.plays.begin_anywhere()
        if self.exact:
            self.plays.count_exactly()
        self.plays.step(self.coarse)
        guesses = guessed(self.game, sampled(self.game))
        whole = [_as_invariant(self.plays, c) for c in self.claims]
        left = self._what_stays([*whole, *guesses])
        self.kept = [i for i in guesses if i in left]
        for proof, claim in zip(self.proofs, whole, strict=True):
            if claim in left:
                proof.plies, proof.used = 1, self._needed(claim, [i for i in left if i is not claim])
        self._further(whole)

    def _further(self, whole: list[Invariant]) -> None:
        """Tries several plies if one is not enough, assuming everything proved so far."""
        proved = [*self.kept, *(c for c, p in zip(whole, self.proofs, strict=True) if p.plies)]
        plies = 1
        while plies < self.most and not all(p.plies for p in self.proofs) and perf_counter() < self.end:
            plies += 1
            self.plays.step(self.coarse)
            for proof, claim in zip(self.proofs, whole, strict=True):
                if not proof.plies and self._holds_after(claim, proved, plies):
                    proof.plies, proof.used = plies, [i.text for i in proved]
        self._give_up(f"{plies} plies in a row do not prove it" if perf_counter() < self.end else "no time is left")

    def _holds_after(self, claim: Invariant, proved: list[Invariant], plies: int) -> bool:
        before = [self._all_hold([*proved, claim], self.plays.fronts[d], d) for d in range(plies)]
        broken = self._breaks(claim, self.plays.fronts[plies], plies)
        self.plays.take_over()
        return self.plays.check(and_([*before, broken]), self._left()) is False

    # ----------------------------------------------------------------------------------------- inductive invariants

    def _what_stays(self, guesses: list[Invariant]) -> list[Invariant]:
        """Returns the candidates that hold after every ply before which all of them hold."""
        after = {id(i): self._breaks(i, self.plays.fronts[1], 1) for i in guesses}
        before = {id(i): self._all_hold([i], self.plays.fronts[0], 0) for i in guesses}
        self.plays.take_over()
        left = list(guesses)
        while left and perf_counter() < self.end:
            model = self._model(left, before, after)
            if model is False:
                return left
            broken = [i for i in left if model is not None and is_true(model, after[id(i)])]
            left = [i for i in left if i not in broken] if broken else self._one_by_one(left, before, after)
        return []

    def _model(self, left: list[Invariant], before: dict[int, Value], after: dict[int, Value]) -> Any:
        question = and_([*(before[id(i)] for i in left), or_([after[id(i)] for i in left])])
        return self.plays.check_each(question, self._left(), self.end)

    def _one_by_one(self, left: list[Invariant], before: dict[int, Value], after: dict[int, Value]) -> list[Invariant]:
        """Drops the candidates that z3 cannot show to be preserved in time."""
        if perf_counter() > self.end:
            return []
        held = [before[id(i)] for i in left]
        kept = [i for i in left if self._stays(and_([*held, after[id(i)]]))]
        return kept if len(kept) < len(left) else []

    def _stays(self, broken: Value) -> bool:
        return self.plays.check_each(broken, self._left(), self.end) is False

    def _needed(self, claim: Invariant, others: list[Invariant]) -> list[str]:
        """Returns the invariants that a proof uses."""
        names = {z3.Bool(f"uses {number}"): i for number, i in enumerate(others)}
        solver = self.plays.solver
        solver.push()
        solver.set("timeout", int(1000 * self._left()))
        for name, i in names.items():
            holds = self._all_hold([i], self.plays.fronts[0], 0)
            solver.add(z3.Implies(name, holds))
        solver.add(self._all_hold([claim], self.plays.fronts[0], 0), self._breaks(claim, self.plays.fronts[1], 1))
        core = solver.unsat_core() if solver.check(*names) == z3.unsat else list(names)
        solver.pop()
        found = {str(number) for number in core}
        return [i.text for name, i in names.items() if str(name) in found]

    def _left(self) -> float:
        return max(0.05, min(self.seconds, self.end - perf_counter()))

    # ----------------------------------------------------------------------------------------------- formulas

    def _all_hold(self, what: list[Invariant], front: Front, depth: int) -> Value:
        """Returns the condition under which all hold at every stop reached."""
        return and_([not_(self._breaks(i, front, depth)) for i in what])

    def _breaks(self, what: Invariant, front: Front, depth: int) -> Value:
        """Returns the condition under which an invariant is violated; candidates concern only stops where the game
        continues.
        """
        blocks = self.game.program.blocks
        found = []
        for block, (when, state) in front.items():
            if what.at_end or not isinstance(blocks[block].end, n.End):
                found.append(and_([when, not_(what.formula(block, state))]))
        return or_(found)


def _as_invariant(plays: Unrolled, claim: n.Always | n.Never) -> Invariant:
    """Turns a claim into an invariant over every stop of its part."""
    condition, part, wanted = claim.condition, claim.part, isinstance(claim, n.Always)

    def formula(block: int, state: dict[tuple[int, int], Value]) -> Value:
        b = plays.program.blocks[block]
        if part and part not in parts_played(plays.program)[b.part]:
            return True
        holds = plays.relation.expr(condition, state, {OVER.id: isinstance(b.end, n.End)})
        return holds if wanted else not_(holds)

    return Invariant(" ".join(claim.span.text.split()).removeprefix("claim "), formula, at_end=True)


def is_true(model: Any, value: Value) -> bool:
    return value if isinstance(value, bool) else z3.is_true(model.eval(value, model_completion=True))
