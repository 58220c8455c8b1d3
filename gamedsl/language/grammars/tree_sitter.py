"""The grammar → a Tree-sitter grammar, for Helix, Zed, Neovim, Emacs and other editors.

The rules are those of the grammar. Its terminals come from a scanner (``editors/tree-sitter/src/scanner.c``), which asks the parser
whether a word can be a keyword at its place, as ours does, and which knows indentation and lines that continue; the words that it
needs are made here, as a header.

Tree-sitter builds the states of an expression again for everything that can follow it. So an expression ends with a token of its own,
without text, which the scanner finds where the parser can use nothing else, and what an expression opens ends before its closing
bracket. That makes the parser an eighth as large.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache

from gamedsl.language.grammars.grammar_nodes import (
    TOP,
    is_list,
    makes_node,
    reached_symbols,
    reached_terminals,
    rules_by_symbol,
)
from gamedsl.language.grammars.line_kinds import GrammarRule, Production, productions
from gamedsl.language.grammars.pattern_steps import CharacterSet, steps_of
from gamedsl.language.syntax import GOES_ON, HARD_WORDS, language, line_starters

_MADE = "Made from grammar/gamedsl.lark by `python -m gamedsl.language.grammars.derived_files`: do not edit.\n"
_LAYOUT = {"_NL": "_line_end", "_INDENT": "_indent", "_DEDENT": "_dedent"}
_OUTSIDE = {"NAME": "name", "INT": "integer", "STRING": "string"}
_NAMED = _LAYOUT | _OUTSIDE | {"DIE": "die"}
_EXPRESSIONS = ("expr", "plain_sum")
_CLOSING = ("RIGHT_PAREN", "RIGHT_BRACE", "RIGHT_BRACKET")
# Tokens of the scanner that are no terminals: what stands between words, the end of an expression, and one that no rule has: the
# scanner is asked for it only where the parser has lost its way.
_ASIDE = {"SPACE": "_space", "COMMENT": "comment", "CITATION": "citation"}
_MORE = {"WHOLE": "_whole", "STRAY": "_stray"}


def tree_sitter_grammar() -> str:
    """Returns ``grammar.js``."""
    rules = _Rules()
    texts = [
        text
        for origin, alternatives in rules_by_symbol().items()
        if origin in reached_symbols()
        for text in rules.texts_of(origin, alternatives)
    ]
    texts += rules.helpers()
    externals = "".join(f"    $.{name},\n" for name in _externals().values())
    return (
        f"// {_MADE}\nmodule.exports = grammar({{\n"
        '  name: "gamedsl",\n\n'
        f"  externals: ($) => [\n{externals}  ],\n\n"
        f"  extras: ($) => [/\\s/, {', '.join(f'$.{name}' for name in _ASIDE.values())}],\n\n"
        f"  rules: {{\n    ruleset: ($) => repeat($.{_name(TOP)}),\n\n"
        + "".join(f"    {text},\n" for text in texts)
        + "  },\n});\n"
    )


def tree_sitter_words() -> str:
    """Returns ``words.h``: the tokens of the scanner, the words of the language, and what must follow some of them."""
    known = language()
    tokens = "".join(f"  T_{name.lstrip('_')},\n" for name in _externals())
    kinds = {"HARD": HARD_WORDS, "GOES_ON": GOES_ON, "STARTER": line_starters()}
    words = ""
    for text, terminal in sorted(known.keywords.items()):
        of = " | ".join(kind for kind, members in kinds.items() if text in members) or "0"
        words += f'  {{"{text}", T_{terminal}, {of}}},\n'
    signs = "".join(
        f'  {{"{text}", T_{terminal}, {str(text in GOES_ON).lower()}}},\n'
        for text, terminal in sorted(known.signs.items(), key=lambda one: (-len(one[0]), one[0]))
    )
    sets: list[CharacterSet] = []
    programs, table = "", ""
    for letter, found in sorted(known.guarded.items()):
        for terminal, pattern in found:
            steps = ", ".join(f"{{{s.kind}, {s.a}, {s.b}}}" for s in steps_of(pattern, sets))
            programs += f"static const Step {terminal}_STEPS[] = {{{steps}}};\n"
            table += f"  {{'{letter}', T_{terminal}, {terminal}_STEPS}},\n"
    members = "".join(f"  {{{json.dumps(one.ranges)}, {str(one.negated).lower()}}},\n" for one in sets)
    return (
        f"// {_MADE}#include <stdbool.h>\n#include <stdint.h>\n\n"
        f"enum Token {{\n{tokens}}};\n\n"
        "enum { HARD = 1, GOES_ON = 2, STARTER = 4 };\n\n"
        "typedef struct {\n  const char *text;\n  enum Token token;\n  uint8_t kinds;\n} Word;\n\n"
        f"static const Word WORDS[] = {{\n{words}}};\n\n"
        "typedef struct {\n  const char *text;\n  enum Token token;\n  bool goes_on;\n} Sign;\n\n"
        f"static const Sign SIGNS[] = {{\n{signs}  {{0}},\n}};\n\n"
        "typedef struct {\n  const char *ranges;\n  bool negated;\n} Set;\n\n"
        f"static const Set SETS[] = {{\n{members}}};\n\n"
        "typedef struct {\n  enum { ONE, EITHER, JUMP, EDGE, AHEAD, NOT_AHEAD, FOUND } kind;\n  uint16_t a, b;\n} Step;\n\n"
        f"{programs}\n"
        "typedef struct {\n  char first;\n  enum Token token;\n  const Step *steps;\n} Guarded;\n\n"
        f"static const Guarded GUARDED[] = {{\n{table}  {{0}},\n}};\n"
    )


def _externals() -> dict[str, str]:
    """The tokens of the scanner, in their order: their terminals and their names."""
    return _ASIDE | {terminal: _name(terminal) for terminal in reached_terminals()} | _MORE


@cache
def _expressions() -> frozenset[str]:
    """The symbols that an expression can be as a whole."""
    pending, found = list(_EXPRESSIONS), set(_EXPRESSIONS)
    while pending:
        for parts in productions()[pending.pop()]:
            if len(parts) == 1 and parts[0] in productions() and parts[0] not in found:
                found.add(parts[0])
                pending.append(parts[0])
    return frozenset(found)


@cache
def _infixes() -> frozenset[str]:
    """The terminals that can follow an operand inside an expression."""
    found = [parts for origin in _expressions() for parts in productions()[origin]]
    return frozenset(parts[1] for parts in found if parts[0] in _expressions() and len(parts) > 1)


class _Rules:
    """The rules, and the hidden ones that they need."""

    def __init__(self) -> None:
        self.whole: set[str] = set()
        self.opened: dict[str, str] = {}
        self.origin = ""

    def helpers(self) -> list[str]:
        """The rules of expressions that end, and of brackets that are open."""
        found = [f"_whole_{symbol}: ($) => seq($.{_name(symbol)}, $._whole)" for symbol in sorted(self.whole)]
        return found + [f"{name}: ($) => seq({parts})" for parts, name in self.opened.items()]

    def texts_of(self, origin: str, rules: list[GrammarRule]) -> list[str]:
        """The rule of a symbol, and those of the nodes that its alternatives make."""
        self.origin = origin
        if is_list(origin):
            once = _choice([self.sequence(rule.parts) for rule in rules if rule.parts[0] != origin])
            return [f"{_name(origin)}: ($) => repeat1({once})"]
        aliases: dict[str, list[Production]] = defaultdict(list)
        for rule in rules:
            aliases[rule.alias].append(rule.parts)
        plain = aliases.pop("", [])
        if not aliases:
            return [f"{_name(origin)}: ($) => {self.alternatives(plain)}"]
        made = {alias: f"{_name(origin)}_as_{alias}" for alias in aliases}
        parts = [self.sequence(parts) for parts in plain] + [f"alias($.{name}, $.{a})" for a, name in made.items()]
        nodes = [f"{name}: ($) => {self.alternatives(aliases[alias])}" for alias, name in made.items()]
        return [f"{_name(origin)}: ($) => {_choice(parts)}", *nodes]

    def alternatives(self, found: Sequence[Production]) -> str:
        """Alternatives; where one continues after the end of another, it does if it can, as in our parser."""
        text = _choice([self.sequence(parts) for parts in found])
        continues = any(a != b and b[: len(a)] == a for a in found for b in found)
        return f"prec.right({text})" if continues or any(is_list(parts[-1]) for parts in found) else text

    def sequence(self, parts: Production) -> str:
        """The parts of an alternative."""
        texts = [self.part(parts, place) for place in range(len(parts))]
        opens = self.origin in _expressions() and parts[0] not in _expressions()
        if opens and len(parts) > 2 and parts[-1] in _CLOSING:
            inside = ", ".join(texts[:-1])
            texts = [f"$.{self.opened.setdefault(inside, f'_opened_{len(self.opened)}')}", texts[-1]]
        return texts[0] if len(texts) == 1 else f"seq({', '.join(texts)})"

    def part(self, parts: Production, place: int) -> str:
        """A part of an alternative. An expression ends with a token, unless what follows belongs to expressions too."""
        symbol = parts[place]
        following = parts[place + 1] if place + 1 < len(parts) else ""
        is_inner = self.origin in _expressions() or any(parts in productions()[one] for one in _expressions())
        is_edge = is_inner and place in (0, len(parts) - 1)
        if (
            symbol not in _expressions()
            or makes_node(symbol)
            or is_edge
            or following in _infixes()
            or following in productions()
        ):
            return _symbol(symbol)
        self.whole.add(symbol)
        return f"$._whole_{symbol}"


def _choice(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"choice({', '.join(parts)})"


def _symbol(symbol: str) -> str:
    text = None if symbol in productions() or symbol in _NAMED else language().texts.get(symbol)
    return f"$.{_name(symbol)}" if text is None else f"alias($.{_name(symbol)}, {json.dumps(text)})"


def _name(symbol: str) -> str:
    """The name of a symbol; those that make no node begin with ``_``."""
    if symbol in _NAMED:
        return _NAMED[symbol]
    if symbol not in productions():
        return f"_t_{symbol.lower()}"
    plain = re.sub(r"\W+", "_", symbol.lower()).strip("_")
    return plain if makes_node(symbol) else f"_{plain}"
