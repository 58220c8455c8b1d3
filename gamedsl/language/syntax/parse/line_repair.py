"""The least edit with which a line can be read: a word put in, replaced or left out where the parser stopped."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from gamedsl.language.syntax.parse.language import Language
from gamedsl.language.syntax.parse.push_parser import Token

# words of other systems and of everyday English, and the words for them here
SYNONYMS = {
    "and": (",", "with"), "plus": ("with",), "except": ("without",), "minus": ("without",), "but": ("without",),
    "of": ("by",), "x": ("by",), "square": ("grid",), "rectangle": ("grid",), "rect": ("grid",), "line": ("track",),
    "hexagonal": ("hex",), "hexhex": ("hex",), "numbered": ("named by numbers",), "lettered": ("named by letters",),
}  # fmt: skip


def repaired(language: Language, words: list[str], index: int, start: str, allowed: list[str]) -> str:
    """The line with one edit near the word at ``index``, or an empty text if none helps. ``allowed``: the words that could
    stand there."""
    found: list[tuple[int, str]] = []
    for candidate in _candidates(words, index, allowed):
        names = _names_in(language, candidate, start)
        if names is not None:
            found.append((names, " ".join(candidate).replace(" ,", ",")))
    return min(found, key=lambda one: one[0])[1] if found else ""


def _candidates(words: list[str], index: int, allowed: list[str]) -> Iterator[list[str]]:
    before, behind = words[:index], words[index:]
    found = behind[0] if behind else ""
    for put in SYNONYMS.get(found, ()):
        yield [*before, *put.split(), *behind[1:]]
    near = sorted(allowed, key=lambda w: -SequenceMatcher(None, w, found).ratio())
    if near and SequenceMatcher(None, near[0], found).ratio() >= 0.6:
        yield [*before, near[0], *behind[1:]]
    if len(before) > 2 and before[-1].isalpha():
        yield [*before[:-1], *behind]
    for put in sorted(allowed, key=lambda w: w == "at"):
        yield [*before, put, *behind]
    if behind:
        yield [*before, *behind[1:]]


def _names_in(language: Language, words: list[str], start: str) -> int | None:
    """How many words of a line are read as names rather than words of the language; None if it is not a whole line."""
    names = 0
    terminals = {text: name for name, text in language.texts.items()}
    parser = language.push(start)
    for word in words:
        kinds = [terminals.get(word, ""), "INT" if word.isdecimal() else "NAME" if word.isidentifier() else ""]
        kind = next((k for k in kinds if k and k in parser.accepts()), None)
        if kind is None:
            return None
        names += kind == "NAME"
        parser.feed(Token(kind, word))
    return names if "_NL" in parser.accepts() else None
