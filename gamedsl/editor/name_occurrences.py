"""Where names occur in a text, and which of them mean the same.

The language forbids a name inside a declaration that the ruleset already uses, so a name is either bound somewhere in its
declaration, and means that in all of it, or it belongs to the ruleset (to its part, if that declares it).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from gamedsl.editor.outline import Declared, declared_names, outline
from gamedsl.editor.tokens import Token, tokens_of
from gamedsl.language.source import Source

_BINDERS = frozenset({"some", "every", "no", "count", "for", "{", "such"})
_FILLED = re.compile(r"\{(?:\w+ of )?([A-Za-z_]\w*)\}")


class Occurrence(NamedTuple):
    """A name in a text. ``scope``: the start of the declaration that binds it, of the part that declares it, or -1."""

    start: int
    end: int
    name: str
    scope: int
    is_binding: bool


@dataclass(frozen=True, slots=True)
class _Extent:
    start: int
    end: int
    kind: str


@lru_cache(maxsize=64)
def occurrences(source: Source) -> tuple[Occurrence, ...]:
    """All names of a source, in order."""
    tokens = [t for t in tokens_of(source) if t.kind not in ("comment", "citation")]
    return tuple(sorted(_found(source, tokens)))


@dataclass(frozen=True, slots=True)
class _Declaration:
    """The words of a declaration, and which of them bind names inside it."""

    extent: _Extent
    tokens: list[Token]
    binding: frozenset[int]
    names: frozenset[str]


def _found(source: Source, tokens: list[Token]) -> Iterator[Occurrence]:
    parts = [d for d in outline(source) if d.kind == "part"]
    declared = {d.start for d in declared_names(source)}
    found = list(_declarations(source, tokens))
    moves = {one.tokens[1].text: one for one in found if one.extent.kind == "move" and len(one.tokens) > 1}
    for one in found:
        styles = set(_styles(one.tokens)) if one.extent.kind == "look" else set()
        mentioned = _mentioned(source, one, moves)
        for number, token in enumerate(one.tokens):
            here = [one, *mentioned.get(number, ())]
            if token.kind == "string":
                for filled in _FILLED.finditer(token.text):
                    start, name = token.start + filled.start(1), filled[1]
                    scope = _local(here, name, _scope(parts, name, start))
                    yield Occurrence(start, start + len(name), name, scope, False)
            elif token.kind == "name" and number not in styles:
                scope = _scope(parts, token.text, token.start)
                is_field = number > 0 and one.tokens[number - 1].text == "."
                if not is_field and token.start not in declared:
                    scope = _local(here, token.text, scope)
                binds = number in one.binding or token.start in declared
                yield Occurrence(token.start, token.end, token.text, scope, binds)


def _local(declarations: list[_Declaration], name: str, otherwise: int) -> int:
    return next((one.extent.start for one in declarations if name in one.names), otherwise)


def _declarations(source: Source, tokens: list[Token]) -> Iterator[_Declaration]:
    at = 0
    for extent in _extents(source):
        while at < len(tokens) and tokens[at].start < extent.start:
            at += 1
        inside = []
        while at < len(tokens) and tokens[at].start < extent.end:
            inside.append(tokens[at])
            at += 1
        binding = frozenset(_bound(inside, extent.kind))
        yield _Declaration(extent, inside, binding, frozenset(inside[i].text for i in binding))


def _mentioned(source: Source, one: _Declaration, moves: dict[str, _Declaration]) -> dict[int, list[_Declaration]]:
    """For every word of a look or notation: the moves whose parameters can be named there. In a look they are those after
    `after` in the line, in a notation those of the `move` line above."""
    if one.extent.kind not in ("look", "notation"):
        return {}
    found: dict[int, list[_Declaration]] = {}
    rows = [source.position(token.start)[0] for token in one.tokens]
    by_row: dict[int, list[_Declaration]] = {}
    current: list[_Declaration] = []
    for number, token in enumerate(one.tokens):
        opens = token.text in ("after", "move", "|") and number + 1 < len(one.tokens)
        move = moves.get(one.tokens[number + 1].text) if opens else None
        if token.text == "move" and one.extent.kind == "notation":
            current = []
        if move is not None:
            by_row.setdefault(rows[number], []).append(move)
            current = [*current, move]
        found[number] = current
    if one.extent.kind == "look":
        return {number: by_row.get(row, []) for number, row in enumerate(rows)}
    return found


def _scope(parts: list[Declared], name: str, at: int) -> int:
    for part in parts:
        if part.full_start <= at <= part.full_end and any(d.name == name for d in part.children):
            return part.full_start
    return -1


def _extents(source: Source) -> Iterator[_Extent]:
    """The declarations one by one; those of a part too."""
    for one in outline(source):
        if one.kind in ("part", "in"):
            first = min((c.full_start for c in one.children), default=one.full_end)
            yield _Extent(one.full_start, first, one.kind)
            seen = set()
            for child in one.children:
                if child.full_start not in seen:
                    seen.add(child.full_start)
                    yield _Extent(child.full_start, child.full_end, child.kind)
        else:
            yield _Extent(one.full_start, one.full_end, one.kind)


def _bound(tokens: list[Token], kind: str) -> Iterator[int]:
    """The tokens that bind a name: parameters, `let`, `for`, quantifiers, results after `->`."""
    depth, head_open = 0, kind in ("move", "define", "action")
    for number, token in enumerate(tokens):
        depth += (token.text in "([{" and token.kind == "sign") - (token.text in ")]}" and token.kind == "sign")
        if head_open and (token.text == "=" or (depth == 0 and token.text == ")")):
            head_open = False
        if token.kind != "name":
            continue
        before = tokens[number - 1].text if number else ""
        after = tokens[number + 1].text if number + 1 < len(tokens) else ""
        is_parameter = head_open and depth == 1 and before in ("(", ",") and after in (":", "in", ",", ")")
        if is_parameter or before == "let" or (before == "->" and kind in ("move", "action", "play")):
            yield number
        elif after in ("in", "from") or (after == ")" and [t.text for t in tokens[number + 2 : number + 3]] == ["in"]):
            names = list(_list_before(tokens, number))
            first = names[-1]
            opener = tokens[first - 1].text if first else ""
            if opener == "(" and first > 1:
                opener = tokens[first - 2].text  # (a, b) in steps: after the word that binds
            if opener in _BINDERS:
                yield from names


def _styles(tokens: list[Token]) -> Iterator[int]:
    """The tokens of a look that name colors and shapes: they follow a sign, `shaped` or another of them."""
    found = -2
    for number, token in enumerate(tokens):
        before = tokens[number - 1] if number else token
        after = tokens[number + 1].text if number + 1 < len(tokens) else ""
        styled = before.kind == "string" or before.text in ("shaped", "as") or found == number - 1
        if token.kind == "name" and styled and after not in ("[", "(", ".", ":"):
            found = number
            yield number


def _list_before(tokens: list[Token], number: int) -> Iterator[int]:
    """The names of a list that ends at a token, from the last to the first."""
    yield number
    while number >= 2 and tokens[number - 1].text == "," and tokens[number - 2].kind == "name":
        number -= 2
        yield number


def name_at(source: Source, offset: int) -> Occurrence | None:
    """The name at a place, or one that ends there."""
    found = [o for o in occurrences(source) if o.start <= offset <= o.end]
    return found[-1] if found else None


def same_names(source: Source, one: Occurrence) -> list[Occurrence]:
    """All occurrences that mean the same, in this text."""
    return [o for o in occurrences(source) if o.name == one.name and o.scope == one.scope]


def definition(source: Source, one: Occurrence) -> tuple[int, int] | None:
    """The extent of the name where it is declared or bound in this text; None if it is not."""
    for other in same_names(source, one):
        if other.is_binding:
            return other.start, other.end
    return None


def declaration_of(source: Source, one: Occurrence) -> Declared | None:
    """The declaration of a name of the ruleset, in this text."""
    for d in declared_names(source):
        if (
            d.name == one.name
            and _scope([p for p in outline(source) if p.kind == "part"], d.name, d.start) == one.scope
        ):
            return d
    return None
