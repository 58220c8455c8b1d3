"""Lines that people write for other people: names and messages. They are hostile input, made harmless here once."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from gamedsl.play.web.server.refusals import Refused

MARKS_EACH = 3  # combining marks that may follow one another
_JOINERS = "\u200c\u200d"  # some scripts and emoji need them
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # letters and marks that show nothing
_GONE = frozenset(("Cc", "Cf", "Cn", "Co", "Cs"))


def read_line(data: dict[str, object], name: str, most: int) -> str:
    """The clean line of a field. Raises ``Refused`` (malformed) if it is not a string of at most ``most`` characters,
    before or after it is cleaned."""
    value = data.get(name)
    if not isinstance(value, str) or len(value) > most or len(line := clean_line(value)) > most:
        raise Refused("malformed", f"`{name}` must be a string of at most {most} characters")
    return line


def clean_line(text: str) -> str:
    """The text on one line, composed (NFC): without control characters, marks of direction, and characters that show
    nothing; a stack of combining marks is cut. Empty if nothing visible is left."""
    line, before = text, ""
    while line != before:  # what is taken out brings together what was apart
        before = line
        line = " ".join("".join(_seen(unicodedata.normalize("NFC", line))).split())
    return line if any(unicodedata.category(c)[0] in "LNPS" for c in line) else ""


def _seen(text: str) -> Iterator[str]:
    marks = 0
    for at, char in enumerate(text):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind[0] == "M" else 0
        if char.isspace():
            yield " "
        elif char in _JOINERS:
            if 0 < at < len(text) - 1 and not text[at - 1].isascii() and not text[at + 1].isascii():
                yield char
        elif kind not in _GONE and char not in _BLANKS and marks <= MARKS_EACH:
            yield char
