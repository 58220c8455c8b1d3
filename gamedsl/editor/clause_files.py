"""The index of a document's clauses, beside the rulesets that name it: which lines cite a clause, and which clauses none does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path

from gamedsl.editor.completions import Candidate
from gamedsl.editor.data_cursor import Cursor
from gamedsl.editor.desk import Desk
from gamedsl.editor.schema_completions import describe_place, key_candidates, word_candidates
from gamedsl.editor.schema_reading import schema
from gamedsl.language.source import Diagnostic, GameDSLError, Source, Span, lazy_dataclass
from gamedsl.language.syntax import Datum, ast, data_problem, read_document, read_lines


@lazy_dataclass(frozen=True)
class Entry:
    """A clause of the index, with the places of its number and of all of it."""

    number: str
    text: str
    span: Span
    whole: Span


@lazy_dataclass(frozen=True)
class Index:
    """The clauses of a file, and the places that cite each of them, by its number. ``problems``: of the file's form."""

    entries: tuple[Entry, ...]
    cited: Mapping[str, list[tuple[Source, int, int]]]
    rulesets: tuple[str, ...]
    problems: tuple[Diagnostic, ...] = field(default=())

    def lines(self, number: str) -> str:
        """The lines that cite a clause: "hex.gdl:12, 15"."""
        found: dict[str, list[int]] = {}
        for source, start, _ in self.cited.get(number, ()):
            found.setdefault(Path(source.path).name, []).append(source.position(start)[0])
        return "; ".join(f"{name}:{', '.join(map(str, dict.fromkeys(rows)))}" for name, rows in found.items())


def read_index(desk: Desk, source: Source) -> Index:
    """The index in a text, as far as it can be read, with the citations in the rulesets that name it."""
    entries, problems = _entries(source)
    rulesets = desk.naming_it(source.path)
    cited: dict[str, list[tuple[Source, int, int]]] = {}
    for text in _citing(desk, rulesets):
        for cite in _citations(text):
            cited.setdefault(cite.clause, []).append((text, cite.span.start, cite.span.end))
    return Index(tuple(entries), cited, tuple(rulesets), tuple(problems))


def _citations(source: Source) -> Iterator[ast.Cite]:
    """The citations in a text, whether or not it parses, that the check counts: in ``info`` only those of ``presentation``, as the
    others explain.
    """
    inside = -1  # the indentation of the ``info`` around a line
    for line in read_lines(source):
        if line.indent <= inside:
            inside = -1
        if inside < 0 or line.first == "presentation":
            yield from line.cites
        if inside < 0 and line.first == "info" and len(line.words) == 1:
            inside = line.indent


def _citing(desk: Desk, rulesets: list[str]) -> Iterator[Source]:
    """The rulesets that name an index, and those that they are made of."""
    paths = dict.fromkeys(rulesets)
    for path in rulesets:
        source = desk.source(path)
        if source is not None:
            paths |= dict.fromkeys(p for p in sorted(desk.linked(path, source)) if p.endswith(".gdl"))
    for path in paths:
        source = desk.source(path)
        if source is not None:
            yield source


def _entries(source: Source) -> tuple[list[Entry], list[Diagnostic]]:
    try:
        document = read_document(source)
    except GameDSLError as mistake:
        return [], list(mistake.diagnostics)
    rows = document.value.get("clauses", document) if isinstance(document.value, dict) else document
    if isinstance(rows.value, dict):  # numbers with their texts
        pairs = rows.value.items()
        return [Entry(k, str(v.value), rows.key_span(k), rows.key_span(k)) for k, v in pairs], []
    entries: list[Entry] = []
    problems: list[Diagnostic] = []
    seen: set[str] = set()
    for row in rows.value if isinstance(rows.value, list) else [rows]:
        problem = _problem(row, seen)
        if problem is not None:
            problems.append(problem)
        elif isinstance(row.value, dict):
            number, text = row.value["number"], row.value["text"]
            seen.add(str(number.value))
            entries.append(Entry(str(number.value), str(text.value), number.span, row.span))
    return entries, problems


def _problem(row: Datum, seen: set[str]) -> Diagnostic | None:
    """What is wrong with an entry."""
    if not isinstance(row.value, dict):
        wanted = "an entry with `number` and `text`"
        return data_problem("E0642", row.span, row.pointer, wanted=wanted, got="another value")
    for key in row.value:
        if key not in ("number", "text"):
            return data_problem("E0640", row.key_span(key), row.pointer, key=key, keys="number, text")
    for key in ("number", "text"):
        if key not in row.value:
            problem = f"the key `{key}` is missing"
            return data_problem("E0641", row.span, row.pointer, problem=problem, hint="add the missing keys")
        if not isinstance(row.value[key].value, str):
            wanted = "a string in quotes"
            return data_problem("E0642", row.value[key].span, row.pointer, wanted=wanted, got="another value")
    number = row.value["number"]
    if number.value in seen:
        problem = f"the clause {number.value} is listed already"
        return data_problem("E0643", number.span, number.pointer, problem=problem)
    return None


def check_index(desk: Desk, source: Source) -> list[Diagnostic]:
    """The messages about an index: its form, and a warning for each clause that no line cites."""
    index = read_index(desk, source)
    found = list(index.problems)
    if index.rulesets and index.cited and not found:
        name = ", ".join(Path(path).name for path in index.rulesets)
        for entry in index.entries:
            if entry.number not in index.cited:
                message = f"no line of {name} cites the clause {entry.number}"
                found.append(Diagnostic("W0906", message, entry.span))
    return found


def clause_completions(desk: Desk, source: Source, cursor: Cursor) -> list[Candidate]:
    """Keys of an entry; for a number the clauses that are cited and not listed."""
    root = schema("clauses")
    if cursor.is_key:
        return list(key_candidates(root, cursor))
    if cursor.path[-1:] == ("number",):
        index = read_index(desk, source)
        listed = {entry.number for entry in index.entries}
        missing = [number for number in index.cited if number not in listed]
        return [
            Candidate(number, "clause", f"cited at {index.lines(number)}", cursor.quoted(number)) for number in missing
        ]
    return list(word_candidates(root, cursor))


def clause_hover(desk: Desk, source: Source, cursor: Cursor) -> str:
    """Markdown about an entry: its text, and the lines that cite it; what a key is for."""
    if cursor.is_key:
        return describe_place(schema("clauses"), cursor)
    index = read_index(desk, source)
    entry = next((e for e in index.entries if e.whole.start <= cursor.start <= e.whole.end), None)
    if entry is None:
        return ""
    lines = index.lines(entry.number)
    return f"**@{entry.number}** {entry.text}\n\n" + (f"Cited at {lines}." if lines else "No line cites it.")
