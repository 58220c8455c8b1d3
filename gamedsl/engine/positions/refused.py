"""Errors of positions."""

from __future__ import annotations

from typing import Any

from gamedsl.language.source import NOWHERE, Diagnostic, GameDSLError
from gamedsl.language.syntax import Datum, data_problem


class Broken(Exception):
    """A position cannot be built. The message says why; ``diagnostics`` say where, too."""

    def __init__(self, message: str, *diagnostics: Diagnostic) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics


def unfit(datum: Datum, problem: str, *, near: tuple[str, ...] = (), help: str = "") -> Broken:
    """Returns an error at a place in the file."""
    found = data_problem("E0644", datum.span, datum.pointer, near=near, problem=problem, cure=help)
    where = "" if found.span is NOWHERE else f"{found.span}: "
    return Broken(f"{where}{problem}{f' ({help})' if help else ''}", found)


def refusal(code: str, datum: Datum, *, near: tuple[str, ...] = (), **names: Any) -> GameDSLError:
    """Returns the error with this code at a place in the file."""
    return GameDSLError(data_problem(code, datum.span, datum.pointer, near=near, **names))
