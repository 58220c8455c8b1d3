"""Statements → lines of text."""

from __future__ import annotations

from typing import assert_never

from gamedsl.language.syntax import ast
from gamedsl.language.syntax.print.layout import BREAK, Page, quote
from gamedsl.language.syntax.print.print_ast_expressions import (
    POSTFIX,
    UNION,
    alternatives,
    binder_text,
    expr,
    exprs,
    followed_by_comma,
    guarded,
    names_text,
)

# Words that begin statements: a player with such a name needs brackets where a line begins with the player who decides.
STATEMENT_WORDS = frozenset(
    word
    for line in vars(ast).values()
    if isinstance(line, type) and issubclass(line, ast.RuleLine)
    for word in line.first_words()
)


def print_body(page: Page, depth: int, body: ast.Body) -> None:
    for stmt in body:
        print_stmt(page, depth, stmt)


def print_stmt(page: Page, depth: int, s: ast.Stmt) -> None:
    """Writes a statement and the lines indented below it."""
    page.line(depth, statement_text(s), s.notes)
    match s:
        case ast.If():
            _branches(page, depth, s)
        case ast.Plays():
            _below_plays(page, depth, s)
        case _:
            for body in s.bodies():
                print_body(page, depth + 1, body)
            if isinstance(s, ast.Repeat) and s.until is not None:
                page.line(depth, f"until {expr(s.until.condition)}", s.until.notes)


def _branches(page: Page, depth: int, s: ast.If) -> None:
    for number, branch in enumerate(s.branches):
        if number:
            page.line(depth, f"else if {expr(branch.condition)}", branch.notes)
        print_body(page, depth + 1, branch.body)
    if s.otherwise is not None:
        page.line(depth, "else", s.otherwise.notes)
        print_body(page, depth + 1, s.otherwise.body)


def _turns(s: ast.Turns) -> str:
    text = f"turns from {expr(s.start) if s.times is None else followed_by_comma(s.start)}"
    text += "" if s.times is None else f",{BREAK}{expr(s.times)} times"
    return text if s.until is None else f"{text} until {expr(s.until)}"


def _below_plays(page: Page, depth: int, s: ast.Plays) -> None:
    if s.may_pass is not None:
        page.line(depth + 1, "may pass", s.may_pass.notes)
    if s.stuck is not None:
        page.line(depth + 1, "stuck", s.stuck.notes)
        print_body(page, depth + 2, s.stuck.body)


def _who(e: ast.Expr) -> str:
    return guarded(expr(e, POSTFIX, plain=True), STATEMENT_WORDS)


def _result(name: ast.Name | None) -> str:
    return "" if name is None else f" -> {name.id}"


def bindings_text(bindings: tuple[ast.Binding, ...]) -> str:
    """Returns bindings with a leading space, as in ``with n = 5, first = light``; empty if there are none."""
    if not bindings:
        return ""
    *firsts, last = bindings
    texts = [f"{b.name.id} = {followed_by_comma(b.value)}" for b in firsts]
    return f" with {f',{BREAK}'.join([*texts, f'{last.name.id} = {expr(last.value)}'])}"


def statement_text(s: ast.Stmt) -> str:
    """Returns the line of a statement, without the lines indented below it."""
    match s:
        case ast.If(branches):
            return f"if {expr(branches[0].condition)}"
        case ast.For(binder):
            return f"for {binder_text(binder)}"
        case ast.Repeat(times):
            return "repeat" if times is None else f"repeat {expr(times)} times"
        case ast.Phase(name):
            return f"phase {name.id}"
        case ast.Turns():
            return _turns(s)
        case ast.Plays(who, moves):
            return f"{_who(who)} plays {alternatives(moves)}"
        case ast.Put(piece, on, bindings):
            return f"put {expr(piece)} on {expr(on)}{bindings_text(bindings)}"
        case ast.Reveal(what, to):
            return f"reveal {expr(what)}" + ("" if to is None else f" to {expr(to)}")
        case ast.Remove():
            return _remove(s)
        case ast.MovePiece(piece, source, target):
            moved = "all" if piece is None else guarded(expr(piece), {"all"})
            return f"move {moved} from {expr(source)} to {expr(target)}"
        case ast.SetTo(target, value):
            return f"set {expr(target)} to {expr(value)}"
        case ast.Add(value, target):
            return f"add {expr(value)} to {expr(target)}"
        case ast.Take(value, target):
            return f"take {expr(value)} from {expr(target)}"
        case ast.Push(value, target):
            return f"push {expr(value)} on {expr(target)}"
        case ast.Pop(target, result):
            return f"pop {expr(target)}{_result(result)}"
        case ast.Perform(action, arguments):
            return f"{action}({exprs(arguments)})" if arguments else action
        case ast.Let(name, value):
            return f"let {name.id} ={BREAK}{expr(value)}"
        case ast.Roll(dice, faces, result):
            return f"roll {'' if dice == 1 else f'{dice} '}d{faces} -> {result.id}"
        case ast.Pick(source, result):
            return f"pick at random from {expr(source)} -> {result.id}"
        case ast.DrawFrom(bag, result):
            return f"draw from {expr(bag)} -> {result.id}"
        case ast.Shuffle(target):
            return f"shuffle {expr(target)}"
        case ast.ShuffleInto(source, target):
            return f"shuffle {expr(source)} into {expr(target)}"
        case ast.Deal(times, source, target):
            return f"deal {'' if times is None else f'{expr(times)} '}from {expr(source)} to {expr(target)}"
        case ast.Discard(value, source, target):
            return f"discard {expr(value)} from {expr(source)} to {expr(target)}"
        case ast.Chooses(who, target, choice):
            return f"{_who(who)} chooses {expr(target)}" + ("" if choice is None else f" from {expr(choice)}")
        case ast.Passes(who):
            return f"{_who(who)} passes"
        case ast.Everyone(group, moves):
            members = "" if group is None else f" in {expr(group, UNION, last=False)}"
            return f"everyone{members} plays {alternatives(moves)}"
        case ast.NotePosition(what, more):
            return f"note {what}" + (f" with {names_text(more)}" if more else "")
        case ast.Draws(who, strokes):
            return f"{_who(who)} draws {names_text(strokes)}"
        case ast.PlayGame(game, bindings, outcome):
            return f"play {game.id}{bindings_text(bindings)}{_result(outcome)}"
        case ast.Verdict(kind, who, reason):
            return f"{kind} {expr(who)}{_reason(reason)}"
        case ast.DrawGame(reason):
            return f"draw{_reason(reason)}"
        case ast.RankBy(kind, by):
            return f"{kind} by {by.id}"
        case ast.Keyword():
            return s.word
        case _:
            assert_never(s)


def _reason(text: str | None) -> str:
    return "" if text is None else f" {quote(text)}"


def _remove(s: ast.Remove) -> str:
    piece = "" if s.piece is None else guarded(expr(s.piece), {"all", "from"}) + " "
    return f"remove {'all ' if s.everything else ''}{piece}from {expr(s.source)}"
