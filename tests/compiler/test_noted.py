"""Noted positions in compiled rules: how they lie in words, and that plays with repetitions end as the engine's do."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.compiler.emit.noted_counters import STAMPS, STEP
from gamedsl.compiler.emit.noted_positions import from_words, layout, position_size, to_words
from gamedsl.compiler.host import context
from gamedsl.compiler.transform.pipeline import why_not_specialized
from gamedsl.engine import InterpretedGame
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core.constant_folding import limits
from gamedsl.language.core.nodes import BoolT, ElemT, IntT, OptT, SetT, ValueT

from .agree import agree, compiled
from .replay import forms_differ, played, replayed, shares_differ
from .small_rulesets import program_of

HEAD = """players X, O
board grid 3 by 2
piece token of player, 3 each, stacking
state
  asked: 0..3
move add(c: cell)
  when supply(token[me]) > 0
  when c not in token[rival]
  put token[me] on c
move drop(c: cell)
  when c in token[me]
  remove token[me] from c
play
  put token[X] on a1
  put token[X] on a1
  put token[O] on b3
"""
ASKED_AT_ONCE = f"""{HEAD}
  turns from X
    note position
    if repetition(3)
      lose me
    me plays add | drop
      stuck
        lose me
"""
ASKED_LATER = f"""{HEAD}
  turns from X
    me plays add | drop
      stuck
        lose me
    if repetition(2) and asked = 3
      win me
    note position with asked
    if asked < 3
      set asked to asked + 1
    if repetition(2)
      lose me
    note position with asked
    if repetition(4)
      draw
"""
WANDERING = """players X, O
board grid 3 by 1
piece token of player
move go(c: cell)
  when c in neighbors(token[X])
  for d in token[X]
    remove token[X] from d
  put token[X] on c
play
  put token[X] on a1
  turns from X
    note position
    if repetition({times})
      lose me
    me plays go
"""
NEVER_AGAIN = f"""{HEAD}
  turns from X
    note board
    me plays add | drop
      stuck
        lose me
forbid repetition(1) "that has been there"
"""


def domain(size: int) -> Domain:
    return Domain("d", tuple(str(i) for i in range(size)))


TYPES = st.one_of(
    st.just(BoolT()),
    st.builds(
        lambda low, n: IntT(low, low + n),
        st.integers(-300, 300),
        st.sampled_from([0, 1, 24, 255, 256, 1 << 20, 1 << 40]),
    ),
    st.sampled_from([ElemT(domain(3)), ElemT(domain(300)), OptT(ElemT(domain(9)))]),
    st.sampled_from([SetT(domain(n)) for n in (1, 9, 32, 33, 64, 65, 130)]),
)


def values_of(t: ValueT) -> st.SearchStrategy[int]:
    if isinstance(t, SetT):
        return st.integers(0, t.domain.full)
    return st.integers(*limits(t))


@st.composite
def positions(draw: st.DrawFn) -> tuple[tuple[ValueT, ...], tuple[int, ...]]:
    """Types, most of them several times in a row, and values."""
    runs = draw(st.lists(st.tuples(TYPES, st.integers(1, 12)), min_size=1, max_size=6))
    types = tuple(t for t, n in runs for _ in range(n))
    return types, tuple(draw(values_of(t)) for t in types)


@given(positions())
def test_words_and_back(position: tuple[tuple[ValueT, ...], tuple[int, ...]]) -> None:
    types, values = position
    words = to_words(values, types)
    assert len(words) == position_size(types) and all(0 <= w < 1 << 64 for w in words)
    assert from_words(words, types) == values
    assert from_words([w - (1 << 64) if w >> 63 else w for w in words], types) == values
    assert [p.first for p in layout(types)] == sorted({p.first for p in layout(types)})


def test_small_numbers_share_words() -> None:
    assert position_size((IntT(0, 24),) * 100) == 13
    assert to_words([7, *range(10)], (ElemT(domain(8)), *(IntT(0, 9),) * 10)) == [7, 0x0706050403020100, 0x0908]


COUNTED_ON_CELLS = """players X, O
board grid 8 by 6
piece token of player, stacking
move add(c: cell)
  when c in {a1, b1}
  when c not in token[rival] and height(c) < 3
  put token[me] on c
move drop(c: cell)
  when c in token[me]
  remove token[me] from c
play
  turns from X
    note position
    if repetition(3)
      lose me
    me plays add | drop
      stuck
        lose me
"""


@pytest.fixture(params=[2, context.COUNTERS])
def counters(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """So many counters of noted positions: with two, most positions share theirs with others."""
    monkeypatch.setattr(context, "COUNTERS", request.param)
    return int(request.param)


@pytest.mark.usefixtures("counters")
@pytest.mark.parametrize("text", [ASKED_AT_ONCE, ASKED_LATER, COUNTED_ON_CELLS])
def test_repetitions_are_counted_as_the_engine_counts_them(text: str, tmp_path: Path) -> None:
    """Play by play, also from a stop with noted positions behind it."""
    game = InterpretedGame(program_of(text, tmp_path))
    native = compiled(game)
    assert why_not_specialized(game.program) is None
    state = game.initial_state()
    for index in range(24):
        start = state if index % 4 else None
        assert played(native, 5, index, 200, start) == replayed(game, 5, index, 200, start), index
        if index % 4 == 0:
            state = (
                state.apply(state.legal_moves()[0]) if index < 16 and not state.is_terminal else game.initial_state()
            )
    for start in (None, state):
        assert forms_differ(native, 200, 3, 200, start) == "" == shares_differ(native, 1000, 3, 200, start)
    agree(game, 1, native=native)


@pytest.mark.usefixtures("counters")
@pytest.mark.parametrize("times", [1, 2, 15, 16, 17, 40])
def test_more_repetitions_than_a_counter_counts(times: int, tmp_path: Path) -> None:
    """One token goes to and fro between three places, so lengths tell how often a position was noted."""
    text = WANDERING.format(times=times)
    game = InterpretedGame(program_of(text, tmp_path))
    native = compiled(game)
    assert why_not_specialized(game.program) is None
    state = game.initial_state()
    for index in range(6):
        assert played(native, 5, index, 400, state) == replayed(game, 5, index, 400, state), index
        if not state.is_terminal:
            state = state.apply(state.legal_moves()[0])
    assert forms_differ(native, 100, 3, 400, None) == ""


@pytest.mark.usefixtures("counters")
def test_moves_that_repeat_a_position_are_refused(tmp_path: Path) -> None:
    """Each move is tried, and the positions that are noted meanwhile are forgotten again."""
    game = InterpretedGame(program_of(NEVER_AGAIN, tmp_path))
    agree(game, 4, native=compiled(game))


def test_plays_do_not_count_for_one_another(tmp_path: Path) -> None:
    """A series has more plays than there are stamps. The same plays in short series, each with new counters."""
    native = compiled(InterpretedGame(program_of(ASKED_AT_ONCE, tmp_path)))
    plays, part = STAMPS // STEP + 1000, 500
    assert plays % part < part
    whole = native.playouts(plays, 7)
    parts = [native.playouts(min(part, plays - at), 7, first=at) for at in range(0, plays, part)]
    assert whole.plies == sum(p.plies for p in parts)
    assert whole.lengths == tuple(map(sum, zip(*(p.lengths for p in parts), strict=True)))
    assert whole.wins == tuple(map(sum, zip(*(p.wins for p in parts), strict=True)))


@pytest.mark.parametrize("text", [ASKED_AT_ONCE, ASKED_LATER])
def test_a_state_in_another_memory_is_the_same(text: str, tmp_path: Path) -> None:
    """Both memories hold other states before, so that the numbers of entries differ. A state that is packed once more is
    the same block, though its positions are known by then."""
    game = InterpretedGame(program_of(text, tmp_path))
    native, rng = compiled(game), Random(3)
    one, other = native.context(), native.context()
    native.pack(game.initial_state(), other)
    state = game.initial_state()
    while not state.is_terminal and len(state.history) < 12:
        state = state.apply(rng.choice(state.legal_moves()))
        block = bytes(native.pack(state, one))
        assert native.unpack(block, one, game) == state
        moved = native.copy_state(block, one, other)
        assert native.unpack(moved, other, game) == state
        fresh = native.context(), native.context()
        assert bytes(native.pack(state, fresh[0])) == native.copy_state(block, one, fresh[1])
        assert fresh[0].entry(1, fresh[0].used) == fresh[1].entry(1, fresh[1].used)
