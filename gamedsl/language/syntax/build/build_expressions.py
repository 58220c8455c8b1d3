"""Parse trees → expressions and types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, cast

from gamedsl.language.syntax import ast
from gamedsl.language.syntax.build.builder import Builder, is_tree, token, tree, trees
from gamedsl.language.syntax.parse.push_parser import Child, Parsed, Token
from gamedsl.language.syntax.parse.scanner import value_of

# --------------------------------------------------------------------------------------------------- expressions


def build_expr(b: Builder, child: Child) -> ast.Expr:
    """Returns the expression of its tree."""
    parsed = tree(child)
    return _EXPRESSIONS[parsed.data](b, parsed)


def optional_expr(b: Builder, child: Child) -> ast.Expr | None:
    return None if child is None else build_expr(b, child)


def build_exprs(b: Builder, children: Sequence[Child]) -> tuple[ast.Expr, ...]:
    return tuple([build_expr(b, c) for c in children if c is not None])


def build_binder(b: Builder, parsed: Parsed) -> ast.Binder:
    """Returns a binder: ``x, y in S``, ``distinct x, y in S`` or ``(x, y) in S``."""
    *names, source = parsed.children
    distinct = bool(names) and isinstance(names[0], Token) and names[0].type == "DISTINCT"
    return ast.Binder(
        b.names(names[1:] if distinct else names),
        parsed.data in ("tuple_binder", "tuple_start"),
        build_expr(b, source),
        distinct,
        span=b.span(parsed),
    )


def build_binders(b: Builder, children: Sequence[Child]) -> tuple[ast.Binder, ...]:
    return tuple(build_binder(b, c) for c in children if is_tree(c, "binder", "tuple_binder"))


def _int(b: Builder, t: Parsed) -> ast.Expr:
    return ast.Int(int(token(t.children[0])), span=b.span(t))


def _ref(b: Builder, t: Parsed) -> ast.Expr:
    return ast.Ref(str(t.children[0]), span=b.span(t))


def _call(b: Builder, t: Parsed) -> ast.Expr:
    name, *arguments = t.children
    return ast.Call(str(name), build_exprs(b, arguments), span=b.span(t))


def _leg(b: Builder, t: Parsed) -> ast.Expr:
    count, direction = t.children
    return ast.Leg(build_expr(b, count), build_expr(b, direction), span=b.span(t))


def _index(b: Builder, t: Parsed) -> ast.Expr:
    base, *keys = t.children
    return ast.Index(build_expr(b, base), build_exprs(b, keys), span=b.span(t))


def _field(b: Builder, t: Parsed) -> ast.Expr:
    return ast.FieldOf(build_expr(b, t.children[0]), str(t.children[1]), span=b.span(t))


def _item_at(b: Builder, t: Parsed) -> ast.Expr:
    stack, level = t.children
    return ast.ItemAt(build_expr(b, stack), build_expr(b, level), span=b.span(t))


def _set_display(b: Builder, t: Parsed) -> ast.Expr:
    return ast.SetDisplay(build_exprs(b, t.children), span=b.span(t))


def _tuple(b: Builder, t: Parsed) -> ast.Expr:
    return ast.TupleDisplay(build_exprs(b, t.children), span=b.span(t))


def _range_set(b: Builder, t: Parsed) -> ast.Expr:
    low, high = t.children
    return ast.RangeSet(build_expr(b, low), build_expr(b, high), span=b.span(t))


def _unary(b: Builder, t: Parsed) -> ast.Expr:
    op, operand = t.children
    return ast.Unary("not" if str(op) == "not" else "-", build_expr(b, operand), span=b.span(t))


def _binary(b: Builder, t: Parsed) -> ast.Expr:
    left, op, right = t.children
    return ast.Binary(cast(ast.BinaryOp, str(op)), build_expr(b, left), build_expr(b, right), span=b.span(t))


def _not_in(b: Builder, t: Parsed) -> ast.Expr:
    left, right = t.children
    return ast.Binary("not in", build_expr(b, left), build_expr(b, right), span=b.span(t))


def _is_none(b: Builder, t: Parsed) -> ast.Expr:
    return ast.IsNone(build_expr(b, t.children[0]), t.data == "is_some", span=b.span(t))


def _if(b: Builder, t: Parsed) -> ast.Expr:
    condition, then, otherwise = t.children
    return ast.IfExpr(build_expr(b, condition), build_expr(b, then), build_expr(b, otherwise), span=b.span(t))


def _quantified(b: Builder, t: Parsed) -> ast.Expr:
    kind, *binders, body = t.children
    word = cast(Literal["some", "every", "no", "count"], str(kind))
    return ast.Quantified(word, build_binders(b, binders), build_expr(b, body), span=b.span(t))


def _fold(b: Builder, t: Parsed) -> ast.Expr:
    kind, value, *binders, condition = t.children
    word = cast(Literal["union", "sum", "max", "min"], str(kind))
    return ast.Fold(
        word, build_expr(b, value), build_binders(b, binders), optional_expr(b, condition), span=b.span(t)
    )  # fmt: skip


def _fold_or(b: Builder, t: Parsed) -> ast.Expr:
    kind, value, *binders, condition, otherwise = t.children
    word = cast(Literal["max", "min"], str(kind))
    parts = build_expr(b, value), build_binders(b, binders), optional_expr(b, condition), build_expr(b, otherwise)
    return ast.FoldOr(word, *parts, span=b.span(t))


def _reach(b: Builder, t: Parsed) -> ast.Expr:
    _, value, binder, condition = t.children
    found = build_binder(b, tree(binder))
    return ast.Reach(build_expr(b, value), found, optional_expr(b, condition), span=b.span(t))


def _set_fold(b: Builder, t: Parsed) -> ast.Expr:
    value, *binders, condition = t.children
    return ast.Fold(
        "set", build_expr(b, value), build_binders(b, binders), optional_expr(b, condition), span=b.span(t)
    )  # fmt: skip


def _after(b: Builder, t: Parsed) -> ast.Expr:
    return ast.After(str(t.children[0]), build_expr(b, t.children[1]), span=b.span(t))


def _moves_of(b: Builder, t: Parsed) -> ast.Expr:
    kind, player, *moves = t.children
    word: Literal["moves", "attempts"] = "moves" if str(kind) == "moves" else "attempts"
    return ast.MovesOf(word, build_expr(b, player), b.names(moves), span=b.span(t))


def _filter(b: Builder, t: Parsed) -> ast.Expr:
    """Returns ``{x in S: F}``; the parser has read the part before the colon as expressions, ending with ``x in S``."""
    *parts, condition = build_exprs(b, t.children)
    binder = _binder_of(b, parts)
    if binder is None:
        b.problem("E0109", t)
        return ast.NoneValue(span=b.span(t))
    return ast.Filter(binder, condition, span=b.span(t))


def _binder_of(b: Builder, parts: list[ast.Expr]) -> ast.Binder | None:
    match parts[-1]:
        case ast.Binary("in", left, source) as last:
            names = _plain_names([*parts[:-1], left])
            if names is not None:
                return ast.Binder(names, False, source, span=b.stretch(parts[0].span.start, last.span.end))
            if isinstance(left, ast.TupleDisplay) and len(parts) == 1:
                names = _plain_names(left.items)
                return None if names is None else ast.Binder(names, True, source, span=last.span)
    return None


def _plain_names(parts: Sequence[ast.Expr]) -> tuple[ast.Name, ...] | None:
    names = [ast.Name(p.name, span=p.span) for p in parts if isinstance(p, ast.Ref)]
    return tuple(names) if len(names) == len(parts) else None


def _paren(b: Builder, t: Parsed) -> ast.Expr:
    return build_expr(b, t.children[0])


_EXPRESSIONS: Mapping[str, Callable[[Builder, Parsed], ast.Expr]] = {
    "int": _int,
    "ref": _ref,
    "call": _call,
    "leg": _leg,
    "index": _index,
    "field": _field,
    "paren": _paren,
    "yes": lambda b, t: ast.Bool(True, span=b.span(t)),
    "no": lambda b, t: ast.Bool(False, span=b.span(t)),
    "none": lambda b, t: ast.NoneValue(span=b.span(t)),
    "set_display": _set_display,
    "tuple": _tuple,
    "filter": _filter,
    "range_set": _range_set,
    "item_at": _item_at,
    "unary": _unary,
    "binary": _binary,
    "not_in": _not_in,
    "is_none": _is_none,
    "is_some": _is_none,
    "if_expr": _if,
    "quantified": _quantified,
    "fold": _fold,
    "fold_or": _fold_or,
    "set_fold": _set_fold,
    "reach": _reach,
    "after": _after,
    "moves_of": _moves_of,
}

# --------------------------------------------------------------------------------------------------------- types


def build_type(b: Builder, child: Child) -> ast.Type:
    """Returns the type of its tree."""
    t = tree(child)
    match t.data:
        case "named_type":
            return ast.NamedType(str(t.children[0]), span=b.span(t))
        case "range_type":
            return ast.RangeType(build_expr(b, t.children[0]), build_expr(b, t.children[1]), span=b.span(t))
        case "enum_type":
            elements = trees(t.children, "element")
            words = tuple(
                ast.ElementWords(b.name(e.children[0]), value_of(token(e.children[1])), span=b.span(e))
                for e in elements
                if e.children[1] is not None
            )
            return ast.EnumType(b.names(e.children[0] for e in elements), words, span=b.span(t))
        case "optional_type":
            return ast.OptionalType(build_type(b, t.children[0]), span=b.span(t))
        case "set_type":
            return ast.SetType(build_type(b, t.children[0]), span=b.span(t))
        case "map_type":
            return ast.MapType(build_type(b, t.children[0]), build_type(b, t.children[1]), span=b.span(t))
        case "countdown_type":
            return ast.CountdownType(optional_expr(b, t.children[0]), span=b.span(t))
        case "stack_type":
            return ast.StackType(build_type(b, t.children[0]), build_expr(b, t.children[1]), span=b.span(t))
        case "product_type":
            parts = tuple(build_type(b, c) for c in t.children)
            return ast.ProductType(cast(tuple[ast.NamedType | ast.RangeType, ...], parts), span=b.span(t))
        case _:
            return build_type(b, t.children[0])


def optional_type(b: Builder, child: Child) -> ast.Type | None:
    return None if child is None else build_type(b, child)
