"""Syntax coloring of rulesets with Pygments: in documents, notebooks, ``rich``. Installed as the lexer ``gdl``."""

from __future__ import annotations

from collections.abc import Iterator

from pygments.lexer import Lexer
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
    _TokenType,
)

from gamedsl.language.rules.name_meanings import builtin_words
from gamedsl.language.syntax import Piece, token_kinds

_TYPES: dict[str, _TokenType] = {
    "space": Whitespace,
    "comment": Comment.Single,
    "string": String.Double,
    "citation": Name.Decorator,
    "number": Number.Integer,
    "keyword": Keyword,
    "name": Name,
    "error": Error,
}
_PUNCTUATION = frozenset("()[]{},:")


class RulesetLexer(Lexer):
    """A lexer of rulesets, whole or in part. The keywords are those of the grammar; names of builtins have their own
    color.
    """

    name = "gamedsl ruleset"
    aliases = ["gdl", "gamedsl"]  # noqa: RUF012
    filenames = ["*.gdl"]  # noqa: RUF012

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Yields the offset, type and text of every token."""
        for piece in token_kinds(text):
            yield piece.start, _type(piece), piece.text


def _type(piece: Piece) -> _TokenType:
    if piece.kind == "sign":
        return Punctuation if piece.text in _PUNCTUATION else Operator
    if piece.kind == "name" and piece.text in builtin_words():
        return Name.Builtin
    return _TYPES[piece.kind]
