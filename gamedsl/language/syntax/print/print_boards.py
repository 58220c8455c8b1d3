"""Boards and the lines of ``look`` and ``notation`` → lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from gamedsl.language.syntax import ast
from gamedsl.language.syntax.print.layout import BREAK, Page, quote
from gamedsl.language.syntax.print.print_ast_expressions import (
    POSTFIX,
    SUM,
    UNION,
    binders_text,
    expr,
    exprs,
    followed_by_comma,
    guarded,
    names_text,
)

# Words after which the parser reads the `star` before them as a name.
_BEHIND_STAR = frozenset({"by", "at", "with", "without", "named", "from"})


def print_board(page: Page, depth: int, d: ast.Board) -> None:
    """Writes a board and the lines indented below it."""
    match d:
        case ast.BoardDecl():
            page.line(depth, _board(d), d.notes)
        case ast.GraphDecl(items):
            page.line(depth, "board graph", d.notes)
            for item in items:
                page.line(depth + 1, _graph_line(item), item.notes)
        case ast.DrawingDecl(limit, strokes):
            page.line(depth, f"board drawing up to {_sum(limit)} spaces", d.notes)
            for stroke in strokes:
                _stroke(page, depth + 1, stroke)
        case _:
            raise AssertionError(d)


def _sum(e: ast.Expr) -> str:
    return expr(e, SUM, last=False)


def _board(d: ast.BoardDecl) -> str:
    text = "board " + " with ".join(_shape(s) for s in d.shapes)
    text += f" without {f',{BREAK}'.join(_cut(e) for e in d.without)}" if d.without else ""
    text += "" if d.naming is None else f" named by {d.naming}"
    return text if d.start is None else f"{text} from {d.start}"


def _cut(e: ast.Expr) -> str:
    return expr(e, UNION, last=False)


def _shape(s: ast.BoardShape) -> str:
    sizes = " by ".join(_sum(e) for e in s.sizes)
    if s.kind == "hex star":
        sizes = guarded(sizes, _BEHIND_STAR)
    return f"{s.kind} {sizes}" + (f" at {f',{BREAK}'.join(_sum(e) for e in s.at)}" if s.at else "")


def _graph_line(item: ast.GraphLine) -> str:
    match item:
        case ast.GraphNodes(names):
            return f"nodes {names_text(names)}"
        case ast.GraphLinks(source, targets):
            return f"{source.id} to {names_text(targets)}"
        case ast.GraphPlace(name, x, y):
            return f"{name.id} at {_sum(x)}, {_sum(y)}"
        case ast.GraphRing(names, around):
            return f"ring {names_text(names)}" + ("" if around is None else _around(around))
        case ast.GraphPath(names):
            return f"path {names_text(names)}"
        case _:
            assert_never(item)


def _around(a: ast.Around) -> str:
    text = f" around {_sum(a.x)}, {_sum(a.y)} with radius {_sum(a.radius)}"
    text += "" if a.corners is None else f", corners {_sum(a.corners)}"
    return text if a.turn is None else f"{text}, turn {_sum(a.turn)}"


def _stroke(page: Page, depth: int, s: ast.StrokeDecl) -> None:
    across = "" if s.across is None else f" across {s.across.id}"
    page.line(depth, f"{names_text(s.names)}: {s.shape}{across}", s.notes)
    for condition in s.conditions:
        page.line(depth + 1, condition_text(condition), condition.notes)


def condition_text(c: ast.StrokeCondition) -> str:
    """Returns the text of a stroke's condition, such as ``within 45 degrees of horizontal``."""
    match c.kind:
        case "simple" | "avoids crossings" | "new ends":
            return c.kind
        case "horizontal" | "vertical":
            return f"within {c.degrees} degrees of {c.kind}"
        case "apart":
            return f"apart from {names_text(c.names)}"
        case "crosses once":
            return f"crosses {names_text(c.names)} once"
        case "crosses":
            return "crosses what it meets"
        case _:
            assert_never(c.kind)


# ---------------------------------------------------------------------------------------------------------- look


def print_look(page: Page, depth: int, d: ast.LookDecl) -> None:
    page.line(depth, "look", d.notes, set_off=True)
    for item in d.items:
        page.line(depth + 1, look_line(item), item.notes)


def print_notation(page: Page, depth: int, d: ast.NotationDecl) -> None:
    page.line(depth, f"notation {d.name.id}", d.notes, set_off=True)
    for item in d.fields:
        page.line(depth + 1, notation_line(item), item.notes)
        if isinstance(item, ast.NotationMoves):
            for part in item.parts:
                page.line(depth + 2, notation_line(part), part.notes)


def notation_line(item: ast.NotationLine | ast.NotationPart) -> str:
    """Returns a line of ``notation``; for ``move``, without the lines below it."""
    match item:
        case ast.NotationBoard(separator):
            return f"board {quote(separator)}"
        case ast.NotationAny(text):
            return f"any {quote(text)}"
        case ast.NotationCount(first, player):
            return f"count {quote(first)}" + ("" if player is None else f" after {player.id}")
        case ast.NotationText(items, otherwise, binders):
            return f"text {_items(items)}" + ("" if otherwise is None else f" else {quote(otherwise)}") + _for(binders)
        case ast.NotationMoves(moves):
            return f"move {' | '.join(m.id for m in moves)}"
        case ast.NotationApart(items, binders):
            return f"apart {_items(items)}{_for(binders)}"
        case ast.NotationAfter(items):
            return f"after {_items(items)}"
        case _:
            assert_never(item)


def _items(items: tuple[ast.NotationItem, ...]) -> str:
    return f",{BREAK}".join(notation_item(i) for i in items)


def notation_item(item: ast.NotationItem) -> str:
    return quote(item.text) + ("" if item.condition is None else f" if {followed_by_comma(item.condition)}")


def look_line(item: ast.LookItem) -> str:
    """Returns a line of ``look``."""
    match item:
        case ast.LookShow(what, glyph, number, colour, called, binders, shape, chosen):
            shown = (
                (" chosen by owner" if chosen else "") + _word(colour) + ("" if shape is None else f" shaped {shape}")
            )
            shown += "" if number is None else f" number {expr(number)}"
            return f"show {expr(what)} as {quote(glyph)}{shown}{_called(called)}{_for(binders)}"
        case ast.LookStroke(what, style, colour, called, binders):
            return f"stroke {expr(what)} as {style}{_word(colour)}{_called(called)}{_for(binders)}"
        case ast.LookLine(source, target, by, style, colour, called, binders):
            ends = f"from {_line_end(source)} to {_line_end(target)}" + ("" if by is None else f" by {_line_end(by)}")
            return f"line {ends} as {style}{_word(colour)}{_called(called)}{_for(binders)}"
        case ast.LookTint(what, colour, called, binders):
            return f"tint {expr(what)} as {colour}{_called(called)}{_for(binders)}"
        case ast.LookBorder(what, glyph, colour, called, binders):
            return f"border {expr(what)} as {quote(glyph)}{_word(colour)}{_called(called)}{_for(binders)}"
        case ast.LookCells(style):
            return "cells unnamed" if style == "unnamed" else f"cells as {style}"
        case ast.LookBeside(text, value, binders):
            shown = "" if value is None else f" {guarded(expr(value), {'for'})}"
            return f"beside {quote(text)}{shown}{_for(binders)}"
        case ast.LookLeave():
            return _leave(item)
        case ast.LookSay(text, binders, after, when):
            return f"say {quote(text)}{_for(binders)}{_after(after, when)}"
        case _:
            assert_never(item)


def _line_end(end: ast.LineEnd) -> str:
    if end.across is None or end.down is None:
        return expr(end.place)
    return f"spot {_sum(end.across)}, {_sum(end.down)} of {expr(end.place)}"


def _word(text: str | None) -> str:
    return "" if text is None else f" {text}"


def _called(text: str | None) -> str:
    return "" if text is None else f" called {quote(text)}"


def _for(binders: Sequence[ast.Binder]) -> str:
    return f" for {binders_text(binders)}" if binders else ""


def _after(move: str | None, when: ast.Expr | None) -> str:
    return ("" if move is None else f" after {move}") + ("" if when is None else f" when {expr(when)}")


def _leave(item: ast.LookLeave) -> str:
    text = "leave" + ("" if item.text is None else f" {quote(item.text)}")
    text += "" if item.large is None else f" {expr(item.large, POSTFIX, last=False)} large"
    if item.on:
        text += f" {'path' if item.is_path else 'on'} {exprs(item.on)}"
    text += _called(item.called) + _for(item.binders) + _after(item.after, item.when)
    return text + (" until redrawn" if item.until_redrawn else "")
