"""Symmetries found from the Core: how many, what they spare, and that they change no verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.engine import InterpretedGame
from gamedsl.lab.base.verdict import Status
from gamedsl.lab.claims.orbit_counts import reachable_count
from gamedsl.lab.claims.usable_symmetries import conditions
from gamedsl.lab.claims.verdict_text import explored
from gamedsl.lab.claims.verification import VerifyConfig, verify
from gamedsl.lab.explore.explorer import Execution, Limits, explore
from gamedsl.lab.search.random_search import Budget
from gamedsl.lab.symmetry.canonical_states import Canonicalizer, SymmetryAction
from gamedsl.lab.symmetry.symmetries import symmetries
from gamedsl.language.rules import load_program

ENGINE_AND_COMPILED = pytest.mark.parametrize("native", [False, True], ids=["engine", "compiled"])


@ENGINE_AND_COMPILED
def test_nine_squares_up_to_symmetry(native: bool) -> None:
    """765 positions, 138 of them final: known from many sources."""
    program = load_program("tic-tac-toe")
    graph = explore(InterpretedGame(program), execution=Execution(native=native), turns=symmetries(program))
    assert (len(graph), sum(1 for _ in graph.terminals()), graph.whole) == (765, 138, True)


def test_they_stand_for_all() -> None:
    program = load_program("tic-tac-toe")
    turns = symmetries(program, seats=False)
    graph = explore(InterpretedGame(program), turns=turns)
    alike = Canonicalizer(program, turns)
    assert sum(alike.likes(graph.state(i)) for i in range(len(graph))) == 5478


# Rulesets with few states, some whose symmetries do not all fix the first state or hold only in a later phase.
COUNTED = [
    ("x-s-and-lines", {"n": 3}),  # who moves first matters while x's are placed, and no more while lines are drawn
    ("tic-tac-toe", {}),
    ("connect-four", {"rows": 3, "columns": 3, "k": 3}),
    ("hex", {"n": 2}),
    ("nim", {}),
    ("misere-nim", {}),
    ("kuhn-poker", {}),
    ("rock-paper-scissors", {}),
]


@ENGINE_AND_COMPILED
@pytest.mark.parametrize("seats", [True, False], ids=["with seats", "without"])
@pytest.mark.parametrize(("name", "options"), COUNTED, ids=[name for name, _ in COUNTED])
def test_the_count_is_that_of_an_exploration_without_symmetries(
    name: str, options: dict[str, int], seats: bool, native: bool
) -> None:
    program = load_program(name, options)
    turns = symmetries(program, seats=seats)
    every = explore(InterpretedGame(program), execution=Execution(native=True))
    graph = explore(InterpretedGame(program), execution=Execution(native=native), turns=turns)
    assert every.whole and graph.whole
    assert reachable_count(graph) == len(every)


def test_the_exact_count_is_printed() -> None:
    """The letter's game on a grid of 3 by 3 has 1,186 states; the orbits hold 2,326, which no game reaches in part."""
    graph = explore(InterpretedGame(program := load_program("x-s-and-lines", {"n": 3})), turns=symmetries(program))
    assert "they stand for 1,186 that are alike by 8 symmetries, 3.77 times as many" in explored(graph)


# The turns of the board that the rules know nothing of, the identity left out; counted by hand.
COUNTS = [
    ("tic-tac-toe", {}, 7),  # the square's
    ("m-n-k", {"m": 4, "n": 3, "k": 3}, 3),  # the rectangle's
    ("connect-four", {"rows": 3, "columns": 4, "k": 3}, 1),  # left and right: up and down differ
    ("breakthrough", {"rows": 5, "columns": 3}, 1),  # left and right; up and down are the players'
    ("nim", {}, 23),  # the heaps can change places
    ("kalah", {"houses": 3}, 0),
    ("rock-paper-scissors", {}, 2),  # what beats what goes round
    ("dots-and-boxes", {"rows": 2, "columns": 2}, 127),  # 8, and the two outer lines at each of four corners
    ("hex", {"n": 3}, 1),  # both diagonals exchange the players
]


@pytest.mark.parametrize(("name", "options", "count"), COUNTS)
def test_how_many(name: str, options: dict[str, int], count: int) -> None:
    assert len(symmetries(load_program(name, options), seats=False)) == count


def test_a_claim_that_knows_left_from_right_leaves_no_mirror() -> None:
    from gamedsl.lab.base.claim_kinds import read_claim
    from gamedsl.language.rules import load_lowered

    rules = load_lowered("tic-tac-toe")
    asked = conditions([read_claim(rules, "never a2 in mark[X] and b2 in mark[O]")])
    assert len(symmetries(rules.program, asked)) == 1  # up and down
    assert len(symmetries(rules.program, conditions([read_claim(rules, "never b2 in mark[O]")]))) == 7


def test_a_rule_that_knows_left_from_right_leaves_no_mirror(tmp_path: Path) -> None:
    text = Path(__file__).parents[2].joinpath("rulesets/classics/m-n-k.gdl").read_text(encoding="utf-8")
    path = tmp_path / "left.gdl"
    path.write_text(
        text.replace("  put mark[me] on c", '  when c not in left_column or turn > 2 "x"\n  put mark[me] on c')
    )
    assert len(symmetries(load_program(path), seats=False)) == 1  # up and down
    path.write_text(text.replace("  put mark[me] on c", '  when number(c) != 2 "x"\n  put mark[me] on c'))
    assert len(symmetries(load_program(path), seats=False)) == 1  # left and right
    path.write_text(text.replace("  put mark[me] on c", '  when number(c) != 0 "x"\n  put mark[me] on c'))
    assert len(symmetries(load_program(path), seats=False)) == 7  # there is no such cell


SMALL = [
    ("tic-tac-toe", {}),
    ("x-s-and-lines", {"n": 3}),
    ("connect-four", {"rows": 3, "columns": 3, "k": 3}),
    ("breakthrough", {"rows": 5, "columns": 2}),
    ("clobber", {"rows": 3, "columns": 3}),
    ("m-n-k", {"m": 3, "n": 2, "k": 2}),
]


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_turned_states_have_turned_ways_on(name: str, options: dict[str, int]) -> None:
    """The law that all rests on, for every symmetry, on states from all over the game."""
    program = load_program(name, options)
    graph = explore(InterpretedGame(program))
    for turn in symmetries(program):
        t = SymmetryAction(program, turn)
        for i in range(0, len(graph), 1 + len(graph) // 60):
            state = graph.state(i)
            if state.block not in turn.stops:
                continue
            ways = {t.state(state.apply(m)) for m in state.legal_moves()}
            assert ways == {t.state(state).apply(m) for m in t.state(state).legal_moves()}
            seats = turn.seats
            assert tuple(t.state(state).returns[seats[p]] for p in range(len(seats))) == state.returns


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_the_compiled_explorer_spares_as_much(name: str, options: dict[str, int]) -> None:
    program = load_program(name, options)
    turns = symmetries(program)
    graphs = [
        explore(InterpretedGame(program), execution=Execution(native=native), turns=turns) for native in (False, True)
    ]
    assert len(graphs[0]) == len(graphs[1])
    assert graphs[0].levels == graphs[1].levels
    assert len(graphs[0].target) == len(graphs[1].target)


CLAIMS = [
    ("tic-tac-toe", {}, ["never three(X)", "ends within 8 plies", "three(X) leads to over", "reachable drawn"]),
    ("tic-tac-toe", {}, ["count(mark[X]) = 2 leads to winners = {X}"]),
    ("connect-four", {"rows": 3, "columns": 3, "k": 3}, ["never line_of(red)", "ends within 5 plies"]),
    ("x-s-and-lines", {"n": 3}, ["never winners = {second}", "always count(done) < 3", "ends within 4 plies"]),
    ("breakthrough", {"rows": 5, "columns": 2}, ["never man[black] = {}", "balanced within 1%"]),
]


@ENGINE_AND_COMPILED
@pytest.mark.parametrize(("name", "options", "claims"), CLAIMS, ids=lambda x: str(x)[:30])
def test_the_same_verdicts(name: str, options: dict[str, int], claims: list[str], native: bool) -> None:
    """With and without; the plays that show something are real plays of the same length."""
    plain = verify(
        name, options, config=VerifyConfig(execution=Execution(native=native), claims=claims, symmetry=False)
    )
    spared = verify(
        name, options, config=VerifyConfig(execution=Execution(native=native), claims=claims, symmetry=True)
    )
    assert spared.graph is not None
    assert plain.graph is not None
    assert len(spared.graph) < len(plain.graph)
    for a, b in zip(plain.verdicts, spared.verdicts, strict=True):
        assert (a.claim, a.status) == (b.claim, b.status)
        assert (a.evidence is None) == (b.evidence is None)
        if a.evidence is not None and b.evidence is not None:
            assert len(a.evidence.moves) == len(b.evidence.moves)
            assert len(list(b.evidence.states())) == len(b.evidence.moves) + 1
    assert any(v.status == Status.VIOLATED for v in plain.verdicts)


def test_a_round_is_closed_in_earnest(tmp_path: Path) -> None:
    """A token that walks about on a square board goes round by symmetry sooner than it really does."""
    path = tmp_path / "walk.gdl"
    path.write_text(
        'game "Walk"\nplayers A, B\nboard grid 2 by 2\npiece man\n'
        'move go(a: cell, b: cell) written "{a}-{b}"\n  when a in man "x"\n  when b in neighbors(a) "x"\n'
        "  move man from a to b\n"
        'move put_man(c: cell) written "{c}"\n  when man = {} "x"\n  put man on c\n'
        "play\n  turns from A\n    me plays go | put_man\n    if turn > 40\n      win me\nclaim ends\n"
    )
    found = verify(path, config=VerifyConfig(symmetry=True, defaults=False))
    assert found.graph is not None
    assert len(found.graph.turns) == 7
    (verdict,) = found.verdicts
    assert verdict.evidence is None or verdict.evidence.loop is None or _closed(verdict)


def _closed(verdict: object) -> bool:
    evidence = verdict.evidence  # type: ignore[attr-defined]
    states = list(evidence.states())
    return bool(states[evidence.loop] == states[-1])


def test_rules_errors_with_symmetry(tmp_path: Path) -> None:
    text = Path(__file__).parents[2].joinpath("rulesets/classics/m-n-k.gdl").read_text(encoding="utf-8")
    path = tmp_path / "stuck.gdl"
    path.write_text(text.replace("if empty = {}", "if count(empty) > m * n"), encoding="utf-8")
    found = [verify(path, config=VerifyConfig(symmetry=symmetry)) for symmetry in (False, True)]
    stuck = [next(v for v in f.verdicts if v.status == Status.VIOLATED) for f in found]
    assert stuck[0].evidence is not None
    assert stuck[1].evidence is not None
    assert len(stuck[0].evidence.moves) == len(stuck[1].evidence.moves) == 8
    assert stuck[1].evidence.failing is not None
    assert len(list(stuck[1].evidence.states())) == 9


def test_what_is_said() -> None:
    """Which claims leave symmetries out, and why there may be none."""
    notes = verify(
        "tic-tac-toe", config=VerifyConfig(claims=["never a2 in mark[X] and b2 in mark[O]"], symmetry=True)
    ).notes
    assert any("14 of 16 are not used" in n and "a2 in mark[X]" in n for n in notes)
    notes = verify(
        "abs-trac-toe", config=VerifyConfig(limits=Limits(states=3), budget=Budget(0, 0, 0), symmetry=True)
    ).notes
    assert any("do not support noted positions and drawings" in n for n in notes)


def test_a_claim_about_one_player_keeps_the_seats() -> None:
    found = verify("nim", config=VerifyConfig(claims=["never winners = {second}"], symmetry=True))
    assert found.graph is not None
    assert all(turn.seats == (0, 1) for turn in found.graph.turns)
    assert found.verdicts[-1].claim != ""
    assert any("not used" in note and "second" in note for note in found.notes)


def test_corners_of_dots_and_boxes() -> None:
    """The two outer lines of a corner can change places: two to the fourth, times the square's eight, times the players."""
    assert len(symmetries(load_program("dots-and-boxes", {"rows": 2, "columns": 2}))) == 8 * 16 * 2 - 1
