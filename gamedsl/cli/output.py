"""Output for people and programs: diagnostics, JSON, with or without colour."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from gamedsl.language.source import Diagnostic, FileError, reason, render_all, replace_file, write_file


def wants_colour(stream: TextIO) -> bool:
    """Uses colour on terminals only, and not if NO_COLOR is set to a non-empty value or TERM is ``dumb``."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def say(text: str = "") -> None:
    """Prints a line to standard output."""
    sys.stdout.write(_encodable(text, sys.stdout) + "\n")


def say_in_pages(text: str) -> None:
    """Print a text; on a terminal that is too small for it, through the pager (``PAGER``, or `less`)."""
    rows = shutil.get_terminal_size().lines
    if not _is_read_on_a_screen() or text.count("\n") + 1 < rows:
        say(text)
        return
    import pydoc  # start-up: few commands need it

    os.environ.setdefault("LESS", "FRX")  # quit if it fits after all, keep colors, leave the text on the screen
    pydoc.pager(_encodable(text, sys.stdout) + "\n")


def _is_read_on_a_screen() -> bool:
    return sys.stdout.isatty() and sys.stdin.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def say_json(data: Any) -> None:
    """Prints data as JSON to standard output, indented, with all characters as they are."""
    say(json.dumps(data, indent=2, ensure_ascii=False))


def show(diagnostics: Iterable[Diagnostic], stream: TextIO | None = None) -> None:
    """Prints rendered diagnostics, to standard error by default."""
    stream = stream or sys.stderr
    width = shutil.get_terminal_size((100, 24)).columns
    text = render_all(diagnostics, wants_colour(stream), width)
    if text and stream is sys.stderr:
        complain(text)
    elif text:
        stream.write(_encodable(text, stream) + "\n")


def write_output(path: Path, content: str | bytes) -> None:
    """Writes an output file. Raises ``FileError`` (E0008) on failure."""
    try:
        if isinstance(content, str):
            write_file(path, content, devices=True)
        else:
            replace_file(path, lambda file: file.write(content))
    except OSError as error:
        raise FileError(f"`{path}` cannot be written: {reason(error)}", code="E0008") from None


def make_folder(path: Path) -> None:
    """Creates an output folder. Raises ``FileError`` (E0008) on failure."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise FileError(f"`{path}` cannot be made a folder: {reason(error)}", code="E0008") from None


def complain(text: str) -> None:
    """Prints a line to standard error. Ignores failures, because there is nobody left to tell."""
    with suppress(OSError, ValueError):
        sys.stderr.write(_encodable(text, sys.stderr) + "\n")


def tell_progress(text: str = "") -> None:
    """Rewrites the progress line on standard error, if that is a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text}\x1b[K")
        sys.stderr.flush()


def _encodable(text: str, stream: TextIO) -> str:
    """Escapes what the stream cannot encode, so that writing never fails."""
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
