"""The verdict on a claim, and the game that demonstrates it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from gamedsl.engine import Game, Move, Record, State
from gamedsl.language.source import NOWHERE, ExitCode, Span, lazy_dataclass


class Status(StrEnum):
    """``PROVED``: holds in all reachable states. ``HOLDS``: holds in all states examined, which are not all.

    ``VIOLATED``: a counterexample was found. ``UNKNOWN``: no answer (a search was cut short before it found
    anything). ``NOTED``: worth knowing, but not a fault.
    """

    PROVED = "proved"
    HOLDS = "holds"
    VIOLATED = "violated"
    UNKNOWN = "unknown"
    NOTED = "noted"


@lazy_dataclass(frozen=True)
class Evidence:
    """A game that demonstrates a verdict: the moves from ``start`` on.

    ``loop``: the last move leads back to the position before move number ``loop`` (the first move is 0).
    ``failing``: a further move that ends in a rules error. ``twin``: the moves of another game that looks the same
    to the player in question.
    """

    start: State
    moves: tuple[Move, ...]
    loop: int | None = None
    failing: Move | None = None
    twin: tuple[Move, ...] | None = None

    def states(self) -> Iterator[State]:
        """Yields the positions, beginning with the first."""
        state = self.start
        yield state
        for move in self.moves:
            state = state.apply(move)
            yield state

    def record(self, game: Game, name: str) -> Record:
        """Returns the game as a record; a loop or a failing move, which cannot be replayed, becomes a comment in it."""
        record = Record.begin(game, name)
        for number, move in enumerate(self.moves):
            if number == self.loop:
                record = record.plus_comment("from here on the game can go around forever")
            record = record.plus_move(game, move)
        if self.loop is not None:
            record = record.plus_comment("the cycle starts at this position")
        if self.failing is not None:
            record = record.plus_comment(f"now {self.failing} ends in a rules error")
        return record


@lazy_dataclass(frozen=True)
class Verdict:
    """A verdict on one claim.

    ``claim``: the claim in words. ``detail``: the finding. ``evidence``: a game that violates it. ``place``: the claim's place
    in the ruleset (``NOWHERE`` for a default claim). ``witness``: the shortest known game that shows a claim of possibility.
    """

    claim: str
    status: Status
    detail: str
    evidence: Evidence | None = None
    clauses: tuple[str, ...] = ()
    place: Span = NOWHERE
    default: bool = False
    witness: Evidence | None = None

    def to_json(self) -> dict[str, Any]:
        """Returns the verdict as plain data."""
        data: dict[str, Any] = {
            "claim": self.claim,
            "status": str(self.status),
            "detail": self.detail,
            "default": self.default,
            "clauses": list(self.clauses),
            "place": None if self.place is NOWHERE else str(self.place),
        }
        if self.evidence is not None:
            data["play"] = [str(m) for m in self.evidence.moves]
            data["loop"] = self.evidence.loop
            data["failing"] = None if self.evidence.failing is None else str(self.evidence.failing)
            if self.evidence.twin is not None:
                data["twin"] = [str(m) for m in self.evidence.twin]
        if self.witness is not None:
            data["witness"] = [str(m) for m in self.witness.moves]
        return data


def exit_code(verdicts: list[Verdict]) -> ExitCode:
    """Returns 3 if a claim is violated, else 4 if one is not decided for all states, else 0."""
    found = {v.status for v in verdicts}
    if Status.VIOLATED in found:
        return ExitCode.FAILED
    return ExitCode.BOUND if found & {Status.HOLDS, Status.UNKNOWN} else ExitCode.FINE
