"""Why a move is refused."""

from __future__ import annotations

import pytest

from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.moves import Refusal
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core.nodes import (
    AfterE,
    Alt,
    Assign,
    Block,
    CoreParam,
    Decide,
    ElemT,
    End,
    Get,
    Load,
    Local,
    Op1,
    Op2,
    Var,
)
from gamedsl.language.source.diagnostic import GameDSLError
from tests.engine.coregames import BOOL, elem, everything, guard, payoffs, program, schema
from tests.engine.plays import GAMES


def reasons(name: str, before: str, text: str, player: int | None = None) -> list[Refusal]:
    game = GAMES[name]
    state = game.initial_state()
    for t in before.split(","):
        state = state.apply(game.parse_move(t, state)) if t else state
    return state.why_not(game.parse_move(text, state, player))


def test_a_guard_with_message_and_clause() -> None:
    (r,) = reasons("three", "r1c1", "r1c1")
    assert (r.message, r.clauses, r.look_ahead) == ("the square is taken", ("1.2",), False)


def test_a_guard_without_message_shows_its_own_words() -> None:
    (r,) = reasons("walk", "s0", "step s2")
    assert r.message == "when to in beside(here)" and r.clauses == ("2",) and r.span is not None


def test_what_is_forbidden_after_a_move() -> None:
    (r,) = reasons("walk", "s0", "step s3")
    assert (r.message, r.clauses, r.look_ahead) == ("not on the last place", ("3",), True)


@pytest.mark.parametrize("game,before,text,player,words", [
    ("three", "", "r1c1", 1, "it is not O's turn, but X's"),
    ("three", "r1c1,r2c1,r1c2,r2c2,r1c3", "r3c3", None, "the game is over"),
    ("dice", "roll the die", "pass", 0, "a chance event comes first"),
    ("dice", "", "roll 2", None, "there is no chance event here"),
    ("walk", "", "pass", None, "a value must be chosen"),
    ("walk", "s0", "choose s1", None, "cannot be made now"),
    ("odd", "", "pass", None, None),
])  # fmt: skip
def test_the_wrong_moment(game: str, before: str, text: str, player: int | None, words: str | None) -> None:
    if words is None:
        with pytest.raises(GameDSLError):
            GAMES[game].initial_state().apply(GAMES[game].parse_move(text, GAMES[game].initial_state()))
        return
    (r,) = reasons(game, before, text, player)
    assert words in r.message


def test_applying_raises_the_reasons() -> None:
    game = GAMES["three"]
    state = game.initial_state().apply(game.parse_move("r1c1", game.initial_state()))
    with pytest.raises(GameDSLError, match=r"E0503.*the square is taken.*1.2"):
        state.apply(game.parse_move("r1c1", state))


D = Domain("d", ("a", "b", "c", "e"))
ONE = Domain("player", ("me",))


def layered() -> Game:
    """Moves to a place: not a; not b; after it the place must not be c (looking ahead); e is forbidden."""
    me, x, one = Local(1, "me", ElemT(ONE)), Local(2, "x", ElemT(D)), elem(ONE, 0)
    at = Var(0, "at", ElemT(D))
    here = Get(at, (), ElemT(D))

    def differs(i: int) -> Op2:
        return Op2("ne", Load(x), elem(D, i), BOOL)

    ahead = AfterE(0, (Load(me), Load(x)), (), Op1("not", Op2("eq", here, elem(D, 2), BOOL), BOOL))
    guards = [
        guard(Op2("and", differs(0), differs(1), BOOL), "neither a nor b", ("1",)),
        guard(differs(0), "not a", ("2",)),
        guard(ahead, "not to c", ("3",), ahead=True),
    ]
    banned = guard(Op2("eq", here, elem(D, 3), BOOL), "nobody stands on e", ("4",))
    move = schema(0, "go", me, [CoreParam(x, everything(D))], guards, [Assign(at, (), Load(x))], forbids=[banned])
    blocks = [
        Block(0, (), Decide(one, one, (Alt(0, 0, ()),), (), None, 1, 0), "", 0),
        Block(1, (), End(payoffs(ONE, everything(ONE)), everything(ONE), ()), "", 0),
    ]
    return InterpretedGame(program("layered", ONE, [at], [move], blocks))


@pytest.mark.parametrize("place,clauses", [("a", ["1", "2"]), ("b", ["1"]), ("c", ["3"]), ("e", ["4"])])
def test_the_layers_of_reasons(place: str, clauses: list[str]) -> None:
    game = layered()
    state = game.initial_state()
    found = state.why_not(game.parse_move(f"go {place}", state))
    assert [c for r in found for c in r.clauses] == clauses
    assert [r.look_ahead for r in found] == [clauses[0] in "34"] * len(clauses)
    assert [str(m) for m in state.legal_moves()] == ["pass"]
