"""Judges claims on a state graph."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

import numpy as np

from gamedsl.engine import evaluate_at
from gamedsl.lab.base import Clock, OutOfTime, Status, Verdict, claim_text
from gamedsl.lab.claims.liveness_claims import judge_ends, judge_leads_to
from gamedsl.lab.claims.outcome_odds import balanced
from gamedsl.lab.claims.random import evidence as evidence_of
from gamedsl.lab.claims.state_space import Found, StateSpace, after_steps, status_of_search
from gamedsl.lab.claims.told_conditions import judge_telling
from gamedsl.lab.claims.use_of_moves import judge_used
from gamedsl.lab.search import Target, shrunk
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError

TIME_IS_UP = "not judged: the time is up"
SHORTENING = 0.5  # seconds to shorten a game that shows a claim of possibility


def on_graph(space: StateSpace, claim: n.CoreClaim) -> Verdict:
    """Returns the verdict from the graph."""
    try:
        status, detail, evidence = _judged(space, claim)
    except OutOfTime:
        status, detail, evidence = Status.UNKNOWN, TIME_IS_UP, None
    except GameDSLError as error:
        message = "; ".join(d.message for d in error.diagnostics)
        status, detail, evidence = Status.VIOLATED, f"it cannot be evaluated: {message}", None
    witness = evidence if status == Status.PROVED and claim.has_witness else None
    evidence = None if status == Status.PROVED else evidence
    return Verdict(claim_text(claim), status, detail, evidence, claim.clauses, claim.span, witness=witness)


def with_plays(space: StateSpace, claim: n.CoreClaim, found: Verdict) -> Verdict:
    """Updates the verdict with games that went beyond the graph."""
    if space.sampled is None or found.status not in (Status.HOLDS, Status.UNKNOWN):
        return found
    how = f"in a random game (seed {space.sampled.seed})"
    if claim.has_witness and space.sampled.met_target(claim):
        witness = space.sampled.shown(claim, space.clock)
        return replace(found, status=Status.PROVED, detail=how, evidence=None, witness=witness)
    shown = space.sampled.shown(claim, space.clock)
    if shown is None:
        return replace(found, detail=_with_games(space, claim, found))
    detail = f"{how}, shortened; there may be shorter ones"
    return replace(found, status=Status.VIOLATED, detail=detail, evidence=shown)


def witnessed(claim: n.CoreClaim, target: Target, seed: int, clock: Clock) -> Verdict:
    """Returns the verdict on a claim of possibility that a playout demonstrates."""
    play = target.found
    assert play is not None
    moves = len(play.moves)
    detail = f"after {moves} move{'s' if moves != 1 else ''} of a random game (seed {seed})"
    witness = evidence_of(shrunk(play, target.shows, clock.within(SHORTENING)))
    return Verdict(claim_text(claim), Status.PROVED, detail, None, claim.clauses, claim.span, witness=witness)


def _with_games(space: StateSpace, claim: n.CoreClaim, found: Verdict) -> str:
    """Returns the detail of the graph's verdict, extended by the games that showed nothing else."""
    assert space.sampled is not None
    if not space.games or not space.sampled.has_target(claim) or found.detail == TIME_IS_UP:
        return found.detail
    return f"{found.detail}, {'nor' if claim.has_witness else 'and'} in {space.games}"


def _first(space: StateSpace, e: n.Expr, part: int, wanted: bool) -> int | None:
    """Returns the first state in which a condition holds, or (``wanted`` false) fails to hold; None if there is none."""
    for states, held in space.answers(e, part):
        matching = np.flatnonzero(held == wanted)
        if len(matching):
            return int(states[matching[0]])
    return None


def _judged(space: StateSpace, claim: n.CoreClaim) -> Found:
    match claim:
        case n.Always():
            return _always(space, claim, True)
        case n.Never():
            return _always(space, claim, False)
        case n.Reachable():
            return _reachable(space, claim)
        case n.Ends():
            return judge_ends(space, claim)
        case n.Used():
            return judge_used(space, claim)
        case n.LeadsTo():
            return judge_leads_to(space, claim)
        case n.Balanced():
            return _balanced(space, claim)
        case n.MayTell():
            return judge_telling(space, claim)
        case _:
            assert_never(claim)


def _always(space: StateSpace, claim: n.Always | n.Never, wanted: bool) -> Found:
    broken = _first(space, claim.condition, claim.part, not wanted)
    if broken is None:
        return space.kept, f"in {space.everything}", None
    return Status.VIOLATED, after_steps(space, broken), space.play_to(broken)


def _reachable(space: StateSpace, claim: n.Reachable) -> Found:
    found = _first(space, claim.condition, claim.part, True)
    if found is None and claim.part != 0:
        detail = "at none of its decisions; verify it on its own to see how it ends"
        return Status.UNKNOWN, detail, None
    status, detail, _ = status_of_search(space, found)
    return status, detail, None if found is None else space.play_to(found)


def _balanced(space: StateSpace, claim: n.Balanced) -> Found:
    return balanced(space, int(evaluate_at(space.graph.state(0), claim.percent)))
