"""Numbers to which an author has given a name, by ``define NAME = NUMBER``: a sweep varies them like options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import Parsed, find_ruleset, load_lowered, load_program, parse_source, read_text
from gamedsl.language.source import UsageError
from gamedsl.language.syntax import ast


def load_with_numbers(file: str, values: Mapping[str, str]) -> n.Program:
    """Returns the program of a ruleset with these values of its options, and of the named numbers in this file.

    Raises as ``load_program`` does, and ``UsageError`` (E0004) for a value of a named number that is not a whole number.
    """
    path = find_ruleset(file)
    own = parse_source(read_text(path))
    named = {decl.name.id: decl for decl in own.tree.decls if isinstance(decl, ast.DefineDecl) and _is_number(decl)}
    try:
        return _load(path, own, named, values)
    except UsageError as problem:
        (found,) = problem.diagnostics
        if found.code != "E0005":
            raise
        help = f"{found.help} {_about_numbers([*named])}"
        raise UsageError(found.message, code=found.code, help=help, near=found.near) from None


def _load(path: Path, own: Parsed, named: Mapping[str, ast.DefineDecl], values: Mapping[str, str]) -> n.Program:
    numbers = {name: _number(name, value) for name, value in values.items() if name in named}
    if not numbers or own.problems:
        return load_program(path, values)
    changed = {named[name]: _with(named[name], number) for name, number in numbers.items()}
    decls = tuple(changed.get(decl, decl) if isinstance(decl, ast.DefineDecl) else decl for decl in own.tree.decls)
    options = {name: value for name, value in values.items() if name not in named}
    return load_lowered(
        path, options, {str(path.resolve()): Parsed(own.source, replace(own.tree, decls=decls))}
    ).program


def _about_numbers(names: list[str]) -> str:
    """Says which numbers of a ruleset a sweep can vary too."""
    if names:
        return f"Its numbers with a name: {', '.join(names)}."
    return "To vary a number of the rules, give it a name, such as `define goal = 3`."


def _is_number(decl: ast.DefineDecl) -> bool:
    value = decl.value.operand if isinstance(decl.value, ast.Unary) else decl.value
    return not decl.params and isinstance(value, ast.Int)


def _number(name: str, value: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}", value):
        raise UsageError(
            f"`{name}` is a number with a name, and `{value}` is not a whole number",
            help=f"Write a range or a list of numbers, as in `--set {name}=2..4`.",
            code="E0004",
        )
    return int(value)


def _with(decl: ast.DefineDecl, number: int) -> ast.DefineDecl:
    span = decl.value.span
    value: ast.Expr = ast.Int(abs(number), span=span)
    return replace(decl, value=ast.Unary("-", value, span=span) if number < 0 else value)
