"""Maps Core statements to the ruleset lines they come from."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.language.core import nodes as n
from gamedsl.language.source import NOWHERE, Span


def flag_new(stmts: tuple[n.CoreStmt, ...], above: Span) -> Iterator[tuple[n.CoreStmt, bool]]:
    """Yields each statement with a flag that is true for the first statement lowered from its ruleset line.

    ``above`` is the place of the enclosing statement; statements with the same place belong to the same line.
    """
    before: n.CoreStmt | None = None
    for s in stmts:
        again = isinstance(s, n.IfS) and isinstance(before, n.IfS)  # the same action, called twice
        new = s.span is not NOWHERE and (s.span != above or again)
        yield s, new
        above, before = (s.span if new else above), s
