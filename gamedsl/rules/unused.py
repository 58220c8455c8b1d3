"""What is declared and never used: warnings, one a declaration."""

from __future__ import annotations

from gamedsl.rules.scope import ActionSym, DefineSym, Env, MoveSym, PieceSym, TypeSym, ValueSym, VarSym
from gamedsl.syntax import ast

CODES: dict[type, str] = {
    DefineSym: "W0901",
    MoveSym: "W0902",
    PieceSym: "W0903",
    ValueSym: "W0904",
    ActionSym: "W0905",
    VarSym: "W0907",
    TypeSym: "W0908",
}


def report_unused(env: Env) -> None:
    """Names of the whole ruleset that nothing mentions. A part inside the file may use the file's options and types."""
    inside = {n for d in env.decls if isinstance(d, ast.PartDecl) for n in _words(d)}
    for name, symbol in env.symbols.items():
        code = CODES.get(type(symbol))
        if code is not None and name not in env.used and name not in inside:
            env.report.add(code, symbol.span, name=name)


def _words(tree: object) -> set[str]:
    from gamedsl.rules.definitions import walk

    words: set[str] = set()
    for node in walk(tree):
        match node:
            case ast.Ref(name) | ast.NamedType(name):
                words.add(name)
            case _:
                pass
    return words
