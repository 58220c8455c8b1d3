"""What an editor asks about texts that are data: examples, indices of clauses, rulesets as JSON or YAML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from gamedsl.editor import clause_files, data_rulesets, example_completions, example_meanings
from gamedsl.editor.completions import Candidate
from gamedsl.editor.data_cursor import Cursor, cursor
from gamedsl.language.source import Source
from gamedsl.language.syntax import flow, is_json, word_at_end

if TYPE_CHECKING:
    from gamedsl.editor.server import RulesetServer

COMPLETED, HOVERED = 0.5, 2.0  # seconds to wait for what is known of a position, at most
DATA = ("examples", "clauses", "data")  # kinds of documents


async def complete_data(
    ls: RulesetServer, source: Source, kind: str, offset: int
) -> tuple[list[tuple[Candidate, lsp.TextEdit]], bool]:
    """What can be written at a place, each with the edit that writes it, and whether that is all: a position that takes longer is
    known when the editor asks again.
    """
    place = cursor(source, offset)
    if place is None:
        return [], True
    is_all = True
    if kind == "examples":
        ground = await _ground(ls, source)
        facts = None
        if example_completions.wants_position(place):
            facts, is_all = await _facts(ls, source, place, COMPLETED)
        found = example_completions.example_completions(place, ground, facts)
    elif kind == "clauses":
        found = clause_files.clause_completions(ls.desk, source, place)
    else:
        names, clauses = ls.desk.names(source.path), ls.desk.clauses(source.path)
        found = data_rulesets.data_completions(source, place, names, clauses)
    if ls.source_is_other(source):
        return [], False
    where = ls.positions.range(source, place.start, place.end)
    return [(one, lsp.TextEdit(where, _written(one, place, source, kind))) for one in found], is_all


def _written(one: Candidate, place: Cursor, source: Source, kind: str) -> str:
    """The text of a candidate: a string that would be something else without them gets quotation marks."""
    if one.text:
        after = source.text[place.end : place.end + 1]
        return one.text.removesuffix(": ") if place.is_key and (after == ":" or place.is_quoted) else one.text
    if kind == "examples" and place.is_key and example_completions.key_of(place) == "value":
        return place.text.removesuffix(word_at_end(place.text)) + one.label
    if place.is_quoted or is_json(source):
        return one.label
    is_string = one.kind in ("move", "clause", "players") or not one.label.lstrip("-").isdecimal()
    return flow(one.label) if is_string and one.label not in ("true", "false") else one.label


async def hover_data(ls: RulesetServer, source: Source, kind: str, offset: int) -> tuple[str, int, int] | None:
    """Markdown about what stands at a place, and its extent."""
    place = cursor(source, offset)
    if kind == "data":
        names, clauses = ls.desk.names(source.path), ls.desk.clauses(source.path)
        return data_rulesets.data_hover(source, offset, place, names, clauses)
    if place is None or place.start == place.end:
        return None
    if kind == "clauses":
        said = clause_files.clause_hover(ls.desk, source, place)
    else:
        ground = await _ground(ls, source)
        facts = None
        if example_meanings.judges_move(place):
            facts, _ = await _facts(ls, source, place, HOVERED, place.text)
        said = example_meanings.example_hover(place, ground, facts)
    return (said, place.start, place.end) if said else None


async def _ground(ls: RulesetServer, source: Source) -> example_completions.Ground:
    ruleset = ls.desk.ruleset_of(source.path)
    if ruleset is None:
        return example_completions.Ground(None, None, {})
    if ls.desk.names(ruleset) is None:
        await ls.analysis(ruleset)
    return example_completions.Ground(ls.desk.source(ruleset), ls.desk.names(ruleset), ls.desk.clauses(ruleset))


async def _facts(
    ls: RulesetServer, source: Source, place: Cursor, patience: float, move: str | None = None
) -> tuple[Mapping[str, Any] | None, bool]:
    """What is known about the position of the example at a place after so many seconds, and whether that is all. ``move``: a string to
    be judged there.
    """
    ruleset, asked = ls.desk.ruleset_of(source.path), example_completions.question(place)
    if ruleset is None or asked is None:
        return None, True
    move = move or example_completions.refused_move(place)
    return await ls.asker.ask(ruleset, asked | {"move": move}, patience=patience)
