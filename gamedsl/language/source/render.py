"""Diagnostics -> text for a terminal, or JSON for programs.

    error[E0201]: there is nothing called mrak
      --> game.gdl:7:3
       |
     7 |   put mrak[me] on c
       |       ^^^^
       = did you mean: mark
       = explain: gamedsl explain E0201

Plain ASCII around the source's own text. Nothing here fails, however odd the span or the line.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from gamedsl.language.source.diagnostic import Diagnostic, Label
from gamedsl.language.source.fix import Fix
from gamedsl.language.source.lazy_classes import node
from gamedsl.language.source.text import NOWHERE, Source, Span

Paint: TypeAlias = Callable[[str, str], str]
TAB = 4
MOST_LINES = 6  # source lines shown under one diagnostic
_RED, _YELLOW, _BLUE, _BOLD, _CYAN = "1;31", "1;33", "1;34", "1", "36"


def render(diagnostic: Diagnostic, colour: bool = False, width: int = 100) -> str:
    """Renders one diagnostic as lines of text (no trailing line end), at most ``width`` columns where it can be cut."""
    paint = _painter(colour)
    main = _RED if diagnostic.is_error else _YELLOW
    word = "error" if diagnostic.is_error else "warning"
    lines = [paint(f"{word}[{diagnostic.code}]", main) + paint(f": {on_one_line(diagnostic.message)}", _BOLD)]
    gutter = 0
    if has_place(diagnostic.span):
        marks = [_Mark(diagnostic.span, "^", "", main)]
        marks += [_Mark(label.span, "-", label.text, _BLUE) for label in diagnostic.labels if has_place(label.span)]
        gutter = max(len(str(m.span.line)) for m in marks)
        lines += _frames(marks, gutter, max(40, width), paint)
    lines += [" " * gutter + paint(" = ", _BLUE) + text for text in _notes(diagnostic, paint)]
    return "\n".join(lines)


def render_all(diagnostics: Iterable[Diagnostic], colour: bool = False, width: int = 100) -> str:
    """Renders all diagnostics, separated by blank lines, with a count if there are several."""
    found = list(diagnostics)
    blocks = [render(d, colour, width) for d in found]
    if len(found) > 1:
        errors = sum(d.is_error for d in found)
        counts = [_counted(errors, "error"), _counted(len(found) - errors, "warning")]
        blocks.append(", ".join(c for c in counts if c))
    return "\n\n".join(blocks)


def diagnostic_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """Returns the diagnostic as plain values. Lines and columns count from 1; the end column is exclusive."""
    return {
        "code": diagnostic.code,
        "severity": "error" if diagnostic.is_error else "warning",
        "message": diagnostic.message,
        "place": span_json(diagnostic.span),
        "labels": [{"text": label.text, "place": span_json(label.span)} for label in diagnostic.labels],
        "expected": diagnostic.expected or None,
        "near": list(diagnostic.near),
        "help": diagnostic.help or None,
        "pointer": diagnostic.pointer or None,
        "fixes": [fix_json(fix) for fix in diagnostic.fixes],
    }


def fix_json(fix: Fix) -> dict[str, Any]:
    """Returns a fix as plain values: every edit replaces the source at its place with its text."""
    edits = [{"place": span_json(edit.span), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


def span_json(span: Span) -> dict[str, Any] | None:
    """Returns a place as plain values; None for no place."""
    if not has_place(span):
        return None
    end_line, end_column = span.source.position(max(span.start, span.end))
    return {
        "path": span.source.path,
        "line": span.line,
        "column": span.column,
        "end_line": end_line,
        "end_column": end_column,
    }


def has_place(span: Span) -> bool:
    """Returns whether a span has a place in a source, unlike ``NOWHERE``."""
    return span.source is not NOWHERE.source and span.source != NOWHERE.source


# -------------------------------------------------------------------------------------------------- the frame


@node(slots=True)
class _Mark:
    span: Span
    char: str
    text: str
    colour: str


def _frames(marks: list[_Mark], gutter: int, width: int, paint: Paint) -> list[str]:
    """Renders places and source lines, one frame per source; the main place first."""
    lines: list[str] = []
    sources: list[Source] = []
    for mark in marks:
        if not any(mark.span.source is s for s in sources):
            sources.append(mark.span.source)
    for number, source in enumerate(sources):
        inside = [m for m in marks if m.span.source is source]
        arrow = "-->" if number == 0 else ":::"
        lines.append(" " * gutter + paint(f"{arrow} ", _BLUE) + on_one_line(str(inside[0].span)))
        lines += _frame(source, inside, gutter, width, paint)
    return lines


def _frame(source: Source, marks: list[_Mark], gutter: int, width: int, paint: Paint) -> list[str]:
    bar = paint(" |", _BLUE)
    lines = [" " * gutter + bar]
    previous = 0
    for number in sorted({m.span.line for m in marks})[:MOST_LINES]:
        if previous and number == previous + 2:
            lines.append(_source_line(source, number - 1, gutter, width, paint))
        elif previous and number > previous + 2:
            lines.append(paint("...", _BLUE))
        previous = number
        on_line = [m for m in marks if m.span.line == number]
        window = _Window.of(source.line(number), on_line[0].span.column, width - gutter - 4)
        head = paint(str(number).rjust(gutter) + " |", _BLUE)
        lines.append((head + " " + window.shown).rstrip())
        lines += [(" " * gutter + bar + " " + _carets(window, m, paint)).rstrip() for m in on_line]
    return lines


def _source_line(source: Source, number: int, gutter: int, width: int, paint: Paint) -> str:
    window = _Window.of(source.line(number), 1, width - gutter - 4)
    return (paint(str(number).rjust(gutter) + " |", _BLUE) + " " + window.shown).rstrip()


def _carets(window: _Window, mark: _Mark, paint: Paint) -> str:
    first = mark.span.column - 1
    line_end = len(mark.span.source.line(mark.span.line))
    last = min(max(first + 1, first + mark.span.end - mark.span.start), max(line_end, first + 1))
    left, right = window.columns(first, last)
    drawn = mark.char * max(1, right - left)
    return " " * left + paint(drawn + (f" {on_one_line(mark.text)}" if mark.text else ""), mark.colour)


@node(slots=True)
class _Window:
    """The visible part of a source line, and the screen column at which each character begins."""

    shown: str
    starts: tuple[int, ...]  # of every character of the line, and of its end

    @classmethod
    def of(cls, line: str, column: int, width: int) -> _Window:
        width = max(20, width)
        line = line[: column + 4000]
        cells = [_cell(char) for char in line]
        widths = [_width(cell) for cell in cells]
        starts = [0]
        for w in widths:
            starts.append(starts[-1] + w)
        if starts[-1] <= width:
            return cls("".join(cells).rstrip(), tuple(starts))
        at = min(max(column - 1, 0), len(line))
        begin = 0
        while starts[at] - starts[begin] > width // 2:
            begin += 1
        end = begin
        while end < len(line) and starts[end + 1] - starts[begin] <= width - 6:
            end += 1
        head, tail = ("..." if begin else ""), ("..." if end < len(line) else "")
        shift = len(head) - starts[begin]
        low, high = len(head), starts[end] + shift
        return cls(head + "".join(cells[begin:end]) + tail, tuple(min(max(s + shift, low), high) for s in starts))

    def columns(self, first: int, last: int) -> tuple[int, int]:
        top = len(self.starts) - 1
        beyond = max(0, first - top)
        return self.starts[min(max(first, 0), top)] + min(beyond, 1), self.starts[min(max(last, 0), top)] + min(
            beyond, 1
        )


def _cell(char: str) -> str:
    """Returns a character as displayed: tabs as spaces, unprintable characters as U+XXXX."""
    if char == "\t":
        return " " * TAB
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return f"<{ord(char):04X}>"
    return char


def _width(cell: str) -> int:
    if len(cell) != 1:
        return len(cell)
    if unicodedata.combining(cell):
        return 0
    return 2 if unicodedata.east_asian_width(cell) in "WF" else 1


# ------------------------------------------------------------------------------------------------------- notes


def _notes(diagnostic: Diagnostic, paint: Paint) -> list[str]:
    pairs = advice(diagnostic)
    if diagnostic.code[1:].isdigit():
        pairs.append(("explain", f"gamedsl explain {diagnostic.code}"))
    return [paint(f"{name}:", _CYAN) + f" {on_one_line(text)}" for name, text in pairs]


def advice(diagnostic: Diagnostic) -> list[tuple[str, str]]:
    """Returns the notes below a message, as pairs of name and text: loose labels, the pointer, what was expected,
    similar names, help.
    """
    loose: list[Label] = [label for label in diagnostic.labels if not has_place(label.span)]
    pairs = [("note", label.text) for label in loose]
    pairs += [
        ("pointer", diagnostic.pointer),
        ("expected", diagnostic.expected),
        ("did you mean", _choice(diagnostic.near)),
        ("help", diagnostic.help),
    ]
    return [(name, text) for name, text in pairs if text]


def _choice(names: tuple[str, ...]) -> str:
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + " or " + names[-1]


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'s' if count > 1 else ''}" if count else ""


def on_one_line(text: str) -> str:
    """Puts a message on one line, without characters that would disturb a terminal."""
    return "".join(" " if c in "\n\t" else _cell(c) for c in text)


def _painter(colour: bool) -> Paint:
    def paint(text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if colour and text else text

    return paint
