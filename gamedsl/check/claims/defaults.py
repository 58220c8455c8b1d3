"""Default claims, made of every ruleset: nobody is stuck, no rule fails, nothing is dead, plays end, every result
and every winner is possible, secrets stay secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from gamedsl.check.base import TOGETHER, Clock, Evidence, OutOfTime, Status, Verdict, is_disabled
from gamedsl.check.claims.compiled import ends_by_winners
from gamedsl.check.claims.default_guards import SECONDS, idle_guards
from gamedsl.check.claims.default_redraw import REDRAWN, check_redraws
from gamedsl.check.claims.default_secrets import PRIVATE, check_secret_parameters
from gamedsl.check.claims.judge import TIME_IS_UP, Study, all_moves_known, first_use, round_trip
from gamedsl.check.claims.seat_winners import moves_seats, real_winners
from gamedsl.check.explore import Fault, Graph, NativeStore, cycle, peel, reaches
from gamedsl.check.search import Play, PlayFindings
from gamedsl.core import is_stop
from gamedsl.core.nodes import End, Program
from gamedsl.engine import State
from gamedsl.source import NOWHERE, GameDSLError, Span

STUCK = "whoever must act can act"
WRONG = "no rule goes wrong"
MOVES = "every kind of move is legal somewhere"
GUARDS = "every condition of a move refuses something"
PHASES = "every phase is reached"
RESULTS = "every kind of result is reached"
WINNERS = "every player can win"
ALWAYS = "no player wins always"
ENDING = "every play can still end"
ENDLESS = "no play goes round for ever"
SECRET = "secret choices stay secret"
ENDS = "a play comes to an end"
ENOUGH = 3  # plays that were abandoned after very many moves
ONLY_HERE = "this holds with these options, but not with the ruleset's own"
NOT_COMPARED = "this holds with these options; there was no time to check the ruleset's own"
MOST_LISTED = 6


def check_defaults(study: Study, use: bool = True) -> Iterator[Verdict]:
    """Yields the verdicts on all default claims in a fixed order, one per problem. ``use``: includes the claims that
    everything is of use.
    """
    judges: list[tuple[str, Callable[[Study], Iterator[Verdict]]]] = [(WRONG, faults)]
    if use:
        judges += [(MOVES, _moves), (GUARDS, _guards), (PHASES, _phases), (RESULTS, _results), (WINNERS, _winners)]
    judges += [(ENDS, _ends), (ENDING, _ending), (SECRET, _secrets)]
    judges += [(PRIVATE, _secret_parameters), (REDRAWN, _redraws)]
    for claim, judge in judges:
        yield from _in_time(study, claim, judge)


def _in_time(study: Study, claim: str, judge: Callable[[Study], Iterator[Verdict]]) -> Iterator[Verdict]:
    """Yields a judge's verdicts; if the time runs out first, one that says so."""
    study.clock.say(f"judging: {claim}")
    try:
        yield from judge(study)
    except OutOfTime:
        yield _verdict(claim, Status.UNKNOWN, TIME_IS_UP)


def _secret_parameters(study: Study) -> Iterator[Verdict]:
    return check_secret_parameters(study.graph.start, study.clock)


def _redraws(study: Study) -> Iterator[Verdict]:
    return check_redraws(study.graph.start, study.clock)


def _verdict(
    claim: str, status: Status, detail: str, evidence: Evidence | None = None, place: Span = NOWHERE
) -> Verdict:
    return Verdict(claim, status, detail, evidence, place=place, default=True)


# ------------------------------------------------------------------------------------------------- rules errors


def faults(study: Study) -> Iterator[Verdict]:
    """Yields rules errors, the first at each place; those of players who can't act are separate."""
    graph = study.graph
    seen: dict[tuple[str, bool], Fault] = {}
    for fault in graph.faults.distinct:
        seen.setdefault(_key(fault.error), fault)
    played = {} if study.sampled is None else {_key(p.error): p for p in study.sampled.met.faults if p.error}
    for claim, stuck in ((STUCK, True), (WRONG, False)):
        mine = [f for f in seen.values() if is_stuck(f.error) == stuck]
        for fault in mine:
            yield _fault(study, claim, fault)
        further = [p for key, p in played.items() if key not in seen and p.error and is_stuck(p.error) == stuck]
        for play in further:
            yield _played_fault(study, claim, play)
        if not mine and not further:
            yield _verdict(claim, study.kept, f"in {study.everything}")


def _key(error: GameDSLError) -> tuple[str, bool]:
    """Identifies errors at the same place, which are reported once."""
    return str(error.diagnostics[0].span), is_stuck(error)


def _played_fault(study: Study, claim: str, play: Play) -> Verdict:
    assert play.error is not None and study.sampled is not None
    diagnostic = play.error.diagnostics[0]
    detail = f"{diagnostic.message} (in a random play, seed {study.sampled.seed}, shortened)"
    return _verdict(claim, Status.VIOLATED, detail, study.sampled.fault(play, study.clock), diagnostic.span)


def is_stuck(error: GameDSLError) -> bool:
    """Is it the rules error of a player who must act and can't?"""
    message = error.diagnostics[0].message
    return "no legal move" in message or "no value to choose" in message


def _fault(study: Study, claim: str, fault: Fault) -> Verdict:
    graph, diagnostic = study.graph, fault.error.diagnostics[0]
    moves, failing = graph.failing(fault)
    evidence = Evidence(graph.start, tuple(moves), None, failing)
    return _verdict(claim, Status.VIOLATED, diagnostic.message, evidence, diagnostic.span)


def first_fault(error: GameDSLError) -> Verdict:
    """Returns the verdict when there is no first position because a rule fails before it."""
    diagnostic = error.diagnostics[0]
    claim = STUCK if is_stuck(error) else WRONG
    return _verdict(claim, Status.VIOLATED, f"at the very start: {diagnostic.message}", None, diagnostic.span)


# ------------------------------------------------------------------------------------------------- dead elements


@dataclass(frozen=True)
class Unmet:
    """Of ``total`` things that a claim expects to occur, those that don't. ``fine``: the message if there are none."""

    claim: str
    missing: list[tuple[str, Span]]
    total: int
    fine: str


def _judged(study: Study, unmet: Unmet) -> Iterator[Verdict]:
    """Yields one verdict per missing thing, or one for all."""
    claim, missing = unmet.claim, unmet.missing
    if not missing:
        if unmet.total:
            yield _verdict(claim, Status.PROVED, unmet.fine)
        return
    if study.graph.whole:
        for what, place in missing:
            status, why = _compared(study, partial(_is_met, claim, what))
            yield _verdict(claim, status, f"{what} in {study.extent}{why}", None, place)
    else:
        some = "; ".join(what for what, _ in missing[:MOST_LISTED]) + ("; ..." if len(missing) > MOST_LISTED else "")
        detail = f"{len(missing)} of {unmet.total} not so far: {some} in {study.extent}"
        yield _verdict(claim, Status.UNKNOWN, detail, None, missing[0][1])


def _compared(study: Study, is_met: Callable[[Study], bool]) -> tuple[Status, str]:
    """Returns the status of something missing here, and its explanation: not a fault if it occurs under the
    ruleset's own options.
    """
    other = study.by_default
    if other is None:
        return Status.VIOLATED, ""
    if is_met(other):
        return Status.NOTED, f": {ONLY_HERE}"
    return (Status.VIOLATED, "") if other.seen_enough else (Status.UNKNOWN, f": {NOT_COMPARED}")


def _is_met(claim: str, what: str, study: Study) -> bool:
    return what not in _unmet(study, claim)


def _unmet(study: Study, claim: str) -> set[str]:
    """Returns what a default claim finds missing; computed once."""
    if claim not in study.unmet:
        study.unmet[claim] = {missing for missing, _ in UNMET[claim](study).missing}
    return study.unmet[claim]


def _met(study: Study) -> PlayFindings:
    """Returns what random plays covered; empty if there were none."""
    return PlayFindings() if study.sampled is None else study.sampled.met


def _unmet_moves(study: Study) -> Unmet:
    program, met = study.graph.game.program, _met(study)
    asked = _asked(program)
    missing = [
        (f"`{s.name}` is never legal", s.span)
        for s in program.schemas
        if s.index in asked and s.index not in met.schemas and first_use(study, {s.index}) is None
    ]
    return Unmet(MOVES, missing, len(asked), f"{len(asked)} of them")


def _moves(study: Study) -> Iterator[Verdict]:
    unmet = _unmet_moves(study)
    if unmet.missing and study.graph.whole and not all_moves_known(study):
        detail = f"{unmet.missing[0][0]} where it was tried; there are too many moves to try all"
        yield _verdict(MOVES, Status.UNKNOWN, detail)
    else:
        yield from _judged(study, unmet)


def _asked(program: Program) -> set[int]:
    """Returns the kinds of moves that some decision offers and the options allow, without those made by mistake."""
    offered = {a.schema for b in program.blocks for a in getattr(b.end, "alternatives", ())}
    return {k for k in offered if not (is_disabled(program.schemas[k]) or program.schemas[k].mistake)}


def _refusing(study: Study) -> tuple[Unmet, bool]:
    """Returns the conditions that refuse nothing, and whether that could be determined."""
    clock = study.clock if study.graph.whole else study.clock.within(SECONDS / 4)
    idle, undecided, total = idle_guards(study.graph, clock)
    met = _met(study)
    if met.refusals is not None:
        still = {g.span for g in met.refusals.idle()}
        idle, undecided = [g for g in idle if g.span in still], [g for g in undecided if g.span in still]
    missing = [(f"`{' '.join(g.span.text.split())}` refuses nothing", g.span) for g in idle or undecided]
    return Unmet(GUARDS, missing, total, f"{total} of them"), not undecided


def _unmet_guards(study: Study) -> Unmet:
    return _refusing(study)[0]


def _guards(study: Study) -> Iterator[Verdict]:
    unmet, decided = _refusing(study)
    if decided or not study.graph.whole:
        yield from _judged(study, unmet)
        return
    for what, place in unmet.missing:
        yield _verdict(
            GUARDS, Status.UNKNOWN, f"{what} that was tried; there are too many moves to try all", None, place
        )


def _unmet_phases(study: Study) -> Unmet:
    program = study.graph.game.program
    declared = {(b.part, b.phase): b for b in reversed(program.blocks) if b.phase and is_stop(b)}
    stops = (program.blocks[i] for i in np.unique(study.graph.blocks()))
    reached = {(b.part, b.phase) for b in stops} | _met(study).phases
    missing = [
        (f"`{phase}` is never reached", b.end.span)
        for (part, phase), b in declared.items()
        if (part, phase) not in reached
    ]
    return Unmet(PHASES, missing, len(declared), f"{len(declared)} of them")


def _phases(study: Study) -> Iterator[Verdict]:
    return _judged(study, _unmet_phases(study))


def _unmet_results(study: Study) -> Unmet:
    program = study.graph.game.program
    ends = {b.index: b.end.span for b in program.blocks if isinstance(b.end, End)}
    met = {int(i) for i in np.unique(study.graph.blocks())} | _met(study).results
    missing = [(f"`{' '.join(span.text.split())}` is never reached", span) for i, span in ends.items() if i not in met]
    return Unmet(RESULTS, missing, len(ends), f"{len(ends)} of them")


def _results(study: Study) -> Iterator[Verdict]:
    unmet = _unmet_results(study)
    if not unmet.total:
        yield _verdict(RESULTS, Status.VIOLATED, "no rule ends the play")
    yield from _judged(study, unmet)


# ------------------------------------------------------------------------------------------------- how plays end


def _met_winners(study: Study) -> tuple[set[frozenset[int]], bool]:
    """Returns the sets of winners that occur, and whether these are all in the graph."""
    study.clock.check()
    graph = study.graph
    ends, known = _sets_of_winners(graph, study.clock), True
    if moves_seats(graph):
        ends, known = real_winners(graph, ends, study.clock)
    return ends | _met(study).winners, known


def _unmet_winners(study: Study) -> Unmet:
    return _never_winning(study, _met_winners(study)[0])


def _never_winning(study: Study, ends: set[frozenset[int]]) -> Unmet:
    names, can = study.graph.game.players, frozenset[int]().union(*ends)
    missing = [(f"{names[p]} never wins", NOWHERE) for p in range(len(names)) if p not in can]
    return Unmet(WINNERS, missing, len(names), f"{len(names)} of them")


def _winners(study: Study) -> Iterator[Verdict]:
    ends, known = _met_winners(study)
    names = study.graph.game.players
    if not any(ends) or len(names) == 1:
        return
    unmet = _never_winning(study, ends)
    if not known and (unmet.missing or len(ends) == 1):
        detail = "not found in time with symmetries that exchange seats; try without symmetries"
        yield _verdict(WINNERS, Status.UNKNOWN, detail)
        return
    yield from _judged(study, unmet)
    can = frozenset[int]().union(*ends)
    if len(ends) == 1 and len(can) == 1 and study.graph.whole:
        status, why = _compared(study, lambda other: len(_met_winners(other)[0]) > 1)
        yield _verdict(ALWAYS, status, f"{names[min(can)]} wins every play{why}")
    elif len(ends) > 1:
        yield _verdict(ALWAYS, Status.PROVED, f"{len(ends)} different sets of winners are met")


UNMET: dict[str, Callable[[Study], Unmet]] = {
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


def _ends(study: Study) -> Iterator[Verdict]:
    """Where not everything can be explored: reports very long plays if no play has ended."""
    met = _met(study)
    if len(met.longest) < ENOUGH or _some_play_ended(study):
        return
    status, why = _compared(study, _some_play_ended)
    play = min(met.longest, key=lambda p: len(p.moves))
    lasted = f"{len(met.longest)} lasted {len(play.moves):,} moves"
    detail = f"none of {met.plays:,} plays ended, including those that sought an end; {lasted}{why}"
    yield _verdict(ENDS, status, detail, Evidence(play.states[0], tuple(play.moves)))


def _some_play_ended(study: Study) -> bool:
    met = _met(study)
    return bool(met.results or met.winners) or any(True for _ in study.graph.terminals())


def _ending(study: Study) -> Iterator[Verdict]:
    graph = study.graph
    stays = np.zeros(0, dtype=bool) if graph.layered else peel(study.edges)[1]
    if not stays.any():
        yield _verdict(ENDLESS, study.kept, f"in {study.everything}")
        return
    edges = study.edges
    ends = graph.kinds() == 0
    ends[graph.expanded :] = True
    ends[graph.faults.states] = True
    trapped = np.flatnonzero(~reaches(edges, ends))
    loop = cycle(edges, stays)
    if len(trapped):
        evidence = study.play_to(int(trapped[0]))
        yield _verdict(ENDING, Status.VIOLATED, "from here on the play can never end", evidence)
    else:
        yield _verdict(ENDING, study.kept, f"from {study.everything}")
        yield _verdict(ENDLESS, Status.NOTED, f"one can, through {len(loop)} states", round_trip(study, loop))


# -------------------------------------------------------------------------------------------------------- secrets


def _secrets(study: Study) -> Iterator[Verdict]:
    graph, half_open = study.graph, 0
    for i in map(int, np.flatnonzero(graph.kinds() == TOGETHER)):
        study.clock.check()
        state = graph.state(i)
        half_open += bool(state.pending)
        leak = leaks(state) if state.pending else None
        if leak is not None:
            yield _verdict(SECRET, Status.VIOLATED, leak, study.play_to(i))
            return
    if half_open:
        yield _verdict(SECRET, study.kept, f"in {half_open:,} positions with open choices")


def leaks(state: State) -> str | None:
    """Returns what a player could infer about another's open choice; None if nothing."""
    unchosen = State(state.game, state.block, state.slots)
    for player in range(state.game.num_players):
        mine = tuple(c for c in state.pending if c in _own(state, player))
        hidden = State(state.game, state.block, state.slots, mine)
        if state.observation(player) != hidden.observation(player):
            return f"{state.game.players[player]} sees something of a choice that is not open yet"
        if player in state.to_act and state.legal_moves(player) != unchosen.legal_moves(player):
            return f"what {state.game.players[player]} may do depends on a choice that is not open yet"
    return None


def _own(state: State, player: int) -> tuple[object, ...]:
    from gamedsl.engine import own_choices

    return own_choices(state, player)
