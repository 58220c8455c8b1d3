"""The text of a record -> the fields of a ``Record``, or the line at which it was changed or cut."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import suppress

from gamedsl.engine.records.entries import FIRST_LINE, Entry, record_error
from gamedsl.engine.records.formats import RECORD_FORMATS, Fields, RecordFormat, format_of
from gamedsl.language.source import GameDSLError, Source, Span

CODE = re.compile(r"^(?P<text>.*\S) ~(?P<code>[0-9a-f]{6})$", re.DOTALL)
PLY = re.compile(r"^(?P<number>[0-9]{1,9})\. (?P<who>[^:]+): (?P<text>.+)$")
REFUSED = re.compile(r"^refused (?P<who>[^:]+): (?P<text>.+)$")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufffd\ud800-\udfff]")
HEADERS = ("game", "rules", "options", "seed", "seats", "seat", "position")


def parse_record(source: Source, has_numbers: bool = False) -> Fields:
    """The fields of a record with codes, of a game written by another program, or of a list of moves written by hand.
    ``has_numbers``: read it as numbered moves (``1. a b``). Raises ``GameDSLError`` (E0531) with the line of an
    error."""
    numbered = RECORD_FORMATS.find("numbered") if has_numbers else None
    return (numbered or format_of(source.text)).read(source)


def _is_coded(text: str) -> bool:
    return text.startswith("gamedsl record")


def _lines(source: Source) -> list[str]:
    return [line.rstrip("\r") for line in source.text.split("\n")]


def parse_good_part(source: Source) -> tuple[Fields, GameDSLError | None]:
    """The fields of the valid beginning of a damaged record, and the error of the line after it (None: there is none).

    A damaged header line is skipped; replaying the rest will show whether it is valid. Raises ``GameDSLError`` if the
    record does not name its game and rules, or has no codes."""
    try:
        return parse_record(source), None
    except GameDSLError as fault:
        if not _is_coded(source.text):
            raise
        lines = _lines(source)
        reader = _Coded(source, lines)
        with suppress(GameDSLError):
            reader.record()
        if not reader.entries and reader.failed > 1:
            others = [line if i != reader.failed else "" for i, line in enumerate(lines, 1)]
            unchecked = _Coded(source, others, checks_codes=False)
            unchecked.headers["rules"] = ""
            with suppress(GameDSLError):
                unchecked.record()
            reader = unchecked if unchecked.entries else reader
        if not {"game", "rules"} <= reader.headers.keys():
            raise
        return reader.built(), fault


class _Coded:
    """Reads a file with codes. ``headers`` and ``entries``: those read so far; ``failed``: the number of the line that
    was refused (0: none)."""

    def __init__(self, source: Source, lines: list[str], checks_codes: bool = True) -> None:
        self.source, self.lines = source, lines
        self.checks_codes = checks_codes
        self.failed = 0
        self.headers: dict[str, str] = {}
        self.entries: list[Entry] = []

    def fail(self, number: int, message: str, help: str = "") -> GameDSLError:
        self.failed = number
        start = self.source.line_starts[min(number, len(self.source.line_starts)) - 1]
        span = Span(self.source, start, start + len(self.source.line(number)))
        return record_error("E0531", f"line {number}: {message}", span, help=help)

    def record(self) -> Fields:
        headers, entries = self.headers, self.entries
        ended = False
        for number, text in self._checked():
            if ended:
                raise self.fail(number, "there is text after the end of the record")
            if number == 1:
                self._first(text)
            elif text.startswith("end "):
                ended = self._end(number, text, entries)
            elif not entries and (found := self._header(text)):
                headers[found[0]] = found[1]
            else:
                entries.append(self._entry(number, text, entries))
        if not ended:
            last = max((i for i, line in enumerate(self.lines, 1) if line), default=1)
            raise self.fail(last, "the record was cut off after this line", "its last line must be `end`")
        return self.built()

    def _checked(self) -> Iterator[tuple[int, str]]:
        """The lines with a correct code, by number; comments without a code and blank lines are skipped."""
        chain = hashlib.sha256()
        for number, line in enumerate(self.lines, 1):
            found = CODE.match(line)
            if not line.strip() or (line.startswith("#") and not found):
                continue
            if not found:
                raise self.fail(number, "the line was changed or cut: its code is missing")
            if _SURROGATE.search(line):
                raise self.fail(number, "this line holds half of a surrogate pair, which is not text")
            chain.update(found["text"].encode() + b"\n")
            if self.checks_codes and chain.hexdigest()[:6] != found["code"]:
                raise self.fail(number, "this line, or one before it, was changed: its code is wrong")
            yield number, found["text"]

    def _first(self, text: str) -> None:
        if text != FIRST_LINE:
            raise self.fail(1, f"the first line must be {FIRST_LINE!r}, not {text!r}")

    def _end(self, number: int, text: str, entries: list[Entry]) -> bool:
        plies = sum(e.kind == "ply" for e in entries)
        if text != f"end {plies}":
            raise self.fail(number, f"the record has {plies} plies, but its last line says {text!r}")
        return True

    def _header(self, text: str) -> tuple[str, str] | None:
        name, colon, value = text.partition(":")
        return (name, value.strip()) if colon and name in HEADERS else None

    def _entry(self, number: int, text: str, before: list[Entry]) -> Entry:
        if text.startswith("#"):
            return Entry("comment", text[1:].strip(), line=number)
        if text == "redraw":
            return Entry("redraw", line=number)
        if found := REFUSED.match(text):
            return Entry("refused", found["text"], found["who"], line=number)
        found = PLY.match(text)
        if found and int(found["number"]) == 1 + sum(e.kind == "ply" for e in before):
            return Entry("ply", found["text"], found["who"], line=number)
        raise self.fail(number, f"{text[:40]!r} is neither the next ply nor anything else a record has")

    def built(self) -> Fields:
        """The fields of the record, as far as it has been read."""
        headers, entries = self.headers, self.entries
        for name in ("game", "rules"):
            if name not in headers:
                raise self.fail(1, f"the record has no {name}")
        options = dict(pair.split("=", 1) for pair in headers.get("options", "").split(", ") if "=" in pair)
        seats = tuple(s for s in headers.get("seats", "").split(", ") if s)
        seed = headers.get("seed")
        if seed is not None and not re.fullmatch(r"-?[0-9]{1,30}", seed):
            raise self.fail(1, "the seed is not a number")
        number = int(seed) if seed is not None else None
        return {
            "game": headers["game"],
            "options": options,
            "digest": headers["rules"],
            "seed": number,
            "seats": seats,
            "entries": tuple(entries),
            "seat": headers.get("seat", ""),
            "position": headers.get("position", ""),
            "source": self.source,
        }


def _plain(source: Source) -> Fields:
    """A list of moves written by hand: ``12. X: r2c2  # a remark``, with everything but the move optional."""
    entries: list[Entry] = []
    if not source.text.strip():
        raise record_error("E0531", "the file is empty, not a record of a game", Span(source, 0, 0))
    for number, line in enumerate(_lines(source), 1):
        if _NO_TEXT.search(line):
            start = source.line_starts[number - 1]
            what = f"line {number} is not text: this is not a record of a game"
            raise record_error("E0531", what, Span(source, start, start))
        text = re.split(r"(?:^|\s)#", line, maxsplit=1)[0].strip()
        if not text:
            if line.strip():
                entries.append(Entry("comment", line.strip().lstrip("#").strip(), line=number))
            continue
        text = re.sub(r"^[0-9]+\.\s+", "", text)
        who, colon, rest = text.partition(": ")
        if colon and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", who):
            entries.append(Entry("ply", rest.strip(), who, line=number))
        else:
            entries.append(Entry("ply", text, line=number))
    return {"entries": tuple(entries), "source": source}


CODED = RecordFormat(_is_coded, lambda source: _Coded(source, _lines(source)).record())
PLAIN = RecordFormat(lambda text: True, _plain)
