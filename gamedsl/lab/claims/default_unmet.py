"""Default claims: everything that the ruleset declares occurs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from gamedsl.lab.base import Clock, Status, Verdict, is_disabled
from gamedsl.lab.claims.compiled_claims import ends_by_winners
from gamedsl.lab.claims.default_guards import SECONDS, idle_guards
from gamedsl.lab.claims.default_names import ALWAYS, GUARDS, MOVES, PHASES, RESULTS, WINNERS, default_verdict
from gamedsl.lab.claims.seat_winners import moves_seats, real_winners
from gamedsl.lab.claims.state_space import StateSpace
from gamedsl.lab.claims.use_of_moves import all_moves_known, first_use
from gamedsl.lab.explore import Graph, NativeStore
from gamedsl.lab.search import PlayFindings
from gamedsl.language.core import is_stop
from gamedsl.language.core import nodes as n
from gamedsl.language.source import NOWHERE, Span, lazy_dataclass

ONLY_HERE = "this holds with these options, but not with the ruleset's own"
NOT_COMPARED = "this holds with these options; there was no time to check the ruleset's own"
MOST_LISTED = 6


@lazy_dataclass(frozen=True)
class Unmet:
    """The items that a claim expects to occur but that were not seen, out of ``total``.

    ``never``, ``unseen``: the words for them if all states are known, and if not. ``where``: what was examined for
    them (empty: everything that was explored or played).
    """

    claim: str
    missing: list[tuple[str, Span]]
    total: int
    never: str
    unseen: str
    where: str = ""


def _judged(space: StateSpace, unmet: Unmet) -> Iterator[Verdict]:
    """Yields one verdict per missing item if all states are known, else one for all."""
    claim, missing = unmet.claim, unmet.missing
    if not missing:
        if unmet.total:
            yield default_verdict(claim, Status.PROVED, f"{unmet.total} of them")
        return
    if space.graph.whole:
        for what, place in missing:
            status, why = compared_with_defaults(space, partial(_is_met, claim, what))
            yield default_verdict(claim, status, f"{what} {unmet.never} in {space.extent}{why}", None, place)
    else:
        some = "; ".join(what for what, _ in missing[:MOST_LISTED]) + ("; ..." if len(missing) > MOST_LISTED else "")
        seen = f"{len(missing)} of {unmet.total} {unmet.unseen} in {unmet.where or space.examined()}"
        yield default_verdict(claim, Status.UNKNOWN, f"{seen}: {some}", None, missing[0][1])


def compared_with_defaults(space: StateSpace, is_met: Callable[[StateSpace], bool]) -> tuple[Status, str]:
    """Returns the status and explanation of an item missing here; it is not a fault if it occurs with the ruleset's
    own options.
    """
    other = space.by_default
    if other is None:
        return Status.VIOLATED, ""
    if is_met(other):
        return Status.NOTED, f": {ONLY_HERE}"
    return (Status.VIOLATED, "") if other.seen_enough else (Status.UNKNOWN, f": {NOT_COMPARED}")


def _is_met(claim: str, what: str, space: StateSpace) -> bool:
    return what not in _unmet(space, claim)


def _unmet(space: StateSpace, claim: str) -> set[str]:
    """Returns the items that a default claim finds missing; computed once per claim."""
    if claim not in space.unmet:
        space.unmet[claim] = {missing for missing, _ in UNMET[claim](space).missing}
    return space.unmet[claim]


def met_in_plays(space: StateSpace) -> PlayFindings:
    """Returns what the games beyond the graph covered; empty if there were none."""
    return PlayFindings() if space.sampled is None else space.sampled.met


def _unmet_moves(space: StateSpace) -> Unmet:
    program, met = space.graph.game.program, met_in_plays(space)
    asked = _asked(program)
    missing = [
        (f"`{s.name}`", s.span)
        for s in program.schemas
        if s.index in asked and s.index not in met.schemas and first_use(space, {s.index}) is None
    ]
    tried = "" if not missing or all_moves_known(space) else space.examined(f"a part of {space.extent}")
    return Unmet(MOVES, missing, len(asked), "is never legal", "were not legal", tried)


def judge_moves(space: StateSpace) -> Iterator[Verdict]:
    unmet = _unmet_moves(space)
    if unmet.missing and space.graph.whole and not all_moves_known(space):
        detail = f"{unmet.missing[0][0]} was not legal where it was tried; there are too many moves to try all"
        yield default_verdict(MOVES, Status.UNKNOWN, detail)
    else:
        yield from _judged(space, unmet)


def _asked(program: n.Program) -> set[int]:
    """Returns the kinds of moves that some decision offers and the options allow, except mistakes."""
    offered = {a.schema for b in program.blocks for a in getattr(b.end, "alternatives", ())}
    return {k for k in offered if not (is_disabled(program.schemas[k]) or program.schemas[k].mistake)}


def _refusing(space: StateSpace) -> tuple[Unmet, bool]:
    """Returns the conditions that refuse nothing, and whether that could be determined."""
    clock = space.clock if space.graph.whole else space.clock.within(SECONDS / 4)
    idle, undecided, total, tried = idle_guards(space.graph, clock)
    met = met_in_plays(space)
    if met.refusals is not None:
        still = {g.span for g in met.refusals.idle()}
        idle, undecided = [g for g in idle if g.span in still], [g for g in undecided if g.span in still]
    missing = [(f"`{' '.join(g.span.text.split())}`", g.span) for g in idle or undecided]
    where = f"{space.examined(f'{tried:,} of {space.extent}')}, a sample of moves in each"
    return Unmet(GUARDS, missing, total, "refuses nothing", "refused nothing", where), not undecided


def _unmet_guards(space: StateSpace) -> Unmet:
    return _refusing(space)[0]


def judge_guards(space: StateSpace) -> Iterator[Verdict]:
    unmet, decided = _refusing(space)
    if decided or not space.graph.whole:
        yield from _judged(space, unmet)
        return
    for what, place in unmet.missing:
        yield default_verdict(
            GUARDS,
            Status.UNKNOWN,
            f"{what} refused nothing that was tried; there are too many moves to try all",
            None,
            place,
        )


def _unmet_phases(space: StateSpace) -> Unmet:
    program = space.graph.game.program
    declared = {(b.part, b.phase): b for b in reversed(program.blocks) if b.phase and is_stop(b)}
    stops = (program.blocks[i] for i in np.unique(space.graph.blocks()))
    reached = {(b.part, b.phase) for b in stops} | met_in_plays(space).phases
    missing = [(f"`{phase}`", b.end.span) for (part, phase), b in declared.items() if (part, phase) not in reached]
    return Unmet(PHASES, missing, len(declared), "is never reached", "were not reached")


def judge_phases(space: StateSpace) -> Iterator[Verdict]:
    return _judged(space, _unmet_phases(space))


def _unmet_results(space: StateSpace) -> Unmet:
    program = space.graph.game.program
    ends = {b.index: b.end.span for b in program.blocks if isinstance(b.end, n.End)}
    met = {int(i) for i in np.unique(space.graph.blocks())} | met_in_plays(space).results
    missing = [(f"`{' '.join(span.text.split())}`", span) for i, span in ends.items() if i not in met]
    return Unmet(RESULTS, missing, len(ends), "is never reached", "were not reached")


def judge_results(space: StateSpace) -> Iterator[Verdict]:
    unmet = _unmet_results(space)
    if not unmet.total:
        yield default_verdict(RESULTS, Status.VIOLATED, "no rule ends the game")
    yield from _judged(space, unmet)


def _met_winners(space: StateSpace) -> tuple[set[frozenset[int]], bool]:
    """Returns the sets of winners that occur, and whether the set is complete as far as the graph goes."""
    space.clock.check()
    graph = space.graph
    ends, known = _sets_of_winners(graph, space.clock), True
    if moves_seats(graph):
        ends, known = real_winners(graph, ends, space.clock)
    return ends | met_in_plays(space).winners, known


def _unmet_winners(space: StateSpace) -> Unmet:
    return _never_winning(space, _met_winners(space)[0])


def _never_winning(space: StateSpace, ends: set[frozenset[int]]) -> Unmet:
    names, can = space.graph.game.players, frozenset[int]().union(*ends)
    missing = [(names[p], NOWHERE) for p in range(len(names)) if p not in can]
    return Unmet(WINNERS, missing, len(names), "never wins", "did not win")


def judge_winners(space: StateSpace) -> Iterator[Verdict]:
    ends, known = _met_winners(space)
    names = space.graph.game.players
    if not any(ends) or len(names) == 1:
        return
    unmet = _never_winning(space, ends)
    if not known and (unmet.missing or len(ends) == 1):
        detail = "not found in time with symmetries that exchange seats; try without symmetries"
        yield default_verdict(WINNERS, Status.UNKNOWN, detail)
        return
    yield from _judged(space, unmet)
    can = frozenset[int]().union(*ends)
    if len(ends) == 1 and len(can) == 1 and space.graph.whole:
        status, why = compared_with_defaults(space, lambda other: len(_met_winners(other)[0]) > 1)
        yield default_verdict(ALWAYS, status, f"{names[min(can)]} wins every game{why}")
    elif len(ends) > 1:
        yield default_verdict(ALWAYS, Status.PROVED, f"{len(ends)} different sets of winners are met")


UNMET: dict[str, Callable[[StateSpace], Unmet]] = {
    MOVES: _unmet_moves,
    GUARDS: _unmet_guards,
    PHASES: _unmet_phases,
    RESULTS: _unmet_results,
    WINNERS: _unmet_winners,
}


def _sets_of_winners(graph: Graph, clock: Clock) -> set[frozenset[int]]:
    terminals = np.flatnonzero(graph.kinds() == 0)
    if isinstance(graph.store, NativeStore):
        return ends_by_winners(graph.store, terminals, clock)
    found = set()
    for i in map(int, terminals):
        clock.check()
        found.add(graph.state(i).winners)
    return found
