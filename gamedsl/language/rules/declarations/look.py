"""Look and info → the presentation of a part."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from gamedsl.language.boards import Family
from gamedsl.language.core import Thing, alike_on, labels_of, things_of
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.declarations.chosen_signs import check_chosen, with_choice
from gamedsl.language.rules.declarations.claims import lower_claim, outcome_words
from gamedsl.language.rules.declarations.declare_notations import lower_notation
from gamedsl.language.rules.declarations.info import paragraphs
from gamedsl.language.rules.declarations.templates import Loops, loops, template
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.binders import find_move
from gamedsl.language.rules.expressions.lowering import lower, lower_bool, lower_number
from gamedsl.language.rules.expressions.primitives import player_seat
from gamedsl.language.rules.flow.lower_moves import param_value
from gamedsl.language.rules.scope import Ctx, Env, MoveValue
from gamedsl.language.rules.symbols import MoveSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast

COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "grey", "orange", "brown", "purple")
SHAPES = (
    "disc", "crowned", "ring", "cross", "block", "star", "triangle", "diamond", "seeds", "letter",
    "pawn", "knight", "bishop", "rook", "queen", "king",
)  # fmt: skip
REFUSAL = -1


def finish_part(env: Env) -> None:
    """Adds the part to the program: its players, look, claims, notations and rulebook."""
    marks: list[n.Mark] = []
    spans: list[Span] = []  # of the marks
    leavings: list[n.Leaving] = []
    info: list[ast.InfoItem] = []
    notations: list[n.PublicNotation] = []
    title, by, source = env.name, "", ""
    for d in env.decls:
        match d:
            case ast.LookDecl(items):
                for item in items:
                    try:
                        _look(env, item, marks, leavings)
                        spans += [item.span] * (len(marks) - len(spans))
                    except Bail:
                        env.failed = True
            case ast.NotationDecl():
                try:
                    notations.append(lower_notation(env, d, notations))
                except Bail:
                    env.failed = True
            case ast.InfoDecl(lines):
                info += lines
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
    seats = tuple(player_seat(env, n.Const(i, n.ElemT(env.players))) for i in range(env.players.size))
    part = env.program.parts[env.index] = n.Part(
        env.index,
        env.name,
        title,
        env.players,
        env.board,
        env.drawing,
        seats,
        tuple(marks),
        tuple(leavings),
        tuple(paragraphs(env, info)),
        by,
        source,
        tuple(n.PieceKind(p.var, p.extra, p.each, p.place is env.place) for p in env.pieces()),
        tuple(notations),
        0 if env.outer is None else env.outer.index,
    )
    check_chosen(env, marks, spans)
    env.program.parts[env.index] = replace(part, info=tuple(with_choice(env, part)))
    if not env.report.broken:
        _warn_of_likeness(env, part, spans)


def _warn_of_likeness(env: Env, part: n.Part, spans: list[Span]) -> None:
    """Warns about every kind of thing that looks like an earlier one."""
    labels = labels_of(part)
    earlier: list[Thing] = []
    for things, span in zip(things_of(part), spans, strict=True):
        for thing in things:
            alike = ((one, alike_on(part, one, thing, labels)) for one in earlier)
            found = next(((one, surfaces) for one, surfaces in alike if surfaces), None)
            if found is not None:
                one, surfaces = found
                env.report.add(
                    "W0914", span, one=f"`{one.name}`", other=f"`{thing.name}`", surface=" and ".join(surfaces)
                )
            earlier.append(thing)


def _look(env: Env, item: ast.LookItem, marks: list[n.Mark], leavings: list[n.Leaving]) -> None:
    ctx = Ctx("look")
    match item:
        case ast.LookLeave() | ast.LookSay():
            leavings.append(_leaving(env, item))
        case ast.LookShow():
            mark = _mark(env, ctx, "show", item, item.glyph, item.number)
            marks.append(replace(mark, shape=shape(env, item.shape, item.span), chosen=item.chosen))
        case ast.LookStroke():
            marks.append(_mark(env, ctx, "stroke", item, style=item.style))
        case ast.LookLine():
            marks.append(_line(env, ctx, item))
        case ast.LookTint():
            marks.append(_mark(env, ctx, "tint", item))
        case ast.LookBorder():
            marks.append(_mark(env, ctx, "border", item, item.glyph))
        case ast.LookCells(style):
            marks.append(n.Mark("cells", (), None, None, None, style, ()))
        case ast.LookBeside():
            bound, inner = loops(env, ctx, item.binders)
            value = None if item.value is None else lower(env, inner, item.value)
            marks.append(n.Mark("beside", template(env, item.text, bound, item.span), value, None, None, None, bound))


def _mark(
    env: Env,
    ctx: Ctx,
    kind: Literal["show", "stroke", "tint", "border"],
    item: ast.LookShow | ast.LookStroke | ast.LookTint | ast.LookBorder,
    glyph: str = "",
    number: ast.Expr | None = None,
    style: str | None = None,
) -> n.Mark:
    bound, inner = loops(env, ctx, item.binders)
    text = template(env, glyph, bound, item.span)
    counted = None if number is None else lower_number(env, inner, number)
    inked = colour(env, item.colour, item.span)
    called = None if item.called is None else template(env, item.called, bound, item.span)
    return n.Mark(kind, text, shown(env, inner, item.what), counted, inked, style, bound, called)


def _line(env: Env, ctx: Ctx, item: ast.LookLine) -> n.Mark:
    bound, inner = loops(env, ctx, item.binders)
    named = (item.source, item.target, *([] if item.by is None else [item.by]))
    ends = tuple(_line_end(env, inner, end) for end in named)
    inked = colour(env, item.colour, item.span)
    called = None if item.called is None else template(env, item.called, bound, item.span)
    return n.Mark("line", (), None, None, inked, item.style, bound, called, ends=ends)


def _line_end(env: Env, ctx: Ctx, end: ast.LineEnd) -> n.LineEnd:
    place = lower(env, ctx, end.place)
    if not isinstance(place.type, n.ElemT) or isinstance(place.type.domain, Family):
        env.report.fail("E0301", end.place.span, wanted="a cell, edge, point or space", got=ty.describe(place.type))
    return n.LineEnd(place, tuple(lower_number(env, ctx, e) for e in (end.across, end.down) if e is not None))


def shown(env: Env, ctx: Ctx, e: ast.Expr) -> n.Expr:
    """Returns the set of places to draw on; a single element, or the cells of a line, count as a set."""
    value = lower(env, ctx, e)
    if isinstance(value.type, n.SetT) and isinstance(value.type.domain, Family):
        env.report.fail("E0301", e.span, wanted="a set of cells, edges, points or spaces", got=ty.describe(value.type))
    as_set = conversions.as_set(value)
    if as_set is None:
        env.report.fail("E0301", e.span, wanted="a set of cells, edges, points or spaces", got=ty.describe(value.type))
    return as_set


def colour(env: Env, name: str | None, span: Span) -> str | None:
    if name is not None and name not in COLOURS:
        env.report.fail("E0450", span, near=env.report.near_names(name, COLOURS), name=name, colours=", ".join(COLOURS))
    return name


def shape(env: Env, name: str | None, span: Span) -> str | None:
    if name is not None and name not in SHAPES:
        env.report.fail("E0453", span, near=env.report.near_names(name, SHAPES), name=name, shapes=", ".join(SHAPES))
    return name


def _leaving(env: Env, item: ast.LookLeave | ast.LookSay) -> n.Leaving:
    if isinstance(item, ast.LookSay) and item.after is None and item.when is None:
        env.report.fail("E0455", item.span)
    if item.after is None:
        return _leaves(env, item, Ctx("look"), None, None)
    if item.after == "refusal":
        return _leaves(env, item, Ctx("look"), REFUSAL, None)
    sym = find_move(env, ast.Name(item.after, span=item.span))
    loads = tuple(n.Load(p) for p in sym.params)
    scope = {p.name: param_value(env, p, v) for p, v in zip(sym.params, loads, strict=True)}
    me = n.Load(sym.me)
    ctx = Ctx("look", scope=dict(scope), me=me, this=MoveValue(sym, (me, *loads)))
    return _leaves(env, item, ctx, sym.index, sym)


def _leaves(
    env: Env, item: ast.LookLeave | ast.LookSay, ctx: Ctx, schema: int | None, sym: MoveSym | None
) -> n.Leaving:
    bound, inner = loops(env, ctx, item.binders)
    if isinstance(item, ast.LookSay):
        return _said(env, item, inner, bound, schema, sym)
    if item.is_path:
        on = tuple(lower(env, inner, x) for x in item.on)
    else:
        on = tuple(shown(env, inner, x) for x in item.on)
    when = None if item.when is None else lower_bool(env, inner, item.when)
    own = () if sym is None else (sym.me, *sym.params)
    text = () if item.text is None else template(env, item.text, bound, item.span, own)
    me = None if sym is None else sym.me
    params = () if sym is None else sym.params
    large = None if item.large is None else _enlarged(env, inner, item)
    return n.Leaving(text, on, item.is_path, bound, schema, me, params, when, item.until_redrawn, item.called, large)


def _said(env: Env, item: ast.LookSay, ctx: Ctx, bound: Loops, schema: int | None, sym: MoveSym | None) -> n.Leaving:
    when = None if item.when is None else lower_bool(env, ctx, item.when)
    me, params = (None, ()) if sym is None else (sym.me, tuple(sym.params))
    text = template(env, item.text, bound, item.span, () if sym is None else (sym.me, *params))
    return n.Leaving(text, (), False, bound, schema, me, params, when, False, is_said=True)


def _enlarged(env: Env, ctx: Ctx, item: ast.LookLeave) -> n.Get:
    """Returns the piece that a line of the look draws large."""
    assert item.large is not None
    piece = lower(env, ctx, item.large)
    if not isinstance(piece, n.Get) or piece.var.role != "piece" or item.is_path or not item.on:
        env.report.fail("E0456", item.large.span)
    return piece
