"""The words with which people name a kind of move; its name in the rules is for authors."""

from __future__ import annotations

import re

from gamedsl.language.core import nodes as n
from gamedsl.language.core.appearance import words

_LEADING_WORDS = re.compile(r"([A-Za-z][A-Za-z ]{2,}?)[ !?]* ")


def words_of_move(schema: n.Schema) -> str:
    """The name of a kind of move: the words with which its notation begins, else its name in the ruleset."""
    texts = [piece for piece in schema.written if isinstance(piece, str)]
    if len(texts) == len(schema.written) and "".join(texts).strip():
        return "".join(texts).strip()
    found = _LEADING_WORDS.match(texts[0]) if texts and schema.written[0] == texts[0] else None
    return found[1] if found else words(schema.name)


def with_identifier(text: str, identifier: str) -> str:
    """Words, followed by the identifier of the rules that authors look for, unless it is the same."""
    return text if text == identifier else f"{text} ({identifier})"
