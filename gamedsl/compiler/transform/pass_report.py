"""The changes that each pass has made, for `gamedsl compile` and for tests."""

from __future__ import annotations

from gamedsl.compiler.analysis.pass_statistics import changed_expressions, changed_functions
from gamedsl.compiler.transform.pipeline import SpecializedProgram, stages
from gamedsl.compiler.transform.prepare_generic import prepare_generic
from gamedsl.language.core import Names
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Step:
    """A pass: its name, the number (``amount``) of things (``noun``) that it changed, what became of them (``what``),
    and the program after it."""

    name: str
    amount: int
    noun: str
    what: str
    program: n.Program

    @property
    def text(self) -> str:
        return f"{self.amount} {self.noun}{'' if self.amount == 1 else 's'} {self.what}"


def steps(program: n.Program) -> tuple[Step, ...]:
    """The passes that apply, in order. Raises ``NotSpecializable`` if the program cannot be specialized."""
    before = SpecializedProgram(program)
    out: list[Step] = []
    for step, after in stages(program):
        what = step.outcome if out else _steered(program, after)
        out.append(Step(step.name, step.count(before, after), step.noun, what, after.program))
        before = after
    return tuple(out)


def generic_steps(program: n.Program) -> tuple[Step, ...]:
    """The preparation of a program that is not specialized."""
    ready = prepare_generic(program)
    amount = changed_expressions(program, ready) + changed_functions(program, ready)
    return (Step("prepare generic", amount, "expression", "with functions in place, tables and rays", ready),)


def _steered(program: n.Program, special: SpecializedProgram) -> str:
    names = ", ".join(control(special)) or "nothing"
    return f"made of {len(program.blocks)}; constant in each: {names}"


def control(special: SpecializedProgram) -> tuple[str, ...]:
    """The printed names of the control variables."""
    known = {index for _, env in special.places for index, _ in env}
    names = Names(special.program)
    return tuple(names.variable(v) for v in special.program.variables if v.index in known)
