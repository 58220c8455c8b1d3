"""The layout of formatted text: indentation, blank lines, aligned citations, breaks in long lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from gamedsl.language.source import lazy_dataclass
from gamedsl.language.syntax.ast import Notes

WIDTH = 120
CITES_COLUMN = 81
INDENT = "  "
HANGING = "    "

# A space in code at which a long line can be broken.
BREAK = "\x1f"
# A space before each further case of a chain ``if ... then ... else if ... else ...``: a long chain is broken
# at all of them. CHAIN, of no width, precedes its first ``if``.
CASE = "\x1e"
CHAIN = "\x1d"

_THEN = f" then{BREAK}"
_ELSE = f"else{BREAK}"
# The ends of parts before a break, from those that bind most loosely.
_LOOSE_ENDS = (
    re.compile(r"(:|,|\b(then|else))$"),
    re.compile(r"\bor$"),
    re.compile(r"\band$"),
    re.compile(r"(=|<|>|\b(in|within|disjoint|meets))$"),
)
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[()\[\]{}]')


def comment(text: str) -> str:
    """Returns the line of a comment's text; the inverse of ``scanner.comment_text``."""
    if not text:
        return "#"
    return f"#{text}" if text.startswith("#") else f"# {text}"


def quote(text: str) -> str:
    """Returns a string in double quotes, escaped."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@lazy_dataclass(slots=True)
class Page:
    """A growing list of lines. ``depth`` is the level of the last one, -1 before the first."""

    lines: list[str] = field(default_factory=list)
    depth: int = -1

    def line(self, depth: int, code: str, notes: Notes, set_off: bool = False) -> None:
        """Adds a line of code with its notes. ``set_off``: after an empty line, unless it is the first of its block."""
        if (notes.gap or set_off) and depth <= self.depth:
            self.lines.append("")
        self.depth = depth
        margin = INDENT * depth
        self.lines.extend(margin + comment(text) for text in notes.before)
        *firsts, last = broken(code, len(margin))
        self.lines.extend(margin + first for first in firsts)
        self.lines.append(_with_notes(margin + last, notes))

    def comments(self, texts: tuple[str, ...]) -> None:
        """Adds comment lines that belong to no line of code."""
        self.lines.extend(comment(text) for text in texts)

    def text(self) -> str:
        return "\n".join(self.lines) + "\n" if self.lines else ""


def _with_notes(code: str, notes: Notes) -> str:
    if notes.cites:
        cites = " ".join(f"@{cite.clause}" for cite in notes.cites)
        code = f"{code:<{CITES_COLUMN - 1}}{cites}" if len(code) <= CITES_COLUMN - 3 else f"{code}  {cites}"
    return code if notes.behind is None else f"{code}  {comment(notes.behind)}"


def flat(code: str) -> str:
    """Returns the code on one line."""
    return code.replace(BREAK, " ").replace(CASE, " ").replace(CHAIN, "")


def broken(code: str, margin: int) -> Iterator[str]:
    """Yields the code in lines that fit as far as possible; all but the first have a hanging indent."""
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
    """Returns the code before a chain that is not in brackets, and the chain's cases; no cases if there is no such
    chain.
    """
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
    """Returns the cases with their values in one column, or unchanged if that does not fit."""
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
    """Yields the code in lines that are broken where they are full."""
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
    """Returns the bracket depth after each part."""
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
    """Returns the end of the line that begins with part ``start``: outside brackets if possible, after an operator
    that binds as loosely as possible, and as late as possible.
    """
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
    """Returns how tightly the operator or word at the end of a part binds the code after it (0: most loosely)."""
    return next((rank for rank, end in enumerate(_LOOSE_ENDS) if end.search(part)), len(_LOOSE_ENDS))
