"""What became of a claim, and the play that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from gamedsl.engine.game import Game
from gamedsl.engine.moves import Move
from gamedsl.engine.records.record import Record
from gamedsl.engine.state import State
from gamedsl.source.diagnostic import ExitCode
from gamedsl.source.text import NOWHERE, Span


class Status(StrEnum):
    """``PROVED``: in all states that can be reached. ``HOLDS``: in all that were looked at, which are not all.
    ``UNKNOWN``: no answer (what was looked for has not been found, in a search that was cut short). ``NOTED``: worth
    knowing, no fault."""

    PROVED = "proved"
    HOLDS = "holds"
    VIOLATED = "violated"
    UNKNOWN = "unknown"
    NOTED = "noted"


@dataclass(frozen=True)
class Evidence:
    """A play: the moves from ``start`` on. ``loop``: after the last of them the position is again that before move
    number ``loop`` (0 is the first). ``failing``: a further move that ends in a rules error."""

    start: State
    moves: tuple[Move, ...]
    loop: int | None = None
    failing: Move | None = None

    def states(self) -> Iterator[State]:
        """The positions, the first one included."""
        state = self.start
        yield state
        for move in self.moves:
            state = state.apply(move)
            yield state

    def record(self, game: Game, name: str) -> Record:
        """The play as a record; what can't be replayed stands in it as a comment."""
        record = Record.begin(game, name)
        for number, move in enumerate(self.moves):
            if number == self.loop:
                record = record.plus_comment("from here on it can go round for ever")
            record = record.plus_move(game, move)
        if self.loop is not None:
            record = record.plus_comment("this is the position from which it goes round")
        if self.failing is not None:
            record = record.plus_comment(f"now {self.failing} ends in a rules error")
        return record


@dataclass(frozen=True)
class Verdict:
    """``claim`` in words; ``detail`` what was found; ``place`` where the claim stands (``NOWHERE`` for a default one)."""

    claim: str
    status: Status
    detail: str
    evidence: Evidence | None = None
    clauses: tuple[str, ...] = ()
    place: Span = NOWHERE
    default: bool = False

    def to_json(self) -> dict[str, Any]:
        """The verdict as plain data."""
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
        return data


def exit_code(verdicts: list[Verdict]) -> ExitCode:
    """3 when a claim is violated, else 4 when one is not decided for all states, else 0."""
    found = {v.status for v in verdicts}
    if Status.VIOLATED in found:
        return ExitCode.FAILED
    return ExitCode.BOUND if found & {Status.HOLDS, Status.UNKNOWN} else ExitCode.FINE
