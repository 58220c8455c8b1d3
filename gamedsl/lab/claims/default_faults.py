"""Default claims: nobody is stuck, no rule fails."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.lab.base import Evidence, Status, Verdict
from gamedsl.lab.claims.default_names import STUCK, WRONG, default_verdict
from gamedsl.lab.claims.state_space import StateSpace
from gamedsl.lab.explore import Fault
from gamedsl.lab.search import Play
from gamedsl.language.source import GameDSLError


def faults(space: StateSpace) -> Iterator[Verdict]:
    """Yields verdicts on rules errors, the first at each place; errors of stuck players are a separate claim."""
    graph = space.graph
    seen: dict[tuple[str, bool], Fault] = {}
    for fault in graph.faults.distinct:
        seen.setdefault(_key(fault.error), fault)
    played = {} if space.sampled is None else {_key(p.error): p for p in space.sampled.met.faults if p.error}
    for claim, stuck in ((STUCK, True), (WRONG, False)):
        mine = [f for f in seen.values() if is_stuck(f.error) == stuck]
        for fault in mine:
            yield _fault(space, claim, fault)
        further = [p for key, p in played.items() if key not in seen and p.error and is_stuck(p.error) == stuck]
        for play in further:
            yield _played_fault(space, claim, play)
        if not mine and not further:
            yield default_verdict(
                claim, space.kept, f"in {space.everything if space.graph.whole else space.examined()}"
            )


def _key(error: GameDSLError) -> tuple[str, bool]:
    """Returns a key that is equal for errors at the same place, which are reported once."""
    return str(error.diagnostics[0].span), is_stuck(error)


def _played_fault(space: StateSpace, claim: str, play: Play) -> Verdict:
    assert play.error is not None and space.sampled is not None
    diagnostic = play.error.diagnostics[0]
    detail = f"{diagnostic.message} (in a random game, seed {space.sampled.seed}, shortened)"
    return default_verdict(claim, Status.VIOLATED, detail, space.sampled.fault(play, space.clock), diagnostic.span)


def is_stuck(error: GameDSLError) -> bool:
    """Whether the rules error is that of a player who must act and cannot."""
    message = error.diagnostics[0].message
    return "no legal move" in message or "no value to choose" in message


def _fault(space: StateSpace, claim: str, fault: Fault) -> Verdict:
    graph, diagnostic = space.graph, fault.error.diagnostics[0]
    moves, failing = graph.failing(fault)
    evidence = Evidence(graph.start, tuple(moves), None, failing)
    return default_verdict(claim, Status.VIOLATED, diagnostic.message, evidence, diagnostic.span)


def first_fault(error: GameDSLError) -> Verdict:
    """Returns the verdict for a game without a first position, because a rule fails before it."""
    diagnostic = error.diagnostics[0]
    claim = STUCK if is_stuck(error) else WRONG
    return default_verdict(claim, Status.VIOLATED, f"at the very start: {diagnostic.message}", None, diagnostic.span)
