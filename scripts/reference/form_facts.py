"""What the code knows about the forms of the language: which shipped rulesets use one, and which errors belong to one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from gamedsl.language.source import Source, codes, explain, read_index
from gamedsl.language.source.explanations import example
from gamedsl.language.syntax import declaration_trees, word_entries
from gamedsl.language.syntax.parse.push_parser import Parsed, Token

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "language" / "errors"  # for every code all that is shown of the broken example of its page
PLAIN = frozenset({"name", "number", "call", "index", "named type", "called"})  # inside nearly every other form


@cache
def owners() -> dict[str, str]:
    """The form of every rule of the grammar, and of every rule with a word."""
    found: dict[str, str] = {}
    for entry in word_entries():
        for rule in entry.rules:
            found.setdefault(rule, entry.title)
            found.setdefault(rule.partition(" ")[0], entry.title)
    return found


def _form(tree: Parsed) -> str | None:
    """The form that a tree is of."""
    for child in tree.children:
        if isinstance(child, Token) and (found := owners().get(f"{tree.data} {child.type}")):
            return found
    return owners().get(tree.data)


def _subtrees(tree: Parsed) -> Iterator[Parsed]:
    yield tree
    for child in tree.children:
        if isinstance(child, Parsed):
            yield from _subtrees(child)


@cache
def users() -> dict[str, tuple[str, ...]]:
    """For every form the names of the shipped rulesets that use it, in the order of the list."""
    found: dict[str, list[str]] = {}
    files = {path.stem: path for path in (ROOT / "rulesets").rglob("*.gdl")}
    for entry in (e for family in read_index().values() for e in family):
        text = files[entry.name].read_text(encoding="utf-8")
        forms = {_form(t) for tree in declaration_trees(Source(entry.name, text)) for t in _subtrees(tree)}
        for form in forms - {None}:
            found.setdefault(str(form), []).append(entry.name)
    return {form: tuple(names) for form, names in found.items()}


@cache
def forms_of_codes() -> dict[str, str]:
    """For every code of a ruleset the form in which the broken example of its page has it."""
    found = {code: entry.title for entry in word_entries() for code in entry.errors}
    for code in codes():
        if code in found or code.startswith("E01"):  # the codes of the syntax belong to no form
            continue
        broken, shown = example(explain(code), "Broken"), CASES / f"{code}.txt"
        if broken is not None and broken[0] == "gdl" and shown.is_file():
            place = re.search(rf"\[{code}\].*?--> example\.gdl:(\d+):(\d+)", shown.read_text(encoding="utf-8"), re.S)
            form = place and _form_at(broken[1], int(place[1]), int(place[2]))
            if form:
                found[code] = form
    return found


def _form_at(text: str, line: int, column: int) -> str | None:
    lines = text.splitlines(keepends=True)
    offset = sum(map(len, lines[: line - 1])) + column - 1
    around = [
        (tree.end - tree.start, form)
        for whole in declaration_trees(Source("example", text))
        for tree in _subtrees(whole)
        if tree.start <= offset < tree.end and (form := _form(tree))
    ]
    special = [pair for pair in around if pair[1] not in PLAIN]
    return min(special or around)[1] if around else None
