"""Diagnostics: what is wrong, where, what was expected, how to fix it. Data only; ``render`` prints them."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from gamedsl.language.source.fix import Fix
from gamedsl.language.source.lazy_classes import lazy_dataclass
from gamedsl.language.source.text import NOWHERE, Span


class ExitCode(IntEnum):
    """Exit codes of every command."""

    FINE = 0
    INVALID = 1  # the ruleset, record or data is invalid
    USAGE = 2  # the command line is wrong
    FAILED = 3  # a claim or an example fails
    BOUND = 4  # a bound was reached before an answer
    IO = 5  # a file or a standard stream cannot be read or written


@lazy_dataclass(frozen=True, slots=True)
class Label:
    """A second place that helps explain a message, with its own short text."""

    span: Span
    text: str


@lazy_dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    ``code`` is ``E`` or ``W`` and four digits (``gamedsl explain CODE``); ``near`` lists names that were probably
    meant; ``help`` says how to fix it; ``pointer`` is a JSON pointer into a data form;
    ``fixes`` holds what the check itself can correct. ``gamedsl.language.cures`` finds the others.
    """

    code: str
    message: str
    span: Span
    labels: tuple[Label, ...] = ()
    expected: str = ""
    near: tuple[str, ...] = ()
    help: str = ""
    pointer: str = ""
    fixes: tuple[Fix, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "help", as_sentence(self.help))

    @property
    def is_error(self) -> bool:
        return self.code.startswith("E")

    @property
    def line(self) -> str:
        """The finding in one line, with its place if it has one."""
        place = "" if self.span.source == NOWHERE.source else f"{self.span}: "
        return f"{place}{self.code} {self.message}"


def as_sentence(text: str) -> str:
    """Returns the text with a capital letter at its beginning and a full stop at its end. A text of several lines is
    unchanged, and so is a first character that is not a letter.
    """
    if not text or "\n" in text:
        return text
    ends = text.endswith((".", "?", "!", ":"))
    return text[0].upper() + text[1:] + ("" if ends else ".")


class GameDSLError(Exception):
    """A user's mistake, with its diagnostics (at least one) and the command's exit code."""

    def __init__(self, *diagnostics: Diagnostic, exit_code: ExitCode = ExitCode.INVALID) -> None:
        super().__init__("; ".join(d.line for d in diagnostics))
        self.diagnostics = diagnostics
        self.exit_code = exit_code

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.diagnostics, self.exit_code), vars(self)


def _again(kind: type[GameDSLError], diagnostics: tuple[Diagnostic, ...], exit_code: ExitCode) -> GameDSLError:
    """Rebuilds a pickled error without calling its class, which can take other arguments."""
    made = kind.__new__(kind)
    GameDSLError.__init__(made, *diagnostics, exit_code=exit_code)
    return made


class FileError(GameDSLError):
    """A file or a standard stream that cannot be read or written; neither the rules nor the command are wrong."""

    def __init__(self, message: str, *, code: str, help: str = "") -> None:
        super().__init__(Diagnostic(code, message, NOWHERE, help=help), exit_code=ExitCode.IO)


class UsageError(GameDSLError):
    """A mistake on the command line or in a Python call: a message without a place in a file."""

    def __init__(self, message: str, *, code: str = "E0001", help: str = "", near: tuple[str, ...] = ()) -> None:
        super().__init__(Diagnostic(code, message, NOWHERE, help=help, near=near), exit_code=ExitCode.USAGE)
