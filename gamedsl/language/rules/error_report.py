"""Collects the diagnostics of a ruleset. A check gives only the code and the names; ``messages`` has the wording."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import NoReturn

from gamedsl.language.rules.messages import RULE_MESSAGES
from gamedsl.language.source import Diagnostic, GameDSLError, Label, Source, Span

MOST_COMPARED = 100_000  # names with names in one check: a fraction of a second


class Bail(Exception):
    """Aborts the erroneous construct; its diagnostic has been recorded. Never reaches a user."""


class Report:
    """Diagnostics of one run, each kept once."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str, int, str], Diagnostic] = {}
        self.source: Source | None = None  # the file being checked
        self.broken = False  # a file has syntax errors, so neither their consequences nor warnings are reported
        self._near: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
        self._comparisons = MOST_COMPARED  # that are left

    def somewhere(self) -> Source:
        return self.source or Source("<ruleset>", "")

    def add(
        self,
        code: str,
        span: Span,
        *,
        near: Iterable[str] = (),
        labels: tuple[Label, ...] = (),
        expected: str = "",
        **names: object,
    ) -> None:
        message, help_text = RULE_MESSAGES[code]
        diagnostic = Diagnostic(
            code,
            message.format(**names),
            span,
            labels=labels,
            expected=expected,
            near=tuple(near),
            help=help_text.format(**names),
        )
        self.found.setdefault((code, span.source.path, span.start, diagnostic.message), diagnostic)

    def fail(
        self,
        code: str,
        span: Span,
        *,
        near: Iterable[str] = (),
        labels: tuple[Label, ...] = (),
        expected: str = "",
        **names: object,
    ) -> NoReturn:
        self.add(code, span, near=near, labels=labels, expected=expected, **names)
        raise Bail

    def near_names(self, name: str, candidates: Iterable[str]) -> tuple[str, ...]:
        """Returns similar names: at most three, closest first; none once this run has compared ``MOST_COMPARED`` names.

        Without that bound, a file of n declarations with n unknown names compares n * n names. The messages themselves
        are all kept, and the next check, after some are cured, finds names for those that had none.
        """
        pool = tuple(dict.fromkeys(candidates))
        known = self._near.get((name, pool))
        if known is None:
            if len(pool) > self._comparisons:
                return ()
            self._comparisons -= len(pool)
            known = self._near[name, pool] = near_names(name, pool)
        return known

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for d in diagnostics:
            self.found.setdefault((d.code, d.span.source.path, d.span.start, d.message), d)

    def sorted(self) -> list[Diagnostic]:
        return sorted(self.found.values(), key=lambda d: (d.span.source.path, d.span.start, d.code))

    def raise_if_errors(self) -> None:
        errors = [d for d in self.sorted() if d.is_error]
        if errors:
            raise GameDSLError(*errors)


def near_names(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Returns similar names: at most three, closest first."""
    size = len(name)  # names of very different lengths are never similar, and most are
    pool = [c for c in dict.fromkeys(candidates) if 3 * len(c) <= 7 * size and 3 * size <= 7 * len(c)]
    close = get_close_matches(name, pool, n=3, cutoff=0.6)
    if not close:
        folded = {c.lower(): c for c in pool}
        if name.lower() != name or any(c != kept for c, kept in folded.items()):
            close = [folded[m] for m in get_close_matches(name.lower(), list(folded), n=3, cutoff=0.6)]
    return tuple(close)
