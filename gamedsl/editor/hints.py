"""Signatures, hints of types and lenses above lines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from gamedsl.editor.desk import EXAMPLES
from gamedsl.editor.example_lenses import clause_lenses, example_lenses
from gamedsl.editor.figure_codes import LEGAL, NEVER, WINNER
from gamedsl.editor.lenses import SHOW_GAME, TEST, VERIFY, lens, note
from gamedsl.editor.outline import outline
from gamedsl.editor.protocol import path_of
from gamedsl.language.rules import name_meaning, signature
from gamedsl.language.source import Source
from gamedsl.language.syntax import read_lines

if TYPE_CHECKING:
    from gamedsl.editor.server import RulesetServer


def signature_at(source: Source, offset: int) -> tuple[str, str, list[str], int] | None:
    """The signature of the call around a place, its text, its parameters, and which of them is written there."""
    words = [w for line in read_lines(source) for w in line.words if w.start < offset]
    depth = commas = 0
    for number in range(len(words) - 1, 0, -1):
        text = words[number].text
        if text in (")", "]", "}"):
            depth += 1
        elif text in ("(", "[", "{"):
            if depth == 0:
                if text != "(":
                    return None
                return _of(source, words[number - 1].text, commas)
            depth -= 1
        elif text == "," and depth == 0:
            commas += 1
    return None


def _of(source: Source, name: str, commas: int) -> tuple[str, str, list[str], int] | None:
    found = signature(name)
    if found is None:
        for one in outline(source):
            if one.name == name and one.kind in ("define", "move", "action"):
                line = source.line(source.position(one.start)[0]).strip()
                head = re.match(rf"{one.kind}\s+(\w+\([^()]*\))", line)
                found = (head[1], "") if head else None
    if found is None:
        return None
    inside = re.search(r"\((.*)\)", found[0])
    names = [part.strip() for part in inside[1].split(",")] if inside else []
    return *found, names, min(commas, max(len(names) - 1, 0))


def register(server: RulesetServer) -> None:
    """Gives a server hints and lenses."""

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def inlay(ls: RulesetServer, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        source = ls.source(params.text_document.uri)
        if ls.desk.kind(source) != "rules":
            return []
        env = ls.desk.names(source.path)
        hints = []
        for one in outline(source) if env is not None else ():
            line = source.position(one.start)[0] - 1
            if one.kind == "define" and params.range.start.line <= line <= params.range.end.line and env is not None:
                kind = name_meaning(env, one.name).partition(", ")[2]
                equals = source.text.find("=", one.end)
                at = len(source.text[:equals].rstrip()) if equals > 0 else one.end
                if kind and ":" not in source.text[source.text.rfind(")", one.end, at) : at]:
                    hints.append(lsp.InlayHint(ls.positions.position(source, at), f": {kind}", lsp.InlayHintKind.Type))
        return hints + _figure_hints(ls, source, params.range)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def lenses(ls: RulesetServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        source = ls.source(params.text_document.uri)
        path = path_of(params.text_document.uri)
        kind = ls.desk.kind(source)
        if kind == "examples":
            return example_lenses(ls, source)
        if kind == "clauses":
            return clause_lenses(ls, source)
        if kind != "rules":
            return []
        found = []
        games = ls.runner.games(path)
        said = {mark.start: mark.message for mark in ls.figures.marks(path) if mark.code == LEGAL}
        for one in (inner for outer in outline(source) for inner in outer.walk()):
            line = source.position(one.full_start)[0] - 1
            if one.start in said:
                found.append(note(line, said[one.start]))
            if one.kind == "play":
                found += [note(line, mark.message) for mark in ls.figures.marks(path) if mark.code == WINNER]
                examples = path.removesuffix(".gdl") + EXAMPLES
                if examples in ls.desk.open or Path(examples).exists():
                    found.append(lens(line, "Run the examples", TEST, path))
            elif one.kind == "claim":
                found.append(lens(line, "Verify this claim", VERIFY, path, line))
                if ls.shows_board and any(one.full_start <= start <= one.full_end for start in games):
                    found.append(lens(line, "Show its game on the board", SHOW_GAME, path, line))
        return found


def _figure_hints(ls: RulesetServer, source: Source, wanted: lsp.Range) -> list[lsp.InlayHint]:
    """What random games never did, at the ends of lines."""
    hints = []
    for mark in ls.figures.marks(source.path):
        line = source.position(mark.start)[0]
        if mark.code == NEVER and wanted.start.line <= line - 1 <= wanted.end.line:
            end = source.line_starts[line - 1] + len(source.line(line).rstrip())
            hints.append(lsp.InlayHint(ls.positions.position(source, end), mark.message, padding_left=True))
    return hints
