"""The verdicts of a report, with the games that demonstrate them."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.lab.base import Status, Verdict
from gamedsl.lab.claims import Verification, explored, play_lines, summary
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class VerdictView:
    status: str
    is_violated: bool
    claim: str
    detail: str
    clauses: tuple[str, ...]
    play: tuple[str, ...]  # the lines of the demonstrating game


@lazy_dataclass(frozen=True)
class ClaimsView:
    """The claims of the ruleset and the default claims, with their verdicts."""

    summary: str
    explored: tuple[str, ...]
    verdicts: tuple[VerdictView, ...]


def claims_view(found: Verification) -> ClaimsView:
    return ClaimsView(summary(found.verdicts), tuple(_explored(found)), tuple(map(_verdict, found.verdicts)))


def _explored(found: Verification) -> Iterator[str]:
    if found.graph is not None:
        yield from explored(found.graph)
    if found.sampled is not None:
        yield f"sampled: {found.sampled.extent}"


def _verdict(v: Verdict) -> VerdictView:
    play = () if v.evidence is None else tuple(play_lines(v.evidence))
    return VerdictView(str(v.status), v.status is Status.VIOLATED, v.claim, v.detail, v.clauses, play)
