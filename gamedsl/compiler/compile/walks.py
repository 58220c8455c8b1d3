"""Machine code for walks over states: a few entry points, and functions that return numbers about a state."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from gamedsl.compiler.compile.lowerings import new_unit
from gamedsl.compiler.compile.machine import Code, has_cpu_feature, object_code
from gamedsl.compiler.emit import action_code, apply
from gamedsl.compiler.emit.entries import module_entries
from gamedsl.compiler.emit.expression_code import number
from gamedsl.compiler.emit.llvm_module import I64, Fn, const
from gamedsl.compiler.emit.memory_layout import Frame
from gamedsl.compiler.emit.stop_code import switch_on_stop
from gamedsl.compiler.emit.successors import successor_states
from gamedsl.language.core import nodes as n

WALK_ENTRIES = {
    "initial": module_entries.initial, "kind": module_entries.kind, "step": module_entries.step, "error": module_entries.errors,
    "count": action_code.count, "move": action_code.move, "do": apply.apply, "fan": successor_states.fan,
}  # fmt: skip


def walk_code(program: n.Program, frame: Frame, numbers: Mapping[str, Mapping[int, n.Expr]], otherwise: int) -> Code:
    """Compiles ``WALK_ENTRIES`` and more entry points: each returns the number that belongs to the state's block, or
    ``otherwise``.
    """
    unit = new_unit(program, frame)
    unit.has_deposit = has_cpu_feature("bmi2")
    for make in WALK_ENTRIES.values():
        make(unit)
    for name, at in numbers.items():
        unit.function(name, name, I64, [], partial(_number, at, otherwise), public=True)
    unit.write_all()
    return Code(object_code(str(unit.module), 0), [*WALK_ENTRIES, *numbers])  # a tenth of the time of level 1


def _number(at: Mapping[int, n.Expr], otherwise: int, f: Fn, _: object) -> None:
    switch_on_stop(f, lambda b: number(f, at[b.index]) if b.index in at else None, const(otherwise))
