"""The tools that all syntax builders share: spans, names, notes of lines, and the list of problems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import TypedDict, TypeGuard

from gamedsl.language.source import Diagnostic, Source, Span, lazy_dataclass
from gamedsl.language.syntax import ast
from gamedsl.language.syntax.parse.messages import quoted, syntax_problem
from gamedsl.language.syntax.parse.parse_lines import Line
from gamedsl.language.syntax.parse.push_parser import Child, Parsed, Token
from gamedsl.language.syntax.parse.scanner import value_of


class Where(TypedDict):
    """The arguments that every line node takes besides its own fields."""

    span: Span
    notes: ast.Notes


@lazy_dataclass(frozen=True, slots=True)
class Builder:
    """Builds the nodes of one declaration. ``lines``: its logical lines by the offset at which they begin; ``ahead``: how far it is
    after the place that its tree states; ``spans``: all spans of the nodes built.
    """

    source: Source
    lines: Mapping[int, Line]
    problems: list[Diagnostic]
    ahead: int = 0
    spans: list[Span] = field(default_factory=list)

    def span(self, part: Parsed | Token) -> Span:
        return self.stretch(part.start + self.ahead, part.end + self.ahead)

    def stretch(self, start: int, end: int) -> Span:
        """Returns the span between two offsets of the source."""
        span = Span(self.source, start, end)
        self.spans.append(span)
        return span

    def where(self, tree: Parsed) -> Where:
        """Returns the span (the line itself, without the lines indented below it) and the notes of a line node."""
        line = self.lines[tree.start + self.ahead]
        cites = [
            ast.Cite(c.clause, span=self.stretch(c.span.start, c.span.end)) for c in line.cites
        ]  # the line keeps its own
        return Where(span=self.stretch(line.start, line.end), notes=line.notes(cites))

    def name(self, token: Child) -> ast.Name:
        assert isinstance(token, Token)
        return ast.Name(str(token), span=self.span(token))

    def names(self, tokens: Iterable[Child]) -> tuple[ast.Name, ...]:
        return tuple(self.name(t) for t in tokens)

    def problem(self, code: str, part: Parsed | Token, near: Iterable[str] = (), found: str = "") -> None:
        self.problems.append(syntax_problem(code, self.span(part), near=near, found=found))

    def only(self, parts: Iterable[Parsed], *kinds: str) -> Parsed | None:
        """Returns the first tree of some kinds (None: there is none), and reports any others."""
        found = [p for p in parts if p.data in kinds]
        for again in found[1:]:
            self.problem("E0127", again, found=quoted(self.span(again).text))
        return found[0] if found else None


def is_tree(child: Child, *names: str) -> TypeGuard[Parsed]:
    """Returns whether a child is a tree, and of one of the given rules if any are given."""
    return isinstance(child, Parsed) and (not names or child.data in names)


def tree(child: Child) -> Parsed:
    assert isinstance(child, Parsed)
    return child


def token(child: Child) -> Token:
    assert isinstance(child, Token)
    return child


def trees(children: Iterable[Child], *names: str) -> list[Parsed]:
    """Returns the trees among some children, only those of the given rules if any are given."""
    return [c for c in children if is_tree(c, *names)]


def tokens(children: Iterable[Child], kind: str) -> list[Token]:
    """Returns the tokens of one terminal among some children."""
    return [c for c in children if isinstance(c, Token) and c.type == kind]


def first_token(children: Iterable[Child], kind: str) -> Token | None:
    found = tokens(children, kind)
    return found[0] if found else None


def text_of(child: Child) -> str | None:
    """Returns the value of a string token; None for any other child."""
    return value_of(str(child)) if isinstance(child, Token) else None
