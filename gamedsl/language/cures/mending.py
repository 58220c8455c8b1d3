"""Mending: applies cures to a file round after round, as long as each round reduces the number of mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from pathlib import Path

from gamedsl.language.cures.cured_messages import cured
from gamedsl.language.rules import MOST_BYTES, check_file, decoded, parse_source
from gamedsl.language.source import (
    Diagnostic,
    Edit,
    Fix,
    Source,
    Span,
    apply_edits,
    lazy_dataclass,
    read_file,
    unchanged,
    write_file,
)

MOST_ROUNDS = 20
_BOM = "\ufeff"

Check = Callable[[str], list[Diagnostic]]


@lazy_dataclass(slots=True)
class Mended:
    """The result for a file: the fixes that were applied, each with its line; the messages that are left; and the unsafe
    fixes of these, which were not asked for."""

    applied: list[tuple[int, Fix]] = field(default_factory=list)
    left: list[Diagnostic] = field(default_factory=list)
    unsafe: list[Fix] = field(default_factory=list)


def mend_file(path: Path, options: Mapping[str, str | int | bool] | None = None, *, unsafe: bool = False) -> Mended:
    """Applies the safe fixes of a ruleset's file (``unsafe``: all of them), and writes the file if it changed. Line
    ends and a byte order mark are preserved. Raises ``OSError`` if it cannot be written, or was changed in the meantime.
    """
    data = read_file(path, MOST_BYTES)
    mark = data.startswith(_BOM.encode())
    raw = decoded(data, path)
    mended = Mended()

    def check(text: str) -> list[Diagnostic]:
        parsed = parse_source(Source(str(path), text))
        _, found = check_file(path, options, {str(path.resolve()): parsed})
        return cured(found)

    new = _mend(raw, str(path), check, mended, unsafe)
    if new != raw:
        write_file(path, (_BOM if mark else "") + new, check=unchanged(path, data))
    return mended


def _mend(raw: str, path: str, check: Check, mended: Mended, unsafe: bool) -> str:
    """Returns the text after all fixes that help."""
    found = check(raw.replace("\r\n", "\n"))
    for _ in range(MOST_ROUNDS):
        fixes = _fitting(found, unsafe, path)
        step = _first_better(raw, found, [fixes, *([one] for one in fixes)], check)
        if step is None:
            break
        raw, found, taken = step
        mended.applied += [(fix.edits[0].span.line, fix) for fix in taken]
    mended.left = found
    mended.unsafe = [] if unsafe else _fitting(found, True, path)
    return raw


def _fitting(found: Iterable[Diagnostic], unsafe: bool, path: str) -> list[Fix]:
    """Returns the likeliest fix of every message about a file, without those that overlap an earlier one."""
    fixes: list[Fix] = []
    for one in found:
        fix = next((f for f in one.fixes if f.safe or unsafe), None)
        if fix is None or any(e.span.source.path != path for e in fix.edits):
            continue
        if all(fix.end < f.start or f.end < fix.start for f in fixes):
            fixes.append(fix)
    return fixes


def _first_better(
    raw: str, found: list[Diagnostic], choices: Iterable[list[Fix]], check: Check
) -> tuple[str, list[Diagnostic], list[Fix]] | None:
    """Returns the text, its messages and the fixes of the first choice that reduces the mistakes; None if none does."""
    for fixes in choices:
        if fixes:
            new = apply_edits(raw, [_in_raw(edit, raw) for fix in fixes for edit in fix.edits])
            after = check(new.replace("\r\n", "\n"))
            if _badness(after) < _badness(found):
                return new, after, fixes
    return None


def _badness(found: list[Diagnostic]) -> tuple[int, int, int]:
    """Returns a measure of the mistakes: the stage at which the check stopped, then the numbers of errors and
    warnings.
    """
    errors = [d for d in found if d.is_error]
    stage = 2 if any(d.code[:3] in ("E01", "E06") for d in errors) else 1 if errors else 0
    return stage, len(errors), len(found) - len(errors)


def _in_raw(edit: Edit, raw: str) -> Edit:
    r"""Converts an edit of the text with ``\n`` to one of the text with the line ends of the file."""
    if "\r\n" not in raw:
        return edit
    source = Source(edit.span.source.path, raw)

    def offset(at: int) -> int:
        line, column = edit.span.source.position(at)
        return source.line_starts[line - 1] + column - 1

    span = Span(source, offset(edit.span.start), offset(edit.span.end))
    return Edit(span, edit.text.replace("\n", "\r\n"))
