"""The clauses of a rules document that a variant changes: those cited on lines that it adds, replaces or omits, or that read
an option to which it gives another value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path

from gamedsl.language.rules.citations import citations_in
from gamedsl.language.rules.error_report import Report
from gamedsl.language.rules.files import Files, Loaded, find_ruleset
from gamedsl.language.rules.variants import changed_use, key_of
from gamedsl.language.syntax import ast, format_ruleset

_CITE = re.compile(r"(?<=\s)@(\S+)")
_DEFINED = re.compile(r"\s*define (\w+)")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')

_Declared = dict[tuple[str, ...], tuple[ast.Decl, ...]]


def changed_clauses(name: str | Path) -> tuple[frozenset[str], frozenset[str]] | None:
    """Returns the clauses that a variant changes, and those that it no longer cites; None if the file is not a
    variant.
    """
    report = Report()
    files = Files(report)
    loaded = files.load_first(find_ruleset(str(name)))
    if loaded.variant is None:
        return None
    before = _declarations(loaded.variant.original, files, report)
    after = _declarations(loaded, files, report)
    touched: set[str] = set()
    for key in {**before, **after}:
        touched |= _changed_lines(before.get(key, ()), after.get(key, ()))
    touched |= _reading_lines(_changed_options(before, after), list(after.values()))
    left = {c.clause for decls in after.values() for d in decls for c in citations_in(d)}
    known = {c.clause for decls in before.values() for d in decls for c in citations_in(d)}
    return frozenset(touched & left), frozenset(known - left)


def _declarations(loaded: Loaded, files: Files, report: Report) -> _Declared:
    """Returns the declarations of a ruleset by kind and name, with those of its parts and of the rulesets that it
    uses.
    """
    found: _Declared = {}
    for where, d in _all((), loaded.tree, loaded.path, files, report):
        key = (*where, *key_of(d))
        found[key] = (*found.get(key, ()), d)
    return found


def _all(
    where: tuple[str, ...], decls: Sequence[ast.Decl], path: str, files: Files, report: Report
) -> Iterator[tuple[tuple[str, ...], ast.Decl]]:
    for d in decls:
        match d:
            case ast.PartDecl(name, inner):
                yield from _all((*where, name.id), inner, path, files, report)
            case ast.UseDecl(file, name):
                used = files.load(file, d.span, beside=d.span.source.path)
                tree = changed_use(tuple(decls), name.id, used.tree, report)
                yield from _all((*where, name.id), tree, used.path, files, report)
                yield where, d
            case ast.InPartDecl():
                pass
            case ast.InfoDecl(items):  # its other lines only explain
                yield where, replace(d, items=tuple(item for item in items if item.key == "presentation"))
            case _:
                yield where, d


def _changed_lines(before: Sequence[ast.Decl], after: Sequence[ast.Decl]) -> set[str]:
    """Returns the clauses of the lines in which two groups of declarations differ; see ``_cited_at``."""
    if tuple(before) == tuple(after):
        return set()
    old, new = _lines(before), _lines(after)
    found: set[str] = set()
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            found |= {clause for i in range(a, b) for clause in _cited_at(old, i)}
            found |= {clause for i in range(c, d) for clause in _cited_at(new, i)}
    return found


def _changed_options(before: _Declared, after: _Declared) -> set[str]:
    return {
        d.name.id
        for key, decls in after.items()
        for d in decls
        if isinstance(d, ast.OptionDecl) and key in before and before[key] != decls
    }


def _reading_lines(names: set[str], groups: Sequence[Sequence[ast.Decl]]) -> set[str]:
    """Returns the clauses of the lines that read one of these options, or what is named after it: an option of a part to
    which it is given, a definition that cites no clause."""
    lines = [
        _lines([d for d in decls if not isinstance(d, ast.OptionDecl | ast.InfoDecl)]) for decls in groups if names
    ]
    found: set[str] = set()
    todo, seen = sorted(names), set(names)
    while todo:
        name = todo.pop()
        given = re.compile(rf"\b(\w+) = {name}\b")
        for group in lines:
            for i, line in enumerate(group):
                code = _TEXT.sub('""', line)
                new = {inner for inner in given.findall(code) if f"define {inner}" not in code}
                if re.search(rf"\b{name}\b", given.sub("", code) if new else code):
                    cited, defined = _cited_at(group, i), _DEFINED.match(code)
                    found |= set(cited)
                    new |= {defined[1]} if defined and not cited else set()
                todo += sorted(new - seen)
                seen |= new
    return found


def _lines(decls: Sequence[ast.Decl]) -> list[str]:
    return format_ruleset(ast.Ruleset(tuple(decls))).splitlines()


def _cited_at(lines: Sequence[str], number: int) -> list[str]:
    """Returns the clauses cited on a line, or else on the nearest line above it that is indented less and cites any."""
    depth = len(lines[number]) + 1
    for i in range(number, -1, -1):
        indent = len(lines[i]) - len(lines[i].lstrip())
        if lines[i].strip() and indent < depth:
            depth = indent
            cites = _CITE.findall(_TEXT.sub('""', lines[i]))
            if cites:
                return cites
    return []
