"""Lenses: lines of text above a line of the file, with a command or without one."""

from __future__ import annotations

from lsprotocol import types as lsp

TEST, VERIFY, GAME = "gamedsl.test", "gamedsl.verify", "gamedsl.game"  # commands of the server
SHOW_GAME = "gamedsl.showGame"  # a command of an editor that has a board


def lens(line: int, title: str, command: str, *arguments: str | int) -> lsp.CodeLens:
    """A lens above a line, counted from 0, that runs a command."""
    place = lsp.Range(lsp.Position(line, 0), lsp.Position(line, 0))
    return lsp.CodeLens(place, lsp.Command(title, command, arguments=list(arguments)))


def note(line: int, text: str) -> lsp.CodeLens:
    """A lens that says something and does nothing."""
    return lens(line, text, "")
