"""Common subexpressions: quantifiers that several expressions share are computed once, under a name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gamedsl.language.core import can_fail, free_locals, map_children, walk
from gamedsl.language.core import nodes as n

NAMES = 6_000_000  # ids of the names made here


def common_subexpressions(exprs: Sequence[n.Expr]) -> tuple[dict[n.Expr, n.Local], tuple[n.Expr, ...]]:
    """Rewrites ``(all a in S: F) + 1`` and ``not (all a in S: F)`` to ``x + 1`` and ``not x``.

    Returns the shared values with their names, and the rewritten expressions. A value is shared only if it is a loop
    that occurs more than once, has no free names and cannot fail.
    """
    asked = Counter(x for e in exprs for x in walk(e) if _closed(x))
    names: dict[n.Expr, n.Local] = {}

    def named(e: n.Expr) -> n.Expr:
        if not _closed(e) or asked[e] < 2:
            return map_children(e, named)
        return n.Load(names.setdefault(e, n.Local(NAMES + len(names), "shared", e.type)))

    changed = tuple(named(e) for e in exprs)
    return names, changed


def _closed(e: n.Expr) -> bool:
    return isinstance(e, n.Loop) and not free_locals(e) and not can_fail(e)
