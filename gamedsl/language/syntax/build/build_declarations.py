"""Parse trees → declarations (boards, look and notations have their own files)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, cast, get_args

from gamedsl.language.syntax import ast
from gamedsl.language.syntax.build.build_boards import BOARDS
from gamedsl.language.syntax.build.build_expressions import (
    build_expr,
    build_exprs,
    build_type,
    optional_expr,
    optional_type,
)
from gamedsl.language.syntax.build.build_look import build_look, build_notation
from gamedsl.language.syntax.build.build_statements import (
    STATEMENTS,
    build_bindings,
    build_body,
    is_hole,
    optional_name,
)
from gamedsl.language.syntax.build.builder import Builder, is_tree, text_of, token, tree, trees
from gamedsl.language.syntax.parse.messages import quoted
from gamedsl.language.syntax.parse.push_parser import Child, Parsed
from gamedsl.language.syntax.parse.scanner import value_of
from gamedsl.language.syntax.parse.unexpected import near

Seen = Literal["all", "owner", "nobody"]

# The words of everything that a variant can remove.
REMOVABLE = (
    *dict.fromkeys(d.word for d in get_args(ast.Decl) if d.word.isalpha()),
    *get_args(ast.InfoKey),
)


def build_decl(b: Builder, t: Parsed) -> ast.Decl:
    """Returns the declaration of its tree; a part is returned without its contents."""
    return _DECLARATIONS[t.data](b, t)


# ------------------------------------------------------------------------------------------- the file as a whole


def _game(b: Builder, t: Parsed) -> ast.Decl:
    title, *items = t.children
    headers = tuple(
        ast.HeaderItem(
            cast(Literal["by", "source", "clauses"], str(i.children[0])), value_of(str(i.children[1])), **b.where(i)
        )
        for i in trees(items, "header")
    )
    return ast.GameDecl(value_of(token(title)), headers, **b.where(t))


def _use(b: Builder, t: Parsed) -> ast.Decl:
    return ast.UseDecl(value_of(token(t.children[0])), b.name(t.children[1]), **b.where(t))


def _variant(b: Builder, t: Parsed) -> ast.Decl:
    file, *bindings = t.children
    return ast.VariantDecl(value_of(token(file)), build_bindings(b, bindings), **b.where(t))


def _removal(b: Builder, t: Parsed) -> ast.Decl:
    kind, what = token(t.children[0]), t.children[1]
    if kind not in REMOVABLE:
        b.problem("E0133", kind, near(kind, REMOVABLE), found=quoted(kind))
    if what is not None and token(what).type == "STRING":
        # A claim is identified by its text.
        name = ast.Name(value_of(token(what)), span=b.span(token(what)))
        return ast.RemoveDecl(str(kind), name, **b.where(t))
    return ast.RemoveDecl(str(kind), optional_name(b, what), **b.where(t))


def _players_named(b: Builder, t: Parsed) -> ast.Decl:
    return ast.PlayersNamed(b.names(t.children), **b.where(t))


def _players_range(b: Builder, t: Parsed) -> ast.Decl:
    low, high, default = (None if c is None else int(token(c)) for c in t.children)
    assert low is not None and high is not None
    return ast.PlayersRange(low, high, default, **b.where(t))


def _option(b: Builder, t: Parsed) -> ast.Decl:
    name, kind, default, text = t.children
    return ast.OptionDecl(b.name(name), build_type(b, kind), build_expr(b, default), text_of(text), **b.where(t))


def _type(b: Builder, t: Parsed) -> ast.Decl:
    return ast.TypeDecl(b.name(t.children[0]), build_type(b, t.children[1]), **b.where(t))


# --------------------------------------------------------------------------------------------------- what there is


def _seen(t: Parsed | None) -> Seen:
    return "all" if t is None else cast(Seen, str(t.children[0]))


def _piece(b: Builder, t: Parsed) -> ast.Decl:
    parts = [p for p in trees(t.children) if p.data != "variable"]
    names = [p for p in parts if p.data == "piece_name"]
    for late in parts[len(names) :]:
        if late.data == "piece_name":
            b.problem("E0128", late)
    for early in names[:-1]:
        if early.children[1] is not None or early.children[2] is not None:
            b.problem("E0128", early)
    owner, place = names[-1].children[1:] if names else (None, None)
    if not names:
        b.problem("E0128", t)
    return ast.PieceDecl(
        b.names(n.children[0] for n in names),
        optional_type(b, owner),
        None if place is None else str(place),
        b.only(parts, "stacking") is not None,
        _amount(b, parts),
        _seen(b.only(parts, "seen")),
        _variables(b, t.children),
        **b.where(t),
    )


def _amount(b: Builder, parts: Sequence[Parsed]) -> ast.Expr | None:
    amount = b.only(parts, "each", "in_supply")
    return None if amount is None else build_expr(b, amount.children[0])


def _token(b: Builder, t: Parsed) -> ast.Decl:
    kinds = tuple(
        ast.TokenKind(b.name(k.children[0]), optional_type(b, k.children[1]), text_of(k.children[2]), span=b.span(k))
        for k in trees(t.children, "token_kind")
    )
    return ast.TokenDecl(b.name(t.children[0]), kinds, _variables(b, t.children), **b.where(t))


def _state(b: Builder, t: Parsed) -> ast.Decl:
    return ast.StateDecl(_variables(b, t.children), **b.where(t))


def _variables(b: Builder, children: Sequence[Child]) -> tuple[ast.Variable, ...]:
    return tuple(_variable(b, v) for v in trees(children, "variable"))


def _variable(b: Builder, t: Parsed) -> ast.Variable:
    names, kind, initial, seen = t.children
    return ast.Variable(
        b.names(tree(names).children),
        build_type(b, kind),
        optional_expr(b, initial),
        _seen(None if seen is None else tree(seen)),
        **b.where(t),
    )


def _table(b: Builder, t: Parsed) -> ast.Decl:
    name, kind, *rows = t.children
    return ast.TableDecl(
        b.name(name), build_type(b, kind), tuple(_table_row(b, r) for r in trees(rows, "table_row")), **b.where(t)
    )


def _table_row(b: Builder, t: Parsed) -> ast.TableRow:
    keys, *values = t.children
    return ast.TableRow(build_exprs(b, tree(keys).children), build_exprs(b, values), **b.where(t))


# -------------------------------------------------------------------------------------------- what may be done


def _params(b: Builder, child: Child) -> tuple[ast.Param, ...]:
    return () if child is None else tuple(_param(b, p) for p in trees(tree(child).children))


def _param(b: Builder, t: Parsed) -> ast.Param:
    name, what, secrecy = t.children
    seen = _seen(None if secrecy is None else tree(secrecy))
    if t.data == "typed_param":
        return ast.Param(b.name(name), build_type(b, what), None, seen, span=b.span(t))
    return ast.Param(b.name(name), None, build_expr(b, what), seen, span=b.span(t))


def _define(b: Builder, t: Parsed) -> ast.Decl:
    name, params, kind, deep, value = t.children
    depth = None if deep is None else build_expr(b, tree(deep).children[0])
    return ast.DefineDecl(
        b.name(name), _params(b, params), optional_type(b, kind), depth, build_expr(b, value), **b.where(t)
    )  # fmt: skip


def _action(b: Builder, t: Parsed) -> ast.Decl:
    name, params, *body = t.children
    return ast.ActionDecl(b.name(name), _params(b, params), build_body(b, body), **b.where(t))


def _move(b: Builder, t: Parsed) -> ast.Decl:
    name, params, *rest = t.children
    written = b.only(trees(rest, "written"), "written")
    mistake = b.only(trees(rest, "mistake"), "mistake")
    guards = tuple(_guard(b, g) for g in trees(rest, "guard"))
    _check_guards(b, rest)
    return ast.MoveDecl(
        b.name(name),
        _params(b, params),
        mistake is not None,
        None if written is None else text_of(written.children[0]),
        () if written is None else tuple(value_of(token(c)) for c in written.children[1:]),
        guards,
        build_body(b, rest),
        **b.where(t),
    )


def _guard(b: Builder, t: Parsed) -> ast.Guard:
    return ast.Guard(build_expr(b, t.children[0]), text_of(t.children[1]), **b.where(t))


def _check_guards(b: Builder, children: Sequence[Child]) -> None:
    """Reports guards that follow a statement; statements that could not be parsed do not count."""
    acted = False
    for child in children:
        if is_tree(child, "guard") and acted:
            b.problem("E0111", child)
        acted = acted or (is_tree(child) and child.data in STATEMENTS and not is_hole(child))


def _forbid(b: Builder, t: Parsed) -> ast.Decl:
    return ast.ForbidDecl(build_expr(b, t.children[0]), text_of(t.children[1]), **b.where(t))


def _play(b: Builder, t: Parsed) -> ast.Decl:
    return ast.PlayDecl(build_body(b, t.children), **b.where(t))


# ------------------------------------------------------------------------------------------------- what is said


def _claim(b: Builder, t: Parsed) -> ast.Decl:
    label, phase, said = t.children
    where = None if phase is None else b.name(tree(phase).children[0])
    return ast.ClaimDecl(text_of(label), _claimed(b, tree(said)), where, **b.where(t))


_STATE_CLAIMS: dict[str, type[ast.Always | ast.Never | ast.Reachable]] = {
    claim.word: claim for claim in get_args(ast.Claim) if issubclass(claim, ast.StateClaim)
}


def _claimed(b: Builder, t: Parsed) -> ast.Claim:
    span = b.span(t)
    match t.data:
        case "claim_that":
            return _STATE_CLAIMS[str(t.children[0])](build_expr(b, t.children[1]), span=span)
        case "claim_leads":
            return ast.LeadsTo(build_expr(b, t.children[0]), build_expr(b, t.children[1]), span=span)
        case "claim_ends":
            return ast.Ends(optional_expr(b, t.children[0]), span=span)
        case "claim_used":
            return ast.Used(b.names(t.children), span=span)
        case "claim_balanced":
            return ast.Balanced(build_expr(b, t.children[0]), span=span)
        case "claim_tell":
            teller = cast(Literal["moves", "results"], str(token(t.children[0])))
            return ast.MayTell(teller, b.names(t.children[1:-1]), optional_expr(b, t.children[-1]), span=span)
        case _:
            raise AssertionError(t.data)


def _info(b: Builder, t: Parsed) -> ast.Decl:
    items = tuple(
        ast.InfoItem(
            cast(ast.InfoKey, str(i.children[0])),
            value_of(token(i.children[2])),
            optional_name(b, i.children[1]),
            optional_expr(b, i.children[3]),
            **b.where(i),
        )
        for i in trees(t.children, "info_line")
    )
    return ast.InfoDecl(items, **b.where(t))


def _part(b: Builder, t: Parsed) -> ast.Decl:
    return ast.PartDecl(b.name(t.children[0]), (), **b.where(t))


def _in_part(b: Builder, t: Parsed) -> ast.Decl:
    return ast.InPartDecl(b.name(t.children[0]), (), **b.where(t))


_DECLARATIONS: Mapping[str, Callable[[Builder, Parsed], ast.Decl]] = {
    "game": _game,
    "use": _use,
    "variant": _variant,
    "removal": _removal,
    "players_named": _players_named,
    "players_range": _players_range,
    "option": _option,
    "type_decl": _type,
    **BOARDS,
    "piece": _piece,
    "token": _token,
    "state": _state,
    "table": _table,
    "define": _define,
    "action": _action,
    "move": _move,
    "forbid": _forbid,
    "play_decl": _play,
    "claim": _claim,
    "look": build_look,
    "notation": build_notation,
    "info": _info,
    "part": _part,
    "in_part": _in_part,
}
