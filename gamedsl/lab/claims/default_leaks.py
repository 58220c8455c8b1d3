"""The default claims that legal moves and results reveal nothing hidden.

They are proved at once if the rules read nothing hidden there. For conditions of moves that read something their
player may not see, playouts first test whether the legal moves follow from what the player sees. If they do not, a
search looks for two games that look the same to the player but give the player different moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from gamedsl.engine import HiddenRead, HiddenReads, Move, State, hidden_reasons, knows_moves
from gamedsl.lab.base import Clock, Evidence, Status, Verdict
from gamedsl.lab.claims.twin_plays import TwinPlays, texts
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Span

LEAKS = "legal moves and refusals reveal nothing hidden to their player"
RESULT = "the result reveals nothing hidden"
PLAYS = 20  # playouts to test whether the moves follow from what their player sees
LONGEST = 80  # plies per playout
LENGTHS = (6, 15, 40, 100)  # plies of twin games: short ones first
TWINS = 40  # pairs of games, of each length and for each player
SECONDS = 4.0  # for everything


def check_leaks(
    start: State, clock: Clock | None = None, seed: int = 0, every: Iterable[State] | None = None
) -> Iterator[Verdict]:
    """Yields two verdicts, and none for rulesets that hide nothing.

    ``clock`` bounds the search for games; ``every``: all positions of the game, if they are known.
    """
    secrets = start.game.secrets
    if not secrets.hides:
        return
    reads = HiddenReads(secrets)
    yield _of_moves(start, reads, (clock or Clock()).within(SECONDS), seed, every)
    yield _of_results(start, reads)


def judge_may_tell(start: State, claim: n.MayTell) -> tuple[Status, str]:
    """Returns the verdict on a claim that moves or results may reveal hidden things: what the rules read of those it
    names.
    """
    reads = HiddenReads(start.game.secrets)
    found = reads.of_moves() if claim.teller == "moves" else reads.of_results()
    wanted = [reads.name(i) for i in claim.hidden]
    read = {reads.name(i) for r in found for i in r.variables}
    idle = [name for name in wanted if name not in read]
    if idle:
        return Status.NOTED, f"it is not needed for {_and(idle)}: no rule reads what is hidden there"
    return Status.PROVED, _lines(r for r in found if any(reads.name(i) in wanted for i in r.variables))


# ----------------------------------------------------------------------------------------------------------- moves


def _of_moves(start: State, reads: HiddenReads, clock: Clock, seed: int, every: Iterable[State] | None) -> Verdict:
    found = reads.of_moves()
    suspects = [r for r in found if _missing(start, reads, r, "moves")]
    if not suspects:
        detail = "no condition reads what its player may not see"
        return Verdict(LEAKS, Status.PROVED, f"{detail}{_but(start, 'moves') if found else ''}", default=True)
    verdict = _by_views(suspects, _random_positions(start, seed) if every is None else every, clock, every is not None)
    return verdict or _by_twins(start, reads, suspects, clock, seed)


def _by_views(suspects: list[HiddenRead], positions: Iterable[State], clock: Clock, whole: bool) -> Verdict | None:
    """Returns the verdict if the suspects' moves follow from what their player sees wherever that was tested, else
    None.
    """
    schemas = {r.schema for r in suspects}
    clock, tried = clock.within(SECONDS / 4), 0
    for state in positions:
        if clock.is_over:
            whole = False
            break
        alternatives = getattr(state.terminator, "alternatives", None)
        if any(a.schema in schemas for a in alternatives or ()) or (alternatives is None and None in schemas):
            for seat in state.to_act:
                tried += 1
                if not knows_moves(state, seat):
                    return None
    where = "all positions" if whole else f"{tried:,} positions"
    detail = f"in {where} where a condition reads something hidden, the moves follow from what the player sees"
    return Verdict(LEAKS, Status.PROVED if whole else Status.HOLDS, detail, default=True) if tried else None


def _random_positions(start: State, seed: int) -> Iterator[State]:
    for number in range(PLAYS):
        rng, state = Random(f"views {seed}/{number}"), start
        for _ in range(LONGEST):
            yield state
            if state.is_terminal:
                break
            state = state.apply(state.propose(rng))


def _by_twins(start: State, reads: HiddenReads, suspects: list[HiddenRead], clock: Clock, seed: int) -> Verdict:
    compared = 0
    for plies in LENGTHS:
        for number in range(TWINS):
            for seat in range(start.game.num_players):
                twins = TwinPlays(start, seat, Random(f"leaks {seed}/{plies}/{number}/{seat}"))
                if twins.differ(plies, clock):
                    verdict = _told(start, reads, suspects, twins)
                    if verdict is not None:
                        return verdict
                compared += twins.compared
    if not compared:
        return Verdict(
            LEAKS, Status.UNKNOWN, f"no two games were found that look the same; {_lines(suspects)}", default=True
        )
    detail = f"in {compared:,} pairs of positions that look the same to a player the legal moves were the same; {_lines(suspects)}"
    return Verdict(LEAKS, Status.HOLDS, detail, default=True)


def _told(start: State, reads: HiddenReads, suspects: list[HiddenRead], twins: TwinPlays) -> Verdict | None:
    """Returns the verdict on two games after which a player's moves differ; None if claims allow the difference."""
    one, other, seat = twins.one.now, twins.other.now, twins.seat
    here, there = texts(one, seat), texts(other, seat)
    player = start.game.players[seat]
    for text in sorted(here.keys() ^ there.keys()):
        move, refused = (here[text], other) if text in here else (there[text], one)
        suspect = _refusing(refused, move, suspects)
        if suspect is None:
            continue
        legal = "legal" if text in here else "not legal"
        detail = (
            f"`{text}` is {legal} for {player} here, and {'not ' if text in here else ''}in another game that looks the"
            f" same to {player}: `{_source(suspect.span)}` reads {_names(reads, suspect)}, which {player} may not see."
            f" Check it in the effect of the move instead; or, if this is intended, write"
            f" `claim moves may tell {', '.join(_missing(start, reads, suspect, 'moves'))}`"
        )
        evidence = Evidence(start, tuple(twins.one.moves), twin=tuple(twins.other.moves))
        return Verdict(LEAKS, Status.VIOLATED, detail, evidence, place=suspect.span, default=True)
    return None


def _refusing(state: State, move: Move, suspects: list[HiddenRead]) -> HiddenRead | None:
    """Returns the suspect that makes a move illegal in a state; None if there is none."""
    mine = [r for r in suspects if r.schema == move.schema]
    spans = {r.span for r in hidden_reasons(state, move)}
    refusing = [r for r in mine if r.span in spans]
    if not refusing and not spans & {g.span for s in state.game.program.schemas for g in (*s.guards, *s.forbids)}:
        refusing = mine  # the set over which a parameter ranges, or from which a value is chosen
    return refusing[0] if refusing else None


# --------------------------------------------------------------------------------------------------------- results


def _of_results(start: State, reads: HiddenReads) -> Verdict:
    found = reads.of_results()
    suspects = [r for r in found if _missing(start, reads, r, "results")]
    if not suspects:
        detail = "nothing hidden decides when and how the game ends"
        detail = f"{detail}{_but(start, 'results') if found else ''}"
        limits = dict.fromkeys(_source(c.when.span) for c in _claims(start, "results") if c.when)
        if found and limits:
            detail += f"; whether it decides anything where {' or '.join(f'`{text}`' for text in limits)} does not hold is not checked"
            return Verdict(RESULT, Status.NOTED, detail, default=True)
        return Verdict(RESULT, Status.PROVED, detail, default=True)
    missing = dict.fromkeys(name for r in suspects for name in _missing(start, reads, r, "results"))
    detail = (
        f"when or how the game ends depends on {_and(missing)}, which not everyone may see ({_lines(suspects)});"
        f" if this is intended, write `claim results may tell {', '.join(missing)}`"
    )
    return Verdict(RESULT, Status.NOTED, detail, place=suspects[0].span, default=True)


# ------------------------------------------------------------------------------------------------- claims and words


def _missing(start: State, reads: HiddenReads, read: HiddenRead, teller: str) -> list[str]:
    """Returns the names of the hidden variables that a place reads and no claim allows it to reveal."""
    allowed = {reads.name(i) for c in _claims(start, teller) for i in c.hidden}
    return [number for number in dict.fromkeys(reads.name(i) for i in sorted(read.variables)) if number not in allowed]


def _claims(start: State, teller: str) -> list[n.MayTell]:
    return [c for c in start.game.program.claims if isinstance(c, n.MayTell) and c.teller == teller]


def _but(start: State, teller: str) -> str:
    claims = _claims(start, teller)
    return f", but as a claim allows ({_lines(claims)})" if claims else ""


def _names(reads: HiddenReads, read: HiddenRead) -> str:
    return _and(reads.name(i) for i in sorted(read.variables))


def _and(names: Iterable[str]) -> str:
    found = [f"`{name}`" for name in dict.fromkeys(names)]
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}"


def _lines(found: Iterable[HiddenRead | n.MayTell]) -> str:
    lines = sorted({f.span.line for f in found})
    return f"line {lines[0]}" if len(lines) == 1 else f"lines {', '.join(map(str, lines))}"


def _source(span: Span) -> str:
    return " ".join(span.text.split())
