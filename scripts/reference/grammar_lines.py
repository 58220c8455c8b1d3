"""The rules of the grammar as lines that people can read: keywords in quotes, one name for all levels of expressions and of types."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache

from lark import Lark, Token, Tree

from gamedsl.language.source import resource_path

LEVELS = {
    "expression": "expr expression low folded atom postfix comparison union intersection range sum product negation plain_postfix"
    " plain_atom plain_sum plain_product plain_negation or_open and_open not_open comparison_open union_open intersection_open sum_open"
    " product_open or_closed and_closed not_closed",
    "type": "type prefix_type suffix_type base_type _long_type first_part next_part",
    "statement": "_statement",
    "declaration": "declaration",
    "player": "_who",
    "direction": "_named",
}
SHORT = {rule: name for name, rules in LEVELS.items() for rule in rules.split()}
LEGS = ("named_index", "named_field")  # forms of a direction: the same as those of an expression
TERMINALS = {"INT": "NUMBER", "STRING": "STRING", "DIE": "DIE"}
RULE_NAME = re.compile(r"(?<![\w\"])[a-z]\w*(?![\w\"])")
Node = Tree[Token] | Token | None


@cache
def _grammar() -> tuple[dict[str, Node], dict[str, str]]:
    """The right side of every rule, and the word of every keyword."""
    parser = Lark.open_from_package("lark", "lark.lark", ["grammars"], parser="lalr")
    tree = parser.parse(resource_path("grammar", "gamedsl.lark").read_text(encoding="utf-8"))
    rules: dict[str, Node] = {}
    words: dict[str, str] = {}
    for item in tree.children:
        if isinstance(item, Tree) and item.data == "rule":
            rules[str(item.children[0]).lstrip("!?")] = item.children[-1]
        elif isinstance(item, Tree) and item.data == "token":
            literal = next(item.find_data("literal"), None)
            if literal is not None:
                words[str(item.children[0])] = _word(str(literal.children[0]))
    return rules, words


def _word(pattern: str) -> str:
    """The word of a terminal: a literal, or the letters that a pattern begins with."""
    found = re.match(r'["/](\w+|[^"/\\]+)', pattern)
    return pattern.strip('"') if found is None else found[1]


def lines_of(names: Sequence[str], known: Container[str] = ()) -> list[str]:
    """The lines of these rules (``verdict WIN``: of those alternatives that have the word), and of the small rules that they use.
    ``known``: rules that are shown elsewhere."""
    wanted: dict[str, set[str]] = {}
    for name in names:
        rule, _, word = name.partition(" ")
        wanted.setdefault(rule, set()).update([word] if word else [])
    lines: list[str] = []
    open_rules = list(wanted)
    for rule in open_rules:  # grows while it is read
        alternatives = list(dict.fromkeys(_alternatives(rule, wanted.get(rule, set()))))
        used = {name for text in alternatives for name in RULE_NAME.findall(text)}
        open_rules += [n for n in _grammar()[0] if n in used and n not in known and n not in (*open_rules, *SHORT)]
        lines += [
            f"{rule if n == 0 else ' ' * len(rule)} {':' if n == 0 else '|'} {t}" for n, t in enumerate(alternatives)
        ]
    return lines


def rules_used(lines: Sequence[str]) -> set[str]:
    """The names of rules on the right sides of lines."""
    return {name for line in lines for name in RULE_NAME.findall(re.split(r"^\w* *[:|] ", line)[-1])}


def alternatives_of(rule: str) -> set[str]:
    """The names of what a rule is one of: other rules, or names of alternatives."""
    found = set()
    for alternative in _split(_grammar()[0][rule]):
        assert isinstance(alternative, Tree)
        name = alternative.children[1] if alternative.data == "alias" else None
        only = [str(n) for n in (name,) if n] or [str(t) for t in alternative.scan_values(_is_rule)]
        found.update(only if len(only) == 1 else [])
    return found - SHORT.keys()


def _is_rule(token: object) -> bool:
    return isinstance(token, Token) and token.type == "RULE"


def _alternatives(rule: str, words: set[str]) -> Iterator[str]:
    rules, _ = _grammar()
    text = _printer(words)
    if rule in rules:
        for alternative in _split(rules[rule]):
            if not words or _has(alternative, words):
                yield text(alternative).strip()
        return
    for body in (body for name, body in rules.items() if name not in LEGS):  # the name of alternatives
        for alternative in _split(body):
            if isinstance(alternative, Tree) and alternative.data == "alias" and alternative.children[1] == rule:
                if not words or _has(alternative, words):
                    yield text(alternative).strip()


def _split(node: Node) -> list[Node]:
    return list(node.children) if isinstance(node, Tree) and node.data == "expansions" else [node]


def _has(node: Node, words: set[str]) -> bool:
    return isinstance(node, Tree) and any(str(token) in words for token in node.scan_values(lambda _: True))


def _printer(words: set[str]) -> Callable[[Node], str]:
    """Prints nodes; of several words to choose from, only those given, if there are any."""

    def text(node: Node) -> str:
        if node is None:
            return ""
        if isinstance(node, Token):
            return str(node)
        children = node.children
        match node.data:
            case "expansions":
                chosen = [c for c in children if _has(c, words)] or children
                return " | ".join(dict.fromkeys(text(c) for c in chosen))
            case "alias":
                return text(children[0])
            case "expansion":
                return " ".join(part for part in map(text, children) if part)
            case "expr":
                op = "" if len(children) < 2 or children[1] is None else str(children[1])
                inner = text(children[0])
                is_choice = " | " in inner and not inner.startswith(("[", "("))
                return f"{_grouped(inner) if op or is_choice else inner}{op}"
            case "maybe":
                return f"[{' | '.join(text(c) for c in _split(children[0]))}]"
            case "literal":
                return str(children[0])
            case "template_usage":
                inner = text(children[1])
                return f"INDENT {_grouped(inner)}+ DEDENT"
            case _:
                return _name(str(children[0]), text)

    return text


def _name(name: str, text: Callable[[Node], str]) -> str:
    rules, words = _grammar()
    if name in ("_NL", "_INDENT", "_DEDENT"):
        return ""
    if name in SHORT:
        return SHORT[name]
    if name == "names" or (name.startswith("_") and name in rules):
        return text(rules[name])
    if name in TERMINALS or name == "NAME":
        return TERMINALS.get(name, name)
    return f'"{words[name]}"' if name in words else name


def _grouped(text: str) -> str:
    return f"({text})" if " " in text and not re.fullmatch(r"\([^()]*\)|\[[^\[\]]*\]", text) else text
