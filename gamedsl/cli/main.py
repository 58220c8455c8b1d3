"""The entry point of the command line: dispatches commands and maps errors to exit codes, never tracebacks."""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import sys
import time
from collections.abc import Sequence
from functools import cache

from gamedsl.cli.arguments import FINDINGS
from gamedsl.cli.command_list import COMMANDS, REGISTRY
from gamedsl.cli.interruption import INTERRUPTED
from gamedsl.cli.output import complain, detail, printing, say, say_json, show
from gamedsl.cli.piped_input import piped_input
from gamedsl.cli.program_parser import ProgramParser, command_named, parser_with
from gamedsl.cli.streams import abandon, failure, leave_quietly, open_closed_streams
from gamedsl.language.source import (
    ExitCode,
    GameDSLError,
    UsageError,
    diagnostic_json,
    find_culprit,
    missing_library,
)

COLLECTED_AFTER = 50_000, 10, 10  # objects and collections; Python's 700, 10, 10 take a tenth of a short command
PIPE_CLOSED = 141  # 128 + SIGPIPE
BUG = 70


def build_parser(words: Sequence[str]) -> ProgramParser:
    """The parser for a command line. Imports only the module of the command named in ``words``, and looks for other packages only
    if gamedsl itself has no such command."""
    name = command_named(words)
    if name in COMMANDS:
        return parser_with([name], lists_others=False)
    return parser_with([name] if REGISTRY.find(name) is not None else [])


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code (see ``ExitCode``; 130 interrupted, 141 broken pipe, 70 internal
    error)."""
    _collect_seldom()
    open_closed_streams()
    try:
        return _flushed(_run(list(sys.argv[1:] if argv is None else argv)))
    except BrokenPipeError:  # the reader has gone
        abandon(sys.stdout)
        return PIPE_CLOSED
    except KeyboardInterrupt as signaled:
        complain("\ninterrupted")
        return int(signaled.args[0]) if signaled.args else INTERRUPTED
    finally:
        leave_quietly()


@cache
def _collect_seldom() -> None:
    """Lets a process collect garbage seldom, and never look at what is left at its end."""
    gc.set_threshold(*COLLECTED_AFTER)
    atexit.register(gc.freeze)


def _run(argv: list[str]) -> int:
    form = _form_wanted(argv)
    try:
        if any("\0" in word for word in argv):
            raise UsageError("an argument contains the character U+0000")
        if not argv:
            return _run_overview()
        arguments = build_parser(argv).parse_args(argv)
        with printing(arguments.quiet, arguments.verbose, arguments.color), piped_input(arguments):
            return _timed(arguments)
    except GameDSLError as mistake:
        _show_mistake(mistake, form)
        return int(mistake.exit_code)
    except SystemExit as leave:  # --help and --version
        return int(leave.code or 0) if not isinstance(leave.code, str) else int(ExitCode.USAGE)
    except BrokenPipeError:
        raise
    except OSError as error:
        return _io_failed(error)
    except Exception as bug:
        if isinstance(bug, ImportError) and (missing := missing_library(bug)):
            _show_mistake(missing, form)
            return int(missing.exit_code)
        if os.environ.get("GAMEDSL_DEBUG"):
            raise
        said = " ".join(f"{type(bug).__name__}: {bug}".split())[:300]
        package = find_culprit(bug)
        where = "internal error" if package is None else f"error in the package {package}"
        whom = "" if package is None else " to its authors"
        complain(f"{where}: {said} (please report it{whom}; GAMEDSL_DEBUG=1 shows where it occurred)")
        return BUG


def _timed(arguments: argparse.Namespace) -> int:
    """Runs the command, and reports with ``--verbose`` how long it took."""
    began, worked = time.perf_counter(), time.process_time()
    code = int(arguments.run(arguments))
    passed, cpu = time.perf_counter() - began, time.process_time() - worked
    detail(f"gamedsl {arguments.command}: {passed:.2f} s ({cpu:.2f} s of processor time), exit code {code}")
    return code


def _form_wanted(argv: Sequence[str]) -> str:
    """The value of ``--format`` in a command line, even if that has mistakes."""
    for word, following in zip(argv, [*argv[1:], ""], strict=False):
        if word == "--":
            break
        if word == "--format":
            return following
        if word.startswith("--format="):
            return word.partition("=")[2]
    return "text"


def _show_mistake(mistake: GameDSLError, form: str) -> None:
    """Reports a mistake on standard error, and in a form for programs on standard output as well."""
    show(mistake.diagnostics)
    if form == "json":
        errors = [diagnostic_json(d) for d in mistake.diagnostics]
        say_json({"diagnostics": errors, "exit_code": int(mistake.exit_code)})
    elif form in FINDINGS:
        from gamedsl.cli.findings import from_diagnostics, say_findings  # start-up: few commands need it

        say_findings(form, from_diagnostics(mistake.diagnostics))


def _run_overview() -> int:
    """Shows the overview, for ``gamedsl`` without arguments."""
    from gamedsl.cli.overview import overview  # start-up: the other commands do not need it

    say(overview())
    return int(ExitCode.FINE)


def _flushed(code: int) -> int:
    """Flushes standard output. Returns the exit code, or that of an output error."""
    try:
        if not sys.stdout.closed:  # the language server closes it at the end of its session
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        return _io_failed(error)
    return code


def _io_failed(error: OSError) -> int:
    if os.environ.get("GAMEDSL_DEBUG"):
        raise error
    abandon(sys.stdout)
    found = failure(error)
    show(found.diagnostics)
    return int(found.exit_code)


if __name__ == "__main__":
    sys.exit(main())
