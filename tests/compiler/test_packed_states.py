"""Packed states: unpacking restores them, equal states pack alike, and no fields overlap."""

from __future__ import annotations

import ctypes
from random import Random

import numpy as np
import pytest

from gamedsl.compiler import compile_program
from gamedsl.compiler.emit.memory_layout import Frame
from gamedsl.compiler.emit.successors.packed_states import HANDLE_BITS, Rows
from gamedsl.compiler.host.binding import Native
from gamedsl.engine import InterpretedGame
from gamedsl.language.core.nodes import HistoryT
from gamedsl.language.rules import load_program
from gamedsl.language.rules.files import shipped
from tests.compiler.test_pass_laws import states_of
from tests.shipped_sample import small

FEW = ("tic-tac-toe", "connect-four", "kalah", "backgammon", "rock-paper-scissors", "atreso", "t-tic-t-tac-toe", "y")


def row(native: Native, block: ctypes.Array[ctypes.c_char], words: int) -> list[int]:
    out = np.full(words + 1, 77, dtype=np.int64)
    native.entry("pack")(native.context().pointer, ctypes.addressof(block), out.ctypes.data)
    assert out[words] == 77
    return out[:words].tolist()


def there_and_back(name: str) -> None:
    program = load_program(name, small(name))
    if any(isinstance(v.type, HistoryT) for v in program.variables):
        return
    native, layout = compile_program(program), Rows.of(Frame(program))
    seen: dict[tuple[int, ...], bytes] = {}
    for state in states_of(name):
        block = native.pack(state, native.context())
        found = row(native, block, layout.words)
        again = native.new_block()
        again.raw = b"\xff" * len(again)
        words = np.array(found, dtype=np.int64)
        native.entry("unpack")(native.context().pointer, ctypes.addressof(again), words.ctypes.data)
        assert again.raw[: native.value_size] == block.raw[: native.value_size]
        assert seen.setdefault(tuple(found), block.raw) == block.raw
    assert len(set(seen.values())) == len(seen)


@pytest.mark.parametrize("name", FEW)
def test_there_and_back(name: str) -> None:
    there_and_back(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped()))
def test_there_and_back_in_every_ruleset(name: str) -> None:
    there_and_back(name)


@pytest.mark.parametrize("name", sorted(shipped()))
def test_no_bit_is_used_twice(name: str) -> None:
    frame = Frame(load_program(name, small(name)))
    layout = Rows.of(frame)
    used = [0] * layout.words
    for f in layout.fields:
        assert f.shift + f.width <= 64
        assert f.width <= f.unit
        assert not used[f.word] & f.mask
        used[f.word] |= f.mask
    if layout.fields:
        noted = sum(isinstance(v.type, HistoryT) for v in frame.program.variables)
        assert sum(f.width for f in layout.fields) == frame.layout.total + noted * HANDLE_BITS
        assert (layout.fields[0].word, layout.fields[0].shift) == (0, 0)
    assert 8 * layout.words <= frame.size


def test_states_of_many_values_are_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same positions to a depth, when rows are states as they are."""
    from gamedsl.lab.explore.explorer import Execution, Limits, explore

    program = load_program("tic-tac-toe")
    monkeypatch.setattr("gamedsl.compiler.cutoffs.PACKED_FIELDS", 3)
    monkeypatch.setenv("GAMEDSL_CACHE", "off")
    graph = explore(InterpretedGame(program), Limits(), execution=Execution(native=True))
    assert len(graph) == 5478
    assert graph.store.layout.words * 8 == Frame(program).value_size  # type: ignore[attr-defined]
    some = Random(3).randrange(5478)
    assert graph.moves(some) == explore(InterpretedGame(program), execution=Execution(native=False)).moves(some)
