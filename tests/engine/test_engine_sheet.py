"""The paper: what stays on it, and redrawing."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.information.paper import Sheet
from gamedsl.language.core.nodes import BoolT, Const, ElemT, Get, Leaving, Load, Local, Op2, SetT
from tests.engine.coregames import three_in_a_row
from tests.engine.plays import GAMES, play
from tests.engine.sheets import sheet_of


def game(*leavings: Leaving) -> Game:
    p = three_in_a_row()
    return InterpretedGame(replace(p, parts=(replace(p.parts[0], leavings=leavings),)))


P = three_in_a_row()
PLAYERS, CELL = P.players, P.schemas[0].params[0].local.type
assert isinstance(CELL, ElemT)
ME, AT, Q = Local(70, "me", ElemT(PLAYERS)), Local(71, "c", CELL), Local(72, "q", ElemT(PLAYERS))
MARK = P.variables[0]
BY_O = Op2("eq", Load(ME), Const(1, ElemT(PLAYERS)), BoolT())
SCAR = Leaving(("!",), (Load(AT),), False, (), 0, ME, (AT,), BY_O, True)
LINE = Leaving((), (Load(AT), Load(AT)), True, (), 0, ME, (AT,), None, False)
MARKS = Get(MARK, (Load(Q),), SetT(CELL.domain))
EVERY = Leaving(("of ", Q), (MARKS,), False, ((Q, Const(3, SetT(PLAYERS))),), None, None, (), None, True)
ATTEMPT = Leaving((), (), False, (), -1, None, (), None, True)


def sheets(g: Game, *texts: str) -> list[Sheet]:
    state, sheet = g.initial_state(), Sheet()
    found = [sheet]
    for t in texts:
        move = g.parse_move(t, state)
        after = state.apply(move)
        sheet = sheet.after(state, move, after)
        state = after
        found.append(sheet)
    return found


def test_marks_of_one_kind_of_move() -> None:
    a, b, c, d = sheets(game(SCAR), "r1c1", "r2c2", "r3c3")
    assert a.left == b.left == () and not b.may_redraw
    assert [(x.text, x.on, x.ply) for x in c.left] == [("!", ((CELL.domain, 4),), 2)] and c.may_redraw
    assert d.left == c.left and d.may_redraw
    assert d.redrawn().left == () and not d.redrawn().may_redraw


def test_lines_last() -> None:
    last = sheets(game(LINE), "r1c1", "r2c2")[-1]
    assert [x.is_path for x in last.left] == [True, True] and not last.may_redraw
    assert last.redrawn() == last


def test_binders_and_the_position_before() -> None:
    """Judged before the ply: after the second ply only X's first mark is there."""
    _, first, second = sheets(game(EVERY), "r1c1", "r2c2")
    assert [(x.text, x.on) for x in first.left] == [("of X", ()), ("of O", ())]
    assert [(x.text, x.on) for x in second.left[2:]] == [("of X", ((CELL.domain, 0),)), ("of O", ())]


def test_a_refused_attempt_allows_a_redraw() -> None:
    g = game(ATTEMPT)
    state = g.initial_state()
    assert Sheet().refused(state).may_redraw
    assert not Sheet().refused(GAMES["three"].initial_state()).may_redraw
    assert not Sheet().refused(state).redrawn().may_redraw


def test_the_paper_never_touches_the_position() -> None:
    g = game(SCAR, LINE, EVERY, ATTEMPT)
    for seed in range(5):
        sheet = Sheet()
        steps = [(g.initial_state(), None)]
        for state, move in play(g, seed):
            before = state.serialize()
            after = state.apply(move)
            sheet = sheet.after(state, move, after)
            sheet.redrawn()
            assert state.serialize() == before
            steps.append((after, move))  # type: ignore[arg-type]
        assert sheet_of(steps) == sheet
