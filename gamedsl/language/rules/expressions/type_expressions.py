"""Type expressions → types of the Core."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from gamedsl.language.boards import Domain, in_words
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.lowering import constant, lower_number
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import DomainSym, TypeSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast

LONGEST_COUNTDOWN = 99
MOST_ELEMENTS = 100_000
BOARD_TYPES = frozenset({"cell", "edge", "point", "direction", "step", "space", "border", "shape", "placing"})


def single_type(env: Env, t: ast.Type) -> n.BoolT | n.IntT | n.ElemT:
    """Returns a type of single values, which map keys, set elements and values inside optionals and stacks can have."""
    match t:
        case ast.NamedType("bool"):
            return ty.BOOL
        case ast.NamedType(name):
            found = find_type(env, name, t.span)
            return n.ElemT(found) if isinstance(found, Domain) else single_type(env, found)
        case ast.RangeType(low, high):
            return _range(env, low, high, t.span)
        case ast.EnumType():
            return n.ElemT(enumeration(env, t))
        case ast.ProductType(parts):
            return n.ElemT(_tuples(env, parts, t.span))
        case _:
            env.report.fail("E0340", t.span)


def _tuples(env: Env, parts: tuple[ast.Type, ...], span: Span) -> Domain:
    factors = [domain_of_type(env, p) for p in parts]
    if prod(f.size for f in factors) > MOST_ELEMENTS:
        env.report.fail("E0343", span, most=MOST_ELEMENTS)
    return ty.tuple_domain(*factors, labels=tuple(p.name if isinstance(p, ast.NamedType) else "" for p in parts))


def refuse_twins(env: Env, names: tuple[ast.Name, ...]) -> None:
    """Reports a duplicate name (E0202)."""
    seen: set[str] = set()
    for name in names:
        if name.id in seen:
            env.report.fail("E0202", name.span, name=name.id)
        seen.add(name.id)


def enumeration(env: Env, t: ast.EnumType) -> Domain:
    """Returns the domain of a list of elements, and declares their names."""
    refuse_twins(env, t.names)
    given = {w.name.id: w for w in t.words}
    spans = {name.id: given[name.id].span if name.id in given else name.span for name in t.names}
    words = [(given[name.id].text if name.id in given else in_words(name.id), spans[name.id]) for name in t.names]
    domain = ty.enum_domain(tuple(name.id for name in t.names), spoken_words(env, words) if given else ())
    env.add_elements(domain)
    return domain


def spoken_words(env: Env, words: Iterable[tuple[str, Span]]) -> tuple[str, ...]:
    """Returns the words for the elements of a domain; reports empty ones and duplicates."""
    found: dict[str, str] = {}
    for text, span in words:
        tidy = " ".join(text.split())
        if not tidy or tidy.casefold() in found:
            env.report.fail("E0218", span, text=tidy)
        found[tidy.casefold()] = tidy
    return tuple(found.values())


def _range(env: Env, low: ast.Expr, high: ast.Expr, span: Span) -> n.IntT:
    ends = [lower_number(env, Ctx("option"), x) for x in (low, high)]
    numbers = []
    for e, x in zip(ends, (low, high), strict=True):
        if not isinstance(e, n.Const):
            env.report.fail("E0307", x.span, what="an end of a range")
        numbers.append(e.value)
    if numbers[0] > numbers[1]:
        env.report.fail("E0309", span, low=numbers[0], high=numbers[1])
    return n.IntT(numbers[0], numbers[1])


def find_type(env: Env, name: str, span: Span) -> Domain | ast.Type:
    if name == "player":
        return env.players
    symbol = env.symbols.get(name) or env.symbols.get(f"${name}")
    if not isinstance(symbol, DomainSym | TypeSym):
        symbol = env.symbols.get(f"${name}")
    if name in env.broken:
        raise Bail
    if isinstance(symbol, DomainSym):
        env.used.add(name)
        return symbol.domain
    if isinstance(symbol, TypeSym):
        env.used.add(name)
        return symbol.type
    known = [one for one, s in env.symbols.items() if isinstance(s, DomainSym | TypeSym)] + ["player", "bool"]
    if name in BOARD_TYPES:
        env.report.fail("E0342", span, name=name, board=env.board.title if env.board else "none")
    env.report.fail("E0341", span, near=env.report.near_names(name, known), name=name)


def domain_of_type(env: Env, t: ast.Type) -> Domain:
    """Returns the finite domain of a type used as a key or in ``set of``."""
    single = single_type(env, t)
    domain = ty.domain_of(single)
    if domain is None or domain.size > MOST_ELEMENTS:
        env.report.fail("E0343", t.span, most=MOST_ELEMENTS)
    return domain


def value_type(env: Env, t: ast.Type) -> n.VarT:
    """Returns the type of a variable's value (after its keys)."""
    match t:
        case ast.OptionalType(inner):
            return n.OptT(single_type(env, inner))
        case ast.SetType(inner):
            return n.SetT(domain_of_type(env, inner))
        case ast.CountdownType(limit):
            return n.IntT(0, _bound(env, limit, LONGEST_COUNTDOWN, "the limit of a countdown"))
        case ast.StackType(inner, limit):
            return n.StackT(single_type(env, inner), _bound(env, limit, 0, "the limit of a stack"))
        case ast.NamedType(name) if name != "bool":
            found = find_type(env, name, t.span)
            return n.ElemT(found) if isinstance(found, Domain) else value_type(env, found)
        case ast.MapType():
            env.report.fail("E0340", t.span)
        case _:
            return single_type(env, t)


def _bound(env: Env, limit: ast.Expr | None, default: int, what: str) -> int:
    if limit is None:
        return default
    value = constant(env, Ctx("option"), limit, what)
    if not 1 <= value <= 100_000:
        env.report.fail("E0344", limit.span, what=what, value=value)
    return value


def split_map(env: Env, t: ast.Type) -> tuple[tuple[Domain, ...], n.VarT]:
    """Returns the keys and the value type of a variable."""
    keys: list[Domain] = []
    while isinstance(t, ast.MapType):
        keys.append(domain_of_type(env, t.key))
        t = t.value
    total = 1
    for k in keys:
        total *= k.size
    if total > MOST_ELEMENTS:
        env.report.fail("E0343", t.span, most=MOST_ELEMENTS)
    return tuple(keys), value_type(env, t)
