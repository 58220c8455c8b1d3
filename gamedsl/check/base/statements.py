"""Maps Core statements to the ruleset lines they come from."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.core.nodes import CoreStmt, IfS
from gamedsl.source import NOWHERE, Span


def flag_new(stmts: tuple[CoreStmt, ...], above: Span) -> Iterator[tuple[CoreStmt, bool]]:
    """Yields each statement with a flag: is it the first statement lowered from its ruleset line? ``above`` is the
    place of the enclosing statement; statements with the same place belong to the same line.
    """
    before: CoreStmt | None = None
    for s in stmts:
        again = isinstance(s, IfS) and isinstance(before, IfS)  # the same action, called twice
        new = s.span is not NOWHERE and (s.span != above or again)
        yield s, new
        above, before = (s.span if new else above), s
