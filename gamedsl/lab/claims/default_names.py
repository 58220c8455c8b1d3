"""The names of the default claims."""

from __future__ import annotations

from gamedsl.lab.base import Evidence, Status, Verdict
from gamedsl.language.source import NOWHERE, Span

STUCK = "a player who must act can act"
WRONG = "no rule fails"
MOVES = "every kind of move is legal somewhere"
GUARDS = "every guard of a move refuses something"
PHASES = "every phase is reached"
RESULTS = "every kind of result is reached"
WINNERS = "every player can win"
ALWAYS = "no player always wins"
ENDING = "every game can still end"
ENDLESS = "no game goes on forever"
SECRET = "secret choices stay secret"
ENDS = "a game comes to an end"


def default_verdict(
    claim: str, status: Status, detail: str, evidence: Evidence | None = None, place: Span = NOWHERE
) -> Verdict:
    return Verdict(claim, status, detail, evidence, place=place, default=True)
