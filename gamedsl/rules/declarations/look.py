"""Look and info → the presentation of a part."""

from __future__ import annotations

import re
from typing import Literal

from gamedsl.boards import IN_ROWS, Family
from gamedsl.core.nodes import (
    Const,
    ElemT,
    Expr,
    Leaving,
    Load,
    Local,
    Mark,
    NotationField,
    Paragraph,
    Part,
    PieceKind,
    PublicNotation,
    SetT,
)
from gamedsl.rules import conversions
from gamedsl.rules import types as ty
from gamedsl.rules.declarations.claims import lower_claim, outcome_words
from gamedsl.rules.expressions.binders import Range, bind, find_move
from gamedsl.rules.expressions.lowering import lower, lower_bool, lower_number
from gamedsl.rules.flow.moves import param_value
from gamedsl.rules.program import player_seat
from gamedsl.rules.report import Bail, near_names
from gamedsl.rules.scope import Ctx, Env, MoveValue
from gamedsl.rules.symbols import MoveSym
from gamedsl.source import Span
from gamedsl.syntax import ast

COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "grey", "orange", "brown", "purple")
REFUSAL = -1


def finish_part(env: Env) -> None:
    """The part's record in the program: who plays, how it looks, its rulebook."""
    marks: list[Mark] = []
    leavings: list[Leaving] = []
    info: list[Paragraph] = []
    notations: list[PublicNotation] = []
    title, by, source = env.name, "", ""
    for d in env.decls:
        match d:
            case ast.LookDecl(items):
                for item in items:
                    try:
                        _look(env, item, marks, leavings)
                    except Bail:
                        env.failed = True
            case ast.NotationDecl():
                try:
                    notations.append(_notation(env, d, notations))
                except Bail:
                    env.failed = True
            case ast.InfoDecl(lines):
                info += [Paragraph(x.key, x.text, tuple(c.clause for c in x.notes.cites)) for x in lines]
            case ast.ClaimDecl():
                try:
                    env.program.claims.append(lower_claim(env, d, outcome_words(env)))
                except Bail:
                    env.failed = True
            case ast.GameDecl(name, heads):
                title = name
                by = next((h.text for h in heads if h.key == "by"), "")
                source = next((h.text for h in heads if h.key == "source"), "")
            case _:
                pass
    seats = tuple(player_seat(env, Const(i, ElemT(env.players))) for i in range(env.players.size))
    env.program.parts[env.index] = Part(
        env.index,
        env.name,
        title,
        env.players,
        env.board,
        env.drawing,
        seats,
        tuple(marks),
        tuple(leavings),
        tuple(info),
        by,
        source,
        tuple(PieceKind(p.var, p.extra, p.each, p.place is env.place) for p in env.pieces()),
        tuple(notations),
    )


def _notation(env: Env, d: ast.NotationDecl, known: list[PublicNotation]) -> PublicNotation:
    if any(n.name == d.name.id for n in known):
        env.report.fail("E0391", d.name.span, name=d.name.id)
    me = env.program.local("me", ElemT(env.players))
    ctx = Ctx("look", me=Load(me))
    fields = tuple(_field(env, ctx, line) for line in d.fields)
    boards = [f for f in fields if f.kind == "board"]
    if len(boards) > 1 or (boards and (env.board is None or env.board.kind not in IN_ROWS)):
        env.report.fail("E0390", boards[-1].span)
    return PublicNotation(d.name.id, me, fields)


def _field(env: Env, ctx: Ctx, line: ast.NotationLine) -> NotationField:
    match line:
        case ast.NotationBoard(separator):
            return NotationField("board", separator, (), (), span=line.span)
        case ast.NotationAny(text):
            return NotationField("any", text, (), (), span=line.span)
        case ast.NotationText(items, otherwise, binders):
            loops, inner = _loops(env, ctx, binders)
            found = tuple(
                (
                    template(env, item.text, loops, item.span),
                    None if item.condition is None else lower_bool(env, inner, item.condition),
                )
                for item in items
            )
            return NotationField("text", otherwise or "", found, loops, span=line.span)


def _look(env: Env, item: ast.LookItem, marks: list[Mark], leavings: list[Leaving]) -> None:
    ctx = Ctx("look")
    match item:
        case ast.LookLeave():
            leavings.append(_leaving(env, item))
        case ast.LookShow():
            marks.append(_mark(env, ctx, "show", item, item.glyph, item.number))
        case ast.LookStroke():
            marks.append(_mark(env, ctx, "stroke", item, style=item.style))
        case ast.LookTint():
            marks.append(_mark(env, ctx, "tint", item))
        case ast.LookBorder():
            marks.append(_mark(env, ctx, "border", item, item.glyph))
        case ast.LookCells(style):
            marks.append(Mark("cells", (), None, None, None, style, ()))
        case ast.LookBeside():
            loops, inner = _loops(env, ctx, item.binders)
            value = None if item.value is None else lower(env, inner, item.value)
            marks.append(Mark("beside", template(env, item.text, loops, item.span), value, None, None, None, loops))


def _mark(
    env: Env,
    ctx: Ctx,
    kind: Literal["show", "stroke", "tint", "border"],
    item: ast.LookShow | ast.LookStroke | ast.LookTint | ast.LookBorder,
    glyph: str = "",
    number: ast.Expr | None = None,
    style: str | None = None,
) -> Mark:
    loops, inner = _loops(env, ctx, item.binders)
    text = template(env, glyph, loops, item.span)
    counted = None if number is None else lower_number(env, inner, number)
    inked = colour(env, item.colour, item.span)
    called = None if item.called is None else template(env, item.called, loops, item.span)
    return Mark(kind, text, shown(env, inner, item.what), counted, inked, style, loops, called)


def _loops(env: Env, ctx: Ctx, binders: tuple[ast.Binder, ...]) -> tuple[tuple[tuple[Local, Expr], ...], Ctx]:
    loops: list[tuple[Local, Expr]] = []
    for b in binders:
        if isinstance(b.source, ast.MovesOf):
            env.report.fail("E0347", b.span)
        ranges, ctx = bind(env, ctx, b)
        loops += [(r.local, r.over) for r in ranges if isinstance(r, Range)]
    return tuple(loops), ctx


def shown(env: Env, ctx: Ctx, e: ast.Expr) -> Expr:
    """What is drawn: a set over something that has a place (single elements, and lines as their cells, are sets too)."""
    value = lower(env, ctx, e)
    if isinstance(value.type, SetT) and isinstance(value.type.domain, Family):
        env.report.fail("E0301", e.span, wanted="a set of cells, edges, points or spaces", got=ty.describe(value.type))
    as_set = conversions.as_set(value)
    if as_set is None:
        env.report.fail("E0301", e.span, wanted="a set of cells, edges, points or spaces", got=ty.describe(value.type))
    return as_set


def colour(env: Env, name: str | None, span: Span) -> str | None:
    if name is not None and name not in COLOURS:
        env.report.fail("E0450", span, near=near_names(name, COLOURS), name=name, colours=", ".join(COLOURS))
    return name


def template(
    env: Env, text: str, loops: tuple[tuple[Local, Expr], ...], span: Span, more: tuple[Local, ...] = ()
) -> tuple[str | Local, ...]:
    """A text with ``{name}`` in place of a value."""
    known = {loc.name: loc for loc, _ in loops} | {loc.name: loc for loc in more}
    out: list[str | Local] = []
    for piece in re.split(r"(\{[A-Za-z_]\w*\})", text):
        if piece[:1] == "{" and piece[-1:] == "}":
            if piece[1:-1] not in known:
                env.report.fail("E0451", span, name=piece[1:-1])
            out.append(known[piece[1:-1]])
        elif piece:
            out.append(piece)
    return tuple(out)


def _leaving(env: Env, item: ast.LookLeave) -> Leaving:
    if item.after is None:
        return _leaves(env, item, Ctx("look"), None, None)
    if item.after == "refusal":
        return _leaves(env, item, Ctx("look"), REFUSAL, None)
    sym = find_move(env, ast.Name(item.after, span=item.span))
    loads = tuple(Load(p) for p in sym.params)
    scope = {p.name: param_value(env, p, v) for p, v in zip(sym.params, loads, strict=True)}
    me = Load(sym.me)
    ctx = Ctx("look", scope=dict(scope), me=me, this=MoveValue(sym, (me, *loads)))
    return _leaves(env, item, ctx, sym.index, sym)


def _leaves(env: Env, item: ast.LookLeave, ctx: Ctx, schema: int | None, sym: MoveSym | None) -> Leaving:
    loops, inner = _loops(env, ctx, item.binders)
    if item.is_path:
        on = tuple(lower(env, inner, x) for x in item.on)
    else:
        on = tuple(shown(env, inner, x) for x in item.on)
    when = None if item.when is None else lower_bool(env, inner, item.when)
    own = () if sym is None else (sym.me, *sym.params)
    text = () if item.text is None else template(env, item.text, loops, item.span, own)
    me = None if sym is None else sym.me
    params = () if sym is None else sym.params
    return Leaving(text, on, item.is_path, loops, schema, me, params, when, item.until_redrawn, item.called)
