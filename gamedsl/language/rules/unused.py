"""Warnings, one per name: declared but never used, bound but never read, stored but never changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from gamedsl.language.rules.scope import Env
from gamedsl.language.rules.symbols import ActionSym, DefineSym, MoveSym, PieceSym, TableSym, TypeSym, ValueSym, VarSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast, walk

CODES: dict[type, str] = {
    DefineSym: "W0901",
    TableSym: "W0912",
    MoveSym: "W0902",
    PieceSym: "W0903",
    ValueSym: "W0904",
    ActionSym: "W0905",
    VarSym: "W0907",
    TypeSym: "W0908",
}


def report_unused(env: Env) -> None:
    """Warns about names of the whole ruleset that nothing mentions. A part inside the file can use the file's options
    and types.
    """
    inside = _words(tuple(d for d in env.decls if isinstance(d, ast.PartDecl)))
    for name, symbol in env.symbols.items():
        code = CODES.get(type(symbol))
        if code is not None and name not in env.used and name not in inside:
            env.report.add(code, symbol.span, name=name)
    _report_variables(env)
    _report_lets(env)
    _report_bodies(env)


def _report_bodies(env: Env) -> None:
    """Warns about quantifiers whose body reads none of their names, which were usually meant to end earlier."""
    for node in env.nodes_of(ast.Quantified, parts=True):
        if isinstance(node, ast.Quantified) and not isinstance(node.body, ast.Bool):
            names = [n.id for b in node.binders for n in b.names]
            if not _mentions(node.body, names):
                span = Span(node.span.source, node.span.start, max(node.body.span.start, node.span.start))
                env.report.add("W0922", span, kind=node.kind, names=" or ".join(names))


def _mentions(body: object, names: Sequence[str]) -> bool:
    return any(
        (isinstance(x, ast.Ref) and x.name in names) or (isinstance(x, ast.After) and x.move in names)
        for x in walk(body)
    )


def _words(tree: object) -> set[str]:
    """Returns the names that expressions and types of a tree mention."""
    return {node.name for node in walk(tree) if isinstance(node, ast.Ref | ast.NamedType)}


# ------------------------------------------------------------------------------------------------------- variables


def _report_variables(env: Env) -> None:
    """Warns about state that is read but never changed, or changed but never read."""
    mentioned, written, only_written = Counter[str](), set[str](), Counter[str]()
    for node in env.nodes_of(ast.Ref, ast.FieldOf, ast.Statement, parts=True):
        match node:
            case ast.Ref(name):
                mentioned[name] += 1
            case ast.FieldOf(_, name):
                mentioned[f".{name}"] += 1
            case ast.Statement():
                mentioned.update(n.id for n in node.reads())
                written.update(map(_base, node.writes()))
                only_written.update(map(_base, node.only_writes()))
                only_written.update(f".{e.name}" for e in node.writes() if isinstance(e, ast.FieldOf))
    for name, symbol in env.symbols.items():
        if not isinstance(symbol, VarSym) or name not in env.used:
            continue
        if name not in written:
            env.report.add("W0910", symbol.span, name=name)
        elif mentioned[name] == only_written[name]:
            env.report.add("W0911", symbol.span, name=name)
    _report_carried(env, mentioned, only_written)


def _report_carried(env: Env, mentioned: Counter[str], only_written: Counter[str]) -> None:
    """Warns about attributes of pieces that nothing reads."""
    for name, carried in env.carried.items():
        if mentioned[f".{name}"] == only_written[f".{name}"]:
            env.report.add("W0911", carried.span, name=name)


def _base(e: ast.Expr) -> str:
    """Returns the variable that changes when ``m[k]`` or ``x.field`` does."""
    while isinstance(e, ast.Index | ast.FieldOf):
        e = e.base
    return e.name if isinstance(e, ast.Ref) else ""


# ------------------------------------------------------------------------------------------------------------ lets


def _report_lets(env: Env) -> None:
    for d in env.decls:
        for name in _unread(d.statements(), ()):
            env.report.add("W0909", name.span, name=name.id)


def _unread(body: ast.Body, behind: tuple[object, ...]) -> Iterator[ast.Name]:
    """Yields the names bound by ``let`` in a body and never mentioned afterward. ``behind``: the nodes after the body."""
    for i, s in enumerate(body):
        rest = (*body[i + 1 :], *behind)
        if isinstance(s, ast.Let) and s.name.id not in _words(rest):
            yield s.name
        # Names bound in the body of a `repeat` are known after it.
        known = (s.until, *rest) if isinstance(s, ast.Repeat) else ()
        for inner in s.bodies():
            yield from _unread(inner, known)
