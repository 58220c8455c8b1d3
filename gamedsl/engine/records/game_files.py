"""Games written by other programs, as fields of a ``Record``: moves with numbers (PGN, PDN), and SGF.

The moves themselves are read later, by the rules, in the usual notation or in one that the ruleset declares. Of alternatives
that a file holds besides the moves that were made, nothing is kept.

Sources: Portable Game Notation, Standard (1994), 8; SGF FF[4] (red-bean.com/sgf).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from gamedsl.engine.records.entries import Entry, record_error
from gamedsl.source import GameDSLError, Source, Span

_TAG = r'\[\s*(?P<name>\w+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\s*\]'
_TOKEN = re.compile(
    rf"(?P<space>\s+|^%[^\n]*)|(?P<tag>{_TAG})|(?P<comment>\{{[^}}]*\}}|;[^\n]*)|(?P<sign>[()])|(?P<glyph>\$\d+|[!?]+)"
    r"|(?P<number>\d+\s?\.+)|(?P<word>[^\s{}();\[\]]+)",
    re.MULTILINE,
)
_NUMBERED = re.compile(r"^\s*1\.+\s*[^\s:.]+\s[^:\n]*\s2\.+\s*\S", re.MULTILINE)
_RESULT = re.compile(r"\*|[012]-[012]|1/2-1/2")
_SGF = re.compile(r"^\s*\(\s*;")
_PROPERTY = re.compile(r"(?P<name>[A-Za-z]+)\s*(?P<values>(?:\[(?:[^\]\\]|\\.)*\]\s*)+)", re.DOTALL)
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
GO_SIDE = 19  # where a file does not say how large the board is
_SET_UP = ("AB", "AW", "AE", "PL")
Fields = dict[str, Any]


def is_game_file(text: str) -> bool:
    """Whether a text is a game in SGF, or one whose moves have numbers, two or more on a line."""
    return bool(_SGF.match(text) or re.match(r"\s*" + _TAG, text) or _NUMBERED.search(text))


def parse_game_file(source: Source) -> Fields:
    """The fields of a record. Raises ``GameDSLError`` (E0531) with the line."""
    return _sgf(source) if _SGF.match(source.text) else _numbered(source)


def _refuse(source: Source, at: int, message: str, help: str = "") -> GameDSLError:
    line = source.text.count("\n", 0, at) + 1
    start = source.line_starts[line - 1]
    return record_error(
        "E0531", f"line {line}: {message}", Span(source, start, start + len(source.line(line))), help=help
    )


# ------------------------------------------------------------------------------------------------- PGN and PDN


def _numbered(source: Source) -> Fields:
    entries, position, depth, ended = list[Entry](), "", 0, False
    for kind, token, at in _tokens(source):
        line = source.text.count("\n", 0, at) + 1
        if kind == "tag" and entries:
            raise _refuse(source, at, "another game begins here", "One game is read from a file: keep only that one.")
        if kind == "tag":
            name, value = token.split("\0")
            position = value if name == "FEN" else position
        elif kind == "sign":
            depth += 1 if token == "(" else -1
            if depth < 0:
                raise _refuse(source, at, "this `)` closes nothing")
        elif depth == 0 and kind == "comment":
            entries.append(Entry("comment", " ".join(token.strip("{};").split()), line=line))
        elif depth == 0 and kind == "word":
            if ended:
                raise _refuse(source, at, f"{token!r} follows the result of the game")
            ended = bool(_RESULT.fullmatch(token)) and not _goes_on(source.text, at + len(token))
            if not ended:
                entries.append(Entry("ply", token.rstrip("!?"), line=line))
    if depth:
        raise _refuse(source, len(source.text), "a `(` is not closed")
    return {"entries": tuple(entries), "position": position, "source": source}


def _tokens(source: Source) -> Iterator[tuple[str, str, int]]:
    at = 0
    while at < len(source.text):
        found = _TOKEN.match(source.text, at)
        if found is None:
            what = "a comment is not closed" if source.text[at] == "{" else f"{source.text[at]!r} is not part of a move"
            raise _refuse(source, at, what)
        kind = found.lastgroup or ""
        kind = "tag" if found["tag"] else kind
        if kind not in ("space", "number", "glyph"):
            token = f"{found['name']}\0{found['value']}" if kind == "tag" else found[0]
            yield kind, token, at
        at = found.end()


def _goes_on(text: str, at: int) -> bool:
    """Whether another move follows: ``0-0`` is the result of a game, or castling."""
    rest = re.sub(r"\{[^}]*\}|;[^\n]*|\$\d+", "", text[at:]).lstrip()
    return bool(rest) and not rest.startswith("[")


# -------------------------------------------------------------------------------------------------------- SGF


def _sgf(source: Source) -> Fields:
    """The moves of the main line, which is the first branch everywhere. Black's move comes first, and the two alternate."""
    entries, last, size = list[Entry](), "W", (GO_SIDE, GO_SIDE)
    for name, values, at in _properties(source):
        line = source.text.count("\n", 0, at) + 1
        if name in _SET_UP:
            what = f"{name}: this game does not begin with the usual position"
            raise _refuse(source, at, what, "A position is written as text: see `gamedsl position`.")
        if name == "SZ":
            size = _size(source, values[0], at)
        elif name == "C":
            entries.append(Entry("comment", " ".join(values[0].split()), line=line))
        elif name in ("B", "W"):
            if name == last:
                raise _refuse(source, at, f"{name}[{values[0]}]: it is not {name}'s turn")
            last = name
            entries.append(Entry("ply", values[0].strip() or "pass", line=line))
    return {"entries": tuple(entries), "size": size, "source": source}


def _size(source: Source, value: str, at: int) -> tuple[int, int]:
    """Columns and rows: ``9`` or ``9:13``."""
    found = re.fullmatch(r"\s*(\d{1,3})\s*(?::\s*(\d{1,3})\s*)?", value)
    if found is None:
        raise _refuse(source, at, f"{value!r} is not the size of a board")
    return int(found[1]), int(found[2] or found[1])


def _properties(source: Source) -> Iterator[tuple[str, list[str], int]]:
    """The properties of the main line: up to the first end of a branch."""
    text, at = source.text, 0
    while at < len(text):
        if text[at] == ")":
            return
        if text[at] in "(;" or text[at].isspace():
            at += 1
            continue
        found = _PROPERTY.match(text, at)
        if found is None:
            raise _refuse(source, at, f"{text[at]!r} is not part of a property like `B[aa]`")
        values = [re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL) for value in _VALUE.findall(found["values"])]
        yield "".join(c for c in found["name"] if c.isupper()), values, at
        at = found.end()
    raise _refuse(source, len(text), "the last `)` is missing: the file was cut")
