"""The grammar as rules of nodes: what generators of whole parsers need of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from gamedsl.language.grammars.line_kinds import GrammarRule, grammar_rules, productions

TOP = "declaration"


@cache
def rules_by_symbol() -> Mapping[str, list[GrammarRule]]:
    """Returns the alternatives of every symbol."""
    found: dict[str, list[GrammarRule]] = defaultdict(list)
    for rule in grammar_rules():
        found[rule.origin].append(rule)
    return dict(found)


@cache
def reached_symbols() -> frozenset[str]:
    """Returns the symbols of a declaration."""
    pending, reached = [TOP], {TOP}
    while pending:
        for parts in productions()[pending.pop()]:
            more = {part for part in parts if part in productions()} - reached
            reached |= more
            pending.extend(more)
    return frozenset(reached)


@cache
def reached_terminals() -> tuple[str, ...]:
    """Returns the terminals of a declaration, sorted."""
    used = {part for origin in reached_symbols() for parts in productions()[origin] for part in parts}
    return tuple(sorted(used - set(productions())))


def makes_node(symbol: str) -> bool:
    """Returns whether all alternatives of a symbol make one node, with its name."""
    return not symbol.startswith("_") and not any(rule.is_single or rule.alias for rule in rules_by_symbol()[symbol])


def is_list(symbol: str) -> bool:
    """Returns whether a symbol is a list, read from the left."""
    return symbol.startswith("__")


def symbols_with_blocks() -> set[str]:
    """Returns the symbols of lines that an indented block can follow."""
    return {rule.origin for rule in grammar_rules() if any(part.startswith("_block") for part in rule.parts)}
