"""The module of a program that steps many plays at once."""

from __future__ import annotations

from gamedsl.native.compile.compiler import ProgramForms, Text, without_collection
from gamedsl.native.compile.lowerings import new_unit
from gamedsl.native.compile.machine import has_cpu_feature
from gamedsl.native.emit.lanes.lane_steps import lanes
from gamedsl.native.emit.lanes.lane_tables import LaneTables

LANE_ENTRIES = ("lanes",)


def write_lanes(forms: ProgramForms, tables: LaneTables) -> Text:
    """The LLVM text of the module."""
    with without_collection():
        unit = new_unit(forms.program, forms.frame)
        unit.has_deposit, unit.has_lanes = has_cpu_feature("bmi2"), has_cpu_feature("avx2")
        unit.program = forms.generic
        lanes(unit, tables)
        unit.write_all()
        text = Text(str(unit.module), tuple(unit.places))
        unit.forget()
        return text
