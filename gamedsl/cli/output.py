"""Output for people and programs: diagnostics and JSON, with or without color, quiet or verbose."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, TextIO

from gamedsl.language.source import (
    Diagnostic,
    FileError,
    UsageError,
    lazy_dataclass,
    reason,
    render_all,
    replace_file,
    write_file,
)


@lazy_dataclass()
class _Manner:
    """The amount of output: ``--quiet`` and ``--verbose``."""

    is_quiet: bool = False
    is_verbose: bool = False


_manner = _Manner()
_COLOR_VARIABLES = {
    "always": ("FORCE_COLOR", "NO_COLOR"),
    "never": ("NO_COLOR", "FORCE_COLOR"),
}  # the variable to set, the one to remove


@contextmanager
def printing(quiet: bool, verbose: bool, color: str) -> Iterator[None]:
    """A context in which remarks and progress are omitted if ``quiet``, and details are shown if ``verbose``.
    ``color`` (``auto``, ``always``, ``never``) becomes FORCE_COLOR or NO_COLOR, which the drawing libraries obey,
    too."""
    before = _manner.is_quiet, _manner.is_verbose
    variables = {name: os.environ.get(name) for name in ("NO_COLOR", "FORCE_COLOR")}
    if color in _COLOR_VARIABLES:
        set_one, removed = _COLOR_VARIABLES[color]
        os.environ[set_one] = "1"
        os.environ.pop(removed, None)
    _manner.is_quiet, _manner.is_verbose = quiet, verbose
    try:
        with _logged() if verbose else nullcontext():
            yield
    finally:
        _manner.is_quiet, _manner.is_verbose = before
        for name, value in variables.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _logged() -> Iterator[None]:
    """A context in which the log messages of the packages below are shown."""
    import logging  # start-up: few commands need it

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            detail(record.getMessage())

    logger, handler = logging.getLogger("gamedsl"), Handler()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def wants_colour(stream: TextIO) -> bool:
    """Whether to use color: only on terminals unless FORCE_COLOR is set, and not if NO_COLOR is set or TERM is
    ``dumb``."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and stream.isatty()


def say(text: str = "") -> None:
    """Prints a line to standard output."""
    sys.stdout.write(_encodable(text, sys.stdout) + "\n")


def remark(text: str) -> None:
    """Prints a line that is not a result, such as the name of a written file; nothing with ``--quiet``."""
    if not _manner.is_quiet:
        say(text)


def detail(text: str) -> None:
    """Prints a line to standard error with ``--verbose``."""
    if _manner.is_verbose:
        complain(text)


def is_quiet() -> bool:
    return _manner.is_quiet


def say_in_pages(text: str) -> None:
    """Print a text; on a terminal that is too small for it, through the pager (``PAGER``, or `less`)."""
    from shutil import get_terminal_size  # start-up: few commands need it

    rows = get_terminal_size().lines
    if not _is_read_on_a_screen() or text.count("\n") + 1 < rows:
        say(text)
        return
    import pydoc  # start-up: few commands need it

    os.environ.setdefault("LESS", "FRX")  # quit if it fits after all, keep colors, leave the text on the screen
    pydoc.pager(_encodable(text, sys.stdout) + "\n")


def _is_read_on_a_screen() -> bool:
    return sys.stdout.isatty() and sys.stdin.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def say_json(data: Any) -> None:
    """Prints data as JSON to standard output, indented, without escaping non-ASCII characters."""
    say(json.dumps(data, indent=2, ensure_ascii=False))


def show(diagnostics: Iterable[Diagnostic], stream: TextIO | None = None) -> None:
    """Prints rendered diagnostics, to standard error by default."""
    shown = list(diagnostics)
    if not shown:
        return
    from shutil import get_terminal_size  # start-up: most runs have nothing to show

    stream = stream or sys.stderr
    text = render_all(shown, wants_colour(stream), get_terminal_size((100, 24)).columns)
    if stream is sys.stderr:
        complain(text)
    else:
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


def check_output(path: Path | None) -> None:
    """Raises ``FileError`` (E0008) if an output file cannot be written, before a long work for it begins."""
    if path is None:
        return
    try:
        target = Path(os.path.realpath(path))
        code = errno.EISDIR if target.is_dir() else 0 if target.parent.is_dir() else errno.ENOENT
        if not code and not os.access(target.parent if target.is_file() or not target.exists() else target, os.W_OK):
            code = errno.EACCES
    except OSError as error:
        code = error.errno or errno.EINVAL
    if code:
        raise FileError(f"`{path}` cannot be written: {os.strerror(code)}", code="E0008")


def check_new_folder(path: Path | None) -> None:
    """Checks an output folder before a long work for it begins. Raises ``UsageError`` (E0004) if it is not empty, and
    ``FileError`` (E0008) if it cannot be created or written."""
    if path is None:
        return
    try:
        is_full = path.is_dir() and any(path.iterdir())
        nearest = next(folder for folder in (path, *path.parents) if folder.exists())
        is_closed = not nearest.is_dir() or not os.access(nearest, os.W_OK)
    except (OSError, ValueError) as error:
        raise FileError(f"`{path}` cannot be read: {reason(error)}", code="E0008") from None
    if is_full:
        raise UsageError(f"the folder `{path}` is not empty", help="Name a new one.", code="E0004")
    if is_closed:
        raise FileError(f"`{path}` cannot be written as a folder", code="E0008")


def make_folder(path: Path) -> None:
    """Creates an output folder. Raises ``FileError`` (E0008) on failure."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise FileError(f"`{path}` cannot be created as a folder: {reason(error)}", code="E0008") from None


def write_new_folder(name: str, texts: Mapping[str, str], cure: str) -> None:
    """Creates a folder with files. Raises ``UsageError`` (E0004) with a cure if something of its name exists, and
    ``FileError`` (E0008) on failure."""
    folder = Path(name)
    try:
        folder.mkdir()
        for file, text in texts.items():
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8")
    except FileExistsError:
        raise UsageError(f"a file or folder `{name}` already exists", code="E0004", help=cure) from None
    except OSError as error:
        raise FileError(f"`{name}` cannot be written: {reason(error)}", code="E0008") from None
    remark(f"written: {', '.join(str(folder / file) for file in texts)}")


def complain(text: str) -> None:
    """Prints a line to standard error. Ignores failures, because nobody is left to read it."""
    with suppress(OSError, ValueError):
        sys.stderr.write(_encodable(text, sys.stderr) + "\n")


def tell_progress(text: str = "") -> None:
    """Rewrites the progress line on standard error, if that is a terminal."""
    if sys.stderr.isatty() and not _manner.is_quiet:
        sys.stderr.write(f"\r{text}\x1b[K")
        sys.stderr.flush()


def _encodable(text: str, stream: TextIO) -> str:
    """Escapes characters that the stream cannot encode, so that writing never fails."""
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
