"""The page of a word of the language, for ``gamedsl explain WORD``: keywords, builtins, words of boards."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache

from gamedsl.language.rules.board_words import board_words
from gamedsl.language.rules.expressions.builtins import BUILTINS
from gamedsl.language.rules.expressions.name_lookup import LANGUAGE_WORDS
from gamedsl.language.syntax import word_entries


@cache
def words() -> tuple[str, ...]:
    """Returns all words that have a page, in alphabetical order."""
    keywords = {word for entry in word_entries() for word in entry.words}
    return tuple(sorted(keywords | BUILTINS.keys() | LANGUAGE_WORDS.keys() | board_words().keys()))


def explain_word(word: str) -> str | None:
    """Returns the page of a word (Markdown); None if the language has no such word."""
    parts = [part for find in (_of_keywords, _of_builtins, _of_boards) for part in find(word)]
    return "\n\n".join([f"# {word}", *parts]) + "\n" if parts else None


def near_words(word: str) -> tuple[str, ...]:
    """Returns similar words, the most similar first."""
    return tuple(get_close_matches(word, words(), n=3, cutoff=0.7))


def _of_keywords(word: str) -> Iterator[str]:
    for entry in word_entries():
        if word in entry.words:
            yield f"```\n{entry.form}\n```\n\n{entry.meaning}\n\n```gdl\n{entry.example}\n```"


def _of_builtins(word: str) -> Iterator[str]:
    if word in LANGUAGE_WORDS:
        meaning = LANGUAGE_WORDS[word]
        yield f"{meaning[0].upper()}{meaning[1:]}."
    if word in BUILTINS:
        found = BUILTINS[word]
        yield f"```\n{found.signature}\n```\n\n{found.text}\n\n```gdl\n{found.example}\n```"


def _of_boards(word: str) -> Iterator[str]:
    if word in board_words():
        yield "\n".join(f"- {line}" for line in board_words()[word])
