"""The grammar, loaded once: the parse tables, words and signs, and the pattern that splits text into tokens."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from gamedsl.language.source import lazy_dataclass
from gamedsl.language.syntax.parse.push_parser import PushParser
from gamedsl.language.syntax.parse_tables import ParseTables, load_tables

# Words that can never be names, because expressions or the rest of a line would be ambiguous.
HARD_WORDS = frozenset(
    {
        "and", "or", "not", "in", "within", "disjoint", "meets", "is", "div", "mod", "if", "then", "else",
        "some", "every", "no", "yes", "none", "after",
    }
)  # fmt: skip

# Signs of other languages, and what to write instead.
FOREIGN = {
    "==": "write `=` to compare",
    "===": "write `=` to compare",
    "<>": "write `!=` for unequal",
    "=<": "write `<=`",
    "=>": "write `->` or `>=`",
    ":=": "write `set x to ...` to change a value",
    "+=": "write `add ... to x`",
    "-=": "write `take ... from x`",
    "&&": "write `and`",
    "||": "write `or`",
    "!": "write `not`",
    "/": "write `div` for division without a remainder",
    "//": "write `div` for division; a comment begins with `#`",
    "**": "there is no power operator; write `a * a`",
    "^": "there is no power operator; write `a * a`",
    ";": "statements end at the end of the line; begin a new line",
    "'": 'put strings in double quotes: "text"',
    "$": "names are made of letters, digits and _",
    "~": "write `not`, or `-` for the difference of sets",
}


_OUTSIDE = ("NAME", "INT", "STRING", "CITATION", "COMMENT", "SPACE")


@lazy_dataclass(frozen=True)
class Language:
    """The words and signs of the grammar file.

    ``keywords`` and ``signs`` map text to the terminal's name, ``texts`` maps back; ``guarded`` are the terminals
    that are keywords only if a pattern matches, by their first letter; ``scan`` splits a line into its parts.
    """

    tables: ParseTables
    keywords: Mapping[str, str]
    signs: Mapping[str, str]
    texts: Mapping[str, str]
    guarded: Mapping[str, tuple[tuple[str, str], ...]]
    scan: re.Pattern[str]

    def push(self, start: str) -> PushParser:
        """Returns a new parser for a ``declaration`` or an ``expression``."""
        return PushParser(self.tables, start)


@cache
def language() -> Language:
    """Returns the single instance of this process."""
    tables = load_tables()
    fixed, others = tables.words, tables.patterns
    guarded: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, pattern in others.items():
        if name not in _OUTSIDE:
            guarded[pattern[0]].append((name, pattern))
    return Language(
        tables,
        keywords={text: name for name, text in fixed.items() if text[0].isalpha()},
        signs={text: name for name, text in fixed.items() if not text[0].isalpha()},
        texts=fixed | {name: _word_of(others[name]) for name in others if name not in _OUTSIDE},
        guarded={letter: tuple(found) for letter, found in guarded.items()},
        scan=_scan_pattern(fixed, others),
    )


def _word_of(pattern: str) -> str:
    """Returns the text of a guarded terminal for messages: ``sum(?=...)`` -> ``sum``; a die -> ``d6``."""
    match = re.match(r"[a-z]{2,}", pattern)
    return match.group() if match else "d6"


def _scan_pattern(fixed: Mapping[str, str], others: Mapping[str, str]) -> re.Pattern[str]:
    signs = [text for text in fixed.values() if not text[0].isalpha()] + list(FOREIGN)
    groups = {
        "space": others["SPACE"],
        "comment": others["COMMENT"],
        "string": others["STRING"],
        "cite": others["CITATION"],
        "clumsy": r"[0-9]+(?:[A-Za-z_][A-Za-z0-9_]*|\.[0-9]+)",
        "int": others["INT"],
        "name": others["NAME"],
        "sign": "|".join(re.escape(s) for s in sorted(signs, key=len, reverse=True)),
        "other": r"[^\n]",
    }
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in groups.items()))
