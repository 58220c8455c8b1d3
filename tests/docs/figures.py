"""Figures in the docs: measured numbers in sentences and tables, and the commands beside them that reproduce them.

A figure needs a command that reproduces it. This is a `gamedsl` command with its arguments in the same section (a code span or a
session), or a script (`python benchmarks/...`, `python examples/...`, `python -m pytest tests/...`, a link to one) in
the same section or in the text of a section around it. What is not a measurement (a limit, an option's value, a rule
of a game) is listed with its reason in ``figures_allowed.txt``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

NUMBER = r"(?<![\w.,:#-])\d[\d.,]*(?: (?:thousand|million|billion))?"
UNIT = r"(?:[µnm]?s|milliseconds?|seconds?|minutes?|hours?|[kMG]i?B|(?:bytes|seconds?|steps|plays|playouts|games) (?:a|per) \w+|%)"
FIGURE = re.compile(
    rf"{NUMBER}(?: (?:to|or|and) {NUMBER})? ?{UNIT}(?![\w/])"  # 27 and 39 seconds, 5 to 10 %
    rf"|{NUMBER} [\w' -]{{0,40}}(?:a|per) second\b"  # 400,000 simulations a second
    rf"|{NUMBER}(?: to {NUMBER})? times (?:as|faster|slower|longer|smaller|larger|more|the|that|what)\b"
    rf"|\b(?:twice|(?:two|three|four|five|ten|a half) times) as (?:fast|slow|long|many|large)\b"
    r"|\bin (?:about |some )?(?:a|two|three|several) (?:seconds?|minutes?|hours?)\b"
    rf"|{NUMBER} [\w' -]{{0,20}}(?:Elo|chips a game)\b"
)
MEASURED = re.compile(
    r"\b(?:seconds?|ms|[kMG]B|positions|states|factor|rate|share|times|scores?|a second|none found)\b|%", re.I
)
MEASURING = (
    "solve|verify|simulate|depth|tournament|exploitability|coverage|perft|compile|export|report|site|test|actions"
)
COMMAND = re.compile(rf"(?:`|^)(?:\$ )?(gamedsl (?:{MEASURING}) [^`\n]+)", re.M)
SCRIPT = re.compile(
    r"(?:`|^)(python (?:-m pytest tests/|benchmarks/|examples/)[^`\n]*)|\]\([./]*((?:benchmarks|examples)/[\w./]+)",
    re.M,
)
FENCE = re.compile(r"^```[^\n]*\n(.*?)^```$", re.S | re.M)
HEADING = re.compile(r"^(#+) ", re.M)


@dataclass
class Section:
    """The text below one heading, up to the next one, and the sections around it."""

    level: int
    around: Section | None
    lines: list[tuple[int, str]] = field(default_factory=list)  # outside code blocks, with their numbers
    commands: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)

    @property
    def has_script(self) -> bool:
        return bool(self.scripts) or (self.around is not None and self.around.has_script)


@dataclass(frozen=True)
class Figure:
    page: str
    line: int
    text: str  # the line
    number: str
    section: Section

    @property
    def is_reproducible(self) -> bool:
        return bool(self.section.commands) or self.section.has_script


def sections(text: str) -> Iterator[Section]:
    text = FENCE.sub(lambda fence: _session_only(fence[0], fence[1]), text)
    current = Section(0, None)
    for number, line in enumerate(text.splitlines(), 1):
        if heading := HEADING.match(line):
            yield current
            around: Section | None = current
            while around is not None and around.level >= len(heading[1]):
                around = around.around
            current = Section(len(heading[1]), around)
        current.commands += COMMAND.findall(line.removeprefix("\0"))
        current.scripts += [a or b for a, b in SCRIPT.findall(line.removeprefix("\0"))]
        if not line.startswith("\0"):
            current.lines.append((number, line))
    yield current


def _session_only(fence: str, text: str) -> str:
    """A code block as that many lines: its commands, marked, and nothing else."""
    lines = ["\0" + line if COMMAND.match(line) or SCRIPT.match(line) else "" for line in text.splitlines()]
    return "\n".join(["", *lines, ""])


def figures(page: str, text: str) -> Iterator[Figure]:
    """Every measured number in a sentence, and every table with a column of measurements."""
    for section in sections(text):
        table, lead = False, ""
        for number, line in section.lines:
            starts_table = line.startswith("|") and not table
            table = line.startswith("|")
            lead = line if line.strip() and not table else lead  # the last line before a table
            if starts_table and MEASURED.search(_plain(line + lead)) and _has_numbers(section, number):
                yield Figure(page, number, line, "a table", section)
            for found in FIGURE.finditer(_plain(line)):
                yield Figure(page, number, line, found[0], section)


def _has_numbers(section: Section, header: int) -> bool:
    """Most rows of the table that begins in this line hold a number outside its first column."""
    rows = []
    for number, line in section.lines:
        if number > header + 1:
            if not line.startswith("|"):
                break
            rows.append(any(re.match(r"\s*[\d.,]+\b", cell) for cell in _plain(line).split("|")[2:]))
    return bool(rows) and 2 * sum(rows) > len(rows)


def _plain(line: str) -> str:
    """A line without code spans and the targets of links."""
    return re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "`", line))


def pages(root: Path) -> list[Path]:
    """The pages whose figures need a command; not those that are made of docstrings, where numbers are defaults and limits."""
    found = (p for p in (root / "docs").rglob("*.md") if p.parent != root / "docs" / "reference" / "python")
    return sorted([root / "README.md", root / "benchmarks" / "README.md", *found])
