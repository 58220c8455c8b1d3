"""Games written by other programs, as fields of a ``Record``: moves with numbers (PGN, PDN), and SGF.

The moves themselves are read later, with the rules, in the usual notation or in one that the ruleset declares.
Variations (alternatives to the moves that were made) are dropped.

Sources: Portable Game Notation, Standard (1994), 8; SGF FF[4] (red-bean.com/sgf).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from gamedsl.engine.records.entries import Entry, record_error
from gamedsl.engine.records.formats import Fields, RecordFormat
from gamedsl.language.source import GameDSLError, Source, Span

_TAG = r'\[\s*(?P<name>\w+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\s*\]'
_TOKEN = re.compile(
    rf"(?P<space>[\s\ufeff]+|^%[^\n]*)|(?P<tag>{_TAG})|(?P<comment>\{{[^}}]*\}}|;[^\n]*)|(?P<sign>[()])|(?P<glyph>\$\d+|[!?]+)"
    r"|(?P<number>\d+(?=\s?\.))|(?P<dots>\s?\.+)|(?P<word>[^\s{}();\[\]]+)",
    re.MULTILINE,
)
_RESULT_TEXT = r"(?:\*|[012]-[012]|1/2-1/2)"
_NUMBERED = re.compile(
    rf"^[^\S\n]*1\.+\s*[^\s:.]+\s[^:\n]*\s2\.+\s*\S|^[^\S\n]*1\.[^:\n]*\s{_RESULT_TEXT}[^\S\n]*$", re.MULTILINE
)
_RESULT = re.compile(_RESULT_TEXT)
_BEGINNING = "[\\s\ufeff]*"  # a byte order mark may come first
_SGF = re.compile(_BEGINNING + r"\(\s*;")
_PROPERTY = re.compile(r"(?P<name>[A-Za-z]+)\s*(?P<values>(?:\[(?:[^\]\\]|\\.)*\]\s*)+)", re.DOTALL)
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
ANOTHER = ("another game begins here", "Only one game can be read from a file. Keep that one.")
CUT = "the last `)` is missing: the file was cut"
CASTLING = "0-0"  # also a result
OLD_PASS = "tt"  # on boards that do not have such a point
GO_SIDE = 19  # if a file does not state the size of the board
_SET_UP = ("AB", "AW", "AE", "PL")


def _is_sgf(text: str) -> bool:
    return bool(_SGF.match(text))


def _has_numbers(text: str) -> bool:
    """Whether a text begins like PGN or PDN, or has numbered moves, two or more on a line."""
    text = text.removeprefix("\ufeff")
    return bool(re.match(rf"{_BEGINNING}(?:{_TAG}|\{{[^}}]*\}}\s*1\s?\.)", text) or _NUMBERED.search(text))


def _refuse(source: Source, at: int, message: str, help: str = "") -> GameDSLError:
    line = _line_of(source, at)
    start = source.line_starts[line - 1]
    return record_error(
        "E0531", f"line {line}: {message}", Span(source, start, start + len(source.line(line))), help=help
    )


def _line_of(source: Source, at: int) -> int:
    return bisect_right(source.line_starts, at)


# ------------------------------------------------------------------------------------------------- PGN and PDN


def _numbered(source: Source) -> Fields:
    entries, position, depth, ended, plies = list[Entry](), "", 0, False, 0
    zeros: int | None = None  # the last entry, if it reads 0-0: castling if a move follows, else the result
    for kind, token, at in _tokens(source):
        line = _line_of(source, at)
        zeros = zeros if kind == "comment" else None
        if (kind == "tag" and entries) or (kind == "number" and depth == 0 and int(token[:9]) == 1 and plies > 1):
            raise _refuse(source, at, *ANOTHER)
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
            zeros = len(entries) if token == CASTLING else None
            ended = zeros is None and bool(_RESULT.fullmatch(token))
            if not ended:
                entries.append(Entry("ply", token.rstrip("!?"), line=line))
                plies += 1
    if depth:
        raise _refuse(source, len(source.text), "a `(` is not closed")
    if zeros is not None:
        del entries[zeros]
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
        if kind not in ("space", "dots", "glyph"):
            token = f"{found['name']}\0{found['value']}" if kind == "tag" else found[0]
            yield kind, token, at
        at = found.end()


# -------------------------------------------------------------------------------------------------------- SGF


def _sgf(source: Source) -> Fields:
    """The moves of the main line: the first branch everywhere. Black moves first, and the two players alternate."""
    entries, last, size = list[Entry](), "W", (GO_SIDE, GO_SIDE)
    for name, values, at in _properties(source):
        line = _line_of(source, at)
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
            text = values[0].strip()
            is_pass = not text or (text == OLD_PASS and max(size) <= GO_SIDE)
            entries.append(Entry("ply", "pass" if is_pass else text, line=line))
    return {"entries": tuple(entries), "size": size, "source": source}


def _size(source: Source, value: str, at: int) -> tuple[int, int]:
    """Columns and rows: ``9`` or ``9:13``."""
    found = re.fullmatch(r"\s*(\d{1,3})\s*(?::\s*(\d{1,3})\s*)?", value)
    if found is None:
        raise _refuse(source, at, f"{value!r} is not the size of a board")
    return int(found[1]), int(found[2] or found[1])


def _check_rest(source: Source, at: int, depth: int) -> None:
    """Raises ``GameDSLError`` if other games follow the one whose main line ends here, ``depth`` branches deep, or a
    branch is not closed."""
    for found in re.finditer(r"\[(?:[^\]\\]|\\.)*\]|[()]", source.text[at:], re.DOTALL):
        if depth == 0:
            raise _refuse(source, at + found.start(), *ANOTHER)
        depth += {"(": 1, ")": -1}.get(found[0], 0)
    if depth:
        raise _refuse(source, len(source.text), CUT)


def _properties(source: Source) -> Iterator[tuple[str, list[str], int]]:
    """The properties of the main line: up to the first end of a branch."""
    text, at, depth = source.text, 0, 0
    while at < len(text):
        if text[at] == ")":
            return _check_rest(source, at, depth)
        if text[at] in "(;\ufeff" or text[at].isspace():
            depth += text[at] == "("
            at += 1
            continue
        found = _PROPERTY.match(text, at)
        if found is None:
            raise _refuse(source, at, f"{text[at]!r} is not part of a property like `B[aa]`")
        values = [re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL) for value in _VALUE.findall(found["values"])]
        yield "".join(c for c in found["name"] if c.isupper()), values, at
        at = found.end()
    raise _refuse(source, len(text), CUT)


SGF = RecordFormat(_is_sgf, _sgf)
NUMBERED = RecordFormat(_has_numbers, _numbered)
