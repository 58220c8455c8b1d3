"""Lines of formatted text: indentation, blank lines, aligned citations, long lines broken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from gamedsl.language.syntax.ast import Notes

WIDTH = 120
CITES_COLUMN = 81
INDENT = "  "
HANGING = "    "

# Stands in code for a space at which a long line may be broken.
BREAK = "\x1f"
# Stands for a space before each further case of a chain ``if ... then ... else if ... else ...``: a long chain is broken
# at all of them. CHAIN, of no width, stands before its first ``if``.
CASE = "\x1e"
CHAIN = "\x1d"

_THEN = f" then{BREAK}"
_ELSE = f"else{BREAK}"
# What may stand before a break, from what binds most loosely.
_LOOSE_ENDS = (
    re.compile(r"(:|,|\b(then|else))$"),
    re.compile(r"\bor$"),
    re.compile(r"\band$"),
    re.compile(r"(=|<|>|\b(in|within|disjoint|meets))$"),
)
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[()\[\]{}]')


def comment(text: str) -> str:
    """The line of a comment's text; the inverse of ``scanner.comment_text``."""
    if not text:
        return "#"
    return f"#{text}" if text.startswith("#") else f"# {text}"


def quote(text: str) -> str:
    """A text in quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@dataclass(slots=True)
class Page:
    """Lines written one after the other. ``depth`` is the level of the last one, -1 before the first."""

    lines: list[str] = field(default_factory=list)
    depth: int = -1

    def line(self, depth: int, code: str, notes: Notes, set_off: bool = False) -> None:
        """One line of code with its notes; an empty line before it if it is not the first of its block."""
        if (notes.gap or set_off) and depth <= self.depth:
            self.lines.append("")
        self.depth = depth
        margin = INDENT * depth
        self.lines.extend(margin + comment(text) for text in notes.before)
        *firsts, last = broken(code, len(margin))
        self.lines.extend(margin + first for first in firsts)
        self.lines.append(_with_notes(margin + last, notes))

    def comments(self, texts: tuple[str, ...]) -> None:
        """Comment lines that stand before nothing."""
        self.lines.extend(comment(text) for text in texts)

    def text(self) -> str:
        return "\n".join(self.lines) + "\n" if self.lines else ""


def _with_notes(code: str, notes: Notes) -> str:
    if notes.cites:
        cites = " ".join(f"@{cite.clause}" for cite in notes.cites)
        code = f"{code:<{CITES_COLUMN - 1}}{cites}" if len(code) <= CITES_COLUMN - 3 else f"{code}  {cites}"
    return code if notes.behind is None else f"{code}  {comment(notes.behind)}"


def flat(code: str) -> str:
    """The code on one line."""
    return code.replace(BREAK, " ").replace(CASE, " ").replace(CHAIN, "")


def broken(code: str, margin: int) -> Iterator[str]:
    """The code broken into lines that fit, as far as possible; all but the first have a hanging indent."""
    line = flat(code)
    if margin + len(line) <= WIDTH or (BREAK not in code and CASE not in code):
        yield line
        return
    head, cases = _cases(code)
    if not cases:
        yield from _filled(code, margin)
        return
    first, *others = cases
    starts_anew = head.endswith(BREAK)
    texts = _columns(cases if starts_anew else others, WIDTH - margin - len(HANGING))
    yield from _filled(head.removesuffix(BREAK) if starts_anew else head + first, margin)
    for text in texts:
        yield from (HANGING + part for part in _filled(text, margin + len(HANGING)))


def _cases(code: str) -> tuple[str, list[str]]:
    """What stands before a chain that is in no bracket, and its cases; no cases if there is no such chain."""
    segments = code.split(CASE)
    outside = [depth == 0 for depth in _depths(segments)]
    joined = segments[:1]
    for segment, free in zip(segments[1:], outside[:-1], strict=True):
        if free:
            joined.append(segment)
        else:
            joined[-1] += BREAK + segment
    head, chain, first = joined[0].rpartition(CHAIN)
    if not chain or len(joined) == 1:
        return "", []
    return head.replace(CHAIN, ""), [part.replace(CHAIN, "") for part in (first, *joined[1:])]


def _columns(cases: list[str], width: int) -> list[str]:
    """The cases with their values in one column, where that fits."""
    parted = [case.partition(_THEN) for case in cases]
    longest = max((len(flat(before)) for before, then, _ in parted if then), default=0)
    texts = []
    for (before, then, value), case in zip(parted, cases, strict=True):
        if then:
            texts.append(f"{before}{' ' * (longest - len(flat(before)))}{_THEN}{value}")
        elif case.startswith(_ELSE):
            texts.append(f"else{' ' * (longest + len(_THEN) - len(_ELSE))}{BREAK}{case.removeprefix(_ELSE)}")
        else:
            texts.append(case)
    return texts if all(len(flat(text)) <= width for text in texts) else cases


def _filled(code: str, margin: int) -> Iterator[str]:
    """The code broken where lines are full."""
    code = code.replace(CASE, BREAK).replace(CHAIN, "")
    if margin + len(code) <= WIDTH:
        yield flat(code)
        return
    parts = code.split(BREAK)
    depths = _depths(parts)
    start, hanging = 0, ""
    while start < len(parts):
        end = _line_end(parts, depths, start, WIDTH - margin - len(hanging))
        yield hanging + " ".join(parts[start:end])
        start, hanging = end, HANGING


def _depths(parts: list[str]) -> list[int]:
    """The bracket depth after each part."""
    depth, depths = 0, []
    for part in parts:
        for match in _BRACKETS.findall(part):
            if match in ("(", "[", "{"):
                depth += 1
            elif match in (")", "]", "}"):
                depth -= 1
        depths.append(depth)
    return depths


def _line_end(parts: list[str], depths: list[int], start: int, width: int) -> int:
    """Where the line that begins with part ``start`` ends: not in brackets if that can be, after an operator that binds as
    loosely as possible, and late."""
    length, fitting = -1, []
    for end in range(start, len(parts)):
        length += 1 + len(parts[end])
        if length > width:
            break
        fitting.append((end + 1, length))
    if not fitting:
        return start + 1
    if fitting[-1][0] == len(parts):
        return len(parts)
    long_enough = [(end, length) for end, length in fitting if 2 * length >= width] or fitting[-1:]
    return min(long_enough, key=lambda place: (depths[place[0] - 1], _binding(parts[place[0] - 1]), -place[0]))[0]


def _binding(part: str) -> int:
    """How closely the code after a break belongs to the operator or word at the end of this part."""
    return next((rank for rank, end in enumerate(_LOOSE_ENDS) if end.search(part)), len(_LOOSE_ENDS))
