"""What is wrong with a document, of whatever kind: a ruleset as text or data, examples, an index of clauses."""

from __future__ import annotations

from collections.abc import Mapping

from gamedsl.editor.desk import EXAMPLES, Desk
from gamedsl.language.rules import ENDINGS
from gamedsl.language.source import Diagnostic, GameDSLError, Source


def check_document(desk: Desk, path: str, texts: Mapping[str, Source]) -> list[Diagnostic]:
    """The messages about an open document."""
    source = texts[path]
    if path.endswith(EXAMPLES):
        return _check_examples(source)
    if path.endswith((".yaml", ".yml", ".json")) and not _is_ruleset(source):
        return []
    if not path.endswith(ENDINGS) and ":" not in path.partition("/")[0]:
        return []
    return list(desk.analyze(path, texts).found)


def _check_examples(source: Source) -> list[Diagnostic]:
    from gamedsl.lab.examples import examples_in  # start-up: needs the engine

    try:
        examples_in(source)
    except GameDSLError as mistake:
        return [d for d in mistake.diagnostics if d.span.source.path == source.path]
    return []


def _is_ruleset(source: Source) -> bool:
    head = source.text[:2000]
    return "kind: ruleset" in head or '"kind": "ruleset"' in head or "kind: variant" in head
