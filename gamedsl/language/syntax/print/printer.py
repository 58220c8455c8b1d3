"""Syntax tree → text in its canonical form."""

from __future__ import annotations

from gamedsl.language.syntax import ast
from gamedsl.language.syntax.print.layout import Page, flat
from gamedsl.language.syntax.print.print_ast_expressions import expr
from gamedsl.language.syntax.print.print_declarations import print_decls


def format_ruleset(tree: ast.Ruleset) -> str:
    """Returns the canonical text of a ruleset, ending in a line end (an empty string for an empty ruleset)."""
    page = Page()
    print_decls(page, 0, tree.decls)
    page.comments(tree.after)
    return page.text()


def format_expression(tree: ast.Expr) -> str:
    """Returns the canonical text of an expression, on one line."""
    return flat(expr(tree))
