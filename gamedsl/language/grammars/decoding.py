"""The grammar → a grammar for constrained decoding, in the dialect of Lark that llguidance and XGrammar read.

A decoder knows no indentation, so the rules are repeated for every level of it: a line of level k begins with 2 k spaces. The words
of the grammar become terminals with the space after them; a line may continue after a sign or word after which it must. What
a decoder accepts can still be refused by the parser where a word is read as a keyword although a name was meant.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from string import ascii_letters, digits

from gamedsl.language.grammars.line_kinds import productions
from gamedsl.language.syntax import GOES_ON, HARD_WORDS, language

LEVELS = 9  # of indentation
_CONTINUE = ("else_if", "else_branch", "until")  # lines that belong to the statement before them
_SPACE = r"[ \t]*"
_NOTES = r"(@[A-Za-z0-9]([A-Za-z0-9._()\-]*[A-Za-z0-9_)])?[ \t]*)*(#[^\n]*)?"
_MORE = rf"{_SPACE}({_NOTES}\n([ \t]*(#[^\n]*)?\n)*[ \t]*)?"
_HEAD = "// Made from grammar/gamedsl.lark by `python -m gamedsl.language.grammars.derived_files`: do not edit.\n"


def decoding_grammar() -> str:
    """Returns the grammar."""
    rules: dict[str, list[str]] = defaultdict(list)
    pending = [("declaration", 0)]
    seen = set(pending)
    while pending:
        symbol, level = pending.pop()
        for parts in productions()[symbol]:
            inner = level + ("_INDENT" in parts)
            if inner > LEVELS:
                continue
            body = [f"IND_{level}"] if symbol in _CONTINUE else []
            for number, part in enumerate(parts):
                if part in productions():
                    one = (part, inner if part in _layered() else -1)
                    if one not in seen:
                        seen.add(one)
                        pending.append(one)
                    body.append(_rule(*one))
                elif part not in ("_INDENT", "_DEDENT"):
                    body.append(_terminal(part, symbol, is_last=parts[number + 1 : number + 2] == ("_NL",)))
            if "_plus_" in symbol and symbol.startswith("___block"):  # a line of a block
                body.insert(len(body) - 1, f"IND_{level}")
            rules[_rule(symbol, level)].append(" ".join(body))
    text = "".join(f"{name}: {' | '.join(found)}\n" for name, found in sorted(_without_holes(rules).items()))
    used = set(re.findall(r"\b[A-Z][A-Z_0-9]*\b", text))
    return f"{_HEAD}\nstart: BLANK* {_rule('declaration', 0)}*\nline_end: LINE_END BLANK*\n{text}\n" + "".join(
        f"{name}: {pattern}\n" for name, pattern in _patterns().items() if name in used or name in ("BLANK", "LINE_END")
    )


def _without_holes(rules: dict[str, list[str]]) -> dict[str, list[str]]:
    """The rules without those that are too deep, and without what needs them."""
    while True:
        kept = {
            name: [body for body in dict.fromkeys(found) if all(w in rules for w in body.split() if w.startswith("r_"))]
            for name, found in rules.items()
        }
        kept = {name: found for name, found in kept.items() if found}
        if kept == rules:
            return kept
        rules = kept


@cache
def _layered() -> frozenset[str]:
    """The symbols that hold blocks, directly or inside."""
    found = {name for name, alternatives in productions().items() if any("_INDENT" in parts for parts in alternatives)}
    while True:
        more = {n for n, alternatives in productions().items() if any(found & set(parts) for parts in alternatives)}
        more |= {n for n in productions() if n.startswith("___block")} | set(_CONTINUE)
        if more <= found:
            return frozenset(found)
        found |= more


def _rule(symbol: str, level: int) -> str:
    plain = "r_" + re.sub(r"\W", "_", symbol).strip("_").lower()
    return plain if level < 0 else f"{plain}_{level}"


def _terminal(name: str, symbol: str, is_last: bool) -> str:
    """The terminal of a word in a rule. After one that is not the last of its line, the line may continue on the next."""
    if name == "_NL":
        return "line_end"
    if name in ("NAME", "INT", "STRING"):
        return name
    if name == "ELSE" and symbol == "if_expr":
        return "INNER_ELSE"
    goes_on = name != "ELSE" and (language().texts[name] in GOES_ON or name.startswith("LEFT"))
    return f"C_{name}" if goes_on and not is_last else f"T_{name}"


def _patterns() -> dict[str, str]:
    """The terminals, each with the space after it. No part of a pattern has to be given back: the decoder reads ahead once."""
    found = {
        "BLANK": rf"/{_SPACE}(#[^\n]*)?\n/",
        "LINE_END": rf"/{_NOTES}\n/",
        "NAME": f"/{_name_after('')}{_SPACE}/",
        "INT": rf"/[0-9]+{_SPACE}/",
        "STRING": rf'/"([^"\\\n]|\\["\\])*"{_SPACE}/',
        "INNER_ELSE": rf"/(\n[ \t]*)?else{_MORE}/",
    }
    found |= {f"IND_{level}": f'"{"  " * level}"' for level in range(1, LEVELS + 1)}
    for name, text in language().texts.items():
        word = "d[0-9]+" if name == "DIE" else re.escape(text).replace("\\-", "-").replace("/", "\\/")
        before = r"(\n[ \t]*)?" if text in (")", "]", "}") else ""
        found[f"T_{name}"] = f"/{before}{word}{_SPACE}/"
        found[f"C_{name}"] = f"/{before}{word}{_MORE}/"
    return found


def _name_after(begun: str) -> str:
    """The pattern of what completes these letters to a name, which is none of the hard words."""
    words = {word for word in HARD_WORDS if word.startswith(begun)}
    following = sorted({word[len(begun)] for word in words if word != begun})
    others = "".join(c for c in ascii_letters + "_" + (digits if begun else "") if c not in following)
    ways = [f"[{others}][A-Za-z0-9_]*", *(letter + _name_after(begun + letter) for letter in following)]
    return f"({'|'.join(ways)})" + ("" if begun in HARD_WORDS or not begun else "?")
