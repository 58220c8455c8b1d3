"""``compile``: shows the results of the compiler's passes for a ruleset, and the reasons."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import Subparsers, add_file, add_format, add_options, command, load_rules
from gamedsl.cli.output import say, say_json
from gamedsl.language.source import ExitCode, UsageError

if TYPE_CHECKING:
    from gamedsl.compiler import CompilationReport
    from gamedsl.language.core import nodes as n

MODULES = ("rules", "successors", "perft", "playouts", "quick")


def add(commands: Subparsers) -> None:
    parser = command(commands, "compile", run_compile)
    add_file(parser)
    parser.add_argument(
        "--ir",
        nargs="?",
        const="quick",
        choices=MODULES,
        metavar="MODULE",
        help=f"print only the LLVM IR of a module: {', '.join(MODULES)} (default: none; without a name: quick, playouts in "
        "their fastest form)",
    )
    parser.add_argument(
        "--passes",
        action="store_true",
        help="print the Core before the passes for playouts, and what each pass changes",
    )
    add_format(parser)
    add_options(parser)


def run_compile(arguments: argparse.Namespace) -> int:
    from gamedsl.compiler import NativeError, compilation_report

    program = load_rules(arguments)
    try:
        found = compilation_report(program)
    except NativeError as problem:
        raise UsageError(f"the rules cannot be compiled: {problem}") from problem
    if arguments.format == "json":
        say_json(_json(program, found, arguments.ir, arguments.passes))
    elif arguments.ir:
        say(_ir(found, arguments.ir).rstrip("\n"))
    else:
        _say(program, found)
        if arguments.passes:
            _say_passes(program, found)
    return int(ExitCode.FINE)


# ----------------------------------------------------------------------------------------------------------- text


def _say(program: n.Program, found: CompilationReport) -> None:
    say(f"{program.title}: {found.state_bytes} bytes a state")
    for m in found.modules:
        say(
            f"  {m.name:10} {m.code_bytes:9,} bytes in {m.functions:3} functions, compiled in "
            f"{m.seconds_writing + m.seconds_llvm:.2f} s of CPU ({m.seconds_llvm:.2f} s of them in LLVM)"
        )
    if found.not_specialized is not None:
        say(f"playouts use the generic code: {found.not_specialized}")
    else:
        say("playouts are specialized")
    for step in found.steps:
        if step.amount:
            say(f"  {step.name}: {step.text}")
    for line in found.kept:
        say(f"  {line}")
    say("several games at once: " + ("yes" if found.not_at_once is None else f"no ({found.not_at_once})"))


def _say_passes(program: n.Program, found: CompilationReport) -> None:
    from gamedsl.language.core import print_core

    before = print_core(program, people=False)
    say("\n-- the Core")
    say(before.rstrip("\n"))
    for step in found.steps:
        after = print_core(step.program, people=False)
        new = changed(before, after)
        if new:
            say(f"\n-- after {step.name}")
            say("\n".join(new))
        before = after


def changed(before: str, after: str) -> list[str]:
    """The definitions in ``after`` that ``before`` does not contain. A definition is a line with the indented lines
    below it."""
    known = set(_definitions(before))
    return [d for d in _definitions(after) if d not in known]


def _definitions(text: str) -> list[str]:
    out: list[str] = []
    for line in text.splitlines():
        if line.startswith(" ") and out:
            out[-1] += f"\n{line}"
        else:
            out.append(line)
    return out


# ----------------------------------------------------------------------------------------------------------- JSON


def _json(program: n.Program, found: CompilationReport, ir: str | None, passes: bool) -> dict[str, Any]:
    from gamedsl.language.core import print_core

    data: dict[str, Any] = {
        "game": program.name,
        "options": dict(program.options),
        "state_bytes": found.state_bytes,
        "modules": [
            {
                "name": m.name,
                "code_bytes": m.code_bytes,
                "functions": m.functions,
                "seconds_writing": round(m.seconds_writing, 3),
                "seconds_llvm": round(m.seconds_llvm, 3),
            }
            for m in found.modules
        ],
        "specialized": found.not_specialized is None,
        "why_not_specialized": found.not_specialized,
        "several_at_once": found.not_at_once is None,
        "why_not_several_at_once": found.not_at_once,
        "passes": [{"name": s.name, "changed": s.amount, "what": s.text} for s in found.steps],
        "kept": list(found.kept),
    }
    if passes:
        data["core"] = print_core(program, people=False)
        for one, step in zip(data["passes"], found.steps, strict=True):
            one["core"] = print_core(step.program, people=False)
    return data | ({"ir": _ir(found, ir)} if ir else {})


def _ir(found: CompilationReport, module: str) -> str:
    return next(m.ir for m in found.modules if m.name == module)
