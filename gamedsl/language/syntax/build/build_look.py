"""Parse trees → the lines of ``look`` and of ``notation``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, cast

from gamedsl.language.syntax import ast
from gamedsl.language.syntax.build.build_expressions import build_binders, build_expr, build_exprs, optional_expr
from gamedsl.language.syntax.build.builder import Builder, first_token, text_of, token, tokens, tree, trees
from gamedsl.language.syntax.parse.push_parser import Parsed
from gamedsl.language.syntax.parse.scanner import value_of


def build_look(b: Builder, t: Parsed) -> ast.Decl:
    """Returns the declaration ``look`` with its lines."""
    return ast.LookDecl(tuple(_LINES[i.data](b, i) for i in trees(t.children)), **b.where(t))


def build_notation(b: Builder, t: Parsed) -> ast.Decl:
    """Returns the declaration ``notation NAME`` with its lines."""
    name, *lines = t.children
    return ast.NotationDecl(b.name(token(name)), tuple(_FIELDS[i.data](b, i) for i in trees(lines)), **b.where(t))


def _notation_board(b: Builder, t: Parsed) -> ast.NotationLine:
    return ast.NotationBoard(value_of(token(t.children[0])), **b.where(t))


def _notation_text(b: Builder, t: Parsed) -> ast.NotationText:
    otherwise = first_token(t.children, "STRING")
    items = tuple(_notation_item(b, i) for i in trees(t.children, "notation_item"))
    return ast.NotationText(items, text_of(otherwise), _binders(b, t), **b.where(t))


def _notation_item(b: Builder, t: Parsed) -> ast.NotationItem:
    text, condition = t.children
    return ast.NotationItem(value_of(token(text)), optional_expr(b, condition), span=b.span(t))


def _notation_any(b: Builder, t: Parsed) -> ast.NotationLine:
    return ast.NotationAny(value_of(token(t.children[0])), **b.where(t))


def _notation_count(b: Builder, t: Parsed) -> ast.NotationLine:
    first, player = first_token(t.children, "STRING"), first_token(t.children, "NAME")
    assert first is not None
    return ast.NotationCount(value_of(first), None if player is None else b.name(player), **b.where(t))


def _notation_moves(b: Builder, t: Parsed) -> ast.NotationLine:
    moves = tuple(b.name(n) for n in tokens(t.children, "NAME"))
    return ast.NotationMoves(moves, tuple(_PARTS[i.data](b, i) for i in trees(t.children)), **b.where(t))


def _notation_apart(b: Builder, t: Parsed) -> ast.NotationPart:
    items = tuple(_notation_item(b, i) for i in trees(t.children, "notation_item"))
    return ast.NotationApart(items, _binders(b, t), **b.where(t))


def _notation_after(b: Builder, t: Parsed) -> ast.NotationLine:
    return ast.NotationAfter(tuple(_notation_item(b, i) for i in trees(t.children, "notation_item")), **b.where(t))


def _binders(b: Builder, t: Parsed) -> tuple[ast.Binder, ...]:
    found = trees(t.children, "for_each")
    return build_binders(b, found[0].children) if found else ()


def _word(child: object) -> str | None:
    return None if child is None else str(child)


def _called(t: Parsed) -> str | None:
    found = trees(t.children, "called")
    return text_of(first_token(found[0].children, "STRING")) if found else None


def _show(b: Builder, t: Parsed) -> ast.LookItem:
    what, glyph, chosen, colour, shape, number = t.children[:6]
    return ast.LookShow(
        build_expr(b, what),
        value_of(token(glyph)),
        optional_expr(b, number),
        _word(colour),
        _called(t),
        _binders(b, t),
        _word(shape),
        chosen is not None,
        **b.where(t),
    )


def _stroke(b: Builder, t: Parsed) -> ast.LookItem:
    what, style, colour = t.children[:3]
    word = cast(Literal["light", "heavy", "double", "dashed"], str(style))
    return ast.LookStroke(build_expr(b, what), word, _word(colour), _called(t), _binders(b, t), **b.where(t))


def _line(b: Builder, t: Parsed) -> ast.LookItem:
    source, target, by, style, colour = t.children[:5]
    word = cast(Literal["light", "heavy", "double", "dashed"], str(style))
    ends = _line_end(b, tree(source)), _line_end(b, tree(target))
    bend = None if by is None else _line_end(b, tree(by))
    return ast.LookLine(*ends, bend, word, _word(colour), _called(t), _binders(b, t), **b.where(t))


def _line_end(b: Builder, t: Parsed) -> ast.LineEnd:
    across, down, place = t.children
    return ast.LineEnd(build_expr(b, place), optional_expr(b, across), optional_expr(b, down), span=b.span(t))


def _tint(b: Builder, t: Parsed) -> ast.LookItem:
    return ast.LookTint(build_expr(b, t.children[0]), str(t.children[1]), _called(t), _binders(b, t), **b.where(t))


def _border(b: Builder, t: Parsed) -> ast.LookItem:
    what, glyph, colour = t.children[:3]
    return ast.LookBorder(
        build_expr(b, what), value_of(token(glyph)), _word(colour), _called(t), _binders(b, t), **b.where(t)
    )


def _cells(b: Builder, t: Parsed) -> ast.LookItem:
    style = cast(Literal["crossings", "dots", "unnamed"], str(t.children[0]))
    return ast.LookCells(style, **b.where(t))


def _beside(b: Builder, t: Parsed) -> ast.LookItem:
    text, value = t.children[:2]
    return ast.LookBeside(value_of(token(text)), optional_expr(b, value), _binders(b, t), **b.where(t))


def _leave(b: Builder, t: Parsed) -> ast.LookItem:
    parts = {p.data: p for p in trees(t.children)}
    place = parts.get("path") or parts.get("on")
    large = parts.get("enlarged")
    after, when = parts.get("after_move"), parts.get("leave_when")
    return ast.LookLeave(
        text_of(first_token(t.children, "STRING")),
        () if place is None else build_exprs(b, place.children),
        "path" in parts,
        _called(t),
        _binders(b, t),
        None if after is None else str(after.children[0]),
        None if when is None else build_expr(b, when.children[0]),
        "redrawn" in parts,
        None if large is None else build_expr(b, large.children[0]),
        **b.where(t),
    )


def _say(b: Builder, t: Parsed) -> ast.LookItem:
    parts = {p.data: p for p in trees(t.children)}
    after, when = parts.get("after_move"), parts.get("leave_when")
    return ast.LookSay(
        value_of(token(t.children[0])),
        _binders(b, t),
        None if after is None else str(after.children[0]),
        None if when is None else build_expr(b, when.children[0]),
        **b.where(t),
    )


_LINES: Mapping[str, Callable[[Builder, Parsed], ast.LookItem]] = {
    "show": _show,
    "stroke_look": _stroke,
    "line_look": _line,
    "tint": _tint,
    "border": _border,
    "cells_as": _cells,
    "beside": _beside,
    "leave": _leave,
    "say": _say,
}
_FIELDS: Mapping[str, Callable[[Builder, Parsed], ast.NotationLine]] = {
    "notation_board": _notation_board,
    "notation_text": _notation_text,
    "notation_any": _notation_any,
    "notation_count": _notation_count,
    "notation_moves": _notation_moves,
    "notation_after": _notation_after,
}
_PARTS: Mapping[str, Callable[[Builder, Parsed], ast.NotationPart]] = {
    "notation_text": _notation_text,
    "notation_apart": _notation_apart,
}
