"""The search for plays that meet what is seldom met: distances, notes and walks held against the engine."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, pairwise, product
from pathlib import Path
from random import Random

import pytest

from gamedsl.cli.main import main
from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.errors import RulesError
from gamedsl.engine.facts.move_making import make_move
from gamedsl.engine.play.actions import mover_of
from gamedsl.engine.state import State
from gamedsl.engine.stop import evaluate_at
from gamedsl.lab.base.move_conditions import is_disabled
from gamedsl.lab.base.options import choices, option_values
from gamedsl.lab.coverage.directed import searched
from gamedsl.lab.search.branch_distance import BranchDistances
from gamedsl.lab.search.goal_programs import CoverageGoal, GoalProgram, Question, coverage_goals
from gamedsl.lab.search.guided_search import GuidedSearch
from gamedsl.lab.search.walker import Walker
from gamedsl.language.core.constant_folding import limits
from gamedsl.language.core.nodes import BranchT, Decide, Expr, Function, Program
from gamedsl.language.core.traverse import free_locals
from gamedsl.language.rules import load_lowered, load_program
from gamedsl.language.source.diagnostic import UsageError
from tests.language.core.verifier import verify as faults_of

GAMES = [
    "t-tic-t-tac-toe-game", "atreso", "horn-tiles", "breakthrough-6x6", "nine-mens-morris", "pig", "kalah", "oware",
    "rock-paper-scissors", "reversi", "yavalath",
]  # fmt: skip

LOCK = """game "Lock"

players one, two

option open_at_once: bool = no "the door stands open"

state
  shown: 0..9
  right: 0..8

define secret(i: 0..7) = (7 * i + 3) mod 10

move turn_to(k: 0..9) written "{k}"
  when k != shown "turn it"
  set shown to k
  if k = secret(right)
    add 1 to right
  else
    set right to 0

move smile written "smile"
  when right > 8 "nobody smiles"
  set right to 0

play
  turns from one, 40 times
    me plays turn_to | smile
    if right = 8 or open_at_once
      win me
  draw
"""


def lock(folder: Path) -> str:
    path = folder / "lock.gdl"
    path.write_text(LOCK, encoding="utf-8")
    return str(path)


def positions(game: Game, plays: int, seed: int) -> list[State]:
    """The positions of random games, some of them left out."""
    rng, found = Random(seed), []
    for _ in range(plays):
        state = game.initial_state()
        while not state.is_terminal and len(found) < 400:
            found.append(state)
            state = state.apply(state.propose(rng))
    return rng.sample(found, min(len(found), 12))


# ---------------------------------------------------------------------------------------------------- distances


def questions_of(program: Program) -> list[Expr]:
    """Conditions of the course of play and of definitions, such as can be asked about a position."""
    found = [b.end.condition for b in program.blocks if isinstance(b.end, BranchT)]
    found += [f.body for f in program.functions if not f.params and type(f.body.type).__name__ == "BoolT"]
    return [e for e in found if not free_locals(e)]


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_far_exactly_where_it_holds(name: str) -> None:
    program = load_program(name)
    distances = BranchDistances(program)
    asked = [(e, distances.of(e, True), distances.of(e, False)) for e in questions_of(program)]
    functions: tuple[Function, ...] = tuple(distances.functions)
    game = InterpretedGame(replace(program, functions=functions))
    assert not faults_of(game.program)
    for state in positions(game, 3, 1):
        for e, yes, no in asked:
            try:
                holds = bool(evaluate_at(state, e))
            except RulesError:
                continue
            assert (evaluate_at(state, yes) == 0) == holds
            assert (evaluate_at(state, no) == 0) == (not holds)


def test_distances_lead_the_way() -> None:
    """Two of a line are nearer to three than one is; numbers are as far as they are apart."""
    rules = load_lowered("tic-tac-toe")
    program = rules.program
    distances = BranchDistances(program)
    far = distances.of(rules.expression("three(X)"))
    state = InterpretedGame(replace(program, functions=tuple(distances.functions))).initial_state()
    seen = []
    for text in ("a1", "c3", "a2", "c2", "a3"):
        state = state.apply(state.game.parse_move(text, state))
        seen.append(evaluate_at(state, far))
    assert seen == [2, 2, 1, 1, 0]


# ------------------------------------------------------------------------------------------------------- notes


@pytest.mark.parametrize("name", [*GAMES, "abs-trac-toe", "chess"])
def test_the_program_with_notes_is_well_formed(name: str) -> None:
    assert faults_of(GoalProgram(load_program(name)).program) == []


@pytest.mark.parametrize("name", ["t-tic-t-tac-toe-game", "atreso", "pig"])
def test_the_program_with_notes_plays_the_same(name: str) -> None:
    program = load_program(name)
    plain, noted = InterpretedGame(program), InterpretedGame(GoalProgram(program).program)
    width = len(plain.first_values())
    a, b, rng = plain.initial_state(), noted.initial_state(), Random(4)
    for _ in range(30):
        if a.is_terminal:
            break
        move = a.propose(rng)
        a, b = a.apply(move), b.apply(move)
        assert (a.block, a.slots) == (b.block, b.slots[:width])


def shown(state: State, schema: int, mover: int, most: int) -> set[tuple[str, int]]:
    """By trying moves: the conditions of a kind that refuse one, first of their sort or as the only reason."""
    found: set[tuple[str, int]] = set()
    s = state.game.program.schemas[schema]
    spans = [g.span.start for g in (*s.guards, *s.forbids)]
    ranges = [range(low, high + 1) for low, high in (limits(p.local.type) for p in s.params)]
    for args in islice(product(*ranges), most):
        reasons = state.why_not(make_move(state.game, schema, state.to_act[0], args))
        if len(reasons) == 1 and reasons[0].span is not None and reasons[0].span.start in spans:
            found.add(("alone", reasons[0].span.start))
    return found


def told(game: Game, state: State, questions: list[tuple[CoverageGoal, Question]]) -> set[tuple[str, int]]:
    """By the questions: the same."""
    found: set[tuple[str, int]] = set()
    for goal, q in questions:
        if state.block in q.at and goal.kind == "alone":
            try:
                if evaluate_at(state, q.at[state.block]) == 0:
                    found.add(("alone", goal.span.start))
            except RulesError:
                pass
    return found


@pytest.mark.parametrize("name", ["t-tic-t-tac-toe-game", "kalah", "nine-mens-morris", "horn-tiles"])
def test_only_reasons_are_those_that_trying_finds(name: str) -> None:
    goals = GoalProgram(load_program(name))
    noted = InterpretedGame(goals.program)
    rng = Random(3)
    questions = [(goals.goals[q.goal], q) for q in goals.questions]
    state, seen = noted.initial_state(), 0
    while not state.is_terminal and seen < 1:
        end = state.terminator
        if isinstance(end, Decide) and rng.random() < 0.4:
            seen += 1
            mover = mover_of(state, None)
            assert mover is not None
            tried: set[tuple[str, int]] = set()
            for alt in end.alternatives:
                if not is_disabled(goals.base.schemas[alt.schema]):
                    tried |= shown(state, alt.schema, mover, 20_000)
            assert told(noted, state, questions) == {x for x in tried if x[1] in {a.span.start for a, _ in questions}}
        state = state.apply(state.propose(rng))
    assert seen


@pytest.mark.parametrize("name", ["t-tic-t-tac-toe-game", "atreso", "rock-paper-scissors", "pig"])
def test_walks_are_plays(name: str) -> None:
    """The compiled walk goes through the engine's positions, and the successors are the engine's in their order."""
    program = load_program(name)
    walker = Walker(GoalProgram(program, {goal.key for goal in coverage_goals(program)}))
    game, rng = InterpretedGame(program), Random(2)
    node = walker.start()
    for _ in range(25):
        if walker.is_over(node):
            break
        fan = walker.fan(node)
        node = walker.further(node, fan, rng.randrange(len(fan.rows)))
    state = game.initial_state()
    for before, after in pairwise(node.trail()):
        ways = state.chance_outcomes() if state.kind == "chance" else state.legal_moves()
        assert len(ways) == len(walker.fan(before).rows)
        state = state.apply(walker.move(before, after.action, state))
        assert state.block == walker.block(after) or walker.block(after) >= len(program.blocks)
    assert state.is_terminal == walker.is_over(node)


# ------------------------------------------------------------------------------------------------------- search


def test_what_random_plays_hardly_ever_do_is_found(tmp_path: Path) -> None:
    """Eight right numbers in a row: one play in many millions opens the lock at random."""
    found, search = searched(lock(tmp_path), seconds=600.0, walks=400)
    won = next(x for _, lines in found.files for x in lines if x.text.strip() == "win me")
    assert won.times
    assert {(a.kind, a.span.text.strip()) for a in search.missing} == {
        ("move", "smile"),
        ("line", "set right to 0"),
    }


def test_the_same_seed_finds_the_same(tmp_path: Path) -> None:
    goals = GoalProgram(load_program(lock(tmp_path)))
    trails = []
    for seed in (5, 5, 6):
        guided = GuidedSearch(goals, Walker(goals), seed)
        guided.run(60.0, 60)
        trails.append([h.node.actions() for h in guided.reached.hits.values()])
    assert trails[0] == trails[1] != trails[2]


def test_a_number_of_walks_ends_a_search_at_the_same_place(tmp_path: Path) -> None:
    """However fast the machine is: the seed and the number of walks decide what is found."""
    (first, one), (second, other) = (searched(lock(tmp_path), seconds=600.0, walks=40) for _ in range(2))
    assert first.extent == second.extent and "of 40 walks" in first.extent
    assert one.met == other.met and one.missing == other.missing


def test_other_options_reach_more(tmp_path: Path) -> None:
    text = LOCK.replace("if right = 8 or open_at_once", "if open_at_once").replace("add 1 to right", "set right to 1")
    path = tmp_path / "open.gdl"
    path.write_text(text, encoding="utf-8")
    kinds = []
    for more in (False, True):
        found, search = searched(str(path), seconds=3.0 if more else 0.5, all_options=more)
        kinds.append(next(x.times for _, lines in found.files for x in lines if x.text.strip() == "win me"))
        assert all(t.options.keys() <= {"open_at_once"} for t in search.tours)
    assert not kinds[0]
    assert kinds[1]


def test_choices_of_options_differ_more_and_more() -> None:
    values = option_values(load_lowered("t-tic-t-tac-toe-game", {"bwah": "yes"}))
    assert values["edition"] == ("v2", "v1")
    assert values["bwah"] == ("yes", "no")
    all_ = list(choices(values, {"bwah": "yes"}))
    assert all_[0] == {}
    assert all("bwah" not in c for c in all_)
    assert [len(c) for c in all_] == sorted(len(c) for c in all_)
    assert {"edition": "v1", "starter": "O"} in all_
    assert option_values(load_lowered("x-s-and-lines"))["n"] == ("8", "2", "16")
    assert option_values(load_lowered("abs-trac-toe"))["players"] == ("2", "1", "6")


def test_drawn_boards_are_refused() -> None:
    with pytest.raises(UsageError, match="draw"):
        searched("abs-trac-toe", seconds=1.0)


@pytest.mark.slow
def test_t_tic_t_tac_toe_wholly() -> None:
    """All but what can't be: more tools than there is to destroy; a super that is refused for the lack of three would be
    refused as there is something else that helps, too, namely the same super; zugzwang."""
    found, search = searched("t-tic-t-tac-toe-game", seconds=900.0, all_options=True)
    assert not found.never
    assert [clause for clause, n in found.clauses if n == 0] == []
    left = {(a.kind, a.span.text.split('"')[0].strip()) for a in search.missing}
    assert left <= {
        ("first", "when cutters > 0"), ("alone", "when cutters > 0"), ("first", "when reagans > 0"),
        ("alone", "when reagans > 0"), ("alone", "when after this: three(me)"), ("alone", "when after waiting: threatened"),
    }  # fmt: skip


@pytest.mark.slow
def test_atreso_wholly() -> None:
    """Among it the third creation of a position."""
    found, search = searched("atreso", seconds=900.0)
    assert not search.missing
    assert not found.never
    assert [clause for clause, n in found.clauses if n == 0] == []


# --------------------------------------------------------------------------------------------------- command line


def test_the_command_keeps_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["coverage", lock(tmp_path), "--method", "search", "--walks", "100", "--save", str(tmp_path / "plays")]
    assert main(asked) == 0
    out = capsys.readouterr().out
    assert "only" in out.splitlines()[3]
    assert "lock.gdl:21: never made: `smile`" in out
    records = sorted((tmp_path / "plays").glob("*.record"))
    assert records
    assert main(["replay", str(records[0])]) == 0


def test_the_table_of_clauses(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", "tic-tac-toe", "--games", "5", "--clauses"]) == 0
    out = capsys.readouterr().out
    assert "clauses used" in out
    assert "Three marks in a row win." in out


def test_a_search_is_asked_for_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", "nim", "--all-options"]) == 2
    assert "--method search" in capsys.readouterr().err
