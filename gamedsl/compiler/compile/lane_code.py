"""The modules of a program that step many games at once, and that write what a seat sees of a single state."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from gamedsl.compiler.compile.compiler import ProgramForms, Text, without_collection
from gamedsl.compiler.compile.lowerings import new_unit
from gamedsl.compiler.compile.machine import has_cpu_feature
from gamedsl.compiler.emit.lanes.lane_steps import lanes
from gamedsl.compiler.emit.lanes.lane_tables import LaneTables
from gamedsl.compiler.emit.lanes.single_observations import observation
from gamedsl.compiler.emit.llvm_module import Unit

LANE_ENTRIES = ("lanes",)
OBSERVATION_ENTRIES = ("observation",)


def write_lanes(forms: ProgramForms, tables: LaneTables) -> Text:
    """The LLVM text of the module that steps lanes."""
    return _written(forms, tables, lanes)


def write_observation(forms: ProgramForms, tables: LaneTables) -> Text:
    """The LLVM text of the module that writes what a seat sees of one state."""
    return _written(forms, tables, observation)


def _written(forms: ProgramForms, tables: LaneTables, write: Callable[[Unit, LaneTables], ir.Function]) -> Text:
    with without_collection():
        unit = new_unit(forms.program, forms.frame)
        unit.has_deposit = has_cpu_feature("bmi2")
        unit.has_lanes = unit.has_lane_shifts = has_cpu_feature("avx2")
        unit.program = forms.generic
        write(unit, tables)
        unit.write_all()
        text = Text(str(unit.module), tuple(unit.places))
        unit.forget()
        return text
