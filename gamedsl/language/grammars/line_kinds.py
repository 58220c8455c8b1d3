"""The grammar as lines: the kinds of lines that each declaration can hold, and the words that each kind can hold.

Highlighters that know no parser read a text line by line. The first word of a line determines its kind nearly always, and the
pairs of neighboring terminals determine nearly always whether a word of the language is a keyword at its place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from gamedsl.language.source import lazy_dataclass, resource_path
from gamedsl.language.syntax import build_lark

BEGIN = ""  # what precedes the first terminal of a line

Production = tuple[str, ...]


@lazy_dataclass(slots=True)
class Pairs:
    """The pairs of neighboring terminals of a kind of line; the first pairs begin with ``BEGIN``."""

    found: set[tuple[str, str]] = field(default_factory=set)

    def before(self, terminal: str) -> set[str]:
        """Returns the terminals that can precede a terminal."""
        return {a for a, b in self.found if b == terminal}

    def first(self) -> set[str]:
        return {b for a, b in self.found if a == BEGIN}

    def terminals(self) -> set[str]:
        return {b for _, b in self.found}


class GrammarRule(NamedTuple):
    """An alternative of a symbol. ``alias``: the name of its node; ``is_single``: a single part stands for the symbol."""

    origin: str
    parts: Production
    alias: str
    is_single: bool


@cache
def grammar_rules() -> tuple[GrammarRule, ...]:
    """Returns the grammar without templates and options."""
    grammar = resource_path("grammar", "gamedsl.lark").read_text(encoding="utf-8")
    return tuple(
        dict.fromkeys(
            GrammarRule(
                rule.origin.name,
                tuple(symbol.name for symbol in rule.expansion),
                rule.alias or "",
                bool(rule.options.expand1),
            )
            for rule in build_lark(grammar).rules
        )
    )


@cache
def productions() -> dict[str, list[Production]]:
    """Returns the alternatives of every symbol."""
    found: dict[str, list[Production]] = defaultdict(list)
    for rule in grammar_rules():
        if rule.parts not in found[rule.origin]:
            found[rule.origin].append(rule.parts)
    return dict(found)


@cache
def _edges(last: bool) -> dict[str, frozenset[str]]:
    """Returns the terminals with which each symbol begins, or ends. (No symbol of the grammar can be empty.)"""
    rules = productions()
    edges: dict[str, set[str]] = {name: set() for name in rules}
    changed = True
    while changed:
        changed = False
        for name, alternatives in rules.items():
            for parts in alternatives:
                part = parts[-1 if last else 0]
                more = edges[part] if part in rules else {part}
                if not more <= edges[name]:
                    edges[name] |= more
                    changed = True
    return {name: frozenset(found) for name, found in edges.items()}


def edge_terminals(symbol: str, last: bool) -> frozenset[str]:
    return _edges(last).get(symbol, frozenset({symbol}))


def line_of(parts: Production) -> Production:
    """Returns the parts of a production before the end of its line."""
    return parts[: parts.index("_NL")]


def lines_of(declaration: str) -> Iterator[Production]:
    """Yields all lines of a declaration: its first, and those in its blocks, but not those of declarations inside it."""
    rules = productions()
    pending, seen = [declaration], {declaration}
    while pending:
        for parts in rules[pending.pop()]:
            if "_NL" in parts:
                yield line_of(parts)
                parts = parts[parts.index("_NL") :]
            for part in parts:
                if part in rules and part not in seen and part != "declaration":
                    seen.add(part)
                    pending.append(part)


def pairs_of(line: Sequence[str]) -> Pairs:
    """Returns the pairs of neighbors of a line."""
    rules = productions()
    pairs = Pairs({(BEGIN, b) for b in edge_terminals(line[0], False)})
    pending, seen = [tuple(line)], set()
    while pending:
        parts = pending.pop()
        for left, right in pairwise(parts):
            pairs.found |= {(a, b) for a in edge_terminals(left, True) for b in edge_terminals(right, False)}
        for part in parts:
            if part in rules and part not in seen:
                seen.add(part)
                pending.extend(rules[part])
    return pairs


@lazy_dataclass(slots=True)
class LineKinds:
    """The lines of a declaration: those that begin with a keyword, by its terminal, and the others."""

    head: str
    keyed: dict[str, Pairs] = field(default_factory=lambda: defaultdict(Pairs))
    other: Pairs = field(default_factory=Pairs)


@cache
def line_kinds() -> dict[str, LineKinds]:
    """Returns the kinds of lines of all declarations, by the terminal with which a declaration begins."""
    rules = productions()
    kinds: dict[str, LineKinds] = {}
    for (declaration,) in rules["declaration"]:
        (head,) = edge_terminals(declaration, False)
        kind = kinds.setdefault(head, LineKinds(head))
        own = set(map(line_of, rules[declaration]))
        for line in lines_of(declaration):
            if line in own:
                continue
            pairs = pairs_of(line)
            for terminal in sorted(pairs.first()):
                place = kind.other if terminal in OPEN else kind.keyed[terminal]
                place.found |= {(a, b) for a, b in pairs.found if a != BEGIN or b == terminal}
    return kinds


@cache
def heads() -> dict[str, Pairs]:
    """Returns the first lines of declarations, by the terminal with which they begin."""
    rules = productions()
    found: dict[str, Pairs] = defaultdict(Pairs)
    for (declaration,) in rules["declaration"]:
        for parts in rules[declaration]:
            pairs = pairs_of(line_of(parts))
            for terminal in sorted(pairs.first()):
                found[terminal].found |= pairs.found
    return found


# Terminals that begin lines without a word of their own.
OPEN = frozenset({"NAME", "INT", "STRING", "LEFT_PAREN", "LEFT_BRACE", "LEFT_BRACKET", "MINUS"})
