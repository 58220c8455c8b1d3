"""Formulas for z3 mean what the engine does, and what is said from them is true."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("z3")

from gamedsl.cli.main import main
from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine import state as engine
from gamedsl.engine.play.actions import mover_of
from gamedsl.engine.stop import codes_of, evaluate_at
from gamedsl.lab.base.claim_kinds import read_claim
from gamedsl.lab.base.successor_list import successors
from gamedsl.lab.base.verdict import Status
from gamedsl.lab.claims.verification import VerifyConfig, verify
from gamedsl.lab.explore.explorer import Limits, explore
from gamedsl.lab.smt.encode import Env, Formulas, State
from gamedsl.lab.smt.induction import Induction
from gamedsl.lab.smt.invariants import sampled
from gamedsl.lab.smt.smt_judge import SmtBudget, judge_smt
from gamedsl.lab.smt.smt_values import Unsupported, and_, number, same
from gamedsl.lab.smt.transitions import TransitionRelation
from gamedsl.lab.smt.unroll import Unrolled, constants
from gamedsl.language.core.nodes import Always, Decide, Expr, Never, Program, StackT, StateClaim
from gamedsl.language.rules import load_lowered, load_program
from gamedsl.language.source.diagnostic import GameDSLError
from tests.compiler.generate import random_text

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
        for slot, value in enumerate(codes_of(state, var)):
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
    found += [(c.condition, {}, {}) for c in program.claims if isinstance(c, StateClaim) and c.part in (0, state.part)]
    return found


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_formulas_mean_what_the_engine_does(name: str, options: dict[str, int]) -> None:
    program = load_program(name, options)
    graph = explore(InterpretedGame(program), Limits(states=800))
    compared = 0
    for i in range(0, len(graph), 1 + len(graph) // 25):
        state = graph.state(i)
        for e, plain, env in asked(program, state):
            try:
                formula = Formulas(program).expr(e, fixed(program, state), dict(env))
                wanted = evaluate_at(state, e, plain)
            except (Unsupported, GameDSLError):
                continue
            compared += 1
            assert alike(e.type, formula, wanted), e.span.text
    assert compared > 10 or name in ("rock-paper-scissors", "pig")


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_effects_do_what_the_engine_does(name: str, options: dict[str, int]) -> None:
    """The variables that a move's effect can write, before the course of play goes on."""
    program = load_program(name, options)
    game = InterpretedGame(program)
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
    found = judge_smt(InterpretedGame(rules.program), claims)[:3]
    assert [v.status for v in found] == [Status.PROVED] * 3
    assert {v.detail for v in found} == {"in every position"}


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
    found = judge_smt(InterpretedGame(load_program(path)), [])
    dead = [v.detail for v in found if v.status == Status.VIOLATED]
    assert "`swap` can never be made, whatever the position" in dead
    idle = [v.detail for v in found if "is not needed" in v.detail]
    assert len(idle) == 1
    assert "c not in empty" in idle[0]


@pytest.mark.parametrize(("name", "options"), GAMES[:2])
def test_exploring_agrees(name: str, options: dict[str, int]) -> None:
    """What z3 calls impossible is never met, and what is met it never calls impossible."""
    by_z3 = verify(
        name, options, config=VerifyConfig(smt=True, limits=Limits(depth=3, seconds=10.0), question=2.0)
    ).verdicts
    explored = verify(name, options, config=VerifyConfig(limits=Limits(states=6000))).verdicts
    assert [v for v in by_z3 if v.status == Status.VIOLATED] == []
    for v in by_z3:
        twin = next((w for w in explored if w.claim == v.claim), None)
        if v.status == Status.PROVED and twin is not None:
            assert twin.status in (Status.PROVED, Status.HOLDS)


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "tic-tac-toe", "--smt"]) == 0
    assert "by induction" in capsys.readouterr().out
    arguments = ["verify", "tic-tac-toe", "--smt", "--no-save", "--depth", "4", "--only", "--claim", "never three(X)"]
    assert main(arguments) == 4
    assert "in all games of up to 4 plies" in capsys.readouterr().out
    arguments[5] = "5"
    assert main(arguments) == 3
    assert "after 5 steps; there is no shorter game" in capsys.readouterr().out


# ------------------------------------------------------------------------------------------------------------ plays


def encoded_successors(state: engine.State) -> set[tuple[int, tuple[object, ...]]]:
    """By the formulas, with nothing open: block and values after every transition."""
    relation = TransitionRelation(state.game.program)
    found: set[tuple[int, tuple[object, ...]]] = set()
    todo = [(state.block, constants(state.game.program, state), True)]
    while todo:
        block, values, first = todo.pop()
        transitions = list(relation.transitions(block, values))
        stuck = [w for w in transitions if w.chosen.kind == "stuck" and holds(w.open, relation.given)]
        if not first and not stuck:
            found.add((block, plain(values, relation.given)))
            continue
        for transition in stuck or transitions:
            if holds(transition.open, relation.given):
                stops = relation.stops(transition.target, True, transition.state)
                todo += [(stop, there, False) for can, stop, there in stops if holds(can, relation.given)]
    assert not relation.free
    return found


def holds(value: Any, given: Sequence[Any] = ()) -> bool:
    """Without open variables, or with ones that ``given`` determines (what is reached)."""
    import z3

    if isinstance(value, bool):
        return value
    simple = z3.simplify(value)
    if z3.is_true(simple) or z3.is_false(simple):
        return z3.is_true(simple)
    return determined(given).check(simple) == z3.sat


def determined(given: Sequence[Any]) -> Any:
    """A solver that knows ``given``."""
    import z3

    solver = z3.Solver()
    solver.add(*given)
    return solver


def plain(values: State, given: Sequence[Any] = ()) -> tuple[object, ...]:
    """Values without anything open, so that they can be compared."""
    return tuple(
        str([decided(m, given) for m in v]) if isinstance(v, list) else decided(v, given)
        for _, v in sorted(values.items())
    )


def decided(value: Any, given: Sequence[Any]) -> Any:
    """The value itself, or what ``given`` makes of a formula."""
    import z3

    if not isinstance(value, z3.ExprRef):
        return value
    if z3.is_bool(value):
        return holds(value, given)
    solver = determined(given)
    assert solver.check() == z3.sat
    return solver.model().eval(value, model_completion=True).as_long()


ONE_BY_ONE = [g for g in GAMES if g[0] not in ("kalah", "dots-and-boxes")]


@pytest.mark.parametrize(("name", "options"), ONE_BY_ONE)
def test_formulas_have_the_engines_ways_on(name: str, options: dict[str, int]) -> None:
    game = InterpretedGame(load_program(name, options))
    graph = explore(game, Limits(states=250))
    for i in range(0, graph.expanded, 1 + graph.expanded // 8):
        state = graph.state(i)
        if not state.is_terminal and not state.pending and state.kind != "together":
            wanted = {
                (w.after.block, plain(constants(game.program, w.after)))
                for w in successors(state)
                if w.after is not None
            }
            assert encoded_successors(state) == wanted, str(state)


@pytest.mark.parametrize("coarse", [False, True], ids=["exact", "coarse"])
@pytest.mark.parametrize(
    ("name", "options"),
    [("tic-tac-toe", {}), ("x-s-and-lines", {"n": 3}), ("hex", {"n": 2}), ("nim", {}), ("pig", {"target": 20})],
)
def test_a_ply_as_one_formula_has_the_engines_ways_on(name: str, options: dict[str, int], coarse: bool) -> None:
    """Every position that the engine comes to is one that the formula allows; where all is exact, the first one is none."""
    game = InterpretedGame(load_program(name, options))
    for state in sampled(game, 3, 1)[:3]:
        plays = Unrolled(game.program)
        plays.begin_at(state)
        assert plays.step(coarse)
        for successor in successors(state):
            if successor.after is not None:
                assert plays.check(stands_at(plays, successor.after), 10.0) not in (False, None)
        assert coarse or plays.check(stands_at(plays, state), 10.0) is False


def stands_at(plays: Unrolled, state: engine.State) -> Any:
    wanted = constants(plays.program, state)
    if state.block not in plays.fronts[-1]:
        return False
    when, there = plays.fronts[-1][state.block]
    return and_([when, *(same(there[key], value) for key, value in wanted.items())])


def test_together() -> None:
    game = InterpretedGame(load_program("rock-paper-scissors"))
    relation, start = TransitionRelation(game.program), game.initial_state()
    joint = [w for w in relation.transitions(start.block, constants(game.program, start)) if holds(w.open)]
    assert len(joint) == 9


@pytest.mark.parametrize(
    ("name", "options", "claim", "steps"),
    [
        ("tic-tac-toe", {}, "never three(X)", 5),
        ("tic-tac-toe", {}, "never three(O)", 6),
        ("nim", {}, "never size[C] = 0 and size[B] = 0", 2),
        ("x-s-and-lines", {"n": 3}, "never winners = {second}", 4),
        ("hex", {"n": 2}, "never joined(red)", 3),
        ("connect-four", {"rows": 3, "columns": 3, "k": 3}, "never line_of(yellow)", 5),
        ("rock-paper-scissors", {}, "never winners = {left}", 2),
    ],
)
def test_shortest_plays(name: str, options: dict[str, int], claim: str, steps: int) -> None:
    """z3 and the explorer find plays of the same length; they are real ones."""
    by_z3 = verify(
        name, options, config=VerifyConfig(claims=[claim], own=False, smt=True, limits=Limits(depth=6, seconds=40.0))
    ).verdicts[0]
    explored = verify(name, options, config=VerifyConfig(claims=[claim], own=False, defaults=False)).verdicts[0]
    assert by_z3.status == explored.status == Status.VIOLATED
    assert by_z3.evidence is not None
    assert explored.evidence is not None
    assert len(by_z3.evidence.moves) == len(explored.evidence.moves) == steps
    assert len(list(by_z3.evidence.states())) == steps + 1


# ------------------------------------------------------------------------------------------------------- induction


def test_proofs_for_all_depths() -> None:
    """Each follows from a law of the game that a person would name."""
    rules = load_lowered("tic-tac-toe")
    claims = ["never three(X) and three(O)", "always count(mark[X]) <= 5", "always count(mark[O]) <= count(mark[X])"]
    found = judge_smt(InterpretedGame(rules.program), [read_claim(rules, c) for c in claims], SmtBudget(3))
    assert [v.status for v in found[:3]] == [Status.PROVED] * 3
    assert all("by induction" in v.detail for v in found[:3])
    assert any("mark[X] disjoint mark[O]" in v.detail for v in found)


def test_nothing_false_is_proved() -> None:
    """Claims that plays break later than the plies looked at."""
    rules = load_lowered("tic-tac-toe")
    claims = ["never three(X)", "never count(mark[X]) = 5", "always count(empty) > 0", "never drawn"]
    found = judge_smt(InterpretedGame(rules.program), [read_claim(rules, c) for c in claims], SmtBudget(2))
    assert [v.status for v in found[:4]] == [Status.HOLDS] * 4


RESERVE = """\
game "Reserve"
players A, B
state
  hand: player -> 0..5
  bank: 0..10
  out: 0..10
move draw(k: 1..2) written "draw {k}"
  when k <= bank "not so many left"
  when hand[me] + k <= 5 "too many"
  take k from bank
  add k to hand[me]
move lay written "lay"
  when hand[me] > 0 "nothing to lay"
  when bank + out <= 10 "more than there are"
  take 1 from hand[me]
  add 1 to out
play
  set bank to 10
  turns from A
    me plays draw | lay
    if out = 10
      win me
claim "nothing is lost": always hand[A] + hand[B] + bank + out = 10
"""


@pytest.mark.slow
def test_claims_of_a_larger_game_for_all_depths() -> None:
    """They are proved without exploring, in a game far too large for that."""
    rules = load_lowered("t-tic-t-tac-toe-game")
    claims = [c for c in rules.program.claims if isinstance(c, Always | Never)]
    proofs = Induction(InterpretedGame(rules.program), claims, 1, 20.0, 400.0, coarse=True).run()
    assert [p.plies for p in proofs] == [1] * len(claims)


def test_what_is_in_hand_and_in_the_bank(tmp_path: Path) -> None:
    """A sum that stays the same is found, proved, and used: the second condition of `lay` can't refuse."""
    path = tmp_path / "reserve.gdl"
    path.write_text(RESERVE, encoding="utf-8")
    found = verify(path, config=VerifyConfig(smt=True, limits=Limits(depth=2, seconds=20.0))).verdicts
    assert found[0].status == Status.PROVED
    assert "by induction" in found[0].detail
    kept = next(v.detail for v in found if v.claim == "what always holds")
    assert all(word in kept for word in ("hand[A]", "hand[B]", "bank", "out"))
    (idle,) = [v for v in found if "can never refuse" in v.detail]
    assert "bank + out <= 10" in idle.detail
    assert "as what always holds forbids it" in idle.detail
    path.write_text(
        RESERVE.replace("  add 1 to out\n", "  add 1 to out\n  if out = 4\n    take 1 from out\n"), encoding="utf-8"
    )
    broken = verify(path, config=VerifyConfig(smt=True, limits=Limits(depth=3, seconds=20.0))).verdicts
    assert broken[0].status in (Status.HOLDS, Status.VIOLATED)


def test_drawings_and_noted_positions_are_said() -> None:
    found = verify("abs-trac-toe", config=VerifyConfig(smt=True, limits=Limits(depth=1, seconds=5.0))).verdicts
    assert any("a drawing is made at" in v.detail or "z3 is not asked" in v.detail for v in found)


def law_on_random(seeds: Iterable[int], folder: Path) -> int:
    """What z3 proves or breaks of random rules, exploring them finds as well."""
    compared = 0
    for seed in seeds:
        path = folder / f"r{seed}.gdl"
        path.write_text(random_text(seed), encoding="utf-8")
        try:
            program = load_program(path)
            compared += law_on_ways(InterpretedGame(program), seed)
        except GameDSLError:
            continue
    return compared


def law_on_ways(game: Game, seed: int) -> int:
    compared = 0
    for state in list(dict.fromkeys(sampled(game, seed, 2)))[:4]:
        if state.kind == "together":
            continue
        try:
            found = encoded_successors(state)
            after = successors(state)
        except (Unsupported, AssertionError, GameDSLError):
            continue
        wanted = {(w.after.block, plain(constants(game.program, w.after))) for w in after if w.after is not None}
        assert wanted <= found, (seed, str(state))
        compared += 1
    return compared


SIGNS = """\
game "Signs"
players A, B
state
  said: set of bool
  times: bool -> 0..3
  last: bool
  whom: player? = none
  most: 0..3?
move say(b: bool, about: player?) written "say {b} {about}"
  when b not in said or times[b] < 2
  when about != me
  if b
    set last to yes
  else
    set last to no
  add b to said
  add 1 to times[last]
  set whom to about
  set most to max(times[last], 2)
play
  turns from A
    me plays say
      stuck
        draw
claim "no more than twice": always times[yes] <= 2 and times[no] <= 2
"""


def test_yes_and_no_as_elements_and_what_may_be_none(tmp_path: Path) -> None:
    """A set of yes and no, one as a key; a parameter that may be none; a number put where a wider one, or none, may be."""
    path = tmp_path / "signs.gdl"
    path.write_text(SIGNS, encoding="utf-8")
    assert law_on_ways(InterpretedGame(load_program(path)), 1) > 1
    found = verify(path, config=VerifyConfig(smt=True, limits=Limits(depth=2, seconds=20.0))).verdicts[0]
    assert found.status in (Status.HOLDS, Status.PROVED)


def test_random_rulesets_have_no_ways_on_that_formulas_lack(tmp_path: Path) -> None:
    assert law_on_random([*range(5), 217], tmp_path) > 3  # 217 picks from what is reached


@pytest.mark.slow
def test_many_random_rulesets(tmp_path: Path) -> None:
    assert law_on_random(range(200, 290), tmp_path) > 30
