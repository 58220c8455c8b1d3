"""The forms of the language card as texts that can be parsed: every placeholder replaced by something of its kind."""

from __future__ import annotations

import re
from textwrap import indent

from gamedsl.language.syntax import WordEntry

NUMBERS = frozenset({"N", "LEAST", "MOST", "NUMBER", "ROWS", "COLUMNS", "ROW", "COLUMN", "LOW", "HIGH", "X", "Y"})
WORDS = {
    "TYPE": "bool", "KEY": "k", "STATEMENTS": "stop", "DECLARATIONS": "type t = bool", "CONDITION": "simple", "COLOR": "red",
    "LINE": 'show s as "S"', "DOMAIN": "cell", "VALUE": "v", "DEFAULT": "v", "KIND": "k", "EXPRESSION": "e",
}  # fmt: skip
OF_ENTRY = {
    "look": {"LINES": "cells unnamed"}, "notation": {"LINES": 'any "x"'}, "claim": {"STATEMENT": "ends"},
    "remove (in a variant)": {"KIND": "move"},
    "board": {"SHAPE": "grid 2 by 2"}, "show": {"SHAPE": "star"}, "info": {"KIND NAME": "rule"},
}  # fmt: skip


def alternatives(form: str) -> list[str]:
    """The texts that a form stands for: a line that is not indented begins one, unless it goes on with a statement."""
    found: list[str] = []
    for line in form.splitlines():
        if found and (line.startswith((" ", "else", "until"))):
            found[-1] += f"\n{line}"
        else:
            found.append(line)
    return found


def filled(entry: WordEntry, text: str) -> str:
    """A form with its placeholders replaced."""
    text = text.replace(", ...", "").replace(" ...", "").replace("light|heavy|double|dashed", "heavy")
    own = OF_ENTRY.get(entry.title, {})
    for placeholder, new in own.items():
        text = text.replace(placeholder, new)
    parts = re.split(r'("[^"]*")', text)

    def word(found: re.Match[str]) -> str:
        name = found.group()
        return (
            "3"
            if name in NUMBERS and not (entry.group == "expressions" and name in "XY")
            else WORDS.get(name, f"{name.lower()}_")
        )

    return "".join(part if part.startswith('"') else re.sub(r"\b[A-Z]+\b", word, part) for part in parts)


def ruleset_of(entry: WordEntry, text: str) -> str:
    """A ruleset that holds a form."""
    form = filled(entry, text)
    match entry.group:
        case "effects":
            return f"action a\n{indent(form, '  ')}\n"
        case "course of play":
            block = "\n  stop" if entry.title == "turns" and "\n" not in form else ""  # one that the next line shows
            return f"play\n{indent(form + block, '  ')}\n"
        case "look":
            return f"look\n{indent(form, '  ')}\n"
        case "notation":
            inner = f"  move m\n{indent(form, '    ')}" if entry.title == "apart" else indent(form, "  ")
            return f"notation n\n{inner}\n"
        case "types":
            return f"type t = {f'({form})' if ',' in form and form[0] not in '({' else form}\n"
        case "expressions":
            before = {"binders": "some ", "numbers from A to B": "x in "}.get(entry.title, "")
            after = ": f" if entry.title == "binders" else ""
            return f"define d = ({before}{form}{after})\n"
        case _ if entry.title == "when":
            return f"move m\n{indent(form, '  ')}\n"
        case _ if entry.title == "seen by" and not form.startswith("move"):
            return f"state\n{indent(form, '  ')}\n"
    return f"{form}\n"
