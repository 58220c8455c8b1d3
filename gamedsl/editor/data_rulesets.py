"""A ruleset in its data form (JSON, YAML): what its schema allows at a place, and what a node says in the language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from gamedsl.editor.completions import Candidate
from gamedsl.editor.data_cursor import Cursor
from gamedsl.editor.outline import Declared
from gamedsl.editor.schema_completions import key_candidates, word_candidates
from gamedsl.editor.schema_reading import schema, schemas_at
from gamedsl.language.rules import Env, builtin_names, explain_word, name_meaning, signature
from gamedsl.language.source import Source
from gamedsl.language.syntax import ast, is_json, node_text, read_nodes


@lru_cache(maxsize=4)
def nodes_of(source: Source) -> Mapping[tuple[int, int], ast.Node]:
    """The nodes of a ruleset in its data form, by their extents."""
    return read_nodes(source)


def data_completions(source: Source, cursor: Cursor, env: Env | None, clauses: Mapping[str, str]) -> list[Candidate]:
    """Keys and words of the schema; names of the ruleset, where the schema wants a name; clauses, where it wants one."""
    root, quoted = schema("ruleset"), is_json(source)
    if cursor.is_key:
        return list(key_candidates(root, cursor, quoted))
    found = list(word_candidates(root, cursor, quoted))
    patterns = [part.get("pattern") for part in schemas_at(root, cursor)]
    wanted = {name for name in ("name", "clause") if root["$defs"][name]["pattern"] in patterns}
    if "clause" in wanted:
        found += [Candidate(number, "clause", text, cursor.quoted(number), text) for number, text in clauses.items()]
    elif "name" in wanted and env is not None:
        for name, kind in _names(env, cursor):
            found.append(Candidate(name, kind, name_meaning(env, name), cursor.quoted(name) if quoted else name))
    return list({one.label: one for one in found}.values())


def _names(env: Env, cursor: Cursor) -> Iterator[tuple[str, str]]:
    """The names that may be meant. A declaration's own name is a new one."""
    around = cursor.around(len(cursor.path) - 1)
    kind = around.get("kind") if isinstance(around, dict) else None
    if cursor.path[-1:] == ("name",) and str(kind).endswith("_decl"):
        return
    if kind == "call":
        yield from ((name, "function") for name in builtin_names() if signature(name))
    yield from ((name, "variable") for name in (*env.symbols, *env.carried) if not name.startswith("$"))
    yield from ((name, "players") for name in env.players.names)
    if kind == "ref":
        yield from ((name, "element") for name in list(env.elements)[:400])


def data_hover(
    source: Source, offset: int, cursor: Cursor | None, env: Env | None, clauses: Mapping[str, str]
) -> tuple[str, int, int] | None:
    """Markdown about the node around a place: as it is written in the language, and what its name means. Its extent."""
    parts = []
    if cursor is not None and not cursor.is_key and cursor.text:
        if cursor.text in clauses and "cites" in cursor.path:
            return f"**@{cursor.text}** {clauses[cursor.text]}", cursor.start, cursor.end
        if env is not None and (known := name_meaning(env, cursor.text)):
            parts.append(f"**{cursor.text}**: {known}")
        elif cursor.path[-1:] in (("name",), ("function",)) and (page := explain_word(cursor.text)):
            parts.append(page)
    around = [(end - start, start, end) for start, end in nodes_of(source) if start <= offset <= end]
    for _, start, end in sorted(around):
        text = node_text(nodes_of(source)[start, end])
        if text and text != (cursor.text if cursor is not None else ""):
            parts.append(f"```gdl\n{text}\n```")
            break
    if not parts:
        return None
    start, end = (cursor.start, cursor.end) if cursor is not None else (offset, offset)
    return "\n\n".join(parts), start, end


def data_outline(source: Source) -> list[Declared]:
    """The declarations, in order."""
    found = []
    for (start, end), node in nodes_of(source).items():
        if isinstance(node, ast.Declaration):
            named = [node.name] if isinstance(node, ast.Named) else getattr(node, "names", ())
            for name in [one.id for one in named if isinstance(one, ast.Name)] or [""]:
                found.append(Declared(node.word, name, start, min(end, start + 1), start, end))
    return sorted(found, key=lambda one: one.start)
