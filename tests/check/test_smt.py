"""Formulas for z3 mean what the engine does, and what is said from them is true."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("z3")

from gamedsl.check.claims_text import read_claim
from gamedsl.check.explore import Limits, explore
from gamedsl.check.smt import Env, Formulas, State, Unsupported, number
from gamedsl.check.smt_claims import judge_smt
from gamedsl.check.verdict import Status
from gamedsl.check.verdicts import verify
from gamedsl.cli.main import main
from gamedsl.core.nodes import Decide, Expr, Program, StackT
from gamedsl.engine import state as engine
from gamedsl.engine.act import mover_of
from gamedsl.engine.game import Game
from gamedsl.rules import load_lowered, load_program
from gamedsl.source.diagnostic import GameDSLError

GAMES = [
    ("tic-tac-toe", {}),
    ("connect-four", {"rows": 3, "columns": 3, "k": 3}),
    ("x-s-and-lines", {"n": 3}),
    ("nim", {}),
    ("kalah", {"houses": 2}),
    ("breakthrough", {"rows": 5, "columns": 3}),
    ("clobber", {"rows": 3, "columns": 3}),
    ("horn-tiles", {}),
    ("pig", {"target": 20}),
    ("dots-and-boxes", {"rows": 1, "columns": 2}),
    ("rock-paper-scissors", {}),
]


def fixed(program: Program, state: engine.State) -> State:
    """A position of the engine, as formulas without anything open."""
    found: State = {}
    for var in program.variables:
        for slot, value in enumerate(state.value(var)):
            if not isinstance(var.type, StackT):
                found[var.index, slot] = number(var.type, value)
    return found


def alike(t: object, value: Any, code: int) -> bool:
    """Is a formula without anything open the same value? (z3 does the sums, so they are worked out here.)"""
    import z3

    if z3.is_expr(value):
        value = z3.simplify(value)
        value = value.as_long() if z3.is_int_value(value) else z3.is_true(value)
    if isinstance(value, list):
        import z3 as z

        value = [z.is_true(z.simplify(b)) if z.is_expr(b) else b for b in value]
    return bool(value == number(t, code))


def asked(program: Program, state: engine.State) -> list[tuple[Expr, dict[int, int], Env]]:
    """Conditions of moves with legal moves' arguments, and functions' conditions in claims."""
    found: list[tuple[Expr, dict[int, int], Env]] = []
    end = state.terminator
    if isinstance(end, Decide):
        mover = mover_of(state, None)
        assert mover is not None
        for move in state.legal_moves()[:3]:
            if move.schema is None:
                continue
            schema = program.schemas[move.schema]
            plain = {schema.me.id: mover} | {p.local.id: a for p, a in zip(schema.params, move.args, strict=True)}
            locals_ = {schema.me.id: schema.me, **{p.local.id: p.local for p in schema.params}}
            env = {i: number(locals_[i].type, code) for i, code in plain.items()}
            found += [(g.condition, plain, env) for g in (*schema.guards, *schema.forbids)]
    found += [(c.condition, {}, {}) for c in program.claims if c.condition is not None and c.part in (0, state.part)]
    return found


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_formulas_mean_what_the_engine_does(name: str, options: dict[str, int]) -> None:
    program = load_program(name, options)
    graph = explore(Game(program), Limits(states=800))
    compared = 0
    for i in range(0, len(graph), 1 + len(graph) // 25):
        state = graph.state(i)
        for e, plain, env in asked(program, state):
            try:
                formula = Formulas(program).expr(e, fixed(program, state), dict(env))
                wanted = state.evaluate(e, plain)
            except (Unsupported, GameDSLError):
                continue
            compared += 1
            assert alike(e.type, formula, wanted), e.span.text
    assert compared > 10 or name in ("rock-paper-scissors", "pig")


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_effects_do_what_the_engine_does(name: str, options: dict[str, int]) -> None:
    """The variables that a move's effect can write, before the course of play goes on."""
    program = load_program(name, options)
    game = Game(program)
    graph = explore(game, Limits(states=300))
    for i in range(0, len(graph), 1 + len(graph) // 12):
        state = graph.state(i)
        end = state.terminator
        for move in state.legal_moves()[:2] if isinstance(end, Decide) else []:
            if move.schema is None or program.schemas[move.schema].has_chance:
                continue
            schema, mover = program.schemas[move.schema], mover_of(state, None)
            there = fixed(program, state)
            args = [number(schema.me.type, mover or 0)]
            args += [number(p.local.type, a) for p, a in zip(schema.params, move.args, strict=True)]
            try:
                Formulas(program).effect(move.schema, args, there)
            except Unsupported:
                continue
            slots = list(state.slots)
            game.code.schemas[move.schema].effect(slots, mover or 0, *move.args)
            for var in program.variables:
                for slot in range(var.slots):
                    if (var.index, slot) in there:
                        wanted = slots[game.code.offsets[var.index] + slot]
                        assert alike(var.type, there[var.index, slot], wanted), (var.name, str(move))


# --------------------------------------------------------------------------------------------------------- verdicts


def test_what_always_holds_is_proved_without_a_look() -> None:
    rules = load_lowered("tic-tac-toe")
    claims = [
        read_claim(rules, "always count(mark[X]) <= 9"),
        read_claim(rules, "never three(X) and mark[X] = {}"),
        read_claim(rules, "always not three(X) or count(mark[X]) >= 3"),
    ]
    assert [v.status for v in judge_smt(rules.program, claims)][:3] == [Status.PROVED] * 3


def test_what_can_be_broken_is_called_possible_and_no_more() -> None:
    """It is true of all positions that can be reached."""
    rules = load_lowered("tic-tac-toe")
    (verdict, *_) = judge_smt(rules.program, [read_claim(rules, "never three(X) and three(O)")])
    assert verdict.status == Status.UNKNOWN
    assert "perhaps can't be reached" in verdict.detail


IMPOSSIBLE = """\
game "Impossible"
players A, B
board grid 3 by 3
piece man of player
move put_man(c: cell) written "{c}"
  when c in empty "taken"
  put man[me] on c
move swap(a: cell, b: cell) written "{a} for {b}"
  when a in man[me] "not yours"
  when b in man[rival] "not the rival's"
  when row(a) > 2 and row(a) < 2 "not in this row"
  move man[me] from a to b
move bad(c: cell) written "bad {c}"
  when c in man[me] "not yours"
  when c not in empty "nothing there"
  remove man[me] from c
play
  turns from A
    me plays put_man | swap | bad
      stuck
        draw
"""


def test_moves_that_can_never_be_made(tmp_path: Path) -> None:
    path = tmp_path / "impossible.gdl"
    path.write_text(IMPOSSIBLE, encoding="utf-8")
    found = judge_smt(load_program(path), [])
    dead = [v.detail for v in found if v.status == Status.VIOLATED]
    assert dead == ["`swap` can never be made, whatever the position"]
    idle = [v.detail for v in found if "is not needed" in v.detail]
    assert len(idle) == 1
    assert "c not in empty" in idle[0]


@pytest.mark.parametrize(("name", "options"), GAMES[:7])
def test_exploring_agrees(name: str, options: dict[str, int]) -> None:
    """What z3 calls impossible is never met, and what is met it never calls impossible."""
    by_z3 = verify(name, options, smt=True).verdicts
    explored = verify(name, options, limits=Limits(states=6000)).verdicts
    assert [v for v in by_z3 if v.status == Status.VIOLATED] == []
    for v in by_z3:
        twin = next((w for w in explored if w.claim == v.claim), None)
        if v.status == Status.PROVED and twin is not None:
            assert twin.status in (Status.PROVED, Status.HOLDS)


def test_too_much_is_unknown() -> None:
    found = judge_smt(load_program("hex", {"n": 4}), list(load_program("hex", {"n": 4}).claims))
    assert any(v.status == Status.UNKNOWN and "what is connected" in v.detail for v in found)


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "tic-tac-toe", "--smt"]) == 4
    assert "perhaps can't be reached" in capsys.readouterr().out
