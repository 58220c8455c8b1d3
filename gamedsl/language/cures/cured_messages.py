"""Messages → the same messages with their fixes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gamedsl.language.cures.cure_table import CURES
from gamedsl.language.cures.mistake import Place
from gamedsl.language.cures.word_cures import near
from gamedsl.language.source import Diagnostic, Edit, Fix, has_place

MOST_FIXES = 4  # of one message
MOST_CURED = 50  # messages of one run; a file with more is hardly a ruleset


def cured(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Returns the messages, each with its known fixes, the likeliest first; only the first ``MOST_CURED`` get any."""
    return [_cured(one) if number < MOST_CURED else one for number, one in enumerate(found)]


def _cured(found: Diagnostic) -> Diagnostic:
    if not has_place(found.span) or found.span.source.path.startswith("<"):
        return found
    place = Place(found)
    cures = CURES.get(found.code, ())
    fixes: list[Fix] = list(found.fixes)
    if found.near and not any(getattr(cure, "__name__", "") == "near_word" for cure in cures):
        fixes += near(place)
    for cure in cures:
        fixes += cure(place)
    text = found.span.source.text
    kept = [fix for fix in fixes if any(text[e.span.start : e.span.end] != e.text for e in fix.edits)]
    unique: dict[tuple[Edit, ...], Fix] = {}
    for fix in kept:
        unique.setdefault(fix.edits, fix)
    return replace(found, fixes=tuple(unique.values())[:MOST_FIXES])
