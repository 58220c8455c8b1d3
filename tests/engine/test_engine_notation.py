"""Moves as text: unique, read back in every state, helpful when they are not read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl import load
from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.moves import Move
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core.constant_folding import limits
from gamedsl.language.core.nodes import (
    Alt,
    Block,
    Choose,
    CoreParam,
    Decide,
    ElemT,
    End,
    IntT,
    Local,
    OptT,
    Program,
    Var,
)
from gamedsl.language.source.diagnostic import GameDSLError
from tests.engine.coregames import ALL, elem, everything, payoffs, program, schema
from tests.engine.plays import GAMES, play


@pytest.mark.parametrize("name", ALL)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=5, deadline=None)
def test_every_text_reads_back_in_every_state(name: str, seed: int) -> None:
    game = GAMES[name]
    steps = list(play(game, seed, 15))
    moves = {m for state, _ in steps for m in state.legal_moves(mistakes=True)}
    for state, _ in steps:
        for m in moves:
            read = game.parse_move(str(m), state, m.player)
            assert read == m and str(read) == str(m)


@pytest.mark.parametrize("name", ALL)
@given(
    text=st.text(max_size=30)
    | st.sampled_from(["step", "step ", "r1c", "r1c1 r1c1", "roll", "(", "place()", "\x00", "pass pass"])
)
@settings(max_examples=60, deadline=None)
def test_other_texts_are_refused(name: str, text: str) -> None:
    game = GAMES[name]
    state = game.initial_state()
    try:
        move = game.parse_move(text, state)
    except GameDSLError as error:
        assert error.diagnostics[0].code == "E0501"
    else:
        assert game.parse_move(str(move), state) == move


def test_what_was_probably_meant() -> None:
    game = GAMES["three"]
    with pytest.raises(GameDSLError) as caught:
        game.parse_move("r1cc1", game.initial_state())
    assert "r1c1" in caught.value.diagnostics[0].near


def test_forgiving_reading() -> None:
    game = GAMES["dice"]
    state = game.initial_state()
    assert str(game.parse_move("  Roll   THE die ", state)) == "roll the die"
    three = GAMES["three"]
    assert str(three.parse_move("place(r2c2)", three.initial_state())) == "r2c2"


COLOURS = Domain("colour", ("red", "blue"))
CELLS = Domain("cell", ("a", "aa", "aaa"))
ONE = Domain("player", ("me",))


def clashing(*written: tuple[str, tuple[str | int, ...], object]) -> Program:
    """One decision among moves with one parameter each, and one choice of a colour."""
    one = elem(ONE, 0)
    schemas = []
    for i, (name, template, t) in enumerate(written):
        param = Local(10 * i + 2, "x", t)  # type: ignore[arg-type]
        low, high = limits(t)
        size = t.domain if isinstance(t, ElemT) else Domain("n", tuple(str(i) for i in range(low, high + 1)))
        schemas.append(
            schema(i, name, Local(10 * i + 1, "me", ElemT(ONE)), [CoreParam(param, everything(size))], [], [], template)
        )
    alternatives = tuple(Alt(i, 0, ()) for i in range(len(schemas)))
    chosen = Var(0, "chosen", ElemT(COLOURS))
    blocks = [
        Block(0, (), Decide(one, one, alternatives, (), None, 1, 0), "", 0),
        Block(1, (), Choose(one, one, chosen, (), everything(COLOURS), COLOURS.names, (), 2, 0), "", 0),
        Block(2, (), End(payoffs(ONE, everything(ONE)), everything(ONE), ()), "", 0),
    ]
    return program("clash", ONE, [chosen], schemas, blocks)


def all_texts(game: Game) -> list[Move]:
    first = game.initial_state()
    return [*first.legal_moves(), *first.apply(first.legal_moves()[-1]).legal_moves()]


def test_equal_short_forms_are_told_apart() -> None:
    game = InterpretedGame(
        clashing(("put", (0,), ElemT(CELLS)), ("take", (0,), ElemT(CELLS)), ("paint", (0,), ElemT(COLOURS)))
    )
    moves = all_texts(game)
    texts = [str(m) for m in moves]
    assert len(set(texts)) == len(texts)
    assert texts[0] == "put(a)" and "paint(red)" in texts and "choose red" in texts
    for state in (game.initial_state(), game.initial_state().apply(moves[-3])):
        for m in moves:
            assert game.parse_move(str(m), state) == m


def test_a_short_form_is_understood_where_it_can_mean_one_thing_only() -> None:
    game = InterpretedGame(clashing(("paint", (0,), ElemT(COLOURS))))
    first = game.initial_state()
    assert str(game.parse_move("red", first)) == "paint(red)"
    assert str(game.parse_move("red", first.apply(first.legal_moves()[-1]))) == "choose red"
    both = InterpretedGame(clashing(("put", (0,), ElemT(CELLS)), ("take", (0,), ElemT(CELLS))))
    with pytest.raises(GameDSLError) as caught:
        both.parse_move("a", both.initial_state())
    assert caught.value.diagnostics[0].code == "E0502" and "take(a)" in caught.value.diagnostics[0].help


def test_templates_that_run_together() -> None:
    """``{x}a`` and ``{x}``: "aa" is both the move (a) of the first and the move (aa) of the second."""
    game = InterpretedGame(clashing(("long", (0, "a"), ElemT(CELLS)), ("short", (0,), ElemT(CELLS))))
    texts = [str(m) for m in all_texts(game)]
    assert texts[:6] == ["long(a)", "long(aa)", "aaaa", "a", "short(aa)", "short(aaa)"]


def test_a_move_that_reads_like_passing() -> None:
    game = InterpretedGame(clashing(("pass", ("pass",), ElemT(Domain("single", ("x",))))))
    texts = [str(m) for m in game.initial_state().legal_moves()]
    assert len(set(texts)) == 2 and texts[1] == "pass"


def test_optional_and_numbers() -> None:
    t = OptT(ElemT(COLOURS))
    game = InterpretedGame(clashing(("send", ("send ", 0), t), ("bet", ("bet ", 0), IntT(2, 4))))
    texts = [str(m) for m in game.initial_state().legal_moves()]
    assert texts[:3] == ["send -", "send red", "send blue"] and "bet 2" in texts and "bet 4" in texts


TUPLES = """
players X, O
type suit = {hearts, spades}
type card = (1..3, suit)
state
  taken: set of card
move pick(k: card) written "take {k}"
  when k not in taken
  add k to taken
move leap(t: (-1..1, -1..1), k: card?)
  when t != (0, 0)
play
  turns from X
    me plays pick | leap
      stuck
        draw
"""


CHOSEN_TUPLE = """
players X, O
type suit = {hearts, spades}
type card = (1..3, suit)
state
  first: card
play
  X chooses first
  draw
"""


def _tuples(folder: Path) -> Game:
    file = folder / "tuples.gdl"
    file.write_text(TUPLES, encoding="utf-8")
    return load(file)


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("take (1, hearts)", "take (1, hearts)"),
        ("take (1,hearts)", "take (1, hearts)"),
        ("Take(1 , HEARTS )", "take (1, hearts)"),
        ("pick((1,hearts))", "take (1, hearts)"),
        ("leap (1,-1) -", "leap (1, -1) -"),
        ("leap(0,-1)( 2,spades)", "leap (0, -1) (2, spades)"),
        ("leap((0,-1),(2,spades))", "leap (0, -1) (2, spades)"),
    ],
)
def test_spaces_in_a_tuple_do_not_matter(typed: str, text: str, tmp_path: Path) -> None:
    game = _tuples(tmp_path)
    assert str(game.parse_move(typed, game.initial_state())) == text


@pytest.mark.parametrize("typed", ["(1, hearts)", "(1,Hearts)", " ( 1 , hearts)", "choose (1,hearts)"])
def test_spaces_in_a_chosen_tuple_do_not_matter(typed: str, tmp_path: Path) -> None:
    file = tmp_path / "chosen.gdl"
    file.write_text(CHOSEN_TUPLE, encoding="utf-8")
    game = load(file)
    assert str(game.parse_move(typed, game.initial_state())) == "(1, hearts)"


@pytest.mark.parametrize("typed", ["take 1 hearts", "take (4, hearts)", "take (1 hearts)", "take (1, hearts"])
def test_what_is_no_tuple_is_told_how_one_is_written(typed: str, tmp_path: Path) -> None:
    game = _tuples(tmp_path)
    with pytest.raises(GameDSLError, match="E0501") as refused:
        game.parse_move(typed, game.initial_state())
    assert "`take (1, hearts)`" in refused.value.diagnostics[0].help
