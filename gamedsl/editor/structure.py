"""The shape of a text: what folds, what a selection grows to, the kinds of its words for coloring, its canonical form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from gamedsl.editor.name_occurrences import occurrences
from gamedsl.editor.outline import declared_names
from gamedsl.editor.tokens import tokens_of
from gamedsl.language.rules import Env, Parsed, builtin_names
from gamedsl.language.source import Source
from gamedsl.language.syntax import format_ruleset, read_lines

# the kinds of semantic tokens that a ruleset has, by the names of the protocol
TOKEN_TYPES = (
    "keyword", "operator", "number", "string", "comment", "variable", "parameter", "property", "type", "function", "method", "class",
    "enumMember", "namespace", "decorator",
)  # fmt: skip
_OF_DECLARATION = {
    "option": "property", "define": "function", "type": "type", "move": "method", "action": "method", "table": "function",
    "shape": "class", "part": "namespace", "use": "namespace", "notation": "namespace", "phase": "namespace", "players": "enumMember",
    "piece": "class", "token": "class", "variable": "variable", "element": "enumMember",
}  # fmt: skip
_OF_TOKEN = {
    "keyword": "keyword", "sign": "operator", "number": "number", "string": "string", "comment": "comment", "citation": "decorator",
}  # fmt: skip


def semantic_tokens(source: Source, env: Env | None) -> Iterator[tuple[int, int, str, bool]]:
    """Every word with its type, and whether it is declared there. Signs have none."""
    declared = {d.name: _OF_DECLARATION.get(d.kind, "variable") for d in declared_names(source)}
    builtins = frozenset(builtin_names())
    elements = {} if env is None else env.elements
    names = {o.start: o for o in occurrences(source)}
    for token in tokens_of(source):
        if token.kind != "name":
            if token.kind in _OF_TOKEN:
                yield token.start, token.end, _OF_TOKEN[token.kind], False
            continue
        one = names.get(token.start)
        if one is not None and one.scope >= 0 and token.text not in declared:
            kind = "parameter"
        elif token.text in declared:
            kind = declared[token.text]
        elif token.text in builtins:
            kind = "function"
        else:
            kind = "enumMember" if token.text in elements else "variable"
        yield token.start, token.end, kind, one is not None and one.is_binding


def folds(source: Source) -> Iterator[tuple[int, int, str]]:
    """The first and last line (from 0) of every block and of every group of comments."""
    lines = read_lines(source)
    for number, line in enumerate(lines):
        last = number
        while last + 1 < len(lines) and lines[last + 1].indent > line.indent:
            last += 1
        first, end = source.position(line.start)[0] - 1, source.position(lines[last].end)[0] - 1
        if end > first:
            yield first, end, "region"
    for found in re.finditer(r"(?m)(?:^[ \t]*#.*\n){2,}", source.text):
        first = source.position(found.start())[0] - 1
        yield first, source.position(found.end() - 1)[0] - 1, "comment"


def selections(source: Source, offset: int) -> list[tuple[int, int]]:
    """The stretches around a place, from its word to the whole text, each inside the next."""
    lines = read_lines(source)
    stretches = {(0, len(source.text))}
    for token in tokens_of(source):
        if token.start <= offset <= token.end:
            stretches.add((token.start, token.end))
    open_brackets: list[int] = []
    for line in lines:
        for word in line.words:
            if word.text in ("(", "[", "{"):
                open_brackets.append(word.start)
            elif word.text in (")", "]", "}") and open_brackets:
                start = open_brackets.pop()
                if start <= offset <= word.end:
                    stretches |= {(start, word.end), (start + 1, word.start)}
    for number, line in enumerate(lines):
        end = number
        while end + 1 < len(lines) and lines[end + 1].indent > line.indent:
            end += 1
        if line.start <= offset <= lines[end].end:
            stretches.add((line.start, lines[end].end))
        if line.start <= offset <= line.end:
            stretches.add((line.start, line.end))
    found: list[tuple[int, int]] = []
    for stretch in sorted((s for s in stretches if s[0] <= offset <= s[1]), key=lambda s: s[1] - s[0]):
        if not found or (stretch[0] <= found[-1][0] and found[-1][1] <= stretch[1]):
            found.append(stretch)
    return found


def formatted(parsed: Parsed) -> str | None:
    """The canonical form of a text that parses."""
    if any(d.is_error for d in parsed.problems):
        return None
    return format_ruleset(parsed.tree)


def format_edits(parsed: Parsed, lines: tuple[int, int] | None) -> list[tuple[int, int, str]] | None:
    """The edits, from the last to the first, that bring a text into its canonical form: the first line, the line after the
    last, and what replaces them. ``lines``: only those that touch these."""
    after = formatted(parsed)
    if after is None:
        return None
    old, new = parsed.source.text.splitlines(keepends=True), after.splitlines(keepends=True)
    edits = []
    for kind, first, end, start, stop in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal" and (lines is None or (first <= lines[1] and lines[0] < max(end, first + 1))):
            edits.append((first, end, "".join(new[start:stop])))
    return list(reversed(edits))
