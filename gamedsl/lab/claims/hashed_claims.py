"""Judges claims about single states during hash compaction; claims about how games continue need the graph."""

from __future__ import annotations

import numpy as np

from gamedsl.engine import Game
from gamedsl.lab.base import Clock, Evidence, Status, Verdict, claim_text, move_of
from gamedsl.lab.claims.compiled_claims import Asker
from gamedsl.lab.claims.default_faults import is_stuck
from gamedsl.lab.claims.default_names import STUCK, WRONG
from gamedsl.lab.explore import NO_ACTION, WHOLE, Hashed, Limits, Mask, NativeStore, Watch, explore_hashed
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass()
class _Question:
    claim: n.StateClaim
    asker: Asker | None = None
    found: int | None = None

    def look(self, store: NativeStore, first: int, is_there: Mask) -> None:
        """Evaluates the claim in all states of one depth, the first of which is number ``first``. ``is_there``:
        by block and part, whether the part is being played."""
        if self.found is not None:
            return
        self.asker = self.asker or Asker(store, self.claim.condition)
        chosen = np.flatnonzero(is_there[store.blocks(), self.claim.part])
        answers, wrong = self.asker.answers(chosen)
        wanted = 0 if isinstance(self.claim, n.Always) else 1
        matching = np.flatnonzero(answers == wanted)
        if wrong >= 0:
            matching = np.append(matching[matching < wrong], wrong)
        if len(matching):
            self.found = first + int(chosen[matching[0]])


def judge_hashed(
    game: Game, claims: list[n.CoreClaim], limits: Limits, watch: Watch | None = None, clock: Clock | None = None
) -> tuple[Hashed, list[Verdict]]:
    """Explores, and returns verdicts on claims about single states and on rules errors.

    Only claims of possibility can be proved; the others at most hold.
    """
    questions = [_Question(c) for c in claims if isinstance(c, n.StateClaim)]
    played, parts = game.parts_played, range(len(game.program.parts))
    is_there = np.array([[p == 0 or p in played[b.part] for p in parts] for b in game.program.blocks], dtype=bool)

    def level(store: NativeStore, first: int) -> bool:
        for q in questions:
            q.look(store, first, is_there)
        return False

    found = explore_hashed(game, limits, level, watch=watch, clock=clock)
    verdicts = [_verdict(found, q) for q in questions]
    others = [c for c in claims if not isinstance(c, n.StateClaim)]
    verdicts += [
        Verdict(claim_text(c), Status.UNKNOWN, "not judged from hashes", None, c.clauses, c.span) for c in others
    ]
    return found, [*verdicts, *_faults(found)]


def extent(found: Hashed) -> str:
    """Describes the states examined, with the probability that one was missed."""
    steps = len(found.levels) - (1 if found.stopped == "depth" else 2)
    states = f"{found.states:,} states" + ("" if found.stopped == WHOLE else f" up to {steps} steps")
    odds = found.odds
    if not odds:
        return f"{states}, told apart by 64-bit hashes"
    return f"{states}, told apart by 64-bit hashes: one was missed with odds of at most 1 in {int(1 / odds):,}"


def _verdict(found: Hashed, q: _Question) -> Verdict:
    sought = q.claim.has_witness
    if q.found is None:
        status, detail = (Status.UNKNOWN, "in none of") if sought else (Status.HOLDS, "in all")
        return Verdict(claim_text(q.claim), status, f"{detail} {extent(found)}", None, q.claim.clauses, q.claim.span)
    moves, _ = found.play(q.found)
    if sought:
        return Verdict(
            claim_text(q.claim), Status.PROVED, f"after {len(moves)} steps", None, q.claim.clauses, q.claim.span
        )
    evidence = Evidence(found.start, tuple(moves))
    return Verdict(
        claim_text(q.claim), Status.VIOLATED, f"after {len(moves)} steps", evidence, q.claim.clauses, q.claim.span
    )


def _faults(found: Hashed) -> list[Verdict]:
    verdicts = []
    for claim, stuck in ((STUCK, True), (WRONG, False)):
        fault = next((f for f in found.faults.distinct if is_stuck(f.error) == stuck), None)
        if fault is None:
            verdicts.append(Verdict(claim, Status.HOLDS, f"in all {extent(found)}", default=True))
            continue
        moves, state = found.play(fault.state)
        failing = None if fault.action == NO_ACTION else move_of(state, fault.action)
        diagnostic = fault.error.diagnostics[0]
        evidence = Evidence(found.start, tuple(moves), None, failing)
        verdicts.append(Verdict(claim, Status.VIOLATED, diagnostic.message, evidence, (), diagnostic.span, True))
    return verdicts
