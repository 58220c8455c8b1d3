"""What a name is where it stands, from the words around it: bound there, an element of a type, an attribute, a color ..."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamedsl.editor.stretches import Row, Stretch
from gamedsl.editor.tokens import Token

# scopes of names that belong to no declaration: the ruleset itself; attributes of pieces and tokens; a name of the ruleset that a line
# plays, or of which the text is a variant; a word of the language
RULESET, ATTRIBUTE, ELSEWHERE, LANGUAGE = -1, -2, -3, -4

_BINDERS = frozenset({"some", "every", "no", "count", "for", "such"})
_AFTER_BINDERS = frozenset(
    {":", "when", "after", "called", "until", "number", "for", "if", "then", "else", "or", "and"}
)
_AFTER_STYLE = frozenset({"number", "called", "for"})
_WITH_TYPES = frozenset({"option", "state", "piece", "token", "table", "define", "action", "move"})
_BEFORE_TYPE = frozenset({":", "->", "of"})
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def bound(stretch: Stretch) -> Iterator[Token]:
    """The names that a stretch binds for itself: parameters, `let`, `for`, quantifiers, results after `->`."""
    if stretch.kind in ("move", "define", "action"):
        yield from _parameters(stretch.rows[0].tokens)
    for row in stretch.rows:
        for number, token in enumerate(row.tokens):
            before = row.tokens[number - 1].text if number else ""
            is_result = before == "->" and stretch.kind in ("move", "action", "play")
            if token.kind == "name" and (before == "let" or is_result):
                yield token
            elif token.text == "{" or (token.kind == "keyword" and token.text in _BINDERS):
                yield from _binders(row.tokens, number + 1)


def results(stretch: Stretch) -> frozenset[str]:
    """The names that stand for how a played part or ruleset ended."""
    plays = [row.tokens for row in stretch.rows if row.line.first == "play"]
    return frozenset(tokens[-1].text for tokens in plays if len(tokens) > 2 and tokens[-2].text == "->")


def elements(stretch: Stretch) -> Iterator[Token]:
    """The names that a stretch declares for the ruleset inside a type, `{left, right}`, and the nodes of a graph."""
    if stretch.kind == "board":
        for row in stretch.rows:
            if row.line.first == "nodes":
                yield from (t for t in row.tokens[1:] if t.kind == "name")
    elif stretch.kind in _WITH_TYPES and not (stretch.kind == "table" and stretch.number > 0):
        yield from _in_types(stretch.rows[0].tokens)


def roles(row: Row, stretch: Stretch) -> Iterator[tuple[int, int | None]]:
    """The names of a line that are not looked up as others are: where each begins, and its scope; None if it is not a name of a ruleset."""
    kind, number = stretch.kind, stretch.number
    tokens = row.tokens
    if kind == "look":
        yield from ((t.start, None) for t in _styles(tokens))
    elif kind == "remove":
        yield from ((t.start, None) for t in tokens[1:2])
        yield from ((t.start, ELSEWHERE) for t in tokens[2:])
    elif kind == "info" and number > 0 and [t.kind for t in tokens[1:3]] == ["name", "string"]:
        yield tokens[1].start, None
    scope = {"put": ATTRIBUTE, "play": ELSEWHERE, "variant": ELSEWHERE}.get(row.line.first)
    if scope is not None:
        yield from ((t.start, scope) for t in _given(tokens))


def _parameters(head: Sequence[Token]) -> Iterator[Token]:
    if len(head) < 3 or head[2].text != "(":
        return
    for number, depth in _depths(head, 3):
        before, token = head[number - 1].text, head[number]
        after = head[number + 1].text if number + 1 < len(head) else ""
        if depth == 0 and token.kind == "name" and before in ("(", ",") and after in (":", "in", ",", ")"):
            yield token


def _depths(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, int]]:
    """The numbers of the tokens from one on, each with the depth of brackets before it, up to a bracket that closes an earlier one."""
    depth = 0
    for number in range(start, len(tokens)):
        token = tokens[number]
        yield number, depth
        if token.kind == "sign":
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
            if depth < 0:
                return


def _binders(tokens: Sequence[Token], start: int) -> Iterator[Token]:
    """The names of `x, y in S, (a, b) in T`."""
    at: int | None = start
    while at is not None:
        names, after = _names_from(tokens, at)
        if after >= len(tokens) or not names or tokens[after].text not in ("in", "from"):
            return
        yield from names
        at = _after_comma(tokens, after + 1)


def _names_from(tokens: Sequence[Token], at: int) -> tuple[list[Token], int]:
    """The names of a binder, and the number of the token after them."""
    at += at < len(tokens) and tokens[at].text == "distinct" and tokens[at].kind == "keyword"
    in_brackets = at < len(tokens) and tokens[at].text == "("
    at += in_brackets
    names = []
    while at < len(tokens) and tokens[at].kind == "name":
        names.append(tokens[at])
        at += 1
        if at < len(tokens) and tokens[at].text == ",":
            at += 1
        else:
            break
    if in_brackets:
        return (names, at + 1) if at < len(tokens) and tokens[at].text == ")" and len(names) > 1 else ([], at)
    return names, at


def _after_comma(tokens: Sequence[Token], start: int) -> int | None:
    """The number of the token after a comma that ends the set of a binder; None if no binder follows."""
    for number, depth in _depths(tokens, start):
        text = tokens[number].text
        if depth == 0 and tokens[number].kind != "string":
            if text == ",":
                return number + 1
            if text in _AFTER_BINDERS or text in _CLOSING:
                return None
    return None


def _in_types(tokens: Sequence[Token]) -> Iterator[Token]:
    for number, token in enumerate(tokens):
        if token.text == "=" and token.kind == "sign":
            return
        if token.text == "{" and tokens[number - 1].text in _BEFORE_TYPE:
            inside = [tokens[n] for n, _ in _depths(tokens, number + 1)]
            if all(t.kind in ("name", "string") or t.text in (",", "}") for t in inside):
                yield from (t for t in inside if t.kind == "name")


def tuple_parts(stretch: Stretch) -> Iterator[str]:
    """The types of which a type is a tuple, as `rank` in `(rank, 1..4)`: what follows a dot after such a tuple has the same name."""
    if stretch.kind in _WITH_TYPES or stretch.kind == "type":
        tokens = stretch.rows[0].tokens
        for number, token in enumerate(tokens):
            if token.text == "(" and (tokens[number - 1].text in _BEFORE_TYPE or tokens[number - 1].text == "="):
                inside = [tokens[n] for n, depth in _depths(tokens, number + 1) if depth == 0]
                if any(t.text == "," for t in inside):
                    yield from (t.text for t in inside if t.kind == "name")


def _styles(tokens: Sequence[Token]) -> Iterator[Token]:
    """The names of colors and shapes in a line of a look: after `as`, before a number, a name and what the line is about."""
    after = next((n for n, t in enumerate(tokens) if t.text == "as" and t.kind == "keyword"), len(tokens))
    for token in tokens[after + 1 :]:
        if token.text in _AFTER_STYLE and token.kind == "keyword":
            return
        if token.kind == "name":
            yield token


def _given(tokens: Sequence[Token]) -> Iterator[Token]:
    """The names before `=` in `with a = 1, b = 2`."""
    after = next((n for n, t in enumerate(tokens) if t.text == "with" and t.kind == "keyword"), len(tokens))
    for number, depth in _depths(tokens, after + 1):
        follows = [t.text for t in tokens[number + 1 : number + 2]]
        if (
            depth == 0
            and tokens[number].kind == "name"
            and tokens[number - 1].text in ("with", ",")
            and follows == ["="]
        ):
            yield tokens[number]
