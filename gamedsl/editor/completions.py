"""What can be written at a place: words of the language that the parser takes there, and names in scope."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from gamedsl.editor.name_occurrences import local_names
from gamedsl.editor.outline import Declared, declared_names
from gamedsl.language.rules import Env, builtin_names, name_meaning, signature
from gamedsl.language.source import Source
from gamedsl.language.syntax import Stand, stand_at

_TYPES = frozenset({"SET", "COUNTDOWN", "STACK"})
_STATEMENTS = frozenset({"PUT", "SET", "TAKE"})
_TYPE_KINDS = frozenset({"type", "token"})
_PLACE_WORDS = ("me", "rival", "empty", "occupied", "players", "turn", "cell", "player", "direction")

# what a declaration or statement usually looks like; ${n:text} is a field to fill in
SNIPPETS = {
    "move": "move ${1:place}(${2:c}: ${3:cell})\n  when ${4:c in empty}\n  ${0:put ${5:mark}[me] on c}",
    "players": "players ${1:X}, ${2:O}",
    "board": "board grid ${1:8} by ${2:8}",
    "piece": "piece ${1:mark} of player",
    "option": "option ${1:n}: ${2:1..9} = ${3:3}",
    "define": "define ${1:name}(${2:c}: ${3:cell}) = ${0}",
    "state": "state\n  ${1:name}: ${2:0..9}",
    "play": "play\n  turns from ${1:X}\n    me plays ${0:place}",
    "turns": "turns from ${1:X}\n  me plays ${0:place}",
    "claim": "claim ${1:always} ${0:F}",
    "if": "if ${1:F}\n  ${0:draw}",
    "for": "for ${1:c} in ${2:cell}\n  ${0}",
    "repeat": "repeat\n  ${0}\nuntil ${1:F}",
}


class Candidate(NamedTuple):
    """Something that can be written. ``kind``: keyword, snippet, function, name of a declaration's kind, file, clause."""

    label: str
    kind: str
    detail: str = ""
    text: str = ""
    documentation: str = ""


def completions(
    source: Source, offset: int, env: Env | None, clauses: Mapping[str, str], files: Callable[[], list[str]]
) -> list[Candidate]:
    """All that can be written at a place, each once. ``files`` returns names of rulesets, where one can be written."""
    row = source.text[source.text.rfind("\n", 0, offset) + 1 : offset]
    inside = _in_a_string(row)
    if inside:
        return [Candidate(name, "file") for name in files()] if row.lstrip().startswith(("use", "variant")) else []
    if "#" in row:
        return []
    if row.rpartition(" ")[2].startswith("@"):
        return [Candidate(number, "clause", text, number, text) for number, text in clauses.items()]
    stand = stand_at(source, offset)
    found = {c.label: c for c in reversed(list(_candidates(source, offset, stand, env)))}
    return list(reversed(found.values()))


def _in_a_string(row: str) -> bool:
    return row.replace('\\"', "").count('"') % 2 == 1


def _candidates(source: Source, offset: int, stand: Stand, env: Env | None) -> Iterator[Candidate]:
    before = [w.text for w in stand.before]
    if "NAME" in stand.accepts:
        yield from _names(source, offset, stand, before, env)
    for word in stand.words:
        snippet = SNIPPETS.get(word, "") if not before else ""
        yield Candidate(word, "snippet" if snippet else "keyword", text=snippet)


def _names(source: Source, offset: int, stand: Stand, before: list[str], env: Env | None) -> Iterator[Candidate]:
    if before and before[-1] == ".":
        if env is not None:
            yield from (Candidate(name, "field", name_meaning(env, name)) for name in env.carried)
        yield from (Candidate(name, "field") for name in ("winner", "winners", "drawn"))
        return
    declared = list(declared_names(source))
    if "plays" in before or (before and before[-1] == "moves"):
        yield from _declared(declared, frozenset({"move"}), env)
        if env is not None:
            yield from (Candidate(m.decl.name.id, "move", name_meaning(env, m.decl.name.id)) for m in env.moves())
        return
    if stand.accepts >= _TYPES:
        yield from _declared(declared, _TYPE_KINDS, env)
        yield from (Candidate(n, "type") for n in ("player", "cell", "bool", "direction", "edge", "point"))
        return
    if _declares(stand, before):
        return
    if not before and stand.accepts >= _STATEMENTS:
        yield from _declared(declared, frozenset({"action", "players"}), env)
        yield Candidate("me", "keyword")
        return
    for name in local_names(source, offset):
        yield Candidate(name, "local")
    yield from _declared(declared, None, env)
    if env is not None:
        for name in (*env.symbols, *env.carried):
            if not name.startswith("$"):
                yield Candidate(name, "variable", name_meaning(env, name))
        for name in env.players.names:
            yield Candidate(name, "players", "a player")
    for word in _PLACE_WORDS:
        yield Candidate(word, "keyword")
    for name in builtin_names():
        found = signature(name)
        if found is not None:
            yield Candidate(name, "function", found[0], documentation=found[1])


def _declares(stand: Stand, before: list[str]) -> bool:
    """Whether a new name is to be written here."""
    return bool(before) and before[-1] in (
        "option", "define", "type", "move", "action", "piece", "players", "let", "for", "phase", "part", "as", "some", "every", "shape",
    ) and not (before[-1] == "move" and stand.head[:1] != ("move",))  # fmt: skip


def _declared(declared: list[Declared], kinds: frozenset[str] | None, env: Env | None) -> Iterator[Candidate]:
    for one in declared:
        if kinds is None or one.kind in kinds:
            yield Candidate(one.name, one.kind, name_meaning(env, one.name) if env is not None else "")
