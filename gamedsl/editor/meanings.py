"""What a name, a word or a clause means: the text of a hover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamedsl.editor.name_occurrences import Occurrence, declaration_of, is_local, name_at
from gamedsl.editor.name_roles import ATTRIBUTE, LANGUAGE, RULESET
from gamedsl.editor.outline import Declared, declared_names
from gamedsl.editor.tokens import tokens_of
from gamedsl.language.rules import Env, explain_word, name_meaning
from gamedsl.language.source import Source


def hover(
    source: Source, offset: int, env: Env | None, clauses: Mapping[str, str], others: Sequence[Source]
) -> tuple[str, int, int] | None:
    """Markdown about the word at a place, and its extent. ``others``: the files that the ruleset uses."""
    token = next((t for t in tokens_of(source) if t.start <= offset <= t.end and t.kind != "comment"), None)
    if token is None:
        return None
    if token.kind == "citation":
        text = clauses.get(token.text.lstrip("@"))
        return (f"**{token.text}** {text}", token.start, token.end) if text else None
    if token.kind in ("keyword", "sign") and (page := explain_word(token.text)):
        return page, token.start, token.end
    one = name_at(source, offset)
    if one is None:
        return None
    about = _about(source, one, env, others)
    return (about, one.start, one.end) if about else None


def _about(source: Source, one: Occurrence, env: Env | None, others: Sequence[Source]) -> str:
    """Markdown about a name: its type, its declaration; the page of a builtin."""
    parts = []
    if env is not None and one.scope in (RULESET, ATTRIBUTE) and (known := name_meaning(env, one.name)):
        parts.append(f"**{one.name}**: {known}")
    declared = [(source, declaration_of(source, one)), *((other, _global(other, one.name)) for other in others)]
    for text, found in declared:
        if found is not None and one.scope != LANGUAGE and not is_local(source, one):
            parts.append(f"```gdl\n{row_at(text, found.start)}\n```")
            break
    if is_local(source, one):
        parts.append(f"**{one.name}**, bound in\n```gdl\n{row_at(source, one.scope)}\n```")
    if not parts and (page := explain_word(one.name)):
        parts.append(page)
    return "\n\n".join(parts)


def _global(source: Source, name: str) -> Declared | None:
    return next((d for d in declared_names(source) if d.name == name), None)


def row_at(source: Source, offset: int) -> str:
    """The line of a place, without the space around it."""
    return source.line(source.position(offset)[0]).strip()
