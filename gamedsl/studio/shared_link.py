"""A link that holds the text of a game: ``gamedsl:NAME#...``, its files packed. It needs no server; ``gamedsl studio LINK`` opens it."""

from __future__ import annotations

import binascii
import json
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from gamedsl.editor import MOST_CHARACTERS
from gamedsl.language.source import UsageError
from gamedsl.studio.new_game import MOST_LETTERS, is_name

SCHEME = "gamedsl:"
MOST_LINK = 200_000  # characters
MOST_FILES = 20
_FILE = re.compile(r"(?:clauses/)?([^./]+)(?:\.gdl|\.examples\.yaml|\.yaml)")


def _is_file(name: str) -> bool:
    found = _FILE.fullmatch(name)
    return found is not None and is_name(found[1])


def link_of(name: str, texts: Mapping[str, str]) -> str:
    """The link. ``texts``: by file name, those of ``NAME.gdl`` and of what it needs. Raises ``UsageError`` where they do not fit."""
    if not is_name(name) or not all(map(_is_file, texts)) or len(texts) > MOST_FILES:
        raise UsageError("a link holds files beside the ruleset, with names of letters, digits, - and _")
    packed = urlsafe_b64encode(zlib.compress(json.dumps(dict(texts)).encode(), 9)).rstrip(b"=").decode()
    link = f"{SCHEME}{quote(name)}#{packed}"
    if len(link) > MOST_LINK or sum(map(len, texts.values())) > MOST_CHARACTERS:
        raise UsageError("these rules are too long for a link")
    return link


def files_of_link(link: str) -> tuple[str, dict[str, str]]:
    """The name of the game, and its texts by file name. Raises ``UsageError`` (E0004) for what is no such link."""
    quoted, _, packed = link.strip().removeprefix(SCHEME).partition("#")
    name = unquote(quoted)
    try:
        if not link.strip().startswith(SCHEME) or len(link) > 2 * MOST_LINK:
            raise ValueError
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), 8 * MOST_CHARACTERS)
        texts: Any = json.loads(data) if unpacking.eof else None
        fits = isinstance(texts, dict) and 0 < len(texts) <= MOST_FILES and f"{name}.gdl" in texts
        if not fits or not all(isinstance(text, str) and _is_file(file) for file, text in texts.items()):
            raise ValueError
    except (ValueError, zlib.error, binascii.Error, RecursionError):
        raise UsageError(
            "this is not the link of a game, or it was cut short",
            code="E0004",
            help="The panel Share of the studio makes such links. Put quotation marks around one in a shell.",
        ) from None
    if not is_name(name):
        raise UsageError(f"`{name[:MOST_LETTERS]}` cannot be the name of a game", code="E0004")
    return name, texts
