"""Conditions on numbers of the state as sets: tables by a number, slots read one by one, sets of tuples."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamedsl
from gamedsl.compiler.transform.lift_conditions import lift_condition
from gamedsl.compiler.transform.pipeline import specialize_for_playouts
from gamedsl.compiler.transform.tuple_sets import TupleSet, tuple_set
from gamedsl.engine.state import State
from gamedsl.engine.stop import evaluate_at
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core.constant_folding import evaluate, limits
from gamedsl.language.core.nodes import BoolT, ElemT, IntT, Load, Local, Lookup, Op2, Schema, SetT, TableData

D = Domain("cell", tuple("abcdefgh"))
P = Local(1, "p", ElemT(D))
OPS = st.sampled_from(["lt", "le", "eq", "ne"])


@given(
    st.lists(st.integers(-3, 20), min_size=8, max_size=8), OPS, st.booleans(), st.integers(-30, 30), st.integers(0, 60)
)
@settings(max_examples=300, deadline=None)
def test_a_number_compared_with_a_constant_of_the_element(
    values: list[int], op: str, left: bool, low: int, width: int
) -> None:
    x = Local(2, "x", IntT(low, low + width))
    constant = Lookup(TableData("of", (D,), IntT(-3, 20), tuple(values)), (Load(P),))
    sides = (Load(x), constant) if left else (constant, Load(x))
    e = Op2(op, *sides, BoolT())  # type: ignore[arg-type]
    found = lift_condition(P, e)
    assert found is not None and found.type == SetT(D)
    for v in range(low, low + width + 1):
        wanted = sum(1 << i for i in range(D.size) if evaluate(e, {P.id: i, x.id: v}))
        assert evaluate(found, {x.id: v}) == wanted


@given(st.lists(st.integers(0, 255), min_size=5, max_size=5), st.integers(0, 4))
@settings(max_examples=50, deadline=None)
def test_a_member_of_a_set_that_a_number_selects(rows: list[int], k: int) -> None:
    keys, places = Domain("five", tuple("12345")), (3, 3, 0, 7, 1, 2, 2, 6)
    n = Local(2, "n", ElemT(keys))
    place = Lookup(TableData("place", (D,), ElemT(D), places), (Load(P),))
    e = Op2("in", place, Lookup(TableData("row", (keys,), SetT(D), tuple(rows)), (Load(n),)), BoolT())
    found = lift_condition(P, e)
    assert isinstance(found, Lookup)
    assert evaluate(found, {n.id: k}) == sum(1 << i for i in range(8) if evaluate(e, {P.id: i, n.id: k}))


HEAPS = """game "Heaps"
players A, B
type heap = {one, two, three}
state
  size: heap -> 0..5
  most: 0..5 = 5
  from_all: bool
move take(h: heap, k: 1..5, turned: bool)
  when k <= size[h]
  when k <= most or from_all
  when not (turned and k = 2)
  take k from size[h]
  set most to if turned then 5 else k
  set from_all to turned and size[one] = 0
play
  set size[one] to 3
  set size[two] to 5
  set size[three] to 4
  turns from A
    me plays take
      stuck
        lose me
"""


@pytest.mark.parametrize("name", ["nim", "liars-dice"])
def test_tuples_are_the_legal_moves_of_shipped_rulesets(name: str) -> None:
    assert _states_that_agree(gamedsl.load(name)) >= 10


def test_tuples_of_three_parameters(tmp_path: Path) -> None:
    path = tmp_path / "heaps.gdl"
    path.write_text(HEAPS)
    assert _states_that_agree(gamedsl.load(path)) >= 10


def _states_that_agree(game: gamedsl.Game) -> int:
    """Compares the moves of the tuple sets with the engine's in states of random plays. Returns how many."""
    ready = specialize_for_playouts(game.program)
    assert ready is not None
    found = [(s, t) for s in ready.program.schemas if (t := tuple_set(s)) is not None]
    names, rng, states = {s.name for s, _ in found}, Random(5), 0
    assert names
    for _ in range(8):
        state = game.initial_state()
        while not state.is_terminal:
            legal = sorted(m.args for m in state.legal_moves() if m.name in names)
            if legal:
                states += 1
                assert legal in [sorted(_members(state, s, t)) for s, t in found]
            state = state.apply(state.propose(rng))
    return states


def _members(state: State, schema: Schema, tuples: TupleSet) -> list[tuple[int, ...]]:
    bits = evaluate_at(state, tuples.over, {})
    assert isinstance(bits, int)
    every = product(*map(range, tuples.sizes))
    offsets = [limits(p.local.type)[0] for p in schema.params]
    return [tuple(v + o for v, o in zip(x, offsets, strict=True)) for i, x in enumerate(every) if bits >> i & 1]
