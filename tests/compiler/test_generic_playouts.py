"""Random games by generic code: a player who is stuck is noticed when a move is picked, and states that specialized code does
not know are played by a module of its own."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest
from llvmlite import ir

import gamedsl
from gamedsl.compiler.analysis.expression_numbers import ExpressionNumbers
from gamedsl.compiler.compile.lowerings import new_unit
from gamedsl.compiler.emit.expression_code import boolean
from gamedsl.compiler.emit.known_values import branch, same_state
from gamedsl.compiler.emit.llvm_module import CTX_PLAYOUT, I1, Fn, bind, const
from gamedsl.compiler.emit.memory_layout import Frame
from gamedsl.compiler.host.binding import Native
from gamedsl.compiler.playouts.generic import GENERIC_PLAYOUT
from gamedsl.engine import InterpretedGame, RulesError
from gamedsl.language.core import nodes as n
from gamedsl.language.core import walk

from . import small_rulesets as small
from .test_random_plays import same_plays

NAME = n.Local(1, "name", n.IntT(0, 9))
STUCK = f"""{small.HEAD}{small.PUT}play
  turns from X
    me plays place
      stuck
        draw
"""
FOR_EVER = f"""{small.HEAD}{small.PUT}play
  turns from X
    me plays place
      stuck
        me passes
""".replace("me passes", "set waited to yes").replace("play\n", "state\n  waited: bool\nplay\n", 1)


def native_of(text: str, folder: Path) -> Native:
    return Native(small.program_of(text, folder), keep=False, baseline=True)


@pytest.mark.parametrize(("plies", "unfinished"), [(8, 20), (9, 0), (10, 0)])
def test_being_stuck_takes_no_ply(plies: int, unfinished: int, tmp_path: Path) -> None:
    """The board is full after nine plies: whoever is stuck then ends the game, even if no further ply is allowed."""
    native = native_of(STUCK, tmp_path)
    found = native.playouts(20, 1, plies=plies)
    assert (found.unfinished, found.plies) == (unfinished, 20 * min(plies, 9))


def test_the_engine_is_stuck_at_the_same_plies(tmp_path: Path) -> None:
    same_plays(InterpretedGame(small.program_of(STUCK, tmp_path)), 60, seed=2)


def test_a_game_without_a_decision_ends_in_an_error(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="forever"):
        native_of(FOR_EVER, tmp_path).playouts(1, 1)


def test_unknown_states_are_played_by_a_module_of_its_own() -> None:
    """Where one of two has chosen a hand, the choice is open: specialized code does not begin there."""
    game = gamedsl.load("rock-paper-scissors")
    native = Native(game.program, keep=False)
    context, out = native.context(), (ctypes.c_double * 2)()
    block = native.initial(context)
    at = ctypes.addressof(block)
    assert native.entry("step")(context.pointer, at, 0) == 0
    field = ctypes.c_int64.from_address(context.pointer + 8 * CTX_PLAYOUT)
    before, playout = field.value, native.entry("playout")
    results = set()
    for index in range(40):
        assert playout(context.pointer, at, 1, index, ctypes.addressof(out)) >= 1
        results.add(tuple(out))
    assert results == {(1, -1), (-1, 1)}
    assert field.value == native.address(GENERIC_PLAYOUT) != before
    assert native.context()._fields[CTX_PLAYOUT] == field.value


@pytest.mark.parametrize("problem", [KeyboardInterrupt(), MemoryError("no room")])
def test_generic_code_that_cannot_be_compiled_ends_the_games(
    problem: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing can be raised through compiled code, and a game without plies would be a wrong answer."""
    game = gamedsl.load("rock-paper-scissors")
    native, address = Native(game.program, keep=False), Native.address

    def fail(self: Native, name: str) -> int:
        if name == GENERIC_PLAYOUT:
            raise problem
        return address(self, name)

    state = game.initial_state()
    state = state.apply(state.legal_moves()[0])
    with monkeypatch.context() as patch:
        patch.setattr(Native, "address", fail)
        with pytest.raises(type(problem)):
            native.playouts(5, 1, start=state)
    assert native.playouts(5, 1, start=state).plays == 5


# ------------------------------------------------------------------------------------------------- equal expressions


def condition_of(folder: Path) -> tuple[n.Program, n.Expr]:
    program = small.program_of(small.LINES, folder)
    return program, next(b.end.condition for b in program.blocks if isinstance(b.end, n.BranchT))


def test_equal_expressions_have_one_number(tmp_path: Path) -> None:
    numbers, (_, one), (_, other) = ExpressionNumbers(), condition_of(tmp_path), condition_of(tmp_path)
    assert one is not other and numbers.number(one) == numbers.number(other)
    parts = list(walk(one))
    assert all((numbers.number(a) == numbers.number(b)) == (a == b) for a in parts for b in parts)


def test_what_is_known_is_not_computed_again(tmp_path: Path) -> None:
    """The second time, nothing is emitted; after a block that does not always run, and in another state, it is."""
    program, asked = condition_of(tmp_path)
    unit = new_unit(program, Frame(program))

    def size(f: Fn) -> int:
        return sum(len(b.instructions) for b in f.function.blocks)

    def body(f: Fn, _: object) -> None:
        left, right = f.block("sometimes"), f.block("after")
        f.builder.cbranch(ir.Constant(I1, 1), left, right)
        with same_state(f), branch(f, left):
            first, there, again = boolean(f, asked), size(f), boolean(f, asked)
            assert again is first and size(f) == there
            f.builder.branch(right)
        f.at(right)
        with same_state(f):
            known = boolean(f, asked)
            assert known is not first
            named = n.Op2("eq", n.Load(NAME), n.Const(1, NAME.type), n.BoolT())
            bind(f, NAME, const(1))
            one, same = boolean(f, named), boolean(f, named)
            bind(f, NAME, const(2))
            assert same is one and boolean(f, named) is not one
            f.s = f.scratch()
            assert boolean(f, asked) is not known
            f.builder.ret(known)

    unit.function("probe", "probe", I1, [], body)
    unit.write_all()
