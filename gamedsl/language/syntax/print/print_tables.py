"""Constant tables → lines of text: one row per line, keys and values in columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from gamedsl.language.syntax import ast
from gamedsl.language.syntax.print.layout import INDENT, WIDTH, Page, flat
from gamedsl.language.syntax.print.print_ast_expressions import SUM, expr, exprs, followed_by_comma, guarded, type_text


def print_table(page: Page, depth: int, d: ast.TableDecl) -> None:
    """Writes a table. If a row is too long for a line, only the keys are aligned."""
    page.line(depth, f"table {d.name.id}: {type_text(d.type)}", d.notes, set_off=True)
    heads = _heads(d.rows)
    bodies = _columns([_texts(row.values) for row in d.rows])
    lines = [f"{head} {body}" for head, body in zip(heads, bodies, strict=True)]
    if any(len(INDENT) * (depth + 1) + len(line) > WIDTH for line in lines):
        lines = [f"{head} {exprs(row.values)}" for head, row in zip(heads, d.rows, strict=True)]
    for row, line in zip(d.rows, lines, strict=True):
        page.line(depth + 1, line, row.notes)


def row_text(row: ast.TableRow) -> str:
    """Returns the text of a single row: ``hare: (0, 2), (0, -1)``."""
    return f"{_heads([row])[0]} {exprs(row.values)}"


def _heads(rows: Sequence[ast.TableRow]) -> list[str]:
    """Returns the keys of each row with their colon, padded to the longest."""
    keys = _columns([[_key(k, first=not i) for i, k in enumerate(row.keys)] or ["else"] for row in rows])
    width = max(map(len, keys), default=0) + 1
    return [f"{k}:".ljust(width) for k in keys]


def _key(key: ast.Expr, first: bool) -> str:
    text = expr(key, SUM, last=False)
    return guarded(text, {"else"}) if first else text


def _texts(values: Sequence[ast.Expr]) -> list[str]:
    texts = [followed_by_comma(v) for v in values[:-1]] + [expr(v) for v in values[-1:]]
    return [flat(t) for t in texts]


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Returns the entries of each row with commas, in columns; numbers are aligned to the right."""
    columns = list(zip_longest(*rows, fillvalue=""))
    widths = [max(map(len, c)) for c in columns]
    numbers = [all(_is_number(t) for t in c if t) for c in columns]
    lines = []
    for row in rows:
        cells = []
        for i, text in enumerate(row):
            comma = "," if i + 1 < len(row) else ""
            cells.append(text.rjust(widths[i]) + comma if numbers[i] else f"{text}{comma}".ljust(widths[i] + 1))
        lines.append(" ".join(cells).rstrip())
    return lines


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal()
