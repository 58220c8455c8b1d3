"""States as bits."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.engine import InterpretedGame
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core.nodes import BoolT, ElemT, HistoryT, IntT, OptT, SetT, StackT
from gamedsl.language.core.state_layout import Layout, pack_value, unpack_value, value_bits
from tests.engine.coregames import ALL, odd_one

D = Domain("d", tuple("abcdefg"))


def test_widths_by_hand() -> None:
    assert value_bits(BoolT()) == 1
    assert value_bits(IntT(5, 5)) == 0
    assert value_bits(IntT(0, 1001)) == 10
    assert value_bits(IntT(-3, 4)) == 3
    assert value_bits(ElemT(D)) == 3
    assert value_bits(OptT(ElemT(D))) == 3  # 8 codes
    assert value_bits(SetT(D)) == 7
    assert value_bits(StackT(ElemT(D), 4)) == 3 + 4 * 3
    assert value_bits(HistoryT()) == 0


@given(st.lists(st.integers(-3, 4), max_size=5))
def test_stacks_come_back(items: list[int]) -> None:
    t = StackT(IntT(-3, 4), 5)
    packed = pack_value(t, tuple(items))
    assert packed < 1 << value_bits(t)
    assert unpack_value(t, packed) == tuple(items)


@pytest.mark.parametrize("name", ALL)
def test_play_after_play_comes_back(name: str) -> None:
    game = InterpretedGame(ALL[name]())
    layout = Layout(game.program)
    seen: dict[int, object] = {}
    for seed in range(5):
        rng, state = random.Random(seed), game.initial_state()
        for _ in range(40):
            block, slots, pending = layout.unpack(state.bits)
            assert (block, pending) == (state.block, state.pending)
            known = [(a, b) for a, b in zip(slots, state.slots, strict=True) if a is not None]
            assert all(a == b for a, b in known)
            assert layout.pack(block, slots, pending) == state.bits < 1 << layout.total
            if name != "walk":  # (a history has no bits)
                assert seen.setdefault(state.bits, state) == state
            if state.is_terminal:
                break
            state = state.apply(state.propose(rng))


def test_an_open_choice_is_in_the_bits() -> None:
    state = InterpretedGame(odd_one()).initial_state()
    after = {state.apply(m).bits for m in state.legal_moves()}
    assert len(after) == 3 and state.bits not in after
