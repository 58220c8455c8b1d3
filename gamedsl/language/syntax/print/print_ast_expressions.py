"""Expressions and types → text, with as few brackets as possible."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import assert_never

from gamedsl.language.syntax import ast
from gamedsl.language.syntax.print.layout import BREAK, CASE, CHAIN, quote

# Precedence, from the loosest. An expression that binds more loosely than its place requires is put in brackets.
OPEN, OR, AND, NOT, COMPARISON, UNION, INTERSECTION, RANGE, SUM, PRODUCT, NEGATION, POSTFIX = range(12)

_LEVELS: dict[str, int] = {
    "or": OR,
    "and": AND,
    "|": UNION,
    "&": INTERSECTION,
    "+": SUM,
    "-": SUM,
    "*": PRODUCT,
    "div": PRODUCT,
    "mod": PRODUCT,
}


def level_of(e: ast.Expr) -> int:
    """Returns the precedence of the outermost operator; an open expression extends as far right as possible."""
    match e:
        case ast.Fold("set"):
            return POSTFIX
        case ast.OpenExpression() | ast.Leg():
            return OPEN
        case ast.Binary(op):
            return _LEVELS.get(op, COMPARISON)
        case ast.IsNone():
            return COMPARISON
        case ast.RangeSet() | ast.ItemAt():
            return RANGE
        case ast.Unary(op):
            return NOT if op == "not" else NEGATION
        case _:
            return POSTFIX


def expr(e: ast.Expr, level: int = OPEN, *, last: bool = True, plain: bool = False) -> str:
    """Returns the text of an expression in a context of precedence ``level``.

    ``last``: nothing follows that an open expression would swallow. ``plain``: it must not begin with a brace or a
    keyword (in the player who decides, and the lower end of a range type).
    """
    own = level_of(e)
    if level > OPEN and _is_misread_in(e, level):
        return f"({expr(e)})"
    bare = last and level <= (NEGATION if _is_folded(e) else NOT) if own == OPEN else own >= level
    if not bare or (plain and _is_fenced(e)):
        return f"({expr(e)})"
    return _bare(e, last, plain)


def _is_folded(e: ast.Expr) -> bool:
    """Returns whether an open expression can be the last operand of any operator: ``a | union of f(x) for x in S``."""
    return isinstance(e, ast.Collecting) or (isinstance(e, ast.Quantified) and e.kind == "count")


def _is_misread_in(e: ast.Expr, level: int) -> bool:
    """Returns whether an operand would be misread without brackets, although the grammar allows it: a choice, or a sum
    or count whose condition binds more loosely than the operator before it.
    """
    return isinstance(e, ast.IfExpr) or (level > NOT and _has_loose_end(e))


def _has_loose_end(e: ast.Expr) -> bool:
    """Returns whether an expression is a sum, count or the like that ends in a comparison, ``and`` or ``or``."""
    match e:
        case ast.Collecting():
            rest = e.tail()
            return level_of(e) == OPEN and rest is not None and level_of(rest) < UNION
        case ast.Quantified("count", _, rest):
            return level_of(rest) < UNION
        case _:
            return False


def _chosen(e: ast.Expr) -> str:
    """Returns a condition or value between the words of a choice, in brackets if it contains such words itself."""
    return f"({expr(e)})" if isinstance(e, ast.IfExpr) or _has_loose_end(e) else expr(e)


def _collected(e: ast.Expr) -> str:
    """Returns a value before ``for``, in brackets if it ends in its own ``for``."""
    return f"({expr(e)})" if isinstance(e, ast.IfExpr) or (_is_folded(e) and level_of(e) == OPEN) else expr(e)


def _is_fenced(e: ast.Expr) -> bool:
    return e.fenced


def _bare(e: ast.Expr, last: bool, plain: bool) -> str:
    match e:
        case ast.Int(value):
            return str(value)
        case ast.Bool(value):
            return "yes" if value else "no"
        case ast.NoneValue():
            return "none"
        case ast.Ref(name):
            return name
        case ast.Call(name, arguments):
            return f"{name}({exprs(arguments)})"
        case ast.Leg(count, direction):
            many = guarded(expr(count, NEGATION, last=False), {"no", "count"})  # "no x, ..." begins a quantifier
            return f"{many} {expr(direction, POSTFIX)}"
        case ast.Index(base, keys):
            return f"{expr(base, POSTFIX, plain=plain)}[{exprs(keys)}]"
        case ast.FieldOf(base, name):
            return f"{expr(base, POSTFIX, plain=plain)}.{name}"
        case ast.ItemAt(stack, level):
            return f"{expr(stack, POSTFIX, plain=plain)} at {expr(level, SUM, last=False)}"
        case ast.SetDisplay(items):
            return "{" + exprs(items) + "}"
        case ast.TupleDisplay(items):
            return f"({exprs(items)})"
        case ast.RangeSet(low, high):
            return f"{expr(low, SUM, last=False)}..{expr(high, SUM, last=False)}"
        case ast.Unary(op, operand):
            inner = expr(operand, NOT if op == "not" else NEGATION, last=last and op == "not", plain=plain)
            return f"not {inner}" if op == "not" else f"-{inner}"
        case ast.Binary(op, left, right):
            return _binary(op, left, right, last, plain)
        case ast.IsNone(operand, negated):
            return f"{expr(operand, UNION, last=False)} is {'some' if negated else 'none'}"
        case ast.Filter(binder, condition):
            return "{" + f"{binder_text(binder)}:{BREAK}{expr(condition)}" + "}"
        case ast.MovesOf(kind, player, moves):
            return f"{kind}({followed_by_comma(player)},{BREAK}{alternatives(moves)})"
        case ast.OpenExpression():
            return _open(e)
        case _:
            assert_never(e)


def _binary(op: str, left: ast.Expr, right: ast.Expr, last: bool, plain: bool) -> str:
    level = _LEVELS.get(op, COMPARISON)
    chained = level != COMPARISON
    first = expr(left, level if chained else UNION, last=False, plain=plain)
    second = expr(right, level + 1, last=last and chained, plain=plain)  # (operands of a comparison are closed)
    return f"{first} {op}{BREAK}{second}"


def _open(e: ast.OpenExpression) -> str:
    match e:
        case ast.IfExpr(condition, then, otherwise):
            begin = f"if {_chosen(condition)} then{BREAK}{_chosen(then)}"
            if isinstance(otherwise, ast.IfExpr):
                return f"{CHAIN}{begin}{CASE}else {expr(otherwise).removeprefix(CHAIN)}"
            return f"{begin}{CASE}else{BREAK}{expr(otherwise)}"
        case ast.Quantified(kind, binders, body):
            return f"{kind} {binders_text(binders)}:{BREAK}{expr(body)}"
        case ast.After(move, body):
            return f"after {move}:{BREAK}{expr(body)}"
        case ast.Fold(kind, value, binders, condition):
            text = f"{_collected(value)} for {binders_text(binders)}"
            level = AND if kind in ("max", "min") else OPEN
            text += "" if condition is None else f":{BREAK}{expr(condition, level)}"
            return "{" + text + "}" if kind == "set" else f"{kind} of {text}"
        case ast.FoldOr(kind, value, binders, condition, otherwise):
            text = f"{kind} of {_collected(value)} for {binders_text(binders)}"
            text += "" if condition is None else f":{BREAK}{expr(condition, AND, last=False)}"
            return f"{text} or{BREAK}{expr(otherwise)}"
        case ast.Reach(value, binder, condition):
            text = f"reach of {_collected(value)} for {binder_text(binder, 'from')}"
            return text if condition is None else f"{text}:{BREAK}{expr(condition)}"
        case _:
            raise AssertionError(e)


def exprs(items: Sequence[ast.Expr]) -> str:
    """Returns the text of expressions separated by commas."""
    if not items:
        return ""
    return f",{BREAK}".join([followed_by_comma(e) for e in items[:-1]] + [expr(items[-1])])


def followed_by_comma(e: ast.Expr) -> str:
    """Returns the text of an expression before a comma, in brackets if the comma would be read as one between binders."""
    return f"({expr(e)})" if _ends_in_binders(e) else expr(e)


def _ends_in_binders(e: ast.Expr) -> bool:
    match e:
        case ast.Fold("set"):
            return False
        case ast.Fold(condition=None):
            return True
        case ast.OpenExpression():
            tail = e.tail()
            return tail is not None and _ends_in_binders(tail)
        case ast.Unary("not", body) | ast.Binary("and" | "or", _, body):
            return _ends_in_binders(body)
        case ast.Binary(op, _, body) if op in _LEVELS:
            return (_is_folded(body) or level_of(body) > _LEVELS[op]) and _ends_in_binders(body)
        case _:
            return False


def guarded(text: str, words: Collection[str]) -> str:
    """Returns an expression's text, in brackets if it begins with one of some words, which would be read as keywords
    there.
    """
    first = text.split(BREAK, 1)[0].split(" ", 1)[0]
    return f"({text})" if first.rstrip(":,") in words or _head(first) in words else text


def _head(text: str) -> str:
    end = next((i for i, c in enumerate(text) if not (c.isalnum() or c == "_")), len(text))
    return text[:end]


def binder_text(binder: ast.Binder, word: str = "in") -> str:
    """Returns the text of a binder: ``x, y in S``, ``distinct x, y in S`` or ``(x, y) in S``."""
    names = ", ".join(n.id for n in binder.names)
    shown = f"({names})" if binder.is_tuple else f"distinct {names}" if binder.distinct else names
    return f"{shown} {word} {expr(binder.source, UNION, last=False)}"


def binders_text(binders: Sequence[ast.Binder]) -> str:
    return f",{BREAK}".join(binder_text(b) for b in binders)


def names_text(names: Sequence[ast.Name]) -> str:
    return f",{BREAK}".join(n.id for n in names)


def alternatives(names: Sequence[ast.Name]) -> str:
    """Returns the text of alternatives: ``place | lift``."""
    return f" |{BREAK}".join(n.id for n in names)


# --------------------------------------------------------------------------------------------------------- types


def type_text(t: ast.Type) -> str:
    """Returns the text of a type."""
    match t:
        case ast.NamedType(name):
            return name
        case ast.RangeType(low, high):
            return f"{expr(low, SUM, last=False, plain=True)}..{expr(high, SUM, last=False)}"
        case ast.EnumType(names, words):
            texts = {w.name.id: f" {quote(w.text)}" for w in words}
            return "{" + f",{BREAK}".join(f"{n.id}{texts.get(n.id, '')}" for n in names) + "}"
        case ast.ProductType(parts):
            return f"({f',{BREAK}'.join(map(type_text, parts))})"
        case ast.OptionalType(inner):
            long = inner.is_phrase
            return f"({type_text(inner)})?" if long else f"{type_text(inner)}?"
        case ast.SetType(inner):
            return f"set of {type_text(inner)}"
        case ast.MapType(key, value):
            return f"{type_text(key)} -> {type_text(value)}"
        case ast.CountdownType(limit):
            return "countdown" if limit is None else f"countdown up to {expr(limit, SUM, last=False)}"
        case ast.StackType(inner, limit):
            held = type_text(inner)
            if _ends_in_countdown(inner):
                held = f"({held})"
            return f"stack of {held} up to {expr(limit, SUM, last=False)}"
        case _:
            assert_never(t)


def _ends_in_countdown(t: ast.Type) -> bool:
    """Returns whether ``up to`` after the type would be read as the limit of a countdown."""
    while isinstance(t, ast.SetType):
        t = t.inner
    return isinstance(t, ast.CountdownType) and t.limit is None
