"""What stands at a place in a file of examples: the text of a hover, and what does not fit the ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from gamedsl.editor.data_cursor import Cursor, mapping_at
from gamedsl.editor.example_completions import ACTING, MOVES, Ground, key_of, opening_text
from gamedsl.editor.schema_completions import describe_place
from gamedsl.editor.schema_reading import schema
from gamedsl.language.rules import Env, name_meaning, option_values
from gamedsl.language.source import Diagnostic, GameDSLError, Source
from gamedsl.language.syntax import Datum, data_problem, read_document


def judges_move(cursor: Cursor) -> bool:
    """Whether a move stands at a place."""
    return not cursor.is_key and key_of(cursor) in MOVES and bool(cursor.text)


def example_hover(cursor: Cursor, ground: Ground, facts: Mapping[str, Any] | None) -> str:
    """Markdown about what stands at a place; an empty string if nothing is known of it."""
    key, env = key_of(cursor), ground.env
    if cursor.is_key:
        named = cursor.path[-1:] in (("options",), ("scores",), ("set",))
        known = name_meaning(env, cursor.text) if named and env is not None else ""
        said = f"**{cursor.text}**: {known}" if known else describe_place(schema("examples"), cursor)
        return said if known or not said else f"**{cursor.text}**: {said}"
    if key in ("clauses", "clause") and cursor.text in ground.clauses:
        return f"**@{cursor.text}** {ground.clauses[cursor.text]}"
    if judges_move(cursor):
        judged = (facts or {}).get("judged")
        return "" if judged is None else _move_text(judged, ground)
    if key == "opening":
        is_named = cursor.text in mapping_at(cursor.document, "openings")
        return f"**{cursor.text}**: {opening_text(cursor, cursor.text)}" if is_named else ""
    if env is not None and cursor.text and (known := name_meaning(env, cursor.text)):
        return f"**{cursor.text}**: {known}"
    return describe_place(schema("examples"), cursor)


def _move_text(judged: Mapping[str, Any], ground: Ground) -> str:
    """Whose move it is and of which kind, whether it is legal, and the declaration."""
    if "problem" in judged:
        return str(judged["problem"])
    lines = [f"**{judged['text']}**: {judged['who']} {judged['kind'] or 'chooses'}".rstrip()]
    if not judged["reasons"]:
        lines.append("Legal here.")
    for reason in judged["reasons"]:
        cited = " ".join(f"@{number} {ground.clauses.get(number, '')}".strip() for number in reason["clauses"])
        lines.append(f"Refused: {reason['message']}" + (f" ({cited})" if cited else ""))
    found = next((m for m in (ground.env.moves() if ground.env else ()) if m.decl.name.id == judged["kind"]), None)
    if found is not None:
        span = found.decl.span
        lines.append(f"```gdl\n{span.source.line(span.line).strip()}\n```")
    return "\n\n".join(lines)


def misfits(source: Source, env: Env, clauses: Mapping[str, str]) -> Iterator[Diagnostic]:
    """What a file of examples says that the ruleset does not know: options, players, clauses. The file has the right form."""
    try:
        document = read_document(source)
    except GameDSLError:
        return
    options = [name for name, _ in env.options]
    most = max((int(number) for number, _ in option_values(env, "players")), default=0)
    seats = tuple(f"p{number}" for number in range(1, most + 1)) or tuple(env.players.names)
    for holder in _holders(document):
        for key, datum in holder.items():
            if key == "options" and isinstance(datum.value, dict):
                for name in datum.value:
                    yield from _unknown(name, options, "option", datum, datum.key_span(name))
            elif key == "to_move":
                yield from _names(datum, (*seats, *ACTING), "player")
            elif key == "result" and isinstance(datum.value, dict):
                yield from _result(datum.value, seats)
            elif key == "clauses" and clauses:
                yield from _names(datum, tuple(clauses), "clause")
            elif key == "illegal" and clauses and isinstance(datum.value, list):
                for one in datum.value:
                    if isinstance(one.value, dict) and "clause" in one.value:
                        yield from _names(one.value["clause"], tuple(clauses), "clause")


def _holders(document: Datum) -> Iterator[dict[str, Datum]]:
    """The whole document, and every example and table."""
    if isinstance(document.value, dict):
        yield document.value
        for key in ("examples", "tables"):
            listed = document.value[key].value if key in document.value else []
            for one in listed if isinstance(listed, list) else ():
                if isinstance(one.value, dict):
                    yield one.value


def _result(result: Mapping[str, Datum], seats: tuple[str, ...]) -> Iterator[Diagnostic]:
    if "winners" in result:
        yield from _names(result["winners"], seats, "player")
    scores = result.get("scores")
    if scores is not None and isinstance(scores.value, dict):
        for name in scores.value:
            yield from _unknown(name, seats, "player", scores, scores.key_span(name))


def _names(datum: Datum, known: tuple[str, ...], what: str) -> Iterator[Diagnostic]:
    for one in datum.value if isinstance(datum.value, list) else [datum]:
        if isinstance(one.value, str):
            yield from _unknown(one.value, known, what, one, one.span)


def _unknown(name: str, known: Any, what: str, datum: Datum, span: Any) -> Iterator[Diagnostic]:
    if name not in known:
        near = tuple(get_close_matches(name, known, n=3))
        yield data_problem("E0643", span, datum.pointer, near=near, problem=f"the ruleset has no {what} {name}")
