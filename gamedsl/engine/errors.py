"""Errors that only occur while a game is played. A rules error stops the game and names the place in the ruleset."""

from __future__ import annotations

from typing import NoReturn

from gamedsl.language.source import NOWHERE, Diagnostic, GameDSLError, Span


class RulesError(GameDSLError):
    """The ruleset itself fails: a value out of range, no value where one is needed, nobody able to act ..."""

    def __init__(self, message: str, span: Span = NOWHERE, *, code: str = "E0510", help: str = "") -> None:
        super().__init__(Diagnostic(code, message, span, help=help))


def fail(message: str, span: Span) -> NoReturn:
    """Raises a ``RulesError``. Translated rules call it when a rule cannot be followed."""
    raise RulesError(message, span)


def play_error(
    code: str, message: str, *, help: str = "", near: tuple[str, ...] = (), expected: str = ""
) -> GameDSLError:
    """A player's mistake (in a move, a save, a record), which has no place in a ruleset."""
    return GameDSLError(Diagnostic(code, message, NOWHERE, help=help, near=near, expected=expected))
