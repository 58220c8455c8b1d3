"""Tests on parameters alone become one look-up of a set."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.compiler import cutoffs
from gamedsl.compiler.transform.pipeline import specialize_for_playouts
from gamedsl.language.core import nodes
from gamedsl.language.core.nodes import Bind, Lookup, Schema, SetT, TableData

from . import small_rulesets as small


def goes(tmp_path: Path) -> list[Schema]:
    special = specialize_for_playouts(small.program_of(small.CARDS, tmp_path))
    assert special is not None
    return [s for s in special.program.schemas if s.name == "go"]


def tables(schema: Schema) -> list[TableData]:
    over = [step.over for step in schema.plan if isinstance(step, Bind)]
    return [
        e.right.table
        for e in over
        if hasattr(e, "right") and isinstance(e.right, Lookup) and isinstance(e.right.type, SetT)
    ]


def test_cards(tmp_path: Path) -> None:
    """With the tiger, X goes from the first cell one row on: the rows have five cells. There is no row before."""
    schemas = goes(tmp_path)
    assert len(schemas) == 2
    for schema in schemas:
        assert not any(isinstance(step, nodes.Test) for step in schema.plan)
    (table,) = tables(schemas[0])
    assert [d.size for d in table.keys] == [20, 4]
    assert table.values[0] == 1 << 5


def test_no_table_beyond_the_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutoffs, "PLAN_TABLE_WORK", 1000)
    assert all(any(isinstance(step, nodes.Test) for step in schema.plan) for schema in goes(tmp_path))
