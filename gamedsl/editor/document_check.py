"""What is wrong with a document, of whatever kind: a ruleset as text or data, examples, an index of clauses."""

from __future__ import annotations

from collections.abc import Mapping

from gamedsl.editor.desk import Desk
from gamedsl.language.source import Diagnostic, GameDSLError, Source


def check_document(desk: Desk, path: str, texts: Mapping[str, Source]) -> list[Diagnostic]:
    """The messages about an open document."""
    source = texts[path]
    match desk.kind(source):
        case "examples":
            return _check_examples(desk, source, texts)
        case "clauses":
            from gamedsl.editor.clause_files import check_index  # start-up: needs the YAML reader

            return check_index(desk, source)
        case "rules" | "data":
            return list(desk.analyze(path, texts).found)
    return []


def _check_examples(desk: Desk, source: Source, texts: Mapping[str, Source]) -> list[Diagnostic]:
    """What is wrong with the form of examples, else what the ruleset beside them does not know."""
    from gamedsl.editor.example_meanings import misfits  # start-up: needs the YAML reader
    from gamedsl.lab.examples import examples_in  # start-up: needs the engine

    try:
        examples_in(source)
    except GameDSLError as mistake:
        return [d for d in mistake.diagnostics if d.span.source.path == source.path]
    ruleset = desk.ruleset_of(source.path)
    if ruleset is None:
        return []
    analysis = desk.analyze(ruleset, texts)
    if analysis.env is None or any(d.is_error for d in analysis.found):
        return []
    return list(misfits(source, analysis.env, analysis.clauses))
