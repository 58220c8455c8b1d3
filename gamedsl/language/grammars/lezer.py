"""The grammar → a Lezer grammar, for editors built on CodeMirror: they parse a text anew at every keystroke, from what they knew of
it, without asking a server.

The rules are those of the grammar. Its terminals come from a tokenizer (``editors/codemirror/tokens.mjs``), which asks the parser
whether a word can be a keyword at its place, as ours does, and which knows indentation and lines that continue; the words that it
needs are data beside the rules.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from gamedsl.language.grammars.grammar_nodes import (
    is_list,
    makes_node,
    reached_symbols,
    reached_terminals,
    rules_by_symbol,
    symbols_with_blocks,
)
from gamedsl.language.grammars.line_kinds import GrammarRule, Production, grammar_rules, productions
from gamedsl.language.grammars.textmate import CONSTANTS, OPERATORS
from gamedsl.language.syntax import GOES_ON, HARD_WORDS, language, line_starters

_HEAD = "// Made from grammar/gamedsl.lark by `python -m gamedsl.language.grammars.derived_files`: do not edit.\n"
_LAYOUT = {"_NL": "lineEnd", "_INDENT": "indent", "_DEDENT": "dedent"}
_OUTSIDE = {"NAME": "Name", "INT": "Number", "STRING": "String"}


def lezer_grammar() -> str:
    """Returns the grammar, in the notation of ``@lezer/generator``."""
    reached = reached_symbols()
    alternatives = rules_by_symbol().items()
    texts = [text for origin, rules in alternatives if origin in reached for text in _texts_of(origin, rules)]
    words = ",\n  ".join(_token(name) for name in reached_terminals())
    return (
        f"{_HEAD}\n@precedence {{ more @right }}\n\n@top Ruleset {{ declaration* }}\n\n"
        '@context layout from "./tokens.mjs"\n\n'
        "@skip { space | Comment | Citation }\n\n"
        f'@external tokens words from "./tokens.mjs" {{\n  space, Comment, Citation,\n  {words}\n}}\n\n'
        + "\n".join(texts)
        + "\n"
    )


def lezer_words() -> dict[str, Any]:
    """Returns what the tokenizer and the colors know of the words: the terminals of texts, those that need a look at what follows, and
    how lines continue. ``blocks`` are the nodes that end in an indented block, or can; ``lines`` those that hold the end of a line.
    """
    known = language()
    guarded = [[_name(t), known.tables.patterns[t]] for found in known.guarded.values() for t, _ in found]
    return {
        "keywords": {text: _name(t) for text, t in sorted(known.keywords.items())},
        "signs": {text: _name(t) for text, t in sorted(known.signs.items())},
        "guarded": sorted(guarded),
        "hard": sorted(HARD_WORDS),
        "operators": sorted(OPERATORS),
        "constants": sorted(CONSTANTS),
        "goesOn": sorted(_name({**known.keywords, **known.signs}[text]) for text in GOES_ON),
        "starters": sorted(line_starters()),
        "citation": known.tables.patterns["CITATION"],
        "blocks": sorted(map(_node, symbols_with_blocks())),
        "lines": sorted(_lines()),
    }


def _texts_of(origin: str, rules: list[GrammarRule]) -> list[str]:
    """The rule of a symbol, and those of the nodes that its alternatives make."""
    if is_list(origin):  # a list, read from the left
        once = " | ".join(f"!more {_parts(rule.parts)}" for rule in rules if rule.parts[0] != origin)
        return [f"{_name(origin)} {{ ({once})+ }}"]
    if makes_node(origin):
        return [f"{_node(origin)} {{ {_alternatives([rule.parts for rule in rules])} }}"]
    aliases: dict[str, list[Production]] = defaultdict(list)
    plain: list[Production] = []
    for rule in rules:
        if rule.alias:
            aliases[rule.alias].append(rule.parts)
        else:
            plain.append(rule.parts)
    made = {alias: f"{_name(origin)}As{_node(alias)}" for alias in aliases}
    whole = " | ".join([*([_alternatives(plain)] if plain else []), *made.values()])
    found = [f"{_name(origin)} {{ {whole} }}"]
    for alias, name in made.items():
        found.append(f"{name}[@name={_node(alias)}] {{ {_alternatives(aliases[alias])} }}")
    return found


def _alternatives(found: Sequence[Production]) -> str:
    """Alternatives; where one goes on after the end of another, it does if it can, as in our parser."""
    texts = []
    for parts in found:
        end = max(
            (len(other) for other in found if len(other) < len(parts) and parts[: len(other)] == other), default=0
        )
        texts.append(f"{_parts(parts[:end])} !more {_parts(parts[end:])}" if end else _parts(parts))
    return " | ".join(texts)


def _parts(parts: Production) -> str:
    return " ".join(map(_symbol, parts))


def _symbol(part: str) -> str:
    return _node(part) if part in productions() and makes_node(part) else _name(part)


def _name(symbol: str) -> str:
    """The name of a symbol that makes no node, or of a terminal."""
    if symbol in _LAYOUT or symbol in _OUTSIDE:
        return _LAYOUT.get(symbol) or _OUTSIDE[symbol]
    if symbol not in productions():
        return f"T{_node(symbol.lower())}"
    node = _node(symbol)
    return node[0].lower() + node[1:]


def _node(symbol: str) -> str:
    return "".join(part.capitalize() for part in re.split(r"[\W_]+", symbol) if part)


def _token(name: str) -> str:
    text = language().texts.get(name)
    return _name(name) if text is None else f"{_name(name)}[@name={json.dumps(text)}]"


def _lines() -> set[str]:
    """The nodes that hold the end of a line."""
    return {_node(rule.origin) for rule in grammar_rules() if "_NL" in rule.parts and rule.origin in reached_symbols()}
