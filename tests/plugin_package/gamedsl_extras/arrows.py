"""A record format: ``->`` before every move, in the first line already."""

from __future__ import annotations

from typing import Any

from gamedsl.engine import Entry, RecordFormat, record_error
from gamedsl.language.source import Source, Span

SIGN = "->"


def fits(text: str) -> bool:
    return text.startswith(SIGN)


def read(source: Source) -> dict[str, Any]:
    entries = []
    for number, line in enumerate(source.text.splitlines(), 1):
        if not line.startswith(SIGN):
            start = source.line_starts[number - 1]
            raise record_error("E0531", f"line {number}: no {SIGN}", Span(source, start, start + len(line)))
        entries.append(Entry("ply", line.removeprefix(SIGN).strip(), line=number))
    return {"entries": tuple(entries), "source": source}


FORMAT = RecordFormat(fits, read)
