"""The index of the clauses of a rules document, and the report of those that no line cites."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from gamedsl.language.rules.files import MOST_BYTES, library, shortened
from gamedsl.language.source import exists, first_unfit, is_regular, read_file
from gamedsl.language.syntax import ast

if TYPE_CHECKING:
    from gamedsl.language.rules.program_builder import ProgramBuilder


def index_of(program: ProgramBuilder) -> tuple[tuple[str, str], ...]:
    """Returns the clause indexes that the rulesets name, joined; reports citations of clauses that are in none of
    them, and clauses that are not cited.
    """
    index: dict[str, str] = {}
    named = False
    for tree, _ in program.cited:
        for d in tree:
            if isinstance(d, ast.GameDecl):
                for item in d.items:
                    if item.key == "clauses":
                        named = True
                        index.update(_read(program, item, item.span.source.path))
    if named:
        cited = {c.clause for c in program.citations}
        for c in program.citations:
            if c.clause not in index:
                program.report.add("E0443", c.span, near=program.report.near_names(c.clause, index), clause=c.clause)
        for tree, _ in program.cited[:1]:
            heads = [d for d in tree if isinstance(d, ast.GameDecl)]
            missing = [name for name in index if name not in cited]
            if missing and heads and not program.files.is_variant:
                program.report.add("W0906", heads[0].span, clauses=", ".join(missing))
    return tuple(index.items())


def _read(program: ProgramBuilder, item: ast.HeaderItem, path: str) -> Mapping[str, str]:
    files = program.files
    folder = (files.resolved(Path(path)) or Path(path)).parent
    wanted, shipped = files.resolved(folder / item.text), files.resolved(library() / item.text)
    file = shortened(item.text)
    if wanted is None or shipped is None:
        program.report.fail("E0444", item.span, file=file, problem="no file can have this name")
    if not (wanted.is_relative_to(folder) or wanted.is_relative_to(library())):
        program.report.fail("E0435", item.span, file=file)
    if (
        not exists(wanted)
        and str(wanted) not in files.parsed
        and shipped.is_relative_to(library())
        and is_regular(shipped)
    ):
        wanted = shipped  # as for rulesets: beside the file, or else among the shipped ones
    opened = files.parsed.get(str(wanted))  # as an editor holds it
    try:
        return _entries(read_file(wanted, MOST_BYTES) if opened is None else opened.source.text.encode())
    except (OSError, ValueError, RecursionError) as problem:
        what = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem).splitlines()[0]
        program.report.fail("E0444", item.span, file=file, problem=what)


@lru_cache(maxsize=16)
def _entries(data: bytes) -> Mapping[str, str]:
    """Returns the clauses in a file by number; cached, because an editor checks its ruleset repeatedly. Raises ``ValueError`` if the
    file holds anything else.
    """
    import yaml  # start-up: only few rulesets have an index

    from gamedsl.language.syntax import YAML_LOADER

    try:
        read = yaml.load(data.decode("utf-8-sig"), Loader=YAML_LOADER)
    except yaml.YAMLError as problem:
        raise ValueError(str(problem)) from None
    rows = read.get("clauses", read) if isinstance(read, dict) else read
    if isinstance(rows, dict):
        rows = [{"number": k, "text": v} for k, v in rows.items()]
    out: dict[str, str] = {}
    for row in rows if isinstance(rows, list) else [None]:
        if not (isinstance(row, dict) and isinstance(row.get("number"), str) and isinstance(row.get("text"), str)):
            raise ValueError("it must be a list of entries with `number` and `text`, both strings")
        bad = first_unfit(row["number"]) or first_unfit(row["text"], lines=True)
        if bad:
            raise ValueError(f"a string contains the character U+{ord(bad):04X}")
        out[row["number"]] = row["text"]
    return out
