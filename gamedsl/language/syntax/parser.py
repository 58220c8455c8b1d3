"""Text → syntax tree. The file is split into declarations, each is parsed separately, and all errors are reported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import cache, lru_cache

from gamedsl.language.source import Diagnostic, GameDSLError, Source, Span, lazy_dataclass
from gamedsl.language.syntax import ast
from gamedsl.language.syntax.build.build_declarations import build_decl
from gamedsl.language.syntax.build.build_expressions import build_expr
from gamedsl.language.syntax.build.builder import Builder
from gamedsl.language.syntax.build.kept_declarations import KeptDeclarations, key_of
from gamedsl.language.syntax.parse.feed import Feed
from gamedsl.language.syntax.parse.kept_readings import Kept
from gamedsl.language.syntax.parse.language import Language, language
from gamedsl.language.syntax.parse.messages import quoted, syntax_problem
from gamedsl.language.syntax.parse.parse_lines import (
    MAX_DEPTH,
    DeclarationKey,
    Line,
    Lines,
    declaration_key,
    logical_lines,
)
from gamedsl.language.syntax.parse.push_parser import Parsed
from gamedsl.language.syntax.parse.unexpected import near
from gamedsl.language.syntax.print.print_statements import STATEMENT_WORDS

MAX_CHARACTERS = 1_000_000
_MAX_PROBLEMS = 200
_LINES: Kept[str, Lines] = Kept(8)  # by path, of the last text
# with the offset at which each begins, and how deeply it is nested
_TREES: Kept[DeclarationKey, tuple[Parsed, int, int]] = Kept(2000)

# The first words of declarations that contain declarations: `part duel`, `in part duel`.
HOLDERS = frozenset({"part", "in"})
# Declarations that the formatter always sets off with an empty line, so an empty line before them carries no
# information.
SET_OFF = frozenset({"move", "action", "play", "part", "in", "look", "notation", "info", "state", "token", "table"})


def parse_ruleset(source: Source, kept: KeptDeclarations | None = None) -> tuple[ast.Ruleset, tuple[Diagnostic, ...]]:
    """Returns the tree of a source and its syntax errors, in the order of the text. ``kept``: the declarations of the file's last
    text, which the tree takes over where nothing changed; the last tree is no longer right then.

    Parts that cannot be parsed are omitted, so with any diagnostic the tree is incomplete.
    """
    tree, problems, _ = _read(source, kept=kept)
    return tree, problems


def declaration_trees(source: Source) -> tuple[Parsed, ...]:
    """Returns the grammar's trees of all declarations that can be parsed; those inside a part follow it."""
    return _read(source, keeps=False)[2]


def _read(
    source: Source, keeps: bool = True, kept: KeptDeclarations | None = None
) -> tuple[ast.Ruleset, tuple[Diagnostic, ...], tuple[Parsed, ...]]:
    everything = Span(source, 0, len(source.text))
    if len(source.text) > MAX_CHARACTERS:
        return ast.Ruleset((), span=everything), (_too_long(source),), ()
    known = language()
    read = _lines_of(source)
    lines, problems = read.copied()
    _normalize_indentation(source, lines, problems)
    _normalize_blank_lines(lines)
    del problems[_MAX_PROBLEMS:]
    if kept is not None:
        kept.begin()
    reader = _Declarations(source, known, problems, keeps, kept)
    ruleset = ast.Ruleset(tuple(reader.read(lines, 0)), read.after, span=everything)
    return ruleset, _in_order(problems), tuple(reader.trees)


def read_lines(source: Source) -> list[Line]:
    """Returns the logical lines of a source, whether or not it parses. They are cached: callers must not change them."""
    return _lines_of(source).lines


def read_beginning(source: Source, text: str) -> list[Line]:
    """Returns the logical lines of a text that begins as a source does. Callers can change the list, and the words of its last line."""
    lines = logical_lines(Source(source.path, text), language(), line_starters(), _lines_of(source)).lines
    if lines:
        lines[-1] = lines[-1].copied()  # it may be one of the source
        lines[-1].read = list(lines[-1].words), 0
    return lines


@lru_cache(maxsize=8)  # an editor asks many questions about one text
def _lines_of(source: Source) -> Lines:
    found = logical_lines(source, language(), line_starters(), _LINES.find(source.path))
    _LINES.put(source.path, found)
    return found


def parse_text(text: str, path: str = "<text>") -> ast.Ruleset:
    """Returns the tree of a ruleset's text. Raises ``GameDSLError`` with all syntax errors."""
    tree, problems = parse_ruleset(Source(path, text))
    if problems:
        raise GameDSLError(*problems)
    return tree


def parse_expression(text: str, path: str = "<expression>") -> ast.Expr:
    """Returns the expression in a string. Raises ``GameDSLError`` unless it is exactly one expression."""
    source = Source(path, text)
    known = language()
    problems: list[Diagnostic] = []
    if len(text) > MAX_CHARACTERS:
        raise GameDSLError(_too_long(source))
    read = logical_lines(source, known, frozenset())
    problems.extend(read.problems)
    if len(read.lines) != 1 and not problems:
        place = read.lines[1] if read.lines else None
        span = Span(source, place.start, place.end) if place else Span(source, 0, 0)
        problems.append(syntax_problem("E0131", span))
    if not problems:
        tree = Feed(source, known, read.lines, problems).tree("expression")
        if tree is not None and _shallow(source, tree, problems):
            expression = build_expr(Builder(source, {}, problems), tree)
            if not problems:
                return expression
    raise GameDSLError(*_in_order(problems))


def _too_long(source: Source) -> Diagnostic:
    size = f"{len(source.text)} characters"
    return syntax_problem("E0112", Span(source, 0, 0), what="text", size=size, most=MAX_CHARACTERS)


@lazy_dataclass(frozen=True, slots=True)
class _Declarations:
    """Reads the declarations of a file or a part. ``keeps``: trees of other texts are used, whose places are not those here; ``kept``:
    the declarations of the last text.
    """

    source: Source
    language: Language
    problems: list[Diagnostic]
    keeps: bool
    kept: KeptDeclarations | None
    trees: list[Parsed] = field(default_factory=list)

    def read(self, lines: Sequence[Line], level: int) -> list[ast.Decl]:
        """Returns the declarations of some lines. ``level``: the number of parts around them."""
        found: list[ast.Decl] = []
        for first, end in groups(lines):
            if len(self.problems) >= _MAX_PROBLEMS:
                self.too_many(lines[first])
                break
            decl = self.declaration(lines[first:end], level)
            if decl is not None:
                found.append(decl)
        return found

    def too_many(self, line: Line) -> None:
        if all(p.code != "E0134" for p in self.problems):
            span = Span(self.source, line.start, line.end)
            self.problems.append(syntax_problem("E0134", span, most=_MAX_PROBLEMS))

    def declaration(self, lines: Sequence[Line], level: int) -> ast.Decl | None:
        head = lines[0]
        if head.broken and head.first in HOLDERS and len(lines) > 1:
            self.read(lines[1:], level + 1)
        if not head.broken and not self.check_known(head):
            return None
        if head.first not in HOLDERS:
            return self.parse_declaration(lines, level)
        if 2 * level > MAX_DEPTH:
            span = Span(self.source, head.start, head.end)
            self.problems.append(syntax_problem("E0116", span, most=MAX_DEPTH))
            return None
        part = self.parse_declaration(lines[:1], level)
        inner = self.read(lines[1:], level + 1) if not head.broken else []
        if not isinstance(part, ast.PartDecl | ast.InPartDecl):
            return None
        return replace(part, decls=tuple(inner))

    def check_known(self, head: Line) -> bool:
        """Returns whether a line begins with the first word of a declaration; reports it if not."""
        words = declaration_words(self.language)
        if head.first in words and head.begins_with_name:
            return True
        span = Span(self.source, head.start, head.words[0].end)
        close = near(head.first, sorted(words))
        hint = (
            "put statements below `play`, `move` or `action`, indented"
            if head.first in STATEMENT_WORDS
            else "a declaration begins with a word such as `piece`, `move` or `play`; indent everything that belongs to it"
        )
        self.problems.append(syntax_problem("E0107", span, found=quoted(head.first), near=close, hint=hint))
        return False

    def parse_declaration(self, lines: Sequence[Line], level: int) -> ast.Decl | None:
        words = None
        if self.keeps and not any(line.broken for line in lines):
            words = declaration_key(self.source.text, lines)
        key = None if words is None or self.kept is None else key_of(words, lines)
        if key is not None and self.kept is not None:
            decl = self.kept.take(key, self.source, lines[0].start)
            if decl is not None:
                return decl
        before = len(self.problems)
        tree, ahead, depth = self.tree(lines, words)
        if tree is None:
            return None
        if 2 * level + depth > MAX_DEPTH and not _shallow(self.source, tree, self.problems, 2 * level, ahead):
            return None
        self.trees.append(tree)
        builder = Builder(self.source, {line.start: line for line in lines}, self.problems, ahead)
        decl = build_decl(builder, tree)
        if key is not None and self.kept is not None and len(self.problems) == before:
            self.kept.put(key, decl, lines[0].start, builder.spans)
        return decl

    def tree(self, lines: Sequence[Line], key: DeclarationKey | None) -> tuple[Parsed | None, int, int]:
        """Returns the tree of a declaration, how many characters the declaration is after the place that the tree states, and how
        deeply it is nested: a tree that was read without a problem is kept, by its key, for the next text that contains it.
        """
        start = lines[0].start
        kept = _TREES.find(key) if key is not None else None
        if kept is not None:
            return kept[0], start - kept[1], kept[2]
        before = len(self.problems)
        tree = Feed(self.source, self.language, lines, self.problems).tree("declaration")
        depth = 0 if tree is None else sum(1 for _ in _layers(tree))
        if key is not None and tree is not None and len(self.problems) == before:
            _TREES.put(key, (tree, start, depth))
        return tree, 0, depth


@cache
def _words_at_start(start: str) -> frozenset[str]:
    known = language()
    return frozenset(known.texts[t] for t in known.push(start).accepts())


def declaration_words(known: Language) -> frozenset[str]:
    """Returns the words with which declarations begin."""
    return _words_at_start("declaration")


def line_starters() -> frozenset[str]:
    """Returns words that nearly always begin a line when they come first."""
    return declaration_words(language()) | {
        "when",
        "put",
        "set",
        "add",
        "take",
        "let",
        "repeat",
        "phase",
        "turns",
        "until",
    }


def groups(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """Returns the extent of each declaration, its first line and all lines indented more, as start and end index."""
    starts: list[int] = []
    level = lines[0].indent if lines else 0
    for number, line in enumerate(lines):
        if not starts or line.indent <= level:
            starts.append(number)
    return list(zip(starts, [*starts[1:], len(lines)], strict=False))


def _normalize_indentation(source: Source, lines: Sequence[Line], problems: list[Diagnostic]) -> None:
    """Reports lines at an invalid indentation and moves them to the next deeper level."""
    levels = [0]
    for number, line in enumerate(lines):
        if number == 0 and line.indent > 0 and not line.broken:
            problems.append(syntax_problem("E0102", Span(source, line.start, line.end)))
        if number == 0:
            line.indent = 0
        if line.indent > levels[-1]:
            levels.append(line.indent)
            if len(levels) == MAX_DEPTH:
                problems.append(syntax_problem("E0116", Span(source, line.start, line.end), most=MAX_DEPTH))
            continue
        left = levels[-1]
        while line.indent < levels[-1]:
            left = levels.pop()
        if line.indent != levels[-1]:
            if not line.broken:
                problems.append(syntax_problem("E0102", Span(source, line.start, line.end)))
            levels.append(left)
            line.indent = left


def _normalize_blank_lines(lines: Sequence[Line]) -> None:
    """Keeps blank lines only where they are optional: not at the start of a block, and not where one is required."""
    level = lines[0].indent if lines else 0
    for number, line in enumerate(lines):
        if number == 0 or line.indent > lines[number - 1].indent:
            line.gap = False
    _drop_set_off(lines, 0, len(lines), level)


def _drop_set_off(lines: Sequence[Line], start: int, end: int, level: int) -> None:
    """Drops the empty lines before declarations that are always set off, in parts too."""
    pending = [(start, end, level)]
    while pending:
        start, end, level = pending.pop()
        for first, stop in groups(lines[start:end]):
            head = lines[start + first]
            if head.first in SET_OFF:
                head.gap = False
            if head.first in HOLDERS and stop - first > 1:
                pending.append((start + first + 1, start + stop, lines[start + first + 1].indent))


def _shallow(source: Source, tree: Parsed, problems: list[Diagnostic], level: int = 0, ahead: int = 0) -> bool:
    """Returns whether the nesting of a tree is within the limit; reports it if not. Not recursive."""
    for depth, layer in enumerate(_layers(tree), level + 1):
        if depth > MAX_DEPTH:
            span = Span(source, max(layer[0].start + ahead, 0), max(layer[0].end + ahead, 0))
            problems.append(syntax_problem("E0116", span, most=MAX_DEPTH))
            return False
    return True


def _layers(tree: Parsed) -> Iterator[list[Parsed]]:
    """Yields the nodes of a tree by depth."""
    layer = [tree]
    while layer:
        yield layer
        layer = [child for node in layer for child in node.children if isinstance(child, Parsed)]


def _in_order(problems: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(problems, key=lambda p: (p.span.start, p.code)))
