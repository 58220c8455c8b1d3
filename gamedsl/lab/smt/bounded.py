"""Bounded model checking: asks z3, ply by ply, whether a game of at most this many plies can violate a claim.

A counterexample is replayed before it is believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from time import perf_counter

from gamedsl.engine import Game, Move, State, chance_move, choice_move, make_move, pass_move
from gamedsl.lab.base import Evidence, holds_in
from gamedsl.lab.smt.transitions import Chosen
from gamedsl.lab.smt.unroll import Unrolled, Unsupported
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError, lazy_dataclass


@lazy_dataclass()
class Answer:
    """The answer for one claim.

    ``depth``: no game of this many plies violates the claim (-1: unknown). ``play``: a game that does. ``whole``:
    no game is longer. ``why``: why the search stopped.
    """

    depth: int = -1
    play: Evidence | None = None
    whole: bool = False
    why: str = ""


@lazy_dataclass()
class Bounded:
    """Checks all claims at once, within limits of depth and time (seconds per question, and in total)."""

    game: Game
    claims: Sequence[n.Always | n.Never]
    depth: int
    seconds: float
    budget: float
    answers: list[Answer] = field(default_factory=list)

    def run(self) -> list[Answer]:
        self.answers = [Answer() for _ in self.claims]
        self.end = perf_counter() + self.budget
        self.plays = Unrolled(self.game.program)
        self.plays.relation.deadline = self.end
        self.plays.begin_at(self.game.initial_state())
        for plies in range(self.depth + 1):
            for answer, claim in self._open():
                self._ask(answer, claim, plies)
            if not any(True for _ in self._open()) or plies == self.depth or not self._further():
                break
        return self.answers

    def _open(self) -> Iterator[tuple[Answer, n.Always | n.Never]]:
        return ((a, c) for a, c in zip(self.answers, self.claims, strict=True) if not (a.play or a.why or a.whole))

    def _further(self) -> bool:
        """Unrolls one more ply, if there is one and time for it."""
        why = "no time is left" if perf_counter() > self.end else ""
        longer = False
        try:
            longer = not why and self.plays.step()
        except Unsupported as no:
            why = str(no)
        for answer, _ in list(self._open()):
            answer.why, answer.whole = why, not why and not longer
        if longer and self.plays.check(True, self.seconds) is False:
            longer = False
            for answer, _ in list(self._open()):
                answer.whole = True
        return longer

    def _ask(self, answer: Answer, claim: n.Always | n.Never, plies: int) -> None:
        left = min(self.seconds, self.end - perf_counter())
        try:
            broken = self.plays.broken(claim.condition, claim.part, isinstance(claim, n.Always))
        except Unsupported as no:
            answer.why = str(no)
            return
        model = self.plays.check(broken, max(left, 0.01))
        if model is False:
            answer.depth = plies
        elif model is None:
            answer.why = f"z3 does not know about {plies} plies in {self.seconds:g} s"
        else:
            answer.play = confirmed(self.game, self.plays.play(model, plies), claim)
            if answer.play is None:
                free = ", ".join(self.plays.relation.free) or "something"
                answer.why = f"z3 gives a game of {plies} plies that cannot really be played, because it leaves unconstrained: {free}"


def confirmed(game: Game, chosen: Sequence[Chosen], claim: n.Always | n.Never) -> Evidence | None:
    """Replays a counterexample. Returns the game up to the violation, or None if it is not a real game."""
    state = start = game.initial_state()
    moves: list[Move] = []
    try:
        for one in [None, *chosen]:
            for move in () if one is None else _moves(state, one):
                state = state.apply(move)
                moves.append(move)
            if _breaks(state, claim):
                return Evidence(start, tuple(moves))
    except (GameDSLError, LookupError):
        return None
    return None


def _breaks(state: State, claim: n.Always | n.Never) -> bool:
    there = claim.part == 0 or claim.part in state.game.parts_played[state.part]
    return there and holds_in(state, claim.condition) != (isinstance(claim, n.Always))


def _moves(state: State, chosen: Chosen) -> list[Move]:
    """Converts choices to engine moves, one for each player in a simultaneous choice.

    Raises ``LookupError`` for an illegal choice.
    """
    match chosen.kind:
        case "move":
            return [_move(state, schema, args, mover) for mover, schema, args in chosen.moves]
        case "pass":
            return [pass_move(state.to_act[0])]
        case "choose":
            end = state.terminator
            return [choice_move(state.game, end.names[chosen.value], state.to_act[0])]  # type: ignore[union-attr]
        case "chance":
            end = state.terminator
            return [chance_move(end.what, end.names[chosen.value])]  # type: ignore[union-attr]
        case _:
            return []


def _move(state: State, schema: int, args: tuple[int, ...], mover: int) -> Move:
    end = state.terminator
    if isinstance(end, n.DecideTogether):
        seat = state.game.code.blocks[state.block].queries["seats"](state.slots)[mover]
    else:
        seat = state.to_act[0]
    return make_move(state.game, schema, seat, args)
