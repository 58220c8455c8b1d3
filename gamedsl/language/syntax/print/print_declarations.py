"""Declarations → lines of text (boards, look and notations are in ``print_boards``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never, get_args

from gamedsl.language.syntax import ast
from gamedsl.language.syntax.print.layout import BREAK, Page, quote
from gamedsl.language.syntax.print.print_ast_expressions import (
    SUM,
    UNION,
    expr,
    followed_by_comma,
    guarded,
    names_text,
    type_text,
)
from gamedsl.language.syntax.print.print_boards import print_board, print_look, print_notation
from gamedsl.language.syntax.print.print_statements import bindings_text, print_body
from gamedsl.language.syntax.print.print_tables import print_table

_CLAIM_WORDS = frozenset(claim.word for claim in get_args(ast.Claim) if claim.word)


def print_decls(page: Page, depth: int, decls: Sequence[ast.Decl]) -> None:
    for decl in decls:
        print_decl(page, depth, decl)


def print_decl(page: Page, depth: int, d: ast.Decl) -> None:
    """Writes a declaration and the lines indented below it."""
    match d:
        case ast.GameDecl(title, headers):
            page.line(depth, f"game {quote(title)}", d.notes)
            for header in headers:
                page.line(depth + 1, f"{header.key} {quote(header.text)}", header.notes)
        case ast.TokenDecl(name, kinds, fields):
            text = f",{BREAK}".join(f"{k.name.id}{_of(k.of)}{_message(k.words)}" for k in kinds)
            page.line(depth, f"token {name.id}: {text}", d.notes, set_off=True)
            _variables(page, depth + 1, fields)
        case ast.PieceDecl(fields=fields):
            page.line(depth, _piece(d), d.notes, set_off=bool(fields))
            _variables(page, depth + 1, fields)
        case ast.StateDecl(variables):
            page.line(depth, "state", d.notes, set_off=True)
            _variables(page, depth + 1, variables)
        case ast.TableDecl():
            print_table(page, depth, d)
        case ast.ActionDecl(name, params, body):
            page.line(depth, f"action {name.id}{_params(params)}", d.notes, set_off=True)
            print_body(page, depth + 1, body)
        case ast.MoveDecl():
            _move(page, depth, d)
        case ast.PlayDecl(body):
            page.line(depth, "play", d.notes, set_off=True)
            print_body(page, depth + 1, body)
        case ast.InfoDecl(infos):
            page.line(depth, "info", d.notes, set_off=True)
            for info in infos:
                page.line(depth + 1, info_text(info), info.notes)
        case ast.PartDecl(name, decls):
            page.line(depth, f"part {name.id}", d.notes, set_off=True)
            print_decls(page, depth + 1, decls)
        case ast.InPartDecl(name, decls):
            page.line(depth, f"in part {name.id}", d.notes, set_off=True)
            print_decls(page, depth + 1, decls)
        case ast.Board():
            print_board(page, depth, d)
        case ast.LookDecl():
            print_look(page, depth, d)
        case ast.NotationDecl():
            print_notation(page, depth, d)
        case _:
            page.line(depth, _one_line(d), d.notes)


def _one_line(d: ast.Decl) -> str:
    """Returns the text of a declaration that has no lines below it."""
    match d:
        case ast.UseDecl(file, name):
            return f"use {quote(file)} as {name.id}"
        case ast.VariantDecl(file, bindings):
            return f"variant of {quote(file)}{bindings_text(bindings)}"
        case ast.RemoveDecl(kind, what):
            return f"remove {kind}{_removed(kind, what)}"
        case ast.PlayersNamed(names):
            return f"players {names_text(names)}"
        case ast.PlayersRange(low, high, number):
            return f"players {low} to {high}" + ("" if number is None else f" = {number}")
        case ast.OptionDecl(name, kind_of, default, text):
            return f"option {name.id}: {type_text(kind_of)} ={BREAK}{expr(default)}{_message(text)}"
        case ast.TypeDecl(name, kind_of):
            return f"type {name.id} ={BREAK}{type_text(kind_of)}"
        case ast.ShapeDecl(name, rows):
            return f"shape {name.id} = {quote(rows)}"
        case ast.DefineDecl(name, params, kind_or_none, deep, value):
            result = "" if kind_or_none is None else f": {type_text(kind_or_none)}"
            bound = "" if deep is None else f" at most {expr(deep, SUM, last=False)} deep"
            return f"define {name.id}{_params(params)}{result}{bound} ={BREAK}{expr(value)}"
        case ast.ForbidDecl(condition, message):
            return f"forbid {expr(condition)}{_message(message)}"
        case ast.ClaimDecl():
            return _claim(d)
        case _:
            raise AssertionError(d)


def info_text(info: ast.InfoItem) -> str:
    """Returns a line of ``info``."""
    name = "" if info.name is None else f" {info.name.id}"
    condition = "" if info.condition is None else f" if {expr(info.condition)}"
    return f"{info.key}{name} {quote(info.text)}{condition}"


def _message(text: str | None) -> str:
    return "" if text is None else f" {quote(text)}"


def _of(kind: ast.Type | None) -> str:
    return "" if kind is None else f" of {type_text(kind)}"


def _seen(seen: str) -> str:
    return "" if seen == "all" else f",{BREAK}seen by {seen}"


def _removed(kind: str, name: ast.Name | None) -> str:
    """Returns what ``remove`` names, after a space: a claim or ``forbid`` by its text in quotes, anything else by its
    name.
    """
    if name is None:
        return ""
    return f" {quote(name.id)}" if kind in ("claim", "forbid") or not name.id.isidentifier() else f" {name.id}"


def _piece(d: ast.PieceDecl) -> str:
    text = f"piece {names_text(d.names)}{_of(d.of)}" + ("" if d.place is None else f" on {d.place}")
    if d.each is not None:
        amount = guarded(expr(d.each, SUM, last=False), {"stacking", "seen"})
        text += f",{BREAK}{amount} {'in supply' if d.of is None else 'each'}"
    return text + (f",{BREAK}stacking" if d.stacking else "") + _seen(d.seen)


def _variables(page: Page, depth: int, variables: Sequence[ast.Variable]) -> None:
    for v in variables:
        text = f"{names_text(v.names)}: {type_text(v.type)}"
        if v.initial is not None:
            value = expr(v.initial) if v.seen == "all" else followed_by_comma(v.initial)
            text += f" ={BREAK}{value}"
        page.line(depth, text + _seen(v.seen), v.notes)


def _params(params: Sequence[ast.Param]) -> str:
    return f"({f',{BREAK}'.join(_param(p) for p in params)})" if params else ""


def _param(p: ast.Param) -> str:
    seen = "" if p.seen == "all" else f" seen by {p.seen}"
    if p.type is not None:
        return f"{p.name.id}: {type_text(p.type)}{seen}"
    return p.name.id if p.source is None else f"{p.name.id} in {expr(p.source, UNION, last=False)}{seen}"


def _move(page: Page, depth: int, d: ast.MoveDecl) -> None:
    text = f"move {d.name.id}{_params(d.params)}" + (" by mistake" if d.mistake else "")
    text += "" if d.written is None else f" written {' or '.join(map(quote, (d.written, *d.also)))}"
    page.line(depth, text, d.notes, set_off=True)
    for guard in d.guards:
        page.line(depth + 1, guard_text(guard), guard.notes)
    print_body(page, depth + 1, d.effect)


def guard_text(guard: ast.Guard) -> str:
    """Returns the text of a guard: ``when F "message"``."""
    return f"when {expr(guard.condition)}{_message(guard.message)}"


def _claim(d: ast.ClaimDecl) -> str:
    name = "" if d.name is None else f"{quote(d.name)}:{BREAK}"
    phase = "" if d.phase is None else f"in phase {d.phase.id}:{BREAK}"
    return f"claim {name}{phase}{_claimed(d.claim)}"


def _claimed(claim: ast.Claim) -> str:
    match claim:
        case ast.Always(condition):
            return f"always {expr(condition)}"
        case ast.Never(condition):
            return f"never {expr(condition)}"
        case ast.Reachable(condition):
            return f"reachable {expr(condition)}"
        case ast.LeadsTo(condition, then):
            return f"{guarded(expr(condition), _CLAIM_WORDS)} leads to {expr(then)}"
        case ast.Ends(bound):
            return "ends" if bound is None else f"ends within {expr(bound, SUM, last=False)} plies"
        case ast.Used(moves):
            return f"used {names_text(moves)}"
        case ast.Balanced(percent):
            return f"balanced within {expr(percent, SUM, last=False)}%"
        case ast.MayTell(teller, hidden, when):
            limit = "" if when is None else f" when {expr(when)}"
            return f"{teller} may tell {names_text(hidden)}" + limit
        case _:
            assert_never(claim)
