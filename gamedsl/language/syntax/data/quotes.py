"""The canonical text of the node at a place in a data file, for quoting in messages."""

from __future__ import annotations

from dataclasses import field, replace
from typing import get_args

from gamedsl.language.source import Source, node
from gamedsl.language.syntax import ast
from gamedsl.language.syntax.print.layout import Page, flat, quote
from gamedsl.language.syntax.print.print_ast_expressions import binder_text, expr, type_text
from gamedsl.language.syntax.print.print_boards import condition_text, look_line, notation_item, notation_line
from gamedsl.language.syntax.print.print_declarations import guard_text, info_text, print_decl
from gamedsl.language.syntax.print.print_statements import print_stmt
from gamedsl.language.syntax.print.print_tables import row_text

_EXPRESSIONS = get_args(ast.Expr)
_TYPES = get_args(ast.Type)
_STATEMENTS = get_args(ast.Stmt)
_DECLARATIONS = get_args(ast.Decl)
_LOOKS = get_args(ast.LookItem)
_NOTATIONS = (*get_args(ast.NotationLine), ast.NotationApart)


@node()
class DataSource(Source):
    """A JSON or YAML file. ``nodes``: the nodes read from it, by start and end offset."""

    nodes: dict[tuple[int, int], ast.Node] = field(default_factory=dict, compare=False, repr=False)

    def quoted(self, start: int, end: int) -> str:
        """Returns the node at a place as a line of the language, or the file's own text if no node is there."""
        node = self.nodes.get((start, end))
        text = None if node is None else node_text(node)
        return super().quoted(start, end) if text is None else text


def node_text(node: ast.Node) -> str | None:
    """Returns the canonical text of a node without its notes; None for nodes that have no text of their own."""
    if isinstance(node, ast.Line):
        node = replace(node, notes=ast.Notes())
    page = Page()
    match node:
        case ast.Name(name):
            return name
        case ast.Cite(clause):
            return f"@{clause}"
        case ast.Binder():
            text = binder_text(node)
        case ast.Guard():
            text = guard_text(node)
        case ast.TableRow():
            text = row_text(node)
        case ast.StrokeCondition():
            text = condition_text(node)
        case ast.HeaderItem(key, said):
            text = f"{key} {quote(said)}"
        case ast.InfoItem():
            text = info_text(node)
        case _ if isinstance(node, _EXPRESSIONS):
            text = expr(node)
        case _ if isinstance(node, _TYPES):
            text = type_text(node)
        case _ if isinstance(node, _LOOKS):
            text = look_line(node)
        case ast.NotationItem():
            text = notation_item(node)
        case _ if isinstance(node, _NOTATIONS):
            text = notation_line(node)
        case _ if isinstance(node, _STATEMENTS):
            print_stmt(page, 0, node)
            text = page.text()
        case _ if isinstance(node, _DECLARATIONS):
            print_decl(page, 0, node)
            text = page.text()
        case _:
            return None
    return flat(text).rstrip("\n")
