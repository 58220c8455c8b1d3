"""A report on the compilation of a program: sizes, times, the effect of each pass, what playouts maintain."""

from __future__ import annotations

import time

from gamedsl.compiler.compile.compiler import ProgramForms, Wanted, write
from gamedsl.compiler.compile.machine import object_code
from gamedsl.compiler.emit.move_lists import worth_listing
from gamedsl.compiler.playouts.condition_code import worth_maintaining
from gamedsl.compiler.transform.hop_masks import DecisionMask, decision_masks
from gamedsl.compiler.transform.monitors import Components, Monitor, Reach
from gamedsl.compiler.transform.pass_report import Step, generic_steps, steps
from gamedsl.compiler.transform.pipeline import SpecializedProgram, why_not_specialized
from gamedsl.compiler.transform.tuple_sets import tuple_set
from gamedsl.language.core import Names, expression_text, place_text
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

MODULES = ("rules", "successors", "perft", "playouts", "quick")  # the modules that all rulesets are compared by


@lazy_dataclass(frozen=True)
class ModuleReport:
    """A module. ``code_bytes``: size of the machine code with its tables. ``seconds_writing`` and ``seconds_llvm``: CPU
    time for emitting the LLVM text (passes included) and for LLVM."""

    name: str
    code_bytes: int
    functions: int
    seconds_writing: float
    seconds_llvm: float
    ir: str


@lazy_dataclass(frozen=True)
class CompilationReport:
    """``state_bytes``: size of a state. ``not_specialized``: why playouts use generic code (None: they do not).
    ``not_at_once``: why they do not run in lockstep (None: they do). ``steps``: the passes. ``kept``: what playouts
    maintain from ply to ply and their masks, one per line."""

    state_bytes: int
    modules: tuple[ModuleReport, ...]
    not_specialized: str | None
    not_at_once: str | None
    steps: tuple[Step, ...]
    kept: tuple[str, ...]


def compilation_report(program: n.Program) -> CompilationReport:
    """Compiles the program without the cache. Raises ``NativeError`` as ``compile_program`` does."""
    forms = ProgramForms(program)
    reason, special = why_not_specialized(program), forms.specialized
    return CompilationReport(
        state_bytes=forms.frame.size,
        modules=tuple(_module(forms, name) for name in MODULES),
        not_specialized=reason,
        not_at_once=forms.why_not_lockstep,
        steps=steps(program) if reason is None else generic_steps(program),
        kept=() if special is None else kept(special),
    )


def _module(forms: ProgramForms, name: str) -> ModuleReport:
    began = time.process_time()
    ir = write(forms, Wanted(name)).ir
    written = time.process_time()
    code = object_code(ir)
    return ModuleReport(name, len(code), ir.count("\ndefine "), written - began, time.process_time() - written, ir)


def kept(special: SpecializedProgram) -> tuple[str, ...]:
    """The remaining set, the monitors, the masks and the move lists of specialized playouts, one per line."""
    names = Names(special.program)
    lines = []
    if special.incremental.remaining is not None:
        lines.append(
            f"the set chosen from, which only shrinks: {expression_text(names, special.incremental.remaining)}"
        )
    for block, watched in sorted(special.incremental.watched.items()):
        lines += [f"block {block}: {_monitor(names, monitor)}" for monitor in watched.monitors]
    if special.incremental.remaining is None:
        lines += _drawings(special.program)
    return tuple(lines)


def _monitor(names: Names, monitor: Monitor) -> str:
    var = names.program.variables[monitor.slot[0]]
    where = place_text(
        names, var, tuple(n.Const(k, n.ElemT(d)) for d, k in zip(var.keys, monitor.slot[1], strict=True))
    )
    if isinstance(monitor, Reach):
        return f"what is reached within {where} grows with it"
    if isinstance(monitor, Components):
        return f"of the components of {where}, that of a new element"
    if worth_maintaining(monitor):
        return f"of {len(monitor.lines)} lines within {where}, those through a new element"
    return f"{len(monitor.lines)} lines within {where}, asked from nothing"


def _drawings(program: n.Program) -> list[str]:
    """One line per decision that chooses from masks, or per schema that is chosen from a list."""
    lines = []
    for block in program.blocks:
        end = block.end
        if not isinstance(end, n.Decide):
            continue
        schemas = [program.schemas[a.schema] for a in end.alternatives]
        if (found := decision_masks(program, end)) is not None:
            names = ", ".join(dict.fromkeys(s.name for s in schemas))
            lines.append(f"block {block.index}: {names} chosen from {_masks(found)}")
        else:
            tuples = [s for s in schemas if tuple_set(s) is not None]
            lines += [f"block {block.index}: {s.name} chosen from a set of tuples" for s in tuples]
            listed = [s for s in schemas if s not in tuples and worth_listing(s)]
            lines += [f"block {block.index}: {s.name} listed once" for s in listed]
    return lines


def _masks(found: tuple[DecisionMask, ...]) -> str:
    steps = ", ".join(f"{w.by:+}" for w in found if w.by is not None)
    return f"{len(found)} masks" + (f", steps of {steps}" if len({w.alternative for w in found}) == 1 else "")
