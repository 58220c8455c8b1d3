"""The citations of clauses in the text of a ruleset."""

from __future__ import annotations

from gamedsl.language.core import memoized
from gamedsl.language.core import nodes as n
from gamedsl.language.syntax import ast, walk_lines


@memoized  # an editor's declarations stay from check to check
def citations_in(decl: ast.Decl) -> list[n.Citation]:
    """Returns every citation in a declaration, except those in lines of ``info`` other than ``presentation``, which only
    explain.
    """
    out: list[n.Citation] = []
    for node in walk_lines(decl):
        if not isinstance(node, ast.Line):
            continue
        if isinstance(node, ast.InfoItem) and node.key != "presentation":
            continue
        shown = isinstance(node, ast.InfoItem)
        out += [n.Citation(c.clause, c.span, 0, shown) for c in node.notes.cites]
    return out
